//! The CPU time that a newcomer pays, as a multiple of a reference. CPU time hardly depends on the load, and its ratio to the
//! reference hardly on the machine.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

use anyhow::{Context as _, Result, ensure};

use crate::bare;

/// The unit of times in `/proc`, per second: the kernel shows every program the same.
const TICKS: f64 = 100.0;

/// On a machine where the reference takes 1.95 s, the maxima are two processors for 30 s, 125 s and five minutes.
const MOST: [(&str, f64); 3] = [
    ("judging this repository, with an empty cache", 31.0),
    ("cargo build --release", 128.0),
    ("cargo test, with only Rust's toolchain", 308.0),
];

/// `costs`: exits with 1 if the first judgement of this repository, a build or all tests cost more than they may.
pub(crate) fn main(arguments: &[String]) -> Result<ExitCode> {
    ensure!(arguments.is_empty(), "unexpected argument\nhelp: cargo xtask costs");
    let scratch = tempfile::tempdir()?;
    let target = scratch.path().join("target");
    let programs = bare::programs()?;
    let log = scratch.path().join("log");
    let mut reference = Command::new("rustc");
    reference
        .args(["--edition", "2021", "-C", "opt-level=3", "-o"])
        .arg(scratch.path().join("klotski"));
    reference.arg("solutions/klotski/klotski.rs");
    let reference = cpu_time(&mut reference, &log)?;
    println!("the reference, compiling solutions/klotski/klotski.rs: {reference:.2} s");

    let mut judge = Command::new("target/release/rejudge");
    judge.arg("run").env("REJUDGE_CACHE_DIR", scratch.path().join("cache"));
    // What `cargo run --release` builds.
    let mut build = Command::new("cargo");
    build.args(["build", "--release", "--bin", "rejudge", "--target-dir"]).arg(&target);
    // The tests of languages that are not installed skip, as for a newcomer.
    let mut test = Command::new("cargo");
    test.args(["test", "--target-dir"]).arg(&target).env("PATH", programs.path()).env_remove("CI");

    let mut within = true;
    for ((name, most), mut command) in MOST.into_iter().zip([judge, build, test]) {
        let used = cpu_time(&mut command, &log)?;
        let ratio = used / reference;
        println!(
            "{name}: {used:.1} s of CPU time, {ratio:.0} times the reference (at most {most:.0})"
        );
        within &= ratio <= most;
        // Each build starts from nothing.
        if target.exists() {
            fs::remove_dir_all(&target)?;
        }
    }
    Ok(ExitCode::from(u8::from(!within)))
}

/// Runs a command with its output in a log, and returns its CPU time in seconds, with that of its children. If it fails, prints
/// the log.
fn cpu_time(command: &mut Command, log: &Path) -> Result<f64> {
    let file = File::create(log)?;
    command.stdin(Stdio::null()).stdout(file.try_clone()?).stderr(file);
    let before = cpu_time_of_children()?;
    let status = command.status().with_context(|| format!("cannot start {command:?}"))?;
    let used = cpu_time_of_children()? - before;
    if !status.success() {
        print!("{}", String::from_utf8_lossy(&fs::read(log)?));
    }
    ensure!(status.success(), "{command:?} failed after {used:.1} s of CPU time: {status}");
    Ok(used)
}

/// The CPU time in seconds of all children that have ended.
fn cpu_time_of_children() -> Result<f64> {
    let text = fs::read_to_string("/proc/self/stat")?;
    of_children(&text).context("/proc/self/stat has no times of children")
}

/// Reads the times of children, in user and in system mode, from `/proc/PID/stat`: the fields 16 and 17, of which the second, a
/// name in parentheses, may contain anything.
fn of_children(stat: &str) -> Option<f64> {
    let (_, rest) = stat.rsplit_once(") ")?;
    let mut fields = rest.split(' ').skip(13);
    let mut next = || fields.next()?.parse::<f64>().ok();
    Some((next()? + next()?) / TICKS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_times_of_children_are_fields_16_and_17() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194304 80 500 0 0 11 12 250 150 20 0 1 0 99";
        assert_eq!(of_children(stat), Some(4.0));
        assert_eq!(of_children("7 (a"), None);
    }
}
