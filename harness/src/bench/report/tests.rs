//! What the reports tell of a null control that was subtracted.

use super::*;
use crate::statistics::Pass;

/// A comparison of one case, `change` times as slow as its base, which beside itself looks `null` times as slow.
fn report_of(change: f64, null: f64) -> Report {
    let pairs = |ratio: f64| {
        let mut pairs = Pairs::default();
        for i in 0..60 {
            let base = 0.05 + 1e-5 * f64::from(i % 7);
            pairs.push(base, base * ratio * (1.0 + 1e-4 * f64::from(i % 11)));
        }
        pairs
    };
    let pass = Pass {
        pairs: pairs(change),
        null: Some(pairs(null)),
    };
    let case = CaseGate {
        name: "a.rs secret/1".to_owned(),
        first: pass.clone(),
        again: Some(pass),
        ..CaseGate::default()
    };
    let gate = Gate::new(GateOptions::of(Quantity::CpuTime)).unwrap();
    let cases = vec![case];
    let case_id = CaseId {
        submission: "a.rs".to_owned(),
        problem: "a".to_owned(),
        case: "secret/1".to_owned(),
    };
    let decided = gate.judge(&cases);
    Report {
        meter: "clocks".to_owned(),
        sandbox: None,
        quantity: Quantity::CpuTime,
        measured: Vec::new(),
        comparison: Some(Comparison::new(
            "main".to_owned(),
            &gate,
            decided,
            cases,
            vec![case_id],
        )),
        left_out: Vec::new(),
    }
}

fn json_of(report: &Report) -> serde_json::Value {
    let mut out = Vec::new();
    json::write(report, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let line = text
        .lines()
        .find(|line| line.contains("\"compared\""))
        .unwrap();
    serde_json::from_str(line).unwrap()
}

#[test]
fn what_was_subtracted_is_in_every_report() {
    let report = report_of(9.0, 1.03);
    assert_eq!(report.answer(), Answer::Regression);
    let text = text::report(&report, false);
    let said = "3.1 % subtracted: the base against itself looks different";
    assert!(text.contains(said), "{text}");
    let page = markdown::report(&report);
    assert!(page.contains(" | 3.1 % |\n"), "{page}");
    let line = json_of(&report);
    let number = |key: &str| line[key].as_f64().unwrap();
    assert!((number("subtracted") - 0.031).abs() < 1e-3, "{line}");
    let rest = line["again"]["rest_change"].as_f64().unwrap();
    assert!(rest < line["again"]["change"].as_f64().unwrap() && rest > 7.0);
    assert!(line["first"]["rest_p"].as_f64().unwrap() < 1e-3);
}

#[test]
fn what_is_left_without_an_answer_says_what_it_would_take() {
    let report = report_of(1.035, 1.03);
    assert_eq!(report.answer(), Answer::Inconclusive);
    let why = "the base measured against itself seems +3.0 %, and only a change that exceeds 3.1 % by enough would \
               count: this machine is too noisy now";
    assert!(text::report(&report, false).contains(why));
    assert!(markdown::report(&report).contains(why));
    assert_eq!(json_of(&report)["reason"], why);
}

#[test]
fn nothing_is_said_of_a_base_that_looks_the_same() {
    let report = report_of(9.0, 0.9995);
    let line = json_of(&report);
    assert!(line["subtracted"].is_null() && line["first"]["rest_change"].is_null());
    assert!(!text::report(&report, false).contains("subtracted"));
    assert!(markdown::report(&report).contains(" % |  |\n"));
}
