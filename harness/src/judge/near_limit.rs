//! What a run under parallel load says about the time limit, and when it must be run again alone.
//!
//! Another busy core makes memory-bound programs a third slower, so such a run goes on to one and a
//! half times its limit. Between 0.95 and 1.5 times nobody knows; reaching 1.5 it is over the limit
//! on any machine. A run that is alone is killed at the limit and decides.

use crate::sandbox::{Execution, Exit, LimitKind, Limits};

/// The limits of a run that shares the machine with our other workers.
pub(crate) fn shared(limits: &Limits) -> Limits {
    Limits {
        cpu_kill: limits.cpu_time * 3 / 2,
        ..*limits
    }
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
    use crate::sandbox::{Captured, Usage};

    #[test]
    fn only_a_run_near_its_limit_is_run_again() {
        let one_second = ProblemLimits {
            cpu_time: Some(Duration::from_secs(1)),
            ..ProblemLimits::default()
        };
        let limits = settle(&one_second, true, &LimitOverrides::default());
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
            let usage = Usage {
                cpu_user: Duration::from_millis(cpu_ms),
                ..Usage::default()
            };
            let stdout = Captured::default();
            let execution = Execution {
                exit,
                usage,
                stdout,
                stderr_tail: Vec::new(),
            };
            assert_eq!(
                undecided(&execution, &limits),
                expected,
                "{exit:?} {cpu_ms}"
            );
        }
    }
}
