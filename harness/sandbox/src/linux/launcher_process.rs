//! The judge's end of a launcher: its process and the socket to it.
//!
//! There are two ways to start a launcher. Usually the judge executes its own binary again, which costs the same whatever
//! the size of the judge. The launcher of an [`EarlyLauncher`] is a fork of a judge that has done nothing yet: that
//! saves the time to load and link the binary a second time.

#![expect(unsafe_code, reason = "fork")]

use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::BorrowedFd;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Once;

use rustix::fs::{Mode, OFlags, open, stat};
use rustix::net::{Shutdown, shutdown};
use rustix::process::{Pid, WaitOptions, waitpid};

use super::cgroup;
use super::entry;
use super::handshake::WantedProtections;
use super::own_processor;
use super::processors;
use super::protocol::{JudgeRequest, Reply};
use super::socket::Socket;
use crate::error::{SandboxError, io_error};
use crate::options::RunnerOptions;

/// A launcher and the socket to it. Dropping it ends the launcher and everything below it.
#[derive(Debug)]
pub(super) struct LauncherProcess {
    socket: Socket,
    pid: Pid,
    has_quit: bool,
}

impl LauncherProcess {
    /// Executes this binary again.
    pub(super) fn execute(options: &RunnerOptions) -> Result<Self, SandboxError> {
        let variable = entry::variable().ok_or_else(|| {
            let text = "this program never becomes one: call `rejudge_sandbox::run_launcher_if_asked()` first in `main`";
            SandboxError::Launcher(text.into())
        })?;
        let (socket, theirs) = Socket::pair().map_err(io_error("cannot create a socket"))?;
        let mut launcher = Command::new("/proc/self/exe");
        (launcher.env_clear())
            .env(variable, &options.work_base)
            .stdin(Stdio::from(theirs))
            .stdout(Stdio::null());
        let process = own_processor::on_all(|| launcher.spawn())
            .map_err(io_error("cannot start the launcher from `/proc/self/exe`"))?;
        let process = Self { socket, pid: Pid::from_child(&process), has_quit: false };
        let wanted = WantedProtections::new(options.isolation, &options.without);
        process.send(&JudgeRequest::Begin(wanted), &[])?;
        Ok(process)
    }

    /// Forks this process, which must have one thread.
    fn fork(base: &CStr) -> io::Result<Self> {
        let (socket, theirs) = Socket::pair()?;
        let null = open(c"/dev/null", OFlags::WRONLY | OFlags::CLOEXEC, Mode::empty())?;
        // SAFETY: this process has one thread, so its copy may call everything.
        match unsafe { libc::fork() } {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                // Otherwise it would not notice the end of the judge.
                drop(socket);
                entry::serve_as_fork(theirs, null, base)
            }
            pid => Ok(Self {
                socket,
                pid: Pid::from_raw(pid).expect("a process number is not zero"),
                has_quit: false,
            }),
        }
    }

    /// Its process number.
    pub(super) fn number(&self) -> u32 {
        self.pid.as_raw_pid().cast_unsigned()
    }

    pub(super) fn socket(&self) -> &Socket {
        &self.socket
    }

    pub(super) fn send(
        &self,
        request: &JudgeRequest,
        fds: &[BorrowedFd<'_>],
    ) -> Result<(), SandboxError> {
        let sent = self.socket.send(&request.encode(), fds);
        sent.map_err(|error| SandboxError::Launcher(format!("cannot send it a request: {error}")))
    }

    pub(super) fn receive(&mut self) -> Result<Reply, SandboxError> {
        let received = self.socket.receive();
        let message = received
            .map_err(|error| SandboxError::Launcher(format!("cannot receive its reply: {error}")))?
            .ok_or_else(|| SandboxError::Launcher("it ended unexpectedly".into()))?;
        Reply::decode(&message.bytes)
            .map_err(|_| SandboxError::Launcher("its reply is malformed".into()))
    }

    pub(super) fn has_quit(&self) -> bool {
        self.has_quit
    }

    /// Makes the launcher end, and does not wait for it. Nothing else may be called afterwards.
    pub(super) fn quit(&mut self) {
        if !std::mem::replace(&mut self.has_quit, true) {
            // These fail if the launcher is dead already. The launcher can still send: if it could not, it would take us for
            // dead, and remove the folder of the other runners.
            let _ = self.socket.send(&JudgeRequest::Quit.encode(), &[]);
            let _ = shutdown(&self.socket, Shutdown::Write);
        }
    }
}

impl Drop for LauncherProcess {
    fn drop(&mut self) {
        self.quit();
        // If waiting fails, there is nothing more to do.
        let wait = || waitpid(Some(self.pid), WaitOptions::empty());
        let _ = rustix::io::retry_on_intr(wait);
    }
}

/// A launcher that was started before the judge knew which protections it wants: it has all that the machine offers.
#[derive(Debug)]
pub struct EarlyLauncher {
    process: LauncherProcess,
    base: PathBuf,
}

impl EarlyLauncher {
    /// Starts one by forking this process, for [`RunnerOptions::work_base`]. Call it as early as possible in `main`, while
    /// the process is small: to fork a big one takes milliseconds.
    ///
    /// `None` if this process has several threads already, or if anything else is in the way. [`Runner::start`] then
    /// starts a launcher, or reports the error.
    ///
    /// [`Runner::start`]: crate::Runner::start
    #[must_use]
    pub fn fork(base: &Path) -> Option<Self> {
        if !has_one_thread() {
            return None;
        }
        // Before the fork, because it moves only a process that is alone.
        step_aside();
        let base_name = CString::new(base.as_os_str().as_bytes()).ok()?;
        let process = LauncherProcess::fork(&base_name).ok()?;
        let request = JudgeRequest::Begin(WantedProtections::EVERYTHING);
        processors::apart(process.pid, || process.send(&request, &[])).ok()?;
        Some(Self { process, base: base.to_owned() })
    }

    /// The launcher, if it is the one that these options ask for.
    pub(super) fn for_options(self, options: &RunnerOptions) -> Option<LauncherProcess> {
        let wanted = WantedProtections::new(options.isolation, &options.without);
        let fits = wanted == WantedProtections::EVERYTHING && self.base == options.work_base;
        fits.then_some(self.process)
    }
}

/// See [`cgroup::step_aside`]. Once is enough.
pub(super) fn step_aside() {
    static ASIDE: Once = Once::new();
    ASIDE.call_once(cgroup::step_aside);
}

/// Whether this process has one thread. If that is unknown, it does not.
fn has_one_thread() -> bool {
    /// The links of a folder with one subfolder: from its parent, from itself, and from the subfolder.
    const LINKS: u8 = 3;
    stat(c"/proc/self/task").is_ok_and(|folder| folder.st_nlink == LINKS.into())
}
