//! What the times of the submissions say about a limit: both margins, the limit by each format's rule, and what another
//! machine would change.

use std::time::Duration;

use super::measure::Spread;
use super::search::Timed;
use super::{Conflict, Inferred};
use crate::expectation::Bound;
use crate::problem::{Format, Margins};

/// The factors of running times for which the limit on another machine is computed.
const MACHINES: [f64; 3] = [0.5, 1.5, 2.0];

/// A problem's limit, and the submissions that bound it.
#[derive(Debug)]
pub(crate) struct Review {
    pub(crate) problem: String,
    pub(crate) format: Format,
    pub(crate) margins: Margins,
    /// The limit that the problem sets.
    pub(crate) given: Option<Duration>,
    /// The limit that follows from the submissions.
    pub(crate) inferred: Option<Inferred>,
    pub(crate) conflict: Option<Conflict>,
    pub(crate) rows: Vec<ReviewRow>,
}

/// A submission.
#[derive(Debug)]
pub(crate) struct ReviewRow {
    pub(crate) timed: Timed,
    /// The name of its language.
    pub(crate) language: String,
    /// The times of repeated runs on its slowest case.
    pub(crate) spread: Option<Spread>,
}

impl ReviewRow {
    /// The longest known time, and whether it is only a lower bound.
    pub(crate) fn time(&self) -> Option<(Duration, bool)> {
        let stopped = self.timed.stopped.as_ref();
        let known = stopped.or(self.timed.slowest.as_ref())?;
        Some((known.time, stopped.is_some()))
    }

    /// The case of this time.
    pub(crate) fn case(&self) -> Option<&str> {
        let known = self.timed.stopped.as_ref().or(self.timed.slowest.as_ref())?;
        Some(&known.case)
    }
}

impl Review {
    /// Whether the limit leaves this submission less than the margin of the format.
    pub(crate) fn is_short(&self, row: &ReviewRow) -> bool {
        let in_time =
            row.timed.side == Bound::Upper && row.time().is_some_and(|(_, stopped)| stopped);
        row.timed.unusable.is_none()
            && !in_time
            && self.ratio(row).is_some_and(|ratio| ratio < self.demanded(row) - 1e-9)
    }

    /// The limit that holds: the one that the problem sets, otherwise the inferred one.
    pub(crate) fn limit(&self) -> Option<Duration> {
        let inferred = self.inferred.as_ref().map(|found| found.limit);
        self.given.or(inferred)
    }

    /// How many times the submission fits into the limit, or the limit into the submission. It should be at least the
    /// format's margin.
    pub(crate) fn ratio(&self, row: &ReviewRow) -> Option<f64> {
        let limit = self.limit()?.as_secs_f64();
        let time = row.time()?.0.as_secs_f64();
        Some(match row.timed.side {
            Bound::Upper => time / limit,
            // Below the resolution of the clocks.
            _ => limit / time.max(1e-6),
        })
    }

    /// The margin that the format demands on the side of this submission.
    pub(crate) fn demanded(&self, row: &ReviewRow) -> f64 {
        match row.timed.side {
            Bound::Upper => self.margins.above,
            _ => self.margins.below,
        }
    }

    /// The times of the slowest submission that must be in time: one run, and the least and the greatest of its
    /// repeated runs.
    fn slowest(&self) -> Option<[Duration; 3]> {
        let usable = self.rows.iter().filter(|row| row.timed.unusable.is_none());
        let lower = usable.filter(|row| row.timed.side == Bound::Lower);
        let (row, time) =
            lower.filter_map(|row| Some((row, row.time()?.0))).max_by_key(|(_, time)| *time)?;
        let spread = row.spread;
        Some([
            time,
            spread.map_or(time, |spread| spread.least),
            spread.map_or(time, |spread| spread.greatest),
        ])
    }

