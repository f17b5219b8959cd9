//! Decides verdicts: the pure functions that derive them from the facts. No verdict is decided elsewhere.
//!
//! Their inputs are the executions in the sandbox, the result of the checker or the interactor, and the score.

use std::time::Duration;

use rejudge_quantity::Bytes;

use crate::checker::CheckOutcome;
use crate::notice::Notice;
use crate::sandbox::{Execution, Exit, LimitKind, Limits, Usage, hard, idle_time_for};
use crate::verdict::Verdict;

/// A verdict, and the reason for it in one paragraph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Judgement {
    pub(crate) verdict: Verdict,
    pub(crate) reason: Option<String>,
    /// Whether the fault is this machine's: another one may be able to judge.
    pub(crate) is_of_machine: bool,
}

impl Judgement {
    pub(crate) fn new(verdict: Verdict, reason: impl Into<String>) -> Self {
        Self { verdict, reason: Some(reason.into()), is_of_machine: false }
    }

    /// A fault of this machine.
    pub(crate) fn of_machine(reason: impl Into<String>) -> Self {
        Self { is_of_machine: true, ..Self::fault(reason) }
    }

    /// A fault of ours or of the problem, and not of the submission.
    pub(crate) fn fault(reason: impl Into<String>) -> Self {
        Self::new(Verdict::JudgeError, reason)
    }
}

/// The verdict if the solution did not write the file that the problem states for its output.
pub(crate) fn of_missing_output(name: &str, is_failure: bool) -> (Verdict, String) {
    let verdict = if is_failure { Verdict::RunTimeError } else { Verdict::WrongAnswer };
    let message = format!("the solution did not write the file `{name}`");
    (verdict, message)
}

/// Adds a likely cause to the reason why a solution without any output failed, which opens a file whose name it puts together
/// and which ends with `ending`.
pub(crate) fn with_unknown_file(judgement: Judgement, ending: &str) -> Judgement {
    match (&judgement.reason, judgement.verdict) {
        (Some(reason), Verdict::WrongAnswer | Verdict::RunTimeError) => Judgement {
            reason: Some(format!(
                "{reason}; if it opens a file `NAME{ending}` whose name rejudge does not guess, set `input_file` in `rejudge.toml`"
            )),
            ..judgement
        },
        _ => judgement,
    }
}

/// The verdict that follows from the execution alone, with the evidence. `None` if the checker must decide.
///
/// The order is MLE, TLE (CPU, then wall), OLE, RTE. A program that exited without being killed still gets TLE if its
/// CPU time is above the limit.
pub(crate) fn of_execution(execution: &Execution, limits: &Limits) -> Option<(Verdict, String)> {
    let cpu = execution.usage.cpu();
    let over_time = cpu > limits.cpu_time;
    let evidence = match execution.exit {
        Exit::Killed(LimitKind::Memory) => (Verdict::MemoryLimit, over_memory(execution, limits)),
        Exit::Killed(LimitKind::Cpu) => (Verdict::TimeLimit, over_cpu(cpu, limits)),
        _ if over_time => (Verdict::TimeLimit, over_cpu(cpu, limits)),
        Exit::Killed(LimitKind::Wall) => (Verdict::TimeLimit, over_wall(&execution.usage, limits)),
        Exit::Killed(LimitKind::Idle) => (Verdict::TimeLimit, over_idle(limits)),
        Exit::Killed(LimitKind::Output) => {
            (Verdict::OutputLimit, format!("output above {}", limits.output))
        }
        Exit::Killed(LimitKind::Processes) => {
            (Verdict::RunTimeError, format!("more than {} processes", limits.processes))
        }
        Exit::Killed(LimitKind::Files) => {
            (Verdict::RunTimeError, "more files than its folder may hold".to_owned())
        }
        Exit::Signal(signal) => (Verdict::RunTimeError, signal_words(signal)),
        Exit::Stopped => {
            (Verdict::RunTimeError, "stopped after the end of the interactor".to_owned())
        }
        Exit::Code(0) => return None,
        Exit::Code(code) => (Verdict::RunTimeError, format!("exit code {code}")),
    };
    Some(evidence)
}

