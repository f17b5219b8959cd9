//! Tests every report of a run with texts that try to be executed as commands.

use std::time::Duration;

use proptest::prelude::*;

use super::Reporter;
use super::json::Json;
use super::junit::Junit;
use super::markdown::Markdown;
use super::rerun::Rerun;
use super::table::{TableBy, VerdictTable};
use super::terminal::{Terminal, Verbosity};
use crate::event::{
    Build, CaseResult, Event, GroupScore, Score, ShownLine, ShownText, ShownTranscript, Speaker,
    SubmissionReport, Summary,
};
use crate::notice::Code;
use crate::show::hostile::{self, obeyed};
use crate::show::inert::Inert;
use crate::specimen;
use crate::verdict::Verdict;

/// A run with `text` in each field that has foreign content.
fn hostile_run(text: &str, verdict: Verdict) -> (CaseResult, SubmissionReport) {
    let foreign = || text.to_owned();
    let shown = || ShownText { text: foreign(), size: rejudge_quantity::Bytes(1), cut: true };
    let result = CaseResult {
        submission: foreign(),
        problem: foreign(),
        reason: Some(foreign()),
        input_path: Some(foreign()),
        answer_path: Some(foreign()),
        input: Some(shown()),
        output: Some(shown()),
        answer: Some(shown()),
        diff: Some(foreign()),
        stderr: Some(foreign()),
        transcript: Some(ShownTranscript {
            lines: vec![
                ShownLine::Note(foreign()),
                ShownLine::Message {
                    at: Duration::from_millis(1),
                    from: Speaker::Interactor,
                    text: foreign(),
                },
            ],
        }),
        ..specimen::result(text, verdict)
    };
    let refused = verdict == Verdict::CompileError;
    let report = SubmissionReport {
        problem: foreign(),
        language: foreign(),
        expected: foreign(),
        met: false,
        complaint: Some(foreign()),
        not_judged: (verdict == Verdict::JudgeError).then(|| Code::NotJudged.says(foreign())),
        score: Some(Score {
            score: 1.0,
            max: None,
            groups: vec![GroupScore { group: foreign(), score: 1.0, max: None }],
        }),
        slowest: Some((foreign(), Duration::from_secs(1))),
        build: Build { error: refused.then(foreign), ..Build::default() },
        failures: if refused { Vec::new() } else { vec![result.clone(); 2] },
        failed: if refused { 0 } else { 2 },
        ..specimen::report(text, verdict)
    };
    (result, report)
}

fn send_run(reporter: &mut dyn Reporter, text: &str) {
    let outline = specimen::outline(3);
    reporter.event(&Event::Started(&outline)).unwrap();
    for verdict in
        [Verdict::WrongAnswer, Verdict::CompileError, Verdict::JudgeError, Verdict::Skipped]
    {
        let (case, submission) = hostile_run(text, verdict);
        reporter.event(&Event::Case(&case)).unwrap();
        reporter.event(&Event::Submission(&submission)).unwrap();
    }
    let summary = Summary { unexpected: 4, ..Summary::default() };
    reporter.event(&Event::Finished(&summary)).unwrap();
}

/// The report on a terminal, with or without colours.
fn terminal(text: &str, colours: bool) -> String {
    let mut raw = Vec::new();
    let choice =
        if colours { anstream::ColorChoice::AlwaysAnsi } else { anstream::ColorChoice::Never };
    let stream = anstream::AutoStream::new(&mut raw as &mut dyn std::io::Write, choice);
    let mut reporter = Terminal::new(Inert::new(stream), Verbosity::Cases, None, Rerun::default())
        .with_transcripts(true)
        .with_table(Some(VerdictTable::new(TableBy::Cases)));
    send_run(&mut reporter, text);
    drop(reporter);
    String::from_utf8(raw).unwrap()
}

fn junit(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("junit.xml");
    send_run(&mut Junit::new(&file).unwrap(), text);
    std::fs::read_to_string(file).unwrap()
}

fn markdown(text: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("summary.md");
    send_run(&mut Markdown::new(file.clone()), text);
    std::fs::read_to_string(file).unwrap()
}

fn json(text: &str) -> String {
    let mut out = Vec::new();
    send_run(&mut Json::new(&mut out), text);
    String::from_utf8(out).unwrap()
}

fn assert_safe(text: &str) {
    for colours in [false, true] {
        let shown = terminal(text, colours);
        assert_eq!(obeyed(&shown), None, "{shown}");
    }
    let page = markdown(text);
    assert_eq!(obeyed(&page), None, "{page}");
    let lines = json(text);
    assert_eq!(obeyed(&lines), None, "{lines}");
    for line in lines.lines() {
        serde_json::from_str::<serde_json::Value>(line).unwrap();
    }
    let document = junit(text);
    let parsed = roxmltree::Document::parse(&document).unwrap_or_else(|error| {
        panic!("{error}\n{document}");
    });
    let suites = parsed.descendants().filter(|node| node.has_tag_name("testsuite"));
    assert_eq!(suites.count(), 4);
}

#[test]
fn no_report_executes_or_is_broken_by_what_programs_print() {
    assert_safe(&hostile::corpus());
}

#[test]
fn a_name_of_several_lines_adds_no_line_to_the_report() {
    let shown = terminal("a\nok    all is well", false);
    assert!(!shown.contains("\nok "), "{shown}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn no_report_executes_or_is_broken_by_any_text(text in hostile::text()) {
        assert_safe(&text);
    }
}
