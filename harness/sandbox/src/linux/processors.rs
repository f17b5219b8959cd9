//! Chooses processors: the program runs where none of our processes runs, if there is a choice.
//!
//! While a program runs, the launcher removes the last run and prepares the next one. The kernel might let this share
//! the program's processor while others are idle: it places a woken process near the one that woke it, and some kernels
//! keep few processors busy on purpose. Therefore the waiting process is told to wake elsewhere. It may use every
//! processor again before exec, so no program sees any of this. Our own processes stay with the launcher.
//!
//! If other programs keep those processors busy, a process that had to wake there would wait for a time slice, which
//! takes several times as long as a short run. A late start shows this. For the next runs, the launcher then shares its
//! processor: the program starts there, and the launcher prepares the next run only when it has ended. The kernel has no
//! reason to move anything to a busy processor then. Later another attempt shows whether the others are idle again. With
//! a single processor it is always so, and when the judge runs as many programs at once as there are processors. In that
//! case, the judge's thread may have a processor of its own (see [`OwnProcessor`]), and the launcher stays there.
//!
//! All of this is for speed and may fail, except the set of processors that the program itself may use.
//!
//! [`OwnProcessor`]: crate::OwnProcessor

use std::time::{Duration, Instant};

use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

/// The usable processors; none if the kernel reports more than fit.
#[derive(Debug)]
pub(super) struct Processors {
    all: Option<CpuSet>,
    elsewhere: Elsewhere,
    /// When the last process was told where to wake and to become a program.
    told: Option<(Placement, Instant)>,
    /// Whether the caller may run on only one of them now.
    stays: bool,
    /// The number of runners at work in the judge's process.
    runners: u32,
    /// The processor of the judge's thread, the only one that the caller may use, if every such thread has one and no
    /// processor is left over.
    own: Option<usize>,
}

/// Where a program starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Placement {
    /// On another processor than ours.
    Elsewhere,
    /// On ours, which is idle while we wait for the program to end.
    Here,
}

/// A program that starts later than this after its order found no idle processor. An idle one takes a tenth of it.
const LATE: Duration = Duration::from_micros(500);
/// On our own processor, only another program can delay a start for so long.
const LATE_HERE: Duration = Duration::from_millis(2);

/// Decides whether the next program wakes elsewhere.
#[derive(Debug, Default)]
struct Elsewhere {
    /// The number of programs that start on our processor.
    left: u32,
    /// That number after the last late start; zero after a start in time.
    pause: u32,
}

impl Elsewhere {
    /// The number of runs without an attempt: one after the first late start, which may be a coincidence, and more after
    /// each further one.
    const PAUSES: [u32; 2] = [1, 512];

    fn next(&mut self) -> Placement {
        if self.left == 0 {
            return Placement::Elsewhere;
        }
        self.left -= 1;
        Placement::Here
    }

    /// The program that was placed there started after this time.
    fn started(&mut self, place: Placement, after: Duration) {
        let [least, most] = Self::PAUSES;
        match place {
            Placement::Elsewhere if after > LATE => {
                self.pause = (self.pause * 2).clamp(least, most);
                self.left = self.pause;
            }
            Placement::Elsewhere => self.pause = 0,
            // Another program runs here too.
            Placement::Here if after > LATE_HERE => self.left = 0,
            Placement::Here => {}
        }
    }
}

impl Processors {
    /// Those of the caller. Call it before anything else here.
    pub(super) fn of_ours() -> Self {
        let all = sched_getaffinity(None).ok();
        Self {
            all: all.filter(|all| sched_setaffinity(None, all).is_ok()),
            elsewhere: Elsewhere::default(),
            told: None,
            stays: false,
            runners: 1,
            own: None,
        }
    }

    /// Those that a program may use, or the single one.
    pub(super) fn of_program(&self, one: bool) -> Option<CpuSet> {
        self.all.map(|all| if one { only(last(&all)) } else { all })
    }

    /// From now on, the judge has this number of runners at work, and its thread has a processor of its own, or not.
    pub(super) fn share(&mut self, runners: u32, own: Option<u32>) {
        self.runners = runners;
        let Some(all) = &self.all else {
            return;
        };
        let own = own.and_then(|own| usize::try_from(own).ok());
        let own = own.filter(|&own| runners >= all.count() && is_in(all, own));
        if self.own != own {
            self.own = own;
            self.roam();
        }
    }

