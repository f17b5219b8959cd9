//! Chooses processors: the program runs where none of our processes runs, if there is a choice.
//!
//! While a program runs, the launcher removes the last run and prepares the next one. The kernel might let this share
//! the program's processor while others are idle: it places a woken process near the one that woke it, and some kernels
//! keep few processors busy on purpose. Therefore the waiting process is told to wake elsewhere. It may use every
//! processor again before exec, so no program sees any of this. Our own processes stay with the launcher.
//!
//! If other programs keep those processors busy, a process that had to wake there would wait for a time slice, which
//! takes several times as long as a short run. A late start shows this. For the next runs, the program then starts in
//! our place, and the launcher itself goes to one of the busy processors: the kernel lets a process that needs less than
//! its share of a processor run there at once. Later another attempt shows whether the others are idle again.
//!
//! If the launcher needs more than its share there, it waits for a time slice too. Then it stays for the next runs,
//! and prepares the next run only when the program has ended. Programs are then [held](super::hold), so that exec does not
//! move them to a busy processor. If everything of ours is on one processor, the kernel moves the other programs away
//! from it.
//!
//! With a single processor, launcher and program always take turns, but nothing is held. It is the same when the judge
//! runs as many programs at once as there are processors, or as a quota of CPU time pays for. In the first of these cases,
//! the judge's thread may have a processor of its own (see [`OwnProcessor`]), and the launcher stays there.
//!
//! All of this is for speed and may fail, except the set of processors that the program itself may use.
//!
//! [`OwnProcessor`]: crate::OwnProcessor

use std::cell::OnceCell;
use std::num::NonZero;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

use super::quota;
use crate::affinity::{only, restrict};

/// The usable processors; none if the kernel reports more than fit.
#[derive(Debug)]
pub(super) struct Processors {
    all: Option<CpuSet>,
    /// Whether programs start elsewhere.
    elsewhere: Attempts,
    /// Whether the launcher leaves its processor to a program that starts there.
    leaving: Attempts,
    /// Whether a program can be [held](super::hold), as far as is known.
    holds: bool,
    /// Whether the caller may run on only some of them now.
    stays: bool,
    /// When the caller left its processor to a program.
    away_since: Option<Instant>,
    /// The number of runners at work in the judge's process.
    runners: u32,
    /// See [`quota::known`]; it is read when it is needed.
    quota: OnceCell<Option<Duration>>,
    /// The processor of the judge's thread, the only one that the caller may use, if every such thread has one and no
    /// processor is left over.
    own: Option<usize>,
}

/// Where a program starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Placement {
    /// On another processor than ours.
    Elsewhere,
    /// On ours, which we leave: see [`Processors::keep_apart`].
    InOurPlace {
        /// Its number.
        processor: usize,
    },
    /// On ours, which is idle while we wait for the program to end.
    Here,
    /// The same, and exec must not move it to another one: see [`hold`](super::hold).
    Held,
}

impl Placement {
    /// Whether the launcher has another processor than the program.
    pub(super) fn leaves_another(self) -> bool {
        match self {
            Self::Elsewhere | Self::InOurPlace { .. } => true,
            Self::Here | Self::Held => false,
        }
    }
}

/// A program that starts later than this after its order found no idle processor. An idle one takes a tenth of it.
const LATE: Duration = Duration::from_micros(500);
/// Only other programs can delay a start on our own processor by so much, or the launcher's work on another one.
const LATE_HERE: Duration = Duration::from_millis(2);

/// Decides whether something is attempted that fails while other programs keep processors busy.
#[derive(Debug, Default)]
struct Attempts {
    /// The number of runs until the next attempt.
    left: u32,
    /// That number after the last failure, or less after successes.
    pause: u32,
    /// The number of successes since the pause last changed.
    successes: u32,
}

impl Attempts {
    /// The number of runs without an attempt: one after the first failure, which may be a coincidence, and more after
    /// each further one.
    const PAUSES: [u32; 2] = [1, 512];
    /// So many successes halve the pause. A single one may be a coincidence: with two processors, the launcher may be on
    /// the busy one.
    const ENOUGH: u32 = 8;

    /// Whether it is attempted in the next run.
    fn next(&mut self) -> bool {
        let attempted = self.left == 0;
        self.left = self.left.saturating_sub(1);
        attempted
    }

    fn record(&mut self, failed: bool) {
        let [least, most] = Self::PAUSES;
        if failed {
            self.successes = 0;
            self.pause = (self.pause * 2).clamp(least, most);
            self.left = self.pause;
        } else {
            self.successes += 1;
            if self.successes == Self::ENOUGH {
                self.successes = 0;
                self.pause /= 2;
            }
        }
    }

