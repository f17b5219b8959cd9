//! Hydro's limits on time and memory, in its notation.

use std::time::Duration;

use super::companion::mebibytes;
use super::fields::Fields;
use crate::notice::Notices;
use crate::problem::ProblemLimits;

/// `time` and `memory` of the problem, a subtask or a case.
pub(super) fn stated_limits(table: &Fields<'_>, notices: &mut Notices) -> ProblemLimits {
    let mut measured = |key: &str, read: fn(&str) -> Option<f64>| {
        let text = table.text(key, notices)?;
        let number = read(&text).filter(|number| *number > 0.0);
        if number.is_none() {
            let text = crate::notice::visible(&text);
            table.fault(&format!("invalid `{key}`: `{text}`"), notices);
        }
        number
    };
    ProblemLimits {
        cpu_time: measured("time", seconds)
            .map(|seconds| Duration::from_secs_f64(seconds.min(86_400.0))),
        memory: measured("memory", mib).map(mebibytes),
        ..ProblemLimits::default()
    }
}

/// `1s`, `500ms`, `1000` (milliseconds).
fn seconds(text: &str) -> Option<f64> {
    let (number, unit) = measure(text)?;
    match unit.as_str() {
        "s" => Some(number),
        "ms" | "" => Some(number / 1000.0),
        "us" => Some(number / 1e6),
        _ => None,
    }
}

/// `256m`, `256MB`, `1g`, `65536k`, `256` (MiB).
fn mib(text: &str) -> Option<f64> {
    let (number, unit) = measure(text)?;
    match unit.trim_end_matches('b').trim_end_matches('i') {
        "m" | "" => Some(number),
        "g" => Some(number * 1024.0),
        "k" => Some(number / 1024.0),
        _ => None,
    }
}

fn measure(text: &str) -> Option<(f64, String)> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    let number: f64 = number.parse().ok()?;
    Some((number, unit.trim().to_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_times_and_sizes_in_hydros_notation() {
        let near = |found: Option<f64>, expected: Option<f64>| match (found, expected) {
            (Some(found), Some(expected)) => (found - expected).abs() < 1e-9,
            (found, expected) => found == expected,
        };
        for (text, expected) in [
            ("1s", Some(1.0)),
            ("1500ms", Some(1.5)),
            ("1000", Some(1.0)),
            ("1x", None),
            ("s", None),
        ] {
            assert!(near(seconds(text), expected), "{text}");
        }
        for (text, expected) in [
            ("256m", Some(256.0)),
            ("256MB", Some(256.0)),
            ("1g", Some(1024.0)),
            ("1 GiB", Some(1024.0)),
            ("512k", Some(0.5)),
            ("256", Some(256.0)),
            ("1t", None),
        ] {
            assert!(near(mib(text), expected), "{text}");
        }
    }
}
