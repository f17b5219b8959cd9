//! What the sandbox adds to starting a program: its runs against a bare loop in C over the same program and files.
//!
//! Each kind of isolation that can be had here takes its turn in every round, as root also that of another user, so that
//! noise of the machine meets all of them. The medians are printed first, with what they are above the bare loop's;
//! then criterion's own figures follow.
//!
//! Where other work keeps the processors busy, what waits costs more than what runs, and the figures tell of that
//! work: then let the benchmark go first, with `chrt --fifo 10` before the program that `cargo bench --no-run` names.

use std::env;
use std::fs::{self, Permissions};
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, ExitCode, Stdio};
use std::time::Duration;

use criterion::{Criterion, criterion_group};
use rejudge::bytes::Bytes;
use rejudge::sandbox::{
    Interrupt, Isolation, Limits, OwnFolder, Protection, RunnerOptions, work_base,
};
use rejudge_benches::variants::{Sandboxed, Variant, medians, show};
use rejudge_benches::{BareLoop, compile, write_sums};
use tempfile::TempDir;

/// A process that has this variable runs programs from this folder as a user without rights; it is told how many on
/// its standard input, line by line, and answers with nanoseconds.
const PROGRAMS_VARIABLE: &str = "REJUDGE_BENCH_PROGRAMS";
/// Some user without rights.
const USER: u32 = 1_600_000_000;

const WITHOUT_NAMESPACES: &[Protection] = &[
    Protection::PidNamespace,
    Protection::MountNamespace,
    Protection::NetworkNamespace,
    Protection::IpcNamespace,
    Protection::UtsNamespace,
    Protection::UserNamespace,
];
const WITHOUT_GROUPS: &[Protection] = &[
    Protection::MemoryGroup,
    Protection::ProcessGroup,
    Protection::CpuAccount,
];
const WITHOUT_FILTERS: &[Protection] = &[Protection::Seccomp, Protection::Landlock];

/// What of the isolation is there.
const KINDS: [(&str, Isolation, &[Protection]); 5] = [
    ("sandbox off", Isolation::Off, &[]),
    ("sandboxed", Isolation::Auto, &[]),
    ("without namespaces", Isolation::Auto, WITHOUT_NAMESPACES),
    ("without control groups", Isolation::Auto, WITHOUT_GROUPS),
    (
        "without seccomp and Landlock",
        Isolation::Auto,
        WITHOUT_FILTERS,
    ),
];

/// The program of [`prepare`] in the sandbox.
struct Sandbox {
    program: Sandboxed,
    /// Removed after the launcher is gone.
    _work_base: OwnFolder,
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

    /// A method, so that who calls it in a closure takes the folder along.
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

/// This program once more, as another user; ends when it is dropped, for then its standard input does.
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
        Ok(Self {
            process,
            answers: BufReader::new(answers),
        })
    }

    fn time(&mut self, runs: u32) -> Duration {
        let orders = self.process.stdin.as_mut().expect("it is a pipe");
        writeln!(orders, "{runs}").expect("it listens");
        let mut nanos = String::new();
        self.answers.read_line(&mut nanos).expect("it answers");
        Duration::from_nanos(nanos.trim().parse().expect("nanoseconds"))
    }

    /// Its life.
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
        // There is nobody to tell.
        let _ = self.process.wait();
    }
}

/// Makes what is run in a folder that any user may read.
fn prepare() -> TempDir {
    let dir = tempfile::tempdir().expect("a temporary folder");
    fs::set_permissions(dir.path(), Permissions::from_mode(0o755)).expect("it is ours");
    write_sums(dir.path(), 1).expect("a fresh temporary folder");
    let _ = compile(dir.path(), "a_plus_b.c");
    dir
}

/// Every way to run the program, the bare loop first.
fn variants(dir: &Path) -> Vec<Variant<'static>> {
    let (bare_loop, program, cases) = (BareLoop::build(dir), dir.join("a_plus_b"), dir.to_owned());
    let bare = move |runs| bare_loop.time(&program, &cases, 1, runs, 1);
    let mut variants: Vec<Variant<'static>> = vec![("bare".into(), Box::new(bare))];
    for (name, isolation, without) in KINDS {
        let mut sandbox = Sandbox::new(dir, isolation, without);
        let back_end = sandbox.program.facts().back_end.name();
        variants.push((
            format!("{name} ({back_end})"),
            Box::new(move |runs| sandbox.time(runs)),
        ));
    }
    // Refused to those who have no rights themselves.
    if let Ok(mut unprivileged) = UnprivilegedProcess::start(dir) {
        variants.push((
            "sandboxed by a user".into(),
            Box::new(move |runs| unprivileged.time(runs)),
        ));
    }
    variants
}

fn print_medians(variants: &mut [Variant<'_>]) {
    let mut medians = medians(variants).into_iter();
    let bare = medians.next().expect("the bare loop is the first");
    println!("bare: {} µs a run", bare.as_micros());
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
