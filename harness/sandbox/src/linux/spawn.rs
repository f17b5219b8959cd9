//! Starts a program: the steps from clone to exec.
//!
//! The child shares the launcher's memory, and the launcher sleeps until exec (`CLONE_VM | CLONE_VFORK`). So a start
//! copies no page tables, and the child reports a failed step through that memory.

#![expect(unsafe_code, reason = "a process that shares our memory")]

use std::cell::Cell;
use std::ffi::{c_int, c_void};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::ptr;
use std::time::{Duration, Instant};

use super::caller::OwnCalls;
use super::child::{Child, Started};
use super::child_setup;
use super::landlock::Ruleset;
use super::oom_score::OwnScore;
use super::own_process;
use super::plan::LaunchPlan;
use super::raw;
use super::stack::Stack;
use super::step::{SetupError, Step};

/// The data that the child reads and writes.
struct ChildData<'a> {
    plan: &'a LaunchPlan,
    stdio: [RawFd; 3],
    rules: Option<&'a Ruleset>,
    own_score: Option<&'a OwnScore>,
    /// The start, by [`raw::now`], and the CPU time so far, by [`raw::own_cpu`]; written by the child.
    outcome: Cell<Option<Result<[u64; 2], SetupError>>>,
}

/// Starts programs one at a time, and owns the stack on which children start.
#[derive(Debug)]
pub(super) struct Spawner {
    stack: Stack,
    /// `None`: memory has no limit for all together, or the kernel denies it.
    own_score: Option<OwnScore>,
}

impl Spawner {
    pub(super) fn new(own_score: Option<OwnScore>) -> io::Result<Self> {
        let stack = Stack::new()?;
        Ok(Self { stack, own_score })
    }

    /// Starts `plan` and returns after exec. None of the streams may be descriptor 0, 1 or 2 itself.
    pub(super) fn spawn(
        &mut self,
        plan: &LaunchPlan,
        stdio: [BorrowedFd<'_>; 3],
        rules: Option<&Ruleset>,
    ) -> Result<Child, SetupError> {
        let own_score = self.own_score.as_ref().filter(|_| plan.is_small);
        let mut shared = ChildData {
            plan,
            stdio: stdio.each_ref().map(AsRawFd::as_raw_fd),
            rules,
            own_score: own_score.filter(|score| score.raise().is_ok()),
            outcome: Cell::new(None),
        };
        let mut pidfd: RawFd = -1;
        let flags = libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD;
        let argument: *mut ChildData<'_> = &raw mut shared;
        let (argument, stack) = (argument.cast(), self.stack.top());
        // SAFETY: nothing else uses the stack, and it outlives the child's use of it, because the call returns only
        // after exec or exit. The child uses only `shared`, which this process does not use in the meantime.
        let pid = unsafe { raw::start(child, argument, stack, flags, &mut pidfd) };
        if let Some(score) = own_score {
            // The child may not have come to it.
            score.restore();
        }
        let pid = pid.map_err(|error| Step::Clone.failed(error))?;
        // SAFETY: the kernel stored a new descriptor there, and nothing else owns it.
        let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
        // SAFETY: a valid pointer to a live value, which the child wrote to through the same pointer; volatile, since
        // the compiler cannot see that write.
        let outcome =
            unsafe { (&raw const (*argument.cast::<ChildData<'_>>()).outcome).read_volatile() };
        let started = match outcome.into_inner() {
            Some(Ok([time, cpu])) => {
                Started::At { time: raw::moment(time), cpu: Duration::from_nanos(cpu) }
            }
            Some(Err(failed)) => {
                // SAFETY: a wait for our own child. The kernel writes no result.
                unsafe { libc::waitpid(pid, ptr::null_mut(), 0) };
                return Err(failed);
            }
            // A child that was killed before exec has written neither.
            None => Started::At { time: Instant::now(), cpu: Duration::ZERO },
        };
        Ok(Child { pid, pidfd, started, cpu_at_begin: Duration::ZERO, is_copy: false })
    }
}

/// Runs in the child. Never returns: it exits.
extern "C" fn child(argument: *mut c_void) -> c_int {
    // SAFETY: the launcher created this data, sleeps now, and reads it after this process has called exec or exited.
    let shared: &ChildData<'_> = unsafe { &*argument.cast() };
    let failed = match set_up(shared) {
        Ok(()) => {
            let begin = || {
                let cpu = raw::own_cpu();
                shared.outcome.set(Some(Ok([raw::now(), cpu])));
            };
            child_setup::execute(shared.plan, shared.plan.argv.as_ptr(), begin)
        }
        Err(failed) => failed,
    };
    shared.outcome.set(Some(Err(failed)));
    own_process::exit(127)
}

/// Does every step up to exec.
fn set_up(shared: &ChildData<'_>) -> Result<(), SetupError> {
    // First, while it has the right to.
    if let Some(score) = shared.own_score {
        score.restore();
    }
    child_setup::prepare(&mut OwnCalls, shared.plan)?;
    child_setup::spread(&mut OwnCalls, shared.plan)?;
    child_setup::connect(&mut OwnCalls, shared.stdio)?;
    if let Some(rules) = shared.rules {
        let restricted = rules.restrict();
        restricted.map_err(|error| Step::RestrictFiles.failed(error))?;
    }
    // In case a descriptor was inherited by mistake.
    let _ = own_process::close_from(3);
    match &shared.plan.filter {
        Some(filter) => filter
            .install_for_program(shared.plan.longest_file)
            .map_err(|error| Step::FilterCalls.failed(error)),
        None => Ok(()),
    }
}
