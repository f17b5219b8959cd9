//! The margins with which a time limit is inferred from running times.

use std::time::Duration;

use super::Format;

/// The margins between running times and the limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Margins {
    /// The limit is a multiple of this, in seconds.
    pub resolution: f64,
    /// Minimum ratio of the limit to the slowest time that must be within it.
    pub below: f64,
    /// Minimum ratio of a time that must exceed the limit to the limit.
    pub above: f64,
}

impl Margins {
    /// The default margins of a format.
    pub fn of(format: Format) -> Self {
        let (below, above) = match format {
            Format::V2025 => (2.0, 1.5),
            Format::Legacy => (5.0, 2.0),
        };
        Self { resolution: 1.0, below, above }
    }

    /// Whether a limit is a multiple of the resolution, as the format demands of one that the package states.
    pub fn permits(self, limit: Duration) -> bool {
        let steps = limit.as_secs_f64() / self.resolution;
        (steps - steps.round()).abs() < 1e-4
    }

    /// The smallest limit that leaves the margin above `slowest`.
    pub fn limit(self, slowest: Duration) -> Duration {
        let steps = slowest.as_secs_f64() * self.below / self.resolution;
        // A multiple with a rounding error counts as a multiple.
        let steps = (steps - 1e-9).ceil().max(1.0);
        Duration::from_secs_f64(steps * self.resolution)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stated_limit_is_a_multiple_of_the_resolution() {
        for (resolution, milliseconds, permitted) in [
            (1.0, 2000, true),
            (1.0, 500, false),
            (1.0, 1500, false),
            (0.1, 300, true),
            (0.1, 350, false),
            (0.5, 1500, true),
        ] {
            let margins = Margins { resolution, ..Margins::of(Format::V2025) };
            let limit = Duration::from_millis(milliseconds);
            assert_eq!(margins.permits(limit), permitted, "{limit:?} {resolution}");
        }
    }

    #[test]
    fn the_limit_is_the_smallest_multiple_that_leaves_the_margin() {
        let table = [
            (Format::V2025, 1.0, 100, 1000),
            (Format::V2025, 1.0, 500, 1000),
            (Format::V2025, 1.0, 501, 2000),
            (Format::V2025, 0.1, 130, 300),
            (Format::V2025, 0.1, 150, 300),
            (Format::Legacy, 1.0, 200, 1000),
            (Format::Legacy, 1.0, 1300, 7000),
            (Format::V2025, 1.0, 0, 1000),
        ];
        for (format, resolution, slowest_ms, expected_ms) in table {
            let margins = Margins { resolution, ..Margins::of(format) };
            let limit = margins.limit(Duration::from_millis(slowest_ms));
            let expected = Duration::from_millis(expected_ms);
            let apart = limit.abs_diff(expected);
            assert!(apart < Duration::from_micros(1), "{format:?} {slowest_ms} {limit:?}");
        }
    }
}
