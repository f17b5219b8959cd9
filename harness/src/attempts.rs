//! Decides whether a run counts, or must be repeated because the rest of the machine may have caused its result.
//!
//! A busy machine never makes a program faster. So a run within its limits counts, however busy the machine was. A run
//! over its time limit counts if nothing disturbed it; otherwise it is repeated, at most [`MOST`] times, and the lowest CPU
//! time decides. If every run was disturbed, the verdict stands and is marked.
//!
//! A run may end by a SIGKILL that rejudge did not send, for example from an operator or from the out-of-memory killer.
//! It is repeated once: a program that kills itself does so twice.
//!
//! [`decide`] is pure. [`repeat_until_decided`] follows it, and does not know what a run is.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::sandbox::{
    Execution, Exit, Input, Job, LimitKind, Limits, Runner, SandboxError, Usage, hard,
};

/// Maximum number of repeats of a run.
const MOST: usize = 2;

/// Number of confirmations of a submission after which no more are made, if none changed a result.
const ENOUGH: usize = 16;

/// A program that used less than one part in this many of its wall time slept nearly all the time.
const MOSTLY_ASLEEP: u32 = 10;
/// The figures of a dialogue that others kept from the processors for one part in this many of its wall time may be off.
const MOSTLY_AWAY: u32 = 4;

const SIGKILL: i32 = 9;

/// The result of one run, as far as time matters.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "any of them may go with any other")]
pub(crate) struct Attempt {
    /// What the run used.
    pub(crate) usage: Usage,
    /// It was over its time limit.
    pub(crate) over_time: bool,
    /// It ran in parallel with other workers, and so close to its time limit that they may have caused the result.
    pub(crate) open: bool,
    /// Other programs may have caused its time.
    pub(crate) disturbed: bool,
    /// Its CPU time decides about points.
    pub(crate) timed: bool,
    /// It ended by a SIGKILL that rejudge did not send.
    pub(crate) killed: bool,
}

impl Attempt {
    /// The attempt that ended with `exit`, in parallel with this number of other workers; `None`: alone.
    pub(crate) fn new(exit: Exit, usage: &Usage, limits: &Limits, workers: Option<u32>) -> Self {
        let contention = &usage.contention;
        let disturbed = match exit {
            // Both programs slept all the time.
            Exit::Killed(LimitKind::Idle) => false,
            // Nobody stated the limit, so it is not exact, and others do not make a program that much slower.
            Exit::Killed(LimitKind::Cpu) if limits.is_ended_late() => false,
            // Time without a processor is off its wall time already, and whoever sleeps is not slowed down.
            Exit::Killed(LimitKind::Wall) => {
                contention.starves() || usage.wall >= hard(limits.wall_time)
            }
            _ => contention.disturbs(workers.unwrap_or(0)),
        };
        Self {
            usage: *usage,
            over_time: over_time(exit, usage, limits),
            open: workers.is_some() && undecided(exit, usage, limits),
            disturbed,
            timed: false,
            killed: exit == Exit::Signal(SIGKILL),
        }
    }

    /// The same attempt of a problem in which a run above half of its time limit loses points. `workers`: as in
    /// [`new`](Self::new).
    pub(crate) fn losing_points(mut self, limits: &Limits, workers: Option<u32>) -> Self {
        // As close to half of the limit as `undecided` is to the limit.
        if !self.over_time && self.usage.cpu() >= limits.cpu_time * 19 / 40 {
            self.timed = true;
            self.open |= workers.is_some();
        }
        self
    }

