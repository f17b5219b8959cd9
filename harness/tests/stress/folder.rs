//! A folder with a generator, a reference and solutions.

use super::{BRUTE, GENERATOR, VALIDATOR, WRONG, folder, lines, stress};
use crate::support::Repo;

#[test]
fn the_programs_of_a_folder_are_found_by_their_names() {
    let repo = folder();
    let ran = stress(&repo, &["--seed", "1", "--rounds", "60"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    let expected = "input, 2 tokens:\n  1\n  -1\nanswer of brute.rs, AC:\n  -1\noutput of wrong.rs, WA:\n  0\n";
    assert!(
        ran.stdout.starts_with("WA wrong.rs in round "),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains(expected), "{}", ran.stdout);
    // The round that failed is the same in any number of threads, and repeats.
    let parallel = stress(&repo, &["--seed", "1", "--rounds", "60", "-j", "3"]);
    assert_eq!(lines(&parallel), lines(&ran));
    let again = ran
        .stdout
        .lines()
        .find_map(|line| line.strip_prefix("again: rejudge "))
        .unwrap();
    let words: Vec<&str> = again.split(' ').collect();
    let repeated = repo.run(&words);
    assert_eq!(lines(&repeated), lines(&ran));
}

#[test]
fn a_validator_decides_which_texts_are_valid() {
    let repo = folder();
    repo.file("val.rs", VALIDATOR);
    let ran = stress(&repo, &["wrong.rs", "--seed", "1", "--rounds", "60"]);
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("input, 2 tokens:\n  1\n  -1\n"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout
            .contains("an input was valid if the validator accepted it"),
        "{}",
        ran.stdout
    );
}

#[test]
fn nothing_is_found_in_a_right_solution() {
    let repo = folder();
    repo.file("right.rs", BRUTE);
    let ran = stress(
        &repo,
        &[
            "right.rs",
            "--against",
            "brute.rs",
            "--seed",
            "3",
            "--rounds",
            "20",
        ],
    );
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    assert!(
        ran.stdout
            .starts_with("no failure; tried 20 rounds of seed 3 in "),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_folder_without_a_generator_or_a_solution_says_what_is_missing() {
    let repo = Repo::new();
    repo.file("brute.rs", BRUTE).file("wrong.rs", WRONG);
    let ran = stress(&repo, &[]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr
            .starts_with("error: there is no generator\nhelp: `rejudge new --generator` writes"),
        "{}",
        ran.stderr
    );
    let repo = Repo::new();
    repo.file("brute.rs", BRUTE).file("gen.rs", GENERATOR);
    let ran = stress(&repo, &[]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr
            .starts_with("error: there is no solution to test in "),
        "{}",
        ran.stderr
    );
}

#[test]
fn references_that_disagree_or_crash_are_findings() {
    let repo = folder();
    repo.file("slow.rs", WRONG).file("right.rs", BRUTE);
    let ran = stress(&repo, &["right.rs", "--seed", "1", "--rounds", "60"]);
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    assert!(
        ran.stdout.starts_with("WA slow.rs in round "),
        "{}",
        ran.stdout
    );
    let crash = BRUTE.replace(
        "assert_eq!(values.len(), count);",
        "assert!(values[0] > -90);",
    );
    repo.file("slow.rs", BRUTE).file("brute.rs", crash);
    let ran = stress(&repo, &["right.rs", "--seed", "1", "--rounds", "200"]);
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    assert!(
        ran.stdout.starts_with("RTE brute.rs in round "),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_want_chooses_what_is_found() {
    let repo = folder();
    repo.file("right.rs", BRUTE);
    let want = |text: &str| stress(&repo, &["--seed", "1", "--rounds", "40", "--want", text]);
    for (text, status) in [
        ("wrong.rs WA", 1),
        ("wrong.rs != right.rs and right.rs AC", 1),
        ("right.rs WA", 0),
        ("not wrong.rs AC and not right.rs AC", 0),
    ] {
        let ran = want(text);
        assert_eq!(
            (ran.status, ran.stderr.as_str()),
            (status, ""),
            "{text}: {}",
            ran.stdout
        );
    }
    for (text, expected) in [
        (
            "wrong.rs",
            "error: `--want`: expected a verdict, `!=` or `==`\n  wrong.rs\n          ^\nhelp: write conditions such as \
             `wa.py WA` or `a.py != b.py`, joined with `and`, `or`, `not` and parentheses\n",
        ),
        (
            "wrong.rs WA and none.rs AC",
            "error: `--want`: no such program\n  wrong.rs WA and none.rs AC\n                  ^~~~~~~\n\
             help: the programs are `brute.rs`, `wrong.rs`\n",
        ),
        (
            "brute.rs WA",
            "error: `--want`: no result of the programs can be this\n  brute.rs WA\n  ^~~~~~~~~~~\n\
             help: a program gets one verdict; the output of the first reference is the answer, so it is never WA\n",
        ),
    ] {
        let ran = want(text);
        assert_eq!((ran.status, ran.stderr.as_str()), (2, expected), "{text}");
    }
}

#[test]
fn the_result_as_json() {
    let repo = folder();
    let ran = stress(&repo, &["--seed", "1", "--rounds", "60", "--json", "-"]);
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    let lines: Vec<serde_json::Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(
        (&lines[0]["program"], &lines[0]["after"]),
        (&"wrong.rs".into(), &"1\n-1\n".into())
    );
    assert_eq!(
        (&lines[0]["verdict"], &lines[0]["complete"]),
        (&"WA".into(), &true.into())
    );
    assert_eq!(lines[0]["results"][0]["output"], "-1\n");
    assert!(lines[0]["runs"]["solutions"].as_u64().unwrap() > 4);
    assert_eq!(
        (&lines[1]["findings"], &lines[1]["rounds"]),
        (&1.into(), &lines[0]["round"])
    );
}

#[test]
fn the_first_generator_is_written_once_and_works() {
    let repo = Repo::new();
    repo.file("brute.rs", BRUTE).file("wrong.rs", WRONG);
    let ran = repo.run(&["new", "--generator"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(
        ran.stdout.starts_with("gen.rs: a generator of "),
        "{}",
        ran.stdout
    );
    let ran = stress(&repo, &["--seed", "1", "--rounds", "100"]);
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    let again = repo.run(&["new", "--generator"]);
    assert_eq!(again.status, 2);
    assert_eq!(
        again.stderr,
        "error: gen.rs exists already\nhelp: remove it, or change it\n"
    );
    let ran = repo.run(&["new", "--generator", "--language", "zig"]);
    assert!(
        ran.stderr
            .starts_with("error: there is no first generator in `zig`\nhelp: "),
        "{}",
        ran.stderr
    );
}
