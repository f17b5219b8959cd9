//! Process 1 of a run: it adopts the processes that the program abandons, and kills everything at the end.
//!
//! Signals of the run do not reach it, and when it exits, the kernel kills the whole namespace. It is created before
//! the program and waits on a socket. The program itself is a child of the launcher, which therefore reads its end and
//! figures directly.
//!
//! It shares the launcher's memory, where it keeps its [`Ledger`]. Its side never allocates, panics or calls the C
//! library.

#![expect(unsafe_code, reason = "a process that shares our memory, and signals")]

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::fs::FileExt as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::fs::{Mode, OFlags, openat};
use rustix::io::Errno;
use rustix::mount::MountFlags;
use rustix::net::{AddressFamily, RecvFlags, SendFlags, SocketFlags, SocketType, recv, send};

use super::own_process;
use super::raw::{self, at, call, int};
use super::shared_memory::SharedMemory;
use super::stack::Stack;
use super::tree::{Reaped, WaitOutcome, reap, reap_init};

/// A living init.
#[derive(Debug)]
pub(super) struct Init {
    /// Zero once it is reaped.
    pid: libc::pid_t,
    socket: OwnedFd,
    /// The file in which the kernel lists its children; not every kernel has it.
    children: Option<File>,
    shared: Option<SharedMemory<Shared>>,
    /// The last known CPU time of the processes that it reaped.
    reaped: Cell<Duration>,
}

/// The orders, and the replies.
const SWEEP: &[u8; 1] = b"s";
const READ_COUNTER: &[u8; 1] = b"n";
const DONE: u8 = b'd';
const USED: u8 = b'u';

/// What the counter of process numbers shows if init was the last process to which the kernel gave one.
const COUNTER_OF_INIT: &[u8] = b"1\n";
/// The same for a program.
const COUNTER_OF_A_PROGRAM: &[u8] = b"2\n";

/// The data that the init uses.
#[derive(Debug)]
struct Shared {
    stack: Stack,
    /// The init's end of the socket.
    line: RawFd,
    /// See [`Namespaces::counter`](super::namespaces::Namespaces::counter).
    counter: Option<RawFd>,
    mounts_proc: bool,
    ledger: Ledger,
}

/// The usage of all processes that an init reaped.
#[derive(Debug, Default)]
struct Ledger {
    /// Set before it reaps, and cleared when all figures are consistent again.
    open: AtomicBool,
    /// In microseconds.
    user: AtomicU64,
    system: AtomicU64,
    /// In bytes.
    max_rss: AtomicU64,
}

impl Ledger {
    fn write(&self, reaped: &Reaped) {
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        self.user.store(micros(reaped.user), Ordering::SeqCst);
        self.system.store(micros(reaped.system), Ordering::SeqCst);
        self.max_rss.store(reaped.max_rss, Ordering::SeqCst);
        self.open.store(false, Ordering::SeqCst);
    }

    /// The figures, and whether they include everything that was reaped before the call.
    fn read(&self) -> (Reaped, bool) {
        // Read first: if the ledger closes only after the figures were read, they may be older.
        let right = !self.open.load(Ordering::SeqCst);
        let reaped = Reaped {
            user: Duration::from_micros(self.user.load(Ordering::SeqCst)),
            system: Duration::from_micros(self.system.load(Ordering::SeqCst)),
            max_rss: self.max_rss.load(Ordering::SeqCst),
        };
        (reaped, right)
    }
}

impl Init {
    /// Creates an init, as the first process of the new pid namespace of the caller's next children. It mounts `/proc`
    /// of that namespace if the run has its own mount namespace. `proc` is that of the caller.
    pub(super) fn start(
        mounts_proc: bool,
        proc: BorrowedFd<'_>,
        counter: Option<BorrowedFd<'_>>,
    ) -> io::Result<Self> {
        let (ours, theirs) = rustix::net::socketpair(
            AddressFamily::UNIX,
            SocketType::SEQPACKET,
            SocketFlags::CLOEXEC,
            None,
        )?;
        let shared = SharedMemory::new(Shared {
            stack: Stack::new()?,
            line: theirs.as_raw_fd(),
            counter: counter.map(|file| file.as_raw_fd()),
            mounts_proc,
            ledger: Ledger::default(),
        });
        let (argument, stack) = (shared.pointer(), shared.stack.top());
        // Its end sends no signal, and a wait for any child does not find it.
        let no_signal = 0;
        // SAFETY: the process uses only shared memory, which is changed only atomically and lives until the process is
        // reaped. It has copies of all descriptors from the start.
        let pid = match unsafe { raw::start(live, argument, stack, no_signal, &mut 0) } {
            Ok(pid) => pid,
            Err(error) => {
                shared.free();
                return Err(error.into());
            }
        };
        drop(theirs);
        let mut init = Self {
            pid,
            socket: ours,
            children: None,
            shared: Some(shared),
            reaped: Cell::default(),
        };
        init.hear_done()?;
        let list = format!("{pid}/task/{pid}/children");
        let list = openat(proc, list, OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty());
        init.children = list.ok().map(File::from);
        Ok(init)
    }

