//! The memory through which a waiting process gets its orders, and reports its start.

use std::cell::Cell;
use std::ffi::{CString, c_char, c_void};
use std::hint;
use std::io;
use std::mem::ManuallyDrop;
use std::os::fd::RawFd;
use std::ptr;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::hold;
use super::plan::{LaunchPlan, Strings};
use super::raw;
use super::stack::Stack;
use super::standby_line::StandbyLine;
use super::step::{SetupError, Step};

/// The data that the process uses. If it is dropped without [`StandbyMemory::release`], the memory and the line leak.
#[derive(Debug)]
pub(super) struct StandbyMemory {
    shared: ManuallyDrop<Rc<StandbyData>>,
    /// See [`StandbyMemory::change_arguments`].
    arguments: ManuallyDrop<Option<Strings>>,
    /// Nobody else may use it while the process may read it.
    line: ManuallyDrop<Rc<StandbyLine>>,
    /// The last known value of [`StandbyData::began`], and the time that it means: to find that takes two system calls.
    began: Cell<Option<(u64, Instant)>>,
}

/// See [`StandbyMemory`].
#[derive(Debug)]
pub(super) struct StandbyData {
    pub(super) plan: LaunchPlan,
    pub(super) stack: Stack,
    /// The process's end of the socket.
    pub(super) line: RawFd,
    /// The arguments of the program, if they differ from those of the plan; else null.
    pub(super) arguments: AtomicPtr<*const c_char>,
    /// The CPU time of the process right before exec, by [`raw::own_cpu`]; zero earlier.
    pub(super) cpu_before_exec: AtomicU64,
    /// The time right before exec, by [`raw::now`]; zero earlier.
    pub(super) began: AtomicU64,
    /// The failed step in the upper half, and the error in the lower half; zero if no step failed.
    pub(super) failed: AtomicU64,
    /// Whether the process is [held](super::hold) after exec.
    pub(super) held: AtomicBool,
    pub(super) order: StartOrder,
    pub(super) arrival: StandbyArrival,
}

/// Whether a [fork server](super::fork_server) has created the process, and the process has found out whether it can become
/// a program.
#[derive(Debug, Default)]
pub(super) struct StandbyArrival(AtomicU32);

/// What one of them has done.
#[derive(Debug, Clone, Copy)]
pub(super) enum ArrivalPart {
    Created = 1,
    Checked = 2,
    /// There is no process that could check anything.
    NotCreated = 3,
}

impl StandbyArrival {
    const ALL: u32 = ArrivalPart::NotCreated as u32;
    /// The shortest wait, if only the fork server is late.
    const STEP: Duration = Duration::from_millis(1);

    /// The last one wakes who waits.
    pub(super) fn note(&self, part: ArrivalPart) {
        let part = part as u32;
        if self.0.fetch_or(part, Ordering::Release) | part == Self::ALL {
            raw::wake(&self.0);
        }
    }

    /// Waits for everything: for the fork server as long as it takes, and for the process for `most`. Returns whether all was
    /// done: the kernel may have killed the process when memory was short.
    pub(super) fn wait(&self, most: Duration) -> bool {
        let since = Instant::now();
        loop {
            let seen = self.0.load(Ordering::Acquire);
            let left = most.saturating_sub(since.elapsed());
            if seen == Self::ALL || left.is_zero() && seen == ArrivalPart::Created as u32 {
                return seen == Self::ALL;
            }
            raw::wait_while(&self.0, seen, false, Some(left.max(Self::STEP)));
        }
    }

    fn renew(&self) {
        self.0.store(0, Ordering::Relaxed);
    }
}

/// An order for a process that is awake already, which needs no message.
#[derive(Debug, Default)]
pub(super) struct StartOrder(AtomicU32);

impl StartOrder {
    const PENDING: u32 = 0;
    const GIVEN: u32 = 1;
    const NEEDS_MESSAGE: u32 = 2;

    /// Gives it. Returns whether the process notices; otherwise it waits for a message.
    pub(super) fn give(&self) -> bool {
        self.0.swap(Self::GIVEN, Ordering::Release) == Self::PENDING
    }

    /// Looks for it in a loop, for about this time. Returns whether it was given; otherwise it now needs a message.
    pub(super) fn look_out(&self, time: Duration) -> bool {
        let time = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        let until = raw::now().saturating_add(time);
        while raw::now() < until {
            // Reading the clock takes longer.
            for _ in 0..16 {
                if self.0.load(Ordering::Acquire) == Self::GIVEN {
                    return true;
                }
                hint::spin_loop();
            }
        }
        let (pending, then) = (Self::PENDING, Self::NEEDS_MESSAGE);
        let given = self.0.compare_exchange(pending, then, Ordering::Acquire, Ordering::Acquire);
        given.is_err()
    }

    fn renew(&self) {
        self.0.store(Self::PENDING, Ordering::Relaxed);
    }
}

impl StandbyData {
    pub(super) fn new(plan: LaunchPlan, line: RawFd) -> io::Result<Rc<Self>> {
        Ok(Rc::new(Self {
            plan,
            stack: Stack::new()?,
            line,
            arguments: AtomicPtr::new(ptr::null_mut()),
            cpu_before_exec: AtomicU64::new(0),
            began: AtomicU64::new(0),
            failed: AtomicU64::new(0),
            held: AtomicBool::new(false),
            order: StartOrder::default(),
            arrival: StandbyArrival::default(),
        }))
    }