    /// The attempt of a submission and an interactor, each with its limits, that talked to each other. What one did, the
    /// other one did not suffer from others.
    pub(crate) fn of_dialogue(
        (submission, limits): (&Execution, &Limits),
        (interactor, interactor_limits): (&Execution, &Limits),
        workers: Option<u32>,
    ) -> Self {
        let beside = |one: &Execution, partner: &Execution| {
            let mut usage = one.usage;
            let others = &mut usage.contention.others;
            *others = others.saturating_sub(partner.usage.cpu());
            usage
        };
        let usage = beside(submission, interactor);
        let mut attempt = Self::new(submission.exit, &usage, limits, workers);
        // No message passes through rejudge, so what others took is known, and is off the wall time already.
        if submission.exit == Exit::Killed(LimitKind::Wall) {
            attempt.open &= usage.cpu() >= usage.wall / MOSTLY_ASLEEP;
            attempt.disturbed &= usage.contention.starved >= usage.wall / MOSTLY_AWAY
                || usage.wall >= hard(limits.wall_time);
        }
        let of_interactor = beside(interactor, submission);
        let other = Self::new(interactor.exit, &of_interactor, interactor_limits, None);
        // Disturbances of the interactor count too: other processes may have slowed it down or killed it.
        attempt.join(&Self { usage: attempt.usage, ..other });
        attempt
    }

    /// Of this run and of another part of it: a pass, or the program that it talks with.
    pub(crate) fn join(&mut self, other: &Self) {
        if other.usage.cpu() > self.usage.cpu() {
            self.usage = other.usage;
        }
        // Of a part that was not over its limit nothing is in doubt.
        self.disturbed = match (self.over_time, other.over_time) {
            (false, true) => other.disturbed,
            (true, false) => self.disturbed,
            _ => self.disturbed || other.disturbed,
        };
        self.over_time |= other.over_time;
        self.open |= other.open;
        self.timed |= other.timed;
        self.killed |= other.killed;
    }
}

/// Whether a run that ended so is over its time limit.
fn over_time(exit: Exit, usage: &Usage, limits: &Limits) -> bool {
    match exit {
        Exit::Killed(limit) if limit.is_of_time() => true,
        // Whatever its time was, that is its verdict.
        Exit::Killed(LimitKind::Memory) => false,
        _ => usage.cpu() > limits.cpu_time,
    }
}

/// Whether a run beside our other workers, which may go on to one and a half times its limit, leaves its time verdict
/// open.
fn undecided(exit: Exit, usage: &Usage, limits: &Limits) -> bool {
    match exit {
        Exit::Killed(LimitKind::Wall) => true,
        Exit::Killed(LimitKind::Cpu | LimitKind::Idle) => false,
        _ => usage.cpu() >= limits.cpu_time * 19 / 20,
    }
}

/// What follows from a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RunDecision {
    /// It decides.
    Accept,
    /// It is run again.
    Repeat,
    /// It is in doubt but decides, because many earlier repeats changed nothing.
    Believe,
    /// It is in doubt but decides, because every repeat is in doubt too.
    Stand,
}

/// What follows from the last of these runs of the same program on the same input. `enough`: many repeats of others
/// changed nothing. `measures`: its time is wanted, not only whether it is over the limit.
pub(crate) fn decide(attempts: &[Attempt], enough: bool, measures: bool) -> RunDecision {
    let Some((last, before)) = attempts.split_last() else {
        return RunDecision::Repeat;
    };
    let may_repeat = before.len() < MOST;
    if last.killed && may_repeat && !before.iter().any(|one| one.killed) {
        return RunDecision::Repeat;
    }
    let in_doubt = last.open || (last.disturbed && (last.over_time || last.timed || measures));
    match (in_doubt, enough && !last.timed, may_repeat) {
        (false, _, _) => RunDecision::Accept,
        (true, true, _) => RunDecision::Believe,
        (true, false, true) => RunDecision::Repeat,
        (true, false, false) => RunDecision::Stand,
    }
}

/// Which of the runs decides: the last, or if that is in doubt, the one with the least CPU time.
fn deciding(attempts: &[Attempt], decision: RunDecision) -> usize {
    let last = attempts.len().saturating_sub(1);
    if decision == RunDecision::Accept {
        return last;
    }
    let all = attempts.iter().enumerate().filter(|(_, one)| !one.killed);
    let quickest = all.min_by_key(|(_, one)| (one.over_time, one.usage.cpu()));
    quickest.map_or(last, |(index, _)| index)
}

