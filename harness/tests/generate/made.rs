//! Cases are created once and reproduced exactly; differences and faults are reported.

use std::fs;

use crate::generate::{CASES, generate, repo, yaml_of};
use crate::support::Repo;

#[test]
fn a_folder_of_problems_makes_the_cases_of_all_and_a_run_says_that_they_are_missing() {
    let repo = Repo::new();
    for name in ["a", "b"] {
        repo.file(&format!("set/round 1/{name}/problem.yaml"), "problem_format_version: 2025-09\nname: P\n")
            .file(&format!("set/round 1/{name}/data/sample/1.in"), "1 2\n")
            .file(&format!("set/round 1/{name}/data/sample/1.ans"), "3\n")
            .file(&format!("set/round 1/{name}/submissions/accepted/sum.sh"), "read a b\necho $((a + b))\n")
            .file(
                &format!("set/round 1/{name}/generators/generators.yaml"),
                "solution: /submissions/accepted/sum.sh\ndata:\n  sample:\n    data:\n      '1': {in: 1 2, ans: '3'}\n  \
                 secret:\n    data:\n      big: {in: 5 7}\n",
            );
    }
    let ran = repo.run(&["run", "set/round 1/a"]);
    let warning = "warning: set/round 1/a has only samples: its other cases are not made yet\n\
                   help: make them with `rejudge generate 'set/round 1/a'`\n";
    assert!(ran.stderr.contains(warning), "{}", ran.all());
    let ran = generate(&repo, &["set"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(
        ran.stdout.contains("a: 1 case made, 1 unchanged\nb: 1 case made, 1 unchanged\n"),
        "{}",
        ran.all()
    );
    // Without a repository around it, the current folder is such a folder.
    let ran = generate(&repo, &["--check"]);
    assert!(ran.stdout.contains("a: 2 cases as generated\nb: 2 cases"), "{}", ran.all());
    let ran = repo.run(&["run", "set/round 1/a"]);
    assert!(
        !ran.stderr.contains("only samples") && ran.stdout.contains("2/2 accepted"),
        "{}",
        ran.all()
    );
}

#[test]
fn every_case_is_created_once_and_reproduced() {
    let repo = repo(CASES);
    let first = generate(&repo, &[]);
    assert_eq!(first.all(), "sum: 5 cases made, 0 unchanged\n--- exit status 0");
    let data = |name: &str| repo.read(&format!("cases/sum/data/{name}"));
    assert_eq!((data("sample/1.in"), data("sample/1.ans")), ("1 2\n".into(), "3\n".into()));
    assert_eq!((data("sample/2.in"), data("sample/2.ans")), ("7 7\n".into(), "14\n".into()));
    assert_eq!(data("secret/plain.in"), "10 20\n");
    assert_eq!(data("secret/plain.ans"), "30\n");
    // sha512("numbers.rs {seed}") modulo 2^31.
    assert_eq!(data("secret/group/1-a.in"), "596603608\n");
    assert!(data("secret/group/2.in").starts_with("5 "));
    let second = generate(&repo, &["sum"]);
    assert_eq!(second.all(), "sum: 0 cases made, 5 unchanged\n--- exit status 0");
    let check = generate(&repo, &["--check", "cases/sum"]);
    assert_eq!(check.all(), "sum: 5 cases as generated\n--- exit status 0");
    let inside = repo.finish(&mut repo.command_in("cases/sum", &["generate", "--check"]));
    assert_eq!(inside.all(), "sum: 5 cases as generated\n--- exit status 0");
}

#[test]
fn a_check_reports_each_difference_and_changes_nothing() {
    let repo = repo(CASES);
    generate(&repo, &[]);
    repo.file("cases/sum/data/secret/plain.ans", "31\n")
        .file("cases/sum/data/secret/group/stray.in", "1\n")
        .file("cases/sum/data/secret/group/.hidden.in", "1\n");
    fs::remove_file(repo.path("cases/sum/data/sample/1.in")).unwrap();
    let check = generate(&repo, &["--check"]);
    assert_eq!(
        check.all(),
        "sum: 3 differences, 3 cases as generated
--- standard error
error: cases/sum/data/sample/1.in is missing
error: cases/sum/data/secret/plain.ans differs from the generated file: line 1 is `31`, but `30` was generated
error: cases/sum/data/secret/group/stray.in belongs to no case in generators/generators.yaml
help: list it there (`copy:` uses it as it is), or remove it: `rejudge generate --clean`
--- exit status 1"
    );
    assert!(!repo.path("cases/sum/data/sample/1.in").exists());
    let made = generate(&repo, &[]);
    assert_eq!(
        made.all(),
        "sum: 2 cases made, 3 unchanged
--- standard error
warning: cases/sum/data/secret/group/stray.in belongs to no case in generators/generators.yaml
help: list it there (`copy:` uses it as it is), or remove it: `rejudge generate --clean`
--- exit status 0"
    );
    assert_eq!(repo.read("cases/sum/data/secret/group/stray.in"), "1\n");
    assert_eq!(repo.read("cases/sum/data/secret/plain.ans"), "30\n");
}

#[test]
fn a_case_that_fails_is_reported_and_the_others_are_created() {
    let repo = repo(
        "  secret:
    data:
      bad: numbers.rs fail now
      empty: numbers.rs nothing
      good: numbers.rs 1
      letters: numbers.rs 1 x
      wrong: broken.rs
",
    );
    repo.file("cases/sum/generators/broken.rs", "fn main() { nonsense }\n");
    let made = generate(&repo, &[]);
    let expected = "sum: 1 case made, 0 unchanged, 4 failed
--- standard error
error: cannot make `sum/secret/bad`
  caused by: the generator `numbers.rs fail now` failed: exit code 3
  cannot count to \\x1b2
error: cannot make `sum/secret/empty`
  caused by: the generator `numbers.rs nothing` printed nothing
error: cannot make `sum/secret/letters`
  caused by: the input validator `digits.rs` rejects the input: exit code 43, not 42
  not a number
error: cannot make `sum/secret/wrong`
  caused by: `broken.rs` does not compile: the compiler ended with exit code 1
";
    let all = made.all();
    assert!(all.starts_with(expected), "{all}");
    assert!(all.contains("cannot find value `nonsense`"), "{all}");
    assert!(all.ends_with("--- exit status 2"), "{all}");
    assert_eq!(repo.read("cases/sum/data/secret/good.ans"), "1\n");
    assert!(!repo.path("cases/sum/data/secret/letters.in").exists());
}

#[test]
fn a_program_that_does_not_compile_is_shown_once() {
    let repo = repo(
        "  secret:\n    data:\n      a: broken.rs 1\n      b: broken.rs 2\n      c: broken.rs 3\n",
    );
    repo.file("cases/sum/generators/broken.rs", "fn main() { nonsense }\n");
    let foreign = "title = \"p\"\n[[tests]]\nname = \"broken.rs\"\nnumber = 3\n";
    repo.file("p/info.toml", foreign).file("p/gen/broken.rs", "fn main() { nonsense }\n");
    for problem in ["sum", "p"] {
        let made = generate(&repo, &[problem]).all();
        assert_eq!(made.matches("cannot find value `nonsense`").count(), 1, "{made}");
        assert!(made.contains(", 3 failed\n"), "{made}");
        let more =
            format!("error: cannot make 2 more cases of `{problem}`: `broken.rs` does not compile");
        assert!(made.contains(&more), "{made}");
    }
}

#[test]
fn cases_are_selected_by_problem_and_by_glob() {
    let repo = repo(CASES);
    repo.file("cases/bare/problem.yaml", "name: Bare\n");
    let one = generate(&repo, &["--case", "pl*"]);
    assert_eq!(one.all(), "sum: 1 case made, 0 unchanged\n--- exit status 0");
    assert!(!repo.path("cases/sum/data/sample").exists());
    let table = [
        (
            &["--case", "zzz"][..],
            "--- standard error\nwarning: no case matches `--case zzz`\n--- exit status 4",
        ),
        (
            &["sun"],
            "--- standard error\nerror: no such problem: `sun`\nhelp: did you mean `sum`?\n\
             --- exit status 2",
        ),
        (
            &["bare"],
            "--- standard error\nerror: `cases/bare` has no generators/generators.yaml\n\
             help: describe its cases there, as the guide shows\n--- exit status 2",
        ),
    ];
    for (args, expected) in table {
        assert_eq!(generate(&repo, args).all(), expected);
    }
    let empty = Repo::new();
    assert_eq!(
        generate(&empty, &[]).all(),
        "--- standard error\nerror: no problem here has a generators/generators.yaml\n\
         help: name a problem's folder, or write one\n--- exit status 2"
    );
}

#[test]
fn a_broken_rule_is_reported_with_its_line_and_the_others_are_followed() {
    let repo = repo("  secret:\n    data:\n      a: numbers.rs 1\n      b: {copy: by-hand/two}\n");
    repo.file("cases/sum/data/secret/b.in", "1\n");
    let made = generate(&repo, &["--clean"]);
    assert_eq!(
        made.all(),
        "sum: 1 case made, 0 unchanged
--- standard error
error: cases/sum/generators/generators.yaml:6:17: cases/sum/generators/by-hand/two.in does not exist
--- exit status 2"
    );
    assert!(repo.path("cases/sum/data/secret/b.in").exists());
    yaml_of(&repo, "[");
    let made = generate(&repo, &[]);
    assert!(
        made.all()
            .starts_with("--- standard error\nerror: cases/sum/generators/generators.yaml:3:")
    );
    assert!(made.all().ends_with("--- exit status 2"));
}

#[test]
fn validators_and_the_reference_solution_get_the_arguments_of_the_case() {
    let repo = repo(
        "  secret:
    data:
      group:
        data:
          one: {generate: numbers.rs 1, solution: /submissions/accepted/args.sh}
",
    );
    let group = "cases/sum/data/secret/group";
    repo.file("solutions/sum/args.sh", "cat; echo \"$*\"\n")
        .file(
            &format!("{group}/test_group.yaml"),
            "input_validator_args: [--strict]\nargs: [--limit, '4']\n",
        )
        .file(&format!("{group}/one.yaml"), "args: [--limit, '5']\n")
        .file(
            "cases/sum/input_validators/args.sh",
            "test \"$*\" = '--strict --limit 5' && exit 42\necho \"$*\"; exit 43\n",
        );
    let made = generate(&repo, &[]);
    assert_eq!(made.status, 0, "{}", made.all());
    assert_eq!(repo.read(&format!("{group}/one.ans")), "1\n--limit 5\n");
    repo.file(&format!("{group}/one.yaml"), "args: {a: b}\n");
    let made = generate(&repo, &[]);
    assert_eq!(made.status, 2, "{}", made.all());
    let error = "error: cases/sum/data/secret/group/one.yaml:1:7: `args` must be a text or a list";
    assert!(made.stderr.contains(error), "{}", made.all());
}