    /// The next attempt comes sooner.
    fn hasten(&mut self) {
        self.left /= 2;
    }
}

impl Processors {
    /// Those of the caller. Call it before anything else here.
    pub(super) fn of_ours() -> Self {
        let all = sched_getaffinity(None).ok();
        // A single one needs no choice.
        let usable = |all: &CpuSet| all.count() == 1 || sched_setaffinity(None, all).is_ok();
        Self {
            all: all.filter(usable),
            elsewhere: Attempts::default(),
            leaving: Attempts::default(),
            holds: true,
            stays: false,
            away_since: None,
            runners: 1,
            quota: OnceCell::new(),
            own: None,
        }
    }

    /// Those that a program may use, or the single one.
    pub(super) fn of_program(&self, one: bool) -> Option<CpuSet> {
        let all = self.choice()?;
        Some(if one { only(last(&all)) } else { all })
    }

    /// The usable processors, if there is a choice.
    fn choice(&self) -> Option<CpuSet> {
        self.all.filter(|all| all.count() > 1)
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
        let Some(all) = self.all else {
            return Placement::Elsewhere;
        };
        if all.count() == 1 {
            return Placement::Here;
        }
        let here = self.own.unwrap_or_else(sched_getcpu);
        let place = if one {
            Placement::Elsewhere
        } else if self.runners >= all.count() || self.use_up_quota() {
            Placement::Here
        } else if self.elsewhere.next() {
            Placement::Elsewhere
        } else if self.leaving.next() {
            Placement::InOurPlace { processor: here }
        } else if self.holds {
            Placement::Held
        } else {
            Placement::Here
        };
        let pid = Pid::from_raw(pid);
        match place {
            Placement::Elsewhere => {
                restrict(pid, &parted(&all, here, one).0);
            }
            Placement::InOurPlace { processor } => {
                restrict(pid, &only(processor));
            }
            Placement::Here | Placement::Held => {
                restrict(pid, &only(here));
                if self.own.is_none() && !self.stays {
                    restrict(None, &only(here));
                    self.stays = true;
                }
            }
        }
        place
    }

    /// Whether the runs that go on at once use up a [quota].
    fn use_up_quota(&self) -> bool {
        quota::is_used_up(*self.quota.get_or_init(quota::known), self.runners)
    }

    /// As [`Processors::place`], for a process that is to wake before its order; `None` if that is of no use, or would take
    /// the processor from somebody. The current program started this long after its own order.
    pub(super) fn place_early(
        &mut self,
        pid: libc::pid_t,
        one: bool,
        after: Duration,
    ) -> Option<Placement> {
        let all = self.choice()?.count();
        // With a quota, the time in which it looks out would be missing later.
        let free = self.runners < all && count() >= all && !self.are_contended();
        (free && after <= LATE).then(|| self.place(pid, one))
    }

    /// A program that was placed there started so long after its order, and waited for so long until its end was noticed.
    pub(super) fn ended(&mut self, place: Placement, after: Option<Duration>, waited: Duration) {
        if let Some(after) = after {
            match place {
                Placement::Elsewhere => self.elsewhere.record(after > LATE),
                // Other programs run on both processors. If it was the program that waited for something, then the
                // launcher has time to prepare the next run after this one.
                Placement::InOurPlace { .. } if after.max(waited) > LATE_HERE => {
                    self.elsewhere.hasten();
                    self.leaving.record(true);
                }
                Placement::Here | Placement::Held if after > LATE_HERE => self.elsewhere.hasten(),
                Placement::InOurPlace { .. } | Placement::Here | Placement::Held => {}
            }
            let moves =
                if self.use_up_quota() { after > LATE_HERE } else { self.elsewhere.left == 0 };
            if self.stays && moves {
                self.roam();
            }
        }
    }

    /// Whether other programs kept processors busy in the last runs. Then whoever waits, even for a moment, may get the
    /// processor back much later.
    pub(super) fn are_contended(&self) -> bool {
        self.elsewhere.pause > 0
    }

    /// Keeps the caller and its new children away from the processor of a program at this place, until the caller roams
    /// again.
    pub(super) fn keep_apart(&mut self, program: Placement, one: bool) {
        let Some(all) = self.all else {
            return;
        };
        let ours = match program {
            Placement::InOurPlace { processor } => {
                self.away_since = Some(Instant::now());
                parted(&all, processor, false).0
            }
            Placement::Elsewhere | Placement::Here | Placement::Held => {
                parted(&all, sched_getcpu(), one).1
            }
        };
        restrict(None, &ours);
        self.stays = true;
    }

    /// The kernel does not permit to hold a program.
    pub(super) fn hold_no_more(&mut self) {
        self.holds = false;
    }

