//! Times and sizes as people write them: `2`, `2s`, `500ms`; `256`, `256M`, `256MiB`, `268435456B`.
//!
//! All of rejudge's own settings and options read them here. Contest judges mean powers of two with every unit of memory,
//! so `256M`, `256MB` and `256MiB` are equal. The crate must never know what a quantity is for.
//!
//! # Layers
//!
//! ```text
//! base      bytes
//! ```

#![forbid(unsafe_code)]

use std::fmt::Write as _;
use std::time::Duration;

mod bytes;

pub use bytes::Bytes;

/// The longest sensible time limit: a day, in seconds.
const LONGEST: f64 = 86_400.0;

/// A size in MiB that is larger than the memory of any machine.
const LARGEST: f64 = 16_777_216.0;

/// Units of time, in seconds.
const TIMES: [(&str, f64); 5] = [("", 1.0), ("s", 1.0), ("sec", 1.0), ("ms", 0.001), ("min", 60.0)];

/// Units of memory, in MiB.
const SIZES: [(&str, f64); 11] = [
    ("", 1.0),
    ("b", KIB / 1024.0),
    ("k", KIB),
    ("kb", KIB),
    ("kib", KIB),
    ("m", 1.0),
    ("mb", 1.0),
    ("mib", 1.0),
    ("g", 1024.0),
    ("gb", 1024.0),
    ("gib", 1024.0),
];
const KIB: f64 = 1.0 / 1024.0;

/// A text that is not a whole number, or not one in the range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("must be a whole number from {least} to {most}")]
pub struct NotAWholeNumber {
    least: u64,
    most: u64,
}

/// A reader of whole numbers from `least` to `most`.
pub fn whole<N: Copy + Into<u64> + TryFrom<u64>>(
    least: N,
    most: N,
) -> impl Fn(&str) -> Result<N, NotAWholeNumber> + Clone {
    let (least, most) = (least.into(), most.into());
    move |text| {
        let number = text.trim().parse().ok();
        let number = number.filter(|number| (least..=most).contains(number));
        let number = number.and_then(|number| N::try_from(number).ok());
        number.ok_or(NotAWholeNumber { least, most })
    }
}

/// Why a text is not a valid quantity.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum QuantityError {
    /// Neither a number nor a number with a unit.
    #[error("`{text}` is not understood; write for example {examples}")]
    Unknown {
        /// The text, with control characters escaped.
        text: String,
        /// What may be written instead.
        examples: &'static str,
    },
    /// Zero, negative, infinite, or too large.
    #[error("must be above 0 and at most {most} {unit}")]
    OutOfRange {
        /// The largest valid number, in `unit`.
        most: f64,
        /// The unit as messages show it.
        unit: &'static str,
    },
    /// Too little memory for any program.
    #[error("less than one page of 4096 bytes")]
    BelowOnePage,
    /// Not a number.
    #[error("not a number")]
    NotANumber,
    /// Not a positive number, or too large.
    #[error("must be above 0 and at most {most}")]
    NotPositive {
        /// The largest valid number.
        most: f64,
    },
    /// Negative or too large.
    #[error("must be from 0 to {most}")]
    Negative {
        /// The largest valid number.
        most: f64,
    },
}

/// A number above 0, at most `most`.
pub fn positive_number(text: &str, most: f64) -> Result<f64, QuantityError> {
    let number: f64 = text.parse().map_err(|_| QuantityError::NotANumber)?;
    if number > 0.0 && number <= most {
        Ok(number)
    } else {
        Err(QuantityError::NotPositive { most })
    }
}

/// A number from 0 to `most`.
pub fn number_from_zero(text: &str, most: f64) -> Result<f64, QuantityError> {
    let number: f64 = text.parse().map_err(|_| QuantityError::NotANumber)?;
    if (0.0..=most).contains(&number) { Ok(number) } else { Err(QuantityError::Negative { most }) }
}

/// A time above 0, at most a day; without a unit, in seconds. Several parts with units, such as `1min30s`, are added.
pub fn time(text: &str) -> Result<Duration, QuantityError> {
    let seconds = number(text, &TIMES).or_else(|| sum_of_parts(text));
    let seconds = seconds.ok_or_else(|| wrong(text, "`2`, `2s` or `500ms`"))?;
    let seconds = positive(seconds, LONGEST, "s")?;
    Ok(Duration::from_secs_f64(seconds).max(Duration::from_nanos(1)))
}

