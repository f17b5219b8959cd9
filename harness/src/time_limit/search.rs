//! Searches the limit upwards in stages, so that no submission runs longer than the decision needs.
//!
//! This module runs nothing: it decides what is timed next, and for how long.

use std::fmt;
use std::time::Duration;

use crate::expectation::Bound;
use crate::problem::Margins;
use crate::sandbox::SandboxError;
use crate::submission::Submission;

/// The longest times of a run in each stage. A submission that needs more than the last one bounds no limit.
const STAGES: [Duration; 3] =
    [Duration::from_secs(2), Duration::from_secs(10), Duration::from_secs(60)];

/// The longest time that a submission gets.
pub(super) const LONGEST: Duration = STAGES[STAGES.len() - 1];

/// A time on a case.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct CaseTime {
    pub(crate) case: String,
    pub(crate) time: Duration,
}

/// A submission that bounds the limit, and what is known about its times.
#[derive(Debug, Clone)]
pub(crate) struct Timed {
    pub(crate) submission: String,
    /// The id of its language.
    pub(crate) language: String,
    /// The side from which it bounds the limit.
    pub(crate) side: Bound,
    /// The slowest of the cases that ended.
    pub(crate) slowest: Option<CaseTime>,
    /// The case that was stopped, and after which time.
    pub(crate) stopped: Option<CaseTime>,
    /// Why it cannot be run, if it cannot.
    pub(crate) unusable: Option<String>,
}

impl Timed {
    /// A submission without times.
    pub(super) fn new(submission: &Submission, side: Bound) -> Self {
        Self {
            submission: submission.name.clone(),
            language: submission.language.clone(),
            side,
            slowest: None,
            stopped: None,
            unusable: None,
        }
    }

    /// Records a case that ended.
    pub(super) fn ended(&mut self, case: &str, time: Duration) {
        if self.slowest.as_ref().is_none_or(|old| old.time <= time) {
            self.slowest = Some(CaseTime { case: case.to_owned(), time });
        }
    }

    fn is_usable(&self, side: Bound) -> bool {
        self.side == side && self.unusable.is_none()
    }

    /// Its longest known time: that of a stopped case is at least the one given.
    fn witness(&self) -> Option<Witness> {
        let stopped = self.stopped.is_some();
        let CaseTime { case, time } = self.stopped.clone().or_else(|| self.slowest.clone())?;
        Some(Witness { submission: self.submission.clone(), case, time, stopped })
    }
}

/// A time that bounds the limit, with its submission and case.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Witness {
    pub(crate) submission: String,
    pub(crate) case: String,
    pub(crate) time: Duration,
    /// The run was stopped: it takes longer than `time`.
    pub(crate) stopped: bool,
}

impl fmt::Display for Witness {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (submission, case) = (&self.submission, &self.case);
        let seconds = self.time.as_secs_f64();
        if self.stopped {
            write!(f, "`{submission}` takes longer than {seconds} s on `{case}`")
        } else {
            write!(f, "`{submission}` takes {seconds:.3} s on `{case}`")
        }
    }
}

/// Why no limit fits all submissions.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Conflict {
    /// A submission that must be in time does not end in the last stage.
    Endless(Witness),
    /// A submission that must be too slow is faster than the limit allows, which follows from the slowest one that must
    /// be in time.
    Overlap { slow: Witness, fast: Witness, limit: Duration, margins: Margins },
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Endless(witness) => write!(f, "{witness}"),
            Self::Overlap { slow, fast, limit, margins } => {
                let at_least = if slow.stopped { "at least " } else { "" };
                write!(
                    f,
                    "{slow}, and the limit is at least {} times that, which gives {at_least}{} s; but `{}` must take at \
                     least {} times the limit and takes only {:.3} s",
                    margins.below,
                    limit.as_secs_f64(),
                    fast.submission,
                    margins.above,
                    fast.time.as_secs_f64()
                )
            }
        }
    }
}

