//! A started program.

use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

use super::standby_memory::StandbyMemory;
use super::step::SetupError;

/// A started program.
#[derive(Debug)]
pub(super) struct Child {
    pub(super) pid: libc::pid_t,
    /// Becomes readable when the program ends.
    pub(super) pidfd: OwnedFd,
    pub(super) started: Started,
    /// The CPU time of its process when [`ControlGroups::begin_cpu`](super::cgroup::ControlGroups::begin_cpu) was called.
    pub(super) cpu_at_begin: Duration,
    /// Whether it is a copy of a [preloaded interpreter](super::preload), which never calls exec.
    pub(super) is_copy: bool,
}

/// The start of a program: right before exec, by the clock of the child, because the launcher may run again much later.
#[derive(Debug)]
pub(super) enum Started {
    At {
        time: Instant,
        /// The CPU time of its process so far.
        cpu: Duration,
    },
    /// The process writes both to this memory.
    Reported(StandbyMemory),
}

impl Child {
    /// The time of its start; at least now, if it has not started yet.
    pub(super) fn started(&self) -> Instant {
        match &self.started {
            Started::At { time, .. } => *time,
            Started::Reported(waiting) => waiting.began().unwrap_or_else(Instant::now),
        }
    }

    /// The time from this order until its start, if its process waited for one and has started.
    pub(super) fn started_after(&self, order: Option<Instant>) -> Option<Duration> {
        let (Started::Reported(waiting), Some(order)) = (&self.started, order) else {
            return None;
        };
        let began = waiting.began()?;
        Some(began.saturating_duration_since(order))
    }

    /// Whether it is [held](super::hold) after exec.
    pub(super) fn is_held(&self) -> bool {
        match &self.started {
            Started::At { .. } => false,
            Started::Reported(waiting) => waiting.is_held(),
        }
    }

    /// The CPU time of its process until it called exec, which is not the program's: all, and what the group has counted
    /// since `begin_cpu`.
    pub(super) fn cpu_before_exec(&self) -> [Duration; 2] {
        let all = match &self.started {
            Started::At { cpu, .. } => *cpu,
            Started::Reported(waiting) => waiting.cpu_before_exec(),
        };
        [all, all.saturating_sub(self.cpu_at_begin)]
    }

    /// The reason why it never started, if it exited before exec.
    pub(super) fn failed(&self) -> Option<SetupError> {
        match &self.started {
            Started::At { .. } => None,
            Started::Reported(waiting) => waiting.failed(),
        }
    }

    /// Whether it was prepared beforehand and has not called exec.
    pub(super) fn never_started(&self) -> bool {
        match &self.started {
            Started::At { .. } => false,
            Started::Reported(waiting) => waiting.began().is_none(),
        }
    }

    /// Call it once the program is reaped; until then its process may use this data.
    pub(super) fn release(self) {
        if let Started::Reported(waiting) = self.started {
            waiting.release();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_the_time_before_exec_the_group_has_counted_what_came_after_its_first_reading() {
        let child = |cpu_at_begin| Child {
            pid: 0,
            pidfd: OwnedFd::from(std::fs::File::open("/dev/null").unwrap()),
            started: Started::At { time: Instant::now(), cpu: Duration::from_micros(90) },
            cpu_at_begin: Duration::from_micros(cpu_at_begin),
            is_copy: false,
        };
        let micros = |figures: [u64; 2]| figures.map(Duration::from_micros);
        assert_eq!(child(0).cpu_before_exec(), micros([90, 90]));
        assert_eq!(child(70).cpu_before_exec(), micros([90, 20]));
        // It never came to exec.
        assert_eq!(child(100).cpu_before_exec(), micros([90, 0]));
    }
}
