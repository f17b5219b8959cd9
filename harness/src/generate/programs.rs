//! The programs that make cases: they are compiled, run with generous limits, and their files are read.

use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rejudge_quantity::Bytes;

use super::command;
use super::recipe::GeneratorCommand;
use crate::compile::{Artifact, Built, CompileError, Compiler, Terms};
use crate::decide;
use crate::file_error::FileError;
use crate::language::Languages;
use crate::left_behind::Temporary;
use crate::limits::of_validator;
use crate::notice::{Code, Notice};
use crate::plain_file;
use crate::printable;
use crate::problem::{GrammarFileError, ProblemLimits};
use crate::sandbox::{Captured, Execution, Input, Limits, RunJob, SandboxError};

/// The maximum number of bytes shown of a program's messages.
const WORDS: usize = 4 << 10;

/// Why a case could not be created.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum MakeError {
    /// A program is in no known language.
    #[error(transparent)]
    Language(Notice),
    /// A program does not compile.
    #[error("`{program}` does not compile: {reason}\n{message}")]
    DoesNotCompile {
        /// Its source file.
        program: String,
        /// How the compiler ended.
        reason: String,
        /// The compiler's messages.
        message: String,
    },
    /// A grammar is not in its language.
    #[error("`{0}` is not a grammar of Checktestdata: {1}")]
    Grammar(String, GrammarFileError),
    /// The same of Viva, with its messages.
    #[error("`{0}` is not a grammar of Viva: {1}")]
    Viva(String, String),
    /// The compiler could not be run.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// A program failed; its messages follow on lines of their own.
    #[error("the {role} `{program}` failed: {evidence}{words}")]
    Failed {
        /// What the program is for.
        role: &'static str,
        /// Its command.
        program: String,
        /// How it ended.
        evidence: String,
        /// Its messages.
        words: String,
    },
    /// A generator made no input.
    #[error("the generator `{0}` printed nothing")]
    Nothing(String),
    /// A generator did not write the file that is the input.
    #[error("the generator `{0}` wrote no file `{1}`")]
    NoFile(String, String),
    /// A command cannot be read.
    #[error("invalid command: {0}")]
    Command(String),
    /// The package names no main solution.
    #[error("the package names no main solution that computes the answer")]
    NoSolution,
    /// A file of the case is missing.
    #[error(
        "its file `.{0}` is missing: add `{0}` to its rule, write `testcase.{0}` in its generator, or, for an answer, set `solution`"
    )]
    MissingFile(&'static str),
    /// A `match` is not a valid regular expression.
    #[error("`match: {0}` is not a valid regular expression: {1}")]
    Pattern(String, String),
    /// An input validator rejects the input.
    #[error("the input validator `{validator}` rejects the input: {evidence}{words}")]
    Rejected {
        /// Its source file.
        validator: String,
        /// How it ended.
        evidence: String,
        /// Its messages.
        words: String,
    },
    /// A file could not be read or written.
    #[error(transparent)]
    Io(#[from] FileError),
    /// The sandbox failed, or was interrupted.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
}

impl MakeError {
    /// Whether it is a fault of a program or the package, and so of every case that needs it.
    pub(crate) fn is_shared(&self) -> bool {
        matches!(
            self,
            Self::Language(_)
                | Self::Compile(_)
                | Self::DoesNotCompile { .. }
                | Self::Grammar(..)
                | Self::Viva(..)
                | Self::NoSolution
        )
    }

    /// Whether no other case can be created either.
    pub(crate) fn is_fatal(&self) -> bool {
        matches!(self, Self::Sandbox(_) | Self::Compile(CompileError::Sandbox(_)))
    }
}

/// The limits of generators, reference solutions, validators and visualizers: 60 s, 2 GiB of
/// memory, and 1 GiB of output.
pub(crate) fn limits() -> Limits {
    of_validator(&ProblemLimits {
        validation_time: Some(Duration::from_secs(60)),
        validation_memory: Some(Bytes::mib(2048)),
        validation_output: Some(Bytes::mib(1024)),
        ..ProblemLimits::default()
    })
}

/// Whether a program exited with code 0.
pub(super) fn succeeded(
    role: &'static str,
    program: &GeneratorCommand,
    execution: &Execution,
) -> Result<(), MakeError> {
    match decide::of_execution(execution, &limits()) {
        None => Ok(()),
        Some((_, evidence)) => Err(failed(role, program, evidence, execution)),
    }
}

/// A program failed, with its messages.
pub(super) fn failed(
    role: &'static str,
    program: &GeneratorCommand,
    evidence: String,
    execution: &Execution,
) -> MakeError {
    MakeError::Failed {
        role,
        program: program.shown.clone(),
        evidence,
        words: words(&execution.stderr_tail),
    }
}

/// Compiles a program that consists of several files, the first of which starts.
pub(super) fn joined(
    languages: &Languages,
    compiler: &Compiler,
    files: &[PathBuf],
    terms: Terms<'_>,
    run: &mut RunJob<'_>,
) -> Result<Artifact, MakeError> {
    let folder = new_folder()?;
    for file in files {
        let mut from = plain_file::open(file).map_err(io_error("open", file))?;
        let to = folder.folder().create(Path::new(&file_name(file)), 0o644);
        let copied = to.and_then(|mut to| io::copy(&mut from, &mut to));
        copied.map_err(io_error("copy", file))?;
    }
    let first = &files[0];
    let language = languages.of_file(first).ok_or_else(|| unknown(first))?;
    let name = file_name(first);
    let built = compiler.compile_from(folder.path(), Some(&name), language, terms, run)?;
    ready(built, first)
}

/// A folder for the sources of a program.
fn new_folder() -> Result<Temporary, MakeError> {
    let temp = std::env::temp_dir();
    let folder = Temporary::new_in(&temp, "rejudge-generator-");
    folder.map_err(io_error("create a folder in", &temp))
}

/// A program with this text in Bash.
pub(super) fn script(
    languages: &Languages,
    compiler: &Compiler,
    text: &str,
    terms: Terms<'_>,
    run: &mut RunJob<'_>,
) -> Result<Artifact, MakeError> {
    let folder = new_folder()?;
    let path = folder.path().join("installed.sh");
    let name = Path::new("installed.sh");
    let written = folder.folder().write(name, 0o644, text.as_bytes());
    written.map_err(io_error("write", &path))?;
    build(languages, compiler, &path, terms, run)
}

/// Compiles a program of the package.
pub(crate) fn build(
    languages: &Languages,
    compiler: &Compiler,
    source: &Path,
    terms: Terms<'_>,
    run: &mut RunJob<'_>,
) -> Result<Artifact, MakeError> {
    if !source.is_dir() && languages.of_file(source).is_none() {
        return Err(unknown(source));
    }
    let built = compiler.compile_program(source, languages, terms, run)?;
    ready(built, source)
}

fn unknown(source: &Path) -> MakeError {
    MakeError::Language(
        Code::UnknownLanguage
            .says(format!("`{}` is in no known language", file_name(source)))
            .help("run `rejudge languages` for the list of languages"),
    )
}

fn ready(built: Built, source: &Path) -> Result<Artifact, MakeError> {
    match built {
        Built::Ready(artifact) => Ok(artifact),
        Built::Failed(failure) => Err(MakeError::DoesNotCompile {
            program: file_name(source),
            reason: failure.reason,
            message: failure.message.trim_end().to_owned(),
        }),
    }
}

/// The messages of a program, safe to show, on lines of their own.
pub(crate) fn words(text: &[u8]) -> String {
    let text = printable::paragraph(text, WORDS);
    let mut words = String::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        words.push_str("\n  ");
        words.push_str(line);
    }
    words
}

