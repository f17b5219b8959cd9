//! The cost of judging from end to end, compared with targets: the time relative to a bare loop in C over the same
//! program and cases, the speed-up with two workers, the time to the first case, the time to the first verdict on the
//! screen, and memory.
//!
//! The judge is the whole command line in a separate process, which is this program, started again. Every figure is a
//! median over rounds; each round measures everything that is compared, so that noise of the machine affects all of it.
//! Rounds that the hypervisor of a virtual machine disturbed are repeated: see [`rounds`].
//! The benchmark prints the targets first, then criterion's own figures.
//!
//! If other processes keep the processors busy, waiting for a processor dominates the figures. In that case, give the
//! benchmark priority: run the program that `cargo bench --no-run` names with `chrt --fifo 10`.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use criterion::{Criterion, SamplingMode, criterion_group};
use rejudge_benches::neighbourhood::{self, Entered};
use rejudge_benches::sums::{SumRepository, act_as_judge, own_command, own_path};
use rejudge_benches::{is_test, rounds};
use rustix::time::{ClockId, clock_gettime};

const SHORT_CASES: u32 = 1000;
const BUSY_CASES: u32 = 16;

/// A repository with a problem for each target, and the programs for the yardstick.
struct TestRepository {
    sums: SumRepository,
    sum: PathBuf,
    spin: PathBuf,
    started: PathBuf,
}

impl TestRepository {
    fn new() -> Self {
        let sums = SumRepository::new();
        sums.write_problem("sum", "a_plus_b.c", SHORT_CASES);
        sums.write_problem("spin", "spin.c", BUSY_CASES);
        sums.write_problem("start", "started.c", 1);
        Self {
            sum: sums.compile("a_plus_b.c"),
            spin: sums.compile("spin.c"),
            started: sums.compile("started.c"),
            sums,
        }
    }

    /// Runs the judge. Returns the elapsed time and the peak memory in KiB.
    fn judge(&self, arguments: &[&str]) -> (Duration, u64) {
        let (time, memory) = self.sums.time(own_command(), arguments);
        (time, memory.parse().expect("a number"))
    }

    /// The times for all short cases in this neighbourhood: of the bare loop, and of the judge.
    fn sums_in(&self, entered: &Entered) -> [Duration; 2] {
        let command = entered.command(self.sums.bare_loop.path());
        let numbers = [SHORT_CASES, SHORT_CASES, 1];
        let (cases, judge) = (self.sums.cases("sum"), entered.command(own_path()));
        let bare = (self.sums.bare_loop).time_by(command, &self.sum, &cases, numbers);
        [bare, self.sums.time(judge, &["sum", "-j1"]).0]
    }

    fn bare_sums(&self) -> Duration {
        let cases = self.sums.cases("sum");
        (self.sums.bare_loop).time(&self.sum, &cases, SHORT_CASES, SHORT_CASES, 1)
    }

    fn judged_sums(&self) -> Duration {
        self.judge(&["sum", "-j1"]).0
    }

    fn bare_busy(&self, workers: u32) -> Duration {
        let cases = self.sums.cases("spin");
        (self.sums.bare_loop).time(&self.spin, &cases, BUSY_CASES, BUSY_CASES, workers)
    }

    fn judged_busy(&self, workers: u32) -> Duration {
        self.judge(&["spin", &format!("-j{workers}")]).0
    }

    /// The time from the start of the judge to the start of the first program, which prints its start time.
    fn start(&self) -> Duration {
        let before = monotonic();
        self.judge(&["start", "-j1", "--keep", "kept"]);
        let kept = self.sums.path("kept/solutions/start/started.c/secret/00001.out");
        let text = fs::read(kept).expect("the output was kept");
        parse_start_time(&text).saturating_sub(before)
    }

