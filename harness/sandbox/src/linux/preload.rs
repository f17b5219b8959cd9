//! A Python interpreter that is started once for many runs of one program.
//!
//! The interpreter stops in the middle of its start, when it has imported what the program imports. For each run it copies
//! itself. The copy enters the cell of the run, takes the same limits and gives up the same rights as every program
//! ([`child_setup`]), and goes on with the start. So the interpreter never executes anything of the program, and what a copy
//! does stays in its cell. The copy is a child of the launcher, not of the interpreter.
//!
//! The interpreter has rights of the launcher, and runs in a cell of its own, where it sees what the program sees, but not the
//! program: whatever happens in its start, it cannot execute that. The
//! numbers with which Python orders sets are those of the interpreter, so they are the same in all its copies.

#![expect(unsafe_code, reason = "a process that shares our memory until exec")]

use std::cell::Cell as Slot;
use std::ffi::{c_int, c_void};
use std::fs::{self, File};
use std::io::{self, IoSlice};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::{
    AddressFamily, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, SocketFlags,
    SocketType, recv, sendmsg, socketpair,
};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use super::caller::{Argument, Caller, OwnCalls};
use super::child::{Child, Started};
use super::child_setup;
use super::init::Init;
use super::landlock::Ruleset;
use super::namespaces::Cell;
use super::own_process;
use super::plan::LaunchPlan;
use super::processors::Processors;
use super::protections::Protections;
use super::protocol::ProgramSpec;
use super::raw;
use super::rights;
use super::run_folders::RunFolders;
use super::stack::Stack;
use super::step::{SetupError, Step};
use super::tree::{self, Reaped};

pub(super) use hook::without_source;
use noted_calls::NotedCalls;

mod hook;
mod noted_calls;

/// Its only descriptor besides the standard streams.
const LINE: RawFd = 3;
/// How long its start may take, and that of a copy. On a busy machine both take longer than a second.
const PATIENCE: Duration = Duration::from_secs(20);
/// The most descriptors in a message.
const MOST_DESCRIPTORS: usize = 64;

/// An interpreter that waits. Dropping it kills it, and not its copies.
#[derive(Debug)]
pub(super) struct PreloadedInterpreter {
    program: ProgramSpec,
    pid: libc::pid_t,
    pidfd: OwnedFd,
    line: OwnedFd,
    /// What it sees.
    folders: RunFolders,
    /// The memory that each copy has from the start, in bytes.
    resident: u64,
}

impl PreloadedInterpreter {
    /// Starts one for `program` in these folders, and waits until it is ready. New children of the caller must be in its own
    /// pid namespace.
    pub(super) fn start(
        program: &ProgramSpec,
        folders: RunFolders,
        protections: &Protections,
        processors: &Processors,
    ) -> io::Result<Self> {
        let unusable = || io::Error::other("the program cannot be preloaded");
        let (Some(modules), Some(files)) = (&program.preload, folders.files()) else {
            return Err(unusable());
        };
        let text = hook::text(program, modules).ok_or_else(unusable)?;
        hook::write(files.tmp.as_fd(), &text)?;
        let mut own = program.clone();
        own.env.push(hook::place()?);
        let plan = folders.plan(&own, protections, processors);
        let (pid, pidfd, line) = execute(&plan)?;
        // If it is not as it must be, dropping it kills it.
        let program = program.clone();
        let mut interpreter = Self { program, pid, pidfd, line, folders, resident: 0 };
        match interpreter.hear(None)? {
            Word::Ready if interpreter.is_alone()? => {}
            _ => return Err(unusable()),
        }
        interpreter.resident = tree::own_memory(pid)?;
        Ok(interpreter)
    }

    /// Whether its copies are runs of `program`.
    pub(super) fn serves(&self, program: &ProgramSpec) -> bool {
        self.program.argv == program.argv && self.program.differs_only_in_arguments(program)
    }