/// A size of at least one page of memory (4,096 bytes) and at most 16 TiB; without a unit, in MiB.
pub fn size(text: &str) -> Result<Bytes, QuantityError> {
    let mib = number(text, &SIZES).ok_or_else(|| wrong(text, "`256`, `256M` or `2G`"))?;
    let mib = positive(mib, LARGEST, "MiB")?;
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked above")]
    let bytes = (mib * f64::from(1 << 20)) as u64;
    if bytes < 4096 {
        return Err(QuantityError::BelowOnePage);
    }
    Ok(Bytes(bytes))
}

/// The number in the text in the first unit, if the text is a number and one of the units.
fn number(text: &str, units: &[(&str, f64)]) -> Option<f64> {
    let end = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    // `1e3`, `inf` and `nan` are numbers without a unit.
    if let Ok(number) = text.trim().parse() {
        return Some(number);
    }
    let number: f64 = end.trim().parse().ok()?;
    let unit = text[end.len()..].to_ascii_lowercase();
    let (_, factor) = units.iter().find(|(name, _)| *name == unit)?;
    Some(number * factor)
}

/// The sum of a time such as `1min 30s`, in seconds. Every part needs a unit.
fn sum_of_parts(text: &str) -> Option<f64> {
    let (mut rest, mut sum) = (text.trim(), 0.0);
    while !rest.is_empty() {
        let unit = rest.find(|c: char| c.is_ascii_alphabetic())?;
        let end = rest[unit..].find(|c: char| !c.is_ascii_alphabetic());
        let end = end.map_or(rest.len(), |end| unit + end);
        let part = &rest[..end];
        // Signs and exponents belong to numbers that stand alone.
        part[..unit].chars().all(|c| c.is_ascii_digit() || c == '.' || c == ' ').then_some(())?;
        sum += number(part, &TIMES)?;
        rest = rest[end..].trim_start();
    }
    (sum > 0.0).then_some(sum)
}

fn wrong(text: &str, examples: &'static str) -> QuantityError {
    QuantityError::Unknown { text: visible(text), examples }
}

/// The text with control characters escaped.
fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() {
            let _ = write!(out, "{}", c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

fn positive(number: f64, most: f64, unit: &'static str) -> Result<f64, QuantityError> {
    if number > 0.0 && number <= most {
        Ok(number)
    } else {
        Err(QuantityError::OutOfRange { most, unit })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_whole_number_is_told_as_people_write_it() {
        let jobs = whole(1_u16, 1024);
        assert_eq!((jobs("1"), jobs(" 1024 ")), (Ok(1), Ok(1024)));
        for bad in ["0", "-1", "1025", "x", "1.5", "", "99999999999999999999"] {
            let error = jobs(bad).unwrap_err().to_string();
            assert_eq!(error, "must be a whole number from 1 to 1024", "{bad}");
        }
    }

    #[test]
    fn times_and_sizes_are_read_as_people_write_them() {
        for (text, milliseconds) in [
            ("2", 2000),
            ("1.5", 1500),
            ("2s", 2000),
            ("2 s", 2000),
            ("0.5S", 500),
            ("500ms", 500),
            ("1min", 60_000),
            ("1e1", 10_000),
            ("2s500ms", 2500),
            ("1 min 30 s", 90_000),
        ] {
            assert_eq!(time(text), Ok(Duration::from_millis(milliseconds)), "{text}");
        }
        for text in ["2s500", "2s-1s", "s2", "2s 1x", "0s0ms", "-1s2s", "2ss"] {
            assert!(time(text).is_err(), "{text}");
        }
        for text in [
            "256",
            "256M",
            "256m",
            "256MB",
            "256MiB",
            "268435456B",
            "268435456 b",
            "256 MiB",
            "262144K",
            "262144KiB",
            "0.25G",
            "0.25gb",
        ] {
            assert_eq!(size(text), Ok(Bytes::mib(256)), "{text}");
        }
    }

    #[test]
    fn anything_else_is_an_error() {
        for text in [
            "", "s", "0", "-1", "0s", "-1s", "nan", "inf", "1e300", "2h", "2 s s", "s2", "1,5",
            "2M",
        ] {
            assert!(time(text).is_err(), "{text}");
        }
        for text in ["", "M", "0", "-1M", "nan", "1e300", "1K", "256MM", "2s", "1T"] {
            assert!(size(text).is_err(), "{text}");
        }
        assert_eq!(
            time("soon").unwrap_err().to_string(),
            "`soon` is not understood; write for example `2`, `2s` or `500ms`"
        );
    }
}
