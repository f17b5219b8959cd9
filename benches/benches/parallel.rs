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

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use rejudge_benches::sums::{SumRepository, act_as_judge, own_command};
use rejudge_benches::{cpu_time_of_ended_children, is_test, median, rounds};
use rustix::time::{ClockId, clock_gettime};

const WORKERS: [u32; 5] = [1, 2, 4, 8, 16];
/// The number of sleeping programs for each worker: enough that the start of the launchers counts little.
const NAPS: u32 = 16;

fn short_cases() -> u32 {
    if is_test() { 20 } else { 2000 }
}

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
    sums: SumRepository,
    nap: PathBuf,
}

impl ParallelRepository {
    fn new() -> Self {
        let sums = SumRepository::new();
        for workers in WORKERS {
            sums.write_problem(&format!("nap{workers}"), "nap.c", workers * NAPS);
        }
        sums.write_problem("sum", "a_plus_b.c", short_cases());
        Self { nap: sums.compile("nap.c"), sums }
    }

    /// Judges `problem`. Returns the elapsed time and the CPU times.
    fn judge(&self, problem: &str, workers: u32) -> (Duration, CpuTimes) {
        let arguments = [problem, &format!("-j{workers}")];
        let (elapsed, times) = self.sums.time(own_command(), &arguments);
        let mut times =
            times.split(' ').map(|nanos| Duration::from_nanos(nanos.parse().expect("nanoseconds")));
        let mut next = || times.next().expect("three times");
        let times = CpuTimes { main: next(), judge: next(), all: next() };
        (elapsed, times)
    }

    /// The times for the sleeping programs: of the bare loop, and of the judge.
    fn naps(&self, workers: u32) -> [Duration; 2] {
        let problem = format!("nap{workers}");
        let naps = workers * NAPS;
        let cases = self.sums.cases(&problem);
        let bare = (self.sums.bare_loop).time(&self.nap, &cases, naps, naps, workers);
        [bare, self.judge(&problem, workers).0]
    }

    fn print_naps(&self) {
        let mut alone = None;
        for workers in WORKERS {
            let rounds = rounds::measure(3, || self.naps(workers));
            // The number of cases grows with that of the workers.
            let rate = |time: Duration| f64::from(workers) / time.as_secs_f64();
            let [bare, judged] = rounds.medians().map(rate);
            let [bare_alone, judged_alone] = *alone.get_or_insert([bare, judged]);
            let [bare, judged] = [bare / bare_alone, judged / judged_alone];
            println!(
                "programs that sleep, {workers} workers: bare loop {bare:.2} times as fast as one, judged {judged:.2} times: \
                 a ratio of {:.3} (target: 0.95){rounds}",
                judged / bare,
            );
        }
    }

    fn print_shares(&self) {
        for workers in WORKERS {
            let rounds = rounds::measure(5, || self.judge("sum", workers).1);
            let per_case = |figure: fn(&CpuTimes) -> Duration| {
                let times = rounds.results.iter().map(figure).collect();
                median(times).as_secs_f64() * 1e6 / f64::from(short_cases())
            };
            let [main, judge, all] = [
                per_case(|times| times.main),
                per_case(|times| times.judge),
                per_case(|times| times.all),
            ];
            println!(
                "short programs, {workers} workers, CPU time per case: {all:.0} µs, of that {judge:.0} µs the judge; serial \
                 are {main:.1} µs of its main thread, which are enough for {:.0} cases a second{rounds}",
                1e6 / main,
            );
        }
    }
}

fn clock(id: ClockId) -> Duration {
    let time = clock_gettime(id).try_into();
    time.expect("a CPU time is not negative")
}

/// The [`CpuTimes`] of this process, in nanoseconds.
fn times() -> String {
    let judge = clock(ClockId::ProcessCPUTime);
    let all = judge + cpu_time_of_ended_children();
    let times = [clock(ClockId::ThreadCPUTime), judge, all];
    times.map(|time| time.as_nanos().to_string()).join(" ")
}

fn main() -> ExitCode {
    if let Some(code) = act_as_judge(times) {
        return code;
    }
    let repository = ParallelRepository::new();
    // Fills the compile cache.
    repository.judge("sum", 1);
    repository.print_naps();
    repository.print_shares();
    ExitCode::SUCCESS
}
