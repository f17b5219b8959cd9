//! Formats and lints the single-file programs of this repository as a judge would compile them: no crates, no Cargo target.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Mutex;
use std::thread;

use anyhow::{Context as _, Result, ensure};

use crate::files::files_below;

/// `lint-programs`: exits with 1 if rustfmt or clippy has an objection, which it prints.
pub(crate) fn main(arguments: &[String]) -> Result<ExitCode> {
    ensure!(arguments.is_empty(), "unexpected argument\nhelp: cargo xtask lint-programs");
    let mut programs = Vec::new();
    for folder in ["solutions", "cases"] {
        programs.extend(files_below(Path::new(folder), &["rs"])?);
    }
    ensure!(programs.len() > 10, "there are only {} programs", programs.len());
    let formatted = Command::new("rustfmt")
        .args(["--check", "--edition", "2021"])
        .args(&programs)
        .status()
        .context("cannot start rustfmt")?;
    let clean = lint_all(&programs)?;
    Ok(ExitCode::from(u8::from(!(formatted.success() && clean))))
}

/// Whether clippy has no objection to any of the programs.
fn lint_all(programs: &[PathBuf]) -> Result<bool> {
    let left = Mutex::new(programs.iter());
    let next = || left.lock().expect("no thread panics with the lock").next();
    let lint_next = || -> Result<bool> {
        let mut clean = true;
        while let Some(program) = next() {
            clean &= lint(program)?;
        }
        Ok(clean)
    };
    thread::scope(|scope| {
        let threads = thread::available_parallelism().map_or(1, usize::from);
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(lint_next)).collect();
        let ends = threads.into_iter().map(|thread| thread.join().expect("no thread panics"));
        ends.collect::<Vec<_>>().into_iter().try_fold(true, |clean, end| Ok(clean && end?))
    })
}

fn lint(program: &Path) -> Result<bool> {
    let folder = tempfile::tempdir()?;
    let status = Command::new("clippy-driver")
        .args(["--edition", "2021", "--crate-name", "program", "--emit", "metadata"])
        .args(["-W", "clippy::all", "-D", "warnings", "-o"])
        .arg(folder.path().join("program.rmeta"))
        .arg(program)
        .status()
        .context("cannot start clippy-driver")?;
    Ok(status.success())
}
