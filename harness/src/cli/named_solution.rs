//! A solution that the command line names: compiled, with its files and its limits.

use std::path::Path;

use anyhow::{Context as _, Result};

use crate::compile::{Artifact, Built, CompileFailure, Terms};
use crate::judge::{Solution, Tools};
use crate::limits::{self, LimitOverrides};
use crate::notice::Code;
use crate::problem::Problem;
use crate::sandbox::{Limits, RunJob};
use crate::submission::FileNames;

/// A solution that is ready to run.
pub(super) struct NamedSolution {
    pub(super) artifact: Artifact,
    pub(super) files: FileNames,
    pub(super) limits: Limits,
}

/// A solution that does not compile.
#[derive(Debug, thiserror::Error)]
#[error("{headline}\n{}", .failure.message.trim_end())]
pub(super) struct NotCompiled {
    /// The solution, and how the compiler ended.
    pub(super) headline: String,
    pub(super) failure: CompileFailure,
}

impl NamedSolution {
    /// Compiles the solution at `path`, for `problem` if it solves one. The error is inside the result if the solution
    /// is to blame.
    pub(super) fn compile(
        tools: Tools<'_>,
        path: &Path,
        problem: Option<&Problem>,
        over: &LimitOverrides,
        run: &mut RunJob<'_>,
    ) -> Result<Result<Self, NotCompiled>> {
        // A folder may also be built by scripts of its own, which have no language.
        let language = tools.languages.of_program(path).ok();
        if language.is_none() && !path.is_dir() {
            let shown = path.display();
            return Err(Code::UnknownLanguage
                .says(format!("`{shown}` is in no known language"))
                .help("`rejudge languages` lists the languages and their file extensions")
                .into());
        }
        let of_problem = problem.map(|problem| problem.limits).unwrap_or_default();
        let terms = problem.map_or_else(|| Terms::from(&of_problem), Terms::of_submission);
        let compiler = tools.compiler;
        let built = compiler.compile_program(path, tools.languages, terms, run)?;
        let artifact = match built {
            Built::Ready(artifact) => artifact,
            Built::Failed(failure) => {
                let (shown, reason) = (path.display(), &failure.reason);
                return Ok(Err(NotCompiled {
                    headline: format!("`{shown}` does not compile: {reason}"),
                    failure,
                }));
            }
        };
        let files = FileNames::of_solution(problem, path)
            .with_context(|| format!("cannot read `{}`", path.display()))?;
        Ok(Ok(Self { artifact, files, limits: limits::of_solution(problem, language, over) }))
    }

    pub(super) fn ready(&self) -> Solution<'_> {
        Solution { artifact: &self.artifact, files: &self.files, limits: &self.limits }
    }
}
