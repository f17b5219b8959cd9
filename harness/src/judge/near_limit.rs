//! The limits of a run in parallel with our other workers, and of a run alone.
//!
//! Another busy core makes memory-bound programs a third slower. So a run in parallel with others is killed only at 1.5
//! times its limit. If it used between 0.95 and 1.5 times the limit, the verdict is open: the case is run again alone
//! and killed at the limit. That run is pinned to one core if the first run did not use more than one. The decision
//! itself is in [`attempts`](crate::attempts).

use crate::attempts::Attempt;
use crate::sandbox::{Limits, Usage};

/// The limits of a run that shares the machine with our other workers.
pub(crate) fn shared(limits: &Limits) -> Limits {
    let cpu_kill = if limits.is_ended_late() { limits.cpu_kill } else { limits.cpu_time * 3 / 2 };
    Limits { cpu_kill, ..*limits }
}

/// The limits of a run that is alone, after `first`.
pub(crate) fn alone(limits: &Limits, first: &Attempt) -> Limits {
    let Usage { wall, .. } = first.usage;
    Limits {
        // Threads that did run at the same time need their cores; the 10 % above one core allow for the kernel's own
        // work. After a disturbed run the kernel may choose: other processes may be on the core.
        one_core: first.open && !first.disturbed && first.usage.cpu() <= wall * 11 / 10,
        ..*limits
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::limits::{DEFAULT_OUTPUT, LimitOverrides, effective_limits};
    use crate::problem::ProblemLimits;

    #[test]
    fn a_run_alone_is_pinned_only_if_it_used_one_core() {
        let one_second =
            ProblemLimits { cpu_time: Some(Duration::from_secs(1)), ..ProblemLimits::default() };
        let limits = effective_limits(&one_second, DEFAULT_OUTPUT, &LimitOverrides::default());
        assert_eq!(shared(&limits).cpu_kill, Duration::from_millis(1500));
        let unstated =
            effective_limits(&ProblemLimits::default(), DEFAULT_OUTPUT, &LimitOverrides::default());
        assert_eq!(shared(&unstated).cpu_kill, Duration::from_secs(12));
        for (cpu_ms, disturbed, one_core) in [
            (0, false, true),
            (1000, false, true),
            (1100, false, true),
            (1101, false, false),
            (1000, true, false),
        ] {
            let first = Attempt {
                usage: Usage {
                    cpu_user: Duration::from_millis(cpu_ms),
                    wall: Duration::from_secs(1),
                    ..Usage::default()
                },
                open: true,
                disturbed,
                ..Attempt::default()
            };
            assert_eq!(alone(&limits, &first).one_core, one_core, "{cpu_ms}");
        }
    }
}
