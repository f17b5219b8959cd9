//! Makes one case: starts its generator, the reference solution and the input validators.
//!
//! Every program is compiled once and runs in the sandbox as a submission would, with generous
//! limits of its own. Nothing is written here.

use std::collections::HashMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::plan::{Answer, Case, Input as Source, Plan, Program};
use super::source;
use crate::bytes::Bytes;
use crate::checker::printable;
use crate::compile::{Artifact, Built, CompileError, Compiler, Run, Terms, is_testlib};
use crate::judge::launch_with;
use crate::language::Languages;
use crate::limits::of_validator;
use crate::plain_file;
use crate::problem::{Additions, ProblemLimits, TestCase};
use crate::sandbox::{Captured, Execution, Exit, Input, Limits, SandboxError};
use crate::verdict;

/// Folders of input validators: today's name, and the legacy format's.
pub(crate) const VALIDATORS: [&str; 2] = ["input_validators", "input_format_validators"];

/// How much of a program's own words is shown.
const WORDS: usize = 4 << 10;

/// Makes cases; holds the programs that it compiled.
pub(crate) struct Maker<'a> {
    languages: &'a Languages,
    compiler: &'a Compiler,
    run: &'a mut Run<'a>,
    artifacts: HashMap<PathBuf, Artifact>,
    /// The package's constants, for its programs.
    constants: Additions,
    /// Where its generators lie, which have no constants.
    generators: PathBuf,
}

/// A case as it was made.
#[derive(Debug)]
pub(crate) struct Made {
    /// The bytes of the `.in` file.
    pub(crate) input: Captured,
    /// The bytes of the `.ans` file.
    pub(crate) answer: Captured,
}

/// Why a case could not be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum MakeError {
    /// A program is in no language that we know.
    #[error("`{0}` is in no known language\nhelp: `rejudge languages` lists those that are")]
    Language(String),
    /// A program does not compile.
    #[error("`{program}` does not compile: {reason}\n{message}")]
    DoesNotCompile {
        /// Its source file.
        program: String,
        /// What became of the compiler.
        reason: String,
        /// The compiler's words.
        message: String,
    },
    /// We could not compile.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// A program ended badly; its words follow on lines of their own.
    #[error("the {role} `{program}` failed: {evidence}{words}")]
    Failed {
        /// What the program is for.
        role: &'static str,
        /// How it was called.
        program: String,
        /// How it ended.
        evidence: String,
        /// What it said.
        words: String,
    },
    /// A generator printed nothing.
    #[error("the generator `{0}` printed nothing")]
    Nothing(String),
    /// An input validator does not accept the input.
    #[error("the input validator `{validator}` rejects the input: {evidence}{words}")]
    Rejected {
        /// Its source file.
        validator: String,
        /// How it ended.
        evidence: String,
        /// What it said.
        words: String,
    },
    /// Reading a file.
    #[error("cannot {action} `{path}`")]
    Io {
        /// What was being done.
        action: &'static str,
        /// To which file.
        path: String,
        /// The system's error.
        source: io::Error,
    },
    /// The sandbox failed, or was interrupted.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
}

impl MakeError {
    /// Whether no other case can be made either.
    pub(crate) fn is_fatal(&self) -> bool {
        matches!(
            self,
            Self::Sandbox(_) | Self::Compile(CompileError::Sandbox(_))
        )
    }
}

/// The limits of generators, reference solutions, validators and visualizers: 60 s, 2 GiB, and an
/// output of up to 1 GiB.
pub(crate) fn limits() -> Limits {
    of_validator(&ProblemLimits {
        validation_time: Some(Duration::from_secs(60)),
        validation_memory: Some(Bytes::mib(2048)),
        validation_output: Some(Bytes::mib(1024)),
        ..ProblemLimits::default()
    })
}

impl<'a> Maker<'a> {
    /// A maker for the package in `dir` that has compiled nothing yet.
    pub(crate) fn new(
        languages: &'a Languages,
        compiler: &'a Compiler,
        run: &'a mut Run<'a>,
        dir: &Path,
    ) -> Self {
        Self {
            languages,
            compiler,
            run,
            artifacts: HashMap::new(),
            constants: Additions::constants_in(dir),
            generators: dir.join("generators"),
        }
    }

    /// Makes `case` of `plan`.
    pub(crate) fn make(&mut self, plan: &Plan, case: &Case) -> Result<Made, MakeError> {
        let judged = plan.judged(case);
        let input = match &case.input {
            Source::Text(text) => Captured::from_bytes(text.clone().into_bytes()),
            Source::Copy(path) => captured(path)?,
            Source::Generated(program) => {
                let input = self.output("generator", program, None, Input::Empty)?;
                if input.is_empty() {
                    return Err(MakeError::Nothing(program.shown.clone()));
                }
                input
            }
        };
        self.validate(plan, judged, &input)?;
        let answer = match &case.answer {
            Answer::Text(text) => Captured::from_bytes(text.clone().into_bytes()),
            Answer::Copy(path) => captured(path)?,
            Answer::Solved(program) => {
                let input = stdin(&input)?;
                self.output("reference solution", program, Some(judged), input)?
            }
        };
        Ok(Made { input, answer })
    }

