//! Control groups of the launcher: exact accounts, and limits for the whole tree.
//!
//! The launcher itself moves into a group of its own in every hierarchy that lets it, so each program is born inside and
//! no run pays for a migration; what the launcher uses itself is subtracted. What cannot be had by trying is done
//! without: see [`Accounts`].

mod controllers;
mod hierarchy;
mod memory;

use std::io;
use std::time::Duration;

use self::controllers::{Cpu, Pids};
use self::hierarchy::Group;
pub(super) use self::hierarchy::{quotas, step_aside};
use self::memory::Memory;
use super::oom_score;
use super::trials::Trials;
use crate::protection::Protection;

/// As many processes of ours are in the group at most: the launcher, its decoy, the first processes of three runs'
/// namespaces, and the one that waits to become the next program.
const OURS: u64 = 6;

/// Every account that could be had.
#[derive(Debug, Default)]
pub(super) struct Accounts {
    /// CPU time of helpers of ours that are in the groups too and have ended.
    helped: Duration,
    cpu: Option<Cpu>,
    memory: Option<Memory>,
    pids: Option<Pids>,
    /// Removed by [`Accounts::leave`].
    groups: Vec<Group>,
}

impl Accounts {
    /// Enters groups of our own wherever the system lets us; they are named after `launcher`, our process number.
    pub(super) fn enter(launcher: u32, found: &mut Trials<'_>) -> Self {
        let mut accounts = Self::default();
        let may = |protection| found.permits(protection);
        for group in hierarchy::enter_all(launcher) {
            let dir = group.path();
            if may(Protection::CpuAccount) {
                accounts.cpu = accounts.cpu.or_else(|| Cpu::open(dir).ok());
            }
            if may(Protection::MemoryGroup) {
                accounts.memory = accounts.memory.or_else(|| Memory::open(dir).ok());
            }
            if may(Protection::ProcessGroup) {
                accounts.pids = accounts.pids.or_else(|| Pids::open(dir).ok());
            }
            accounts.groups.push(group);
        }
        for (protection, there) in [
            (Protection::CpuAccount, accounts.cpu.is_some()),
            (Protection::MemoryGroup, accounts.memory.is_some()),
            (Protection::ProcessGroup, accounts.pids.is_some()),
        ] {
            // What was found is found already: this only writes it down.
            found.attempt(protection, || {
                let error = || io::Error::other("no control group of it lets us make one");
                there.then_some(()).ok_or_else(error)
            });
        }
        accounts
    }

    /// Lifts the memory limit, for a program that has ended may have left the group full, with nobody in it but us.
    pub(super) fn lift_memory_limit(&mut self) -> io::Result<()> {
        match &mut self.memory {
            Some(memory) => memory.lift(),
            None => Ok(()),
        }
    }

    /// Leaves and removes our groups; everything below us must be dead.
    pub(super) fn leave(&mut self) {
        for group in self.groups.drain(..) {
            group.remove();
        }
    }

    /// To be called before a program starts, for which `taken` bytes are in memory; `living` as for [`Accounts::cpu`].
    pub(super) fn begin(
        &mut self,
        memory: u64,
        taken: u64,
        processes: u32,
        living: Duration,
    ) -> io::Result<()> {
        if let Some(cpu) = &mut self.cpu {
            cpu.begin(living + self.helped)?;
        }
        if let Some(account) = &mut self.memory {
            account.begin(memory, taken)?;
        }
        if let Some(pids) = &mut self.pids {
            pids.begin(u64::from(processes) + OURS)?;
        }
        Ok(())
    }

    /// To be called once no process of ours is made any more while the program runs: there are `helpers` beside us, and so
    /// it may have exactly `processes`.
    pub(super) fn narrow(&mut self, processes: u32, helpers: usize) -> io::Result<()> {
        let ours = 1 + helpers as u64;
        match &mut self.pids {
            Some(pids) => pids.narrow(u64::from(processes) + ours),
            None => Ok(()),
        }
    }

    /// CPU time since `begin` of everything below us, whether it lives or not, without that of our helpers: `living`
    /// is what those that have not ended have ever used.
    pub(super) fn cpu(&self, living: Duration) -> io::Result<Option<Duration>> {
        let since = |cpu: &Cpu| cpu.since_begin(living + self.helped);
        self.cpu.as_ref().map(since).transpose()
    }

    /// A helper has ended, and had used this.
    pub(super) fn helper_ended(&mut self, cpu: Duration) {
        self.helped += cpu;
    }

    /// Whether this memory limit made the kernel kill something since `begin`; `None` if there is no such limit.
    pub(super) fn out_of_memory(&self) -> io::Result<Option<bool>> {
        self.memory.as_ref().map(Memory::has_killed).transpose()
    }

    /// Whether there were too many processes since `begin`, or one was refused; `None` if there is no such limit.
    pub(super) fn out_of_processes(&self) -> io::Result<Option<bool>> {
        let refused = |pids: &Pids| Ok(pids.over || pids.refusals()? > pids.refusals_before);
        self.pids.as_ref().map(refused).transpose()
    }

    /// Peak of the whole tree since `begin`, where another figure than `resident` is to be believed: see
    /// [`Memory::peak`].
    pub(super) fn peak(&self, resident: u64) -> io::Result<Option<u64>> {
        match &self.memory {
            Some(memory) => memory.peak(resident),
            None => Ok(None),
        }
    }

    /// Has the kernel's killer take `program` before us, if its memory is limited; whether that is settled, one way or
    /// the other.
    pub(super) fn offer(&self, program: libc::pid_t) -> bool {
        // One that has ended, or whose score is not for us to change: then the larger one goes first, which is it.
        self.memory.is_none() || oom_score::raise(program).unwrap_or(true)
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

    /// Lets nothing below us multiply any more.
    pub(super) fn forbid_forks(&mut self) -> io::Result<()> {
        match &mut self.pids {
            Some(pids) => pids.set_limit(0),
            None => Ok(()),
        }
    }
}
