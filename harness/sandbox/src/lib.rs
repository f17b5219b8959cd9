//! Runs one program under limits and tells what became of it.
//!
//! The only place that starts programs to be judged, and the only one with `unsafe` and `cfg(target_os)`. It judges
//! nothing: it reports how a program ended and what it used, and which limit we ended it for.
//!
//! # Theory of operation
//!
//! ```text
//! judge (big, threads)            Runner: one a worker thread; drains the pipes
//!   └─ launcher                   one a Runner; the same binary, re-executed; single-threaded, a few MiB
//!        ├─ decoy                 where memory is limited: does nothing, and is ended by the kernel before we are
//!        ├─ init                  one a run: process 1 of its pid namespace; inherits and ends what is abandoned
//!        └─ the program           in that namespace; own session, root folder, user, limits; and whatever it starts
//! ```
//!
//! **Why a launcher.** A child's peak memory starts at its spawner's, and forking a big process costs milliseconds, so
//! programs are started by a small process. It is this very binary: a function in `.init_array` runs before `main` of
//! every binary that links the library (the command line, tests, benchmarks), does nothing unless one environment
//! variable is set, and else serves requests and never returns. It relies on nothing that `main` sets up, and no
//! thread exists yet.
//!
//! **Walls.** At its start the launcher tries every wall, and reports what it got and why not the rest ([`Facts`]); so
//! no wall depends on a version or a guess. What lasts is made once: a network and a host name for nobody else, and a
//! root folder in memory with what programs and compilers need of the system, read only, in a small mount namespace
//! that is the model for all runs. Users who are not root get a user namespace first, and a pid namespace for the
//! launcher, so that it may return from those of runs. Each run has a *cell*: fresh pid, ipc and mount namespaces, an
//! init, and a file system in memory for its working folder and temporary files, bounded by the limit of files. Cells
//! take longer to make and to end than short programs run, so the next one is made, and the last one ended, while a
//! program runs; what the inits use is subtracted from its account. After two runs alike a third is expected, and its
//! process made too: it enters its cell, gives up its rights, and waits behind the filter for its streams. If another
//! run comes, or a file that it shows is no longer the same, it is ended and all of it made anew.
//!
//! **The child.** Between clone and exec it enters the cell's mount namespace, mounts there what the job names
//! ([`Job::readable`], read only; a copy of [`WorkDir::At`] in memory, to be written to and brought back) at the same
//! paths as outside, takes its limits, becomes a user of this launcher's own (only root can; what it must write to is
//! given to that user and taken back), drops its capabilities, and lays Landlock's rules and the filter of system calls
//! on itself. The order matters: each step needs a right that a later one takes away. Without namespaces the program
//! runs in a plain folder of ours, as the launcher's user, behind Landlock and the filter.
//!
//! **One memory.** Inits and processes before exec share the launcher's memory: copies would cost, for every run, pages
//! to copy, to fault in and to take down, which is most of what isolation costs. So they make bare system calls, which
//! leave no error number anywhere, allocate nothing, and touch nothing that another side changes, save atomically.
//!
//! **A run.** The judge makes two pipes and a copy of the input that no other run gets, and sends a request with their
//! descriptors over a seqpacket socket; long arguments go in a memory file. The launcher starts the program with a clone that shares its memory
//! until exec (a failed step is told through that memory), and polls three things: the program's end, the socket, and
//! the time until the next look at a limit. Meanwhile the judge polls the pipes, the socket and the [`Interrupt`]. It
//! counts both streams, and asks for a kill when they are over the limit. One reply ends the run.
//!
//! **Runs in a row.** The next run may be asked for while one goes on ([`Runner::run_ahead`]): then the launcher begins
//! it first, and replies afterwards, so that the judge compares the output of the one while the other runs. Programs
//! start on a processor where neither the launcher nor the judge is, if there is one.
//!
//! **The end.** Whether a program has left anybody behind the kernel tells at once: then the launcher, or init, has
//! children. If so, init kills all others in its namespace with one call and reaps until there is nobody; waking it for
//! nothing would take longer than all else at the end of a run. Without a pid namespace the launcher, a subreaper,
//! finds, kills and reaps what is below it. Only then is the reply sent, so the judge empties the pipes without ever
//! waiting for a writer. If the judge dies, the socket hangs up, and the launcher does the same, removes the folder of
//! working folders, and ends; if the launcher dies, everything below it dies with it, and the judge sees
//! [`SandboxError::Launcher`].
//!
//! **Limits.** A timer on the program's own CPU clock and an adaptive interval (no limit can be passed sooner with every
//! processor busy) say when to look at what was used; only the look decides, so nothing is killed early. CPU and memory
//! are those of the whole tree. Where control groups can be had, by trying, the launcher lives in groups of its own (so
//! a run migrates nothing; the launcher's own use is subtracted): the CPU account sees children that nobody waited for,
//! the kernel kills at the memory limit, which is the program's and what our processes hold, and refuses processes over
//! theirs; its kill decides on memory, and the figure is of the same account where that of `wait4` is above the limit. Otherwise `/proc` is polled, the peak that `wait4` tells decides after the end, and the
//! result says that it is inferred, and the limit of a user's processes is set where these are the program's alone. The
//! kernel's own CPU limit counts ticks and may strike early, so it is a backstop far behind ours. There is no limit of
//! address space, which would break Java and Go.
//!
//! **Two programs that talk.** Each has a [`Runner`] of its own; they get the ends of two pipes ([`Wires`]), so that no
//! byte passes through us. What one writes is then neither kept nor counted, and the time in which the other one
//! computes is taken off its wall time ([`Peer`]).
//!
//! **Not Linux.** [`Runner`] is then a weaker one without launcher; `--cfg rejudge_portable` selects it on Linux.