    /// What `program` prints; it must end with exit code 0. If it is there to solve a case, it has the arguments of
    /// that behind its own.
    fn output(
        &mut self,
        role: &'static str,
        program: &Program,
        solved: Option<&TestCase>,
        input: Input,
    ) -> Result<Captured, MakeError> {
        let args = [&program.args[..], solved.map_or(&[], TestCase::args)].concat();
        let beside = solved.and_then(TestCase::beside);
        let execution = self.start(&program.source, &args, beside, input)?;
        match verdict::of_execution(&execution, &limits()) {
            None => Ok(execution.stdout),
            Some((_, evidence)) => Err(MakeError::Failed {
                role,
                program: program.shown.clone(),
                evidence,
                words: words(&execution.stderr_tail),
            }),
        }
    }

    /// Every input validator must end with exit code 42, or with 0 if it is written with testlib.
    fn validate(
        &mut self,
        plan: &Plan,
        judged: &TestCase,
        made: &Captured,
    ) -> Result<(), MakeError> {
        for folder in VALIDATORS {
            let folder = plan.dir.join(folder);
            let validators = source::files_in(&folder).map_err(io_error("read", &folder))?;
            for validator in validators {
                let input = stdin(made)?;
                let args = judged.input_validator_args(&file_name(&validator));
                let execution = self.start(&validator, &args, judged.beside(), input)?;
                let evidence = match execution.exit {
                    Exit::Code(42) => continue,
                    Exit::Code(0) if is_testlib(&validator) => continue,
                    Exit::Code(code) => format!("exit code {code}, not 42"),
                    _ => verdict::of_execution(&execution, &limits())
                        .map_or_else(String::new, |(_, evidence)| evidence),
                };
                return Err(MakeError::Rejected {
                    validator: file_name(&validator),
                    evidence,
                    words: said(&execution),
                });
            }
        }
        Ok(())
    }

    fn start(
        &mut self,
        source: &Path,
        args: &[String],
        beside: Option<PathBuf>,
        input: Input,
    ) -> Result<Execution, MakeError> {
        let launch = launch_with(self.artifact(source)?, args, beside, &limits())?;
        Ok((self.run)(&launch.job, input)?)
    }

    /// The program of `source`, compiled at its first use.
    fn artifact(&mut self, source: &Path) -> Result<&Artifact, MakeError> {
        if !self.artifacts.contains_key(source) {
            let terms = if source.starts_with(&self.generators) {
                Terms::default()
            } else {
                Terms::with_constants(&self.constants)
            };
            let artifact = build(self.languages, self.compiler, source, terms, self.run)?;
            self.artifacts.insert(source.to_path_buf(), artifact);
        }
        Ok(&self.artifacts[source])
    }
}

/// Compiles a program of the package's own.
pub(crate) fn build(
    languages: &Languages,
    compiler: &Compiler,
    source: &Path,
    terms: Terms<'_>,
    run: &mut Run<'_>,
) -> Result<Artifact, MakeError> {
    if !source.is_dir() && languages.of_file(source).is_none() {
        return Err(MakeError::Language(file_name(source)));
    }
    match compiler.compile_program(source, languages, terms, run)? {
        Built::Ready(artifact) => Ok(artifact),
        Built::Failed(failure) => Err(MakeError::DoesNotCompile {
            program: file_name(source),
            reason: failure.reason,
            message: failure.message.trim_end().to_owned(),
        }),
    }
}

/// The words of a program, safe to show, on lines of their own.
pub(crate) fn words(text: &[u8]) -> String {
    let text = printable::paragraph(text, WORDS);
    let mut words = String::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        words.push_str("\n  ");
        words.push_str(line);
    }
    words
}

/// What a validator said on either stream.
fn said(execution: &Execution) -> String {
    let mut printed = Vec::new();
    if let Ok(reader) = execution.stdout.reader() {
        // What cannot be read back is only missing from a message.
        let _ = reader.take(WORDS as u64).read_to_end(&mut printed);
    }
    words(&printed) + &words(&execution.stderr_tail)
}

/// A file's bytes; a large file does not stay in memory.
pub(crate) fn captured(path: &Path) -> Result<Captured, MakeError> {
    let mut file = plain_file::open(path).map_err(io_error("open", path))?;
    let mut captured = Captured::default();
    let mut buffer = vec![0; 64 << 10];
    loop {
        let length = file.read(&mut buffer).map_err(io_error("read", path))?;
        if length == 0 {
            return Ok(captured);
        }
        captured
            .append(&buffer[..length])
            .map_err(io_error("copy", path))?;
    }
}

/// A program's standard input, from bytes that we hold.
pub(crate) fn stdin(input: &Captured) -> Result<Input, MakeError> {
    let input = input.to_input();
    input.map_err(io_error("read from", &std::env::temp_dir()))
}

fn io_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> MakeError {
    let path = path.display().to_string();
    move |source| MakeError::Io {
        action,
        path,
        source,
    }
}

fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}
