//! The submissions of a problem, with its own programs.

use super::{PLAN, WRONG, lines, package, stress};
use crate::support::Repo;

#[test]
fn a_package_has_all_programs() {
    let repo = package();
    repo.file("cases/best/generators/generators.yaml", PLAN);
    for args in [&["best"][..], &["solutions/best/wrong_answer/zero.rs"]] {
        let ran = stress(&repo, &[args, &["--seed", "4", "--rounds", "100"]].concat());
        assert_eq!((ran.status, ran.stderr.as_str()), (1, ""), "{args:?} {}", ran.stdout);
        assert!(
            ran.stdout.starts_with("WA solutions/best/wrong_answer/zero.rs in round "),
            "{}",
            ran.stdout
        );
        assert!(ran.stdout.contains("input, 2 tokens:\n  1\n  -1\n"), "{}", ran.stdout);
        assert!(
            ran.stdout.contains("answer of solutions/best/best.rs, AC:\n  -1\n"),
            "{}",
            ran.stdout
        );
        let mut report = ran.stdout.lines();
        let again = report.find_map(|line| line.strip_prefix("again: rejudge "));
        let words: Vec<&str> = again.unwrap().split(' ').collect();
        assert_eq!(lines(&repo.run(&words)), lines(&ran));
    }
    let ran = stress(&repo, &["solutions/best/best.rs", "--seed", "4", "--rounds", "12"]);
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn without_a_generator_the_cases_are_changed_if_a_validator_allows_it() {
    let repo = package();
    let ran = stress(&repo, &["best", "--seed", "4", "--rounds", "400"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    assert!(ran.stdout.contains("input, 2 tokens:\n  1\n  -1\n"), "{}", ran.stdout);
    std::fs::remove_dir_all(repo.path("cases/best/input_validators")).unwrap();
    let ran = stress(&repo, &["best"]);
    assert_eq!(ran.status, 2);
    let expected = "error: `best` has no generator, and no validator for changed inputs\nhelp: `rejudge new best --generator` writes";
    assert!(ran.stderr.starts_with(expected), "{}", ran.stderr);
}

#[test]
fn most_changed_cases_are_valid() {
    let repo = package();
    repo.file("cases/best/data/secret/2.in", "6\n1 -7 3 3 -2 10\n")
        .file("cases/best/data/secret/2.ans", "14\n");
    let args: Vec<&str> =
        "solutions/best/best.rs --seed 4 --rounds 100 --json -".split(' ').collect();
    let ran = stress(&repo, &args);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    let line: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap();
    assert!(line["invalid"].as_u64().unwrap() <= 5, "{line}");
    // An input that has passed is not run again, so many of them differ.
    assert!(line["runs"]["solutions"].as_u64().unwrap() > 60, "{line}");
}

#[test]
fn what_is_found_becomes_a_case_once() {
    let repo = package();
    let run = || stress(&repo, &["best", "--seed", "4", "--rounds", "400", "--add"]);
    let ran = run();
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    let base = "cases/best/data/secret/stress-1";
    assert_eq!(repo.read(&format!("{base}.in")), "1\n-1\n");
    assert_eq!(repo.read(&format!("{base}.ans")), "-1\n");
    let description = repo.read(&format!("{base}.yaml"));
    assert!(description.starts_with("description: "), "{description}");
    assert!(description.contains("zero.rs gets WA"), "{description}");
    let ran = run();
    assert_eq!(ran.stderr, "warning: not added: case `secret/stress-1` has the same input\n");
    assert!(!repo.path("cases/best/data/secret/stress-2.in").exists());
    let verdicts = repo.verdicts(&["best"]);
    assert!(
        verdicts.iter().any(|line| line.contains("zero.rs secret/stress-1 WA")),
        "{verdicts:?}"
    );
}

#[test]
fn a_submission_may_be_a_folder() {
    let repo = package();
    let second = "wrong_answer/zero.rs";
    std::fs::remove_file(repo.path(&format!("solutions/best/{second}"))).unwrap();
    // Only the second one could be found otherwise.
    repo.file("cases/best/generators/generators.yaml", PLAN)
        .file("solutions/best/wrong_answer/folder/main.rs", WRONG)
        .file("solutions/best/run_time_error/crash.rs", "fn main() { panic!() }\n");
    let folder = "solutions/best/wrong_answer/folder";
    let rounds = ["--seed", "4", "--rounds", "100"];
    for args in
        [&[folder][..], &["best", folder], &["best", folder, "--against", "solutions/best/best.rs"]]
    {
        let ran = stress(&repo, &[args, &rounds].concat());
        assert_eq!((ran.status, ran.stderr.as_str()), (1, ""), "{args:?} {}", ran.stdout);
        let found = format!("WA {folder} in round ");
        assert!(ran.stdout.starts_with(&found), "{}", ran.stdout);
        assert!(!ran.stdout.contains("crash.rs"), "{}", ran.stdout);
    }
    std::fs::remove_dir_all(repo.path("solutions/best/run_time_error")).unwrap();
    let ran = stress(&repo, &[&["best"], &rounds[..]].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    let ran = stress(&repo, &["best", "cases"]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains("the folder `cases` is not a submission of the problem\nhelp: "),
        "{}",
        ran.stderr
    );
}

#[test]
fn equal_inputs_of_one_search_become_one_case() {
    let repo = Repo::new();
    let no = "echo no\n";
    repo.file("cases/p/1.in", "7\n")
        .file("cases/p/1.ans", "7\n")
        .file("cases/p/generators/gen.sh", "echo $1\n")
        .file("solutions/p/right.sh", "read n; echo $n\n")
        .file("solutions/p/wrong_answer/a.sh", no)
        .file("solutions/p/wrong_answer/b.sh", no);
    let args = ["p", "--generator", "gen.sh 3 {seed}", "--findings", "2", "--rounds", "9", "--add"];
    let ran = stress(&repo, &args);
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(ran.stdout.contains("2 failures; "), "{}", ran.stdout);
    assert!(
        ran.stderr.contains("warning: not added: case `2` has the same input\n"),
        "{}",
        ran.stderr
    );
    assert!(repo.path("cases/p/2.in").exists() && !repo.path("cases/p/3.in").exists());
}

#[test]
fn what_a_generator_still_makes_is_listed_in_the_plan() {
    let repo = Repo::new();
    let validator = "read n && [ $n -ge 1 ] && [ $n -le 100 ] && exit 42\nexit 43\n";
    repo.problem("p", "name: P\nlimits:\n  time_limit: 5\n", &[])
        .file("cases/p/generators/gen.sh", "echo $2\n")
        .file("cases/p/input_validators/form.sh", validator)
        .file("solutions/p/right.sh", "read n; echo $n\n")
        .file(
            "solutions/p/wrong_answer/small.sh",
            "read n; if [ $n -ge 7 ]; then echo 0; else echo $n; fi\n",
        );
    let plan = "cases/p/generators/generators.yaml";
    let before = "solution: /submissions/accepted/right.sh\ndata:\n  secret:\n    data:\n      \
        # The largest.\n      '1': gen.sh {seed} 100\n";
    repo.file(plan, before);
    assert_eq!(repo.run(&["generate", "p"]).status, 0);
    let run = || stress(&repo, &["p", "--seed", "4", "--rounds", "300", "--add"]);
    let ran = run();
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    let mut lines = ran.stdout.lines();
    let command =
        lines.find_map(|line| line.strip_prefix("the input is that of: ")).expect(&ran.stdout);
    assert!(command.starts_with("gen.sh ") && command.ends_with(" 7"), "{command}");
    let listed = repo.read(plan);
    let comment = "      # solutions/p/wrong_answer/small.sh gets WA; found by `rejudge stress ";
    let new = listed.strip_prefix(before).expect(&listed);
    assert!(new.starts_with(comment), "{listed}");
    assert!(new.ends_with(&format!("`\n      stress-1: {command}\n")), "{listed}");
    let check = repo.run(&["generate", "p", "--check"]);
    assert_eq!((check.status, check.stderr.as_str()), (0, ""), "{}", check.stdout);
    let again = run();
    let warning = "warning: not added: case `secret/stress-1` has the same input\n";
    assert_eq!(again.stderr, warning, "{}", again.stdout);
    assert_eq!(repo.run(&["run", "p"]).status, 0);
}

#[test]
fn a_solution_that_lies_elsewhere_is_tested_after_its_problem() {
    let repo = package();
    repo.file("cases/best/generators/generators.yaml", PLAN).file("elsewhere/1/best.rs", WRONG);
    let args = ["best", "elsewhere/1/best.rs", "--against", "solutions/best/best.rs"];
    let ran = stress(&repo, &[&args[..], &["--seed", "4", "--rounds", "100"]].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    let start = "WA elsewhere/1/best.rs in round ";
    assert!(ran.stdout.starts_with(start), "{}", ran.stdout);
    let again = "again: rejudge stress best elsewhere/1/best.rs --against solutions/best/best.rs ";
    assert!(ran.stdout.contains(again), "{}", ran.stdout);
    let ran = stress(&repo, &["best", "elsewhere/none.rs"]);
    let error = "error: no such solution: `elsewhere/none.rs`\n";
    assert_eq!((ran.status, ran.stderr.as_str()), (2, error));
}

#[test]
fn a_submission_of_a_package_is_one_whatever_its_name_says() {
    let repo = Repo::new();
    repo.file(
        "p/problem.yaml",
        "problem_format_version: 2025-09\nname: P\nlimits: {time_limit: 5}\n",
    )
    .file("p/data/secret/1.in", "1\n")
    .file("p/data/secret/1.ans", "1\n")
    .file("p/generators/gen.sh", "echo $2\n")
    .file("p/submissions/accepted/right.sh", "read n; echo $n\n")
    .file("p/submissions/wrong_answer/slow.sh", "echo 1\n");
    let args = ["p/submissions/wrong_answer/slow.sh", "--rounds", "60"];
    let generator = ["--generator", "gen.sh {seed} {n:1..90}"];
    let ran = stress(&repo, &[&args[..], &generator].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    assert!(ran.stdout.starts_with("WA "), "{}", ran.stdout);
    assert!(ran.stdout.contains("slow.sh in round "), "{}", ran.stdout);
}
