//! Snapshots of the report's text.

use std::time::Duration;

use insta::assert_snapshot;

use super::*;
use crate::event::Build;
use crate::notice::Code;
use crate::sandbox::Usage;
use crate::specimen;
use crate::verdict::Verdict;

/// The report of these submissions, without styles.
fn shown(verbosity: Verbosity, reports: &[SubmissionReport], summary: &Summary) -> String {
    let mut out = Vec::new();
    let mut terminal = Terminal::new(&mut out, verbosity, None, Rerun::default());
    for report in reports {
        for result in &report.failures {
            terminal.event(&Event::Case(result)).unwrap();
        }
        terminal.event(&Event::Submission(report)).unwrap();
    }
    terminal.event(&Event::Finished(summary)).unwrap();
    drop(terminal);
    anstream::adapter::strip_str(&String::from_utf8(out).unwrap()).to_string()
}

fn green() -> SubmissionReport {
    let slowest = Some((String::from("secret/02"), Duration::from_millis(412)));
    SubmissionReport { slowest, ..specimen::report("solutions/p/p.rs", Verdict::Accepted) }
}

fn red() -> SubmissionReport {
    let failed = CaseResult {
        reason: Some(String::from("token 1: expected `5`, got `6`")),
        diff: Some(String::from("1 | -5\n1 | +6")),
        stderr: Some(String::from("debug\n")),
        ..specimen::result("secret/0 3", Verdict::WrongAnswer)
    };
    SubmissionReport {
        failures: vec![failed.clone(), CaseResult { diff: None, ..failed }],
        failed: 3,
        ..specimen::report("solutions/p/bad.rs", Verdict::WrongAnswer)
    }
}

fn summary(met: usize, unexpected: usize) -> Summary {
    Summary {
        submissions: met + unexpected,
        met,
        unexpected,
        cases: 1204,
        wall: Duration::from_millis(1234),
        ..Summary::default()
    }
}

#[test]
fn a_problem_without_failures_is_one_line() {
    assert_snapshot!(shown(Verbosity::Normal, &[green()], &summary(1, 0)), @r###"
    ok    p                1 solution as expected, 2 cases  slowest AC 0.412 s of 10 s (secret/02), 3 MiB

    1 solution: 1 as expected (1,204 cases in 1.2 s)
    "###);
}

#[test]
fn a_submission_as_expected_has_a_line_with_v() {
    assert_snapshot!(shown(Verbosity::Submissions, &[green()], &summary(1, 0)), @r###"
    ok    solutions/p/p.rs  AC   2/2 accepted, slowest 0.412 s of 10 s (secret/02), 3 MiB
    ok    p                1 solution as expected, 2 cases  slowest AC 0.412 s of 10 s (secret/02), 3 MiB

    1 solution: 1 as expected (1,204 cases in 1.2 s)
    "###);
}

#[test]
fn quiet_without_failures_prints_nothing() {
    assert_eq!(shown(Verbosity::Quiet, &[green()], &summary(1, 0)), "");
}

#[test]
fn a_failure_is_shown_in_full_once_and_repeated_in_the_summary() {
    assert_snapshot!(shown(Verbosity::Normal, &[green(), red()], &summary(1, 1)), @r###"
    FAIL  solutions/p/bad.rs: got WA, expected AC
          secret/0 3  WA  token 1: expected `5`, got `6`
            1 | -5
            1 | +6
            standard error:
              debug
            rerun: rejudge run --case 'secret/0 3' solutions/p/p.rs
          secret/0 3  WA  token 1: expected `5`, got `6`
          … and 1 more case like these: `-vv` prints every case
          1 of 2 cases accepted
    FAIL  p                1 of 2 solutions not as expected, 2 cases  slowest AC 0.412 s of 10 s (secret/02), 3 MiB

    2 solutions: 1 as expected, 1 not as expected (1,204 cases in 1.2 s)
    "###);
}

#[test]
fn a_compile_error_shows_the_message_of_the_compiler() {
    let error = Some(String::from("solutions/p/bad.rs:3:5: error: no\n  help: yes"));
    let report = SubmissionReport {
        build: Build { error, ..Build::default() },
        ..specimen::report("solutions/p/bad.rs", Verdict::CompileError)
    };
    assert_snapshot!(shown(Verbosity::Normal, &[report], &summary(0, 1)), @r###"
    FAIL  solutions/p/bad.rs: got CE, expected AC
          solutions/p/bad.rs:3:5: error: no
            help: yes
    FAIL  p                1 of 1 solution not as expected, 2 cases

    1 solution: 0 as expected, 1 not as expected (1,204 cases in 1.2 s)
    "###);
}

#[test]
fn a_missing_language_and_an_interruption_are_shown() {
    let report = SubmissionReport {
        not_judged: Some(Code::MissingTool.says("`pypy3` is not installed")),
        complaint: None,
        ..specimen::report("solutions/p/a.py", Verdict::JudgeError)
    };
    let summary = Summary { interrupted: true, not_judged: 1, skipped: 2, ..summary(3, 0) };
    assert_snapshot!(shown(Verbosity::Normal, &[report], &summary), @r###"
    FAIL  solutions/p/a.py: not judged: `pypy3` is not installed
    FAIL  p                1 of 1 solution not as expected, 2 cases

    3 solutions: 3 as expected, 1 not judged, 2 skipped (1,204 cases in 1.2 s)
    interrupted: results up to the interruption
    "###);
}

#[test]
fn every_case_has_a_line_with_vv() {
    let repeats = crate::event::Repeats {
        verdicts: vec![Verdict::Accepted; 3],
        cpu_min: Duration::from_millis(10),
        cpu_median: Duration::from_millis(11),
        cpu_max: Duration::from_millis(15),
    };
    let usage = Usage { cpu_user: Duration::from_millis(11), ..Usage::default() };
    let result = CaseResult {
        usage,
        repeats: Some(repeats),
        ..specimen::result("secret/01", Verdict::Accepted)
    };
    assert_snapshot!(anstream::adapter::strip_str(&case_line(&result)).to_string(), @r###"
      solutions/p/p.rs  secret/01  AC  0.011 s, wall 0.000 s, 0 B, 3 runs: 0.010 s to 0.015 s, median 0.011 s
    "###);
}
