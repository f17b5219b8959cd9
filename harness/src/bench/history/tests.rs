//! Tests of the history of reports.

use proptest::prelude::*;
use serde_json::json;

use super::{History, changes, moved};
use crate::show::hostile;

proptest! {
    #[test]
    fn no_report_makes_the_reader_panic(bytes in hostile::spliced(report("1", 1.0))) {
        let mut history = History::default();
        if history.add("a", "a", &bytes[..]).is_ok() {
            let _ = history.data(&history.ranked());
        }
    }
}

fn report(case: &str, median: f64) -> String {
    format!(
        "{{\"type\":\"start\",\"schema\":1,\"quantity\":\"cpu\",\"unit\":\"s\",\"meter\":\"clocks\"}}\n\
         {{\"type\":\"measured\",\"schema\":1,\"problem\":\"p\",\"submission\":\"a.rs\",\"case\":\"{case}\",\
         \"cpu_s\":{{\"median\":{median},\"interval\":[0.5,3.0]}}}}\n\
         {{\"type\":\"summary\",\"schema\":1}}\n"
    )
}

#[test]
fn each_case_is_a_series_over_the_reports_that_measure_it() {
    let mut history = History::default();
    for (label, case, median) in [("one", "1", 1.0), ("two", "2", 1.5), ("three", "1", 2.0)] {
        history.add(label, label, report(case, median).as_bytes()).unwrap();
    }
    let data = history.data(&history.ranked());
    assert_eq!(history.missing(), [""; 0]);
    assert_eq!(data["labels"], json!(["one", "two", "three"]));
    assert_eq!(data["series"][0]["points"], json!([[1.0, 0.5, 3.0], null, [2.0, 0.5, 3.0]]));
    assert_eq!(data["series"][1]["points"], json!([null, [1.5, 0.5, 3.0], null]));
}

#[test]
fn a_shift_is_at_its_report_even_if_others_have_no_figure() {
    let mut points = vec![Some((1.0, None)); 8];
    points.extend(vec![Some((2.0, None)); 8]);
    points.insert(3, None);
    assert_eq!(changes(&points), [9]);
    assert_eq!(format!("{:.1}", moved(&points, &[9])), "2.0");
    assert_eq!(format!("{:.1}", moved(&points, &[])), "1.0");
}

#[test]
fn two_reports_are_compared_and_ranked_by_the_change() {
    let mut history = History::default();
    let both = |small: f64, large: f64| report("1", small) + &report("2", large);
    for (label, text) in [("base", both(1.0, 1.0)), ("new", both(1.1, 2.0))] {
        let lines: Vec<&str> = text.lines().collect();
        let text = [lines[0], lines[1], lines[4], lines[2]].join("\n") + "\n";
        history.add(label, label, text.as_bytes()).unwrap();
    }
    let ranked = history.ranked();
    let shown: Vec<(&str, String)> = ranked
        .iter()
        .map(|series| (series.key[2].as_str(), format!("{:.1}", series.moved)))
        .collect();
    assert_eq!(shown, [("2", "2.0".to_owned()), ("1", "1.1".to_owned())]);
}

#[test]
fn of_a_report_that_ends_early_what_is_whole_counts() {
    let whole = report("1", 1.0);
    let lines: Vec<&str> = whole.lines().collect();
    for text in [
        format!("{}\n{}\n", lines[0], lines[1]),
        format!("{}\n{}\n{}", lines[0], lines[1], &lines[2][..9]),
        format!("{}\n{}", lines[0], lines[1]),
    ] {
        let mut history = History::default();
        history.add("a", "a.jsonl", text.as_bytes()).unwrap();
        assert!(history.missing()[0].starts_with("`a.jsonl` ends before its summary"), "{text}");
        let data = history.data(&history.ranked());
        assert_eq!(data["series"][0]["points"], json!([[1.0, 0.5, 3.0]]));
    }
    let corrupt = whole.replacen("\"measured\"", "\"measured", 1);
    for text in ["", &lines[0][..9], &corrupt] {
        let mut history = History::default();
        let added = history.add("a", "a.jsonl", text.as_bytes());
        assert!(added.is_err(), "{text}");
    }
}

#[test]
fn what_is_not_a_report_of_bench_is_an_error() {
    let memory = report("1", 1.0).replace("\"cpu\"", "\"memory\"");
    for (text, shown) in [
        ("no\n", "line 1"),
        ("{\"type\":\"start\",\"schema\":2}\n", "schema 2, expected 1"),
        (&memory, "measures memory, and the files before it measure cpu"),
    ] {
        let mut history = History::default();
        history.add("a", "a", report("1", 1.0).as_bytes()).unwrap();
        let error = history.add("b", "b", text.as_bytes()).unwrap_err().to_string();
        assert!(error.contains(shown) && error.contains("\nhelp: "), "{error}");
    }
}
