//! What judging costs from end to end, against the promises: time beside a bare loop in C over the same program and
//! cases, how well two workers share the work, the time to the first case, and memory.
//!
//! The judge is the whole command line, in a process of its own: this very program, started again. Every figure is a
//! median of rounds in which all that is compared takes its turn, so that noise of the machine meets everyone. The
//! promises are printed first, then criterion's own figures follow.
//!
//! Where other work keeps the processors busy, what waits costs more than what runs, and the figures tell of that
//! work: then let the benchmark go first, with `chrt --fifo 10` before the program that `cargo bench --no-run` names.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use criterion::{Criterion, SamplingMode, criterion_group};
use rejudge_benches::{BareLoop, compile, is_test, median, rounds, source, write_sums};
use rustix::time::{ClockId, clock_gettime};
use tempfile::TempDir;

/// A process that has this variable is the judge; it leaves its peak memory in the file that is named here.
const JUDGE: &str = "REJUDGE_BENCH_MEMORY";

const SHORT_CASES: u32 = 1000;
const BUSY_CASES: u32 = 16;

/// A repository with a problem for each promise, and its yardstick.
struct TestRepository {
    dir: TempDir,
    bare_loop: BareLoop,
    sum: PathBuf,
    spin: PathBuf,
    started: PathBuf,
}

impl TestRepository {
    fn new() -> Self {
        let dir = tempfile::tempdir().expect("a temporary folder");
        // Not beside the problems: their names are names of problems too.
        let programs = dir.path().join("programs");
        fs::create_dir(&programs).expect("a fresh temporary folder");
        let repository = Self {
            bare_loop: BareLoop::build(&programs),
            sum: compile(&programs, "a_plus_b.c"),
            spin: compile(&programs, "spin.c"),
            started: compile(&programs, "started.c"),
            dir,
        };
        repository.write_problem("sum", "a_plus_b.c", SHORT_CASES);
        repository.write_problem("spin", "spin.c", BUSY_CASES);
        repository.write_problem("start", "started.c", 1);
        repository
    }

    fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    /// The folder of a problem's cases.
    fn cases(&self, problem: &str) -> PathBuf {
        self.path(&format!("cases/{problem}/data/secret"))
    }

    fn write_problem(&self, problem: &str, program: &str, cases: u32) {
        let secret = self.cases(problem);
        let solutions = self.path(&format!("solutions/{problem}"));
        let write = || -> std::io::Result<()> {
            fs::create_dir_all(&secret)?;
            fs::create_dir_all(&solutions)?;
            fs::copy(source(program), solutions.join(program))?;
            let yaml = format!(
                "problem_format_version: 2025-09\nname: {problem}\nlimits:\n  time_limit: 30\n"
            );
            fs::write(self.path(&format!("cases/{problem}/problem.yaml")), yaml)?;
            write_sums(&secret, cases)
        };
        write().expect("room for the cases");
    }

