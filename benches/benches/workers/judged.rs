//! The throughput of workers and of local runs, and what a case costs over local judging.

use std::env;
use std::fs;
use std::io;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use rejudge_benches::{is_test, rounds, source, write_sums};
use rejudge_cluster::{ClusterError, SigningKey};
use tempfile::TempDir;

use crate::JUDGE;
use crate::server::{BenchServer, EndedWithUs};

/// The promise: the most that a case of a millisecond may cost over local judging.
const PROMISE: Duration = Duration::from_millis(2);

/// The file of the key that signs, in the repository.
const KEY: &str = ".sign.nk";

/// The numbers of workers and of local jobs.
const COUNTS: [u32; 3] = [1, 2, 4];

/// A repository with one problem, whose cases take a millisecond each.
struct ShortCases {
    dir: TempDir,
    submissions: u32,
    cases: u32,
}

impl ShortCases {
    fn write() -> io::Result<Self> {
        let dir = tempfile::tempdir()?;
        let (submissions, cases) = if is_test() { (2, 10) } else { (10, 100) };
        let secret = dir.path().join("cases/sum/data/secret");
        let sources = dir.path().join("solutions/sum");
        fs::create_dir_all(&secret)?;
        fs::create_dir_all(&sources)?;
        fs::write(dir.path().join("rejudge.toml"), "")?;
        let yaml = "problem_format_version: 2025-09\nname: Sum\nlimits:\n  time_limit: 10\n";
        fs::write(dir.path().join("cases/sum/problem.yaml"), yaml)?;
        write_sums(&secret, cases)?;
        // About a millisecond.
        let program = fs::read_to_string(source("spin.c"))?.replace("47000000", "940000");
        for number in 0..submissions {
            let text = format!("/* {number} */\n{program}");
            fs::write(sources.join(format!("s{number}.c")), text)?;
        }
        let made = Self { dir, submissions, cases };
        made.key();
        Ok(made)
    }

    /// Number of runs of a program.
    fn count(&self) -> u32 {
        self.submissions * self.cases
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env::current_exe().expect("the path of this program"));
        command
            .args(args)
            .current_dir(self.dir.path())
            .env(JUDGE, "1")
            .env("REJUDGE_CACHE_DIR", self.dir.path().join(".cache"))
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        command
    }

    /// The key that signs the runs.
    fn key(&self) -> SigningKey {
        let path = self.dir.path().join(KEY);
        match SigningKey::create(&path) {
            Err(ClusterError::KeyExists { .. }) => SigningKey::read(&path),
            made => made,
        }
        .expect("the key is ours")
    }

    /// The time of a run of all cases.
    fn time(&self, args: &[&str]) -> Duration {
        let started = Instant::now();
        let status =
            self.command(&[&["run", "--quiet"], args].concat()).stderr(Stdio::null()).status();
        assert!(status.expect("this program starts").success(), "{args:?}");
        started.elapsed()
    }

    fn worker(&self, server: &BenchServer, number: usize) -> EndedWithUs {
        let name = format!("w{number}");
        let mut command = self.command(&[
            "work",
            "--nats",
            &server.url,
            "-j1",
            "--sandbox=auto",
            "--trust",
            &self.key().public(),
            "--name",
            &name,
        ]);
        EndedWithUs(command.stderr(Stdio::null()).spawn().expect("this program starts"))
    }

    /// Waits until the server lists this number of workers.
    fn wait_for(&self, server: &BenchServer, workers: usize) {
        let line = format!("workers  {workers}\n");
        let started = Instant::now();
        loop {
            let mut command = self.command(&["cluster", "--nats", &server.url]);
            let listed = command.stdout(Stdio::piped()).output().expect("this program starts");
            if String::from_utf8_lossy(&listed.stdout).contains(&line) {
                return;
            }
            assert!(started.elapsed() < Duration::from_secs(100), "workers start");
            thread::sleep(Duration::from_millis(100));
        }
    }
}

/// The medians of these runs, which take turns.
fn in_turns<const N: usize>(repository: &ShortCases, runs: [&[&str]; N]) -> [Duration; N] {
    let round = || runs.map(|args| repository.time(args));
    // One round warms up.
    round();
    rounds::measure(3, round).medians()
}

fn show_rate(count: u32, time: Duration) -> String {
    format!("{:.0} cases/s", f64::from(count) / time.as_secs_f64())
}

fn micros(time: Duration, count: u32) -> u128 {
    (time / count).as_micros()
}

/// Measures and prints.
pub(crate) fn print(server: &BenchServer) {
    let repository = ShortCases::write().expect("space for the cases");
    let count = repository.count();
    let prepared = repository.command(&["cluster", "--prepare", "--nats", &server.url]).status();
    assert!(prepared.expect("this program starts").success());
    // The programs are compiled once, and both ways take them from the cache.
    repository.time(&["-j2"]);
    let mut workers = Vec::new();
    for places in COUNTS {
        while workers.len() < places as usize {
            workers.push(repository.worker(server, workers.len()));
        }
        repository.wait_for(server, workers.len());
        let jobs = format!("-j{places}");
        let by_workers = ["--sign-key", KEY, "--nats", server.url.as_str()];
        let [local, far] = in_turns(&repository, [&[&jobs], &by_workers]);
        println!(
            "{count} cases of 1 ms: {} with {jobs}; workers: {places}, {} in units of 20 cases",
            show_rate(count, local),
            show_rate(count, far)
        );
        if places == 1 {
            let by_one = [&by_workers[..], &["--batch=1"]].concat();
            let [single] = in_turns(&repository, [&by_one]);
            print_cost(count, local, [far, single]);
        }
    }
}

/// Prints what a case costs in units of twenty cases and of one.
fn print_cost(count: u32, local: Duration, [far, single]: [Duration; 2]) {
    let cost = far.saturating_sub(local) / count;
    println!(
        "a case of 1 ms costs {} µs over local judging, which takes {} µs (target: at most {} µs): {}; in units of one case {} µs",
        cost.as_micros(),
        micros(local, count),
        PROMISE.as_micros(),
        if cost <= PROMISE { "met" } else { "MISSED" },
        micros(single.saturating_sub(local), count)
    );
}
