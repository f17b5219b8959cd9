//! Shared parts of the benchmarks: small C programs with their test cases, the bare loop in C that serves as the
//! yardstick, and the repository that is measured.

#![forbid(unsafe_code)]

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

pub mod neighbourhood;
pub mod repository;
pub mod rounds;
pub mod sums;

pub mod variants;

/// The root of this repository, whose solutions are measured.
#[must_use]
pub fn root() -> &'static Path {
    let benches = Path::new(env!("CARGO_MANIFEST_DIR"));
    benches.parent().unwrap_or(benches)
}

/// The path of a C source in `programs/`.
#[must_use]
pub fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("programs").join(name)
}

/// Compiles a C program of `programs/` into `dir`.
///
/// # Panics
/// If `gcc` is missing or fails.
#[must_use]
pub fn compile(dir: &Path, name: &str) -> PathBuf {
    let program = dir.join(Path::new(name).with_extension(""));
    let status = Command::new("gcc").arg("-O2").arg("-o").arg(&program).arg(source(name)).status();
    assert!(status.expect("gcc is needed for this benchmark").success(), "gcc {name}");
    program
}

/// Writes the cases `00001` to `count` to the existing folder `dir`. Each has the input `1 2` and the answer `3`.
pub fn write_sums(dir: &Path, count: u32) -> io::Result<()> {
    (1..=count).try_for_each(|number| {
        fs::write(dir.join(format!("{number:05}.in")), "1 2\n")?;
        fs::write(dir.join(format!("{number:05}.ans")), "3\n")
    })
}

/// The minimum that any judge must do, in C: start the program, read its output, wait, compare.
#[derive(Debug)]
pub struct BareLoop(PathBuf);

impl BareLoop {
    /// Compiles the bare loop into `dir`.
    #[must_use]
    pub fn build(dir: &Path) -> Self {
        Self(compile(dir, "bare_loop.c"))
    }

    /// The time for `runs` runs of `program` on the cases `00001` to `cases` in `folder`. The bare loop measures this
    /// time itself, so its own start-up is not included.
    ///
    /// # Panics
    /// If a run fails.
    #[must_use]
    pub fn time(
        &self,
        program: &Path,
        folder: &Path,
        cases: u32,
        runs: u32,
        workers: u32,
    ) -> Duration {
        self.time_by(Command::new(&self.0), program, folder, [cases, runs, workers])
    }

    /// The path of its program.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The same with a command that starts [`BareLoop::path`]; the numbers are those of cases, runs and workers.
    ///
    /// # Panics
    /// If a run fails.
    #[must_use]
    pub fn time_by(
        &self,
        mut command: Command,
        program: &Path,
        folder: &Path,
        numbers: [u32; 3],
    ) -> Duration {
        let numbers = numbers.map(|number| number.to_string());
        let output = command
            .args([program.as_os_str(), folder.as_os_str()])
            .args(numbers.each_ref().map(OsStr::new))
            .output()
            .expect("the bare loop starts");
        assert!(output.status.success(), "{output:?}");
        let nanos = String::from_utf8_lossy(&output.stdout);
        Duration::from_nanos(nanos.trim().parse().expect("nanoseconds"))
    }
}

/// The unit of times in files of `/proc`, in milliseconds, on every common machine.
const TICK_MS: u64 = 10;

/// The CPU time of the caller's ended children and of theirs; see `proc_pid_stat(5)`.
#[must_use]
pub fn cpu_time_of_ended_children() -> Duration {
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program, in brackets, may contain spaces.
    let fields = stat.rsplit(')').next().unwrap_or_default();
    let ticks = fields.split_whitespace().skip(13).take(2);
    let ticks: u64 = ticks.filter_map(|field| field.parse::<u64>().ok()).sum();
    Duration::from_millis(TICK_MS * ticks)
}

/// The median of an odd number of times.
///
/// # Panics
/// If `times` is empty.
#[must_use]
pub fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// Whether the benchmark is only tested (`cargo bench -- --test`).
#[must_use]
pub fn is_test() -> bool {
    std::env::args().any(|argument| argument == "--test")
}
