//! What a search needs, and what it finds.

use std::time::Duration;

use super::StressError;
use super::trial::{FailureKind, Performance, RunCounts};
use crate::diff::Look;

/// How to search.
#[derive(Debug, Clone, Copy)]
pub(crate) struct StressPlan {
    pub(crate) seed: u64,
    pub(crate) first_round: u64,
    /// The last round; `None`: until the budget ends.
    pub(crate) last_round: Option<u64>,
    /// The time for rounds, and that for shrinking each finding.
    pub(crate) budget: Option<Duration>,
    /// The number of findings after which the search ends.
    pub(crate) findings: usize,
    pub(crate) jobs: usize,
    /// How differences are drawn.
    pub(crate) look: Look,
}

/// The result of a search.
#[derive(Debug)]
pub(crate) struct StressReport {
    pub(crate) findings: Vec<StressFinding>,
    /// The last round that was run.
    pub(crate) rounds: u64,
    /// The number of rounds in which no reference had an answer.
    pub(crate) unanswered: u64,
    /// The number of rounds whose input was invalid, which nobody is to blame for.
    pub(crate) invalid: u64,
    /// The number of rounds in which a program was above its time limit once, and not again on the same input.
    pub(crate) unrepeated: u64,
    /// The number of rounds whose input had passed often enough before, so that it was not judged again.
    pub(crate) known: u64,
    pub(crate) runs: RunCounts,
    pub(crate) interrupted: bool,
    /// Why the search could not continue after it had found something.
    pub(crate) fault: Option<StressError>,
    pub(crate) elapsed: Duration,
}

/// An input on which a program fails.
#[derive(Debug)]
pub(crate) struct StressFinding {
    pub(crate) round: u64,
    pub(crate) kind: FailureKind,
    /// The input of the round, and the smallest one that was found.
    pub(crate) before: Vec<u8>,
    pub(crate) after: Vec<u8>,
    /// The command that makes the smallest input, if there is one.
    pub(crate) still_generated: Option<String>,
    /// The results for the smallest input.
    pub(crate) results: Vec<Option<Performance>>,
    /// The number of runs in which it failed again in the same way, of those that were made to see that.
    pub(crate) repeated: (u32, u32),
    pub(crate) end: ShrinkEnd,
    /// The number of texts that were tried, and of runs for that.
    pub(crate) texts: u64,
    /// Those of them on which a validator failed, if there are any.
    pub(crate) undecided: Option<UndecidedTexts>,
    /// The number of generated inputs whose shape the texts had to keep, without a validator.
    pub(crate) learned_from: Option<usize>,
    pub(crate) runs: RunCounts,
}

/// Texts on which a validator failed. They counted as invalid.
#[derive(Debug)]
pub(crate) struct UndecidedTexts {
    pub(crate) count: u64,
    pub(crate) validator: String,
    /// The reason for the first one.
    pub(crate) why: String,
}

/// How far the input was shrunk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ShrinkEnd {
    /// No smaller input was found.
    Complete,
    /// The time, the number of texts or the user ended it.
    Ended,
    /// The failure does not repeat, so it was not shrunk.
    Flaky,
    /// Nothing says which texts are valid: there is no validator, and no reference answers the input. So only the
    /// generator's arguments were made smaller.
    OnlyArguments,
}

/// What the search does now.
#[derive(Debug, Clone, Copy)]
pub(crate) enum StressStep<'a> {
    Round(u64),
    /// It shrinks the finding of a round; the size of the smallest input in bytes.
    Shrinking {
        round: u64,
        program: &'a str,
        bytes: usize,
    },
}
