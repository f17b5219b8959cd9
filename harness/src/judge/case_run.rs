//! Runs one case from its input to its verdict: a run and a check, or an interaction, for every pass.

use std::path::{Path, PathBuf};

use super::WorkerPool;
use super::build::ReadySubmission;
use super::early_run::EarlyRun;
use super::end_order::Partner;
use super::interaction::{Partners, interact};
use super::launch::{Launch, Solution};
use super::output_check::check_pass;
use super::passes;
use super::run::{Circumstances, Run, Subject, TranscriptScope};
use super::runners::Runners;
use crate::attempts::Attempt;
use crate::checker::{
    CheckOutcome, Checked, Checker, CheckerFiles, CheckerProgram, Feedback, Protocol,
};
use crate::decide::{self, AfterPass, Judgement};
use crate::problem::TestCase;
use crate::sandbox::{Captured, Execution, Limits, Runner, SandboxError, Turn};
use crate::submission::FileNames;

/// Maximum number of passes of a multi-pass problem that does not set one.
const PASSES: u32 = 2;

impl WorkerPool<'_> {
    /// Runs every pass of the case.
    pub(super) fn run_passes(
        &self,
        subject: &Subject<'_>,
        circumstances: &Circumstances,
        runners: &mut Runners,
    ) -> Result<Run, SandboxError> {
        let (ready, case) = (subject.ready, subject.case);
        let checker = ready.checker_of(case);
        let is_program = matches!(checker, Checker::Program(_) | Checker::Programs(_));
        let needs_folder = ready.interactive || is_program;
        // In this folder the launcher removes it if we are killed.
        let parent = &self.options.runners.options().work_base;
        let mut feedback = needs_folder.then(|| Feedback::new_in(parent)).transpose()?;
        let of_case = CaseContext {
            case,
            ready,
            files: &subject.submission.files,
            number: (subject.number, subject.index),
        };
        let save = |execution: &Execution, number| {
            let saved = self.save_output(subject, execution, number);
            saved.map_err(|error| Judgement::of_machine(format!("cannot save the output: {error}")))
        };
        let hooks = PassHooks { early: &|| self.early_run(subject), save: &save };
        of_case.run_passes(circumstances, runners, feedback.as_mut(), &hooks)
    }
}

/// The case that is run, of which submission.
pub(super) struct CaseContext<'a> {
    pub(super) case: &'a TestCase,
    pub(super) ready: &'a ReadySubmission,
    /// The files that the submission may use instead of standard input and output.
    pub(super) files: &'a FileNames,
    /// The indices of the submission and the case.
    pub(super) number: (usize, usize),
}

/// What happens besides the passes of a case.
pub(super) struct PassHooks<'a> {
    /// Returns the run to start ahead.
    pub(super) early: &'a dyn Fn() -> Option<EarlyRun>,
    /// Saves the output of the pass with this number. A judgement ends the run.
    pub(super) save: &'a dyn Fn(&Execution, u32) -> Result<(), Judgement>,
}

impl CaseContext<'_> {
    /// Runs every pass of the case.
    pub(super) fn run_passes(
        &self,
        circumstances: &Circumstances,
        runners: &mut Runners,
        mut feedback: Option<&mut Feedback>,
        hooks: &PassHooks<'_>,
    ) -> Result<Run, SandboxError> {
        let Self { case, ready, files, number } = *self;
        let checker = ready.checker_of(case);
        let most_passes = ready.multi_pass.then(|| ready.passes.unwrap_or(PASSES));
        let mut input = case.input();
        let mut earlier = None;
        for pass in 1.. {
            let context = PassContext {
                case,
                ready,
                files,
                checker: &checker,
                input: &input,
                feedback: feedback.as_deref(),
                number,
                pass,
            };
            let mut run = if ready.interactive {
                context.interact(circumstances, runners)?
            } else {
                context.run(circumstances, runners, (hooks.early)().as_ref())?
            };
            if let Some(execution) = &run.execution
                && let Err(judgement) = (hooks.save)(execution, pass)
            {
                return Ok(Run::without_execution(judgement));
            }
            let next = match (most_passes, feedback.as_deref_mut()) {
                (Some(most), Some(feedback)) => next_input(&mut run, feedback, pass, most),
                _ => None,
            };
            let mut run = run.after(earlier.take(), pass, circumstances.record);
            let Some(next) = next else {
                return Ok(run);
            };
            if let Some(execution) = &mut run.execution {
                // The validator has read it.
                execution.stdout = Captured::default();
            }
            earlier = Some(run);
            input = next;
        }
        unreachable!("the number of passes is bounded")
    }
}

/// The input of the next pass, if the validator requests one. An invalid request changes the verdict of `run`.
fn next_input(run: &mut Run, feedback: &mut Feedback, number: u32, most: u32) -> Option<PathBuf> {
    let outcome = run.checked.as_ref().map(|checked| &checked.outcome);
    match decide::after_pass(outcome, feedback.asks_for_a_pass(), number, most) {
        AfterPass::End => None,
        AfterPass::Another => match feedback.take_next_input() {
            Ok(input) => Some(input),
            Err(why) => {
                run.judgement = decide::of_invalid_next_pass(&why.to_string());
                None
            }
        },
        AfterPass::Fault(judgement) => {
            run.judgement = judgement;
            None
        }
    }
}

