//! The verdict on one case, and the pure functions that set which fact wins.
//!
//! Last in the flow before the report: it sees what the sandbox observed and what the checker said,
//! and touches neither.

use std::fmt;
use std::time::Duration;

use crate::checker::CheckOutcome;
use crate::sandbox::{Execution, Exit, LimitKind, Limits, Usage, hard};

/// The judge's word on a case, or on a submission over its cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// AC: accepted.
    Accepted,
    /// Run only: there is no answer to compare with, so nobody can say that it is right.
    Ran,
    /// WA: wrong answer.
    WrongAnswer,
    /// RTE: ended by a signal or with a non-zero exit code.
    RunTimeError,
    /// OLE: wrote more than the output limit.
    OutputLimit,
    /// TLE: over the CPU or wall limit.
    TimeLimit,
    /// MLE: over the memory limit.
    MemoryLimit,
    /// CE: did not compile.
    CompileError,
    /// JE: the judge could not judge (its sandbox, a checker, a missing answer).
    JudgeError,
    /// Not run: an earlier case settled it, or the run was interrupted.
    Skipped,
}

impl Verdict {
    /// Every verdict, in the order of [`Verdict::Accepted`] to [`Verdict::Skipped`].
    pub const ALL: [Self; 10] = [
        Self::Accepted,
        Self::Ran,
        Self::WrongAnswer,
        Self::RunTimeError,
        Self::OutputLimit,
        Self::TimeLimit,
        Self::MemoryLimit,
        Self::CompileError,
        Self::JudgeError,
        Self::Skipped,
    ];

    /// The field's abbreviation: `AC`, `WA`, …
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Accepted => "AC",
            Self::Ran => "RAN",
            Self::WrongAnswer => "WA",
            Self::RunTimeError => "RTE",
            Self::OutputLimit => "OLE",
            Self::TimeLimit => "TLE",
            Self::MemoryLimit => "MLE",
            Self::CompileError => "CE",
            Self::JudgeError => "JE",
            Self::Skipped => "SKIP",
        }
    }

    /// In words: `wrong answer`.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Ran => "run only",
            Self::WrongAnswer => "wrong answer",
            Self::RunTimeError => "run-time error",
            Self::OutputLimit => "output limit exceeded",
            Self::TimeLimit => "time limit exceeded",
            Self::MemoryLimit => "memory limit exceeded",
            Self::CompileError => "compile error",
            Self::JudgeError => "judge error",
            Self::Skipped => "skipped",
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.code())
    }
}

/// What the execution alone settles, with the evidence; `None`: the checker has the word.
///
/// The order is MLE, TLE (CPU, then wall), OLE, RTE. A program that ended by itself is still over
/// its time limit if its CPU time is.
#[must_use]
pub fn of_execution(execution: &Execution, limits: &Limits) -> Option<(Verdict, String)> {
    let cpu = execution.usage.cpu();
    let over_time = cpu > limits.cpu_time;
    let evidence = match execution.exit {
        Exit::Killed(LimitKind::Memory) => (Verdict::MemoryLimit, over_memory(execution, limits)),
        Exit::Killed(LimitKind::Cpu) => (Verdict::TimeLimit, over_cpu(cpu, limits)),
        _ if over_time => (Verdict::TimeLimit, over_cpu(cpu, limits)),
        Exit::Killed(LimitKind::Wall) => (Verdict::TimeLimit, over_wall(&execution.usage, limits)),
        Exit::Killed(LimitKind::Output) => (
            Verdict::OutputLimit,
            format!("output over {}", limits.output),
        ),
        Exit::Killed(LimitKind::Processes) => (
            Verdict::RunTimeError,
            format!("more than {} processes", limits.processes),
        ),
        Exit::Killed(LimitKind::Files) => (
            Verdict::RunTimeError,
            "more files than its folder may hold".to_owned(),
        ),
        Exit::Signal(signal) => (Verdict::RunTimeError, signal_words(signal)),
        Exit::Code(0) => return None,
        Exit::Code(code) => (Verdict::RunTimeError, format!("exit code {code}")),
    };
    Some(evidence)
}

fn over_memory(execution: &Execution, limits: &Limits) -> String {
    let (limit, usage) = (limits.memory, &execution.usage);
    if usage.memory_enforced {
        return format!("memory over {limit}");
    }
    let peak = usage.peak_memory;
    format!(
        "memory over {limit}: inferred from a peak of {peak}, for nothing on this machine enforces the limit"
    )
}

/// What the checker settles about a program that ended by itself, in time, with exit code 0.
#[must_use]
pub fn of_check(outcome: &CheckOutcome) -> Verdict {
    match outcome {
        CheckOutcome::Accepted => Verdict::Accepted,
        CheckOutcome::Wrong(_) => Verdict::WrongAnswer,
        CheckOutcome::Unchecked => Verdict::Ran,
        CheckOutcome::Fault(_) => Verdict::JudgeError,
    }
}

fn over_cpu(cpu: Duration, limits: &Limits) -> String {
    let (cpu, limit) = (cpu.as_secs_f64(), limits.cpu_time.as_secs_f64());
    format!("CPU time {cpu:.3} s, limit {limit} s")
}

