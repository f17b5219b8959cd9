//! Runs one untrusted program under the limits of a judge, and reports how it ended and what it used.
//!
//! The crate knows nothing about problems and verdicts: it reports facts. It runs on Linux only.
//!
//! # Example
//!
//! ```standalone_crate
//! use std::time::Duration;
//!
//! use rejudge_sandbox::Bytes;
//! use rejudge_sandbox::{Exit, Input, Interrupt, Job, Limits, Runner, RunnerOptions, work_base};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! rejudge_sandbox::run_launcher_if_asked();
//! let folders = work_base()?;
//! let mut runner = Runner::start(&RunnerOptions::new(folders.path(), Interrupt::new()?))?;
//! let limits = Limits::new(Duration::from_secs(1), Bytes::mib(256));
//! let job = Job::new(["/bin/sh", "-c", "read name; echo hello $name"], limits);
//! let execution = runner.run(&job, Input::Bytes(b"world\n".to_vec()))?;
//! assert_eq!(execution.exit, Exit::Code(0));
//! assert_eq!(execution.stdout.as_slice(), Some(&b"hello world\n"[..]));
//! println!("{:?} of CPU time", execution.usage.cpu());
//! # Ok(())
//! # }
//! ```
//!
//! # How a program becomes a launcher
//!
//! A [`Runner`] starts the current executable again, as its launcher. There are two ways to let it serve:
//!
//! - **In `main`.** Call [`run_launcher_if_asked`] first in `main`. It returns at once, except in a launcher.
//! - **Before `main`.** With the feature `constructor`, which is on by default, a function in `.init_array` does the
//!   same before `main` of every binary that links this crate, so tests and benchmarks need no code for it. A program
//!   without constructors sets `default-features = false` and calls [`run_launcher_if_asked`].
//!
//! A program that does neither gets an error from [`Runner::start`].
//!
//! A program with one thread can also fork its first launcher, at the very start of `main`: [`EarlyLauncher::fork`]. That is
//! faster, because the executable need not be loaded again.
//!
//! # Layers
//!
//! A module imports only modules that are further right in its row, or in a row below. A test in the harness holds this.
//!
//! ```text
//! start     runner_source
//! run       linux
//! request   guarantee options facts job
//! result    drain execution output
//! files     work_base process_folder left_behind
//! limits    inherited back_end input output_file limits
//! base      peer cpu_reader contention standstill error interrupt pipe protection start_here affinity unnamed_file program_class
//! ```
//!
//! # Theory of operation
//!
//! ```text
//! judge (big, threads)            Runner: one per worker thread; reads the program's output
//!   └─ launcher                   one per Runner; the same binary, executed again or forked early; a few MiB
//!        ├─ decoy                 with a memory limit: does nothing, and is the first that the kernel kills
//!        ├─ init                  one per run: process 1 of its pid namespace; adopts and kills orphans
//!        └─ the program           in that namespace; with its own session, root folder, user and limits
//! ```
//!
//! **The launcher.** The peak memory of a child starts at that of its parent, and a fork of a big process takes
//! milliseconds. Therefore a small process starts the programs. It serves requests and never returns to `main`.
//!
//! **The start.** The command forks its first launcher before the judge reads any argument ([`EarlyLauncher`]). The judge
//! requests the first run while the launcher still starts ([`StartingRunner::without_waiting`]), unless all protections are
//! required. Two slow steps are left to other processes, while the launcher goes on: one creates the network namespace, and one
//! removes the system's root from the namespace of the runs. The launcher sets up files before control groups, which would
//! wait for the network namespace.
//!
//! **Protections.** When a launcher starts, it tries to set up every protection. It reports which ones work, and why the
//! others do not ([`Facts`]). No protection depends on a version number or a guess. The launcher sets up once what all
//! runs share: a network namespace, a host name, and a root folder in memory that shows the parts of the system that
//! programs and compilers need, read-only. A launcher of an ordinary user first creates a user namespace, and a pid
//! namespace for itself. Each run has a *cell*: new pid, ipc and mount namespaces, an init, and a file system in memory
//! for its working folder and temporary files, whose size is limited. To create and remove a cell takes longer than a
//! short program runs. Therefore the launcher creates the next cell and removes the last one while a program runs, and
//! subtracts the CPU time of the inits. After two runs of the same program it also creates the process for a third one,
//! which waits behind the system call filter for its arguments and streams. If the next program differs, or a file that
//! the cell shows has changed, the launcher removes all of this and starts again.
//!
//! **Cells that are used again.** A short program rarely changes anything in its cell. Then the run after the next one
//! gets the same cell, which saves a third of the CPU time of a short run; two cells take turns. The launcher uses a cell
//! again only if the program ended by itself, all its processes are gone, the folders have the same attributes, times,
//! and numbers of blocks and files as before, and the kernel never chose a process number in the namespace, so that
//! numbers start at the same one. What else could outlive a program in its namespaces, the system call filter denies;
//! without the filter, no cell is used again.
//!
//! One gap is left before Linux 6.13, where times of files have the resolution of a clock tick: a program that runs in the
//! tick in which its cell was created can create and remove files and then reset the time of its folder. The next program
//! in the cell can see this from the inode numbers of its own files, and from nothing else.
//!
//! **The child.** Between clone and exec, the child enters the mount namespace of its cell. It mounts what the job
//! names, at the same paths as outside: [`Job::readable`] read-only, and a copy of [`WorkDir::At`] in memory, which
//! replaces the contents of the folder after the run. It sets its limits, switches to a user of this launcher (only root
//! can; the launcher gives that user the files that it must write, and takes them back), drops its capabilities, and
//! installs the Landlock rules and the system call filter. The order matters: each step needs a right that a later step
//! drops. Without namespaces, the program runs in a folder on disk, as the launcher's user, behind Landlock and the
//! filter.
//!
//! **The fork server.** If a cell is used again, most of these steps are the same as before. Namespaces, user, rights,
//! rules and filter belong to a thread, and children to its process. Therefore a thread of the launcher, the *fork server*
//! of the cell, takes the steps once, and creates the children of later runs, which inherit the result. The fork server
//! cannot choose a process number, because the filter denies that. Instead, each child sets the kernel's counter back for
//! the next one, and drops the capability for this before it waits. A child with another number than the first shows that
//! the last program created processes. If the launcher lacks that capability, or other programs keep the processors
//! busy, the launcher itself creates the child, and the child takes all steps.
//!
//! **Preloaded interpreters.** The start of Python takes longer than most programs in it. If a [`Job`] permits it
//! ([`Preload`]), an interpreter starts at the second run of the program, in a cell that no program enters. It stops in the
//! middle of its start (`sitecustomize`), when it has imported what the program imports, and before it reads the program. For
//! each run it copies itself (`clone` with `CLONE_PARENT`, so that the copy is a child of the launcher). The launcher notes the
//! steps of every child as a list of system calls, and the copy makes these calls: it enters a new cell, takes the limits, drops
//! the rights, and installs the rules and the filter. Then it goes on with the start of the interpreter, so that nothing tells
//! it from a program that was executed. No cell is used twice. This needs every protection.
//!
//! **Programs that are compared.** A program in a used cell takes about 0.1 ms less CPU time than one in a new cell. To
//! compare programs, a judge can therefore request that all start in new cells ([`RunnerOptions::alike`]).
//!
//! **Shared memory.** Inits, fork servers, and children before exec, share the launcher's memory. To copy and remove page
//! tables for every run would be most of the cost of isolation. Therefore they make raw system calls that set no `errno`,
//! allocate nothing, and change only memory that nobody else changes, except by atomic operations.
//!
//! **A run.** The judge creates a file for standard output, a pipe for standard error, and a private copy of the input. It
//! sends a request with the descriptors over a seqpacket socket; long arguments go into a memory file. The launcher starts
//! the program with a clone that shares its memory until exec, so that a failed step can be reported there. Then it polls
//! three things: the end of the program, the socket, and the time of the next check of a limit. The judge polls the pipe,
//! the socket and the [`Interrupt`], and looks at the length of the file now and then. It counts the bytes of both streams,
//! and asks the launcher to kill the program above the output limit. One reply ends the run.
//!
//! **The next run in advance.** The judge can request the next run while one goes on ([`Runner::run_ahead`]). The
//! launcher then starts it before it replies, so that the judge compares one output while the next program runs. If the
//! process for it is prepared already, it gets its streams while the current program runs, and needs one more message. A judge
//! with several runners can also start a run on one of them while it follows another ([`Runner::request`]). Programs
//! start on a processor that neither the launcher nor the judge uses, if one is idle. Otherwise the launcher and
//! the program share a processor, and the launcher prepares the next run when the program has ended. If others keep the
//! processors busy, the launcher also traces the program until exec is done, so that exec does not move it. A thread of the
//! judge can have an [`OwnProcessor`], which its launchers and the starts of their programs share. If the programs use up
//! a quota of CPU time, judge, launcher and program take turns on one processor, and no run is requested in advance: a
//! quota counts nothing but CPU time, and work on two processors takes more of it.
//!
//! **The end of a run.** The kernel tells cheaply whether a program left other processes: the launcher, or init, then has
//! children. In that case init kills all other processes of its namespace with one call, and waits for them. Without a
//! pid namespace, the launcher is a subreaper: it finds, kills and waits for all its descendants. It replies only then,
//! so the judge never waits for a writer when it empties the pipes. If the judge dies, the socket closes; the launcher
//! then kills everything, removes the working folders, and exits. If the launcher dies, the kernel kills everything below
//! it, and the judge gets [`SandboxError::Launcher`].
//!
//! **Clocks and limits.** A timer on the program's CPU clock and an adaptive interval decide when the launcher reads the
//! usage. A program that ends within two milliseconds gets no timer. The interval is the shortest time in which a limit
//! can be reached with all processors busy. Only the usage decides, so no program is killed early. CPU time and memory
//! are those of the whole tree of processes. The kernel's CPU limit counts ticks and can strike early, so it is far above
//! ours, as a second line. There is no limit of address space, which would break Java and Go.
//!
//! **Memory.** If the launcher can create control groups, which it tries, it lives in groups of its own. No run is then
//! moved between groups, and the launcher's own usage is subtracted. The CPU account includes children that nobody waited
//! for. The kernel kills the program at the memory limit, and refuses processes above the limit of processes. The kill
//! decides, and the reported figure comes from the same account if that of `wait4` is above the limit. Without control
//! groups, the launcher reads `/proc` at intervals, and the peak that `wait4` reports decides after the end; the result
//! then says that the verdict is inferred ([`Usage::memory_enforced`]). The kernel chooses what it kills by size and
//! score. The program gets the highest score soon after its start. With a limit below 16 MiB, it has that from the start,
//! and the group holds a file in memory, the *ballast*: a score counts in thousandths of the limit, which would weigh less
//! than the size of the launcher.
//!
//! **Contention.** The launcher also reads how long the threads of a run waited for a processor, and how busy the machine
//! was. From this the judge computes how much others disturbed the run ([`Contention`]). Time in which the launcher
//! itself was stopped or frozen does not count: it wakes ten times a second, and a later wake shows it.
//!
//! **Back ends.** [`BackEnd`] names the combination of protections that a machine offers: namespaces of root or of a
//! user, with cgroup v2, cgroup v1 or neither; or no namespaces at all (`plain`). [`Protection`] lists each one with its
//! remedy, and [`Guarantee`] lists what holds for each back end. [`Isolation::Strict`] refuses to run with less.
//!
//! **Standard output.** It is a file in memory that the program can only write. The kernel charges its pages to the
//! launcher's group. Therefore the runner repeats a run with a file on disk if the group is out of memory and the file has
//! pages: pages of a disk the kernel writes back before it kills. The pages of the file are subtracted from the peak of the
//! group. While the judge holds a large file, the limit of the group is higher by its size. The judge empties the file when it
//! is done; the launcher, which has a descriptor of it, then lowers the limit of the program that runs meanwhile.
//!
//! The kernel's limit for the length of files is above the output limit, so the judge sees that an output is too long. A
//! call that would exceed even that limit leaves no trace in the file, so the filter kills the program for it. With
//! [`Runner::show_output`], programs get a pipe instead.
//!
//! **Two programs that talk.** Each has its own [`Runner`]. They get the ends of two pipes ([`Wires`]), so no byte passes
//! through the judge. Their output is neither kept nor counted. The CPU time of one program does not count towards the
//! wall time of the other ([`Peer`]).

