//! How a process becomes a launcher: entered before `main` in a re-execution of the same binary, and never left.

#![expect(unsafe_code, reason = "runs before `main`, on an inherited descriptor")]

use std::ffi::CStr;
use std::io;
use std::os::fd::{BorrowedFd, FromRawFd, OwnedFd};

use rustix::net::SocketType;
use rustix::net::sockopt::socket_type;

use super::greeting::Wanted;
use super::launcher::Launcher;
use super::orders::Orders;
use super::protocol::{Reply, Request};
use super::socket::Socket;

/// Names the folder for fresh working folders; a process that has this variable is a launcher.
pub(super) const VARIABLE: &CStr = c"REJUDGE_LAUNCHER";

/// Run by the dynamic linker before `main`, in every process of every binary that links this library.
#[used]
#[unsafe(link_section = ".init_array")]
pub(super) static CONSTRUCTOR: extern "C" fn() = constructor;

extern "C" fn constructor() {
    // SAFETY: before `main` there is one thread, so nobody changes the environment; the string is a valid C string.
    let base = unsafe {
        let base = libc::getenv(VARIABLE.as_ptr());
        if base.is_null() {
            return;
        }
        CStr::from_ptr(base).to_owned()
    };
    // SAFETY: standard input is only looked at, whether it is open or not.
    let stdin = unsafe { BorrowedFd::borrow_raw(0) };
    if socket_type(stdin) != Ok(SocketType::SEQPACKET) {
        refuse();
    }
    // SAFETY: who sets the variable passes the socket as standard input, and nothing else owns descriptor 0 here.
    let socket = unsafe { OwnedFd::from_raw_fd(0) };
    let code = match serve(Socket::new(socket), &base) {
        Ok(()) => 0,
        Err(_) => 1,
    };
    // SAFETY: ends the process at once; no destructor or exit handler of the host binary has anything to do.
    unsafe { libc::_exit(code) }
}

/// Somebody else has set the variable, and no judge is there to talk with.
fn refuse() -> ! {
    let name = VARIABLE.to_string_lossy();
    // SAFETY: standard error is only written to, whether it is open or not.
    let stderr = unsafe { BorrowedFd::borrow_raw(2) };
    let text = format!(
        "error: the environment variable `{name}` is set, which only rejudge itself may set\n\
         help: remove it: `unset {name}`\n"
    );
    // Where it cannot be said, the exit status says it.
    let _ = rustix::io::write(stderr, text.as_bytes());
    // SAFETY: ends the process at once; no destructor or exit handler of the host binary has anything to do.
    unsafe { libc::_exit(2) }
}

/// The first request; `None` if the judge is gone already.
fn begin(socket: &mut Socket) -> io::Result<Option<Wanted>> {
    let Some(message) = socket.receive()? else {
        return Ok(None);
    };
    match Request::decode(&message.bytes) {
        Ok(Request::Begin(wanted)) => Ok(Some(wanted)),
        _ => Err(io::Error::other("the first request is another")),
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
    let served = launcher.answer(&mut Orders::new(socket));
    launcher.leave();
    served
}

/// Own session, so that the terminal's Ctrl-C reaches only the judge; default signals; parent of every orphan below.
fn set_up_process() -> io::Result<()> {
    // Before Linux 6.4 `rustix` reads its auxiliary vector from `/proc/self`, and panics if it cannot. Now it can; soon,
    // not dumpable and in another pid namespace, it cannot.
    let _ = rustix::param::page_size();
    // Whoever needs more than there is says so; here only what may be raised is.
    let _ = super::super::raise_inherited_limits();
    rustix::process::setsid()?;
    rustix::process::set_child_subreaper(Some(rustix::process::getpid()))?;
    rustix::process::umask(rustix::fs::Mode::from_raw_mode(0o022));
    for signal in 1..=libc::SIGRTMAX() {
        // SAFETY: restores a default; for signals that have no other disposition it fails, which is as good.
        unsafe { libc::signal(signal, libc::SIG_DFL) };
    }
    super::super::unblock_signals();
    Ok(())
}