use std::ffi::OsString;
use std::fs::File;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::bytes::Bytes;

pub mod bytes;
mod contention;
mod drain;
mod facts;
mod inherited;
mod input;
mod interrupt;
pub mod left_behind;
mod limits;
#[cfg(all(target_os = "linux", not(rejudge_portable)))]
mod linux;
#[cfg(any(not(target_os = "linux"), rejudge_portable))]
mod no_counter;
mod options;
mod output;
mod own_folder;
#[cfg(any(not(target_os = "linux"), rejudge_portable))]
mod portable;
mod promise;
mod wire;
mod work_base;

pub use contention::{Contention, hard};
pub use facts::{BackEnd, Facts, Isolation, Protection, State};
pub use inherited::{allow, raise_inherited_limits, unblock_signals};
pub use input::Input;
pub use interrupt::Interrupt;
pub use limits::{Limits, wall_time_for};
#[cfg(all(target_os = "linux", not(rejudge_portable)))]
pub use linux::{Beginning, InstructionCounter, Pulse, Runner};
#[cfg(any(not(target_os = "linux"), rejudge_portable))]
pub use no_counter::InstructionCounter;
pub use options::RunnerOptions;
pub use output::Captured;
pub use own_folder::OwnFolder;
#[cfg(any(not(target_os = "linux"), rejudge_portable))]
pub use portable::{Beginning, Pulse, Runner};
pub use promise::{Held, Promise};
pub use wire::{is_hung_up, wire};
pub use work_base::work_base;

/// What to start.
#[derive(Debug, Clone)]
pub struct Job {
    /// The program and its arguments; the program as an absolute path.
    pub argv: Vec<OsString>,
    /// The environment, whole: nothing is inherited.
    pub env: Vec<(OsString, OsString)>,
    /// Where it runs.
    pub work_dir: WorkDir,
    /// Files and folders it may read besides the system's: its artefact, a checker's input.
    pub readable: Vec<PathBuf>,
    /// The limits.
    pub limits: Limits,
}

/// The working folder of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorkDir {
    /// A new, empty folder that is removed after the run.
    Fresh,
    /// This folder, which the caller owns and the program may write to (a compiler's, a checker's). Where the system can,
    /// the program works on a copy in memory, as bounded as a fresh folder, which replaces what is in the folder
    /// afterwards, save for what the program keeps in a folder in it that its `TMPDIR` names.
    At(PathBuf),
}

/// A program, and the file that it reads, for a run in a row of them.
#[derive(Debug, Clone, Copy)]
pub struct Turn<'a> {
    /// What to start.
    pub job: &'a Job,
    /// The file of which a copy is its standard input.
    pub input: &'a Path,
}

