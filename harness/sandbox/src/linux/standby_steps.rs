//! The steps of a waiting process: what it does itself, from its first instruction to exec. The launcher's side is
//! [`super::standby`].

#![expect(unsafe_code, reason = "a process that shares the launcher's memory")]

use std::ffi::{c_int, c_void};
use std::io::IoSliceMut;
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, IntoRawFd, RawFd};
use std::sync::atomic::Ordering;
use std::time::Duration;

use rustix::io::Errno;
use rustix::net::{RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendFlags, recvmsg, send};

use super::caller::OwnCalls;
use super::child_setup;
use super::init;
use super::landlock;
use super::own_process;
use super::raw::{at, call, int};
use super::rights::{self, KeptRight};
use super::standby_memory::{ArrivalPart, StandbyData};
use super::step::{SetupError, Step};

/// The number of every program in its pid namespace: the first after that of init. In a cell that is used again, the
/// kernel would choose the next one.
pub(super) const FIRST: libc::pid_t = 2;

/// How long a process that was woken looks out for its order: a little more than the launcher needs after the end of a
/// program that leaves nothing behind.
const LOOKOUT: Duration = Duration::from_micros(200);

/// The code of the process.
pub(super) extern "C" fn wait(argument: *mut c_void) -> c_int {
    // SAFETY: `StandbyProcess::start` passes this memory.
    unsafe { live(argument, become_ready) }
}

/// The code of a process that a [fork server](super::fork_server) creates, with `StandbyData`.
pub(super) extern "C" fn wait_when_set_up(argument: *mut c_void) -> c_int {
    // SAFETY: the fork server passes this memory.
    unsafe { live(argument, finish_set_up) }
}

/// Does the steps up to exec, and the rest.
unsafe fn live(argument: *mut c_void, up_to_exec: fn(&StandbyData) -> Result<(), SetupError>) -> ! {
    // SAFETY: the launcher created this memory, and keeps it until this process has ended.
    let shared: &StandbyData = unsafe { &*argument.cast() };
    let failed = match up_to_exec(shared) {
        Ok(()) => {
            let arguments = shared.arguments.load(Ordering::Acquire);
            let arguments = if arguments.is_null() { shared.plan.argv.as_ptr() } else { arguments };
            child_setup::execute(&shared.plan, arguments, || shared.begin())
        }
        Err(failed) => failed,
    };
    let failed = u64::from(failed.step as u8) << 32 | u64::from(failed.errno.cast_unsigned());
    // Step 0 with error 0 would look like no failure.
    shared.failed.store(failed.max(1), Ordering::Release);
    shared.arrival.note(ArrivalPart::Checked);
    own_process::exit(127)
}

/// The number of its only descriptor besides those of a program.
const LINE: RawFd = 3;
/// If a fork server created it, there is this one at first:
/// [`Namespaces::counter`](super::namespaces::Namespaces::counter).
const COUNTER: RawFd = 4;

/// Moves the descriptor of the line to [`LINE`] in the caller's own table, and that of the counter to [`COUNTER`], if it is
/// needed. Closes the others, but for the standard streams.
pub(super) fn keep_line(line: RawFd, counter: Option<RawFd>) -> Result<(), SetupError> {
    let places = [(Some(line), LINE), (counter, COUNTER)];
    for (from, to) in places {
        if let Some(from) = from
            && from != to
        {
            // SAFETY: a system call on numbers.
            let moved = unsafe { call(libc::SYS_dup3, [int(from), int(to), int(libc::O_CLOEXEC)]) };
            moved.map_err(|error| Step::Stdio.failed(error))?;
        }
    }
    let _ = own_process::close_from(if counter.is_some() { COUNTER } else { LINE } + 1);
    Ok(())
}

/// Does every step up to exec.
fn become_ready(shared: &StandbyData) -> Result<(), SetupError> {
    child_setup::prepare(&mut OwnCalls, &shared.plan)?;
    if let Some(file) = shared.plan.place.last_number
        && !is_unused(file)
    {
        own_process::exit(0);
    }
    // The launcher's descriptors must not stay open here.
    let parted = own_process::copy_descriptors_to(shared.line);
    parted.map_err(|error| Step::Stdio.failed(error))?;
    keep_line(shared.line, None)?;
    if shared.plan.place.last_number.is_some() {
        report_unused(LINE);
    }
    if let Some(filter) = &shared.plan.filter {
        let installed = filter.install_for_program(shared.plan.longest_file);
        installed.map_err(|error| Step::FilterCalls.failed(error))?;
    }
    connect_when_told(shared)
}

