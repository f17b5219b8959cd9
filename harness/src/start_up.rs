//! Measures the start-up time of a language's runtime: the CPU time of a program that does nothing.
//!
//! It is measured on request, once for each toolchain and machine, and stored in the cache. It is not used for judging.

use std::fs;
use std::io;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::attempts::run_fairly;
use crate::cache::Part;
use crate::compile::{Built, CompileError, Compiler};
use crate::judge::Launch;
use crate::language::{Language, Template, Toolchain};
use crate::limits::{DEFAULT_OUTPUT, LimitOverrides, effective_limits};
use crate::machine::Machine;
use crate::problem::ProblemLimits;
use crate::sandbox::{Exit, Input, Job, Runner};

/// Number of runs; the median counts.
const RUNS: usize = 5;

/// A figure in the cache.
#[derive(Serialize, Deserialize)]
struct Remembered {
    cpu_nanos: u64,
}

/// Why the start-up time cannot be measured.
#[derive(Debug, thiserror::Error)]
pub(crate) enum StartUpError {
    /// The table has no program that does nothing.
    #[error("the table of languages has no `hello` program for it")]
    NoSource,
    /// The source does not compile.
    #[error("its `hello` program does not compile: {0}")]
    Refused(String),
    /// It ran, but did not exit with 0.
    #[error("its `hello` program fails: {0:?}")]
    Failed(Exit),
    /// It could not be compiled or run.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// A file could not be written.
    #[error("cannot write a source")]
    Io(#[from] io::Error),
}

/// The start-up time of `language`, if it was measured on this machine before.
pub(crate) fn remembered(language: &Language, compiler: &Compiler) -> Option<Duration> {
    let key = key(language, compiler)?;
    let known: Remembered = compiler.cache().answer(Part::Toolchains, &key)?;
    Some(Duration::from_nanos(known.cpu_nanos))
}

/// Measures the start-up time of `language`, unless it is stored in the cache.
pub(crate) fn measure(
    language: &Language,
    compiler: &Compiler,
    runner: &mut Runner,
) -> Result<Duration, StartUpError> {
    if let Some(known) = remembered(language, compiler) {
        return Ok(known);
    }
    let text = language.hello.as_deref().ok_or(StartUpError::NoSource)?;
    let folder = tempfile::tempdir()?;
    let extension = language.extensions.first().map_or("", String::as_str);
    let source = folder.path().join(format!("hello.{extension}"));
    fs::write(&source, text)?;
    let problem = ProblemLimits::default();
    let run = &mut |job: &Job, input: Input| run_fairly(runner, job, input);
    let artifact = match compiler.compile(&source, language, &problem, run)? {
        Built::Ready(artifact) => artifact,
        Built::Failed(failure) => return Err(StartUpError::Refused(failure.message)),
    };
    let limits = effective_limits(&problem, DEFAULT_OUTPUT, &LimitOverrides::default());
    let launch = Launch::with_args(&artifact, &[], None, &limits).map_err(CompileError::from)?;
    let mut times = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        let execution = runner.run(&launch.job, Input::Empty).map_err(CompileError::from)?;
        if execution.exit != Exit::Code(0) {
            return Err(StartUpError::Failed(execution.exit));
        }
        times.push(execution.usage.cpu());
    }
    times.sort_unstable();
    let median = times[RUNS / 2];
    remember(language, compiler, median);
    Ok(median)
}

/// Stores the figure if possible. Otherwise it is measured again next time.
fn remember(language: &Language, compiler: &Compiler, figure: Duration) {
    let Some(key) = key(language, compiler) else {
        return;
    };
    let cpu_nanos = u64::try_from(figure.as_nanos()).unwrap_or(u64::MAX);
    let known = Remembered { cpu_nanos };
    compiler.cache().keep_answer(Part::Toolchains, &key, &known);
}

/// The cache key, if the language is installed: a hash of the toolchain, its command line and the machine.
fn key(language: &Language, compiler: &Compiler) -> Option<String> {
    let toolchain: &Toolchain = language.toolchain(compiler.cache()).ok()?;
    let machine = Machine::this();
    let mut hash = blake3::Hasher::new();
    let run: Vec<&str> = language.run.iter().map(Template::as_str).collect();
    for part in [
        toolchain.identity.as_str(),
        &run.join("\0"),
        language.hello.as_deref().unwrap_or_default(),
        &machine.arch,
        machine.cpu.as_deref().unwrap_or_default(),
    ] {
        hash.update(&(part.len() as u64).to_le_bytes());
        hash.update(part.as_bytes());
    }
    Some(format!("start-up-{}", hash.finalize().to_hex()))
}
