//! A problem's checker without a submission, for outputs in files.

use super::Tools;
use super::build::{Builds, Programs, ready_checker};
use crate::attempts::run_fairly;
use crate::checker::{self, CaseFiles, Checked};
use crate::checker_spec::CheckerSpec;
use crate::limits::LimitOverrides;
use crate::problem::{Problem, TestCase};
use crate::sandbox::{Captured, Exit, Input, Job, LimitKind, Runner, SandboxError};

/// The checkers of one problem, built.
pub(crate) struct Inspector {
    checker: CheckerSpec,
    programs: Programs,
}

impl Inspector {
    /// Builds the checkers of `problem`. The inner error names a checker that cannot be built.
    pub(crate) fn new(
        problem: &Problem,
        tools: Tools<'_>,
        runner: &mut Runner,
    ) -> Result<Result<Self, String>, SandboxError> {
        let builds = Builds::new(&[], tools, LimitOverrides::default());
        let programs = builds.checkers(problem, runner)?;
        Ok(programs.map(|programs| Self {
            checker: problem.checker.clone(),
            programs,
        }))
    }

    /// The checker's result for `output` on `case`, and whether one of its programs exceeded a time limit.
    pub(crate) fn check(
        &self,
        case: &TestCase,
        output: &Captured,
        runner: &mut Runner,
    ) -> Result<(Checked, bool), SandboxError> {
        let checker = ready_checker(case.checker().unwrap_or(&self.checker), &self.programs);
        let (input, answer) = (case.input(), case.answer());
        let files = CaseFiles {
            input: &input,
            answer: answer.as_deref(),
        };
        let mut timed_out = false;
        let run = &mut |job: &Job, input: Input| {
            let execution = run_fairly(runner, job, input)?;
            timed_out |= matches!(
                execution.exit,
                Exit::Killed(LimitKind::Cpu | LimitKind::Wall)
            );
            Ok(execution)
        };
        let result = checker::check(&checker, files, output, run)?;
        Ok((result, timed_out))
    }
}
