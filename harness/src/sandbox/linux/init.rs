//! Process number 1 of a run: it inherits what the program abandons, and ends everything.
//!
//! Signals of the run do not reach it, and when it ends, so does all else. It is made before the program and waits on a
//! socket; the program itself is the launcher's child, so that its end and its figures need no messenger.

#![expect(unsafe_code, reason = "fork, signals, wait4")]

use std::cell::Cell;
use std::io;
use std::os::fd::{AsFd, AsRawFd, FromRawFd, OwnedFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::mount::MountFlags;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, send};

use super::tree::{Found, Reaped, reap, reap_init};

/// A living init.
#[derive(Debug)]
pub(super) struct Init {
    /// Zero once it is reaped.
    pid: libc::pid_t,
    socket: OwnedFd,
    /// CPU time of those that it has reaped, as of the last sweep.
    reaped: Cell<Duration>,
}

/// What it says: whether it is ready, and after each sweep what it has reaped so far.
const REPORT: usize = 24;

impl Init {
    /// Makes one; the caller's next children are in a new pid namespace, whose first process it becomes. It mounts
    /// `/proc` of that namespace if it is in a mount namespace of the run's own.
    pub(super) fn start(mounts_proc: bool) -> io::Result<Self> {
        let (ours, theirs) = rustix::net::socketpair(
            AddressFamily::UNIX,
            SocketType::SEQPACKET,
            SocketFlags::CLOEXEC,
            None,
        )?;
        // Its end sends no signal, and a wait for just any child does not find it.
        let no_signal = 0;
        // SAFETY: there is one thread, so the copy may do whatever we may; it does not return from here.
        let pid = unsafe { libc::syscall(libc::SYS_clone, no_signal, 0, 0, 0, 0) };
        match pid {
            0 => {
                drop(ours);
                let served = serve(&theirs, mounts_proc);
                // SAFETY: ends the process at once, and with it the namespace.
                unsafe { libc::_exit(served.is_err().into()) }
            }
            pid if pid > 0 => {
                drop(theirs);
                let pid = libc::pid_t::try_from(pid).map_err(io::Error::other)?;
                let init = Self {
                    pid,
                    socket: ours,
                    reaped: Cell::default(),
                };
                init.hear()?;
                Ok(init)
            }
            _ => Err(io::Error::last_os_error()),
        }
    }

    /// Lets it end, and with it whatever is left in its namespaces. The kernel clears them away meanwhile.
    pub(super) fn dismiss(&self) {
        self.kill();
    }

    /// Ends it, and waits until all of that is gone; the CPU time that it has used itself.
    pub(super) fn end(mut self) -> Duration {
        let mut all = Reaped::default();
        self.kill();
        let _ = reap_init(self.pid, &mut all);
        self.pid = 0;
        (all.user + all.system).saturating_sub(self.reaped.get())
    }

    fn kill(&self) {
        // SAFETY: our own child, which nobody has reaped.
        unsafe { libc::kill(self.pid, libc::SIGKILL) };
    }

    pub(super) fn pid(&self) -> libc::pid_t {
        self.pid
    }

    /// Asks it to kill and reap everything else in the namespace.
    pub(super) fn ask_to_sweep(&self) -> io::Result<()> {
        send(&self.socket, b"s", SendFlags::NOSIGNAL)?;
        Ok(())
    }

    /// Waits until that is done; what all that it ever reaped has used.
    pub(super) fn swept(&self) -> io::Result<Reaped> {
        let report = self.hear()?;
        let number = |at: usize| {
            let bytes = report[at..at + 8].try_into();
            u64::from_le_bytes(bytes.expect("eight bytes"))
        };
        let reaped = Reaped {
            user: Duration::from_micros(number(0)),
            system: Duration::from_micros(number(8)),
            max_rss: number(16),
        };
        self.reaped.set(reaped.user + reaped.system);
        Ok(reaped)
    }