    /// Judges, and says how long that took and how much memory it needed at most, in KiB.
    fn judge(&self, arguments: &[&str]) -> (Duration, u64) {
        let memory = self.path("memory");
        let start = Instant::now();
        let status = Command::new(env::current_exe().expect("the path of this program"))
            .arg("run")
            .args(arguments)
            .args(["--json", "report.json"])
            .current_dir(self.dir.path())
            .env(JUDGE, &memory)
            .env("REJUDGE_CACHE_DIR", self.path("cache"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .status();
        let time = start.elapsed();
        let code = status.expect("this program starts").code();
        // 1: a wrong answer, where one is made on purpose.
        assert!(matches!(code, Some(0 | 1)), "{arguments:?}: {code:?}");
        let memory = fs::read_to_string(memory).expect("the judge leaves its peak memory");
        (time, memory.parse().expect("a number"))
    }

    fn bare_sums(&self) -> Duration {
        let cases = self.cases("sum");
        self.bare_loop
            .time(&self.sum, &cases, SHORT_CASES, SHORT_CASES, 1)
    }

    fn judged_sums(&self) -> Duration {
        self.judge(&["sum", "-j1"]).0
    }

    fn bare_busy(&self, workers: u32) -> Duration {
        let cases = self.cases("spin");
        self.bare_loop
            .time(&self.spin, &cases, BUSY_CASES, BUSY_CASES, workers)
    }

    fn judged_busy(&self, workers: u32) -> Duration {
        self.judge(&["spin", &format!("-j{workers}")]).0
    }

    /// From the start of the judge to that of the first program, by the program's own clock.
    fn start(&self) -> Duration {
        let before = monotonic();
        self.judge(&["start", "-j1", "--keep", "kept"]);
        let kept = self.path("kept/solutions/start/started.c/secret/00001.out");
        let text = fs::read(kept).expect("the output was kept");
        parse_start_time(&text).saturating_sub(before)
    }

    /// The same of a program that nobody judges.
    fn bare_start(&self) -> Duration {
        let before = monotonic();
        let output = Command::new(&self.started).output();
        let text = output.expect("the program starts").stdout;
        parse_start_time(&text).saturating_sub(before)
    }
}

/// When a program says that it began.
fn parse_start_time(output: &[u8]) -> Duration {
    let text = String::from_utf8_lossy(output);
    Duration::from_nanos(text.trim().parse().expect("nanoseconds"))
}

fn monotonic() -> Duration {
    clock_gettime(ClockId::Monotonic)
        .try_into()
        .expect("it counts from the start of the machine")
}

/// Medians of what `measures` return, taken in turns.
fn in_turns<const N: usize>(most: usize, measures: [&dyn Fn() -> Duration; N]) -> [Duration; N] {
    let mut times = [const { Vec::new() }; N];
    for _ in 0..rounds(most) {
        for (times, measure) in times.iter_mut().zip(measures) {
            times.push(measure());
        }
    }
    times.map(median)
}

fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}

fn print_promises(repository: &TestRepository) {
    // Compiles, so that the cache knows everything from now on.
    repository.judge(&[]);
    let [bare, judged] = in_turns(
        15,
        [&|| repository.bare_sums(), &|| repository.judged_sums()],
    );
    println!(
        "{SHORT_CASES} cases of a+b: bare loop {bare:.1?}, judged {judged:.1?}: {:.3} times the bare loop (promised: 1.35 with the sandbox)",
        ratio(judged, bare)
    );
    let [bare, bare_by_two, judged, judged_by_two] = in_turns(
        7,
        [
            &|| repository.bare_busy(1),
            &|| repository.bare_busy(2),
            &|| repository.judged_busy(1),
            &|| repository.judged_busy(2),
        ],
    );
    let (bare_gain, judged_gain) = (ratio(bare, bare_by_two), ratio(judged, judged_by_two));
    println!(
        "{BUSY_CASES} cases of {:.0?}, two workers: bare loop {bare_gain:.2} times as fast, judged {judged_gain:.2}: {:.3} of it (promised: 0.9)",
        bare / BUSY_CASES,
        judged_gain / bare_gain
    );
    let [bare, judged] = in_turns(15, [&|| repository.bare_start(), &|| repository.start()]);
    println!("start to first case: {judged:.2?} (promised: 10 ms), of a bare program {bare:.2?}");
    print_memory(repository);
}

/// Cases with outputs of this many words, and how they end.
const FLOODS: [(&str, u64, char, bool); 4] = [
    ("60 MB, right", 7_500_000, '\n', true),
    ("60 MB, wrong at the end", 7_500_000, '\n', false),
    ("a line of 100 MB, right", 12_500_000, ' ', true),
    ("a line of 100 MB, wrong at the end", 12_500_000, ' ', false),
];

fn print_memory(repository: &TestRepository) {
    repository.write_problem("flood", "flood.c", 0);
    for (number, (name, words, gap, right)) in (1..).zip(FLOODS) {
        write_flood(&repository.cases("flood"), number, words, gap, right);
        let case = format!("{number:05}");
        let (_, memory) =
            repository.judge(&["flood", "-j1", "--output-limit=256", "--case", &case]);
        println!("peak memory, {name}: {memory} KiB (promised: 30 MB)");
    }
    let many = if is_test() { 1000 } else { 99_999 };
    repository.write_problem("many", "a_plus_b.c", many);
    let (_, memory) = repository.judge(&["many", "-j1", "--case", "secret/0[01]*"]);
    println!("peak memory, {many} cases discovered: {memory} KiB (promised: 30 MB)");
}

fn write_flood(dir: &Path, number: u32, words: u64, gap: char, right: bool) {
    let word = format!("1234567{gap}");
    let end = if right { "\n" } else { "0\n" };
    let count = usize::try_from(words).expect("it fits in memory");
    let answer = word.repeat(count) + end;
    fs::write(
        dir.join(format!("{number:05}.in")),
        format!("{words} {word}|"),
    )
    .and_then(|()| fs::write(dir.join(format!("{number:05}.ans")), answer))
    .expect("room for the cases");
}

fn run(criterion: &mut Criterion) {
    let repository = TestRepository::new();
    print_promises(&repository);
    let mut group = criterion.benchmark_group("run");
    group
        .sample_size(10)
        .sampling_mode(SamplingMode::Flat)
        .measurement_time(Duration::from_secs(10));
    group.bench_function("1000 cases, bare", |b| {
        b.iter_custom(|runs| (0..runs).map(|_| repository.bare_sums()).sum());
    });
    group.bench_function("1000 cases, judged", |b| {
        b.iter_custom(|runs| (0..runs).map(|_| repository.judged_sums()).sum());
    });
    group.bench_function("start", |b| {
        b.iter_custom(|runs| (0..runs).map(|_| repository.start()).sum());
    });
    group.finish();
}

criterion_group!(benches, run);

/// Is the judge, and leaves its peak memory in `file`.
fn judge_here(file: &Path) -> ExitCode {
    let code = rejudge::command_line();
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:")?.strip_suffix("kB"));
    fs::write(file, peak.unwrap_or_default().trim()).expect("room for a number");
    code
}

fn main() -> ExitCode {
    if let Some(file) = env::var_os(JUDGE) {
        return judge_here(Path::new(&file));
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
    ExitCode::SUCCESS
}
