//! How the reports show a null control that was subtracted.

use rejudge_statistics::Pass;

use super::*;

/// A comparison of one case: the new version takes `change` times as long as the base, and the base seems to take `null`
/// times as long as itself.
fn report_of(change: f64, null: f64) -> BenchReport {
    let pairs = |ratio: f64| {
        let mut pairs = Pairs::default();
        for i in 0..60 {
            let base = 0.05 + 1e-5 * f64::from(i % 7);
            pairs.push(base, base * ratio * (1.0 + 1e-4 * f64::from(i % 11)));
        }
        pairs
    };
    let pass = Pass { pairs: pairs(change), null: Some(pairs(null)) };
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
    BenchReport {
        meter: "clocks".to_owned(),
        sandbox: None,
        quantity: Quantity::CpuTime,
        measured: Vec::new(),
        comparison: Some(Comparison::new("main".to_owned(), &gate, decided, cases, vec![case_id])),
        left_out: Vec::new(),
    }
}

fn json_of(report: &BenchReport) -> serde_json::Value {
    let mut out = Vec::new();
    json::write(report, &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let line = text.lines().find(|line| line.contains("\"compared\"")).unwrap();
    serde_json::from_str(line).unwrap()
}

#[test]
fn every_report_shows_what_was_subtracted() {
    let report = report_of(9.0, 1.03);
    assert_eq!(report.answer(), Conclusion::Regression);
    let text = text::report(&report, false);
    let note = "3.1 % subtracted: the base differs from itself";
    assert!(text.contains(note), "{text}");
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
fn an_inconclusive_case_states_how_large_a_change_would_count() {
    let report = report_of(1.035, 1.03);
    assert_eq!(report.answer(), Conclusion::Inconclusive);
    let why = "the base differs from itself by +3.0 %, so only a change well above 3.1 % would count: this machine is \
               too noisy now";
    assert!(text::report(&report, false).contains(why));
    assert!(markdown::report(&report).contains(why));
    assert_eq!(json_of(&report)["reason"], why);
}

#[test]
fn nothing_is_subtracted_if_the_base_does_not_differ_from_itself() {
    let report = report_of(9.0, 0.9995);
    let line = json_of(&report);
    assert!(line["subtracted"].is_null() && line["first"]["rest_change"].is_null());
    assert!(!text::report(&report, false).contains("subtracted"));
    assert!(markdown::report(&report).contains(" % |  |\n"));
}