impl Turn<'_> {
    /// That copy.
    fn copy(&self) -> Result<OwnedFd, SandboxError> {
        let copy = File::open(self.input).and_then(|file| input::copy_of_file(&file));
        copy.map_err(|source| SandboxError::Io {
            action: format!("cannot copy the input `{}`", self.input.display()),
            source,
        })
    }
}

/// What joins a program to another one: the ends of two pipes.
#[derive(Debug)]
pub struct Wires {
    /// Its standard input.
    pub stdin: OwnedFd,
    /// Its standard output, which is neither kept nor counted.
    pub stdout: OwnedFd,
    /// The program at the other end, if its computing, and the time in which others kept it from that, is to be taken off
    /// this one's wall time.
    pub peer: Option<Peer>,
}

/// A program that another one waits for.
#[derive(Debug, Clone)]
pub struct Peer {
    /// Tells the CPU time that it has used.
    pub pulse: Pulse,
    /// Its limit: no more is ever taken off.
    pub cpu_limit: Duration,
}

/// What became of a run.
#[derive(Debug)]
pub struct Execution {
    /// How it ended.
    pub exit: Exit,
    /// What it used.
    pub usage: Usage,
    /// Its standard output, up to the output limit.
    pub stdout: Captured,
    /// The last bytes of its standard error ([`STDERR_TAIL`] at most).
    pub stderr_tail: Vec<u8>,
}

/// How many bytes of standard error are kept.
pub const STDERR_TAIL: usize = 16 << 10;

/// How a program ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Exit {
    /// By itself, with this code.
    Code(i32),
    /// By a signal that was not ours.
    Signal(i32),
    /// Over a limit: killed by us, or ended and found to be over it.
    Killed(LimitKind),
}

/// The limits that end a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LimitKind {
    /// [`Limits::cpu_time`].
    Cpu,
    /// [`Limits::wall_time`].
    Wall,
    /// [`Limits::memory`].
    Memory,
    /// [`Limits::output`].
    Output,
    /// [`Limits::processes`].
    Processes,
    /// What may come home of the files in [`WorkDir::At`].
    Files,
}

/// What a run used, each figure with how it was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// CPU time in user mode.
    pub cpu_user: Duration,
    /// CPU time in the kernel.
    pub cpu_system: Duration,
    /// Where the CPU times come from.
    pub cpu_clock: Clock,
    /// Wall time from exec to the end.
    pub wall: Duration,
    /// Peak memory.
    pub peak_memory: Bytes,
    /// Where the peak comes from.
    pub memory_clock: Clock,
    /// Whether the kernel itself ends what goes over the memory limit, and so decides; else that is inferred from the
    /// peak.
    pub memory_enforced: bool,
    /// Bytes written to standard output and standard error.
    pub output: Bytes,
    /// How much the rest of the machine disturbed it.
    pub contention: Contention,
}

impl Usage {
    /// User plus system time.
    pub fn cpu(&self) -> Duration {
        self.cpu_user + self.cpu_system
    }
}

/// How a figure was measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Clock {
    /// `wait4` of the program and of what it waited for itself.
    #[default]
    Rusage,
    /// The kernel's account of a control group.
    Cgroup,
    /// Read now and then while it ran.
    Polled,
}

/// Why we could not run a program; never the program's fault.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SandboxError {
    /// The run was interrupted by the user.
    #[error("interrupted")]
    Interrupted,
    /// A step of setting up the child failed.
    #[error("cannot start `{program}`: {step}")]
    Setup {
        /// What was to be started.
        program: String,
        /// Which step failed, in words.
        step: &'static str,
        /// The system's error.
        source: std::io::Error,
    },
    /// [`Isolation::Strict`] was asked for, and the machine gives less.
    #[error("the sandbox is weaker than `strict` allows, which lacks:{missing}")]
    TooWeak {
        /// What is missing, why, and what would give it: a few lines for each.
        missing: String,
    },
    /// A limit that this process inherited is too low, in words.
    #[error("{0}")]
    Inherited(String),
    /// The launcher process died or answered nonsense.
    #[error("the launcher failed: {0}")]
    Launcher(String),
    /// Reading or writing our own files failed.
    #[error("{action}")]
    Io {
        /// What was being done, and to which file.
        action: String,
        /// The system's error.
        source: std::io::Error,
    },
}