/// The result of a search.
#[derive(Debug, PartialEq)]
pub(super) struct FoundLimit {
    /// The limit that fits the submissions that bound it from below.
    pub(super) limit: Option<Duration>,
    /// The time that determined it.
    pub(super) slowest: Option<Witness>,
    pub(super) conflict: Option<Conflict>,
}

/// Times submissions.
pub(super) trait Stopwatch {
    /// Runs the submission with this index on its cases that have not ended yet, each for at most `most`. May stop
    /// after a case that takes longer.
    fn time(&mut self, index: usize, timed: &mut Timed, most: Duration)
    -> Result<(), SandboxError>;
}

/// Times the submissions until they decide about the limit.
pub(super) fn search(
    margins: Margins,
    all: &mut [Timed],
    watch: &mut dyn Stopwatch,
) -> Result<FoundLimit, SandboxError> {
    let mut conflict = None;
    for (number, stage) in STAGES.into_iter().enumerate() {
        for (index, timed) in all.iter_mut().enumerate() {
            let open = number == 0 || timed.stopped.is_some();
            if timed.is_usable(Bound::Lower) && open {
                watch.time(index, timed, stage)?;
            }
        }
        let Some(slow) = slowest(all, true) else {
            return Ok(FoundLimit { limit: None, slowest: None, conflict: None });
        };
        let limit = margins.limit(slow.time);
        // While a slow submission is not finished, one that ends within its time already is a contradiction.
        let enough = if slow.stopped { stage } else { limit.mul_f64(margins.above) };
        let fast = time_upper(all, enough, watch)?;
        let done = !slow.stopped;
        if let Some(fast) = fast {
            conflict = Some(Conflict::Overlap { slow, fast, limit, margins });
            break;
        }
        if done {
            break;
        }
        if number + 1 == STAGES.len() {
            conflict = Some(Conflict::Endless(slow));
        }
    }
    Ok(settled(margins, all, conflict))
}

/// The limit from below: from all submissions that must be in time, or without those that do not end.
fn settled(margins: Margins, all: &[Timed], conflict: Option<Conflict>) -> FoundLimit {
    let endless = matches!(conflict, Some(Conflict::Endless(_)));
    let slowest = slowest(all, !endless);
    let limit = match &slowest {
        Some(slow) => margins.limit(slow.time),
        None => LONGEST,
    };
    FoundLimit { limit: Some(limit), slowest, conflict }
}

/// The slowest submission that must be in time.
fn slowest(all: &[Timed], with_stopped: bool) -> Option<Witness> {
    let lower = all.iter().filter(|timed| timed.is_usable(Bound::Lower));
    let counted = lower.filter(|timed| with_stopped || timed.stopped.is_none());
    let witnesses = counted.filter_map(Timed::witness);
    // Of two that were stopped after the same time, the first one is named.
    witnesses.reduce(
        |old, new| {
            if (new.stopped, new.time) > (old.stopped, old.time) { new } else { old }
        },
    )
}

/// Times the submissions that must be too slow, for at most `enough`. Returns the fastest one that takes less.
fn time_upper(
    all: &mut [Timed],
    enough: Duration,
    watch: &mut dyn Stopwatch,
) -> Result<Option<Witness>, SandboxError> {
    let mut fastest: Option<Witness> = None;
    for (index, timed) in all.iter_mut().enumerate() {
        let long = |known: &CaseTime| known.time >= enough;
        let known = timed.stopped.as_ref().is_some_and(long);
        let ended = timed.stopped.is_none() && timed.slowest.is_some();
        if !timed.is_usable(Bound::Upper) || known {
            continue;
        }
        if !ended {
            watch.time(index, timed, enough)?;
        }
        let slow = timed.stopped.is_some() || timed.slowest.as_ref().is_some_and(long);
        let witness = timed.witness().filter(|_| !slow);
        if let Some(witness) = witness.filter(|_| timed.unusable.is_none())
            && fastest.as_ref().is_none_or(|old| witness.time < old.time)
        {
            fastest = Some(witness);
        }
    }
    Ok(fastest)
}

#[cfg(test)]
mod tests;