/// The confirmations of one submission.
#[derive(Debug, Default)]
pub(crate) struct Confirmations {
    made: AtomicUsize,
    overturned: AtomicBool,
}

impl Confirmations {
    /// Whether the next run is believed.
    fn enough(&self) -> bool {
        self.made.load(Ordering::Relaxed) >= ENOUGH && !self.overturned.load(Ordering::Relaxed)
    }

    /// Notes whether a first run, and then one that repeats it, was over its time limit.
    fn add(&self, first: bool, again: bool) {
        if first != again {
            self.overturned.store(true, Ordering::Relaxed);
        }
        self.made.fetch_add(1, Ordering::Relaxed);
    }
}

/// All runs of one program on one input.
#[derive(Debug)]
pub(crate) struct RepeatedRun<R> {
    /// What came of the run that decides.
    pub(crate) result: R,
    /// Which that is.
    pub(crate) decides: usize,
    pub(crate) decision: RunDecision,
    pub(crate) attempts: Vec<Attempt>,
}

impl<R> RepeatedRun<R> {
    /// Whether the verdict may be due to others.
    pub(crate) fn stands_disturbed(&self) -> bool {
        let run = &self.attempts[self.decides];
        self.decision != RunDecision::Accept && run.over_time && run.disturbed
    }
}

/// Runs something, and again as [`decide`] says; `run` is told what the runs before said.
pub(crate) fn repeat_until_decided<R, E>(
    confirmations: &Confirmations,
    measures: bool,
    mut run: impl FnMut(&[Attempt]) -> Result<(Attempt, R), E>,
) -> Result<RepeatedRun<R>, E> {
    let (mut attempts, mut results) = (Vec::new(), Vec::new());
    loop {
        let (attempt, result) = run(&attempts)?;
        if let [first, .., previous] | [first @ previous] = &attempts[..]
            && !previous.killed
        {
            confirmations.add(first.over_time, attempt.over_time);
        }
        attempts.push(attempt);
        results.push(result);
        let decision = decide(&attempts, confirmations.enough(), measures);
        if decision != RunDecision::Repeat {
            let decides = deciding(&attempts, decision);
            return Ok(RepeatedRun {
                result: results.swap_remove(decides),
                decides,
                decision,
                attempts,
            });
        }
    }
}

/// Runs a program that is not judged, but whose limits guard us: a compiler, a checker, a validator, a generator. It is
/// run again where the rest of the machine may have decided.
pub(crate) fn run_fairly(
    runner: &mut Runner,
    job: &Job,
    input: Input,
) -> Result<Execution, SandboxError> {
    fairly(runner, job, input, false)
}

/// The same for a program that [`Runner::request`] has started with this input.
pub(crate) fn follow_fairly(
    runner: &mut Runner,
    job: &Job,
    input: Input,
) -> Result<Execution, SandboxError> {
    fairly(runner, job, input, true)
}

fn fairly(
    runner: &mut Runner,
    job: &Job,
    input: Input,
    has_started: bool,
) -> Result<Execution, SandboxError> {
    let Some(mut again) = input.again() else {
        return runner.run(job, input);
    };
    let repeated = repeat_until_decided(&Confirmations::default(), false, |before| {
        let has_started = has_started && before.is_empty();
        let execution = if has_started {
            runner.run_requested(job, again()?)?
        } else {
            runner.run(job, again()?)?
        };
        let mut attempt = Attempt::new(execution.exit, &execution.usage, &job.limits, None);
        // Nobody read its output until now, so it may have waited for us.
        attempt.disturbed |= has_started && execution.exit == Exit::Killed(LimitKind::Wall);
        Ok((attempt, execution))
    })?;
    Ok(repeated.result)
}

#[cfg(test)]
mod tests;
