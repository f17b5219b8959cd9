//! One run of a solution on an input that need not be a case of its problem: all passes, with the interactor or the
//! checker, but without confirmations.

use std::time::Duration;

use super::Tools;
use super::build::{Builds, ReadySubmission};
use super::case_run::{CaseContext, PassHooks};
use super::in_sandbox::InSandbox;
use super::run::{Circumstances, TranscriptScope};
use super::runners::Runners;
use crate::checker::Feedback;
use crate::limits::LimitOverrides;
use crate::notice::{Code, Notice};
use crate::problem::{Problem, TestCase};
use crate::sandbox::{Captured, Exit, Runner, RunnerSource, SandboxError};
use crate::sequence::BuildOutcome;
use crate::submission::{FileNames, Submission};
use crate::verdict::Verdict;

/// A solution that is ready, with the interactor and the checkers of its problem.
pub(crate) struct SingleSubmission {
    ready: ReadySubmission,
    files: FileNames,
}

impl SingleSubmission {
    /// Builds the solution and the programs of its problem. The inner error says why that is impossible.
    pub(crate) fn build(
        submission: &Submission,
        problem: &Problem,
        limits: LimitOverrides,
        tools: Tools<'_>,
        runner: &mut Runner,
    ) -> InSandbox<Self, Notice> {
        let entries = [(submission, problem)];
        let builds = Builds::new(&entries, tools, limits);
        let why = match builds.build(0, runner)? {
            BuildOutcome::Ready { .. } => None,
            BuildOutcome::Refused { build, .. } => {
                Some(Code::BrokenProgram.says(build.error.unwrap_or_default()))
            }
            BuildOutcome::Impossible { why, .. } => Some(why),
        };
        Ok(match why {
            Some(why) => Err(why.of(format_args!("`{}`", submission.name))),
            None => Ok(Self { ready: builds.into_ready(0), files: submission.files.clone() }),
        })
    }
}

/// The result of a run.
pub(crate) struct SingleRun {
    pub(crate) verdict: Verdict,
    pub(crate) reason: Option<String>,
    /// How the solution ended, if it was started.
    pub(crate) exit: Option<Exit>,
    pub(crate) cpu: Duration,
    pub(crate) output: Captured,
    /// What an interactor wrote for the checker.
    pub(crate) for_checker: Captured,
    /// The last bytes of standard error.
    pub(crate) messages: Vec<u8>,
    /// The last messages between the solution and the interactor.
    pub(crate) transcript: Option<String>,
}

/// The runners of a solution and its interactor.
pub(crate) struct SingleRunners {
    runners: Runners,
    source: RunnerSource,
}

impl SingleRunners {
    pub(crate) fn start(source: &RunnerSource) -> Result<Self, SandboxError> {
        Ok(Self { runners: Runners::start(source)?, source: source.clone() })
    }

    /// Runs the solution on the case.
    pub(crate) fn run(
        &mut self,
        submission: &SingleSubmission,
        case: &TestCase,
    ) -> Result<SingleRun, SandboxError> {
        let SingleSubmission { ready, files } = submission;
        let mut feedback = Feedback::new_in(&self.source.options().work_base)?;
        let circumstances = Circumstances {
            limits: *ready.limits.on(case),
            workers: None,
            record: TranscriptScope::End,
        };
        let of_case = CaseContext { case, ready, files, number: (0, 0) };
        let hooks = PassHooks { early: &|| None, save: &|_, _| Ok(()) };
        let run =
            of_case.run_passes(&circumstances, &mut self.runners, Some(&mut feedback), &hooks)?;
        let for_checker = feedback.take_tout().map_err(|source| SandboxError::Io {
            action: "cannot read the interactor's output for the checker".into(),
            source,
        })?;
        Ok(SingleRun::of(run, for_checker))
    }
}

impl SingleRun {
    fn of(run: super::run::Run, for_checker: Captured) -> Self {
        let cpu = run.usage().cpu();
        let (output, messages, exit) = match run.execution {
            Some(execution) => (execution.stdout, execution.stderr_tail, Some(execution.exit)),
            None => (Captured::default(), Vec::new(), None),
        };
        Self {
            verdict: run.judgement.verdict,
            reason: run.judgement.reason,
            exit,
            cpu,
            output,
            for_checker,
            messages,
            transcript: run.transcript.map(|one| one.to_string()),
        }
    }
}
