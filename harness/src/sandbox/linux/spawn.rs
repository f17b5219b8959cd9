//! Starts the program: what happens between clone and exec.
//!
//! The child shares the launcher's memory and the launcher sleeps until exec (`CLONE_VM | CLONE_VFORK`), so a start
//! costs no copy of page tables, and a step that fails is told by writing it into that memory. Nothing in the child
//! allocates, locks or panics.

#![expect(unsafe_code, reason = "clone, and system calls between clone and exec")]

use std::cell::Cell;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::ptr;
use std::time::{Duration, Instant};

use super::super::Limits;
use super::landlock::Ruleset;
use super::ready::Note;
use super::seccomp::Filter;
use super::walls::Walls;

/// The steps of setting up a child.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Step {
    MakeWorkDir,
    ShowFiles,
    Clone,
    Session,
    Stdio,
    EnterRoom,
    MountFiles,
    EnterWorkDir,
    CpuLimit,
    FileSizeLimit,
    FileCountLimit,
    CoreLimit,
    StackLimit,
    Pin,
    YieldMemory,
    ChangeUser,
    DropCapabilities,
    RestrictFiles,
    FilterCalls,
    Exec,
}

impl Step {
    const ALL: [Self; 20] = [
        Self::MakeWorkDir,
        Self::ShowFiles,
        Self::Clone,
        Self::Session,
        Self::Stdio,
        Self::EnterRoom,
        Self::MountFiles,
        Self::EnterWorkDir,
        Self::CpuLimit,
        Self::FileSizeLimit,
        Self::FileCountLimit,
        Self::CoreLimit,
        Self::StackLimit,
        Self::Pin,
        Self::YieldMemory,
        Self::ChangeUser,
        Self::DropCapabilities,
        Self::RestrictFiles,
        Self::FilterCalls,
        Self::Exec,
    ];

    pub(super) fn from_u8(n: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|&step| step as u8 == n)
    }

    /// What was being done, for an error message.
    pub(super) fn describe(self) -> &'static str {
        match self {
            Self::MakeWorkDir => "making its working folder",
            Self::ShowFiles => "finding the files that it may read",
            Self::Clone => "starting a process",
            Self::Session => "opening a session of its own",
            Self::Stdio => "connecting its standard streams",
            Self::EnterRoom => "entering its mount namespace",
            Self::MountFiles => "mounting the files that it may read",
            Self::EnterWorkDir => "entering its working folder",
            Self::CpuLimit => "setting the backstop of the CPU limit",
            Self::FileSizeLimit => "setting the file size limit",
            Self::FileCountLimit => "setting the limit of open files",
            Self::CoreLimit => "turning core dumps off",
            Self::StackLimit => "setting the stack limit",
            Self::Pin => "keeping it on one core",
            Self::YieldMemory => "making it the first to go when memory is short",
            Self::ChangeUser => "becoming another user",
            Self::DropCapabilities => "dropping capabilities",
            Self::RestrictFiles => "restricting the files that it may use",
            Self::FilterCalls => "filtering its system calls",
            Self::Exec => "executing it",
        }
    }
}

/// What to execute, and with what around it.
pub(super) struct Plan<'a> {
    pub(super) argv: &'a [CString],
    pub(super) env: &'a [CString],
    pub(super) work_dir: &'a CStr,
    /// Standard input, output and error; none of them is descriptor 0, 1 or 2 itself.
    pub(super) stdio: [BorrowedFd<'a>; 3],
    pub(super) limits: &'a Limits,
    /// The mount namespace to enter, and what to mount there first.
    pub(super) room: Option<BorrowedFd<'a>>,
    pub(super) mounts: &'a [(OwnedFd, CString)],
    pub(super) walls: &'a Walls,
    /// What the child's parent is called there: 0 if it is in another pid namespace.
    pub(super) launcher: libc::pid_t,
    pub(super) filter: Option<&'a Filter>,
    pub(super) rules: Option<&'a Ruleset>,
}

/// A program that was started and is not yet reaped.
#[derive(Debug)]
pub(super) struct Child {
    pub(super) pid: libc::pid_t,
    /// Becomes readable when the program ends.
    pub(super) pidfd: OwnedFd,
    pub(super) started: Started,
}

/// When a program began: right before exec, by its own clock, for when the launcher gets to run again says nothing.
#[derive(Debug)]
pub(super) enum Started {
    Then(Instant),
    /// It tells when it does.
    Told(&'static Note),
}

impl Child {
    /// When it began; not before now, if it did not yet.
    pub(super) fn started(&self) -> Instant {
        match self.started {
            Started::Then(then) => then,
            Started::Told(note) => note.began().unwrap_or_else(Instant::now),
        }
    }

