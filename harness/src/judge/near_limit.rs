//! What a run under parallel load says about the time limit, and when it must be run again alone.
//!
//! Another busy core makes memory-bound programs a third slower, so such a run goes on to one and a
//! half times its limit. Between 0.95 and 1.5 times nobody knows; reaching 1.5 it is over the limit
//! on any machine. A run that is alone is killed at the limit and decides; it has one core to itself
//! if the first did not use more.
//!
//! A submission that is near its limit on a thousand cases would have a thousand runs alone. After
//! [`ENOUGH`] that all said what the first runs had said, the rest of its first runs are believed.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crate::sandbox::{Execution, Exit, LimitKind, Limits, Usage};

/// After so many confirmations of a submission, if none overturned anything, no more are made.
const ENOUGH: usize = 16;

/// The limits of a run that shares the machine with our other workers.
pub(crate) fn shared(limits: &Limits) -> Limits {
    Limits {
        cpu_kill: limits.cpu_time * 3 / 2,
        ..*limits
    }
}

/// The limits of a run that is alone, after `first` was not.
pub(crate) fn alone(limits: &Limits, first: &Usage) -> Limits {
    Limits {
        // Threads that did run at the same time need their cores; a little more than one is the kernel's own work.
        one_core: first.cpu() <= first.wall * 11 / 10,
        ..*limits
    }
}

/// The confirmations of one submission.
#[derive(Debug, Default)]
pub(crate) struct Confirmations {
    made: AtomicUsize,
    overturned: AtomicBool,
}

impl Confirmations {
    /// Whether the next first run is believed.
    pub(crate) fn enough(&self) -> bool {
        self.made.load(Ordering::Relaxed) >= ENOUGH && !self.overturned.load(Ordering::Relaxed)
    }

    /// Notes whether the first run, and then the one alone, was over its time limit.
    pub(crate) fn add(&self, first: bool, second: bool) {
        if first != second {
            self.overturned.store(true, Ordering::Relaxed);
        }
        self.made.fetch_add(1, Ordering::Relaxed);
    }
}

/// Whether a run that ended so is over its time limit.
pub(crate) fn over_time(exit: Exit, usage: &Usage, limits: &Limits) -> bool {
    matches!(exit, Exit::Killed(LimitKind::Wall | LimitKind::Cpu)) || usage.cpu() > limits.cpu_time
}

/// Whether a run under [`shared`] limits leaves its time verdict open.
pub(crate) fn undecided(execution: &Execution, limits: &Limits) -> bool {
    match execution.exit {
        Exit::Killed(LimitKind::Wall) => true,
        Exit::Killed(LimitKind::Cpu) => false,
        _ => execution.usage.cpu() >= limits.cpu_time * 19 / 20,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::limits::{LimitOverrides, settle};
    use crate::problem::ProblemLimits;
    use crate::sandbox::Captured;

    fn one_second() -> Limits {
        let one_second = ProblemLimits {
            cpu_time: Some(Duration::from_secs(1)),
            ..ProblemLimits::default()
        };
        settle(&one_second, true, &LimitOverrides::default())
    }

    fn ended(exit: Exit, cpu_ms: u64) -> Execution {
        Execution {
            exit,
            usage: Usage {
                cpu_user: Duration::from_millis(cpu_ms),
                ..Usage::default()
            },
            stdout: Captured::default(),
            stderr_tail: Vec::new(),
        }
    }

    #[test]
    fn confirmations_end_when_they_teach_nothing() {
        let limits = one_second();
        let over = |run: &Execution| over_time(run.exit, &run.usage, &limits);
        let slow = over(&ended(Exit::Code(0), 1200));
        let killed = over(&ended(Exit::Killed(LimitKind::Cpu), 1001));
        let confirmed = Confirmations::default();
        for _ in 0..ENOUGH {
            assert!(!confirmed.enough());
            confirmed.add(slow, killed);
        }
        assert!(confirmed.enough());
        confirmed.add(slow, over(&ended(Exit::Code(0), 900)));
        assert!(!confirmed.enough(), "one was overturned");
    }

    #[test]
    fn a_run_alone_keeps_the_cores_that_it_used_at_the_same_time() {
        let limits = one_second();
        for (cpu_ms, one_core) in [(0, true), (1000, true), (1100, true), (1101, false)] {
            let usage = Usage {
                cpu_user: Duration::from_millis(cpu_ms),
                wall: Duration::from_secs(1),
                ..Usage::default()
            };
            assert_eq!(alone(&limits, &usage).one_core, one_core, "{cpu_ms}");
        }
    }

    #[test]
    fn only_a_run_near_its_limit_is_run_again() {
        let limits = one_second();
        assert_eq!(shared(&limits).cpu_kill, Duration::from_millis(1500));
        let table = [
            (Exit::Code(0), 949, false),
            (Exit::Code(0), 950, true),
            (Exit::Code(1), 1200, true),
            (Exit::Code(0), 1499, true),
            (Exit::Killed(LimitKind::Cpu), 1500, false),
            (Exit::Killed(LimitKind::Wall), 10, true),
            (Exit::Killed(LimitKind::Memory), 10, false),
        ];
        for (exit, cpu_ms, expected) in table {
            let execution = ended(exit, cpu_ms);
            assert_eq!(
                undecided(&execution, &limits),
                expected,
                "{exit:?} {cpu_ms}"
            );
        }
    }
}
