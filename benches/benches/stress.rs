//! The speed of `rejudge stress`, compared with the same programs started bare: a loop in C that starts the generator, the
//! reference and the solution, and compares the outputs.
//!
//! With `-j 1`, rejudge may use a second processor: programs of a round run side by side if one is idle. On one processor
//! there is no such gain, and with `-j 2` little of it on a machine with two.
//!
//! The command line runs in a separate process, which is this program, started again. It compiles each program once; its
//! own report says how long the rounds took. The bare loop and rejudge take turns, and every figure is a median.
//!
//! If other processes keep the processors busy, waiting for a processor dominates the figures. In that case, give the
//! benchmark priority: run the program that `cargo bench --no-run` names with `chrt --fifo 10`.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::Duration;

use rejudge_benches::{compile, is_test, rounds, source};
use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};
use tempfile::TempDir;

/// An environment variable. A process with it is rejudge.
const COMMAND_LINE: &str = "REJUDGE_BENCH_COMMAND_LINE";

/// The rounds of one measurement, and the count of numbers in each input.
const ROUNDS: u32 = 300;
const SIZE: &str = "5";

/// The number of rounds a second and core that is promised.
const PER_CORE: f64 = 200.0;

/// The share of the bare rounds that is promised.
const SHARE: f64 = 0.75;

/// What runs in every round besides the generator, the reference and the solution.
#[derive(Clone, Copy, PartialEq, Eq)]
struct RoundKind {
    name: &'static str,
    validator: bool,
    checker: bool,
}

const KINDS: [RoundKind; 3] = [
    RoundKind { name: "generator, reference, solution", validator: false, checker: false },
    RoundKind { name: "with a validator", validator: true, checker: false },
    RoundKind { name: "with a checker", validator: false, checker: true },
];

const PROGRAMS: [&str; 5] = ["gen", "brute", "best", "validator", "checker"];

struct StressFolder {
    dir: TempDir,
    bare: PathBuf,
    rounds: u32,
}

impl StressFolder {
    fn new() -> Self {
        let dir = tempfile::tempdir().expect("a temporary folder");
        for name in PROGRAMS {
            let from = source(&format!("stress/{name}.cpp"));
            std::fs::copy(&from, dir.path().join(format!("{name}.cpp"))).expect("room for sources");
            let status = Command::new("g++")
                .args(["-O2", "-o"])
                .args([&dir.path().join(name), &from])
                .status();
            assert!(status.expect("g++ is needed").success(), "g++ {name}");
        }
        Self {
            bare: compile(dir.path(), "bare_rounds.c"),
            dir,
            rounds: if is_test() { 10 } else { ROUNDS },
        }
    }

    fn bare_loop(&self, kind: RoundKind) -> Child {
        let program = |name: &str| self.dir.path().join(name);
        let only = |is_used: bool, name: &str| if is_used { program(name) } else { "-".into() };
        // The checker reads files, so every loop has its own folder.
        let folder = tempfile::tempdir_in(self.dir.path()).expect("a folder").keep();
        Command::new(&self.bare)
            .args([&self.rounds.to_string(), SIZE])
            .args([program("gen"), program("brute"), program("best")])
            .args([only(kind.validator, "validator"), only(kind.checker, "checker")])
            .current_dir(folder)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the bare loop starts")
    }

    /// The time for a round in the bare loop, with this number of loops in parallel.
    fn bare(&self, kind: RoundKind, workers: u32) -> Duration {
        let loops: Vec<Child> = (0..workers).map(|_| self.bare_loop(kind)).collect();
        let times = loops.into_iter().map(|child| {
            let output = child.wait_with_output().expect("it is a child of this process");
            assert!(output.status.success(), "{output:?}");
            let nanos = String::from_utf8_lossy(&output.stdout);
            Duration::from_nanos(nanos.trim().parse().expect("nanoseconds"))
        });
        let slowest = times.max().unwrap_or_default();
        slowest / (self.rounds * workers)
    }

