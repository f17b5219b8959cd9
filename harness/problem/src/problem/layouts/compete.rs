//! cargo-compete: `testcases/NAME.yml` next to `src/bin/NAME.rs`, with the time limit, the way to
//! compare outputs, and the cases as strings.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use super::fields::{Fields, TableFile};
use super::json_cases::{CaseText, written};
use crate::checker_spec::{CheckerSpec, FloatJudge, FloatLines, LineRule, TokenOptions};
use crate::notice::{Code, Notices};
use crate::problem::yaml::{Node, Value};
use crate::problem::{Problem, ProblemLimits};

/// Reads the file of a source's cases.
pub(super) fn load(path: &Path, notices: &mut Notices) -> Option<Problem> {
    let file = TableFile::read(path, notices)?;
    let table = file.fields();
    let kind = table.text("type", notices);
    if kind.as_deref().is_some_and(|kind| kind != "Batch") {
        let kind = kind.unwrap_or_default();
        table.fault(&format!("`type: {kind}` has no test cases"), notices);
        return None;
    }
    let faults = notices.errors.len();
    let limit = limit(&table, notices);
    let common = checker(path, &table, notices);
    let (mut texts, mut own_limits) = (Vec::new(), BTreeMap::new());
    for (item, number) in table.list("cases", notices).iter().zip(1..) {
        let Some(case) = Fields::of(path, item, notices) else {
            continue;
        };
        let name = case.text("name", notices);
        let Some(input) = case.text("in", notices) else {
            case.fault("the case has no `in`", notices);
            continue;
        };
        let name = name.unwrap_or_else(|| number.to_string());
        if let Some(limit) = self::limit(&case, notices) {
            own_limits.insert(name.clone(), with_time(Some(limit)));
        }
        texts.push(CaseText {
            name,
            input,
            answer: case.text("out", notices),
            checker: (case.has("match")).then(|| checker(path, &case, notices)),
        });
    }
    let is_used = path.with_extension("").is_dir();
    if is_used && !table.list("extend", notices).is_empty() {
        let shown = notices.show(path);
        notices.warn(Code::UnusedSetting.at(&shown, "the cases that `extend` names are not read"));
    }
    if notices.errors.len() > faults {
        return None;
    }
    let cases = written(&texts, path, notices)?;
    Some(Problem {
        limits: with_time(limit),
        limits_of_cases: own_limits,
        checker: common,
        cases,
        ..Problem::foreign(path.parent().unwrap_or(path))
    })
}

fn with_time(cpu_time: Option<Duration>) -> ProblemLimits {
    ProblemLimits { cpu_time, ..ProblemLimits::default() }
}

/// `timelimit` of the file or of a case.
fn limit(table: &Fields<'_>, notices: &mut Notices) -> Option<Duration> {
    let text = table.text("timelimit", notices)?;
    let limit = duration(&text);
    if limit.is_none() {
        let text = crate::notice::visible(&text);
        table.fault(&format!("`timelimit` is not a duration: `{text}`"), notices);
    }
    limit
}

/// Parses a duration: `2s`, `500ms`, `1s 500ms`.
fn duration(text: &str) -> Option<Duration> {
    let mut total = Duration::ZERO;
    for word in text.split_whitespace() {
        let digits = word.find(|c: char| !c.is_ascii_digit() && c != '.')?;
        let (number, unit) = word.split_at(digits);
        let number: f64 = number.parse().ok()?;
        let seconds = match unit {
            "ms" | "msec" => number / 1000.0,
            "s" | "sec" | "secs" | "second" | "seconds" => number,
            "m" | "min" | "mins" | "minute" | "minutes" => number * 60.0,
            _ => return None,
        };
        total += Duration::try_from_secs_f64(seconds).ok()?;
    }
    (!total.is_zero() && total.as_secs() <= 86_400).then_some(total)
}

/// `match`: a word, or a table with a single key.
fn checker(path: &Path, table: &Fields<'_>, notices: &mut Notices) -> CheckerSpec {
    let Some(node) = table.get("match") else {
        return CheckerSpec::Lines(LineRule::Whole);
    };
    match &node.value {
        Value::Text(word) => match word.as_str() {
            "Exact" => CheckerSpec::Exact,
            "Lines" => CheckerSpec::Lines(LineRule::Whole),
            "SplitWhitespace" => CheckerSpec::Tokens(TokenOptions {
                case_sensitive: true,
                ..TokenOptions::default()
            }),
            other => {
                table.fault(&format!("unknown `match: {other}`"), notices);
                CheckerSpec::default()
            }
        },
        _ => float(path, node, table, notices),
    }
}

fn float(path: &Path, node: &Node, table: &Fields<'_>, notices: &mut Notices) -> CheckerSpec {
    let outer = Fields::of(path, node, notices);
    let Some(inner) = outer.and_then(|outer| outer.get("Float")) else {
        table.fault("`match` with a program is not supported", notices);
        return CheckerSpec::default();
    };
    let Some(inner) = Fields::of(path, inner, notices) else {
        return CheckerSpec::default();
    };
    // A missing tolerance is zero.
    let mut tolerance = |key| Some(inner.number(key, notices).unwrap_or_default());
    CheckerSpec::FloatLines(FloatLines {
        absolute: tolerance("absolute_error"),
        relative: tolerance("relative_error"),
        judge: FloatJudge::Compete,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_durations_in_every_notation() {
        let table = [
            ("2s", Some(2000)),
            ("500ms", Some(500)),
            ("1s 500ms", Some(1500)),
            ("2", None),
            ("0s", None),
            ("xs", None),
            ("", None),
        ];
        for (text, ms) in table {
            assert_eq!(duration(text), ms.map(Duration::from_millis), "{text}");
        }
    }
}