    /// The memory that each copy has from the start, in bytes.
    pub(super) fn resident(&self) -> u64 {
        self.resident
    }

    /// Its own process, and the init of its cell.
    pub(super) fn pids(&self) -> [Option<libc::pid_t>; 2] {
        [Some(self.pid), self.folders.cell.init.as_ref().map(Init::pid)]
    }

    /// Starts a run of its program in this cell, and returns when the copy goes on with the start of the interpreter.
    pub(super) fn copy(
        &mut self,
        plan: &LaunchPlan,
        stdio: [BorrowedFd<'_>; 3],
        rules: Option<&Ruleset>,
        cell: &Cell,
        own_pids: BorrowedFd<'_>,
    ) -> Result<Child, SetupError> {
        let pids = cell.pids.as_ref().ok_or_else(|| Step::Clone.failed(Errno::NOENT))?;
        let mut calls = NotedCalls::new([pids.as_fd(), own_pids]);
        note(&mut calls, plan, stdio.map(|stream| stream.as_raw_fd()), rules, cell)?;
        self.send(&calls).map_err(|error| Step::Clone.refused(&error))?;
        let lost = |error: io::Error| Step::Clone.refused(&error);
        let mut created: Option<(libc::pid_t, OwnedFd)> = None;
        let mut outcome = None;
        let (pid, pidfd) = loop {
            let pidfd = created.as_ref().map(|(_, pidfd)| pidfd);
            match self.hear(pidfd).map_err(lost)? {
                Word::Created(pid) => {
                    // It is our child, and nobody has reaped it.
                    let found = Pid::from_raw(pid).ok_or(Errno::SRCH);
                    let pidfd = found.and_then(|pid| pidfd_open(pid, PidfdFlags::empty()));
                    created = Some((pid, pidfd.map_err(|error| Step::Clone.failed(error))?));
                }
                Word::Outcome(now) => outcome = Some(now),
                // As for any program that is killed before its start.
                Word::Ended => outcome = Some(Ok([raw::now(), 0])),
                Word::Ready => return Err(Step::Clone.failed(Errno::PROTO)),
            }
            if outcome.is_some()
                && let Some(created) = created.take()
            {
                break created;
            }
        };
        match outcome {
            Some(Ok([time, cpu])) => Ok(Child {
                pid,
                pidfd,
                started: Started::At { time: raw::moment(time), cpu: Duration::from_nanos(cpu) },
                cpu_at_begin: Duration::ZERO,
                is_copy: true,
            }),
            failed => {
                let _ = tree::reap(pid, true, &mut Reaped::default());
                let failed = failed.and_then(Result::err);
                Err(failed.unwrap_or_else(|| Step::Clone.failed(Errno::PROTO)))
            }
        }
    }

    /// Kills it. Returns the CPU time that it used.
    pub(super) fn end(mut self) -> Duration {
        let used = self.kill();
        used.user + used.system
    }

    fn kill(&mut self) -> Reaped {
        let mut used = Reaped::default();
        if self.pid > 0 {
            // SAFETY: our own child, which is not reaped yet, so its number still belongs to it.
            unsafe { libc::kill(self.pid, libc::SIGKILL) };
            let _ = tree::reap(self.pid, true, &mut used);
            self.pid = 0;
        }
        used
    }

    /// Whether it has one thread, and no descriptors but its own: a copy has only the thread that made it.
    fn is_alone(&self) -> io::Result<bool> {
        let count =
            |folder| fs::read_dir(format!("/proc/{}/{folder}", self.pid)).map(Iterator::count);
        let standard = usize::try_from(LINE).unwrap_or_default();
        Ok(count("task")? == 1 && count("fd")? == standard + 1)
    }

    fn send(&self, calls: &NotedCalls) -> io::Result<()> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MOST_DESCRIPTORS))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        // SAFETY: they are open: the caller holds what it noted.
        let fds: Vec<_> =
            calls.fds.iter().map(|&fd| unsafe { BorrowedFd::borrow_raw(fd) }).collect();
        if !control.push(SendAncillaryMessage::ScmRights(&fds)) {
            return Err(io::Error::other("too many descriptors for one message"));
        }
        let message = calls.message();
        let parts = [IoSlice::new(&message)];
        rustix::io::retry_on_intr(|| {
            sendmsg(&self.line, &parts, &mut control, SendFlags::NOSIGNAL)
        })?;
        Ok(())
    }

    /// Waits for the next message of it or of its last copy, which may end without one.
    fn hear(&self, copy: Option<&OwnedFd>) -> io::Result<Word> {
        let ends = copy.unwrap_or(&self.pidfd);
        let mut fds = [&self.line, &self.pidfd, ends].map(|fd| PollFd::new(fd, PollFlags::IN));
        let patience = Timespec::try_from(PATIENCE).ok();
        rustix::io::retry_on_intr(|| poll(&mut fds, patience.as_ref()))?;
        let [heard, _, ended] = fds.map(|fd| fd.revents().contains(PollFlags::IN));
        if heard {
            let mut bytes = [0; 32];
            let (_, length) = rustix::io::retry_on_intr(|| {
                recv(&self.line, bytes.as_mut_slice(), RecvFlags::DONTWAIT)
            })?;
            let word = bytes.get(..length).and_then(Word::read);
            return word.ok_or_else(|| io::Error::other("its message is malformed"));
        }
        if ended && copy.is_some() {
            return Ok(Word::Ended);
        }
        Err(io::Error::other("the interpreter does not answer"))
    }
}

