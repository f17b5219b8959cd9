//! Runs that are divided between machines: the plan of the shards, and the merge of their reports.
//!
//! There is no server: each shard makes the whole plan, which is a pure function of what is selected, the number of
//! shards and earlier times, and judges its own units. The merge trusts a report only if its first line has the digest of
//! the same plan.

use std::path::Path;
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::event::Shard;
use crate::judge::{Options, Tools};
use crate::sequence::SubmissionEntry;

mod digest;
mod durations;
mod limits;
mod machines;
pub(crate) mod merge;
mod plan;
mod shard_report;

pub(crate) use durations::Durations;
pub(crate) use limits::{SavedLimit, SavedLimits};
pub(crate) use shard_report::ShardReport;

/// The largest number of shards.
const MOST: usize = 1000;

/// `K/N`: the shard with the number K of N.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ShardNumber {
    /// From 1.
    pub(crate) number: usize,
    pub(crate) of: usize,
}

/// A text that is not the number of a shard.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NotAShard {
    #[error("must be K/N, such as 1/4 for the first of four shards")]
    Form,
    #[error("there are from 1 to {MOST} shards")]
    Shards,
    #[error("the shards of {of} are 1/{of} to {of}/{of}")]
    Number { of: usize },
}

impl FromStr for ShardNumber {
    type Err = NotAShard;

    fn from_str(text: &str) -> Result<Self, NotAShard> {
        let (number, of) = text.split_once('/').ok_or(NotAShard::Form)?;
        let digits = |text: &str| {
            let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
            let number: Option<usize> = text.parse().ok();
            digits.then_some(number.unwrap_or(usize::MAX))
        };
        let number = digits(number).ok_or(NotAShard::Form)?;
        let of = digits(of).ok_or(NotAShard::Form)?;
        if !(1..=MOST).contains(&of) {
            return Err(NotAShard::Shards);
        }
        if !(1..=of).contains(&number) {
            return Err(NotAShard::Number { of });
        }
        Ok(Self { number, of })
    }
}

/// What a plan depends on, apart from the submissions and the number of shards.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlanContext<'a> {
    pub(crate) tools: Tools<'a>,
    pub(crate) options: &'a Options,
    /// The folder of the repository, which may have another path for each shard.
    pub(crate) root: &'a Path,
    pub(crate) durations: &'a Durations,
    /// Whether a problem of the whole run is broken.
    pub(crate) faulty: bool,
}

/// The part of the run of `entries` that the shard judges.
pub(crate) fn part(
    entries: &[SubmissionEntry<'_>],
    shard: ShardNumber,
    context: PlanContext<'_>,
) -> Shard {
    let units: Vec<plan::ShardUnit<'_>> =
        entries.iter().map(|(one, _)| context.durations.unit(&one.problem, &one.name)).collect();
    let assigned = plan::assign(&units, shard.of);
    let own = assigned.iter().enumerate().filter(|(_, assigned)| **assigned + 1 == shard.number);
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
    Shard {
        number: shard.number,
        of: shard.of,
        plan: digest::digest(entries, &assigned, shard.of, context),
        started_ms: u64::try_from(since).unwrap_or(u64::MAX),
        units: own.map(|(unit, _)| unit).collect(),
        of_units: units.len(),
        faulty: context.faulty,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_number_of_a_shard_is_from_one_to_the_number_of_shards() {
        let good = ShardNumber { number: 3, of: 7 };
        assert_eq!("3/7".parse(), Ok(good));
        for (text, error) in [
            ("0/3", NotAShard::Number { of: 3 }),
            ("4/3", NotAShard::Number { of: 3 }),
            ("1/0", NotAShard::Shards),
            ("1/1001", NotAShard::Shards),
            ("1/99999999999999999999", NotAShard::Shards),
            ("3", NotAShard::Form),
            ("/", NotAShard::Form),
            ("a/b", NotAShard::Form),
            ("-1/3", NotAShard::Form),
            ("+1/3", NotAShard::Form),
            ("1/2/3", NotAShard::Form),
            ("", NotAShard::Form),
        ] {
            assert_eq!(text.parse::<ShardNumber>(), Err(error), "{text}");
        }
    }
}
