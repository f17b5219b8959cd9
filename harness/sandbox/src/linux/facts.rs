//! The launcher's protections and clocks as [`Facts`].

use rustix::process::geteuid;

use super::cgroup::ControlGroups;
use super::protections::Protections;
use super::trials::Trials;
use crate::back_end::BackEnd;
use crate::execution::Clock;
use crate::facts::Facts;

/// Call it after all trials.
pub(super) fn of(
    control_groups: &ControlGroups,
    protections: &Protections,
    trials: Trials<'_>,
) -> Facts {
    let cgroup = |has: bool, other: Clock| if has { Clock::Cgroup } else { other };
    let limits = (control_groups.limits_memory(), control_groups.is_version_2());
    let back_end = match (&protections.namespaces, protections.user) {
        (None, _) => BackEnd::Plain,
        (Some(_), None) if !geteuid().is_root() => match limits {
            (true, _) => BackEnd::UserCgroup2,
            (false, _) => BackEnd::User,
        },
        (Some(_), _) => match limits {
            (true, true) => BackEnd::RootCgroup2,
            (true, false) => BackEnd::RootCgroup1,
            (false, _) => BackEnd::Root,
        },
    };
    Facts {
        back_end,
        protections: trials.finish("it was not tried"),
        cpu_clock: cgroup(control_groups.counts_cpu(), Clock::Rusage),
        memory_clock: cgroup(control_groups.limits_memory(), Clock::Polled),
    }
}
