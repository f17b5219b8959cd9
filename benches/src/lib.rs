//! What the benchmarks share: small C programs, test cases for them, the bare loop that figures are compared with, and
//! what they measure.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

pub mod repository;
pub mod variants;

/// The repository that the benchmarks belong to, whose solutions are measured.
#[must_use]
pub fn root() -> &'static Path {
    let benches = Path::new(env!("CARGO_MANIFEST_DIR"));
    benches.parent().unwrap_or(benches)
}

/// The source of one of the C programs in `programs/`.
#[must_use]
pub fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("programs")
        .join(name)
}

/// Compiles a C program of `programs/` into `dir`.
///
/// # Panics
/// If there is no `gcc`, or it fails.
#[must_use]
pub fn compile(dir: &Path, name: &str) -> PathBuf {
    let program = dir.join(Path::new(name).with_extension(""));
    let status = Command::new("gcc")
        .arg("-O2")
        .arg("-o")
        .arg(&program)
        .arg(source(name))
        .status();
    assert!(
        status.expect("gcc is needed for this benchmark").success(),
        "gcc {name}"
    );
    program
}

/// Writes the cases `00001` to `count` of `1 2` and `3` to the existing folder `dir`.
pub fn write_sums(dir: &Path, count: u32) -> io::Result<()> {
    (1..=count).try_for_each(|number| {
        fs::write(dir.join(format!("{number:05}.in")), "1 2\n")?;
        fs::write(dir.join(format!("{number:05}.ans")), "3\n")
    })
}

/// The least that any judge must do: start, read, wait, compare; in C.
#[derive(Debug)]
pub struct BareLoop(PathBuf);

impl BareLoop {
    /// Compiles it into `dir`.
    #[must_use]
    pub fn build(dir: &Path) -> Self {
        Self(compile(dir, "bare_loop.c"))
    }

    /// How long `runs` of `program` take over the cases `00001` to `cases` of `folder`. It measures itself, so that
    /// its own start is not counted.
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
        let numbers = [cases, runs, workers].map(|number| number.to_string());
        let output = Command::new(&self.0)
            .args([program.as_os_str(), folder.as_os_str()])
            .args(numbers.each_ref().map(OsStr::new))
            .output()
            .expect("the bare loop starts");
        assert!(output.status.success(), "{output:?}");
        let nanos = String::from_utf8_lossy(&output.stdout);
        Duration::from_nanos(nanos.trim().parse().expect("nanoseconds"))
    }
}

/// The middle one of an odd number of times.
///
/// # Panics
/// If there is none.
#[must_use]
pub fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

/// How many of `most` rounds to go: one if criterion is only to test that the benchmark works.
#[must_use]
pub fn rounds(most: usize) -> usize {
    if is_test() { 1 } else { most }
}

/// Whether the benchmark is only tried (`cargo bench -- --test`).
#[must_use]
pub fn is_test() -> bool {
    std::env::args().any(|argument| argument == "--test")
}