/// Does the steps up to exec that the fork server has not done.
fn finish_set_up(shared: &StandbyData) -> Result<(), SetupError> {
    child_setup::part(&mut OwnCalls, &shared.plan)?;
    // SAFETY: a system call without arguments.
    if unsafe { call(libc::SYS_getpid, []) } != Ok(int(FIRST)) {
        return Err(Step::Clone.failed(Errno::EXIST));
    }
    init::set_counter_back(COUNTER).map_err(|error| Step::Clone.failed(error))?;
    rights::keep_only(&mut OwnCalls, KeptRight::Nothing)?;
    shared.arrival.note(ArrivalPart::Checked);
    child_setup::limit(&mut OwnCalls, &shared.plan)?;
    connect_when_told(shared)
}

/// Receives the streams, and waits until the process is to become the program.
fn connect_when_told(shared: &StandbyData) -> Result<(), SetupError> {
    let LauncherMessage { streams, rules, text } = hear(LINE);
    child_setup::connect(&mut OwnCalls, streams)?;
    if let Some(rules) = rules {
        let restricted = landlock::restrict(rules);
        restricted.map_err(|error| Step::RestrictFiles.failed(error))?;
    }
    // In case the kernel did not mark the received descriptors: the others close on exec.
    let _ = own_process::close_from(LINE + 1);
    let is_ordered = text.is_none() || hear(LINE).text.is_none();
    if !shared.held.load(Ordering::Acquire) {
        child_setup::spread(&mut OwnCalls, &shared.plan)?;
    }
    if !is_ordered && !shared.order.look_out(LOOKOUT) {
        hear(LINE);
    }
    Ok(())
}

/// Whether no process of this pid namespace got a number by the kernel's choice, except init and those of a fork server,
/// which had the number after it. If one did, the next one would show how many there were.
fn is_unused(load: RawFd) -> bool {
    let mut text = [0; 64];
    let read = [int(load), at(&raw mut text), text.len(), 0];
    // SAFETY: a system call on a live buffer of the given size.
    let length = unsafe { call(libc::SYS_pread64, read) };
    // The last number is the last process number that the kernel chose; see `proc_loadavg(5)`.
    length.is_ok_and(|length| {
        let text = &text[..length.min(text.len())];
        text.ends_with(b" 1\n") || text.ends_with(b" 2\n")
    })
}

/// Reports that to the launcher.
fn report_unused(line: RawFd) {
    // SAFETY: the descriptor stays open during the call.
    let line = unsafe { BorrowedFd::borrow_raw(line) };
    if send(line, b"u", SendFlags::NOSIGNAL).is_err() {
        own_process::exit(0);
    }
}

/// A message of the launcher.
struct LauncherMessage {
    /// -1 for each one that did not come.
    streams: [RawFd; 3],
    /// The Landlock rules, if there are any.
    rules: Option<RawFd>,
    /// Whether another message follows before exec, and how soon; none if it is an order.
    text: Option<u8>,
}

/// Waits for a message. Exits if the launcher is gone.
fn hear(line: RawFd) -> LauncherMessage {
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(4))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    // Where the message is, which is the first byte of each, and the message.
    let mut bytes = [0; 2];
    let length = loop {
        let mut parts = [IoSliceMut::new(&mut bytes)];
        // SAFETY: the descriptor stays open during the call.
        let line = unsafe { BorrowedFd::borrow_raw(line) };
        match recvmsg(line, &mut parts, &mut control, RecvFlags::CMSG_CLOEXEC) {
            Err(Errno::INTR) => {}
            Err(_) => own_process::exit(0),
            Ok(received) if received.bytes == 0 => own_process::exit(0),
            Ok(received) => break received.bytes,
        }
    };
    let mut fds = [-1; 4];
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(came) = message {
            for (place, fd) in fds.iter_mut().zip(came) {
                *place = fd.into_raw_fd();
            }
        }
    }
    let [stdin, stdout, stderr, rules] = fds;
    LauncherMessage {
        streams: [stdin, stdout, stderr],
        rules: (rules >= 0).then_some(rules),
        text: (length == bytes.len()).then_some(bytes[1]),
    }
}
