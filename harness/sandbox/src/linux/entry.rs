//! How a process becomes a launcher: the judge executes its own binary again, which then serves requests until it exits.
//!
//! This happens before `main`, in a constructor, or first in `main`, where [`run_launcher_if_asked`] is called. A program
//! that calls the function always uses it, even if another crate turns on the feature `constructor`.

#![expect(unsafe_code, reason = "runs before `main`, on an inherited descriptor")]

use std::ffi::{CStr, CString, OsStr};
use std::io;
use std::os::fd::{BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::panic::catch_unwind;
use std::sync::atomic::{AtomicBool, Ordering};

use rustix::net::SocketType;
use rustix::net::sockopt::socket_type;

use super::handshake::WantedProtections;
use super::launcher::Launcher;
use super::own_process;
use super::protocol::{JudgeRequest, Reply};
use super::requests::Requests;
use super::socket::Socket;

/// A process with this variable becomes a launcher in [`run_launcher_if_asked`]. The value is the folder for new working
/// folders.
const IN_MAIN: &CStr = c"REJUDGE_LAUNCHER_IN_MAIN";
/// The same, in the constructor.
#[cfg(feature = "constructor")]
const BEFORE_MAIN: &CStr = c"REJUDGE_LAUNCHER";

/// Whether `main` of this process calls [`run_launcher_if_asked`], and so does that of its launchers.
static CALLED_IN_MAIN: AtomicBool = AtomicBool::new(false);

/// The dynamic linker calls it before `main`, in every process of every binary that links this crate.
#[cfg(feature = "constructor")]
#[used]
#[unsafe(link_section = ".init_array")]
static CONSTRUCTOR: extern "C" fn() = constructor;

#[cfg(feature = "constructor")]
extern "C" fn constructor() {
    // SAFETY: before `main` there is one thread, so nobody changes the environment; the string is a valid C string.
    let base = unsafe {
        let base = libc::getenv(BEFORE_MAIN.as_ptr());
        if base.is_null() {
            return;
        }
        CStr::from_ptr(base).to_owned()
    };
    become_launcher(&base, BEFORE_MAIN)
}

/// Serves as a launcher and never returns, if a [`Runner`](crate::Runner) of the same program started this process for
/// that; otherwise returns at once.
///
/// Call it first in `main`, before there are other threads and open files. See [the crate](crate) for who needs it.
pub fn run_launcher_if_asked() {
    CALLED_IN_MAIN.store(true, Ordering::Relaxed);
    // A variable holds no NUL byte.
    let base = std::env::var_os(name_of(IN_MAIN)).map(|base| CString::new(base.into_vec()));
    if let Some(Ok(base)) = base {
        become_launcher(&base, IN_MAIN)
    }
}

/// The variable that makes a launcher of this executable; `None` if nothing in it would serve as one.
pub(super) fn variable() -> Option<&'static OsStr> {
    let in_main = CALLED_IN_MAIN.load(Ordering::Relaxed);
    let variable = in_main.then(|| name_of(IN_MAIN));
    #[cfg(feature = "constructor")]
    let variable = variable.or_else(|| {
        // Refers to the constructor, so that no linker can drop it from the binary.
        std::hint::black_box(CONSTRUCTOR);
        Some(name_of(BEFORE_MAIN))
    });
    variable
}

