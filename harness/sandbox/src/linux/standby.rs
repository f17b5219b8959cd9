//! A process that waits to become the next program. It is created while the current program runs, because most runs
//! repeat the same program.
//!
//! Everything that does not depend on the streams of the run is done already: the process is in its namespaces, runs as
//! another user, has no rights, and is behind the system call filter. It receives its streams over a socket, possibly
//! while the current program still runs. When that has ended, it calls exec.
//!
//! If another processor is idle, the launcher wakes it for that as soon as the current program has ended, and then finishes
//! that run: waking an idle processor takes about as long. Meanwhile the process looks out for its order in a loop. The
//! CPU time until exec is not the program's: the process reports it.
//!
//! It shares the launcher's memory, as in [`super::spawn`], but the launcher continues meanwhile. Therefore both use
//! only atomic operations on shared data, and [`StandbyMemory`] is freed only when the process no longer needs it. The
//! process sends no signal when it ends, and a wait for any child does not find it, until exec makes it a normal child.

#![expect(unsafe_code, reason = "a process that shares our memory")]

use std::ffi::CString;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::rc::Rc;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{RecvFlags, recv};

use super::child::{Child, Started};
use super::landlock::Ruleset;
use super::plan::LaunchPlan;
use super::processors::Placement;
use super::raw;
use super::standby_line::StandbyLine;
use super::standby_memory::{StandbyData, StandbyMemory};
use super::standby_steps::{FIRST, wait};
use super::step::{SetupError, Step};
use super::tree::{Reaped, reap_init};

/// A waiting process.
#[derive(Debug)]
pub(super) struct StandbyProcess {
    /// Zero once it is reaped or has become a program.
    pid: libc::pid_t,
    pidfd: Option<OwnedFd>,
    line: Rc<StandbyLine>,
    waiting: Option<StandbyMemory>,
    /// Whether another program ran in its cell before. Then it reports over the socket that the namespace is unused, once.
    reports: bool,
    /// Whether it has its streams.
    connected: bool,
    /// Where it is about to start, if it was woken for that.
    roused: Option<Placement>,
    origin: StandbyOrigin,
}

/// Where a waiting process comes from.
#[derive(Debug, Clone, Copy)]
pub(super) enum StandbyOrigin {
    /// The launcher created it, with the number of [`FIRST`] or another one.
    Launcher { first: bool },
    /// A [fork server](super::fork_server), with or without rules for files. With rules, the process is restricted already,
    /// and no rule can be added for its streams.
    ForkServer { restricted: bool },
}

/// In a message with streams: wait for another message before exec.
const WAIT: &[u8] = b"w";

/// The next message, or the order, comes at once.
const SOON: &[u8] = b"s";

/// If a process takes longer to get ready, another one is created.
const PATIENCE: Duration = Duration::from_secs(1);

impl StandbyProcess {
    /// Creates one for `plan`, in the pid namespace of the caller's children. Nobody else uses `line`.
    ///
    /// The descriptors of the plan must stay open until the process is ordered, because it shares the table of descriptors
    /// until it has used them.
    pub(super) fn start(plan: LaunchPlan, line: Rc<StandbyLine>) -> Result<Self, SetupError> {
        let again = plan.place.last_number.is_some();
        let shared = StandbyData::new(plan, line.theirs.as_raw_fd())
            .map_err(|error| Step::Clone.refused(&error))?;
        let (stack, argument) = (shared.stack.top(), shared.address());
        let mut pidfd = -1;
        // SAFETY: the process uses only shared memory, which is changed only atomically and lives until the process is
        // reaped. It closes none of our descriptors: it copies the table first.
        let (first, pid) = unsafe {
            let flags = libc::CLONE_PIDFD | libc::CLONE_FILES;
            match raw::start_as(FIRST, wait, argument, stack, flags, &mut pidfd) {
                Ok(pid) => (true, Ok(pid)),
                // Then the kernel chooses.
                Err(_) => (false, raw::start(wait, argument, stack, flags, &mut pidfd)),
            }
        };
        let pid = pid.map_err(|error| Step::Clone.failed(error))?;
        // SAFETY: the kernel has just created this descriptor, and nothing else owns it.
        let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
        let mut process =
            Self::new(pid, Some(pidfd), shared, line, StandbyOrigin::Launcher { first });
        process.reports = again;
        Ok(process)
    }

    /// The process `pid` that uses this memory and this line.
    pub(super) fn new(
        pid: libc::pid_t,
        pidfd: Option<OwnedFd>,
        shared: Rc<StandbyData>,
        line: Rc<StandbyLine>,
        origin: StandbyOrigin,
    ) -> Self {
        Self {
            pid,
            pidfd,
            waiting: Some(StandbyMemory::new(shared, Rc::clone(&line))),
            line,
            reports: false,
            connected: false,
            roused: None,
            origin,
        }
    }