    /// Makes it exit, which kills everything in its namespaces. The kernel removes them later.
    pub(super) fn dismiss(&self) {
        self.kill();
    }

    /// Makes it exit and waits until its namespaces are removed. Returns the CPU time that it used itself.
    pub(super) fn end(mut self) -> Duration {
        let all = self.finish();
        (all.user + all.system).saturating_sub(self.reaped.get())
    }

    fn kill(&self) {
        // SAFETY: our own child, which is not reaped yet, so its number still belongs to it.
        unsafe { libc::kill(self.pid, libc::SIGKILL) };
    }

    fn finish(&mut self) -> Reaped {
        let mut all = Reaped::default();
        let Some(shared) = self.shared.take() else {
            return all;
        };
        self.kill();
        // If this fails, its usage stays as it is.
        if reap_init(self.pid, &mut all).is_ok() {
            shared.free();
        }
        all
    }

    pub(super) fn pid(&self) -> libc::pid_t {
        self.pid
    }

    /// The usage of everything that it ever reaped, if it has no children: then every remaining process of an ended
    /// program is a child of the launcher. `None` if it may have children, or the kernel does not tell.
    pub(super) fn without_children(&self) -> Option<Reaped> {
        let nobody = self.children.as_ref()?.read_at(&mut [0], 0);
        // Read after the list: a process that is no longer listed was reaped with the ledger open.
        let (reaped, right) = self.shared.as_ref()?.ledger.read();
        if !matches!(nobody, Ok(0)) || !right {
            return None;
        }
        self.reaped.set(reaped.user + reaped.system);
        Some(reaped)
    }

    /// Asks it to kill and reap all other processes in the namespace.
    pub(super) fn ask_to_sweep(&self) -> io::Result<()> {
        send(&self.socket, SWEEP, SendFlags::NOSIGNAL)?;
        Ok(())
    }

    /// Waits until that is done. Returns the usage of everything that it ever reaped.
    pub(super) fn swept(&self) -> io::Result<Reaped> {
        self.hear_done()?;
        // No process is left that changes it.
        let shared = self.shared.as_ref();
        let reaped = shared.map_or_else(Reaped::default, |shared| shared.ledger.read().0);
        self.reaped.set(reaped.user + reaped.system);
        Ok(reaped)
    }

    /// Whether the [counter](super::namespaces::Namespaces::counter) shows that programs created no processes.
    pub(super) fn has_unused_counter(&self) -> io::Result<bool> {
        send(&self.socket, READ_COUNTER, SendFlags::NOSIGNAL)?;
        Ok(self.hear()? == DONE)
    }

    fn hear_done(&self) -> io::Result<()> {
        self.hear().map(drop)
    }

    fn hear(&self) -> io::Result<u8> {
        let mut word = [0];
        let (_, length) = rustix::io::retry_on_intr(|| {
            recv(&self.socket, word.as_mut_slice(), RecvFlags::empty())
        })?;
        match length {
            1 => Ok(word[0]),
            _ => Err(io::Error::other("the first process of the run's namespace ended")),
        }
    }
}

impl Drop for Init {
    fn drop(&mut self) {
        self.finish();
    }
}

/// The code of an init.
extern "C" fn live(argument: *mut c_void) -> c_int {
    // SAFETY: the launcher created this memory, and keeps it until this process has ended.
    let shared: &Shared = unsafe { &*argument.cast() };
    // The namespace ends with this process.
    own_process::exit(serve(shared).is_err().into())
}

