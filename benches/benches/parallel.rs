//! What limits many workers: the overhead that is serial, because one thread does it for all of them.
//!
//! A machine with many processors is simulated: the programs sleep instead of computing, so they need none. The speed-up
//! is compared with that of the bare loop, whose programs get in each other's way as much as ours do.
//!
//! Then short programs run, and the CPU time per case is divided: the judge's main thread takes the results of all workers
//! in turn and writes the reports, and everything else belongs to one worker alone. If workers waited for each other in the
//! kernel, the CPU time per case would grow with their number.
//!
//! The judge is the whole command line in a separate process, which is this program, started again.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use rejudge_benches::{
    BareLoop, compile, cpu_time_of_ended_children, is_test, median, rounds, source, write_sums,
};
use rustix::time::{ClockId, clock_gettime};
use tempfile::TempDir;

/// An environment variable that names a file. A process with this variable is the judge, and writes its CPU times to the
/// file.
const JUDGE: &str = "REJUDGE_BENCH_TIMES";

const WORKERS: [u32; 5] = [1, 2, 4, 8, 16];
/// The number of sleeping programs for each worker: enough that the start of the launchers counts little.
const NAPS: u32 = 16;
const SHORT_CASES: u32 = 2000;

/// CPU times of a run.
struct CpuTimes {
    /// Of the judge's main thread.
    main: Duration,
    /// Of the judge with all its threads.
    judge: Duration,
    /// Of everything: the judge, the launchers and the programs.
    all: Duration,
}

struct ParallelRepository {
    dir: TempDir,
    bare_loop: BareLoop,
    nap: PathBuf,
}

impl ParallelRepository {
    fn new() -> Self {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let programs = dir.path().join("programs");
        fs::create_dir(&programs).expect("a fresh temporary folder");
        let repository = Self {
            bare_loop: BareLoop::build(&programs),
            nap: compile(&programs, "nap.c"),
            dir,
        };
        for workers in WORKERS {
            repository.write_problem(&format!("nap{workers}"), "nap.c", workers * NAPS);
        }
        let short = if is_test() { 20 } else { SHORT_CASES };
        repository.write_problem("sum", "a_plus_b.c", short);
        repository
    }

    fn cases(&self, problem: &str) -> PathBuf {
        let data = format!("cases/{problem}/data/secret");
        self.dir.path().join(data)
    }

    fn write_problem(&self, problem: &str, program: &str, cases: u32) {
        let (secret, root) = (self.cases(problem), self.dir.path());
        let solutions = root.join(format!("solutions/{problem}"));
        let write = || -> std::io::Result<()> {
            fs::create_dir_all(&secret)?;
            fs::create_dir_all(&solutions)?;
            fs::copy(source(program), solutions.join(program))?;
            write_sums(&secret, cases)
        };
        write().expect("room for the cases");
    }

    /// Judges `problem`. Returns the elapsed time and the CPU times.
    fn judge(&self, problem: &str, workers: u32) -> (Duration, CpuTimes) {
        let file = self.dir.path().join("times");
        let start = Instant::now();
        let status = Command::new(env::current_exe().expect("the path of this program"))
            .args(["run", problem, &format!("-j{workers}")])
            .args(["--json", "report.json"])
            .current_dir(self.dir.path())
            .env(JUDGE, &file)
            .env("REJUDGE_CACHE_DIR", self.dir.path().join("cache"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        let elapsed = start.elapsed();
        assert!(status.expect("this program starts").success(), "{problem}");
        let text = fs::read_to_string(file).expect("the judge writes its times");
        let mut times = text
            .split(' ')
            .map(|nanos| Duration::from_nanos(nanos.parse().expect("nanoseconds")));
        let mut next = || times.next().expect("three times");
        let times = CpuTimes {
            main: next(),
            judge: next(),
            all: next(),
        };
        (elapsed, times)
    }

    /// The times for the sleeping programs: of the bare loop, and of the judge.
    fn naps(&self, workers: u32) -> [Duration; 2] {
        let problem = format!("nap{workers}");
        let naps = workers * NAPS;
        let bare = self
            .bare_loop
            .time(&self.nap, &self.cases(&problem), naps, naps, workers);
        [bare, self.judge(&problem, workers).0]
    }

    fn print_naps(&self) {
        let mut alone = None;
        for workers in WORKERS {
            let times = (0..rounds(3)).map(|_| self.naps(workers));
            let (bare, judged): (Vec<_>, Vec<_>) =
                times.map(|[bare, judged]| (bare, judged)).unzip();
            // The number of cases grows with that of the workers.
            let seconds = [bare, judged].map(|times| median(times).as_secs_f64());
            let [bare, judged] = seconds.map(|time| f64::from(workers) / time);
            let [bare_alone, judged_alone] = *alone.get_or_insert([bare, judged]);
            let [bare, judged] = [bare / bare_alone, judged / judged_alone];
            println!(
                "programs that sleep, {workers} workers: bare loop {bare:.2} times as fast as one, judged {judged:.2} times: \
                 a ratio of {:.3} (target: 0.95)",
                judged / bare,
            );
        }
    }

    fn print_shares(&self) {
        let cases = if is_test() { 20 } else { SHORT_CASES };
        for workers in WORKERS {
            let times = (0..rounds(5)).map(|_| self.judge("sum", workers).1);
            let times: Vec<_> = times.collect();
            let per_case = |figure: fn(&CpuTimes) -> Duration| {
                let times = times.iter().map(figure).collect();
                median(times).as_secs_f64() * 1e6 / f64::from(cases)
            };
            let [main, judge, all] = [
                per_case(|times| times.main),
                per_case(|times| times.judge),
                per_case(|times| times.all),
            ];
            println!(
                "short programs, {workers} workers, CPU time per case: {all:.0} µs, of that {judge:.0} µs the judge; serial \
                 are {main:.1} µs of its main thread, which are enough for {:.0} cases a second",
                1e6 / main,
            );
        }
    }
}

fn clock(id: ClockId) -> Duration {
    let time = clock_gettime(id).try_into();
    time.expect("a CPU time is not negative")
}

/// Acts as the judge, and writes its CPU times in nanoseconds to `file`.
fn judge_here(file: &Path) -> ExitCode {
    let code = rejudge::command_line();
    let judge = clock(ClockId::ProcessCPUTime);
    let times = [
        clock(ClockId::ThreadCPUTime),
        judge,
        judge + cpu_time_of_ended_children(),
    ];
    let text = times.map(|time| time.as_nanos().to_string()).join(" ");
    fs::write(file, text).expect("room for three numbers");
    code
}

fn main() -> ExitCode {
    if let Some(file) = env::var_os(JUDGE) {
        return judge_here(Path::new(&file));
    }
    let repository = ParallelRepository::new();
    // Fills the compile cache.
    repository.judge("sum", 1);
    repository.print_naps();
    repository.print_shares();
    ExitCode::SUCCESS
}
