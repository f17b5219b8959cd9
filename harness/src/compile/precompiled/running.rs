//! The key of a file, and the runs of the compiler that makes it.

use std::ffi::OsString;
use std::path::Path;

use crate::compile::store::{ABOUT, BuildFolder};
use crate::compile::{CompileError, SCRATCH, message};
use crate::language::fingerprint;
use crate::sandbox::{Execution, Input, Job, RunJob, WorkDir};

/// A digest of parts, so that different lists have different digests.
pub(super) struct PlanKey(blake3::Hasher);

impl PlanKey {
    /// Begins with the parts that every file depends on: its format, the compiler, the words that make it, and the environment.
    pub(super) fn of(format: u32, compiler: &str, words: &[OsString], job: &Job) -> Self {
        let mut key = Self(blake3::Hasher::new());
        key.add(&format.to_le_bytes());
        // Another user's files are never used.
        key.add(&rustix::process::geteuid().as_raw().to_le_bytes());
        key.add(compiler.as_bytes());
        if let Some(program) = words.first() {
            key.add(fingerprint(Path::new(program)).as_bytes());
        }
        key.add(&words.len().to_le_bytes());
        for word in words {
            key.add(word.as_encoded_bytes());
        }
        for (name, value) in &job.env {
            // The folder of a compilation has another name each time.
            if !Path::new(value).ends_with(SCRATCH) {
                key.add(name.as_encoded_bytes());
                key.add(value.as_encoded_bytes());
            }
        }
        key
    }

    pub(super) fn add(&mut self, part: &[u8]) {
        self.0.update(&(part.len() as u64).to_le_bytes());
        self.0.update(part);
    }

    pub(super) fn finish(self, prefix: &str) -> String {
        format!("{prefix}-{}", self.0.finalize().to_hex())
    }
}

/// Runs the compiler of a plain compilation with other words, in `place`.
pub(super) fn run_in(
    place: &BuildFolder,
    plain: &Job,
    words: Vec<OsString>,
    run: &mut RunJob<'_>,
) -> Result<Execution, CompileError> {
    let scratch = place.path().join(SCRATCH);
    let env = plain.env.iter().map(|(name, value)| {
        let is_scratch = Path::new(value).ends_with(SCRATCH);
        (name.clone(), if is_scratch { scratch.clone().into() } else { value.clone() })
    });
    let job = Job {
        argv: message::merged(words),
        env: env.collect(),
        work_dir: WorkDir::At(place.path().to_owned()),
        ..plain.clone()
    };
    Ok(run(&job, Input::Empty)?)
}

/// Writes what a file is for: the compiler, and what it has read.
pub(super) fn describe(place: &BuildFolder, compiler: &str, text: &[u8]) -> std::io::Result<()> {
    place.work().write(Path::new(ABOUT), 0o644, &[compiler.as_bytes(), b"\n", text].concat())
}

/// Whether a compiler printed nothing.
pub(super) fn is_silent(execution: &Execution) -> bool {
    execution.stdout.is_empty() && execution.stderr_tail.is_empty()
}
