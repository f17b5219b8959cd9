//! Packages of omegaUp: weights, validators, and the expected results of solutions.

use crate::support::{Ran, Repo, lacks};

/// Four cases in two groups, of which each answer is the input, with these `settings.json` and `tests/tests.json`.
fn package(settings: &str, tests: &str, more: &[(&str, &str)]) -> Repo {
    let repo = Repo::new();
    for case in ["1.a", "1.b", "2.a", "2.b"] {
        repo.file(&format!("p/cases/{case}.in"), format!("{case}\n"));
        repo.file(&format!("p/cases/{case}.out"), format!("{case}\n"));
    }
    repo.file("p/settings.json", settings).file("p/tests/tests.json", tests);
    repo.file("p/solutions/copy.sh", "cat\n");
    for (path, text) in more {
        repo.file(&format!("p/{path}"), text);
    }
    repo
}

fn expect(ran: &Ran, words: &[&str]) {
    for words in words {
        assert!(ran.all().contains(words), "{words}\n{}", ran.all());
    }
}

const TOKENS: &str = "{\"Limits\": {\"TimeLimit\": \"2s\", \"MemoryLimit\": \"64MiB\", \"OutputLimit\": \"1MiB\"},\n\
                      \"Validator\": {\"Name\": \"token\"}}\n";

#[test]
fn solutions_get_the_verdict_and_the_score_of_the_tests() {
    let tests = "{\"solutions\": [{\"filename\": \"../solutions/copy.sh\", \"verdict\": \"AC\"},\n\
                 {\"filename\": \"../solutions/first.sh\", \"verdict\": \"PA\", \"score_range\": [0.29, 0.29]},\n\
                 {\"filename\": \"../solutions/gone.sh\", \"verdict\": \"AC\"},\n\
                 {\"filename\": \"../solutions/other.sh\", \"verdict\": \"WA\"}]}\n";
    let more = [
        ("testplan", "# weights\n1.a 29\n1.b 0\n2.a 71\n2.b 0\n"),
        ("solutions/first.sh", "read x\n[ $x = 2.b ] && x=z\necho $x\n"),
        ("solutions/other.sh", "echo 1.a\n"),
    ];
    let repo = package(TOKENS, tests, &more);
    let ran = repo.run(&["run", "p", "-v"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    expect(
        &ran,
        &[
            "29 of 100 points (secret/1 29 of 29, secret/2 0 of 71)",
            "p/solutions/other.sh  WA",
            "p/tests/tests.json:3:14: `../solutions/gone.sh` does not exist in the package",
        ],
    );
    repo.file("p/tests/tests.json", tests.replace("[0.29, 0.29]", "[0.3, 0.4]"));
    let ran = repo.run(&["run", "p"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    expect(&ran, &["got 29 points, expected 30 to 40"]);
    let ran = repo.run(&["list", "-v", "p"]);
    expect(&ran, &["64 MiB memory, 1 MiB output", "checker: tokens case_sensitive"]);
}

#[test]
fn a_validator_of_the_package_gives_a_part_of_the_points() {
    if lacks("python3") {
        return;
    }
    // It compares standard input with `data.out`, and knows the case by its name.
    let validator = "import sys\n\
                     out, ans = sys.stdin.read().strip(), open('data.out').read().strip()\n\
                     assert open('data.in').read().strip() == sys.argv[1]\n\
                     assert out != 'crash'\n\
                     print('looked', file=sys.stderr)\n\
                     print(1.0 if out == ans else 0.5 if out.startswith(ans) else 0)\n";
    let settings = |policy: &str| {
        format!("{{\"Validator\": {{\"Name\": \"custom\", \"Lang\": \"py3\"{policy}}}}}\n")
    };
    let tests = "{\"solutions\": [{\"filename\": \"../solutions/copy.sh\", \"verdict\": \"AC\"},\n\
                 {\"filename\": \"../solutions/half.sh\", \"verdict\": \"PA\"},\n\
                 {\"filename\": \"../solutions/crash.sh\", \"verdict\": \"PA\"}]}\n";
    let more = [
        ("testplan", "1.a 24\n1.b 24\n2.a 26\n2.b 26\n"),
        ("validator.py", validator),
        ("solutions/half.sh", "read x\n[ $x = 1.b ] && x=${x}x\necho $x\n"),
        ("solutions/crash.sh", "read x\n[ $x = 1.b ] && x=crash\necho $x\n"),
    ];
    let ran = package(&settings(""), tests, &more).run(&["run", "p", "-v"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let sums = [
        "88 of 100 points (secret/1 36 of 48, secret/2 52 of 52)",
        "52 of 100 points (secret/1 0 of 48, secret/2 52 of 52)",
    ];
    expect(&ran, &sums);
    let policy = ", \"GroupScorePolicy\": \"min\"";
    let ran = package(&settings(policy), tests, &more).run(&["run", "p", "-v"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    expect(&ran, &["76 of 100 points (secret/1 24 of 48, secret/2 52 of 52)"]);
}

#[test]
fn what_is_not_supported_is_named() {
    let ran = package(TOKENS, "{}", &[("interactive/p.idl", "")]).run(&["run", "p"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    expect(&ran, &["p is an interactive problem of libinteractive; these are not supported"]);
    let literal = "{\"Limits\": {},\n\"Validator\": {\"Name\": \"literal\"}}\n";
    let ran = package(literal, "{}", &[]).run(&["run", "p"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    expect(
        &ran,
        &["p/settings.json:2:", "`literal` takes the output as the score; this is not supported"],
    );
    let ran = package(literal, "{}", &[]).run(&["run", "p", "--checker", "tokens"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let unknown = TOKENS.replace("TimeLimit", "TimLimit");
    let ran = package(&unknown, "{}", &[]).run(&["run", "p"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    expect(
        &ran,
        &[
            "`TimLimit` is not a key of `limits` of omegaUp; it is ignored\nhelp: did you mean `TimeLimit`?",
        ],
    );
}

#[test]
fn a_solution_that_no_test_lists_must_be_accepted_and_sources_beside_are_named() {
    let more = [("solutions/other.sh", "echo 1.a\n"), ("generator.sh", "echo 1\n")];
    let repo = package(TOKENS, "{\"solutions\": []}\n", &more);
    let ran = repo.run(&["run", "p"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    expect(
        &ran,
        &["p/solutions/other.sh: got WA, expected AC", "sources in p are not judged: generator.sh"],
    );
}

#[test]
fn a_plain_folder_with_statements_is_none_of_omegaup() {
    let repo = Repo::new();
    repo.file("p/cases/1.in", "1\n")
        .file("p/cases/1.out", "1\n")
        .file("p/statements/es.markdown", "x\n")
        .file("p/settings.json", "{\"editor.tabSize\": 4}\n")
        .file("p/solutions/right.rs", "fn main() { println!(\"1\"); }\n")
        .file("p/wrong.rs", "fn main() { println!(\"2\"); }\n");
    let ran = repo.run(&["run", "p"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    expect(&ran, &["p/wrong.rs: got WA, expected AC"]);
}
