//! One case, from its input to its verdict: a run and a check, or a talk; and again for every pass.

use std::path::Path;

use super::Bench;
use super::ahead::Ahead;
use super::build::Ready;
use super::case::{Run, Subject};
use super::launch::{Launch, launch};
use super::passes::{Pass, Sum};
use super::runners::Runners;
use super::talk::{Partners, Side, Talk, talk};
use crate::attempts::{Attempt, run_fairly};
use crate::checker::{
    self, CaseFiles, CheckOutcome, Checked, Checker, Feedback, Program, Protocol, several,
};
use crate::problem::TestCase;
use crate::sandbox::{Captured, Execution, Input, Job, Limits, Runner, SandboxError, Turn};
use crate::verdict::{self, Verdict};

/// How often a case of a multi-pass problem is run, unless the problem says otherwise.
const PASSES: u32 = 2;

/// Under what circumstances a case is run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Circumstances {
    /// The submission's limits.
    pub(super) limits: Limits,
    /// The number of our other workers, which may run something at the same time; `None`: it is alone.
    pub(super) workers: Option<u32>,
    /// How much of what an interactor and the submission say is to be shown.
    pub(super) record: Record,
}

/// How much of a talk is to be shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Record {
    Nothing,
    /// The last lines.
    End,
    Everything,
}

impl Bench<'_> {
    /// Runs every pass of the case.
    pub(super) fn play(
        &self,
        subject: &Subject<'_>,
        circumstances: &Circumstances,
        runners: &mut Runners,
    ) -> Result<Run, SandboxError> {
        let (ready, case) = (subject.ready, subject.case);
        let checker = ready.checker_of(case);
        let is_own = matches!(checker, Checker::Program(_) | Checker::Programs(_));
        let needs_folder = ready.interactive || is_own;
        // Where the launcher finds it should we be killed.
        let place = &self.options.runner.work_base;
        let mut feedback = needs_folder.then(|| Feedback::new_in(place)).transpose()?;
        let passes = ready.multi_pass.then(|| ready.passes.unwrap_or(PASSES));
        let mut input = case.input();
        let mut sum = Sum::default();
        for number in 1.. {
            let place = Place {
                case,
                ready,
                checker: &checker,
                input: &input,
                feedback: feedback.as_ref(),
                number: (subject.number, subject.index),
            };
            let mut pass = if ready.interactive {
                place.talk(circumstances, runners)?
            } else {
                let next = self.ahead(subject, &circumstances.limits);
                place.run(circumstances, runners, next.as_ref())?
            };
            if let Err(error) = self.keep(subject, &pass.execution, number) {
                return Ok(Run::fault(error));
            }
            sum.add(&mut pass, number, circumstances.record);
            let next = match (passes, &mut feedback) {
                (Some(most), Some(feedback)) => pass.next_input(feedback, number, most),
                _ => None,
            };
            match next {
                Some(next) => input = next,
                None => return Ok(sum.settle(pass, number)),
            }
        }
        unreachable!("the number of passes is bounded")
    }
}

/// Where a pass takes place.
struct Place<'a> {
    case: &'a TestCase,
    ready: &'a Ready,
    checker: &'a Checker,
    input: &'a Path,
    /// There is one wherever there is a program that writes to it.
    feedback: Option<&'a Feedback>,
    /// The submission and the case, by their indices.
    number: (usize, usize),
}

