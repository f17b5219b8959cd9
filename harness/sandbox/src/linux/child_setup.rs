//! The steps of a new process before exec: it enters its namespaces and folder, takes its limits, and drops every
//! right.
//!
//! It shares the launcher's memory. Therefore nothing here allocates, locks, panics or calls the C library.

#![expect(unsafe_code, reason = "system calls")]

use std::ffi::{CStr, c_char};
use std::os::fd::RawFd;

use rustix::event::Timespec;
use rustix::io::Errno;

use super::own_process::end_with_parent;
use super::plan::LaunchPlan;
use super::raw::{at, call, int};
use super::step::{SetupError, Step};

/// Prepares the calling process, a child of the launcher, as `plan` describes.
pub(super) fn prepare(plan: &LaunchPlan) -> Result<(), SetupError> {
    part(plan)?;
    enter(plan)?;
    limit(plan)?;
    give_up_rights(plan, KeptRight::Nothing)?;
    // The change of the user reset this.
    end_with_parent();
    Ok(())
}

/// Parts the calling process from the launcher: it has its own session and signals, and ends with the launcher.
pub(super) fn part(plan: &LaunchPlan) -> Result<(), SetupError> {
    // SAFETY: system calls on numbers and on live structures of the kernel's layout.
    unsafe {
        call(libc::SYS_setsid, []).map_err(|error| Step::Session.failed(error))?;
        // If the launcher is killed, the kernel must kill the program. If the launcher is dead already, no signal
        // comes.
        end_with_parent();
        if call(libc::SYS_getppid, []) != Ok(int(plan.launcher)) {
            return Err(Step::Session.failed(Errno::SRCH));
        }
        // The launcher blocks the signal of its timers; the program must not.
        let (how, no_signals) = (int(libc::SIG_SETMASK), 0_u64);
        let set = [how, at(&raw const no_signals), 0, size_of::<u64>()];
        let _ = call(libc::SYS_rt_sigprocmask, set);
    }
    Ok(())
}

/// Makes the calling thread see only the files of the program.
pub(super) fn enter(plan: &LaunchPlan) -> Result<(), SetupError> {
    // SAFETY: system calls on numbers, on strings that end with NUL, and on live structures of the kernel's layout.
    unsafe {
        enter_mount_namespace(plan)?;
        let work_dir = at(plan.place.work_dir.as_ptr());
        call(libc::SYS_chdir, [work_dir]).map_err(|error| Step::EnterWorkDir.failed(error))?;
    }
    Ok(())
}

/// Limits the calling process.
pub(super) fn limit(plan: &LaunchPlan) -> Result<(), SetupError> {
    for (step, resource, limit) in &plan.rlimits {
        let set = [0, *resource, at(limit), 0];
        // SAFETY: a system call on a live structure of the kernel's layout.
        unsafe { call(libc::SYS_prlimit64, set) }.map_err(|error| step.failed(error))?;
    }
    Ok(())
}

/// From now on, runs only on the processors of the program.
pub(super) fn spread(plan: &LaunchPlan) -> Result<(), SetupError> {
    if let Some(processors) = &plan.processors {
        let set = [0, size_of_val(processors), at(processors)];
        // SAFETY: a system call that reads a live set of the given size.
        let done = unsafe { call(libc::SYS_sched_setaffinity, set) };
        done.map_err(|error| Step::Pin.failed(error))?;
    }
    Ok(())
}

/// Makes these descriptors the standard streams.
pub(super) fn connect(stdio: [RawFd; 3]) -> Result<(), SetupError> {
    for (target, source) in (0..).zip(stdio) {
        // SAFETY: a system call on numbers.
        let done = unsafe { call(libc::SYS_dup3, [int(source), int(target), 0]) };
        done.map_err(|error| Step::Stdio.failed(error))?;
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
unsafe fn enter_mount_namespace(plan: &LaunchPlan) -> Result<(), SetupError> {
    /// See `move_mount(2)`.
    const EMPTY_PATH: usize = 0x4;
    const NOTHING: &CStr = c"";
    let Some(namespace) = plan.place.mount_namespace else {
        return Ok(());
    };
    // SAFETY: system calls on descriptors of ours and on strings that end with NUL.
    unsafe {
        let entered = call(libc::SYS_setns, [int(namespace), int(libc::CLONE_NEWNS)]);
        entered.map_err(|error| Step::EnterMountNamespace.failed(error))?;
        for (mount, target) in &plan.place.mounts {
            let (from, to) = (at(NOTHING.as_ptr()), at(target.as_ptr()));
            let mount = [int(*mount), from, int(libc::AT_FDCWD), to, EMPTY_PATH];
            let mounted = call(libc::SYS_move_mount, mount);
            mounted.map_err(|error| Step::MountFiles.failed(error))?;
        }
    }
    Ok(())
}

/// The right that a thread keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeptRight {
    Nothing,
    /// `CAP_CHECKPOINT_RESTORE`, since Linux 5.9: to set the counter of process numbers.
    SetCounter,
}

impl KeptRight {
    /// As a set of the kernel: the lower and the upper half.
    fn capabilities(self) -> [u32; 2] {
        match self {
            Self::Nothing => [0, 0],
            Self::SetCounter => [0, 1 << (40 - 32)],
        }
    }
}

/// Drops every right of the calling thread that the program must not have, but for those `kept`. This also resets
/// [`end_with_parent`]. A thread of the launcher must not call that again: its parent is a thread of the judge, which may
/// end before the launcher.
pub(super) fn give_up_rights(plan: &LaunchPlan, kept: KeptRight) -> Result<(), SetupError> {
    let keeps = kept != KeptRight::Nothing;
    // SAFETY: system calls on numbers.
    unsafe {
        if let Some(user) = plan.user {
            if keeps {
                // Otherwise the change of the user drops all.
                let kept = call(libc::SYS_prctl, [int(libc::PR_SET_KEEPCAPS), 1]);
                kept.map_err(|error| Step::DropCapabilities.failed(error))?;
            }
            let user = user as usize;
            let changed = call(libc::SYS_setresgid, [user; 3])
                .and_then(|_| call(libc::SYS_setresuid, [user; 3]));
            changed.map_err(|error| Step::ChangeUser.failed(error))?;
        }
    }
    if plan.drops_capabilities || keeps {
        keep_only(kept)?;
    }
    Ok(())
}

/// Drops every capability of the calling thread but those `kept`.
pub(super) fn keep_only(kept: KeptRight) -> Result<(), SetupError> {
    const VERSION_3: u32 = 0x2008_0522;
    let header = [VERSION_3, 0];
    let [low, high] = kept.capabilities();
    // Of each half the effective, permitted and inheritable ones.
    let sets = [low, low, 0, high, high, 0];
    let arguments = [at(&raw const header), at(&raw const sets)];
    // SAFETY: a header and two sets of three numbers, as this version of the call requires: see `capset(2)`.
    let done = unsafe { call(libc::SYS_capset, arguments) };
    done.map_err(|error| Step::DropCapabilities.failed(error))?;
    Ok(())
}