#[cfg(not(target_os = "linux"))]
compile_error!("rejudge runs on Linux only: use a Linux machine, container or virtual machine");

mod affinity;
mod back_end;
mod contention;
mod cpu_reader;
mod drain;
mod error;
mod execution;
mod facts;
mod guarantee;
mod inherited;
mod input;
mod interrupt;
mod job;
pub mod left_behind;
mod limits;
mod linux;
mod options;
mod output;
mod output_file;
mod peer;
mod pipe;
mod process_folder;
mod program_class;
mod protection;
mod runner_source;
mod standstill;
mod start_here;
mod unnamed_file;
mod work_base;

pub use back_end::BackEnd;
pub use contention::{Contention, hard};
pub use cpu_reader::CpuReader;
pub use error::SandboxError;
pub use execution::{Clock, Execution, Exit, LimitKind, STDERR_TAIL, Usage};
pub use facts::{Facts, Isolation, PendingFacts, ProtectionState};
pub use guarantee::{Extent, Guarantee};
pub use inherited::{allow, raise_inherited_limits, unblock_signals};
pub use input::Input;
pub use interrupt::Interrupt;
pub use job::{Job, Preload, RunJob, Turn, WorkDir};
pub use limits::{Limits, idle_time_for, wall_time_for};
pub use linux::{
    EarlyLauncher, InstructionCounter, OwnProcessor, Runner, StartingRunner, run_launcher_if_asked,
};
pub use options::RunnerOptions;
pub use output::Captured;
pub use peer::{Peer, Wires};
pub use pipe::{is_hung_up, wire};
pub use process_folder::ProcessFolder;
pub use protection::Protection;
pub use rejudge_quantity::Bytes;
pub use runner_source::RunnerSource;
pub use start_here::{AllProcessors, start_here};
pub use work_base::work_base;

/// The example of the README, as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
