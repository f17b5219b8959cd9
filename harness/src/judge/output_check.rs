//! Checks the output for a case, in every command in the same way.

use std::path::Path;

use crate::attempts::run_fairly;
use crate::checker::{self, Checked, Checker, CheckerFiles, Feedback};
use crate::problem::TestCase;
use crate::sandbox::{Captured, Input, Job, Runner, SandboxError};

/// Checks `output` for `case`. A program of the checker is started by `runner`.
pub(crate) fn check_output(
    checker: &Checker,
    case: &TestCase,
    output: &Captured,
    runner: &mut Runner,
) -> Result<Checked, SandboxError> {
    check_pass(checker, case, &case.input(), None, output, runner)
}

/// Checks the output of a pass, whose input may be that of a validator. A program of the checker writes to `feedback`.
pub(super) fn check_pass(
    checker: &Checker,
    case: &TestCase,
    input: &Path,
    feedback: Option<&Feedback>,
    output: &Captured,
    runner: &mut Runner,
) -> Result<Checked, SandboxError> {
    let answer = case.answer();
    let files = CheckerFiles { input, answer: answer.as_deref() };
    let run = &mut |job: &Job, input: Input| run_fairly(runner, job, input);
    checker::check(checker, files, output, feedback, run)
}