/// The messages of a validator from both streams.
pub(super) fn messages_of_both(execution: &Execution) -> String {
    let mut printed = Vec::new();
    if let Ok(reader) = execution.stdout.reader() {
        // If the output cannot be read back, only the message is incomplete.
        let _ = reader.take(WORDS as u64).read_to_end(&mut printed);
    }
    words(&printed) + &words(&execution.stderr_tail)
}

/// A file's bytes; a large file is not kept in memory.
pub(crate) fn captured(path: &Path) -> Result<Captured, MakeError> {
    let mut file = plain_file::open(path).map_err(io_error("open", path))?;
    Captured::read_from(&mut file).map_err(io_error("copy", path))
}

pub(super) fn copy_of(file: &Captured) -> Result<Captured, MakeError> {
    let copied = file.reader().and_then(|mut reader| Captured::read_from(&mut reader));
    copied.map_err(io_error("copy a file in", &std::env::temp_dir()))
}

pub(super) fn plain_path(ending: &str) -> PathBuf {
    PathBuf::from(format!("{}.{ending}", command::FILES))
}

/// Passes the given bytes to a program's standard input.
pub(crate) fn stdin(input: &Captured) -> Result<Input, MakeError> {
    let input = input.to_input();
    input.map_err(io_error("read from", &std::env::temp_dir()))
}

pub(super) fn io_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> MakeError {
    let named = FileError::on(action, path);
    move |source| named(source).into()
}

pub(super) fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}
