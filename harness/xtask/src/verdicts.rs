//! What reports of `rejudge run --json` decide, without what they measure.

use std::path::Path;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use crate::files::read;

/// The fields of the lines `case` and `submission` that do not depend on the time and the machine.
const DECIDED: [&str; 13] = [
    "type",
    "problem",
    "submission",
    "case",
    "verdict",
    "permitted",
    "met",
    "score",
    "diff",
    "output",
    "answer",
    "complaint",
    "feedback",
];

/// The lines `case` and `submission` of a report, each with its decided fields, in their order in the report.
pub(crate) fn decided(report: &Path) -> Result<Vec<String>> {
    let mut all = Vec::new();
    for line in lines(report)? {
        if line["type"] == "case" || line["type"] == "submission" {
            all.push(chosen(&line, &DECIDED));
        }
    }
    Ok(all)
}

/// The verdict of each case of a report, sorted.
pub(crate) fn verdicts(report: &Path) -> Result<Vec<String>> {
    let lines = lines(report)?;
    let cases = lines.iter().filter(|line| line["type"] == "case");
    let mut all: Vec<_> =
        cases.map(|line| chosen(line, &["problem", "submission", "case", "verdict"])).collect();
    all.sort();
    Ok(all)
}

/// The lines of a report.
pub(crate) fn lines(report: &Path) -> Result<Vec<Value>> {
    let text = read(report)?;
    let lines: Result<_, _> = text.lines().map(serde_json::from_str).collect();
    lines.with_context(|| format!("{} is not a report", report.display()))
}

/// The fields of a line that it has, each with its value.
fn chosen(line: &Value, fields: &[&str]) -> String {
    let found = fields.iter().filter_map(|field| {
        let value = line.get(field)?;
        Some(format!("{field}={value}"))
    });
    found.collect::<Vec<_>>().join(" ")
}

/// Fails with the first line that differs.
pub(crate) fn compare(expected: &[String], got: &[String]) -> Result<()> {
    let end = "(the end of the report)";
    for index in 0..expected.len().max(got.len()) {
        let one = expected.get(index).map_or(end, String::as_str);
        let other = got.get(index).map_or(end, String::as_str);
        if one != other {
            bail!("the reports differ from line {} on:\n- {one}\n+ {other}", index + 1);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::files::write;

    const REPORT: &str = r#"{"type":"run","problem":"p"}
{"type":"case","submission":"s","problem":"p","case":"2","verdict":"WA","permitted":true,"cpu_ms":1.5}
{"type":"case","submission":"s","problem":"p","case":"1","verdict":"AC","permitted":true,"cpu_ms":2.5}
{"type":"submission","submission":"s","problem":"p","met":true,"build":{"wall_ms":3.0}}
"#;

    fn report(text: &str) -> tempfile::NamedTempFile {
        let file = tempfile::NamedTempFile::new().expect("a file");
        write(file.path(), text).expect("a file");
        file
    }

    #[test]
    fn what_is_measured_does_not_count() {
        let one = decided(report(REPORT).path()).expect("a report");
        assert_eq!(one.len(), 3);
        let slower = REPORT.replace("1.5", "9.5").replace("3.0", "4.0");
        let other = decided(report(&slower).path()).expect("a report");
        compare(&one, &other).expect("equal reports");
    }

    #[test]
    fn each_change_of_a_decision_counts() {
        let one = decided(report(REPORT).path()).expect("a report");
        for (old, new) in [
            (r#""WA""#, r#""TLE""#),
            (r#""case":"1""#, r#""case":"3""#),
            (r#""met":true"#, r#""met":false"#),
            (r#""permitted":true"#, r#""permitted":false"#),
            (r#""permitted":true"#, r#""permitted":true,"feedback":"x""#),
        ] {
            let changed = REPORT.replacen(old, new, 1);
            assert_ne!(changed, REPORT);
            let other = decided(report(&changed).path()).expect("a report");
            assert!(compare(&one, &other).is_err(), "{new}");
        }
    }

    #[test]
    fn a_missing_line_counts() {
        let all = ["a", "b"].map(str::to_owned);
        let error = compare(&all, &all[..1]).expect_err("a difference");
        let message = "the reports differ from line 2 on:\n- b\n+ (the end of the report)";
        assert_eq!(error.to_string(), message);
        assert!(compare(&all[..1], &all).is_err());
    }

    #[test]
    fn verdicts_are_sorted() {
        let all = verdicts(report(REPORT).path()).expect("a report");
        assert_eq!(
            all,
            [
                r#"problem="p" submission="s" case="1" verdict="AC""#,
                r#"problem="p" submission="s" case="2" verdict="WA""#
            ]
        );
        assert!(verdicts(report("no report").path()).is_err());
    }
}
