//! A problem's checker without a submission, for outputs in files.

use super::Tools;
use super::build::Builds;
use super::checker_programs::{CheckerPrograms, ready_checker};
use super::in_sandbox::InSandbox;
use super::output_check::check_output;
use crate::checker::{Checked, Mismatch};
use crate::checker_spec::CheckerSpec;
use crate::diff::{self, Look};
use crate::limits::LimitOverrides;
use crate::notice::Notice;
use crate::problem::{Problem, TestCase};
use crate::sandbox::{Captured, Runner, SandboxError};
/// The checkers of one problem, built.
pub(crate) struct Inspector {
    checker: CheckerSpec,
    programs: CheckerPrograms,
}

impl Inspector {
    /// Builds the checkers of `problem`. The inner error names a checker that cannot be built.
    pub(crate) fn new(
        problem: &Problem,
        tools: Tools<'_>,
        runner: &mut Runner,
    ) -> InSandbox<Self, Notice> {
        let builds = Builds::new(&[], tools, LimitOverrides::default());
        let programs = builds.checkers(problem, runner)?;
        Ok(programs.map(|programs| Self { checker: problem.checker.clone(), programs }))
    }

    /// The checker's result for `output` on `case`.
    pub(crate) fn check(
        &self,
        case: &TestCase,
        output: &Captured,
        runner: &mut Runner,
    ) -> Result<Checked, SandboxError> {
        let checker = ready_checker(case.checker().unwrap_or(&self.checker), &self.programs);
        check_output(&checker, case, output, runner)
    }

    /// The lines of the output and of the answer around the first difference, if it is known where that is.
    pub(crate) fn difference(
        &self,
        case: &TestCase,
        output: &Captured,
        mismatch: &Mismatch,
        look: Look,
    ) -> Option<String> {
        mismatch.at?;
        let checker = ready_checker(case.checker().unwrap_or(&self.checker), &self.programs);
        diff::render(output, &case.answer()?, mismatch, &checker, look).ok()
    }

    /// Whether equal outputs are equally good, and no program has to be asked.
    pub(crate) fn only_compares(&self) -> bool {
        !self.checker.is_program()
    }
}
