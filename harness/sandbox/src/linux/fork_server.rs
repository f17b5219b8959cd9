//! A thread of the launcher that creates the waiting processes of one cell: see [`super::standby`].
//!
//! Most of what such a process does before exec is the same in every run: it enters the namespaces, becomes another user,
//! drops its rights, and installs the filter, which the kernel translates each time. The fork server does this once, for a
//! cell in which programs have left no trace so far, and each process that it creates inherits all of it.
//!
//! For the kernel, namespaces, user, rights and filter belong to a thread, and children to its process. So the processes
//! are children of the launcher as all others are, and the launcher itself stays as it is.
//!
//! No process behind the filter can choose the number of another one. Therefore each process sets the counter of its
//! namespace back, for the next one: to the number of init, as if it had not been created. Only for this the fork server
//! and its processes keep one capability, which a process gives up before it is ready. A process with another number than
//! the first one shows that the last program created processes; then the cell is not used again.

#![expect(unsafe_code, reason = "a thread without the C library")]

use std::ffi::{c_int, c_void};
use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _, BorrowedFd, RawFd};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicU32, Ordering};
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use super::caller::OwnCalls;
use super::child_setup;
use super::landlock::{self, Ruleset};
use super::own_process;
use super::plan::LaunchPlan;
use super::processors::LastPlace;
use super::raw::{self, at, call, int};
use super::rights::KeptRight;
use super::shared_memory::SharedMemory;
use super::stack::Stack;
use super::standby::{StandbyOrigin, StandbyProcess};
use super::standby_line::StandbyLine;
use super::standby_memory::{ArrivalPart, StandbyData};
use super::standby_steps;
use super::step::{SetupError, Step};

/// A living fork server. Dropping it ends it.
#[derive(Debug)]
pub(super) struct ForkServer {
    thread: libc::pid_t,
    place: LastPlace,
    /// `None` only while it is dropped.
    shared: Option<SharedMemory<ForkServerData>>,
    /// The memory of its processes; one lives at a time.
    standby: Rc<StandbyData>,
    line: Rc<StandbyLine>,
    /// Whether it has rules.
    restricts: bool,
}

/// The data that the thread uses.
#[derive(Debug)]
struct ForkServerData {
    stack: Stack,
    standby: Rc<StandbyData>,
    /// The pid namespace of the cell.
    pids: RawFd,
    /// See [`Namespaces::counter`](super::namespaces::Namespaces::counter).
    counter: RawFd,
    rules: Option<RawFd>,
    /// Whose turn it is.
    turn: AtomicU32,
    /// The number of the new process, or an error below zero.
    created: AtomicI32,
    quits: AtomicBool,
    /// [`ALIVE`], or zero when the thread has ended.
    alive: AtomicU32,
}

const ALIVE: u32 = 1;

/// If a process takes longer to get ready, it is not used.
const PATIENCE: Duration = Duration::from_secs(1);

/// See [`ForkServerData::turn`].
const OF_LAUNCHER: u32 = 0;
const OF_SERVER: u32 = 1;

impl ForkServer {
    /// Creates one for processes as in `plan` under these rules, in the cell with this pid namespace and counter. New
    /// children of the caller must be in its own pid namespace.
    pub(super) fn start(
        plan: LaunchPlan,
        [pids, counter]: [BorrowedFd<'_>; 2],
        rules: Option<&Ruleset>,
    ) -> io::Result<Self> {
        let line = StandbyLine::new()?;
        let standby = StandbyData::new(plan, line.theirs.as_raw_fd())?;
        let shared = SharedMemory::new(ForkServerData {
            stack: Stack::new()?,
            standby: Rc::clone(&standby),
            pids: pids.as_raw_fd(),
            counter: counter.as_raw_fd(),
            rules: rules.map(|rules| rules.as_fd().as_raw_fd()),
            turn: AtomicU32::new(OF_SERVER),
            created: AtomicI32::new(0),
            quits: AtomicBool::new(false),
            alive: AtomicU32::new(ALIVE),
        });
        let (argument, stack) = (shared.pointer(), shared.stack.top());
        // SAFETY: the thread uses only shared memory, which is changed only atomically and lives until it has ended. It has
        // copies of all descriptors from the start.
        let thread = unsafe { raw::start_thread(serve, argument, stack, &shared.alive) };
        let thread = match thread {
            Ok(thread) => thread,
            Err(error) => {
                shared.free();
                return Err(error.into());
            }
        };
        let fork_server = Self {
            thread,
            place: LastPlace::default(),
            shared: Some(shared),
            standby,
            line,
            restricts: rules.is_some(),
        };
        let shared = fork_server.shared();
        shared.wait_for(OF_LAUNCHER);
        shared.created()?;
        Ok(fork_server)
    }

    /// The number of the thread, and where it was put.
    pub(super) fn place(&mut self) -> (libc::pid_t, &mut LastPlace) {
        (self.thread, &mut self.place)
    }

    /// Creates the next process. The last one must be reaped, and its memory released.
    pub(super) fn next(&mut self) -> Result<StandbyProcess, SetupError> {
        // Ours, and that of the thread. A process that could not be reaped has another, and may still use the memory.
        if Rc::strong_count(&self.standby) > 2 {
            return Err(Step::Clone.failed(Errno::BUSY));
        }
        self.standby.renew();
        let shared = self.shared();
        shared.ask();
        let arrived = self.standby.arrival.wait(PATIENCE);
        let pid = (shared.created()).map_err(|error| Step::Clone.failed(error))?;
        let found = Pid::from_raw(pid).ok_or(Errno::SRCH);
        let pidfd = found.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()));
        let (standby, line) = (Rc::clone(&self.standby), Rc::clone(&self.line));
        let lost = pidfd.as_ref().err().copied().or((!arrived).then_some(Errno::TIMEDOUT));
        // If an error follows, dropping it kills the process.
        let origin = StandbyOrigin::ForkServer { restricted: self.restricts };
        let process = StandbyProcess::new(pid, pidfd.ok(), standby, line, origin);
        let lost = lost.map(|error| Step::Clone.failed(error));
        match lost.or_else(|| process.failed()) {
            Some(failed) => Err(failed),
            None => Ok(process),
        }
    }

    fn shared(&self) -> &ForkServerData {
        self.shared.as_ref().expect("it is there until the drop")
    }
}

