//! Static validation: a validator of the problem checks the submission's files, not its output.

use std::path::Path;

use super::run::{Run, Subject};
use super::runners::Runners;
use crate::attempts::run_fairly;
use crate::checker::{Checker, Feedback};
use crate::sandbox::{Captured, Execution, Exit, Input, SandboxError, Usage};

/// Runs the static validator of the case on the submission's files. The validator's own usage is not counted.
pub(super) fn validate(
    subject: &Subject<'_>,
    parent: &Path,
    runners: &mut Runners,
) -> Result<Run, SandboxError> {
    let Checker::Program(program) = subject.ready.checker_of(subject.case) else {
        unreachable!("static validation has a validator")
    };
    let feedback = Feedback::among_files(parent)?;
    let artifact = &subject.ready.artifact;
    let copied = feedback.put_around(&artifact.dir);
    copied.map_err(|source| SandboxError::Io {
        action: "cannot copy the submission for the static validator".into(),
        source,
    })?;
    let (code, start) = (&subject.ready.language.code, artifact.entry_point());
    let job = program.static_job(code, &start, &feedback);
    let execution = run_fairly(runners.first(), &job, Input::Empty)?;
    let checked = program.result(&feedback, &execution);
    let of_submission = Execution {
        exit: Exit::Code(0),
        usage: Usage::default(),
        stdout: Captured::default(),
        stderr_tail: Vec::new(),
    };
    Ok(Run::checked(of_submission, checked))
}
