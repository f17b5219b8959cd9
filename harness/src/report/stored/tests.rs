//! Reads back what the JSON report writes.

use proptest::prelude::*;

use super::*;
use crate::report::Reporter as _;
use crate::report::json::Json;
use crate::show::hostile;
use crate::specimen;
use crate::verdict::Verdict;

/// The report of a run with an accepted and a rejected submission.
fn report() -> String {
    let mut out = Vec::new();
    let mut json = Json::new(&mut out);
    json.event(&Event::Started(&specimen::outline(2))).unwrap();
    for (name, verdict) in [("a.rs", Verdict::Accepted), ("b.rs", Verdict::WrongAnswer)] {
        let mut result = specimen::result("1", verdict);
        name.clone_into(&mut result.submission);
        result.reason = (verdict == Verdict::WrongAnswer).then(|| "token 1\u{202e}".to_owned());
        json.event(&Event::Case(&result)).unwrap();
        let mut report = specimen::report(name, verdict);
        report.must_fail = verdict == Verdict::WrongAnswer;
        report.failed = usize::from(!report.met);
        json.event(&Event::Submission(&report)).unwrap();
    }
    let summary = Summary { submissions: 2, met: 1, unexpected: 1, cases: 4, ..Summary::default() };
    json.event(&Event::Finished(&summary)).unwrap();
    String::from_utf8(out).unwrap()
}

/// The JSON report of the events that `text` is read as, and what is missing.
fn again(text: &str) -> Result<(String, Vec<String>), StoredError> {
    let mut out = Vec::new();
    let mut json = Json::new(&mut out);
    let mut reader = ReportReader::default();
    reader.read("r.jsonl", text.as_bytes(), &mut |event| json.event(event))?;
    let sum = reader.finish(&mut |event| json.event(event))?;
    Ok((String::from_utf8(out).unwrap(), sum.missing))
}

#[test]
fn a_report_is_read_back_unchanged() {
    let report = report();
    let (read, missing) = again(&report).unwrap();
    assert_eq!(read, report);
    assert_eq!(missing, [""; 0]);
}

#[test]
fn the_failures_of_a_submission_are_those_of_its_cases() {
    let mut failures = Vec::new();
    let mut reader = ReportReader::default();
    let mut sink = |event: &Event<'_>| {
        if let Event::Submission(report) = event {
            failures.push(report.failures.len());
        }
        Ok(())
    };
    reader.read("r", report().as_bytes(), &mut sink).unwrap();
    assert_eq!(failures, [0, 1]);
}

#[test]
fn a_report_that_ends_early_counts_up_to_its_last_whole_line() {
    let report = report();
    let lines: Vec<&str> = report.lines().collect();
    for (text, shown) in [
        (lines[..4].join("\n"), "it has 1 of 2 submissions; 1 cases"),
        (lines[..3].join("\n") + "\n{\"type\":\"ca", "it has 1 of 2 submissions"),
        (lines[0].to_owned(), "it has 0 of 2 submissions"),
    ] {
        let (read, missing) = again(&text).unwrap();
        assert!(missing[0].contains(shown), "{missing:?}");
        assert!(read.lines().last().unwrap().contains("\"interrupted\":true"));
    }
}

#[test]
fn the_cases_of_a_submission_that_was_not_finished_belong_to_no_other() {
    let whole = report();
    let other = whole.replace("\"a.rs\"", "\"c.rs\"").replace("\"b.rs\"", "\"d.rs\"");
    let cut: Vec<&str> = other.lines().take(4).collect();
    let mut out = Vec::new();
    let mut json = Json::new(&mut out);
    let mut reader = ReportReader::default();
    for (name, text) in [("cut", cut.join("\n")), ("whole", whole)] {
        let sink = &mut |event: &Event<'_>| json.event(event);
        reader.read(name, text.as_bytes(), sink).unwrap();
    }
    let sum = reader.finish(&mut |event| json.event(event)).unwrap();
    let missing = sum.missing;
    assert!(missing[0].contains("`cut`"), "{missing:?}");
    assert!(missing[0].contains("has 1 of 2 submissions; 1 cases"), "{missing:?}");
    let text = String::from_utf8(out).unwrap();
    let cases = text.lines().filter(|line| line.contains("\"type\":\"case\""));
    assert_eq!(cases.count(), 3, "{text}");
}

#[test]
fn what_is_not_a_report_is_an_error_with_its_line() {
    let report = report();
    let later = report.replace("\"schema\":1", "\"schema\":2");
    let corrupt = report.replacen("\"type\":\"submission\"", "\"type\":submission", 1);
    let bench = r#"{"type":"start","schema":1,"meter":"clocks"}"#;
    for (text, shown) in [
        ("", "the file is empty"),
        ("hello\n", "line 1"),
        ("{}\n", "line 1: missing field `type`"),
        ("[1]", "line 1"),
        (bench, "a report of `rejudge bench`"),
        (&later, "has schema 2"),
        (&corrupt, "line 3"),
        (&format!("{report}{report}"), "repeats the results of `a.rs`"),
    ] {
        let error = again(text).unwrap_err().to_string();
        assert!(error.contains(shown), "{text:?}: {error}");
        assert!(error.contains("\nhelp: "), "{error}");
    }
}

/// What a report is read as: what is missing.
fn missing(bytes: &[u8]) -> Result<Vec<String>, StoredError> {
    let mut reader = ReportReader::default();
    reader.read("r.jsonl", bytes, &mut |_| Ok(()))?;
    Ok(reader.finish(&mut |_| Ok(()))?.missing)
}

proptest! {
    #[test]
    fn no_report_makes_the_reader_panic(bytes in hostile::spliced(report())) {
        let _ = missing(&bytes);
    }

    #[test]
    fn of_every_report_that_ends_early_something_is_read(part in 0.0..1.0_f64) {
        let report = report();
        let first = report.find('\n').unwrap();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "within the report")]
        let rest = ((report.len() - first) as f64 * part) as usize;
        let summary = report.find("{\"type\":\"summary\"").unwrap();
        let cut = first + rest;
        let missing = missing(&report.as_bytes()[..cut]).unwrap();
        // Without its line break, the last line may be whole.
        prop_assert!(cut > summary || missing.len() == 1, "{:?}", missing);
    }
}
