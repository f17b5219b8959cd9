//! One run of a solution on an input that need not be a case of its problem: all passes, with the interactor or the
//! checker, but without confirmations.

use std::time::Duration;

use super::Tools;
use super::build::{Builds, ReadySubmission};
use super::case_run::{PASSES, PassContext, next_input};
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
    ) -> Result<Result<Self, Notice>, SandboxError> {
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
        let checker = ready.checker_of(case);
        let mut feedback = Feedback::new_in(&self.source.options().work_base)?;
        let most_passes = ready.multi_pass.then(|| ready.passes.unwrap_or(PASSES));
        let circumstances = Circumstances {
            limits: *ready.limits.on(case),
            workers: None,
            record: TranscriptScope::End,
        };
        let mut input = case.input();
        let mut earlier = None;
        for number in 1.. {
            let context = PassContext {
                case,
                ready,
                files,
                checker: &checker,
                input: &input,
                feedback: Some(&feedback),
                number: (0, 0),
                pass: number,
            };
            let mut run = if ready.interactive {
                context.interact(&circumstances, &mut self.runners)?
            } else {
                context.run(&circumstances, &mut self.runners, None)?
            };
            let next = match most_passes {
                Some(most) => next_input(&mut run, &mut feedback, number, most),
                None => None,
            };
            let run = run.after(earlier.take(), number, circumstances.record);
            let Some(next) = next else {
                let for_checker = feedback.take_tout().map_err(|source| SandboxError::Io {
                    action: "cannot read the interactor's output for the checker".into(),
                    source,
                })?;
                return Ok(SingleRun::of(run, for_checker));
            };
            earlier = Some(run);
            input = next;
        }
        unreachable!("the number of passes is bounded")
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