    /// Lets a program that is held run on all processors. It is no error if the program has been killed.
    pub(super) fn spread(&self, program: libc::pid_t) -> Result<(), Errno> {
        let Some(all) = self.choice() else {
            return Ok(());
        };
        match sched_setaffinity(Pid::from_raw(program), &all) {
            Err(Errno::SRCH) => Ok(()),
            other => other,
        }
    }

    /// Lets the caller run on all of its processors again.
    pub(super) fn roam(&mut self) {
        if let Some(all) = self.choice() {
            restrict(None, &self.own.map_or(all, only));
        }
        self.stays = false;
        if let Some(since) = self.away_since.take() {
            self.leaving.record(since.elapsed() > LATE_HERE);
        }
    }

    /// Makes this thread run where the caller runs, if it does not do so since the last call.
    pub(super) fn keep_here(&self, thread: libc::pid_t, place: &mut LastPlace) {
        let here = Some(sched_getcpu());
        if self.choice().is_some() && place.0 != here {
            self.bring_here(thread);
            place.0 = here;
        }
    }

    /// Makes the process run where the caller runs, from now on.
    pub(super) fn bring_here(&self, pid: libc::pid_t) {
        if self.choice().is_some() {
            restrict(Pid::from_raw(pid), &only(sched_getcpu()));
        }
    }
}

/// Where [`Processors::keep_here`] put a thread.
#[derive(Debug, Default)]
pub(super) struct LastPlace(Option<usize>);

/// The number of processors that a program can use at once, at the first call. It costs a dozen system calls.
pub(super) fn count() -> u32 {
    static COUNT: OnceLock<u32> = OnceLock::new();
    *COUNT.get_or_init(|| {
        let count = std::thread::available_parallelism().map_or(1, NonZero::get);
        u32::try_from(count).unwrap_or(u32::MAX)
    })
}

/// Calls `start`, after which a new process has something to do, and makes the process do it on another processor, if
/// there is a choice: the kernel would queue it behind its parent even if another processor is idle. Afterwards it may use
/// all processors of the caller again.
pub(super) fn apart<T>(process: Pid, start: impl FnOnce() -> T) -> T {
    let all = sched_getaffinity(None).ok();
    let all = all.filter(|all| all.count() > 1);
    if let Some(all) = &all {
        restrict(Some(process), &parted(all, sched_getcpu(), false).0);
    }
    let started = start();
    if let Some(all) = all {
        restrict(Some(process), &all);
    }
    started
}

/// The processors for the program's start, and ours, if we are `here`; none of either without a choice.
fn parted(all: &CpuSet, here: usize, one: bool) -> (CpuSet, CpuSet) {
    let (mut others, apart) = (*all, if one { last(all) } else { here });
    others.unset(apart);
    if one { (only(apart), others) } else { (others, only(apart)) }
}

/// The first processors serve most interrupts.
fn last(all: &CpuSet) -> usize {
    let mut cores = (0..CpuSet::MAX_CPU).rev();
    cores.find(|&core| all.is_set(core)).unwrap_or(0)
}

