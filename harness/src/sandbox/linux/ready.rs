//! A process that waits to become a program: made while the run before it goes on, because most runs are like the last.
//!
//! All that does not depend on the run's streams is done: it is in its namespaces, another user, without rights and
//! behind its filter of system calls. It hears of its streams by a socket, and executes. The launcher meanwhile goes on,
//! and reads in memory that both share when the program began, or why it could not.
//!
//! It is a copy of the launcher, not a sharer of its memory as in [`super::spawn`], for both run at the same time. Its
//! end sends no signal, and a wait for just any child does not find it, until exec makes it a child like others.

#![expect(
    unsafe_code,
    reason = "clone, shared memory, and system calls before exec"
)]

use std::io;
use std::mem::ManuallyDrop;
use std::os::fd::{AsFd, BorrowedFd, FromRawFd, IntoRawFd, OwnedFd};
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use super::landlock::Ruleset;
use super::socket::Socket;
use super::spawn::{self, Child, Plan, SetupError, Started, Step};
use super::tree::{Reaped, reap_init};

/// A process that waits.
#[derive(Debug)]
pub(super) struct Ready {
    /// Zero once it is reaped, or a program.
    pid: libc::pid_t,
    pidfd: Option<OwnedFd>,
    socket: Socket,
    note: &'static Note,
}

/// What such a process tells.
#[derive(Debug)]
pub(super) struct Note {
    /// Right before exec, in nanoseconds after `epoch`; zero before that.
    began: AtomicU64,
    /// A step in the higher half, and an error in the lower; zero if none failed.
    failed: AtomicU64,
    epoch: Instant,
}

/// For a process that became a program, and for the one that waits meanwhile. They are never given back.
#[derive(Debug)]
pub(super) struct Notes {
    notes: [&'static Note; 2],
    turn: usize,
}

impl Notes {
    pub(super) fn new() -> io::Result<Self> {
        let notes = [Note::new()?, Note::new()?];
        Ok(Self { notes, turn: 0 })
    }

    fn next(&mut self) -> &'static Note {
        self.turn ^= 1;
        let note = self.notes[self.turn];
        note.began.store(0, Ordering::Release);
        note.failed.store(0, Ordering::Release);
        note
    }
}

impl Note {
    fn new() -> io::Result<&'static Self> {
        let note = Self {
            began: AtomicU64::new(0),
            failed: AtomicU64::new(0),
            epoch: Instant::now(),
        };
        let (access, shared) = (
            libc::PROT_READ | libc::PROT_WRITE,
            libc::MAP_SHARED | libc::MAP_ANONYMOUS,
        );
        // SAFETY: new memory, large enough, aligned to pages, and never unmapped; written before anybody refers to it.
        unsafe {
            let place = libc::mmap(ptr::null_mut(), size_of::<Self>(), access, shared, -1, 0);
            if place == libc::MAP_FAILED {
                return Err(io::Error::last_os_error());
            }
            let place = place.cast::<Self>();
            place.write(note);
            Ok(&*place)
        }
    }

    /// When exec was called, if it was.
    pub(super) fn began(&self) -> Option<Instant> {
        match self.began.load(Ordering::Acquire) {
            0 => None,
            nanos => Some(self.epoch + Duration::from_nanos(nanos)),
        }
    }

    /// The step that failed, if any did.
    pub(super) fn failed(&self) -> Option<SetupError> {
        let failed = self.failed.load(Ordering::Acquire);
        let [.., step] = (failed >> 32).to_be_bytes();
        (failed != 0).then(|| SetupError {
            step: Step::from_u8(step).unwrap_or(Step::Exec),
            errno: i32::try_from(failed & u64::from(u32::MAX)).unwrap_or(0),
        })
    }

    fn begin(&self) {
        let nanos = u64::try_from(self.epoch.elapsed().as_nanos()).unwrap_or(u64::MAX);
        self.began.store(nanos.max(1), Ordering::Release);
    }

    fn fail(&self, step: Step) {
        let errno = u64::from(spawn::errno().cast_unsigned());
        let failed = u64::from(step as u8) << 32 | errno;
        // The very first step without an error would be nothing at all.
        self.failed.store(failed.max(1), Ordering::Release);
    }
}

