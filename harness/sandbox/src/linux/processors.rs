//! Chooses processors: the program runs where none of our processes runs, if there is a choice.
//!
//! While a program runs, the launcher removes the last run and prepares the next one. The kernel might let this share
//! the program's processor while others are idle: it places a woken process near the one that woke it, and some kernels
//! keep few processors busy on purpose. Therefore the waiting process is told to wake elsewhere. It may use every
//! processor again before exec, so no program sees any of this. Our own processes stay with the launcher.
//!
//! All of this is for speed and may fail, except the set of processors that the program itself may use.

use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

/// The usable processors; none if there is no choice, or the kernel reports more than fit.
#[derive(Debug)]
pub(super) struct Processors(Option<CpuSet>);

impl Processors {
    /// Those of the caller. Call it before anything else here.
    pub(super) fn of_ours() -> Self {
        let all = sched_getaffinity(None).ok();
        Self(all.filter(|all| sched_setaffinity(None, all).is_ok()))
    }

    /// Those that a program may use, or the single one.
    pub(super) fn of_program(&self, one: bool) -> Option<CpuSet> {
        self.0.map(|all| if one { only(last(&all)) } else { all })
    }

    /// Makes a sleeping process that will become a program wake on another processor than ours.
    pub(super) fn wake_elsewhere(&self, pid: libc::pid_t, one: bool) {
        if let Some(all) = self.0 {
            set(Pid::from_raw(pid), parted(&all, sched_getcpu(), one).0);
        }
    }

    /// Keeps the caller and its new children away from the program's processor.
    pub(super) fn stay(&self, one: bool) {
        if let Some(all) = self.0 {
            set(None, parted(&all, sched_getcpu(), one).1);
        }
    }

    /// Lets the caller run anywhere again.
    pub(super) fn roam(&self) {
        if let Some(all) = self.0 {
            set(None, all);
        }
    }

    /// Makes the process run where the caller runs, from now on.
    pub(super) fn bring_here(&self, pid: libc::pid_t) {
        if self.0.is_some() {
            set(Pid::from_raw(pid), only(sched_getcpu()));
        }
    }
}

/// The processors for the program's start, and ours, if we are `here`; none of either without a choice.
fn parted(all: &CpuSet, here: usize, one: bool) -> (CpuSet, CpuSet) {
    let (mut others, apart) = (*all, if one { last(all) } else { here });
    others.unset(apart);
    if one {
        (only(apart), others)
    } else {
        (others, only(apart))
    }
}

/// The first processors serve most interrupts.
fn last(all: &CpuSet) -> usize {
    let mut cores = (0..CpuSet::MAX_CPU).rev();
    cores.find(|&core| all.is_set(core)).unwrap_or(0)
}

fn only(core: usize) -> CpuSet {
    let mut only = CpuSet::new();
    only.set(core);
    only
}

/// The kernel refuses an empty set: then everything stays as it is.
fn set(pid: Option<Pid>, processors: CpuSet) {
    let _ = sched_setaffinity(pid, &processors);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cores(cores: &[usize]) -> CpuSet {
        let mut set = CpuSet::new();
        for &core in cores {
            set.set(core);
        }
        set
    }

    #[test]
    fn the_program_is_where_we_are_not() {
        let all = cores(&[1, 2, 5]);
        assert_eq!(parted(&all, 2, false), (cores(&[1, 5]), cores(&[2])));
        // Kept to the last core, wherever we are.
        assert_eq!(parted(&all, 2, true), (cores(&[5]), cores(&[1, 2])));
        assert_eq!(parted(&all, 5, true), (cores(&[5]), cores(&[1, 2])));
    }

    #[test]
    fn a_single_processor_is_shared() {
        let all = cores(&[3]);
        assert_eq!(parted(&all, 3, false), (cores(&[]), cores(&[3])));
        assert_eq!(parted(&all, 3, true), (cores(&[3]), cores(&[])));
    }
}