impl Drop for ForkServer {
    fn drop(&mut self) {
        let Some(shared) = self.shared.take() else {
            return;
        };
        shared.quits.store(true, Ordering::Relaxed);
        shared.ask();
        while shared.alive.load(Ordering::Acquire) == ALIVE {
            raw::wait_while(&shared.alive, ALIVE, true, None);
        }
        shared.free();
    }
}

impl ForkServerData {
    /// Asks the fork server for the next process, or to end.
    fn ask(&self) {
        self.turn.store(OF_SERVER, Ordering::Release);
        raw::wake(&self.turn);
    }

    fn wait_for(&self, whose: u32) {
        let other = OF_LAUNCHER + OF_SERVER - whose;
        while self.turn.load(Ordering::Acquire) != whose {
            raw::wait_while(&self.turn, other, false, None);
        }
    }

    /// What the fork server was asked for is done, with this result.
    fn done(&self, created: Result<libc::pid_t, Errno>) {
        let created = created.unwrap_or_else(|error| -error.raw_os_error());
        self.created.store(created, Ordering::Relaxed);
        self.turn.store(OF_LAUNCHER, Ordering::Release);
    }

    /// The last result.
    fn created(&self) -> Result<libc::pid_t, Errno> {
        match self.created.load(Ordering::Relaxed) {
            error @ ..0 => Err(Errno::from_raw_os_error(-error)),
            pid => Ok(pid),
        }
    }
}

/// The code of the thread.
extern "C" fn serve(argument: *mut c_void) -> c_int {
    // SAFETY: the launcher created this memory, and keeps it until this thread has ended.
    let shared: &ForkServerData = unsafe { &*argument.cast() };
    let ready = set_up(shared);
    let is_set_up = ready.is_ok();
    shared.done(ready.map(|()| 0));
    raw::wake(&shared.turn);
    loop {
        shared.wait_for(OF_SERVER);
        if !is_set_up || shared.quits.load(Ordering::Relaxed) {
            own_process::end_thread();
        }
        let standby = &shared.standby;
        let (stack, argument) = (standby.stack.top(), standby.address());
        // Its end sends no signal until exec.
        // SAFETY: the process uses only shared memory, which is changed only atomically and lives until the process is
        // reaped. It has copies of this thread's descriptors from the start.
        let created =
            unsafe { raw::start(standby_steps::wait_when_set_up, argument, stack, 0, &mut 0) };
        shared.done(created);
        // The process wakes the launcher, which needs both.
        standby.arrival.note(match created {
            Ok(_) => ArrivalPart::Created,
            Err(_) => ArrivalPart::NotCreated,
        });
    }
}

/// Does what all processes of the fork server need.
fn set_up(shared: &ForkServerData) -> Result<(), Errno> {
    let plan = &shared.standby.plan;
    let (how, all_signals) = (int(libc::SIG_SETMASK), u64::MAX);
    let set = [how, at(&raw const all_signals), 0, size_of::<u64>()];
    // SAFETY: system calls on numbers and on a live structure of the kernel's layout.
    unsafe {
        // Signals are for the launcher.
        call(libc::SYS_rt_sigprocmask, set)?;
        call(libc::SYS_setns, [int(shared.pids), int(libc::CLONE_NEWPID)])?;
    }
    let errno = |failed: SetupError| Errno::from_raw_os_error(failed.errno);
    child_setup::enter(&mut OwnCalls, plan).map_err(errno)?;
    child_setup::give_up_rights(&mut OwnCalls, plan, KeptRight::SetCounter).map_err(errno)?;
    if let Some(rules) = shared.rules {
        landlock::restrict(rules)?;
    }
    // Now, because the rules need no descriptor any more.
    standby_steps::keep_line(shared.standby.line, Some(shared.counter)).map_err(errno)?;
    plan.filter.as_ref().map_or(Ok(()), |filter| filter.install_for_program(plan.longest_file))
}