/// The data that a pass needs.
struct PassContext<'a> {
    case: &'a TestCase,
    ready: &'a ReadySubmission,
    /// The files that the submission may use instead of standard input and output.
    files: &'a FileNames,
    checker: &'a Checker,
    input: &'a Path,
    /// Present if a checker or interactor program writes to it.
    feedback: Option<&'a Feedback>,
    /// The indices of the submission and the case.
    number: (usize, usize),
    /// The number of the pass, from 1.
    pass: u32,
}

impl PassContext<'_> {
    /// Runs the submission on the input, and checks its output.
    pub(super) fn run(
        &self,
        circumstances: &Circumstances,
        runners: &mut Runners,
        next: Option<&EarlyRun>,
    ) -> Result<Run, SandboxError> {
        let launch = self.launch(circumstances)?;
        let now = Turn { job: &launch.job, input: launch.standard_input(self.input) };
        let execution = launch.finish(runners.run(self.number, now, next)?)?;
        let limits = self.limits();
        let Execution { exit, usage, .. } = &execution;
        let mut attempt = Attempt::new(*exit, usage, limits, circumstances.workers);
        if self.ready.falls_with_time {
            attempt = attempt.losing_points(limits, circumstances.workers);
        }
        let is_silent = execution.stdout.is_empty();
        let run = if let Some(decided) = launch.decide(&execution, limits) {
            Run::without_check(execution, decided, &self.ready.language.id)
        } else {
            let checked = self.check(&execution.stdout, runners.first())?;
            Run::checked(execution, checked)
        };
        let judgement = match &self.files.composed {
            Some(ending) if is_silent => decide::with_unknown_file(run.judgement, ending),
            _ => run.judgement,
        };
        Ok(Run { judgement, attempt, ..run })
    }

    /// Runs the submission and the interactor, connected to each other.
    pub(super) fn interact(
        &self,
        circumstances: &Circumstances,
        runners: &mut Runners,
    ) -> Result<Run, SandboxError> {
        let program = self.interactor();
        let feedback = self.feedback.expect("an interactive case has a folder");
        let launch = self.launch(circumstances)?;
        let submission = &launch.job;
        let answer = self.case.answer();
        let files = CheckerFiles { input: self.input, answer: answer.as_deref() };
        let mut interactor = program.job(files, feedback);
        // The interactor may wait as long as the submission may run.
        interactor.limits.wall_time += submission.limits.wall_time + interactor.limits.cpu_kill;
        let partners = Partners {
            submission,
            interactor: &interactor,
            decision: &|ended| program.result(feedback, ended),
            record: circumstances.record != TranscriptScope::Nothing,
        };
        let interaction = interact(&partners, runners.both()?)?;
        let attempt = Attempt::of_dialogue(
            (&interaction.submission, self.limits()),
            (&interaction.interactor, &interactor.limits),
            circumstances.workers,
        );
        let checked = interaction.checked;
        let decided = decide::of_interaction(
            &interaction.submission,
            self.limits(),
            &checked.outcome,
            interaction.first == Partner::Interactor,
        );
        let execution = interaction.submission;
        let run = if let Some(decided) = decided {
            Run::without_check(execution, decided, &self.ready.language.id)
        } else if program.protocol == Protocol::Interactor
            && self.ready.then_check
            && checked.outcome == CheckOutcome::Accepted
        {
            let tout = feedback.take_tout().map_err(|source| SandboxError::Io {
                action: "cannot read the interactor's output for the checker".into(),
                source,
            })?;
            Run::checked(execution, self.check(&tout, runners.first())?)
        } else {
            Run::checked(execution, checked)
        };
        let transcript = interaction.transcript.as_ref();
        Ok(Run {
            attempt,
            transcript: transcript.map(|one| passes::shown(one, self.pass, circumstances.record)),
            ..run
        })
    }

    /// The limits of the case.
    fn limits(&self) -> &Limits {
        self.ready.limits.on(self.case)
    }

    /// The program of the interactor: a separate one, or the output validator.
    fn interactor(&self) -> &CheckerProgram {
        match (&self.ready.interactor, self.checker) {
            (Some(program), _) | (None, Checker::Program(program)) => program,
            (None, _) => unreachable!("an interactive problem is ready only with an interactor"),
        }
    }

    fn check(&self, output: &Captured, runner: &mut Runner) -> Result<Checked, SandboxError> {
        let (checker, feedback) = (self.checker, self.feedback);
        check_pass(checker, self.case, self.input, feedback, output, runner)
    }

    fn launch(&self, circumstances: &Circumstances) -> Result<Launch, SandboxError> {
        let solution = Solution {
            artifact: &self.ready.artifact,
            files: self.files,
            limits: &circumstances.limits,
        };
        solution.launch(self.case, self.input)
    }
}
