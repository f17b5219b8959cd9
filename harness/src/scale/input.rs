//! The inputs of increasing size, from a generator or from the cases of the problem.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use crate::braces::{Doubled, TemplatePart, parts};
use crate::compile::{Artifact, Compiler, Terms};
use crate::decide;
use crate::generate::{MakeError, build, program_limits, words};
use crate::judge::Launch;
use crate::language::Languages;
use crate::notice::{Code, Notice};
use crate::sandbox::{Captured, Input, Job, RunJob, SandboxError};

/// A program that prints an input of a given size.
pub(crate) struct Generator {
    program: GeneratorProgram,
    words: Vec<String>,
    seed: u64,
    /// The path as typed.
    shown: String,
}

enum GeneratorProgram {
    /// A compiled source.
    Built(Box<Artifact>),
    /// An executable file.
    File(PathBuf),
}

/// Why a generator produces no input.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum GeneratorError {
    #[error("the generator's command is empty")]
    Empty,
    #[error("cannot read the generator `{0}`")]
    Read(String, #[source] io::Error),
    #[error(transparent)]
    Notice(#[from] Notice),
    #[error(transparent)]
    Build(#[from] MakeError),
    #[error("the generator failed: `{command}`: {evidence}{stderr}")]
    Failed { command: String, evidence: String, stderr: String },
    #[error("the generator printed nothing: `{0}`")]
    Nothing(String),
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
}

impl Generator {
    /// Parses a command such as `gen.py {n} {seed}` and compiles its program. If the command does not contain `{n}`, the
    /// size and the seed are appended as arguments.
    pub(crate) fn new(
        command: &str,
        seed: u64,
        (languages, compiler): (&Languages, &Compiler),
        run: &mut RunJob<'_>,
    ) -> Result<Self, GeneratorError> {
        let mut words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
        if words.is_empty() {
            return Err(GeneratorError::Empty);
        }
        let path = words.remove(0);
        let has_size = |word: &String| split(word).any(|part| part == TemplatePart::Field(SIZE));
        if !words.iter().any(has_size) {
            words.extend([SIZE, SEED].map(|name| format!("{{{name}}}")));
        }
        if let Some(unknown) = words.iter().find_map(|word| unknown_field(word)) {
            return Err(Code::InvalidValue
                .says(format!("unknown field `{unknown}` in the generator's command"))
                .help("use `{n}` for the size and `{seed}` for the seed")
                .into());
        }
        let file = Path::new(&path)
            .canonicalize()
            .map_err(|error| GeneratorError::Read(path.clone(), error))?;
        let program = if languages.of_file(&file).is_some() {
            let terms = Terms::default();
            GeneratorProgram::Built(Box::new(build(languages, compiler, &file, terms, run)?))
        } else if file.is_file() && is_executable(&file) {
            GeneratorProgram::File(file)
        } else {
            let what = format!(
                "the generator `{path}` is neither a source in a known language nor an executable file"
            );
            return Err(Code::UnknownLanguage
                .says(what)
                .help("`rejudge languages` lists the known languages")
                .into());
        };
        Ok(Self { program, words, seed, shown: path })
    }

    /// Generates an input of size `n`.
    pub(crate) fn make(&self, n: u64, run: &mut RunJob<'_>) -> Result<Captured, GeneratorError> {
        let value_of = |part: TemplatePart<'_>| match part {
            TemplatePart::Text(text) | TemplatePart::Unclosed(text) => text.to_owned(),
            TemplatePart::Field(SIZE) => n.to_string(),
            TemplatePart::Field(_) => self.seed.to_string(),
            TemplatePart::Unopened => "}".to_owned(),
        };
        let typed = self.words.iter();
        let args: Vec<String> = typed.map(|word| split(word).map(value_of).collect()).collect();
        let command = || format!("{} {}", self.shown, args.join(" "));
        let limits = program_limits();
        let execution = match &self.program {
            GeneratorProgram::Built(artifact) => {
                Launch::with_args(artifact, &args, None, &limits)?.run(Input::Empty, run)?
            }
            GeneratorProgram::File(file) => {
                let program = std::iter::once(file.clone().into_os_string());
                let mut job = Job::new(program.chain(args.iter().map(OsString::from)), limits);
                job.readable.push(file.clone());
                run(&job, Input::Empty)?
            }
        };
        if let Some((_, evidence)) = decide::of_execution(&execution, &limits) {
            return Err(GeneratorError::Failed {
                command: command(),
                evidence,
                stderr: words(&execution.stderr_tail),
            });
        }
        if execution.stdout.is_empty() {
            return Err(GeneratorError::Nothing(command()));
        }
        Ok(execution.stdout)
    }
}

/// The fields of a command.
const SIZE: &str = "n";
const SEED: &str = "seed";

fn split(word: &str) -> impl Iterator<Item = TemplatePart<'_>> {
    parts(word, Doubled::Counts)
}

