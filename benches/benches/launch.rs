//! The overhead of the sandbox when it starts a program, compared with a bare loop in C over the same program and files.
//!
//! Every round measures each kind of isolation that this machine offers; as root, also the isolation of another user.
//! Noise of the machine therefore affects all of them. The benchmark prints the medians and their overhead over the bare
//! loop first, then criterion's own figures.
//!
//! If other processes keep the processors busy, waiting for a processor dominates the figures. In that case, give the
//! benchmark priority: run the program that `cargo bench --no-run` names with `chrt --fifo 10`.

use std::env;
use std::fs::{self, Permissions};
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitCode, Stdio};
use std::time::Duration;

use criterion::{Criterion, criterion_group};
use rejudge::Bytes;
use rejudge::sandbox::{
    Interrupt, Isolation, Limits, ProcessFolder, Protection, RunnerOptions, work_base,
};
use rejudge_benches::variants::{Sandboxed, Variant, medians, show};
use rejudge_benches::{BareLoop, compile, write_sums};
use tempfile::TempDir;

/// An environment variable that names a folder of programs. A process with this variable is the unprivileged process:
/// it reads numbers of runs from standard input, line by line, and prints the nanoseconds that these runs take.
const PROGRAMS_VARIABLE: &str = "REJUDGE_BENCH_PROGRAMS";
/// The id of an unprivileged user.
const USER: u32 = 1_600_000_000;

const WITHOUT_NAMESPACES: &[Protection] = &[
    Protection::PidNamespace,
    Protection::MountNamespace,
    Protection::NetworkNamespace,
    Protection::IpcNamespace,
    Protection::UtsNamespace,
    Protection::UserNamespace,
];
const WITHOUT_GROUPS: &[Protection] =
    &[Protection::MemoryGroup, Protection::ProcessGroup, Protection::CpuAccount];
const WITHOUT_FILTERS: &[Protection] = &[Protection::Seccomp, Protection::Landlock];

/// The kinds of isolation: a name, the mode, and the protections that are disabled.
const KINDS: [(&str, Isolation, &[Protection]); 5] = [
    ("sandbox off", Isolation::Off, &[]),
    ("sandboxed", Isolation::Auto, &[]),
    ("without namespaces", Isolation::Auto, WITHOUT_NAMESPACES),
    ("without control groups", Isolation::Auto, WITHOUT_GROUPS),
    ("without seccomp and Landlock", Isolation::Auto, WITHOUT_FILTERS),
];

/// A sandbox that runs the program of [`prepare`].
struct Sandbox {
    program: Sandboxed,
    /// Removed after the launcher is gone.
    _work_base: ProcessFolder,
}

impl Sandbox {
    fn new(dir: &Path, isolation: Isolation, without: &[Protection]) -> Self {
        let work_base = work_base().expect("a temporary folder");
        let mut options = RunnerOptions::new(work_base.path(), Interrupt::new().expect("a pipe"));
        options.isolation = isolation;
        options.without = without.to_vec();
        Self {
            program: Sandboxed::new(&options, &dir.join("a_plus_b"), dir, limits()),
            _work_base: work_base,
        }
    }

    /// A method, so that a closure that calls it captures the whole struct, including the work folder.
    fn time(&mut self, runs: u32) -> Duration {
        self.program.time(runs)
    }
}

fn limits() -> Limits {
    Limits {
        cpu_time: Duration::from_secs(1),
        cpu_kill: Duration::from_secs(1),
        wall_time: Duration::from_secs(3),
        memory: Bytes::mib(256),
        output: Bytes::mib(64),
        stack: Bytes::mib(256),
        processes: 64,
        file_size: Bytes::mib(64),
        one_core: false,
    }
}

/// A second process of this program that runs as another user. When the struct is dropped, standard input closes and the
/// process exits.
struct UnprivilegedProcess {
    process: Child,
    answers: BufReader<ChildStdout>,
}

impl UnprivilegedProcess {
    fn start(dir: &Path) -> io::Result<Self> {
        let mut process = Command::new("/proc/self/exe")
            .env(PROGRAMS_VARIABLE, dir)
            .uid(USER)
            .gid(USER)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let answers = process.stdout.take().expect("it is a pipe");
        Ok(Self { process, answers: BufReader::new(answers) })
    }

    fn time(&mut self, runs: u32) -> Duration {
        let orders = self.process.stdin.as_mut().expect("it is a pipe");
        writeln!(orders, "{runs}").expect("it listens");
        let mut nanos = String::new();
        self.answers.read_line(&mut nanos).expect("it answers");
        Duration::from_nanos(nanos.trim().parse().expect("nanoseconds"))
    }

    /// The main loop of the unprivileged process.
    fn serve(dir: &Path) {
        let mut sandbox = Sandbox::new(dir, Isolation::Auto, &[]);
        for order in io::stdin().lines() {
            let runs = order.expect("an order").parse().expect("a number of runs");
            println!("{}", sandbox.time(runs).as_nanos());
        }
    }
}

impl Drop for UnprivilegedProcess {
    fn drop(&mut self) {
        drop(self.process.stdin.take());
        // An error cannot be reported from here.
        let _ = self.process.wait();
    }
}

/// Creates the program and its case in a folder that every user can read.
fn prepare() -> TempDir {
    let dir = tempfile::tempdir().expect("a temporary folder");
    fs::set_permissions(dir.path(), Permissions::from_mode(0o755)).expect("it is ours");
    write_sums(dir.path(), 1).expect("a fresh temporary folder");
    let _ = compile(dir.path(), "a_plus_b.c");
    dir
}

/// All variants of running the program. The bare loop is the first.
fn variants(dir: &Path) -> Vec<Variant<'static>> {
    let (bare_loop, program, cases) = (BareLoop::build(dir), dir.join("a_plus_b"), dir.to_owned());
    let bare = move |runs| bare_loop.time(&program, &cases, 1, runs, 1);
    let mut variants: Vec<Variant<'static>> = vec![("bare".into(), Box::new(bare))];
    for (name, isolation, without) in KINDS {
        let mut sandbox = Sandbox::new(dir, isolation, without);
        let back_end = sandbox.program.facts().back_end.name();
        variants.push((format!("{name} ({back_end})"), Box::new(move |runs| sandbox.time(runs))));
    }
    // Only root can start a process as another user.
    if let Ok(mut unprivileged) = UnprivilegedProcess::start(dir) {
        variants
            .push(("sandboxed by a user".into(), Box::new(move |runs| unprivileged.time(runs))));
    }
    variants
}

fn print_medians(variants: &mut [Variant<'_>]) {
    let (medians, rounds) = medians(variants);
    let mut medians = medians.into_iter();
    let bare = medians.next().expect("the bare loop is the first");
    println!("bare: {} µs a run{rounds}", bare.as_micros());
    for ((name, _), time) in variants[1..].iter().zip(medians) {
        println!(
            "{name}: {} µs a run, {:.2} times the bare loop, {:+.0} µs",
            time.as_micros(),
            time.as_secs_f64() / bare.as_secs_f64(),
            (time.as_secs_f64() - bare.as_secs_f64()) * 1e6
        );
    }
}

fn launch(criterion: &mut Criterion) {
    let dir = prepare();
    let mut variants = variants(dir.path());
    print_medians(&mut variants);
    show(criterion, "launch", &mut variants);
}

criterion_group!(benches, launch);

fn main() -> ExitCode {
    if let Some(dir) = env::var_os(PROGRAMS_VARIABLE) {
        UnprivilegedProcess::serve(Path::new(&dir));
        return ExitCode::SUCCESS;
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
    ExitCode::SUCCESS
}
