//! The steps of a new process before exec: it enters its namespaces and folder, takes its limits, and drops every
//! right.
//!
//! It shares the launcher's memory. Therefore nothing here allocates, locks, panics or calls the C library. A process that
//! does not share it makes the same calls: the steps are written for any [`Caller`].

#![expect(unsafe_code, reason = "system calls")]

use std::ffi::{CStr, c_char};
use std::os::fd::RawFd;

use rustix::event::Timespec;
use rustix::io::Errno;

use super::caller::{Argument, Caller};
use super::plan::LaunchPlan;
use super::raw::{at, call};
use super::rights::{self, KeptRight};
use super::step::{SetupError, Step};

/// Prepares the calling process, a child of the launcher, as `plan` describes.
pub(super) fn prepare(caller: &mut impl Caller, plan: &LaunchPlan) -> Result<(), SetupError> {
    part(caller, plan)?;
    enter(caller, plan)?;
    limit(caller, plan)?;
    give_up_rights(caller, plan, KeptRight::Nothing)?;
    // The change of the user reset this.
    end_with_parent(caller);
    Ok(())
}

/// Makes the kernel kill the calling process when its parent dies.
fn end_with_parent(caller: &mut impl Caller) {
    let (what, signal) = (libc::PR_SET_PDEATHSIG, libc::SIGKILL);
    caller.may(libc::SYS_prctl, [Argument::int(what), Argument::int(signal)]);
}

/// Parts the calling process from the launcher: it has its own session and signals, and ends with the launcher.
pub(super) fn part(caller: &mut impl Caller, plan: &LaunchPlan) -> Result<(), SetupError> {
    part_from(caller, plan.launcher)
}

/// The same for a launcher of this process number.
pub(super) fn part_from(caller: &mut impl Caller, launcher: libc::pid_t) -> Result<(), SetupError> {
    caller.must(Step::Session, libc::SYS_setsid, [])?;
    // If the launcher is killed, the kernel must kill the program. If the launcher is dead already, no signal comes.
    end_with_parent(caller);
    caller.must_return(Step::Session, libc::SYS_getppid, [], launcher)?;
    // The launcher blocks the signal of its timers; the program must not.
    let no_signals = 0_u64.to_ne_bytes();
    let (how, size) = (Argument::int(libc::SIG_SETMASK), Argument::Number(size_of::<u64>()));
    let set = [how, Argument::Bytes(&no_signals), Argument::Number(0), size];
    caller.may(libc::SYS_rt_sigprocmask, set);
    Ok(())
}

/// Makes the calling thread see only the files of the program.
pub(super) fn enter(caller: &mut impl Caller, plan: &LaunchPlan) -> Result<(), SetupError> {
    enter_mount_namespace(caller, plan)?;
    let work_dir = Argument::text(&plan.place.work_dir);
    caller.must(Step::EnterWorkDir, libc::SYS_chdir, [work_dir])
}

/// Limits the calling process.
pub(super) fn limit(caller: &mut impl Caller, plan: &LaunchPlan) -> Result<(), SetupError> {
    for (step, resource, limit) in &plan.rlimits {
        set_limit(caller, *step, *resource, limit)?;
    }
    Ok(())
}

/// Sets one limit of the calling process.
pub(super) fn set_limit(
    caller: &mut impl Caller,
    step: Step,
    resource: usize,
    limit: &libc::rlimit64,
) -> Result<(), SetupError> {
    let mut bytes = [0; size_of::<libc::rlimit64>()];
    let (current, most) = bytes.split_at_mut(size_of::<u64>());
    current.copy_from_slice(&limit.rlim_cur.to_ne_bytes());
    most.copy_from_slice(&limit.rlim_max.to_ne_bytes());
    let number = Argument::Number;
    let set = [number(0), number(resource), Argument::Bytes(&bytes), number(0)];
    caller.must(step, libc::SYS_prlimit64, set)
}