impl Drop for PreloadedInterpreter {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Notes the steps of a copy, from its first instruction until it goes on.
fn note(
    calls: &mut NotedCalls<'_>,
    plan: &LaunchPlan,
    stdio: [RawFd; 3],
    rules: Option<&Ruleset>,
    cell: &Cell,
) -> Result<(), SetupError> {
    if let Some(ipc) = &cell.ipc {
        let enter = [Argument::Descriptor(ipc.as_raw_fd()), Argument::int(libc::CLONE_NEWIPC)];
        calls.must(Step::EnterMountNamespace, libc::SYS_setns, enter)?;
    }
    child_setup::prepare(calls, plan)?;
    // As after exec; the change of the user reset this. Otherwise it could not read its own `/proc`.
    let dumpable = [Argument::int(libc::PR_SET_DUMPABLE), Argument::Number(1)];
    calls.may(libc::SYS_prctl, dumpable);
    child_setup::spread(calls, plan)?;
    child_setup::connect(calls, stdio)?;
    if let Some(rules) = rules {
        let restrict = [Argument::Descriptor(rules.as_fd().as_raw_fd()), Argument::Number(0)];
        calls.must(Step::RestrictFiles, libc::SYS_landlock_restrict_self, restrict)?;
    }
    let rest = [Argument::int(LINE + 1), Argument::Number(u32::MAX as usize), Argument::Number(0)];
    calls.must(Step::Stdio, libc::SYS_close_range, rest)?;
    let filter = plan.filter.as_ref().ok_or_else(|| Step::FilterCalls.failed(Errno::NOENT))?;
    calls.filter(&filter.for_program(plan.longest_file));
    Ok(())
}

/// A message of an interpreter or of a copy.
#[derive(Debug, Clone, Copy)]
enum Word {
    /// It waits for runs.
    Ready,
    /// It made a copy, with this number in its pid namespace.
    Created(libc::pid_t),
    /// The copy goes on, at this time by [`raw::now`] and after this CPU time by [`raw::own_cpu`]; or a step of it failed.
    Outcome(Result<[u64; 2], SetupError>),
    /// The copy ended without a message.
    Ended,
}

impl Word {
    fn read(bytes: &[u8]) -> Option<Self> {
        let (kind, rest) = bytes.split_first()?;
        let number = |index: usize| {
            let bytes = rest.get(index * 8..index * 8 + 8)?;
            Some(u64::from_le_bytes(bytes.try_into().ok()?))
        };
        match kind {
            b'r' => Some(Self::Ready),
            b'p' => Some(Self::Created(number(0)?.try_into().ok()?)),
            b'b' => Some(Self::Outcome(Ok([number(0)?, number(1)?]))),
            b'f' => {
                let step = Step::from_u8(number(0)?.try_into().ok()?)?;
                let errno = number(1)?.try_into().ok()?;
                Some(Self::Outcome(Err(SetupError { step, errno })))
            }
            _ => None,
        }
    }
}

/// What the process of an interpreter reads and writes until exec.
struct StartData<'a> {
    plan: &'a LaunchPlan,
    /// Our process number.
    launcher: libc::pid_t,
    nothing: RawFd,
    line: RawFd,
    failed: Slot<Option<SetupError>>,
}