    /// Why it never began, if it ended by itself without.
    pub(super) fn failed(&self) -> Option<SetupError> {
        match self.started {
            Started::Then(_) => None,
            Started::Told(note) => note.failed(),
        }
    }
}

/// A start that failed.
#[derive(Debug, Clone, Copy)]
pub(super) struct SetupError {
    pub(super) step: Step,
    pub(super) errno: i32,
}

/// Open files of a program: what `ulimit -n` says on an ordinary machine.
const OPEN_FILES: u64 = 1024;
/// The child runs a dozen shallow functions on this stack before exec.
const STACK_SIZE: usize = 64 << 10;

/// Everything the child reads and writes, laid out before clone.
struct Shared<'a> {
    argv: Vec<*const c_char>,
    env: Vec<*const c_char>,
    plan: &'a Plan<'a>,
    /// Written by the child.
    started: Cell<Option<Instant>>,
    failed: Option<SetupError>,
}

/// Starts programs, one at a time; owns the stack that children start on.
#[derive(Debug)]
pub(super) struct Spawner {
    stack: Vec<u128>,
}

impl Spawner {
    pub(super) fn new() -> Self {
        let stack = vec![0; STACK_SIZE / size_of::<u128>()];
        Self { stack }
    }

    /// Starts `plan` and returns once it was executed.
    pub(super) fn spawn(&mut self, plan: &Plan<'_>) -> Result<Child, SetupError> {
        let mut shared = Shared {
            argv: pointers(plan.argv),
            env: pointers(plan.env),
            plan,
            started: Cell::new(None),
            failed: None,
        };
        let mut pidfd: RawFd = -1;
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD;
        let argument: *mut Shared<'_> = &raw mut shared;
        // SAFETY: the stack is aligned to 16 bytes, used by nobody else, and outlives the child's use of it, for
        // CLONE_VFORK returns here only after exec or exit. `child` touches nothing but `shared`, which we do not touch
        // in the meantime.
        let pid = unsafe {
            libc::clone(
                child,
                self.stack.as_mut_ptr_range().end.cast(),
                flags,
                argument.cast(),
                &raw mut pidfd,
            )
        };
        if pid < 0 {
            return Err(SetupError {
                step: Step::Clone,
                errno: errno(),
            });
        }
        // SAFETY: the kernel stored a new descriptor there, and nobody else owns it.
        let pidfd = unsafe { OwnedFd::from_raw_fd(pidfd) };
        // SAFETY: a valid pointer to a live value, which the child wrote to through the same pointer; volatile, since
        // the compiler cannot see that write.
        if let Some(failed) = unsafe { (&raw const (*argument).failed).read_volatile() } {
            // SAFETY: waiting for our own child, without any result.
            unsafe { libc::waitpid(pid, ptr::null_mut(), 0) };
            return Err(failed);
        }
        // SAFETY: as above.
        let started = unsafe { (&raw const (*argument).started).read_volatile() };
        // A child that was killed before it came to exec has told neither.
        let started = started.get().unwrap_or_else(Instant::now);
        Ok(Child {
            pid,
            pidfd,
            started: Started::Then(started),
        })
    }
}

/// Ends with a null pointer.
pub(super) fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    let pointers = strings.iter().map(|string| string.as_ptr());
    pointers.chain([ptr::null()]).collect()
}

fn rlimits(limits: &Limits) -> [(Step, libc::__rlimit_resource_t, u64, u64); 5] {
    // Counted in ticks, the kernel's own CPU limit may strike before the true time is used up: a backstop, far out.
    let cpu = limits.cpu_kill.saturating_mul(2) + Duration::from_secs(1);
    let cpu = cpu.as_secs() + u64::from(cpu.subsec_nanos() > 0);
    let (stack, file_size) = (limits.stack.get(), limits.file_size.get());
    [
        (Step::CpuLimit, libc::RLIMIT_CPU, cpu, cpu),
        (
            Step::FileSizeLimit,
            libc::RLIMIT_FSIZE,
            file_size,
            file_size,
        ),
        (
            Step::FileCountLimit,
            libc::RLIMIT_NOFILE,
            OPEN_FILES,
            OPEN_FILES,
        ),
        (Step::CoreLimit, libc::RLIMIT_CORE, 0, 0),
        (Step::StackLimit, libc::RLIMIT_STACK, stack, stack),
    ]
}

/// The last of the cores that we may use: the first ones serve most interrupts.
fn last_core() -> libc::cpu_set_t {
    // SAFETY: a set is plain bits, and the empty one is all zeros; the kernel writes no further than its size, and the
    // macros' functions look at no bit beyond it.
    unsafe {
        let mut allowed: libc::cpu_set_t = std::mem::zeroed();
        let mut one: libc::cpu_set_t = std::mem::zeroed();
        let size = size_of::<libc::cpu_set_t>();
        let known = libc::sched_getaffinity(0, size, &raw mut allowed) == 0;
        let cores = 0..libc::CPU_SETSIZE as usize;
        let last = cores
            .rev()
            .find(|&core| known && libc::CPU_ISSET(core, &allowed));
        libc::CPU_SET(last.unwrap_or(0), &mut one);
        one
    }
}

/// The child's side. Returns only by exiting.
extern "C" fn child(argument: *mut c_void) -> c_int {
    let shared: *mut Shared<'_> = argument.cast();
    // SAFETY: the launcher made it, sleeps, and reads it when we are gone.
    unsafe {
        let step = set_up(&*shared);
        let failed = SetupError {
            step,
            errno: errno(),
        };
        (&raw mut (*shared).failed).write_volatile(Some(failed));
        libc::_exit(127)
    }
}