/// Whether it waited, or others had the processors.
fn over_wall(usage: &Usage, limits: &Limits) -> String {
    let limit = limits.wall_time.as_secs_f64();
    let cpu = usage.cpu().as_secs_f64();
    let starved = usage.contention.starved.as_secs_f64();
    if !usage.contention.starves() {
        return format!("wall time over {limit} s, with {cpu:.3} s of CPU time: it waited");
    }
    if usage.wall >= hard(limits.wall_time) {
        let hard = hard(limits.wall_time).as_secs_f64();
        return format!(
            "wall time over {hard} s, ten times its limit, with {cpu:.3} s of CPU time: for {starved:.3} s it was \
             ready and others had the processors"
        );
    }
    format!(
        "wall time over {limit} s, with {cpu:.3} s of CPU time: it waited, not counting the {starved:.3} s in which it \
         was ready and others had the processors"
    )
}

/// `signal 11 (SIGSEGV)`; only numbers that mean the same on every system have a name.
fn signal_words(signal: i32) -> String {
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
        7 if cfg!(target_os = "linux") => "SIGBUS",
        31 if cfg!(target_os = "linux") => "SIGSYS",
        _ => return format!("signal {signal}"),
    };
    format!("signal {signal} ({name})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Bytes;
    use crate::limits::{DEFAULT_OUTPUT, LimitOverrides, settle};
    use crate::problem::ProblemLimits;
    use crate::sandbox::{Captured, Contention};

    #[test]
    fn a_program_that_was_starved_is_not_said_to_have_waited() {
        let problem = ProblemLimits {
            cpu_time: Some(Duration::from_secs(4)),
            ..ProblemLimits::default()
        };
        let limits = settle(&problem, DEFAULT_OUTPUT, &LimitOverrides::default());
        let table = [
            (
                12,
                0,
                "wall time over 12 s, with 1.700 s of CPU time: it waited",
            ),
            (
                17,
                5,
                "wall time over 12 s, with 1.700 s of CPU time: it waited, not counting the 5.000 s in which it was \
                 ready and others had the processors",
            ),
            (
                120,
                118,
                "wall time over 120 s, ten times its limit, with 1.700 s of CPU time: for 118.000 s it was ready and \
                 others had the processors",
            ),
        ];
        for (wall, starved, expected) in table {
            let wall = Duration::from_secs(wall);
            let contention = Contention {
                observed: wall,
                starved: Duration::from_secs(starved),
                ..Contention::default()
            };
            let usage = Usage {
                cpu_user: Duration::from_millis(1700),
                wall,
                contention,
                ..Usage::default()
            };
            assert_eq!(over_wall(&usage, &limits), expected);
        }
    }

    #[test]
    fn the_first_limit_in_the_order_wins_and_says_how_far_it_went() {
        let problem = ProblemLimits {
            cpu_time: Some(Duration::from_secs(1)),
            ..ProblemLimits::default()
        };
        let limits = settle(&problem, DEFAULT_OUTPUT, &LimitOverrides::default());
        let table = [
            (Exit::Code(0), 900, None),
            (Exit::Code(0), 1000, None),
            (Exit::Code(0), 1001, Some("TLE CPU time 1.001 s, limit 1 s")),
            (Exit::Code(3), 900, Some("RTE exit code 3")),
            (Exit::Code(3), 1100, Some("TLE CPU time 1.100 s, limit 1 s")),
            (Exit::Signal(11), 0, Some("RTE signal 11 (SIGSEGV)")),
            (Exit::Signal(40), 0, Some("RTE signal 40")),
            (
                Exit::Killed(LimitKind::Memory),
                1100,
                Some("MLE memory over 2 GiB"),
            ),
            (
                Exit::Killed(LimitKind::Memory),
                10,
                Some(
                    "MLE memory over 2 GiB: inferred from a peak of 3 GiB, for nothing on this machine enforces \
                     the limit",
                ),
            ),
            (
                Exit::Killed(LimitKind::Cpu),
                1002,
                Some("TLE CPU time 1.002 s, limit 1 s"),
            ),
            (
                Exit::Killed(LimitKind::Output),
                1100,
                Some("TLE CPU time 1.100 s, limit 1 s"),
            ),
            (
                Exit::Killed(LimitKind::Output),
                10,
                Some("OLE output over 64 MiB"),
            ),
            (
                Exit::Killed(LimitKind::Wall),
                10,
                Some("TLE wall time over 3 s, with 0.010 s of CPU time: it waited"),
            ),
            (
                Exit::Killed(LimitKind::Processes),
                0,
                Some("RTE more than 256 processes"),
            ),
        ];
        for (exit, cpu_ms, expected) in table {
            let usage = Usage {
                cpu_user: Duration::from_millis(cpu_ms),
                peak_memory: Bytes::mib(3 << 10),
                memory_enforced: !expected.is_some_and(|words| words.contains("inferred")),
                ..Usage::default()
            };
            let stdout = Captured::default();
            let execution = Execution {
                exit,
                usage,
                stdout,
                stderr_tail: Vec::new(),
            };
            let found = of_execution(&execution, &limits);
            let found = found.map(|(verdict, evidence)| format!("{verdict} {evidence}"));
            assert_eq!(found.as_deref(), expected, "{exit:?} {cpu_ms}");
        }
    }
}
