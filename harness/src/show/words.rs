//! Human-readable figures: seconds, counts with their nouns.

use std::fmt;
use std::time::Duration;

use crate::sandbox::Clock;

/// The note of a measurement that was interrupted.
pub(crate) const INTERRUPTED: &str =
    "The measurement was interrupted: these are the figures up to the interruption.";

/// The name of the clock or counter that measured a figure.
pub(crate) fn clock(clock: Clock) -> &'static str {
    match clock {
        Clock::Rusage => "rusage",
        Clock::Cgroup => "cgroup",
        Clock::Polled => "polled",
    }
}

/// The clock or counter with this name; the most common one for a name of another version.
pub(crate) fn clock_named(name: &str) -> Clock {
    let mut all = [Clock::Rusage, Clock::Cgroup, Clock::Polled].into_iter();
    all.find(|known| clock(*known) == name).unwrap_or_default()
}

/// A duration in seconds, to the millisecond: `0.412 s`.
pub(crate) struct Seconds(pub(crate) Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.3} s", self.0.as_secs_f64())
    }
}

/// A limit in seconds, without needless zeros: `2 s`, `0.5 s`.
pub(crate) struct LimitSeconds(pub(crate) Duration);

impl fmt::Display for LimitSeconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s", self.0.as_secs_f64())
    }
}

/// A score with up to six decimals and without trailing zeros: `40`, `12.5`.
pub(crate) struct ShownPoints(pub(crate) f64);

impl fmt::Display for ShownPoints {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.6}", self.0);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// A count with its noun: `1 case`, `1,204 cases`.
pub(crate) struct Count(pub(crate) usize, pub(crate) &'static str);

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(number, noun) = *self;
        write!(f, "{} {noun}{}", Thousands(number), if number == 1 { "" } else { "s" })
    }
}

/// A number with commas between the thousands.
pub(crate) struct Thousands(pub(crate) usize);

impl fmt::Display for Thousands {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let digits = self.0.to_string();
        for (index, digit) in digits.char_indices() {
            if index > 0 && (digits.len() - index).is_multiple_of(3) {
                f.write_str(",")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_of_names_is_cut() {}

    #[test]
    fn numbers_are_human_readable() {
        for (score, text) in [(40.0, "40"), (12.5, "12.5"), (100.0 / 3.0, "33.333333"), (0.0, "0")]
        {
            assert_eq!(ShownPoints(score).to_string(), text);
        }
        assert_eq!(Count(1, "case").to_string(), "1 case");
        assert_eq!(Count(0, "case").to_string(), "0 cases");
        assert_eq!(Count(1_204_000, "case").to_string(), "1,204,000 cases");
        assert_eq!(Seconds(Duration::from_micros(412_600)).to_string(), "0.413 s");
        assert_eq!(LimitSeconds(Duration::from_millis(1500)).to_string(), "1.5 s");
    }
}
