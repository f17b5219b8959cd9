//! Creates one case: runs its generator, the reference solution and the input validators.
//!
//! Every program is compiled once and runs in the sandbox like a submission, with generous limits
//! of its own. This module writes no files of the problem.

use std::collections::HashMap;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::plan::GenerationPlan;
use super::recipe::{AnswerSource, GeneratorCommand, InputSource, Recipe};
use super::source;
use crate::bytes::Bytes;
use crate::compile::{Artifact, Built, CompileError, Compiler, Terms, is_testlib};
use crate::decide;
use crate::judge::Launch;
use crate::language::Languages;
use crate::limits::of_validator;
use crate::notice::{Code, Notice};
use crate::plain_file;
use crate::printable;
use crate::problem::{Additions, ProblemLimits, TestCase};
use crate::sandbox::{Captured, Execution, Exit, Input, Limits, RunJob, SandboxError};

/// Folders of input validators: the current name and that of the legacy format.
pub(crate) const VALIDATORS: [&str; 2] = ["input_validators", "input_format_validators"];

/// The maximum number of bytes shown of a program's messages.
const WORDS: usize = 4 << 10;

/// Creates cases and holds the compiled programs.
pub(crate) struct Maker<'a> {
    languages: &'a Languages,
    compiler: &'a Compiler,
    run: &'a mut RunJob<'a>,
    artifacts: HashMap<PathBuf, Artifact>,
    /// The package's constants, for its programs.
    constants: Additions,
    /// The folder of the package's generators, which get no constants.
    generators: PathBuf,
}

/// The contents of a created case.
#[derive(Debug)]
pub(crate) struct Made {
    /// The bytes of the `.in` file.
    pub(crate) input: Captured,
    /// The bytes of the `.ans` file.
    pub(crate) answer: Captured,
}

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
    /// A generator printed nothing.
    #[error("the generator `{0}` printed nothing")]
    Nothing(String),
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
    #[error("cannot {action} `{path}`")]
    Io {
        /// The action that failed.
        action: &'static str,
        /// The file.
        path: String,
        /// The system's error.
        source: io::Error,
    },
    /// The sandbox failed, or was interrupted.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
}

impl MakeError {
    /// Whether no other case can be created either.
    pub(crate) fn is_fatal(&self) -> bool {
        matches!(
            self,
            Self::Sandbox(_) | Self::Compile(CompileError::Sandbox(_))
        )
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

impl<'a> Maker<'a> {
    /// Creates a maker for the package in `dir`; it has compiled nothing yet.
    pub(crate) fn new(
        languages: &'a Languages,
        compiler: &'a Compiler,
        run: &'a mut RunJob<'a>,
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

    /// Creates `case` of `plan`.
    pub(crate) fn make(&mut self, plan: &GenerationPlan, case: &Recipe) -> Result<Made, MakeError> {
        let judged = plan.judged(case);
        let input = match &case.input {
            InputSource::Text(text) => Captured::from_bytes(text.clone().into_bytes()),
            InputSource::Copy(path) => captured(path)?,
            InputSource::Generated(program) => {
                let input = self.output("generator", program, None, Input::Empty)?;
                if input.is_empty() {
                    return Err(MakeError::Nothing(program.shown.clone()));
                }
                input
            }
        };
        self.validate(plan, judged, &input)?;
        let answer = match &case.answer {
            AnswerSource::Text(text) => Captured::from_bytes(text.clone().into_bytes()),
            AnswerSource::Copy(path) => captured(path)?,
            AnswerSource::Solved(program) => {
                let input = stdin(&input)?;
                self.output("reference solution", program, Some(judged), input)?
            }
        };
        Ok(Made { input, answer })
    }

    /// The output of `program`, which must exit with code 0. If it solves a case, the case's
    /// arguments follow its own.
    fn output(
        &mut self,
        role: &'static str,
        program: &GeneratorCommand,
        solved: Option<&TestCase>,
        input: Input,
    ) -> Result<Captured, MakeError> {
        let args = [&program.args[..], solved.map_or(&[], TestCase::args)].concat();
        let beside = solved.and_then(TestCase::beside);
        let execution = self.start(&program.source, &args, beside, input)?;
        match decide::of_execution(&execution, &limits()) {
            None => Ok(execution.stdout),
            Some((_, evidence)) => Err(MakeError::Failed {
                role,
                program: program.shown.clone(),
                evidence,
                words: words(&execution.stderr_tail),
            }),
        }
    }

    /// Every input validator must exit with code 42, or with 0 if it is written with testlib.
    fn validate(
        &mut self,
        plan: &GenerationPlan,
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
                    _ => decide::of_execution(&execution, &limits())
                        .map_or_else(String::new, |(_, evidence)| evidence),
                };
                return Err(MakeError::Rejected {
                    validator: file_name(&validator),
                    evidence,
                    words: messages_of_both(&execution),
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
        let artifact = self.artifact(source)?;
        let launch = Launch::with_args(artifact, args, beside, &limits())?;
        Ok(launch.run(input, self.run)?)
    }

    /// The program of `source`, compiled on its first use.
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

/// Compiles a program of the package.
pub(crate) fn build(
    languages: &Languages,
    compiler: &Compiler,
    source: &Path,
    terms: Terms<'_>,
    run: &mut RunJob<'_>,
) -> Result<Artifact, MakeError> {
    if !source.is_dir() && languages.of_file(source).is_none() {
        return Err(MakeError::Language(
            Code::UnknownLanguage
                .says(format!("`{}` is in no known language", file_name(source)))
                .help("run `rejudge languages` for the list of languages"),
        ));
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
fn messages_of_both(execution: &Execution) -> String {
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

/// Passes the given bytes to a program's standard input.
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
