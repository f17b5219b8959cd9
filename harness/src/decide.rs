//! Decides verdicts: the pure functions that derive them from the facts.
//!
//! Their inputs are the execution in the sandbox and the result of the checker.

use std::time::Duration;

use crate::checker::CheckOutcome;
use crate::sandbox::{Execution, Exit, LimitKind, Limits, Usage, hard};
use crate::verdict::Verdict;

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
        Exit::Killed(LimitKind::Output) => (
            Verdict::OutputLimit,
            format!("output above {}", limits.output),
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
        return format!("memory above {limit}");
    }
    let peak = usage.peak_memory;
    format!(
        "memory above {limit}: inferred from a peak of {peak}, because nothing on this machine enforces the limit"
    )
}

/// The verdict that follows from the result of the checker, for a program that ended in time with exit code 0.
pub(crate) fn of_check(outcome: &CheckOutcome) -> Verdict {
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

/// `signal 11 (SIGSEGV)`. Only numbers with the same meaning on every system get a name.
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
        7 => "SIGBUS",
        31 => "SIGSYS",
        _ => return format!("signal {signal}"),
    };
    format!("signal {signal} ({name})")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bytes::Bytes;
    use crate::limits::{DEFAULT_OUTPUT, LimitOverrides, effective_limits};
    use crate::problem::ProblemLimits;
    use crate::sandbox::{Captured, Contention};

    #[test]
    fn time_without_a_processor_is_not_reported_as_waiting() {
        let problem = ProblemLimits {
            cpu_time: Some(Duration::from_secs(4)),
            ..ProblemLimits::default()
        };
        let limits = effective_limits(&problem, DEFAULT_OUTPUT, &LimitOverrides::default());
        let table = [
            (
                12,
                0,
                "wall time above 12 s with 1.700 s of CPU time: the program waited",
            ),
            (
                17,
                5,
                "wall time above 12 s with 1.700 s of CPU time: the program waited, not counting the 5.000 s in which \
                 it was ready, but other processes had the processors",
            ),
            (
                120,
                118,
                "wall time above 120 s, ten times the limit, with 1.700 s of CPU time: for 118.000 s the program was \
                 ready, but other processes had the processors",
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
    fn the_first_exceeded_limit_in_the_order_decides_and_shows_its_figure() {
        let problem = ProblemLimits {
            cpu_time: Some(Duration::from_secs(1)),
            ..ProblemLimits::default()
        };
        let limits = effective_limits(&problem, DEFAULT_OUTPUT, &LimitOverrides::default());
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
                Some("MLE memory above 2 GiB"),
            ),
            (
                Exit::Killed(LimitKind::Memory),
                10,
                Some(
                    "MLE memory above 2 GiB: inferred from a peak of 3 GiB, because nothing on this machine enforces \
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
                Some("OLE output above 64 MiB"),
            ),
            (
                Exit::Killed(LimitKind::Wall),
                10,
                Some("TLE wall time above 3 s with 0.010 s of CPU time: the program waited"),
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
