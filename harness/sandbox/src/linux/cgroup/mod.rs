//! Control groups of the launcher: exact accounts, and limits for the whole tree.
//!
//! The launcher moves into a group of its own in every hierarchy that permits it. So each program starts inside the
//! group, no run is moved between groups, and the usage of the launcher is subtracted. An account that cannot be used is
//! omitted: see [`ControlGroups`].

mod controllers;
mod hierarchy;
mod memory;

use std::io;
use std::os::fd::AsFd;
use std::time::Duration;

use self::controllers::{Cpu, Pids};
use self::hierarchy::ControlGroup;
pub(super) use self::hierarchy::{quota, quotas, step_aside};
use self::memory::Memory;
use super::oom_score;
use super::output_memory::OutputMemory;
use super::trials::Trials;
use crate::limits::Limits;
use crate::protection::Protection;

/// The maximum number of our processes in the group: the launcher, its decoy, the inits of three runs, the process that
/// waits to become the next program, the fork servers of two runs, and the preloaded interpreter with its init.
const OURS: u64 = 10;

/// The control groups of the launcher, with every account that works.
#[derive(Debug, Default)]
pub(super) struct ControlGroups {
    /// CPU time of our processes in the groups that have ended.
    helped: Duration,
    cpu: Option<Cpu>,
    memory: Option<Memory>,
    pids: Option<Pids>,
    /// Removed by [`ControlGroups::leave`].
    groups: Vec<ControlGroup>,
}

impl ControlGroups {
    /// Enters a group of our own wherever the system permits it. The groups are named after `launcher`, our process
    /// number.
    pub(super) fn enter(launcher: u32, found: &mut Trials<'_>) -> Self {
        let mut control_groups = Self::default();
        let may = |protection| found.permits(protection);
        for group in hierarchy::enter_all(launcher) {
            let dir = group.path();
            if may(Protection::CpuAccount) {
                control_groups.cpu = control_groups.cpu.or_else(|| Cpu::open(dir).ok());
            }
            if may(Protection::MemoryGroup) {
                control_groups.memory = control_groups.memory.or_else(|| Memory::open(dir).ok());
            }
            if may(Protection::ProcessGroup) {
                control_groups.pids = control_groups.pids.or_else(|| Pids::open(dir).ok());
            }
            control_groups.groups.push(group);
        }
        for (protection, there) in [
            (Protection::CpuAccount, control_groups.cpu.is_some()),
            (Protection::MemoryGroup, control_groups.memory.is_some()),
            (Protection::ProcessGroup, control_groups.pids.is_some()),
        ] {
            // The results are known already: this only records them.
            found.attempt(protection, || {
                let error = || io::Error::other("no control group of it lets us make one");
                there.then_some(()).ok_or_else(error)
            });
        }
        control_groups
    }

    /// Lifts the memory limit: an ended program can leave the group full, with only our processes in it.
    pub(super) fn lift_memory_limit(&mut self) -> io::Result<()> {
        match &mut self.memory {
            Some(memory) => memory.lift(),
            None => Ok(()),
        }
    }

    /// Leaves and removes our groups. All processes below us must be dead.
    pub(super) fn leave(&mut self) {
        for group in self.groups.drain(..) {
            group.remove();
        }
    }

    /// Call it before a program starts for which `taken` bytes are in memory already, and
    /// [`ControlGroups::begin_cpu`] afterwards.
    pub(super) fn begin(
        &mut self,
        limits: &Limits,
        taken: u64,
        stdout: &impl AsFd,
    ) -> io::Result<()> {
        if let Some(account) = &mut self.memory {
            account.begin(limits.memory.get(), taken, OutputMemory::of(stdout))?;
        }
        if let Some(pids) = &mut self.pids {
            pids.begin(u64::from(limits.processes) + OURS)?;
        }
        Ok(())
    }

    /// Whether the memory limit is higher than usual, so that [`ControlGroups::narrow_memory`] is to be called soon.
    pub(super) fn is_wide(&self) -> bool {
        self.memory.as_ref().is_some_and(Memory::is_wide)
    }

    /// Lowers the memory limit to the usual one if that is possible now. Returns whether the program has more.
    pub(super) fn narrow_memory(&mut self) -> io::Result<bool> {
        self.memory.as_mut().map_or(Ok(false), Memory::narrow)
    }

    /// Call it right before a program starts; `living` as for [`ControlGroups::cpu`].
    pub(super) fn begin_cpu(&mut self, living: Duration) -> io::Result<()> {
        let helped = self.helped;
        (self.cpu.as_mut()).map_or(Ok(()), |cpu| cpu.begin(living + helped))
    }

    /// Call it once we create no more processes during the run. There are `helpers` of ours, so the limit can be
    /// exactly `processes` for the program.
    pub(super) fn narrow(&mut self, processes: u32, helpers: usize) -> io::Result<()> {
        let ours = 1 + helpers as u64;
        match &mut self.pids {
            Some(pids) => pids.narrow(u64::from(processes) + ours),
            None => Ok(()),
        }
    }

    /// CPU time since `begin` of all processes below us, living or dead, without our own; `living` is the total usage
    /// of those of ours that are alive.
    pub(super) fn cpu(&self, living: Duration) -> io::Result<Option<Duration>> {
        let since = |cpu: &Cpu| cpu.since_begin(living + self.helped);
        self.cpu.as_ref().map(since).transpose()
    }

    /// Records that one of our processes has used this, and ended or became a program.
    pub(super) fn helper_ended(&mut self, cpu: Duration) {
        self.helped += cpu;
    }

    /// Whether the kernel killed a process because of this memory limit since `begin`; `None` without such a limit.
    pub(super) fn out_of_memory(&self) -> io::Result<Option<bool>> {
        self.memory.as_ref().map(Memory::has_killed).transpose()
    }

    /// Whether there were too many processes since `begin`, or the kernel refused one; `None` without such a limit.
    pub(super) fn out_of_processes(&self) -> io::Result<Option<bool>> {
        let refused = |pids: &Pids| Ok(pids.over || pids.refusals()? > pids.refusals_before);
        self.pids.as_ref().map(refused).transpose()
    }

    /// The peak of the whole tree since `begin`, if another figure than `resident` is right: see [`Memory::peak`].
    pub(super) fn peak(&self, resident: u64) -> io::Result<Option<u64>> {
        match &self.memory {
            Some(memory) => memory.peak(resident),
            None => Ok(None),
        }
    }

    /// If memory is limited, makes the kernel kill `program` before us; for `own_memory` see [`oom_score::raise`]. Returns whether this is decided, either way.
    pub(super) fn offer(&self, program: libc::pid_t, own_memory: bool) -> bool {
        // If it has ended, or its score cannot be changed: the kernel then kills the larger process first, which is the
        // program.
        self.memory.is_none() || oom_score::raise(program, own_memory).unwrap_or(true)
    }

    pub(super) fn limits_memory(&self) -> bool {
        self.memory.is_some()
    }

    pub(super) fn limits_processes(&self) -> bool {
        self.pids.is_some()
    }

    pub(super) fn counts_cpu(&self) -> bool {
        self.cpu.is_some()
    }

    /// Whether the memory limit is one of cgroup v2.
    pub(super) fn is_version_2(&self) -> bool {
        self.memory.as_ref().is_some_and(Memory::is_version_2)
    }

    /// Prevents all processes below us from creating others.
    pub(super) fn forbid_forks(&mut self) -> io::Result<()> {
        match &mut self.pids {
            Some(pids) => pids.set_limit(0),
            None => Ok(()),
        }
    }
}