/// The first field that is neither the size nor the seed, or a brace without a partner.
fn unknown_field(word: &str) -> Option<String> {
    split(word).find_map(|part| match part {
        TemplatePart::Text(_) | TemplatePart::Field(SIZE | SEED) => None,
        TemplatePart::Field(name) => Some(format!("{{{name}}}")),
        TemplatePart::Unclosed(text) => Some(text.to_owned()),
        TemplatePart::Unopened => Some("}".to_owned()),
    })
}

fn is_executable(file: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    file.metadata().is_ok_and(|meta| meta.permissions().mode() & 0o111 != 0)
}

/// The definition of the size of a case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum SizeOf {
    /// Number of bytes of the input
    #[default]
    Bytes,
    /// First number of the input
    First,
}

impl SizeOf {
    /// The size of the input in `file`; `None` if it is zero or not a number.
    pub(crate) fn measure(self, file: &Path) -> io::Result<Option<u64>> {
        let size = match self {
            Self::Bytes => file.metadata()?.len(),
            Self::First => {
                let mut start = Vec::new();
                let mut reader = BufReader::new(io::Read::take(File::open(file)?, 4096));
                while start.trim_ascii().is_empty() && reader.read_until(b'\n', &mut start)? > 0 {}
                let start = String::from_utf8_lossy(&start);
                let first = start.split_whitespace().next();
                first.and_then(|word| word.parse().ok()).unwrap_or(0)
            }
        };
        Ok((size > 0).then_some(size))
    }
}

/// The input of one size.
pub(crate) enum SizedInput {
    /// An input from the generator.
    Made(Captured),
    /// The input of a case, with the arguments for the solution.
    Case(PathBuf, Vec<String>),
}

impl SizedInput {
    /// Opens the input at its start.
    pub(crate) fn open(&self) -> io::Result<Input> {
        match self {
            Self::Made(captured) => captured.to_input(),
            Self::Case(path, _) => File::open(path).map(Input::File),
        }
    }

    /// Reads the input from its start.
    pub(crate) fn reader(&self) -> io::Result<Box<dyn io::Read + '_>> {
        Ok(match self {
            Self::Made(captured) => Box::new(captured.reader()?),
            Self::Case(path, _) => Box::new(File::open(path)?),
        })
    }

    /// The arguments for the solution.
    pub(crate) fn args(&self) -> &[String] {
        match self {
            Self::Made(_) => &[],
            Self::Case(_, args) => args,
        }
    }

    /// The length in bytes.
    pub(crate) fn len(&self) -> io::Result<u64> {
        match self {
            Self::Made(captured) => Ok(captured.len()),
            Self::Case(path, _) => Ok(path.metadata()?.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_fields_are_found() {
        let table =
            [("a{n}b{seed}", None), ("{m}", Some("{m}")), ("x{", Some("{")), ("}{n}", Some("}"))];
        for (word, expected) in table {
            assert_eq!(unknown_field(word).as_deref(), expected, "{word}");
        }
    }

    #[test]
    fn the_size_of_a_case_is_its_length_or_its_first_number() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("1.in");
        for (text, bytes, first) in [
            ("5 6\n1 2 3\n", Some(10), Some(5)),
            ("\n\n 70000\n", Some(9), Some(70_000)),
            ("abc\n", Some(4), None),
            ("0\n", Some(2), None),
            ("-3\n", Some(3), None),
            ("", None, None),
        ] {
            std::fs::write(&file, text).unwrap();
            assert_eq!(SizeOf::Bytes.measure(&file).unwrap(), bytes, "{text:?}");
            assert_eq!(SizeOf::First.measure(&file).unwrap(), first, "{text:?}");
        }
    }
}
