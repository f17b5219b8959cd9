//! The selection of cases and solutions, and the exit status.

use insta::assert_snapshot;

use crate::support::Repo;
use crate::support::{SUM, does};

#[test]
fn a_solution_that_passes_but_must_fail_is_unexpected() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/wrong_answer/right.rs", SUM);
    let ran = repo.run(&[]);
    assert_eq!(ran.status, 1);
    assert!(ran.stdout.contains("got AC, expected WA"), "{}", ran.stdout);
}

#[test]
fn fail_fast_stops_at_the_first_unexpected_solution() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", does("println!(\"4\");")).file("solutions/sum/b.rs", SUM);
    assert_snapshot!(repo.run(&["--fail-fast=run"]).all(), @r###"
    FAIL  solutions/sum/a.rs: got WA, expected AC
          sample/1  WA  token 1: expected `3`, got `4`
            input:
              1 2
            line 1, column 1 of the output (- expected, + got)
              - 1 | 3
                  | ^
              + 1 | 4
                  | ^
            rerun: rejudge run --case sample/1 solutions/sum/a.rs
          0 of 2 cases accepted, slowest # s (CASE), SIZE
    FAIL  sum              1 of 1 solution not as expected, 2 cases

    2 solutions: 0 as expected, 1 not as expected, 1 skipped (1 case in # s)
    --- exit status 1
    "###);
}

#[test]
fn fail_fast_stops_each_solution_at_its_first_failure() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/wrong_answer/a.rs", does("println!(\"4\");"))
        .file("solutions/sum/b.rs", SUM);
    let all = "2 solutions: 2 as expected (4 cases in ";
    let fewer = "2 solutions: 2 as expected (3 cases in ";
    let has = |args: &[&str], part: &str| {
        let ran = repo.run(args);
        assert!(ran.stdout.contains(part), "{args:?}: {}", ran.stdout);
        assert_eq!(ran.status, 0);
    };
    has(&[], all);
    has(&["--fail-fast"], fewer);
    has(&["--fail-fast=submission"], fewer);
    repo.file("rejudge.toml", "[defaults]\nfail_fast = \"submission\"\n");
    has(&[], fewer);
    has(&["--fail-fast=never"], all);
}

#[test]
fn verdicts_do_not_depend_on_the_number_of_workers() {
    let repo = Repo::new();
    let cases: Vec<(String, String, String)> = (0..12)
        .map(|case| (format!("secret/{case:02}"), format!("{case} 1\n"), format!("{}\n", case + 1)))
        .collect();
    let cases: Vec<(&str, &str, &str)> =
        cases.iter().map(|(name, input, answer)| (&**name, &**input, &**answer)).collect();
    repo.problem("sum", "name: Sum\n", &cases)
        .file("solutions/sum/a.rs", SUM)
        .file("solutions/sum/wrong_answer/b.rs", does("println!(\"4\");"));
    let lines = |jobs: &str| {
        let ran = repo.run(&["-vv", "-j", jobs]);
        assert_eq!(ran.status, 0, "{}", ran.all());
        let verdict = |line: &str| line.split_whitespace().take(3).collect::<Vec<_>>().join(" ");
        ran.stdout.lines().filter(|line| line.starts_with("  ")).map(verdict).collect::<Vec<_>>()
    };
    let alone = lines("1");
    assert_eq!(alone.len(), 24);
    assert_eq!(alone, lines("4"));
}

#[test]
fn a_case_filter_that_selects_nothing_exits_with_4() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM);
    let ran = repo.run(&["--case", "nothing*"]);
    assert_snapshot!(ran.all(), @r###"
    --- standard error
    warning: no case matches `--case nothing*`
    help: the cases are `sample/1`, `secret/big`
    --- exit status 4
    "###);
}

#[test]
fn a_case_without_an_answer_is_run_and_passes_only_with_no_check() {
    let repo = Repo::new();
    repo.file("lone/a.rs", SUM).file("lone/tests/1.in", "1 2\n");
    let ran = repo.run(&["lone/a.rs"]);
    assert_snapshot!(ran.all(), @r###"
    FAIL  lone/a.rs: got RAN, expected AC
          1  RAN  no answer to compare with
            input:
              1 2
            rerun: rejudge run --case 1 lone/a.rs
          0 of 1 case accepted, slowest # s (CASE), SIZE
    --- standard error
    warning: lone/tests/1.in has no answer; it is only run
    help: write the answer to lone/tests/1.ans
    --- exit status 1
    "###);
    assert_eq!(repo.run(&["lone/a.rs", "--no-check"]).status, 0);
}