    fn hear(&self) -> io::Result<[u8; REPORT]> {
        let mut report = [0; REPORT];
        let (_, length) = rustix::io::retry_on_intr(|| {
            recv(&self.socket, report.as_mut_slice(), RecvFlags::empty())
        })?;
        match length {
            REPORT => Ok(report),
            _ => Err(io::Error::other(
                "the first process of the run's namespace ended",
            )),
        }
    }
}

impl Drop for Init {
    fn drop(&mut self) {
        if self.pid > 0 {
            self.kill();
            // There is nobody to tell.
            let _ = reap_init(self.pid, &mut Reaped::default());
        }
    }
}

/// The life of an init.
fn serve(launcher: &OwnedFd, mounts_proc: bool) -> io::Result<()> {
    // SAFETY: system calls without pointers. The launcher's descriptors are not for us; old kernels lack the call.
    unsafe {
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        let ours = launcher.as_raw_fd().cast_unsigned();
        if libc::syscall(libc::SYS_close_range, ours + 1, u32::MAX, 0) == 0 && ours > 3 {
            libc::syscall(libc::SYS_close_range, 3, ours - 1, 0);
        }
    }
    if mounts_proc {
        mount_proc()?;
    }
    let deaths = deaths()?;
    let mut reaped = Reaped::default();
    report(launcher, &reaped)?;
    loop {
        let mut fds =
            [launcher, &deaths].map(|fd| PollFd::from_borrowed_fd(fd.as_fd(), PollFlags::IN));
        rustix::io::retry_on_intr(|| poll(&mut fds, None))?;
        let [asked, died] = fds.map(|fd| !fd.revents().is_empty());
        if died {
            let mut info = [0; size_of::<libc::signalfd_siginfo>()];
            // Many deaths may be one signal, and one that we have seen already none.
            let _ = rustix::io::read(&deaths, &mut info);
            while let Found::Dead(..) = reap(-1, false, &mut reaped)? {}
        }
        if asked {
            let mut order = [0];
            if recv(launcher, order.as_mut_slice(), RecvFlags::empty())?.1 == 0 {
                return Ok(());
            }
            // SAFETY: everybody in this namespace but us.
            unsafe { libc::kill(-1, libc::SIGKILL) };
            while reap(-1, true, &mut reaped)? != Found::Nobody {}
            report(launcher, &reaped)?;
        }
    }
}

fn report(launcher: &OwnedFd, reaped: &Reaped) -> io::Result<()> {
    let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
    let numbers = [micros(reaped.user), micros(reaped.system), reaped.max_rss];
    let mut report = [0; REPORT];
    for (place, number) in report.chunks_exact_mut(8).zip(numbers) {
        place.copy_from_slice(&number.to_le_bytes());
    }
    send(launcher, &report, SendFlags::NOSIGNAL)?;
    Ok(())
}

/// Processes of others, this one among them, are not to be seen.
fn mount_proc() -> io::Result<()> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC | MountFlags::RDONLY;
    let hidden = rustix::mount::mount(c"proc", c"/proc", c"proc", flags, c"hidepid=invisible");
    // Kernels before 5.8 have no word for it.
    hidden.or_else(|_| rustix::mount::mount(c"proc", c"/proc", c"proc", flags, c"hidepid=2"))?;
    Ok(())
}

/// Deaths of children, as something to poll.
fn deaths() -> io::Result<OwnedFd> {
    // SAFETY: a set is made, then passed by valid pointers; the descriptor is new and ours.
    unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut set);
        libc::sigaddset(&raw mut set, libc::SIGCHLD);
        libc::sigprocmask(libc::SIG_BLOCK, &raw const set, std::ptr::null_mut());
        match libc::signalfd(-1, &raw const set, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK) {
            -1 => Err(io::Error::last_os_error()),
            fd => Ok(OwnedFd::from_raw_fd(fd)),
        }
    }
}