fn name_of(variable: &'static CStr) -> &'static OsStr {
    OsStr::from_bytes(variable.to_bytes())
}

/// Serves until the judge closes its socket, which is standard input.
fn become_launcher(base: &CStr, variable: &CStr) -> ! {
    // SAFETY: descriptor 0 is only inspected, so it may be closed.
    let stdin = unsafe { BorrowedFd::borrow_raw(0) };
    if socket_type(stdin) != Ok(SocketType::SEQPACKET) {
        refuse(variable);
    }
    // SAFETY: the judge that sets the variable passes the socket as standard input. Nothing else owns descriptor 0 here:
    // this process uses no other input, and never returns to code that could.
    let socket = unsafe { OwnedFd::from_raw_fd(0) };
    serve_and_exit(socket, base)
}

/// Makes the calling process, a fork of the judge with one thread, a launcher like one that was executed. It serves until
/// the judge closes the other end of `socket`; `null` is opened for writing.
pub(super) fn serve_as_fork(socket: OwnedFd, null: OwnedFd, base: &CStr) -> ! {
    if take_descriptors(socket, null).is_err() {
        exit(1);
    }
    clear_environment();
    // SAFETY: nothing else owns descriptor 0 here: this process never returns to the code of the judge.
    let socket = unsafe { OwnedFd::from_raw_fd(0) };
    serve_and_exit(socket, base)
}

/// Makes them standard input and output, and closes all other descriptors except standard error.
fn take_descriptors(socket: OwnedFd, null: OwnedFd) -> io::Result<()> {
    rustix::stdio::dup2_stdin(&socket)?;
    rustix::stdio::dup2_stdout(&null)?;
    drop((socket, null));
    match own_process::close_from(3) {
        Ok(()) => Ok(()),
        Err(_) => close_each_from(3),
    }
}

/// Closes every descriptor from `first` on, one at a time. Nothing of this process uses them.
fn close_each_from(first: RawFd) -> io::Result<()> {
    // The list includes the descriptor with which it is read.
    let entries = std::fs::read_dir("/proc/self/fd")?;
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let all: Vec<RawFd> = names.filter_map(|name| name.parse().ok()).collect();
    for fd in all.into_iter().filter(|&fd| fd >= first) {
        // SAFETY: a system call on a number.
        unsafe { libc::close(fd) };
    }
    Ok(())
}

/// The environment can hold secrets, and is no business of a launcher.
fn clear_environment() {
    unsafe extern "C" {
        static mut environ: *mut *mut libc::c_char;
    }
    // SAFETY: there is one thread, so nobody else uses the environment. It is a list of C strings that ends with a null
    // pointer; the strings may be written to.
    unsafe {
        let mut entry = environ;
        while !entry.is_null() && !(*entry).is_null() {
            libc::explicit_bzero((*entry).cast(), libc::strlen(*entry));
            entry = entry.add(1);
        }
        environ = std::ptr::null_mut();
    }
}

fn serve_and_exit(socket: OwnedFd, base: &CStr) -> ! {
    // A panic must not reach the code of the host binary.
    match catch_unwind(|| serve(Socket::new(socket), base)) {
        Ok(Ok(())) => exit(0),
        _ => exit(1),
    }
}

fn exit(code: i32) -> ! {
    // SAFETY: ends the process at once; no destructor or exit handler of the host binary has anything to do.
    unsafe { libc::_exit(code) }
}

/// Reports that something else set the variable: there is no judge at the other end of standard input.
fn refuse(variable: &CStr) -> ! {
    let name = variable.to_string_lossy();
    // SAFETY: only writes to standard error, whether it is open or not.
    let stderr = unsafe { BorrowedFd::borrow_raw(2) };
    let text = format!(
        "error: the environment variable `{name}` is set, which only rejudge itself may set\n\
         help: remove it: `unset {name}`\n"
    );
    // If the text cannot be written, the exit status still reports the error.
    let _ = rustix::io::write(stderr, text.as_bytes());
    exit(2)
}

/// The first request; `None` if the judge is gone already.
fn begin(socket: &mut Socket) -> io::Result<Option<WantedProtections>> {
    let Some(message) = socket.receive()? else {
        return Ok(None);
    };
    match JudgeRequest::decode(&message.bytes) {
        Ok(JudgeRequest::Begin(wanted)) => Ok(Some(wanted)),
        _ => Err(io::Error::other("the first request does not start a launcher")),
    }
}

/// Answers requests until the judge hangs up.
fn serve(mut socket: Socket, base: &CStr) -> io::Result<()> {
    let Some(wanted) = begin(&mut socket)? else {
        return Ok(());
    };
    let launcher = set_up_process().and_then(|()| Launcher::new(base, &wanted));
    let mut launcher = match launcher {
        Ok(launcher) => launcher,
        Err(error) => {
            let text = format!("cannot set itself up: {error}");
            return socket.send(&Reply::Fault(text).encode(), &[]);
        }
    };
    let served = launcher.answer(&mut Requests::new(socket));
    launcher.leave();
    served
}

/// Its own session, so that the terminal's Ctrl-C reaches only the judge; default signals; parent of every orphan below.
fn set_up_process() -> io::Result<()> {
    // Before Linux 6.4 `rustix` reads its auxiliary vector from `/proc/self`, and panics if it cannot. Now it can; soon,
    // not dumpable and in another pid namespace, it cannot.
    let _ = rustix::param::page_size();
    // Code that needs a higher limit reports the error.
    let _ = crate::raise_inherited_limits();
    rustix::process::setsid()?;
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o022));
    for signal in 1..=libc::SIGRTMAX() {
        // SAFETY: restores a default. The call fails for signals whose disposition cannot change, which is fine.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    crate::unblock_signals();
    Ok(())
}