    /// The time for a round of rejudge, with this number of rounds in parallel.
    fn rejudge(&self, kind: RoundKind, workers: u32) -> Duration {
        let all = self.rounds * workers;
        let mut command = Command::new(env::current_exe().expect("the path of this program"));
        command
            .args(["stress", "best.cpp", "--against", "brute.cpp"])
            .args(["--generator", &format!("gen.cpp {{seed}} {{n:{SIZE}..{SIZE}}}")])
            .args(["--checker", if kind.checker { "checker.cpp" } else { "tokens" }])
            .args(["--rounds", &all.to_string(), "--seed", "1"])
            .args(["--json", "result.jsonl"])
            .arg(format!("-j{workers}"))
            .current_dir(self.folder(kind))
            .env(COMMAND_LINE, "1")
            .env("REJUDGE_CACHE_DIR", self.dir.path().join("cache"))
            .stdout(Stdio::null());
        if kind.validator {
            command.args(["--validator", "validator.cpp"]);
        }
        let status = command.status().expect("this program starts");
        assert!(status.success(), "{status:?}");
        search_time(&self.folder(kind).join("result.jsonl")) / all
    }

    /// A folder with only the sources that this kind needs: others are found by their names.
    fn folder(&self, kind: RoundKind) -> PathBuf {
        let folder = self.dir.path().join(kind.name);
        std::fs::create_dir_all(&folder).expect("room for a folder");
        for name in PROGRAMS {
            let is_used = match name {
                "validator" => kind.validator,
                "checker" => kind.checker,
                _ => true,
            };
            let file = format!("{name}.cpp");
            if is_used {
                std::fs::copy(source(&format!("stress/{file}")), folder.join(file))
                    .expect("room for sources");
            }
        }
        folder
    }
}

/// The time of the rounds, from the last line of a report.
fn search_time(report: &Path) -> Duration {
    let text = std::fs::read_to_string(report).expect("rejudge has written it");
    let search = text.lines().last().unwrap_or_default();
    let (_, rest) = search.split_once("\"wall_ms\":").expect("the time of the search");
    let number = rest.split([',', '}']).next().unwrap_or_default();
    Duration::from_secs_f64(number.parse::<f64>().expect("milliseconds") / 1e3)
}

fn print(folder: &StressFolder, kind: RoundKind, workers: u32, place: &str) {
    // Fills the compile cache.
    folder.rejudge(kind, workers);
    let rounds = rounds::measure(9, || [folder.bare(kind, workers), folder.rejudge(kind, workers)]);
    let [bare, ours] = rounds.medians();
    let share = bare.as_secs_f64() / ours.as_secs_f64();
    let per_core = 1.0 / ours.as_secs_f64() / f64::from(workers);
    let target = if kind == KINDS[0] {
        format!(" (targets: {SHARE} and {PER_CORE})")
    } else {
        String::new()
    };
    println!(
        "{}, -j {workers}{place}: bare {:.0} rounds/s, rejudge {:.0} rounds/s: {share:.2} of the bare rounds, {per_core:.0} a second and core{target}{rounds}",
        kind.name,
        1.0 / bare.as_secs_f64(),
        1.0 / ours.as_secs_f64(),
    );
}

/// Keeps this process, and those that it starts, on one processor during `measure`.
fn on_one_processor(measure: impl FnOnce()) {
    let all = sched_getaffinity(None).expect("the processors are known");
    let mut one = CpuSet::new();
    one.set(sched_getcpu());
    sched_setaffinity(None, &one).expect("it is one of ours");
    measure();
    sched_setaffinity(None, &all).expect("they were ours before");
}

fn main() -> ExitCode {
    if env::var_os(COMMAND_LINE).is_some() {
        return rejudge::command_line();
    }
    let folder = StressFolder::new();
    for workers in [1, 2] {
        for kind in KINDS {
            print(&folder, kind, workers, "");
        }
    }
    on_one_processor(|| print(&folder, KINDS[0], 1, " on one processor"));
    ExitCode::SUCCESS
}
