//! Who runs on which processor: the program where nobody of ours is, as far as there is a choice.
//!
//! While a program runs, the launcher clears up after the one before it and makes ready for the next one. The kernel
//! may let all of that share the program's processor while others are idle: it places whom a message wakes near the one
//! who sent it, and some keep few processors busy on purpose. So the waiting process is told to wake elsewhere; it may
//! use every processor again before it executes, so that no program sees any of this. What is ours stays with the launcher.
//!
//! Nothing here has to succeed, but what the program itself may use: the rest is speed.

use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

/// The processors that may be used; none if nothing may be chosen, or the kernel tells of more than we have room for.
#[derive(Debug)]
pub(super) struct Processors(Option<CpuSet>);

impl Processors {
    /// Those of the caller, to be called before anything else here.
    pub(super) fn of_ours() -> Self {
        let all = sched_getaffinity(None).ok();
        Self(all.filter(|all| sched_setaffinity(None, all).is_ok()))
    }

    /// Those that a program may use, or the one that it is kept to.
    pub(super) fn of_program(&self, one: bool) -> Option<CpuSet> {
        self.0.map(|all| if one { only(last(&all)) } else { all })
    }

    /// Has the process, which sleeps and is to be a program, wake where we are not.
    pub(super) fn wake_elsewhere(&self, pid: libc::pid_t, one: bool) {
        if let Some(all) = self.0 {
            set(Pid::from_raw(pid), parted(&all, sched_getcpu(), one).0);
        }
    }

    /// Keeps the caller, and all that it starts, where the program is not.
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

    /// Has the process run where the caller does, from now on.
    pub(super) fn bring_here(&self, pid: libc::pid_t) {
        if self.0.is_some() {
            set(Pid::from_raw(pid), only(sched_getcpu()));
        }
    }
}

/// Which of all processors are the program's while it begins, and which ours, if we are `here`: none of either where
/// there is no choice.
fn parted(all: &CpuSet, here: usize, one: bool) -> (CpuSet, CpuSet) {
    let (mut others, apart) = (*all, if one { last(all) } else { here });
    others.unset(apart);
    if one {
        (only(apart), others)
    } else {
        (others, only(apart))
    }
}

/// The first ones serve most interrupts.
fn last(all: &CpuSet) -> usize {
    let mut cores = (0..CpuSet::MAX_CPU).rev();
    cores.find(|&core| all.is_set(core)).unwrap_or(0)
}

fn only(core: usize) -> CpuSet {
    let mut only = CpuSet::new();
    only.set(core);
    only
}

/// The kernel refuses an empty set: then all stays as it is.
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