/// From now on, runs only on the processors of the program.
pub(super) fn spread(caller: &mut impl Caller, plan: &LaunchPlan) -> Result<(), SetupError> {
    let Some(processors) = &plan.processors else {
        return Ok(());
    };
    let size = size_of_val(processors);
    // SAFETY: a set of processors is an array of numbers, in which every byte has a value.
    let bytes = unsafe { std::slice::from_raw_parts(std::ptr::from_ref(processors).cast(), size) };
    let set = [Argument::Number(0), Argument::Number(size), Argument::Bytes(bytes)];
    caller.must(Step::Pin, libc::SYS_sched_setaffinity, set)
}

/// Makes these descriptors the standard streams.
pub(super) fn connect(caller: &mut impl Caller, stdio: [RawFd; 3]) -> Result<(), SetupError> {
    for (target, source) in (0..).zip(stdio) {
        let places = [Argument::Descriptor(source), Argument::int(target), Argument::Number(0)];
        caller.must(Step::Stdio, libc::SYS_dup3, places)?;
    }
    Ok(())
}

/// Executes the program with these arguments. Returns only if that fails. Calls `begin` before each attempt.
///
/// If a thread of the judge creates a process while another one writes the program, that process has the file open for
/// writing until it calls exec. Meanwhile the kernel refuses to execute the file, and this tries again.
pub(super) fn execute(
    plan: &LaunchPlan,
    arguments: *const *const c_char,
    begin: impl Fn(),
) -> SetupError {
    const TRIES: u32 = 1000;
    const PAUSE: Timespec = Timespec { tv_sec: 0, tv_nsec: 2_000_000 };
    let (argv, env) = (at(arguments), at(plan.env.as_ptr()));
    let mut refused = Errno::NOEXEC;
    for _ in 0..TRIES {
        begin();
        // SAFETY: lists of strings that end with NUL; each list ends with a null pointer.
        let done = unsafe { call(libc::SYS_execve, [at(plan.argv.first()), argv, env]) };
        refused = done.err().unwrap_or(Errno::NOEXEC);
        if refused != Errno::TXTBSY {
            break;
        }
        let mut pause = PAUSE;
        // SAFETY: no descriptors, and a live structure.
        let _ = unsafe { call(libc::SYS_ppoll, [0, 0, at(&raw mut pause), 0, 0]) };
    }
    Step::Exec.failed(refused)
}

/// Enters the mount namespace of the run and mounts the files that the program may read.
fn enter_mount_namespace(caller: &mut impl Caller, plan: &LaunchPlan) -> Result<(), SetupError> {
    /// See `move_mount(2)`.
    const EMPTY_PATH: usize = 0x4;
    const NOTHING: &CStr = c"";
    let Some(namespace) = plan.place.mount_namespace else {
        return Ok(());
    };
    let kind = Argument::int(libc::CLONE_NEWNS);
    let enter = [Argument::Descriptor(namespace), kind];
    caller.must(Step::EnterMountNamespace, libc::SYS_setns, enter)?;
    for (mount, target) in &plan.place.mounts {
        let from = [Argument::Descriptor(*mount), Argument::text(NOTHING)];
        let to = [Argument::int(libc::AT_FDCWD), Argument::text(target)];
        let move_mount = [from[0], from[1], to[0], to[1], Argument::Number(EMPTY_PATH)];
        caller.must(Step::MountFiles, libc::SYS_move_mount, move_mount)?;
    }
    Ok(())
}

/// Drops every right of the calling thread that the program must not have, but for those `kept`. This also resets
/// [`end_with_parent`]. A thread of the launcher must not call that again: its parent is a thread of the judge, which may
/// end before the launcher.
pub(super) fn give_up_rights(
    caller: &mut impl Caller,
    plan: &LaunchPlan,
    kept: KeptRight,
) -> Result<(), SetupError> {
    let keeps = kept != KeptRight::Nothing;
    if let Some(user) = plan.user {
        if keeps {
            // Otherwise the change of the user drops all.
            let keep = [Argument::int(libc::PR_SET_KEEPCAPS), Argument::Number(1)];
            caller.must(Step::DropCapabilities, libc::SYS_prctl, keep)?;
        }
        let user = [Argument::Number(user as usize); 3];
        caller.must(Step::ChangeUser, libc::SYS_setresgid, user)?;
        caller.must(Step::ChangeUser, libc::SYS_setresuid, user)?;
    }
    if plan.drops_capabilities || keeps {
        rights::keep_only(caller, kept)?;
    }
    Ok(())
}
