//! Static validation: the submission's files, not what it prints, before a validator of the problem's own.

use std::fs;
use std::io;
use std::path::Path;

use super::case::{Run, Subject};
use super::passes::{Pass, Sum};
use super::runners::Runners;
use crate::attempts::run_fairly;
use crate::checker::{Checker, Feedback};
use crate::compile::MANIFEST;
use crate::sandbox::{Captured, Execution, Exit, Input, SandboxError, Usage};

/// Shows the submission's files to the validator of its case. Nothing that the validator uses is counted.
pub(super) fn validate(
    subject: &Subject<'_>,
    place: &Path,
    runners: &mut Runners,
) -> Result<Run, SandboxError> {
    let Checker::Program(program) = subject.ready.checker_of(subject.case) else {
        unreachable!("static validation has a validator")
    };
    let feedback = Feedback::among_files(place)?;
    let artifact = &subject.ready.artifact;
    copy(&artifact.dir, feedback.around()).map_err(|source| SandboxError::Io {
        action: "cannot copy the submission for the static validator".into(),
        source,
    })?;
    let (code, start) = (&subject.ready.language_code, artifact.entry_point());
    let job = program.static_job(code, &start, &feedback);
    let execution = run_fairly(runners.first(), &job, Input::Empty)?;
    let said = program.heard(&feedback, &execution);
    let of_submission = Execution {
        exit: Exit::Code(0),
        usage: Usage::default(),
        stdout: Captured::default(),
        stderr_tail: Vec::new(),
    };
    Ok(Sum::default().settle(Pass::said(of_submission, said), 1))
}

/// Copies what the submission consists of.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    for entry in walkdir::WalkDir::new(from).min_depth(1) {
        let entry = entry?;
        let below = entry.path().strip_prefix(from).expect("walked from `from`");
        if entry.file_type().is_dir() {
            fs::create_dir(to.join(below))?;
        } else if entry.file_type().is_file() && below != Path::new(MANIFEST) {
            fs::copy(entry.path(), to.join(below))?;
        }
    }
    Ok(())
}