    /// The limits that the least and the greatest of the repeated runs give.
    pub(crate) fn interval(&self) -> Option<(Duration, Duration)> {
        let [time, least, greatest] = self.slowest()?;
        Some((self.margins.limit(least.min(time)), self.margins.limit(greatest.max(time))))
    }

    /// The limit by the rule of each format, with the resolution of this package.
    pub(crate) fn by_format(&self) -> Vec<(Format, Duration)> {
        let Some([time, ..]) = self.slowest() else {
            return Vec::new();
        };
        let margins = |format| {
            if format == self.format {
                self.margins
            } else {
                Margins { resolution: self.margins.resolution, ..Margins::of(format) }
            }
        };
        [Format::Legacy, Format::V2025].map(|format| (format, margins(format).limit(time))).to_vec()
    }

    /// The limit on machines on which everything takes this many times as long.
    pub(crate) fn on_machines(&self) -> Vec<(f64, Duration)> {
        let Some([time, ..]) = self.slowest() else {
            return Vec::new();
        };
        let limit = |factor: f64| self.margins.limit(time.mul_f64(factor));
        MACHINES.map(|factor| (factor, limit(factor))).to_vec()
    }

    /// The factors between which all times may change so that the limit still leaves both margins: the smallest, if the
    /// time of a submission that must be too slow is known, and the largest.
    pub(crate) fn slack(&self) -> (Option<f64>, Option<f64>) {
        let usable = || self.rows.iter().filter(|row| row.timed.unusable.is_none());
        let factor = |row: &ReviewRow| Some(self.ratio(row)? / self.demanded(row));
        let lower = usable().filter(|row| row.timed.side == Bound::Lower);
        let upper = usable().filter(|row| row.timed.side == Bound::Upper);
        // Of one that was stopped, only a part of the time is known.
        let upper = upper.filter(|row| row.timed.stopped.is_none());
        let least = upper.filter_map(|row| Some(factor(row)?.recip()));
        (least.reduce(f64::max), lower.filter_map(factor).reduce(f64::min))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specimen;
    use crate::submission::Expectation;

    fn row(side: Bound, ms: u64, spread: Option<(u64, u64)>) -> ReviewRow {
        let submission = specimen::submission("a", Expectation::accepted());
        let mut timed = Timed::new(&submission, side);
        timed.ended("c", Duration::from_millis(ms));
        let millis = Duration::from_millis;
        ReviewRow {
            timed,
            language: "Rust".to_owned(),
            spread: spread.map(|(least, greatest)| Spread {
                least: millis(least),
                median: millis(ms),
                greatest: millis(greatest),
            }),
        }
    }

    #[test]
    fn a_review_computes_the_margins_and_the_limits_elsewhere() {
        let margins = Margins::of(Format::Legacy);
        let seconds = Duration::from_secs;
        let review = Review {
            problem: "p".to_owned(),
            format: Format::Legacy,
            margins,
            given: None,
            inferred: Some(Inferred { limit: seconds(2), why: String::new() }),
            conflict: None,
            rows: vec![
                row(Bound::Lower, 100, None),
                row(Bound::Lower, 320, Some((190, 410))),
                row(Bound::Upper, 8000, None),
            ],
        };
        let ratio = |index: usize| review.ratio(&review.rows[index]).unwrap();
        assert!((ratio(1) - 6.25).abs() < 1e-9);
        assert!((ratio(2) - 4.0).abs() < 1e-9);
        assert_eq!(review.interval(), Some((seconds(1), seconds(3))));
        let by_format = [(Format::Legacy, seconds(2)), (Format::V2025, seconds(1))];
        assert_eq!(review.by_format(), by_format);
        let machines = [(0.5, seconds(1)), (1.5, seconds(3)), (2.0, seconds(4))];
        assert_eq!(review.on_machines(), machines);
        let (least, most) = review.slack();
        assert!((least.unwrap() - 0.5).abs() < 1e-9);
        assert!((most.unwrap() - 1.25).abs() < 1e-9);
    }
}