fn is_in(all: &CpuSet, core: usize) -> bool {
    core < CpuSet::MAX_CPU && all.is_set(core)
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

    /// Which of the runs attempt something that fails if `fails`.
    fn attempts(runs: usize, fails: impl Fn(usize) -> bool) -> Vec<usize> {
        let mut attempts = Attempts::default();
        (0..runs)
            .filter(|&run| {
                let attempted = attempts.next();
                if attempted {
                    attempts.record(fails(run));
                }
                attempted
            })
            .collect()
    }

    #[test]
    fn attempts_that_fail_become_rare() {
        assert_eq!(attempts(1100, |_| true), [0, 2, 5, 10, 19, 36, 69, 134, 263, 520, 1033]);
        assert_eq!(attempts(99, |_| false), (0..99).collect::<Vec<_>>());
    }

    #[test]
    fn after_a_success_every_run_attempts_it_again() {
        let expected: Vec<usize> = [0, 2, 5, 10].into_iter().chain(19..100).collect();
        assert_eq!(attempts(100, |run| run < 19), expected);
        // A single failure costs one run, however often it happens.
        assert_eq!(attempts(1000, |run| run % 50 == 0).len(), 1000 - 20);
    }

    /// On a machine with these processors, none of which is the caller's own, and without a quota.
    fn processors(all: &[usize]) -> Processors {
        Processors { all: Some(cores(all)), quota: OnceCell::from(None), ..Processors::of_ours() }
    }

    /// Where the next program is placed, which starts this late.
    fn placed(processors: &mut Processors, late: Duration) -> Placement {
        // No process has this number.
        let place = processors.place(libc::pid_t::MAX, false);
        processors.ended(place, Some(late), Duration::ZERO);
        place
    }

    #[test]
    fn where_the_other_processors_are_busy_programs_start_in_our_place() {
        let mut processors = processors(&[1000, 1001]);
        let (soon, late) = (LATE / 5, LATE * 2);
        assert_eq!(placed(&mut processors, soon), Placement::Elsewhere);
        assert_eq!(placed(&mut processors, late), Placement::Elsewhere);
        let ours = placed(&mut processors, soon);
        assert!(matches!(ours, Placement::InOurPlace { .. }), "{ours:?}");
        // Another attempt.
        assert_eq!(placed(&mut processors, late), Placement::Elsewhere);
        // The launcher was away for so long that it waited for a time slice.
        processors.leaving.record(true);
        assert_eq!(placed(&mut processors, soon), Placement::Held);
        let ours = placed(&mut processors, soon);
        assert!(matches!(ours, Placement::InOurPlace { .. }), "{ours:?}");
    }

    #[test]
    fn if_our_own_processor_is_busy_too_the_launcher_stays_and_looks_elsewhere_sooner() {
        let mut processors = processors(&[1000, 1001]);
        for _ in 0..4 {
            processors.elsewhere.record(true);
        }
        assert_eq!(processors.elsewhere.left, 8);
        let ours = placed(&mut processors, LATE_HERE * 2);
        assert!(matches!(ours, Placement::InOurPlace { .. }), "{ours:?}");
        assert_eq!(processors.elsewhere.left, 3);
        assert_eq!(placed(&mut processors, LATE_HERE * 2), Placement::Held);
        assert_eq!(processors.elsewhere.left, 1);
    }

    #[test]
    fn a_program_that_waits_in_our_place_makes_the_launcher_stay() {
        let mut processors = processors(&[1000, 1001]);
        processors.elsewhere.record(true);
        let place = processors.place(libc::pid_t::MAX, false);
        assert!(matches!(place, Placement::InOurPlace { .. }), "{place:?}");
        processors.ended(place, Some(Duration::ZERO), LATE_HERE * 2);
        processors.elsewhere.record(true);
        assert_eq!(placed(&mut processors, LATE / 5), Placement::Held);
    }

    #[test]
    fn nothing_is_held_if_the_kernel_does_not_permit_it() {
        let mut processors = processors(&[1000, 1001]);
        processors.elsewhere.record(true);
        processors.leaving.record(true);
        processors.hold_no_more();
        assert_eq!(placed(&mut processors, LATE / 5), Placement::Here);
    }

    #[test]
    fn programs_on_all_processors_start_on_that_of_their_launcher() {
        let mut processors = processors(&[1000, 1001]);
        processors.share(2, None);
        assert_eq!(placed(&mut processors, LATE / 5), Placement::Here);
    }

    #[test]
    fn programs_that_use_up_a_quota_start_on_the_processor_of_their_launcher() {
        let placed_with = |quota, runners| {
            let mut processors = processors(&[1000, 1001, 1002]);
            processors.quota = OnceCell::from(Some(Duration::from_millis(quota)));
            processors.share(runners, None);
            placed(&mut processors, LATE / 5)
        };
        assert_eq!(placed_with(500, 1), Placement::Here);
        assert_eq!(placed_with(1000, 1), Placement::Here);
        assert_eq!(placed_with(1500, 1), Placement::Elsewhere);
        assert_eq!(placed_with(1500, 2), Placement::Here);
    }

    #[test]
    fn a_process_wakes_early_only_where_no_one_else_needs_the_processor() {
        let early = |processors: &mut Processors, after| {
            // No process has this number.
            processors.place_early(libc::pid_t::MAX, false, after)
        };
        let mut processors = processors(&[1000, 1001]);
        // With a single processor, or a quota of as little, never.
        let expected = (count() > 1).then_some(Placement::Elsewhere);
        assert_eq!(early(&mut processors, LATE / 5), expected);
        assert_eq!(early(&mut processors, LATE * 2), None);
        processors.share(2, None);
        assert_eq!(early(&mut processors, LATE / 5), None);
        processors.share(1, None);
        processors.ended(Placement::Elsewhere, Some(LATE * 2), Duration::ZERO);
        assert_eq!(early(&mut processors, LATE / 5), None);
    }

    #[test]
    fn a_single_processor_is_shared() {
        let all = cores(&[3]);
        assert_eq!(parted(&all, 3, false), (cores(&[]), cores(&[3])));
        assert_eq!(parted(&all, 3, true), (cores(&[3]), cores(&[])));
    }
}
