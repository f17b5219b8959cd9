//! Precompiles what the compilers of solutions start with.

use std::collections::BTreeMap;

use super::project::Project;
use crate::attempts::run_fairly;
use crate::compile::{CompileError, Terms, WarmStart};
use crate::notice::Notice;
use crate::problem::Problem;
use crate::sandbox::{Input, Job, Runner, SandboxError};
use crate::submission::Submission;

/// The numbers of files and of solutions.
#[derive(Debug, Default)]
pub(super) struct WarmCounts {
    /// Files that were made.
    pub(super) made: usize,
    /// Solutions whose file was there.
    pub(super) known: usize,
    /// Solutions that are compiled plainly.
    pub(super) plain: usize,
}

/// Precompiles for these solutions, until it is interrupted. A solution that cannot be compiled is told to `warn`, and the others
/// follow.
pub(super) fn warm(
    project: &Project,
    problems: &[Problem],
    submissions: &[Submission],
    runner: &mut Runner,
    warn: &mut dyn FnMut(Notice),
) -> WarmCounts {
    let by_id: BTreeMap<&str, &Problem> =
        problems.iter().map(|problem| (problem.id.as_str(), problem)).collect();
    let mut counts = WarmCounts::default();
    for submission in submissions {
        let language = project.languages.get(&submission.language);
        let (Some(language), Some(problem)) = (language, by_id.get(submission.problem.as_str()))
        else {
            continue;
        };
        let run = &mut |job: &Job, input: Input| run_fairly(runner, job, input);
        let found = project.compiler.precompile(
            &submission.path,
            submission.entrypoint.as_deref(),
            language,
            Terms::of_submission(problem),
            run,
        );
        match found {
            Ok(WarmStart::Made) => counts.made += 1,
            Ok(WarmStart::Known) => counts.known += 1,
            Ok(WarmStart::Impossible) => counts.plain += 1,
            Err(CompileError::Sandbox(SandboxError::Interrupted)) => break,
            Err(error) => {
                counts.plain += 1;
                warn(error.notice());
            }
        }
    }
    counts
}