fn serve(shared: &Shared) -> io::Result<()> {
    own_process::end_with_parent();
    let counter = shared.counter.unwrap_or(shared.line);
    own_process::close_all_but([shared.line, counter]);
    if shared.mounts_proc {
        mount_proc()?;
    }
    // SAFETY: both descriptors stay open until this process ends.
    let [launcher, deaths] =
        [shared.line, deaths()?].map(|fd| unsafe { BorrowedFd::borrow_raw(fd) });
    let mut reaped = Reaped::default();
    say(launcher, DONE)?;
    loop {
        let mut fds = [&launcher, &deaths].map(|fd| PollFd::new(fd, PollFlags::IN));
        rustix::io::retry_on_intr(|| poll(&mut fds, None))?;
        let [asked, died] = fds.map(|fd| !fd.revents().is_empty());
        shared.ledger.open.store(true, Ordering::SeqCst);
        if died {
            let mut info = [0; size_of::<libc::signalfd_siginfo>()];
            // One signal can stand for several deaths, and a late one for none.
            let _ = rustix::io::read(deaths, &mut info);
            while let WaitOutcome::Dead(..) = reap(-1, false, &mut reaped)? {}
        }
        let mut reply = None;
        if asked {
            let mut order = [0];
            if recv(launcher, order.as_mut_slice(), RecvFlags::empty())?.1 == 0 {
                return Ok(());
            }
            reply = Some(if order == *READ_COUNTER {
                let unused = has_unused_counter(shared.counter);
                if unused { DONE } else { USED }
            } else {
                // SAFETY: a system call on numbers. It reaches all other processes of this namespace, if there are any.
                let _ = unsafe { call(libc::SYS_kill, [int(-1), int(libc::SIGKILL)]) };
                while reap(-1, true, &mut reaped)? != WaitOutcome::Nobody {}
                DONE
            });
        }
        shared.ledger.write(&reaped);
        if let Some(reply) = reply {
            say(launcher, reply)?;
        }
    }
}

fn say(launcher: BorrowedFd<'_>, reply: u8) -> io::Result<()> {
    send(launcher, &[reply], SendFlags::NOSIGNAL)?;
    Ok(())
}

/// Whether no process of our namespace got a number by the kernel's choice, except init, and a program with the number
/// after it.
fn has_unused_counter(file: Option<RawFd>) -> bool {
    let Some(file) = file else {
        return false;
    };
    let mut text = [0; 16];
    let read = [int(file), at(&raw mut text), text.len(), 0];
    // SAFETY: a system call on a live buffer of the given size.
    let length = unsafe { call(libc::SYS_pread64, read) };
    length.is_ok_and(|length| {
        matches!(&text[..length.min(text.len())], COUNTER_OF_INIT | COUNTER_OF_A_PROGRAM)
    })
}

/// Sets the counter of the caller's namespace to the number of init. Needs a
/// [right](super::rights::KeptRight::SetCounter). For a process that shares our memory.
pub(super) fn set_counter_back(file: RawFd) -> Result<(), Errno> {
    let (text, length) = (at(COUNTER_OF_INIT.as_ptr()), COUNTER_OF_INIT.len());
    // SAFETY: a system call on a live buffer of the given size.
    unsafe { call(libc::SYS_pwrite64, [int(file), text, length, 0]) }.map(drop)
}

/// Hides the processes of other users, including this one.
fn mount_proc() -> io::Result<()> {
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC | MountFlags::RDONLY;
    let hidden = rustix::mount::mount(c"proc", c"/proc", c"proc", flags, c"hidepid=invisible");
    // Kernels before 5.8 do not have this option as a word.
    hidden.or_else(|_| rustix::mount::mount(c"proc", c"/proc", c"proc", flags, c"hidepid=2"))?;
    Ok(())
}

/// A descriptor that reports deaths of children.
fn deaths() -> io::Result<RawFd> {
    // In the layout of the kernel: one bit per signal, the first for signal 1.
    let set = 1_u64 << (libc::SIGCHLD - 1);
    let (set, size) = (at(&raw const set), size_of::<u64>());
    let flags = int(libc::SFD_CLOEXEC | libc::SFD_NONBLOCK);
    // SAFETY: a valid pointer to a live signal set of the kernel's size.
    let fd = unsafe {
        call(libc::SYS_rt_sigprocmask, [int(libc::SIG_BLOCK), set, 0, size])?;
        call(libc::SYS_signalfd4, [int(-1), set, size, flags])?
    };
    Ok(RawFd::try_from(fd).map_err(|_| Errno::BADF)?)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[test]
    fn a_ledger_that_is_right_has_everybody_who_was_reaped() {
        const LAST: u64 = 300_000;
        let (ledger, reaped) = (Ledger::default(), AtomicU64::new(0));
        thread::scope(|scope| {
            scope.spawn(|| {
                for number in 1..=LAST {
                    ledger.open.store(true, Ordering::SeqCst);
                    reaped.store(number, Ordering::SeqCst);
                    ledger.write(&Reaped {
                        user: Duration::from_micros(number),
                        system: Duration::from_micros(number),
                        max_rss: number,
                    });
                }
            });
            loop {
                let before = reaped.load(Ordering::SeqCst);
                let (told, right) = ledger.read();
                let told = [told.user, told.system, Duration::from_micros(told.max_rss)];
                let least = Duration::from_micros(before);
                assert!(!right || told.iter().all(|&figure| figure >= least));
                if before == LAST {
                    break;
                }
            }
        });
    }
}