fn over_memory(execution: &Execution, limits: &Limits) -> String {
    let (limit, usage) = (limits.memory, &execution.usage);
    if usage.memory_enforced {
        return format!("memory above {limit}");
    }
    let peak = usage.peak_memory;
    format!(
        "memory above {limit}: inferred from a peak of {peak}, because nothing on this machine enforces the limit"
    )
}

/// The verdict that follows from the result of the checker, for a program that ended in time with exit code 0.
pub(crate) fn of_check(outcome: &CheckOutcome) -> Judgement {
    let (verdict, reason) = match outcome {
        CheckOutcome::Accepted => (Verdict::Accepted, None),
        CheckOutcome::Wrong(mismatch) => (Verdict::WrongAnswer, Some(mismatch.words())),
        CheckOutcome::Unchecked => (Verdict::Ran, Some("no answer to compare with".to_owned())),
        CheckOutcome::Fault(words) => (Verdict::JudgeError, Some(words.clone())),
    };
    Judgement { verdict, reason, is_of_machine: false }
}

/// The verdict on an interaction, if it follows from the execution of the submission. `None` if the interactor decides:
/// the first that applies is a limit that ended the submission before the interactor ended, a fault of the interactor,
/// its rejection if it ended first, the execution of the submission, and the result of the interactor.
pub(crate) fn of_interaction(
    submission: &Execution,
    limits: &Limits,
    interactor: &CheckOutcome,
    interactor_ended_first: bool,
) -> Option<(Verdict, String)> {
    // The interactor was stopped then.
    let submission_decides = matches!(submission.exit, Exit::Killed(_)) && !interactor_ended_first;
    let interactor_decides = match interactor {
        CheckOutcome::Fault(_) => !submission_decides,
        CheckOutcome::Wrong(_) => interactor_ended_first,
        CheckOutcome::Accepted | CheckOutcome::Unchecked => false,
    };
    of_execution(submission, limits).filter(|_| !interactor_decides)
}

/// What follows a pass of a multi-pass problem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum AfterPass {
    /// It was the last pass, and decides.
    End,
    /// Another pass, on the input that the validator wrote.
    Another,
    /// The request for another pass is a fault of the validator.
    Fault(Judgement),
}

/// What follows the pass with this number, which starts at 1. `outcome` is the result of the validator, if it was asked.
/// It may request another pass only if it accepts this one, and only up to `most` passes.
pub(crate) fn after_pass(
    outcome: Option<&CheckOutcome>,
    requested: bool,
    number: u32,
    most: u32,
) -> AfterPass {
    match outcome {
        None | Some(CheckOutcome::Fault(_)) => AfterPass::End,
        Some(_) if !requested => AfterPass::End,
        Some(CheckOutcome::Accepted) if number < most => AfterPass::Another,
        Some(CheckOutcome::Accepted) => AfterPass::Fault(Judgement::fault(format!(
            "the output validator requests more than {most} passes"
        ))),
        Some(_) => AfterPass::Fault(Judgement::fault(
            "the output validator requests another pass but rejects this one",
        )),
    }
}

/// The verdict if the validator requests another pass whose input is invalid for the reason `why`.
pub(crate) fn of_invalid_next_pass(why: &str) -> Judgement {
    Judgement::fault(format!("the output validator requests an invalid next pass: {why}"))
}

/// The verdict on an answer of this size that is submitted in place of a program, if it follows from the size.
pub(crate) fn of_answer_size(size: Bytes, limit: Bytes) -> Option<(Verdict, String)> {
    (size > limit).then(|| (Verdict::OutputLimit, format!("output above {limit}")))
}

/// The verdict on a case for which a submission of answers has none.
pub(crate) fn of_missing_answer(is_required: bool) -> Judgement {
    let verdict = if is_required { Verdict::WrongAnswer } else { Verdict::Skipped };
    Judgement::new(verdict, "the submission has no answer for this case")
}

