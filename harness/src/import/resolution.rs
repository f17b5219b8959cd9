//! `time_resolution` of 2025-09: a time limit that is not a multiple of it is an error. The default is one second.

use std::fmt::Write as _;
use std::time::Duration;

/// The largest usual resolution of which the time in seconds is a multiple; `None`: the default.
pub(crate) fn resolution_of(seconds: f64) -> Option<f64> {
    let fits = |resolution: f64| {
        let steps = seconds / resolution;
        (steps - steps.round()).abs() < 1e-4
    };
    [1.0, 0.5, 0.1, 0.05, 0.01, 0.001].into_iter().find(|one| fits(*one)).filter(|one| *one < 1.0)
}

/// The lines of `limits` for a time limit.
pub(crate) fn time_limit_lines(limit: Duration) -> String {
    let seconds = limit.as_secs_f64();
    let mut lines = format!("  time_limit: {seconds}\n");
    if let Some(resolution) = resolution_of(seconds) {
        let _ = writeln!(lines, "  time_resolution: {resolution}");
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_a_multiple_of_its_resolution() {
        for (milliseconds, expected) in [
            (2000, "  time_limit: 2\n"),
            (1500, "  time_limit: 1.5\n  time_resolution: 0.5\n"),
            (300, "  time_limit: 0.3\n  time_resolution: 0.1\n"),
            (1250, "  time_limit: 1.25\n  time_resolution: 0.05\n"),
            (1234, "  time_limit: 1.234\n  time_resolution: 0.001\n"),
        ] {
            assert_eq!(time_limit_lines(Duration::from_millis(milliseconds)), expected);
        }
    }
}
