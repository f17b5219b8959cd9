//! Everything that a process needs between clone and exec.
//!
//! It owns all its data, because the process can outlive the request: see [`super::standby`].

use std::ffi::{CString, c_char};
use std::os::fd::RawFd;
use std::ptr;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Resource, getrlimit};
use rustix::thread::CpuSet;

use super::oom_score;
use super::processors::Processors;
use super::protections::Protections;
use super::protocol::ProgramSpec;
use super::seccomp::Filter;
use super::step::Step;
use crate::limits::Limits;

/// A program with its settings; the streams are passed separately.
#[derive(Debug)]
pub(super) struct LaunchPlan {
    pub(super) argv: Strings,
    pub(super) env: Strings,
    pub(super) place: RunPlace,
    /// The resource limits, each with the kernel's number of the resource.
    pub(super) rlimits: Vec<(Step, usize, libc::rlimit64)>,
    /// See [`Limits::longest_file`].
    pub(super) longest_file: u64,
    /// The processors that it may use.
    pub(super) processors: Option<CpuSet>,
    /// The user to become.
    pub(super) user: Option<u32>,
    pub(super) drops_capabilities: bool,
    /// The process number of the parent as the process sees it: 0 in another pid namespace.
    pub(super) launcher: libc::pid_t,
    pub(super) filter: Option<Arc<Filter>>,
    /// Whether it needs a high score from the start: see [`oom_score::is_small`].
    pub(super) is_small: bool,
}

/// The folders and the cell of a run. The descriptors must stay open until the process has them.
#[derive(Debug)]
pub(super) struct RunPlace {
    pub(super) work_dir: CString,
    /// The mount namespace to enter, and the mounts to add there.
    pub(super) mount_namespace: Option<RawFd>,
    pub(super) mounts: Vec<(RawFd, CString)>,
    /// If another program ran in the cell before, [`Cell::last_number`](super::namespaces::Cell::last_number).
    pub(super) last_number: Option<RawFd>,
}

/// Strings as exec expects them.
#[derive(Debug)]
pub(super) struct Strings {
    /// Owns the strings.
    strings: Vec<CString>,
    /// Pointers to the strings, and a null pointer at the end.
    pointers: Vec<*const c_char>,
}

impl Strings {
    pub(super) fn new(strings: &[CString]) -> Self {
        let strings = strings.to_vec();
        let pointers = strings.iter().map(|string| string.as_ptr());
        Self { pointers: pointers.chain([ptr::null()]).collect(), strings }
    }

    pub(super) fn as_ptr(&self) -> *const *const c_char {
        self.pointers.as_ptr()
    }

    pub(super) fn are(&self, strings: &[CString]) -> bool {
        self.strings == strings
    }

    /// The first string; null if there is none.
    pub(super) fn first(&self) -> *const c_char {
        self.pointers[0]
    }
}

impl LaunchPlan {
    /// The plan for a run in this place.
    pub(super) fn new(
        place: RunPlace,
        program: &ProgramSpec,
        protections: &Protections,
        processors: &Processors,
    ) -> Self {
        Self {
            argv: Strings::new(&program.argv),
            env: Strings::new(&program.env),
            place,
            rlimits: rlimits(&program.limits, protections.counted_with).collect(),
            longest_file: program.limits.longest_file().get(),
            processors: processors.of_program(program.limits.one_core),
            user: protections.user,
            drops_capabilities: protections.drops_capabilities,
            launcher: if protections.numbers_processes() {
                0
            } else {
                std::process::id().cast_signed()
            },
            filter: protections.filter.clone(),
            is_small: oom_score::is_small(program.limits.memory),
        }
    }
}

/// The number of open files of a program, as `ulimit -n` shows it on an ordinary machine.
const OPEN_FILES: u64 = 1024;

/// If the stack may be as large as the memory limit, in bytes: how much more it may be, so that an endless recursion meets
/// the memory limit, and not sometimes one and sometimes the other. The kernel counts memory in batches.
const BEYOND_MEMORY: u64 = 16 << 20;
/// The largest stack limit, in bytes, with which Neko 2.3 starts, the runtime of Haxe: see
/// `findings/neko-refuses-a-large-stack.sh`.
const NEKO_STACK: u64 = 2 << 30;

/// The resource limits of the kernel, per process and per user.
fn rlimits(
    limits: &Limits,
    counted_with: Option<u64>,
) -> impl Iterator<Item = (Step, usize, libc::rlimit64)> {
    // The kernel counts CPU time in ticks and can kill early. Therefore its limit is far above ours.
    let cpu = limits.cpu_kill.saturating_mul(2) + Duration::from_secs(1);
    let cpu = cpu.as_secs() + u64::from(cpu.subsec_nanos() > 0);
    // The program needs less of these than usual; limits that it needs in full are checked before.
    let at_most = |resource, usual: u64| usual.min(getrlimit(resource).maximum.unwrap_or(usual));
    let cpu = at_most(Resource::Cpu, cpu);
    let file_size = limits.longest_file().get();
    let stack = limits.stack.get();
    let more = stack.saturating_add(BEYOND_MEMORY).min(NEKO_STACK.max(stack));
    let stack = if stack >= limits.memory.get() { more } else { stack };
    // One more than permitted, so that an excess is visible. Only root could raise it.
    let now = getrlimit(Resource::Nproc).maximum.unwrap_or(u64::MAX);
    let processes = |ours| now.min(u64::from(limits.processes) + ours + 1);
    let processes =
        counted_with.map(|ours| (Step::ProcessLimit, libc::RLIMIT_NPROC, processes(ours)));
    [
        (Step::CpuLimit, libc::RLIMIT_CPU, cpu),
        (Step::FileSizeLimit, libc::RLIMIT_FSIZE, file_size),
        (Step::FileCountLimit, libc::RLIMIT_NOFILE, at_most(Resource::Nofile, OPEN_FILES)),
        // With a limit of zero, the kernel still starts a program to which cores are piped; see `do_coredump`.
        (Step::CoreLimit, libc::RLIMIT_CORE, at_most(Resource::Core, 1)),
        (Step::StackLimit, libc::RLIMIT_STACK, at_most(Resource::Stack, stack)),
    ]
    .into_iter()
    .chain(processes)
    .map(|(step, resource, most)| {
        let limit = libc::rlimit64 { rlim_cur: most, rlim_max: most };
        // Its type is another one in each C library.
        (step, resource as usize, limit)
    })
}
