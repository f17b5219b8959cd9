//! Checkers, interactors and validators that are written with testlib: where its header is found, how they are called,
//! and what their ends mean. The header here is a stand-in of our own.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

mod support;

use std::process::Command;

use support::{Repo, skip};

const HEADER: &str = include_str!("fixtures/testlib/testlib.h");

/// Accepts the answer's number and nothing after it.
const CHECKER: &str = "#include \"testlib.h\"
int main(int argc, char **argv) {
    registerTestlibCmd(argc, argv);
    int expected = ans.readInt(), got = ouf.readInt();
    if (got == 13) quitf(_fail, \"unlucky\");
    if (got == 14) std::_Exit(9);
    if (got != expected) quitf(_wa, \"expected %d, found %d\", expected, got);
    quitf(_ok, \"one number\");
}
";

/// Answers guesses until the number in the input was said, and tells how many there were.
const INTERACTOR: &str = "#include \"testlib.h\"
int main(int argc, char **argv) {
    registerInteraction(argc, argv);
    int secret = inf.readInt(), count = 0;
    while (true) {
        int guess = ouf.readInt();
        count++;
        if (guess == secret) break;
        if (count == 10) quitf(_wa, \"too many guesses\");
        std::cout << (guess < secret ? \"higher\" : \"lower\") << std::endl;
    }
    std::cout << \"right\" << std::endl;
    tout << count << std::endl;
    quitf(_ok, \"%d guesses\", count);
}
";

/// Whether there is a compiler; says so if not.
fn has_compiler() -> bool {
    let found = Command::new("g++").arg("--version").output().is_ok();
    if !found {
        skip("g++ is missing, so programs that use testlib are not tested");
    }
    found
}

/// Cases in a folder, and solutions in Bash that print this.
fn repo(solutions: &[(&str, &str)]) -> Repo {
    let repo = Repo::new();
    repo.file("tests/1.in", "37\n").file("tests/1.ans", "2\n");
    repo.file("lib/testlib.h", HEADER);
    for (name, text) in solutions {
        repo.file(&format!("{name}.sh"), text);
    }
    repo
}

#[test]
fn a_checker_gets_input_output_and_answer_and_its_exit_code_counts() {
    if !has_compiler() {
        return;
    }
    let table = [
        ("a_right", "echo 2", "AC"),
        ("b_wrong", "echo 3", "WA wrong answer expected 2, found 3"),
        (
            "c_word",
            "echo x",
            "WA wrong output format Expected integer, but \"x\" found",
        ),
        (
            "d_empty",
            "",
            "WA wrong output format Unexpected end of file - int32 expected",
        ),
        (
            "e_dirt",
            "echo 2 2",
            "WA wrong output format Extra information in the output file",
        ),
        (
            "f_fail",
            "echo 13",
            "JE the testlib checker exited with 3 (fail)\nstderr: FAIL unlucky",
        ),
        (
            "g_odd",
            "echo 14",
            "JE the testlib checker exited with 9, not with 0 (ok), 1 (wrong) or 2 (presentation)",
        ),
    ];
    let solutions: Vec<(&str, &str)> = table.iter().map(|one| (one.0, one.1)).collect();
    let repo = repo(&solutions);
    repo.file("d_empty.sh", "exit 0")
        .file("lib/check.cpp", CHECKER);
    let names: Vec<String> = table.iter().map(|one| format!("{}.sh", one.0)).collect();
    let mut args = vec!["--cases", "tests", "--checker", "testlib:lib/check.cpp"];
    args.extend(names.iter().map(String::as_str));
    let found = repo.verdicts(&args);
    let expected: Vec<String> = table
        .iter()
        .map(|(name, _, verdict)| format!("{name}.sh 1 {verdict}"))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn the_header_is_found_beside_the_source_in_the_package_or_where_testlib_says() {
    if !has_compiler() {
        return;
    }
    let repo = repo(&[("right", "echo 2")]);
    repo.file("far/check.cpp", CHECKER);
    let args = [
        "right.sh",
        "--cases",
        "tests",
        "--checker",
        "testlib:far/check.cpp",
    ];
    let ran = repo.run(&args);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(
        ran.stdout.contains("testlib.h: No such file")
            && ran
                .stdout
                .contains("help: put `testlib.h` beside the source or into the package"),
        "{}",
        ran.all()
    );
    for place in ["lib", "lib/testlib.h"] {
        let mut command = repo.command(&args);
        let ran = repo.finish(command.env("TESTLIB", repo.path(place)));
        assert_eq!(ran.status, 0, "{place}: {}", ran.all());
    }
    repo.file("far/testlib.h", HEADER);
    assert_eq!(repo.run(&args).status, 0);
    // Another header is another program.
    repo.file("far/testlib.h", HEADER.replace("_ok = 0", "_ok = 1"));
    assert_eq!(repo.run(&args).status, 1);
}

#[test]
fn an_interactor_talks_and_a_checker_may_have_the_last_word() {
    if !has_compiler() {
        return;
    }
    let repo = repo(&[
        ("a_quick", "echo 50; read x; echo 37; read x"),
        ("b_slow", "for n in 1 2 37; do echo $n; read x; done"),
        (
            "c_never",
            "for n in 1 2 3 4 5 6 7 8 9 10; do echo $n; read x; done; exit 3",
        ),
        ("d_stops", "echo 1; read x"),
        ("e_crashes", "echo 1; read x; exit 3"),
    ]);
    repo.file("lib/talk.cpp", INTERACTOR);
    repo.file("lib/check.cpp", CHECKER);
    let mut args = vec!["--cases", "tests", "--interactor", "lib/talk.cpp"];
    args.extend([
        "a_quick.sh",
        "b_slow.sh",
        "c_never.sh",
        "d_stops.sh",
        "e_crashes.sh",
    ]);
    let eof = "wrong output format Unexpected end of file - int32 expected";
    let mut expected = vec![
        "a_quick.sh 1 AC".to_owned(),
        "b_slow.sh 1 AC".to_owned(),
        "c_never.sh 1 WA wrong answer too many guesses".to_owned(),
        format!("d_stops.sh 1 WA {eof}"),
        "e_crashes.sh 1 RTE exit code 3".to_owned(),
    ];
    assert_eq!(repo.verdicts(&args), expected);
    // Two guesses, says the answer; the checker sees what the interactor wrote of them.
    expected[1] = "b_slow.sh 1 WA wrong answer expected 2, found 3".to_owned();
    let args = [&args[..], &["--checker", "testlib:lib/check.cpp"]].concat();
    assert_eq!(repo.verdicts(&args), expected);
}

#[test]
fn points_are_scores_where_the_problem_has_any() {
    if !has_compiler() {
        return;
    }
    let checker = "#include \"testlib.h\"
int main(int argc, char **argv) {
    registerTestlibCmd(argc, argv);
    quitp(ouf.readInt() * 0.5, \"half of what it says\");
}
";
    let repo = Repo::new();
    repo.problem(
        "p",
        "name: p\ntype: scoring\n",
        &[("secret/1", "1\n", "1\n")],
    );
    repo.file(
        "cases/p/data/secret/test_group.yaml",
        "max_score: 50\nscore_aggregation: sum\n",
    );
    repo.problem("q", "name: q\n", &[("secret/1", "1\n", "1\n")]);
    repo.file("solutions/p/x.sh", "echo 25")
        .file("solutions/q/x.sh", "echo 25");
    repo.file("lib/check.cpp", checker)
        .file("lib/testlib.h", HEADER);
    let args = ["run", "--json", "-", "--checker", "testlib:lib/check.cpp"];
    let text = repo.run(&args).stdout;
    let cases: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .filter(|event: &serde_json::Value| event["type"] == "case")
        .collect();
    assert_eq!(cases[0]["verdict"], "AC", "{text}");
    assert_eq!(cases[0]["score"], 12.5, "{text}");
    assert_eq!(cases[1]["verdict"], "JE", "{text}");
    let why = cases[1]["feedback"].as_str().unwrap();
    assert!(
        why.contains("it gives points, but the problem has none"),
        "{why}"
    );
}

#[test]
fn a_polygon_package_names_its_interactor_and_its_checker() {
    if !has_compiler() {
        return;
    }
    let repo = Repo::new();
    let xml = "<problem short-name=\"guess\"><judging><testset name=\"tests\">
<time-limit>1000</time-limit><memory-limit>268435456</memory-limit><test-count>1</test-count>
<input-path-pattern>tests/%02d</input-path-pattern>
<answer-path-pattern>tests/%02d.a</answer-path-pattern></testset></judging>
<assets><checker type=\"testlib\"><source path=\"files/check.cpp\"/></checker>
<interactor><source path=\"files/talk.cpp\"/></interactor><solutions>
<solution tag=\"main\"><source path=\"solutions/quick.sh\"/></solution>
<solution tag=\"wrong-answer\"><source path=\"solutions/slow.sh\"/></solution>
</solutions></assets></problem>";
    repo.file("guess/problem.xml", xml)
        .file("guess/tests/01", "37\n")
        .file("guess/tests/01.a", "2\n")
        .file("guess/files/check.cpp", CHECKER)
        .file("guess/files/talk.cpp", INTERACTOR)
        .file("guess/files/testlib.h", HEADER)
        .file(
            "guess/solutions/quick.sh",
            "echo 50; read x; echo 37; read x",
        )
        .file(
            "guess/solutions/slow.sh",
            "for n in 1 2 37; do echo $n; read x; done",
        );
    let ran = repo.run(&["run", "guess", "-v"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let found = repo.verdicts(&["guess"]);
    assert_eq!(
        found,
        [
            "guess/quick.sh 01 AC",
            "guess/slow.sh 01 WA wrong answer expected 2, found 3"
        ]
    );
    std::fs::remove_file(repo.path("guess/files/talk.cpp")).unwrap();
    let ran = repo.run(&["run", "guess"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(
        ran.stderr
            .contains("the interactor's source is not in the package"),
        "{}",
        ran.all()
    );
}

#[test]
fn a_validator_accepts_with_zero() {
    if !has_compiler() {
        return;
    }
    let repo = Repo::with_sum();
    repo.file("cases/sum/data/secret/big.in", "1000000000 1\n");
    let validator = "#include \"testlib.h\"
int main(int argc, char **argv) {
    registerValidation(argc, argv);
    inf.readInt(-1000000000, 1000000000, \"a\");
    inf.readSpace();
    inf.readInt(-1000000000, 1000000000, \"b\");
    inf.readEoln();
    inf.readEof();
}
";
    repo.file("cases/sum/input_validators/valid.cpp", validator);
    repo.file("cases/sum/include/testlib.h", HEADER);
    repo.file("solutions/sum/sum.sh", "read a b; echo $((a + b))");
    let ran = repo.run(&["verify", "sum"]);
    assert!(!ran.stdout.contains("exit"), "{}", ran.all());
    assert!(!ran.all().contains("validator fail"), "{}", ran.all());
    // A folder is a program too.
    std::fs::remove_dir_all(repo.path("cases/sum/input_validators")).unwrap();
    repo.file("cases/sum/input_validators/v/valid.cpp", validator);
    let ran = repo.run(&["verify", "sum"]);
    assert!(!ran.all().contains("refuses"), "{}", ran.all());
    repo.file("cases/sum/data/secret/bad.in", "1  2\n");
    repo.file("cases/sum/data/secret/bad.ans", "3\n");
    let ran = repo.run(&["verify", "sum"]);
    assert_ne!(ran.status, 0, "{}", ran.all());
    assert!(ran.all().contains("secret/bad"), "{}", ran.all());
}

#[test]
fn an_output_that_is_partly_right_has_points_or_is_wrong() {
    if !has_compiler() {
        return;
    }
    let checker = "#include \"testlib.h\"
int main(int argc, char **argv) {
    registerTestlibCmd(argc, argv);
    int points = ouf.readInt();
    quitf(_pc(points), \"some of it\");
}
";
    let repo = Repo::new();
    let cases = [("secret/1", "1\n", "1\n")];
    repo.problem("p", "name: p\ntype: scoring\n", &cases)
        .problem("q", "name: q\n", &cases);
    repo.file(
        "cases/p/data/secret/test_group.yaml",
        "max_score: 300\nscore_aggregation: sum\n",
    )
    .file("lib/check.cpp", checker)
    .file("lib/testlib.h", HEADER);
    // The last one's exit code is that of a wrong answer, the one before it that of points.
    for points in [13, 7, 1, 257] {
        for problem in ["p", "q"] {
            repo.file(
                &format!("solutions/{problem}/x.sh"),
                format!("echo {points}\n"),
            );
        }
        let found = repo.verdicts(&["--checker", "testlib:lib/check.cpp"]);
        let wrong = format!("q/x.sh secret/1 WA partially correct ({points}) some of it");
        assert_eq!(found, ["p/x.sh secret/1 AC".to_owned(), wrong], "{points}");
        let text = repo.run(&["run", "p", "-v", "--checker", "testlib:lib/check.cpp"]);
        assert!(
            text.stdout.contains(&format!("{points} points"))
                || text.stdout.contains(&format!("{points}/300"))
                || text.stdout.contains(&format!("{points} of 300")),
            "{}",
            text.all()
        );
    }
}

/// Takes a number up to 9 in the group `small`, else up to 99, of the test set `tests`.
const GROUPED: &str = "#include \"testlib.h\"
int main(int argc, char **argv) {
    registerValidation(argc, argv);
    if (validator.testset() != \"tests\") quitf(_fail, \"another test set\");
    inf.readInt(0, validator.group() == \"small\" ? 9 : 99, \"n\");
    inf.readEoln();
    inf.readEof();
}
";

#[test]
fn a_polygon_packages_validators_are_told_the_test_set_and_the_group() {
    if !has_compiler() {
        return;
    }
    let repo = Repo::new();
    let xml = "<problem short-name=\"twice\"><judging><testset name=\"tests\">
<time-limit>1000</time-limit><memory-limit>268435456</memory-limit><test-count>2</test-count>
<input-path-pattern>tests/%02d</input-path-pattern>
<answer-path-pattern>tests/%02d.a</answer-path-pattern>
<tests><test group=\"small\"/><test group=\"large\"/></tests></testset></judging>
<assets><validators><validator><source path=\"files/val.cpp\"/></validator></validators>
<solutions><solution tag=\"main\"><source path=\"solutions/a.sh\"/></solution></solutions></assets></problem>";
    repo.file("twice/problem.xml", xml)
        .file("twice/files/val.cpp", GROUPED)
        .file("twice/files/testlib.h", HEADER)
        .file("twice/solutions/a.sh", "read n; echo $n");
    for (number, text) in [("01", "9\n"), ("02", "99\n")] {
        repo.file(&format!("twice/tests/{number}"), text)
            .file(&format!("twice/tests/{number}.a"), text);
    }
    let ran = repo.run(&["verify", "twice"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stdout.contains("mutations"), "{}", ran.all());
    repo.file("twice/tests/01", "10\n");
    let ran = repo.run(&["verify", "twice"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    let error = "error: twice/tests/01: the input validator `val.cpp` refuses it\n";
    assert!(ran.stdout.contains(error), "{}", ran.all());
}

#[test]
fn an_interactor_is_imported_with_its_package() {
    if !has_compiler() {
        return;
    }
    let repo = Repo::new();
    let xml = "<problem short-name=\"guess\"><judging><testset name=\"tests\">
<time-limit>1000</time-limit><memory-limit>268435456</memory-limit><test-count>1</test-count>
<input-path-pattern>tests/%02d</input-path-pattern>
<answer-path-pattern>tests/%02d.a</answer-path-pattern></testset></judging>
<assets><checker type=\"testlib\"><source path=\"files/check.cpp\"/></checker>
<interactor><source path=\"files/talk.cpp\"/></interactor>
<validators><validator><source path=\"files/val.cpp\"/></validator></validators><solutions>
<solution tag=\"main\"><source path=\"solutions/quick.sh\"/></solution>
<solution tag=\"wrong-answer\"><source path=\"solutions/slow.sh\"/></solution>
</solutions></assets></problem>";
    repo.file("download/problem.xml", xml)
        .file("download/tests/01", "37\n")
        .file("download/tests/01.a", "2\n")
        .file("download/files/check.cpp", CHECKER)
        .file("download/files/talk.cpp", INTERACTOR)
        .file(
            "download/files/val.cpp",
            GROUPED.replace("validator.testset() != \"tests\"", "false"),
        )
        .file("download/files/testlib.h", HEADER)
        .file(
            "download/solutions/quick.sh",
            "echo 50; read x; echo 37; read x",
        )
        .file(
            "download/solutions/slow.sh",
            "for n in 1 2 37; do echo $n; read x; done",
        );
    let ran = repo.run(&["import", "download", "--name", "guess"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let says = "rejudge.toml: `[problems.guess]` says checker = \"testlib:cases/guess/checker/check.cpp\", interactor = \"cases/guess/interactor/talk.cpp\"";
    assert!(ran.stdout.contains(says), "{}", ran.all());
    std::fs::remove_dir_all(repo.path("download")).unwrap();
    assert_eq!(
        repo.verdicts(&[]),
        [
            "guess/quick.sh secret/01 AC",
            "guess/wrong_answer/slow.sh secret/01 WA wrong answer expected 2, found 3"
        ]
    );
    let ran = repo.run(&["verify", "guess"]);
    assert!(!ran.stdout.contains("input validator"), "{}", ran.all());
    std::fs::remove_file(repo.path("cases/guess/interactor/talk.cpp")).unwrap();
    let ran = repo.run(&["run"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(
        ran.stderr.contains(
            "error: cases/guess/interactor/talk.cpp is not there: the interactor of `guess`"
        ),
        "{}",
        ran.all()
    );
}