    /// For another process, after the one that used it.
    pub(super) fn renew(&self) {
        self.arguments.store(ptr::null_mut(), Ordering::Relaxed);
        self.cpu_before_exec.store(0, Ordering::Relaxed);
        self.began.store(0, Ordering::Relaxed);
        self.failed.store(0, Ordering::Relaxed);
        self.held.store(false, Ordering::Relaxed);
        self.order.renew();
        self.arrival.renew();
    }

    /// The process is about to call exec.
    pub(super) fn begin(&self) {
        self.cpu_before_exec.store(raw::own_cpu(), Ordering::Release);
        self.began.store(raw::now().max(1), Ordering::Release);
    }

    /// The address to pass to the process.
    pub(super) fn address(self: &Rc<Self>) -> *mut c_void {
        Rc::as_ptr(self).cast_mut().cast()
    }
}

impl StandbyMemory {
    pub(super) fn new(shared: Rc<StandbyData>, line: Rc<StandbyLine>) -> Self {
        Self {
            shared: ManuallyDrop::new(shared),
            arguments: ManuallyDrop::new(None),
            line: ManuallyDrop::new(line),
            began: Cell::new(None),
        }
    }

    /// Call it before the process receives its streams, because it reads the arguments afterwards.
    pub(super) fn change_arguments(&mut self, arguments: &[CString]) {
        if !self.shared.plan.argv.are(arguments) {
            let arguments = self.arguments.insert(Strings::new(arguments));
            let pointer = arguments.as_ptr().cast_mut();
            self.shared.arguments.store(pointer, Ordering::Release);
        }
    }

    /// [Holds](super::hold) the process after exec, if the kernel permits it. Call it right before the order.
    pub(super) fn hold(&self, process: libc::pid_t) {
        self.shared.held.store(hold::hold(process), Ordering::Release);
    }

    /// Whether the process is [held](super::hold) after exec.
    pub(super) fn is_held(&self) -> bool {
        self.shared.held.load(Ordering::Acquire)
    }

    /// See [`StartOrder::give`].
    pub(super) fn order(&self) -> bool {
        self.shared.order.give()
    }

    /// The time of exec, if it was called.
    pub(super) fn began(&self) -> Option<Instant> {
        match self.shared.began.load(Ordering::Acquire) {
            0 => None,
            nanos => {
                let known = self.began.get().filter(|(known, _)| *known == nanos);
                let began = known.unwrap_or_else(|| (nanos, raw::moment(nanos)));
                self.began.set(Some(began));
                Some(began.1)
            }
        }
    }

    pub(super) fn cpu_before_exec(&self) -> Duration {
        Duration::from_nanos(self.shared.cpu_before_exec.load(Ordering::Acquire))
    }

    /// The failed step, if any.
    pub(super) fn failed(&self) -> Option<SetupError> {
        let failed = self.shared.failed.load(Ordering::Acquire);
        let [.., step] = (failed >> 32).to_be_bytes();
        (failed != 0).then(|| SetupError {
            step: Step::from_u8(step).unwrap_or(Step::Exec),
            errno: i32::try_from(failed & u64::from(u32::MAX)).unwrap_or(0),
        })
    }

    /// Frees everything: the process is reaped.
    pub(super) fn release(self) {
        drop(ManuallyDrop::into_inner(self.shared));
        drop(ManuallyDrop::into_inner(self.arguments));
        drop(ManuallyDrop::into_inner(self.line));
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    const LONG: Duration = Duration::from_secs(1000);

    #[test]
    fn an_order_is_noticed_before_and_while_the_process_looks_out_for_it() {
        let order = StartOrder::default();
        assert!(order.give());
        assert!(order.look_out(LONG));
        order.renew();
        thread::scope(|scope| {
            let process = scope.spawn(|| order.look_out(LONG));
            thread::sleep(Duration::from_millis(1));
            assert!(order.give());
            assert!(process.join().unwrap());
        });
    }

    #[test]
    fn an_order_that_comes_too_late_needs_a_message() {
        let order = StartOrder::default();
        assert!(!order.look_out(Duration::from_micros(1)));
        assert!(!order.give());
    }

    #[test]
    fn a_process_has_arrived_when_it_was_created_and_has_checked_its_number() {
        let arrival = StandbyArrival::default();
        for parts in [
            [ArrivalPart::Created, ArrivalPart::Checked],
            [ArrivalPart::Checked, ArrivalPart::Created],
            [ArrivalPart::NotCreated, ArrivalPart::NotCreated],
        ] {
            thread::scope(|scope| {
                let launcher = scope.spawn(|| arrival.wait(LONG));
                for part in parts {
                    thread::sleep(Duration::from_millis(1));
                    arrival.note(part);
                }
                assert!(launcher.join().unwrap());
            });
            arrival.renew();
        }
    }

    #[test]
    fn only_the_fork_server_is_waited_for_in_any_case() {
        let arrival = StandbyArrival::default();
        let short = Duration::from_millis(2);
        thread::scope(|scope| {
            let launcher = scope.spawn(|| arrival.wait(short));
            thread::sleep(short * 10);
            assert!(!launcher.is_finished());
            arrival.note(ArrivalPart::Created);
            assert!(!launcher.join().unwrap());
        });
    }

    #[test]
    fn an_order_is_never_lost() {
        for _ in 0..1000 {
            let order = StartOrder::default();
            let (noticed, given) = thread::scope(|scope| {
                let process = scope.spawn(|| order.look_out(Duration::from_micros(30)));
                (order.give(), process.join().unwrap())
            });
            assert_eq!(noticed, given);
        }
    }
}