/// Starts the interpreter. Returns its number, a descriptor of it, and our end of the line to it.
fn execute(plan: &LaunchPlan) -> io::Result<(libc::pid_t, OwnedFd, OwnedFd)> {
    let (ours, theirs) =
        socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
    let nothing = File::options().read(true).write(true).open("/dev/null")?;
    let stack = Stack::new()?;
    let mut shared = StartData {
        plan,
        launcher: std::process::id().cast_signed(),
        nothing: nothing.as_raw_fd(),
        line: theirs.as_raw_fd(),
        failed: Slot::new(None),
    };
    let mut pidfd: RawFd = -1;
    let flags = libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD;
    let argument: *mut StartData<'_> = &raw mut shared;
    // SAFETY: nothing else uses the stack, and it outlives the child's use of it, because the call returns only after exec
    // or exit. The child uses only `shared`, which this process does not use in the meantime.
    let pid = unsafe { raw::start(start, argument.cast(), stack.top(), flags, &mut pidfd) }?;
    // SAFETY: the kernel stored a new descriptor there, and nothing else owns it.
    let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
    // SAFETY: a valid pointer to a live value, which the child wrote to through the same pointer; volatile, since the
    // compiler cannot see that write.
    let failed = unsafe { (&raw const (*argument).failed).read_volatile() };
    if let Some(failed) = failed.into_inner() {
        let _ = tree::reap(pid, true, &mut Reaped::default());
        return Err(io::Error::from_raw_os_error(failed.errno));
    }
    Ok((pid, pidfd, ours))
}

/// Runs in the process of the interpreter. Never returns: it exits.
extern "C" fn start(argument: *mut c_void) -> c_int {
    // SAFETY: the launcher created this data, sleeps now, and reads it after this process has called exec or exited.
    let shared: &StartData<'_> = unsafe { &*argument.cast() };
    let failed = match set_up(shared) {
        Ok(()) => child_setup::execute(shared.plan, shared.plan.argv.as_ptr(), || ()),
        Err(failed) => failed,
    };
    shared.failed.set(Some(failed));
    own_process::exit(127)
}

/// Does the steps up to exec: it sees what its copies see, and keeps its rights.
fn set_up(shared: &StartData<'_>) -> Result<(), SetupError> {
    let caller = &mut OwnCalls;
    let plan = shared.plan;
    child_setup::part_from(caller, shared.launcher)?;
    child_setup::enter(caller, plan)?;
    // The kernel lays out the memory by this limit at exec, and a copy has the same layout.
    for (step, resource, limit) in &plan.rlimits {
        if *step == Step::StackLimit {
            child_setup::set_limit(caller, *step, *resource, limit)?;
        }
    }
    rights::keep_at_exec(caller, rights::OF_INTERPRETERS)?;
    child_setup::connect(caller, [shared.nothing; 3])?;
    let line = [Argument::Descriptor(shared.line), Argument::int(LINE), Argument::Number(0)];
    caller.must(Step::Stdio, libc::SYS_dup3, line)?;
    let _ = own_process::close_from(LINE + 1);
    Ok(())
}