/// Does every step up to exec, and returns the one that failed, its error in `errno`.
unsafe fn set_up(shared: &Shared<'_>) -> Step {
    let plan = shared.plan;
    // SAFETY: plain system calls on valid pointers; all of them are async-signal-safe.
    unsafe {
        let stdio = plan.stdio.each_ref().map(AsRawFd::as_raw_fd);
        if let Err(step) = settle(plan).and_then(|()| connect(stdio)) {
            return step;
        }
        if plan.rules.is_some_and(|rules| rules.restrict() < 0) {
            return Step::RestrictFiles;
        }
        // Ours are all close-on-exec; this is for one that slipped in. Old kernels lack it, and lose nothing.
        libc::syscall(libc::SYS_close_range, 3_u32, u32::MAX, 0_u32);
        if plan.filter.is_some_and(|filter| filter.install() < 0) {
            return Step::FilterCalls;
        }
        shared.started.set(Some(Instant::now()));
        libc::execve(
            *shared.argv.as_ptr(),
            shared.argv.as_ptr(),
            shared.env.as_ptr(),
        );
    }
    Step::Exec
}

/// Makes these the standard streams.
pub(super) unsafe fn connect(stdio: [RawFd; 3]) -> Result<(), Step> {
    for (target, source) in (0..).zip(stdio) {
        // SAFETY: a system call on numbers.
        if unsafe { libc::dup2(source, target) } < 0 {
            return Err(Step::Stdio);
        }
    }
    Ok(())
}

/// Puts the calling process, which is the launcher's child, where `plan` wants it, and gives up its rights.
pub(super) unsafe fn settle(plan: &Plan<'_>) -> Result<(), Step> {
    // SAFETY: plain system calls on valid pointers; all of them are async-signal-safe.
    unsafe {
        if libc::setsid() < 0 {
            return Err(Step::Session);
        }
        // Should the launcher be killed, nobody else would end the program; if it is dead already, there is no signal.
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        if libc::getppid() != plan.launcher {
            return Err(Step::Session);
        }
        // The launcher blocks the signal of its timers.
        let mut no_signals: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut no_signals);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const no_signals, ptr::null_mut());
        enter_room(plan)?;
        if libc::chdir(plan.work_dir.as_ptr()) < 0 {
            return Err(Step::EnterWorkDir);
        }
        for (step, resource, soft, hard) in rlimits(plan.limits) {
            let limit = libc::rlimit {
                rlim_cur: soft,
                rlim_max: hard,
            };
            if libc::setrlimit(resource, &raw const limit) < 0 {
                return Err(step);
            }
        }
        if plan.limits.one_core {
            let core = last_core();
            if libc::sched_setaffinity(0, size_of_val(&core), &raw const core) < 0 {
                return Err(Step::Pin);
            }
        }
        give_up_rights(plan.walls)
    }
}

/// Enters the mount namespace of the run and mounts what the program may read.
unsafe fn enter_room(plan: &Plan<'_>) -> Result<(), Step> {
    /// See `move_mount(2)`.
    const EMPTY_PATH: libc::c_uint = 0x4;
    let Some(room) = plan.room else {
        return Ok(());
    };
    // SAFETY: system calls on descriptors of ours and on strings that end with NUL.
    unsafe {
        if libc::setns(room.as_raw_fd(), libc::CLONE_NEWNS) < 0 {
            return Err(Step::EnterRoom);
        }
        for (mount, target) in plan.mounts {
            let (mount, here) = (mount.as_raw_fd(), libc::AT_FDCWD);
            let (from, to) = (c"".as_ptr(), target.as_ptr());
            if libc::syscall(libc::SYS_move_mount, mount, from, here, to, EMPTY_PATH) < 0 {
                return Err(Step::MountFiles);
            }
        }
    }
    Ok(())
}

/// Gives up every right that the program is not to have.
unsafe fn give_up_rights(walls: &Walls) -> Result<(), Step> {
    // SAFETY: system calls on numbers and on live structures. Raw ones, for those of the C library would change the
    // user of every thread that shares this memory.
    unsafe {
        if let Some(user) = walls.user {
            if libc::syscall(libc::SYS_setresgid, user, user, user) < 0
                || libc::syscall(libc::SYS_setresuid, user, user, user) < 0
            {
                return Err(Step::ChangeUser);
            }
            // Becoming another user took it back.
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL);
        }
        if walls.drops_capabilities && !drop_capabilities() {
            return Err(Step::DropCapabilities);
        }
    }
    Ok(())
}

/// See `capset(2)`.
unsafe fn drop_capabilities() -> bool {
    const VERSION_3: u32 = 0x2008_0522;
    let header = [VERSION_3, 0];
    let none = [0_u32; 6];
    // SAFETY: a header and two sets of three numbers, as this version wants them.
    unsafe { libc::syscall(libc::SYS_capset, header.as_ptr(), none.as_ptr()) == 0 }
}

pub(super) fn errno() -> i32 {
    io::Error::last_os_error().raw_os_error().unwrap_or(0)
}