impl Ready {
    /// Makes one for `plan`, but for the streams and the rules of that. Its namespace is that of the caller's children.
    pub(super) fn start(plan: &Plan<'_>, notes: &mut Notes) -> Result<Self, SetupError> {
        let lost = |error: io::Error| SetupError {
            step: Step::Clone,
            errno: error.raw_os_error().unwrap_or(0),
        };
        let (ours, theirs) = Socket::pair().map_err(lost)?;
        let note = notes.next();
        let mut pidfd = -1;
        let no_signal = libc::CLONE_PIDFD;
        // SAFETY: there is one thread, so the copy may do whatever we may; it does not return from here. The kernel
        // writes a descriptor to a live value.
        let pid = unsafe { libc::syscall(libc::SYS_clone, no_signal, 0, &raw mut pidfd, 0, 0) };
        match pid {
            0 => {
                drop(ours);
                let step = become_ready(plan, theirs, note);
                note.fail(step);
                // SAFETY: ends the process at once.
                unsafe { libc::_exit(127) }
            }
            pid if pid > 0 => Ok(Self {
                pid: libc::pid_t::try_from(pid)
                    .map_err(|_| lost(io::Error::other("its number")))?,
                // SAFETY: the kernel just made it, and nobody else owns it.
                pidfd: Some(unsafe { OwnedFd::from_raw_fd(pidfd) }),
                socket: ours,
                note,
            }),
            _ => Err(lost(io::Error::last_os_error())),
        }
    }

    /// Whether it will not become a program.
    pub(super) fn failed(&self) -> bool {
        self.note.failed().is_some()
    }

    /// Lets it become the program.
    pub(super) fn order(
        mut self,
        stdio: [BorrowedFd<'_>; 3],
        rules: Option<&Ruleset>,
    ) -> Result<Child, SetupError> {
        let fds: Vec<_> = stdio.into_iter().chain(rules.map(AsFd::as_fd)).collect();
        let lost = |errno| SetupError {
            step: Step::Clone,
            errno,
        };
        let sent = self.socket.send(&[], &fds);
        sent.map_err(|error| lost(error.raw_os_error().unwrap_or(0)))?;
        let pidfd = self.pidfd.take().ok_or_else(|| lost(libc::ESRCH))?;
        let pid = std::mem::take(&mut self.pid);
        Ok(Child {
            pid,
            pidfd,
            started: Started::Told(self.note),
        })
    }

    pub(super) fn pid(&self) -> libc::pid_t {
        self.pid
    }

    /// Ends it; the CPU time that it has used.
    pub(super) fn end(mut self) -> Duration {
        let mut used = Reaped::default();
        self.kill(&mut used);
        used.user + used.system
    }

    fn kill(&mut self, used: &mut Reaped) {
        if self.pid > 0 {
            // SAFETY: our own child, which nobody has reaped.
            unsafe { libc::kill(self.pid, libc::SIGKILL) };
            // There is nobody to tell.
            let _ = reap_init(self.pid, used);
            self.pid = 0;
        }
    }
}

impl Drop for Ready {
    fn drop(&mut self) {
        self.kill(&mut Reaped::default());
    }
}

/// The process's own side; returns only the step that failed.
fn become_ready(plan: &Plan<'_>, socket: OwnedFd, note: &Note) -> Step {
    /// Where its only descriptor is, beside those of a program.
    const LINE: libc::c_int = 3;
    // SAFETY: system calls on descriptors that are ours. What the launcher has open is not for us to keep open.
    unsafe {
        if let Err(step) = spawn::settle(plan) {
            return step;
        }
        // From here on nothing is closed but by number.
        let line = socket.into_raw_fd();
        if (line != LINE && libc::dup2(line, LINE) < 0)
            || libc::syscall(libc::SYS_close_range, LINE + 1, u32::MAX, 0) < 0
        {
            return Step::Stdio;
        }
        let mut line = ManuallyDrop::new(Socket::new(OwnedFd::from_raw_fd(LINE)));
        if plan.filter.is_some_and(|filter| filter.install() < 0) {
            return Step::FilterCalls;
        }
        let Ok(Some(order)) = line.receive() else {
            libc::_exit(0);
        };
        let fds = order.fds.into_iter().map(IntoRawFd::into_raw_fd);
        let (stdio, rules) = match fds.collect::<Vec<_>>()[..] {
            [stdin, stdout, stderr] => ([stdin, stdout, stderr], None),
            [stdin, stdout, stderr, rules] => ([stdin, stdout, stderr], Some(rules)),
            _ => libc::_exit(0),
        };
        if let Err(step) = spawn::connect(stdio) {
            return step;
        }
        if let Some(rules) = rules {
            let rules = ManuallyDrop::new(Ruleset::received(OwnedFd::from_raw_fd(rules)));
            if rules.restrict() < 0 {
                return Step::RestrictFiles;
            }
        }
        let (argv, env) = (spawn::pointers(plan.argv), spawn::pointers(plan.env));
        // Those that came are not marked, save by us: all go.
        libc::syscall(libc::SYS_close_range, LINE, u32::MAX, 0);
        note.begin();
        libc::execve(*argv.as_ptr(), argv.as_ptr(), env.as_ptr());
    }
    Step::Exec
}