    /// Chooses where a sleeping process that will become a program wakes.
    pub(super) fn place(&mut self, pid: libc::pid_t, one: bool) -> Placement {
        self.told = None;
        let Some(all) = self.all else {
            return Placement::Elsewhere;
        };
        if all.count() == 1 {
            return Placement::Here;
        }
        let place = if one {
            Placement::Elsewhere
        } else if self.runners >= all.count() {
            Placement::Here
        } else {
            self.elsewhere.next()
        };
        if !one {
            self.told = Some((place, Instant::now()));
        }
        let here = self.own.unwrap_or_else(sched_getcpu);
        match place {
            Placement::Elsewhere => set(Pid::from_raw(pid), parted(&all, here, one).0),
            Placement::Here => {
                set(Pid::from_raw(pid), only(here));
                if self.own.is_none() {
                    set(None, only(here));
                    self.stays = true;
                }
            }
        }
        place
    }

    /// The process that was placed last became a program at this time.
    pub(super) fn started(&mut self, at: Option<Instant>) {
        if let (Some((place, told)), Some(at)) = (self.told.take(), at) {
            let after = at.saturating_duration_since(told);
            self.elsewhere.started(place, after);
            if self.stays && self.elsewhere.left == 0 {
                self.roam();
            }
        }
    }

    /// Keeps the caller and its new children away from the program's processor.
    pub(super) fn stay(&mut self, one: bool) {
        if let Some(all) = self.all {
            set(None, parted(&all, sched_getcpu(), one).1);
            self.stays = true;
        }
    }

    /// Lets the caller run on all of its processors again.
    pub(super) fn roam(&mut self) {
        if let Some(all) = self.all {
            set(None, self.own.map_or(all, only));
            self.stays = false;
        }
    }

    /// Makes the process run where the caller runs, from now on.
    pub(super) fn bring_here(&self, pid: libc::pid_t) {
        if self.all.is_some() {
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

fn is_in(all: &CpuSet, core: usize) -> bool {
    core < CpuSet::MAX_CPU && all.is_set(core)
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

    /// Which of the runs wake elsewhere, if they start this late.
    fn elsewhere(runs: usize, delay: impl Fn(usize) -> Duration) -> Vec<usize> {
        let mut elsewhere = Elsewhere::default();
        (0..runs)
            .filter(|&run| {
                let place = elsewhere.next();
                if place == Placement::Elsewhere {
                    elsewhere.started(place, delay(run));
                }
                place == Placement::Elsewhere
            })
            .collect()
    }

    #[test]
    fn while_the_other_processors_are_busy_programs_start_here_and_attempts_become_rare() {
        let slice = Duration::from_millis(3);
        assert_eq!(
            elsewhere(1100, |_| slice),
            [0, 2, 5, 10, 19, 36, 69, 134, 263, 520, 1033]
        );
        assert_eq!(elsewhere(99, |_| LATE / 5), (0..99).collect::<Vec<_>>());
    }

    #[test]
    fn programs_wake_elsewhere_again_when_the_other_processors_are_idle_again() {
        let busy_until = |run| Duration::from_millis(if run < 19 { 3 } else { 0 });
        let expected: Vec<usize> = [0, 2, 5, 10].into_iter().chain(19..100).collect();
        assert_eq!(elsewhere(100, busy_until), expected);
        // A single late start costs one run, however often it happens.
        let rarely_late = |run| Duration::from_millis(if run % 50 == 0 { 3 } else { 0 });
        assert_eq!(elsewhere(1000, rarely_late).len(), 1000 - 20);
    }

    #[test]
    fn if_our_own_processor_is_busy_the_next_program_wakes_elsewhere() {
        let mut elsewhere = Elsewhere::default();
        for _ in 0..3 {
            elsewhere.started(Placement::Elsewhere, LATE * 2);
        }
        assert_eq!(elsewhere.next(), Placement::Here);
        elsewhere.started(Placement::Here, LATE * 2);
        assert_eq!(elsewhere.next(), Placement::Here);
        elsewhere.started(Placement::Here, LATE_HERE * 2);
        assert_eq!(elsewhere.next(), Placement::Elsewhere);
    }

    #[test]
    fn a_single_processor_is_shared() {
        let all = cores(&[3]);
        assert_eq!(parted(&all, 3, false), (cores(&[]), cores(&[3])));
        assert_eq!(parted(&all, 3, true), (cores(&[3]), cores(&[])));
    }
}
