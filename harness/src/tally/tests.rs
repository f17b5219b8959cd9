//! The expectation of every folder and the verdicts of its cases, with the exact complaint.

use rejudge_quantity::Bytes;

use super::*;
use crate::expectation::glob::Glob;
use crate::sandbox::Usage;
use crate::specimen;
use Verdict::{
    Accepted as AC, CompileError as CE, JudgeError as JE, MemoryLimit as MLE, Ran as RAN,
    RunTimeError as RTE, TimeLimit as TLE, WrongAnswer as WA,
};

fn judge(expected: Expectation, verdicts: &[Verdict], allow_unchecked: bool) -> SubmissionReport {
    let submission = specimen::submission("a.rs", expected);
    let (cases, limits) = (verdicts.len(), specimen::limits());
    let mut tally = Tally::new(&submission, cases, limits, Build::default(), allow_unchecked);
    for (index, verdict) in verdicts.iter().enumerate() {
        tally.add(&CaseResult {
            permitted: submission.expected.permits(&index.to_string(), *verdict),
            usage: Usage { peak_memory: Bytes(index as u64), ..Usage::default() },
            ..specimen::result(&index.to_string(), *verdict)
        });
    }
    tally.finish()
}

fn folder(name: &str) -> Expectation {
    Expectation::of_folder(name).unwrap()
}

#[test]
fn every_folder_meets_its_expectation_or_has_a_complaint() {
    let table: [(&str, &[Verdict], Option<&str>); 13] = [
        ("accepted", &[AC, AC], None),
        ("accepted", &[AC, WA], Some("got WA, expected AC")),
        ("accepted", &[RAN], Some("got RAN, expected AC")),
        ("wrong_answer", &[AC, WA, AC], None),
        ("wrong_answer", &[AC, AC], Some("got AC, expected WA")),
        ("wrong_answer", &[WA, TLE], Some("got TLE on a case: only AC or WA is allowed")),
        ("wrong_answer", &[WA, JE], Some("got JE, expected WA")),
        ("time_limit_exceeded", &[TLE], None),
        ("run_time_error", &[AC, MLE], None),
        ("run_time_error", &[RTE], None),
        ("memory_limit_exceeded", &[RTE], Some("got RTE, expected MLE")),
        ("brute_force", &[AC, TLE], None),
        ("brute_force", &[AC], Some("got AC, expected RTE, MLE, OLE or TLE")),
    ];
    for (name, verdicts, complaint) in table {
        let report = judge(folder(name), verdicts, false);
        assert_eq!(report.complaint.as_deref(), complaint, "{name} {verdicts:?}");
        assert_eq!(report.met, complaint.is_none());
    }
}

#[test]
fn a_run_without_answers_is_as_expected_only_on_request() {
    assert!(judge(folder("accepted"), &[RAN, RAN], true).met);
    assert!(judge(folder("accepted"), &[RAN, AC], true).met);
    assert!(!judge(folder("accepted"), &[RAN, WA], true).met);
    assert!(!judge(folder("accepted"), &[RAN], false).met);
}

#[test]
fn an_annotation_applies_to_the_final_verdict_and_every_case() {
    let annotated = Expectation {
        rules: vec![Rule { permitted: Some(vec![AC, TLE, WA]), ..Rule::default() }],
        outcome: vec![TLE, WA],
        ..Expectation::bare("@EXPECTED_RESULTS@: TLE, WA")
    };
    assert!(judge(annotated.clone(), &[AC, TLE], false).met);
    assert_eq!(
        judge(annotated, &[AC, AC], false).complaint.as_deref(),
        Some("got AC, expected TLE or WA")
    );
}

#[test]
fn the_verdict_is_that_of_the_first_case_not_accepted() {
    let report = judge(folder("rejected"), &[AC, TLE, WA, CE], false);
    assert_eq!((report.verdict, report.accepted, report.run), (TLE, 1, 4));
    assert_eq!(report.peak_memory, Bytes(3));
}

/// After a failure that ends the judging, the other cases are unknown.
#[test]
fn what_is_required_of_cases_that_were_not_judged_does_not_fail_a_submission_that_was_cut_short() {
    let mut expected = folder("wrong_answer");
    expected.rules.push(Rule {
        cases: Some(Glob::parse("secret/*").unwrap()),
        required: vec![AC],
        ..Rule::default()
    });
    let submission = specimen::submission("a.rs", expected);
    for (cut_short, met) in [(false, false), (true, true)] {
        let (limits, build) = (specimen::limits(), Build::default());
        let mut tally = Tally::new(&submission, 2, limits, build, false);
        tally.add(&specimen::result("sample/1", WA));
        if cut_short {
            tally.cut_short();
        }
        assert_eq!(tally.finish().met, met);
    }
}