    /// Whether it can still become a program. The kernel may have killed it when memory was short, and another program
    /// may have used its cell.
    pub(super) fn is_waiting(&mut self) -> bool {
        let Some(pidfd) = &self.pidfd else {
            return false;
        };
        let (reports, patience) = if self.reports {
            (PollFlags::IN, PATIENCE)
        } else {
            (PollFlags::empty(), Duration::ZERO)
        };
        let mut fds = [PollFd::new(pidfd, PollFlags::IN), PollFd::new(&self.line.ours, reports)];
        let found = poll(&mut fds, Timespec::try_from(patience).ok().as_ref());
        let [ended, line] = fds.map(|fd| fd.revents());
        if line == PollFlags::IN {
            // If it stayed unread, the process would get an error instead of its streams.
            let _ = recv(&self.line.ours, [0].as_mut_slice(), RecvFlags::DONTWAIT);
            self.reports = false;
        }
        found.is_ok() && ended.is_empty() && line == reports && self.failed().is_none()
    }

    /// The failed step, if any.
    pub(super) fn failed(&self) -> Option<SetupError> {
        self.waiting.as_ref().and_then(StandbyMemory::failed)
    }

    /// Gives it its arguments and streams. It becomes the program after [`StandbyProcess::order`].
    pub(super) fn connect(
        &mut self,
        arguments: &[CString],
        streams: [BorrowedFd<'_>; 3],
        rules: Option<&Ruleset>,
    ) -> Result<(), SetupError> {
        self.send_streams(WAIT, arguments, streams, rules)?;
        self.connected = true;
        Ok(())
    }

    /// Wakes it, at this place, because its order comes soon: a processor that sleeps takes as long to wake as the launcher
    /// takes until the order. Only for a process that has its streams.
    pub(super) fn rouse(&mut self, place: Placement) {
        if self.line.ours.send(SOON, &[]).is_ok() {
            self.roused = Some(place);
        }
    }

    /// Where it is about to start, if it was woken for that.
    pub(super) fn roused(&self) -> Option<Placement> {
        self.roused
    }

    /// Whether no rule can be added for its streams.
    pub(super) fn is_restricted(&self) -> bool {
        matches!(self.origin, StandbyOrigin::ForkServer { restricted: true })
    }

    /// Whether it has the number of [`FIRST`].
    pub(super) fn is_first(&self) -> bool {
        !matches!(self.origin, StandbyOrigin::Launcher { first: false })
    }

    /// Whether it has its arguments and streams.
    pub(super) fn is_connected(&self) -> bool {
        self.connected
    }

    fn send_streams(
        &mut self,
        message: &[u8],
        arguments: &[CString],
        streams: [BorrowedFd<'_>; 3],
        rules: Option<&Ruleset>,
    ) -> Result<(), SetupError> {
        let rules = rules.filter(|_| !self.is_restricted()).map(AsFd::as_fd);
        let [stdin, stdout, stderr] = streams;
        if let Some(waiting) = &mut self.waiting {
            waiting.change_arguments(arguments);
        }
        let fds = [stdin, stdout, stderr, rules.unwrap_or(stdin)];
        let fds = &fds[..if rules.is_some() { 4 } else { 3 }];
        let sent = self.line.ours.send(message, fds);
        sent.map_err(|error| Step::Clone.refused(&error))
    }

    /// Lets it become the program at this place, with these arguments and streams unless it has its own. For
    /// `cpu_at_begin` see [`Child`].
    pub(super) fn order(
        mut self,
        place: Placement,
        arguments: &[CString],
        streams: [BorrowedFd<'_>; 3],
        rules: Option<&Ruleset>,
        cpu_at_begin: Duration,
    ) -> Result<Child, SetupError> {
        if let (Placement::Held, Some(waiting)) = (place, &self.waiting) {
            waiting.hold(self.pid);
        }
        if self.connected {
            let waiting = self.waiting.as_ref();
            if self.roused.is_none() || !waiting.is_some_and(StandbyMemory::order) {
                let sent = self.line.ours.send(&[], &[]);
                sent.map_err(|error| Step::Clone.refused(&error))?;
            }
        } else {
            self.send_streams(&[], arguments, streams, rules)?;
        }
        let (Some(pidfd), Some(waiting)) = (self.pidfd.take(), self.waiting.take()) else {
            return Err(Step::Clone.failed(Errno::SRCH));
        };
        let pid = std::mem::take(&mut self.pid);
        let started = Started::Reported(waiting);
        Ok(Child { pid, pidfd, started, cpu_at_begin, is_copy: false })
    }

    pub(super) fn pid(&self) -> libc::pid_t {
        self.pid
    }

    /// Kills it. Returns the CPU time that it used.
    pub(super) fn end(mut self) -> Duration {
        let mut used = Reaped::default();
        self.kill(&mut used);
        used.user + used.system
    }

    fn kill(&mut self, used: &mut Reaped) {
        if self.pid <= 0 {
            return;
        }
        // SAFETY: our own child, which is not reaped yet, so its number still belongs to it.
        unsafe { libc::kill(self.pid, libc::SIGKILL) };
        // Ignores an error: nothing more can be done.
        let reaped = reap_init(self.pid, used);
        self.pid = 0;
        if let (Ok(_), Some(waiting)) = (reaped, self.waiting.take()) {
            waiting.release();
        }
    }
}

impl Drop for StandbyProcess {
    fn drop(&mut self) {
        self.kill(&mut Reaped::default());
    }
}
