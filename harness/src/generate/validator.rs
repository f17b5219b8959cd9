//! How a validator program is called, and when it accepts.

use std::io;
use std::path::{Path, PathBuf};

use super::programs::{MakeError, build, messages_of_both, stdin};
use super::viva;
use crate::compile::{Artifact, Compiler, Terms, is_testlib};
use crate::judge::{Launch, Solution};
use crate::language::Languages;
use crate::problem::Problem;
use crate::sandbox::{Captured, Execution, Exit, Input, Limits, RunJob, SandboxError};
use crate::submission::FileNames;

/// The name under which a program of Viva reads a text.
const TEXT: &str = "input";

/// The kinds of validator programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ValidatorKind {
    /// It reads standard input and exits with 42 if that is valid.
    Plain,
    /// Written with testlib: it may also exit with 0.
    Testlib,
    /// A program of another tool's package: it exits with 0 if that is valid.
    Foreign,
    /// A grammar that the program of Viva reads, with the text in a file; it exits with 0 if that is valid.
    Viva,
}

impl ValidatorKind {
    pub(crate) fn of(source: &Path) -> Self {
        if viva::is_viva(source) {
            Self::Viva
        } else if is_testlib(source) {
            Self::Testlib
        } else {
            Self::Plain
        }
    }

    /// The kind of a validator in a package of another tool.
    pub(crate) fn of_foreign(source: &Path) -> Self {
        match Self::of(source) {
            Self::Plain => Self::Foreign,
            kind => kind,
        }
    }

    /// The kind of an input validator of `problem`.
    pub(crate) fn in_problem(source: &Path, problem: &Problem) -> Self {
        if problem.validators.iter().any(|one| one == source) {
            Self::of_foreign(source)
        } else {
            Self::of(source)
        }
    }

    /// Compiles a validator of this kind.
    pub(crate) fn build(
        self,
        languages: &Languages,
        compiler: &Compiler,
        source: &Path,
        terms: Terms<'_>,
        run: &mut RunJob<'_>,
    ) -> Result<Artifact, MakeError> {
        match self {
            Self::Plain | Self::Testlib | Self::Foreign => {
                build(languages, compiler, source, terms, run)
            }
            Self::Viva => viva::build(compiler, source, terms, run),
        }
    }

    /// Prepares a validator to read `text` in a copy of the folder `beside`, and returns its standard input too.
    pub(crate) fn launch(
        self,
        artifact: &Artifact,
        args: &[String],
        beside: Option<PathBuf>,
        limits: &Limits,
        text: &Captured,
    ) -> Result<(Launch, Input), SandboxError> {
        if self != Self::Viva {
            let input = stdin(text).map_err(unreadable)?;
            return Ok((Launch::with_args(artifact, args, beside, limits)?, input));
        }
        let files =
            FileNames { inputs: vec![TEXT.to_owned()], are_stated: true, ..FileNames::default() };
        let program = Solution { artifact, files: &files, limits };
        let mut with_text = vec![TEXT.to_owned()];
        with_text.extend_from_slice(args);
        let launch = program.launch_on(&with_text, beside, || text.reader())?;
        Ok((launch, Input::Empty))
    }

    /// Whether this exit code accepts.
    pub(crate) fn accepts(self, code: i32) -> bool {
        match self {
            Self::Plain => code == 42,
            Self::Testlib | Self::Foreign => code == 42 || code == 0,
            Self::Viva => code == 0,
        }
    }

    /// Whether this exit code is the usual way to reject.
    pub(crate) fn rejects(self, code: i32) -> bool {
        match self {
            Self::Plain => code == 43,
            Self::Testlib => code == 43 || (1..=3).contains(&code),
            Self::Foreign => code != 0 && code != 42,
            Self::Viva => code == 1,
        }
    }

    /// The exit code that accepts, as users are told.
    pub(crate) fn accepting_code(self) -> i32 {
        match self {
            Self::Plain => 42,
            Self::Testlib | Self::Foreign | Self::Viva => 0,
        }
    }

    /// The messages of a validator about a text that it rejects. If a limit ended it, its output may be a flood.
    pub(crate) fn words(self, execution: &Execution) -> String {
        match (self, execution.exit) {
            (Self::Viva, _) => viva::words(execution),
            (_, Exit::Code(_)) => messages_of_both(execution),
            _ => super::words(&execution.stderr_tail),
        }
    }
}

fn unreadable(error: MakeError) -> SandboxError {
    match error {
        MakeError::Sandbox(error) => error,
        error => SandboxError::Io {
            action: "cannot read the text for a validator".into(),
            source: io::Error::other(error),
        },
    }
}