impl Place<'_> {
    /// Runs the submission on the input, and checks what it printed.
    fn run(
        &self,
        circumstances: &Circumstances,
        runners: &mut Runners,
        next: Option<&Ahead>,
    ) -> Result<Pass, SandboxError> {
        let launch = self.launch(circumstances)?;
        let now = Turn {
            job: &launch.job,
            input: self.input,
        };
        let execution = runners.run(self.number, now, next)?;
        let limits = &self.ready.limits;
        let attempt = self.attempt(&execution, circumstances);
        let settled = verdict::of_execution(&execution, limits);
        let pass = if let Some((verdict, evidence)) = settled {
            Pass::settled(execution, verdict, evidence)
        } else {
            let said = self.check(&execution.stdout, runners.first())?;
            Pass::said(execution, said)
        };
        Ok(pass.timed(attempt))
    }

    /// Has the submission and the interactor talk.
    fn talk(
        &self,
        circumstances: &Circumstances,
        runners: &mut Runners,
    ) -> Result<Pass, SandboxError> {
        let program = self.interactor();
        let feedback = self.feedback.expect("an interactive case has a folder");
        let launch = self.launch(circumstances)?;
        let submission = &launch.job;
        let answer = self.case.answer();
        let mut interactor = program.job(self.files(answer.as_deref()), feedback);
        // It may wait as long as the submission may run.
        interactor.limits.wall_time += submission.limits.wall_time + interactor.limits.cpu_kill;
        let partners = Partners {
            submission,
            interactor: &interactor,
            accepts: program.protocol.accepts(),
            record: circumstances.record != Record::Nothing,
        };
        let talk = talk(&partners, runners.both()?)?;
        let mut attempt = self.attempt(&talk.submission, circumstances);
        // If others kept the interactor from its work, or ended it, that is nobody's verdict either.
        let Execution { exit, usage, .. } = &talk.interactor;
        let other = Attempt::new(*exit, usage, &interactor.limits, None);
        attempt.join(&Attempt {
            usage: attempt.usage,
            ..other
        });
        let heard = program.heard(feedback, &talk.interactor);
        let mut pass = judge_talk(talk, heard, &self.ready.limits);
        let then_check = program.protocol == Protocol::Interactor
            && self.ready.then_check
            && pass.verdict == Verdict::Accepted;
        if then_check {
            let tout = feedback.take_tout().map_err(|source| SandboxError::Io {
                action: "cannot read what the interactor wrote for the checker".into(),
                source,
            })?;
            let said = self.check(&tout, runners.first())?;
            pass = Pass::said(pass.execution, said).with(pass.transcript);
        }
        Ok(pass.timed(attempt))
    }

    fn attempt(&self, execution: &Execution, circumstances: &Circumstances) -> Attempt {
        let (exit, usage) = (execution.exit, &execution.usage);
        Attempt::new(exit, usage, &self.ready.limits, circumstances.workers)
    }

    /// The interactor's own program, or the output validator that is one.
    fn interactor(&self) -> &Program {
        match (&self.ready.interactor, self.checker) {
            (Some(own), _) => own,
            (None, Checker::Program(program)) => program,
            (None, _) => unreachable!("nothing is ready without an interactor"),
        }
    }

    fn check(&self, output: &Captured, runner: &mut Runner) -> Result<Checked, SandboxError> {
        let answer = self.case.answer();
        let files = self.files(answer.as_deref());
        let run = &mut |job: &Job, input: Input| run_fairly(runner, job, input);
        match (self.checker, self.feedback, &answer) {
            (Checker::Program(program), Some(feedback), Some(_)) => {
                program.check(files, output, feedback, run)
            }
            (Checker::Programs(programs), Some(feedback), Some(_)) => {
                several::check(programs, files, output, feedback.around(), run)
            }
            _ => checker::check(self.checker, files, output, run),
        }
    }

    fn files<'f>(&'f self, answer: Option<&'f Path>) -> CaseFiles<'f> {
        CaseFiles {
            input: self.input,
            answer,
        }
    }

    fn launch(&self, circumstances: &Circumstances) -> Result<Launch, SandboxError> {
        launch(&self.ready.artifact, self.case, &circumstances.limits)
    }
}

/// What a talk comes to: a fault of the interactor, its rejection if it ended first, what the submission did,
/// the interactor's word.
fn judge_talk(talk: Talk, heard: Checked, limits: &Limits) -> Pass {
    let transcript = talk.transcript;
    let has_the_word = match &heard.outcome {
        CheckOutcome::Fault(_) => true,
        CheckOutcome::Wrong(_) => talk.first == Side::Interactor,
        CheckOutcome::Accepted | CheckOutcome::Unchecked => false,
    };
    let settled = verdict::of_execution(&talk.submission, limits).filter(|_| !has_the_word);
    let pass = match settled {
        Some((verdict, evidence)) => Pass::settled(talk.submission, verdict, evidence),
        None => Pass::said(talk.submission, heard),
    };
    pass.with(transcript)
}