/// The result of a case if the archive with the answers of the submission cannot be unpacked.
pub(crate) fn of_broken_answers(why: &str) -> Judgement {
    Judgement::new(
        Verdict::WrongAnswer,
        format!("the archive of answers cannot be unpacked: {why}"),
    )
}

/// The verdict and the score of a case. `partly` is the message of a validator that accepts the output in part, if such an
/// output is wrong. `score` comes from the files of the validator; its error describes a fault of the validator.
///
/// `program` is what gave the score, in words.
pub(crate) fn with_score(
    judgement: Judgement,
    program: &str,
    partly: Option<&str>,
    score: Result<Option<f64>, Notice>,
) -> (Judgement, Option<f64>) {
    match (judgement.verdict, partly, score) {
        (Verdict::JudgeError, ..) => (judgement, None),
        (Verdict::Accepted, Some(words), Ok(score)) => {
            (Judgement::new(Verdict::WrongAnswer, words), score)
        }
        (_, _, Ok(score)) => (judgement, score),
        (_, _, Err(fault)) => {
            let fault = format!("the {program} has a fault: {fault}");
            (Judgement::fault(fault), None)
        }
    }
}

/// The index of the run that counts among several runs of a case, given as verdict and CPU time: the worst one.
pub(crate) fn worst(runs: impl Iterator<Item = (Verdict, Duration)>) -> Option<usize> {
    let worst = runs.enumerate().max_by_key(|(_, run)| *run);
    worst.map(|(index, _)| index)
}

/// The verdict of a submission with this verdict of its cases, and that of the package's grader, if there is one.
pub(crate) fn with_grader(cases: Verdict, grader: Option<Verdict>) -> Verdict {
    match (cases, grader) {
        (Verdict::JudgeError, _) | (_, None) => cases,
        (_, Some(verdict)) => verdict,
    }
}

fn over_cpu(cpu: Duration, limits: &Limits) -> String {
    let (cpu, limit) = (cpu.as_secs_f64(), limits.cpu_time.as_secs_f64());
    format!("CPU time {cpu:.3} s, limit {limit} s")
}

/// The evidence for a wall time above the limit: the program waited, or other processes had the processors.
fn over_wall(usage: &Usage, limits: &Limits) -> String {
    let limit = limits.wall_time.as_secs_f64();
    let cpu = usage.cpu().as_secs_f64();
    let starved = usage.contention.starved.as_secs_f64();
    if !usage.contention.starves() {
        return format!(
            "wall time above {limit} s with {cpu:.3} s of CPU time: the program waited"
        );
    }
    if usage.wall >= hard(limits.wall_time) {
        let hard = hard(limits.wall_time).as_secs_f64();
        return format!(
            "wall time above {hard} s, ten times the limit, with {cpu:.3} s of CPU time: for {starved:.3} s the program \
             was ready, but other processes had the processors"
        );
    }
    format!(
        "wall time above {limit} s with {cpu:.3} s of CPU time: the program waited, not counting the {starved:.3} s in \
         which it was ready, but other processes had the processors"
    )
}

/// The evidence for a dialogue in which nothing happened any more.
fn over_idle(limits: &Limits) -> String {
    let idle = idle_time_for(limits.wall_time).as_secs_f64();
    let idle = (idle * 10.0).round() / 10.0;
    format!(
        "for {idle} s, neither the submission nor the interactor read, wrote or computed anything: both wait"
    )
}

/// `signal 11 (SIGSEGV)`. Only numbers with the same meaning on every system get a name.
pub(crate) fn signal_words(signal: i32) -> String {
    let name = match signal {
        1 => "SIGHUP",
        2 => "SIGINT",
        3 => "SIGQUIT",
        4 => "SIGILL",
        5 => "SIGTRAP",
        6 => "SIGABRT",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        13 => "SIGPIPE",
        14 => "SIGALRM",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        25 => "SIGXFSZ",
        7 => "SIGBUS",
        31 => "SIGSYS",
        _ => return format!("signal {signal}"),
    };
    format!("signal {signal} ({name})")
}

#[cfg(test)]
mod tests;