    /// The time from the end of the first program, which prints its start time and ends, to its verdict in the report.
    fn verdict(&self) -> Duration {
        let mut judge = self
            .sums
            .judge(own_command())
            .args(["start", "-j1"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("this program starts");
        let report = BufReader::new(judge.stdout.take().expect("it is piped"));
        // The answer is wrong, so the report shows what the program printed: its start time.
        let shown = report.lines().find_map(|line| {
            let line = line.expect("the report is text");
            let (_, printed) = line.split_once("got `")?;
            let (time, _) = printed.split_once('`')?;
            Some(monotonic().saturating_sub(parse_start_time(time.as_bytes())))
        });
        judge.wait().expect("it is a child of this process");
        shown.expect("the report shows the output")
    }

    /// The same time for a program that is started directly.
    fn bare_start(&self) -> Duration {
        let before = monotonic();
        let output = Command::new(&self.started).output();
        let text = output.expect("the program starts").stdout;
        parse_start_time(&text).saturating_sub(before)
    }
}

/// The start time that a program printed.
fn parse_start_time(output: &[u8]) -> Duration {
    let text = String::from_utf8_lossy(output);
    Duration::from_nanos(text.trim().parse().expect("nanoseconds"))
}

fn monotonic() -> Duration {
    clock_gettime(ClockId::Monotonic).try_into().expect("the monotonic clock is not negative")
}

fn ratio(a: Duration, b: Duration) -> f64 {
    a.as_secs_f64() / b.as_secs_f64()
}

fn print_neighbourhood(repository: &TestRepository) {
    println!("{SHORT_CASES} cases of a+b by one worker, compared with the bare loop:");
    for neighbourhood in neighbourhood::ALL {
        let Some(entered) = neighbourhood.enter() else {
            println!("  {}: not possible on this machine", neighbourhood.name);
            continue;
        };
        let rounds = rounds::measure(neighbourhood.rounds, || repository.sums_in(&entered));
        let mut ratios: Vec<f64> =
            rounds.results.iter().map(|[bare, judged]| ratio(*judged, *bare)).collect();
        ratios.sort_by(f64::total_cmp);
        let [bare, judged] = rounds.medians();
        println!(
            "  {}: bare loop {bare:.1?}, judged {judged:.1?}: {:.2} times [{:.2} to {:.2}] (target: {:.2}){rounds}",
            neighbourhood.name,
            ratio(judged, bare),
            ratios[0],
            ratios[ratios.len() - 1],
            neighbourhood.target,
        );
    }
}

fn print_promises(repository: &TestRepository) {
    // Fills the compile cache.
    repository.judge(&[]);
    // First: for some seconds after minutes of full load, a virtual machine may be a quarter slower.
    let starts = rounds::measure(45, || [repository.bare_start(), repository.start()]);
    let [bare, judged] = starts.medians();
    println!("start to first case: {judged:.2?} (target: 5 ms); program alone: {bare:.2?}{starts}");
    print_neighbourhood(repository);
    let speed_ups = rounds::measure(7, || {
        [
            repository.bare_busy(1),
            repository.bare_busy(2),
            repository.judged_busy(1),
            repository.judged_busy(2),
        ]
    });
    let [bare, bare_by_two, judged, judged_by_two] = speed_ups.medians();
    let (bare_gain, judged_gain) = (ratio(bare, bare_by_two), ratio(judged, judged_by_two));
    println!(
        "{BUSY_CASES} cases of {:.0?}, two workers: bare loop {bare_gain:.2} times as fast, judged {judged_gain:.2} times: a ratio of {:.3} (target: 0.95){speed_ups}",
        bare / BUSY_CASES,
        judged_gain / bare_gain
    );
    let verdicts = rounds::measure(15, || [repository.verdict()]);
    let [shown] = verdicts.medians();
    println!(
        "end of the first program to its verdict in the report: {shown:.2?} (target: 50 ms){verdicts}"
    );
    print_memory(repository);
}

/// Cases with a large output: the name, the number of words, the separator, and whether the answer is right.
const FLOODS: [(&str, u64, char, bool); 4] = [
    ("60 MB, right", 7_500_000, '\n', true),
    ("60 MB, wrong at the end", 7_500_000, '\n', false),
    ("a line of 100 MB, right", 12_500_000, ' ', true),
    ("a line of 100 MB, wrong at the end", 12_500_000, ' ', false),
];

fn print_memory(repository: &TestRepository) {
    repository.sums.write_problem("flood", "flood.c", 0);
    for (number, (name, words, gap, right)) in (1..).zip(FLOODS) {
        write_flood(&repository.sums.cases("flood"), number, words, gap, right);
        let case = format!("{number:05}");
        let (_, memory) =
            repository.judge(&["flood", "-j1", "--output-limit=256", "--case", &case]);
        println!("peak memory, {name}: {memory} KiB (target: 30 MB)");
    }
    let many = if is_test() { 1000 } else { 99_999 };
    repository.sums.write_problem("many", "a_plus_b.c", many);
    let (_, memory) = repository.judge(&["many", "-j1", "--case", "secret/0[01]*"]);
    println!("peak memory, {many} cases discovered: {memory} KiB (target: 30 MB)");
}

fn write_flood(dir: &Path, number: u32, words: u64, gap: char, right: bool) {
    let word = format!("1234567{gap}");
    let end = if right { "\n" } else { "0\n" };
    let count = usize::try_from(words).expect("it fits in memory");
    let answer = word.repeat(count) + end;
    fs::write(dir.join(format!("{number:05}.in")), format!("{words} {word}|"))
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

/// The peak memory of this process.
fn peak() -> String {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.strip_suffix("kB"));
    peak.unwrap_or_default().trim().to_owned()
}

fn main() -> ExitCode {
    if let Some(code) = act_as_judge(peak) {
        return code;
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
    ExitCode::SUCCESS
}
