//! Checkers that are programs of the problem's own: ICPC output validators, testlib checkers and
//! interactors.
//!
//! This module prepares the files, names the job and reads the result; starting the program is
//! the caller's, who has the sandbox.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::sandbox::{
    Captured, Execution, Exit, Input, Job, LimitKind, Limits, SandboxError, WorkDir,
};

use super::feedback::{Feedback, Messages};
use super::printable::one_line;
use super::{CaseFiles, CheckOutcome, Checked, Mismatch};

/// Runs a job; the sandbox's, or a test's.
pub type RunJob<'a> = dyn FnMut(&Job, Input) -> Result<Execution, SandboxError> + 'a;

/// How a testlib program ends that gives points.
const POINTS: Exit = Exit::Code(7);
/// How much of a message's first line makes a headline.
const HEADLINE: usize = 200;

/// How a checker is called and how it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// `validator input answer feedback/ args… < output`; 42 accepts, 43 rejects.
    Icpc,
    /// `checker input output answer`; 0 accepts, 1 and 2 reject, 7 gives points.
    Testlib,
    /// `validator language entry_point feedback/ args…` among the submission's files; 42 accepts, 43 rejects.
    Static,
    /// `interactor input output answer`, joined to the submission; it ends as a checker does.
    Interactor,
}

impl Protocol {
    /// The exit code that accepts.
    pub(crate) const fn accepts(self) -> i32 {
        match self {
            Self::Icpc | Self::Static => 42,
            Self::Testlib | Self::Interactor => 0,
        }
    }
}

/// A checker that is built and can be run.
#[derive(Debug, Clone)]
pub struct Program {
    /// How it is called.
    pub protocol: Protocol,
    /// The program, as an absolute path, and what its language puts before the arguments.
    pub argv: Vec<OsString>,
    /// The problem's arguments for it.
    pub args: Vec<String>,
    /// Its environment, whole.
    pub env: Vec<(OsString, OsString)>,
    /// What it must be able to read besides the case: its artefact.
    pub readable: Vec<PathBuf>,
    /// The limits it runs under.
    pub limits: Limits,
}

impl Program {
    /// Checks one output. `Err` is the sandbox's failure or an interruption; whatever the
    /// checker does wrong is [`CheckOutcome::Fault`].
    pub(crate) fn check(
        &self,
        case: CaseFiles<'_>,
        output: &Captured,
        feedback: &Feedback,
        run: &mut RunJob<'_>,
    ) -> Result<Checked, SandboxError> {
        let failed = |source| SandboxError::Io {
            action: format!("cannot copy the output for the {}", self.noun()),
            source,
        };
        let mut job = self.job(case, feedback);
        let stdin = match self.protocol {
            Protocol::Icpc | Protocol::Static | Protocol::Interactor => {
                output.to_input().map_err(failed)?
            }
            Protocol::Testlib => {
                let output = feedback.write_output(output).map_err(failed)?;
                // After the input, before the answer.
                let place = self.argv.len() + 1;
                job.argv.insert(place, output.clone().into());
                job.readable.push(output);
                Input::Empty
            }
        };
        let execution = run(&job, stdin)?;
        Ok(self.heard(feedback, &execution))
    }

    /// The job of a program that talks with the submission; of a testlib checker, without the output.
    pub(crate) fn job(&self, case: CaseFiles<'_>, feedback: &Feedback) -> Job {
        let mut argv = self.argv.clone();
        let (input, answer) = (absolute(case.input), case.answer.map(absolute));
        argv.push(input.clone().into());
        match self.protocol {
            Protocol::Icpc | Protocol::Static => {
                argv.push(answer.clone().unwrap_or_default().into());
                argv.push(feedback.argument());
            }
            Protocol::Interactor => {
                argv.push(feedback.tout().into());
                argv.extend(answer.clone().map(OsString::from));
            }
            Protocol::Testlib => argv.extend(answer.clone().map(OsString::from)),
        }
        argv.extend(self.args.iter().map(OsString::from));
        let mut readable = self.readable.clone();
        readable.push(input);
        readable.extend(answer);
        Job {
            argv,
            env: self.env.clone(),
            work_dir: WorkDir::At(feedback.folder()),
            readable,
            limits: self.limits,
        }
    }

    /// The job of a static validator on a submission in `language` that starts at `entry_point`, whose files lie
    /// around the feedback folder.
    pub(crate) fn static_job(&self, language: &str, entry_point: &str, feedback: &Feedback) -> Job {
        let mut argv = self.argv.clone();
        argv.extend([language.into(), entry_point.into(), feedback.argument()]);
        argv.extend(self.args.iter().map(OsString::from));
        Job {
            argv,
            env: self.env.clone(),
            work_dir: WorkDir::At(feedback.around().to_owned()),
            readable: self.readable.clone(),
            limits: self.limits,
        }
    }

    /// What the program says, having ended.
    pub(crate) fn heard(&self, feedback: &Feedback, execution: &Execution) -> Checked {
        let messages = Messages::read(feedback, execution);
        let mut score_files = feedback.scores();
        if !matches!(self.protocol, Protocol::Icpc | Protocol::Static) {
            if let Some(points) = partly_right(execution.exit, &messages) {
                score_files.score = Some(points.to_string().into());
                score_files.partly = messages.stderr.as_deref().map(first_line);
            } else if execution.exit == POINTS
                && let Some(points) = points_in(&messages)
            {
                score_files.score = Some(points.into());
                score_files.points = true;
            }
        }
        Checked {
            outcome: self.outcome(execution.exit, &messages),
            judge_message: messages.judge,
            team_message: messages.team,
            judge_bytes: messages.judge_bytes,
            score_files,
        }
    }

    fn noun(&self) -> &'static str {
        match self.protocol {
            Protocol::Icpc => "output validator",
            Protocol::Static => "static validator",
            Protocol::Testlib => "testlib checker",
            Protocol::Interactor => "interactor",
        }
    }

    fn outcome(&self, exit: Exit, messages: &Messages) -> CheckOutcome {
        use Protocol::{Icpc, Static};
        let noun = self.noun();
        let ending = match (self.protocol, exit) {
            (Icpc | Static, Exit::Code(42)) => return CheckOutcome::Accepted,
            (Icpc | Static, Exit::Code(code)) if code != 43 => {
                format!("exited with {code}, not with 42 (accept) or 43 (reject)")
            }
            (Protocol::Testlib | Protocol::Interactor, Exit::Code(0)) => {
                return CheckOutcome::Accepted;
            }
            (Protocol::Testlib | Protocol::Interactor, exit)
                if partly_right(exit, messages).is_some() =>
            {
                return CheckOutcome::Accepted;
            }
            // Presentation error, dirt after the output, unexpected end of file: wrong, too.
            (Icpc | Static, Exit::Code(_)) | (_, Exit::Code(1 | 2 | 4 | 8)) => {
                let said = messages.judge.as_deref().or(messages.stderr.as_deref());
                return CheckOutcome::Wrong(Mismatch {
                    headline: said.map_or_else(|| format!("the {noun} rejects it"), first_line),
                    at: None,
                });
            }
            (_, Exit::Code(3)) => "exited with 3 (fail)".to_owned(),
            (_, POINTS) if points_in(messages).is_some() => return CheckOutcome::Accepted,
            (_, POINTS) => "exited with 7 (points), but did not say how many".to_owned(),
            (_, Exit::Code(code)) => {
                format!("exited with {code}, not with 0 (ok), 1 (wrong) or 2 (presentation)")
            }
            (_, Exit::Signal(signal)) => format!("was killed by signal {signal}"),
            (_, Exit::Killed(limit)) => format!("was stopped: over its {}", limit_in_words(limit)),
        };
        let mut fault = format!("the {noun} {ending}");
        for (source, text) in [
            ("judgemessage.txt", &messages.judge),
            ("stderr", &messages.stderr),
        ] {
            if let Some(text) = text {
                fault.push('\n');
                fault.push_str(source);
                fault.push_str(": ");
                fault.push_str(text);
            }
        }
        CheckOutcome::Fault(fault)
    }
}

/// The points in what a testlib program says: `points 12.5 some words`.
fn points_in(messages: &Messages) -> Option<&str> {
    let mut words = messages.stderr.as_deref()?.split_whitespace();
    let points = words.next().filter(|word| *word == "points");
    points.and(words.next())
}

/// The points of `_pc(n)`, which ends with `n` and says `partially correct (n)`.
fn partly_right(exit: Exit, messages: &Messages) -> Option<i32> {
    let Exit::Code(code) = exit else { return None };
    let said = messages.stderr.as_deref()?.trim_start();
    let rest = said.strip_prefix("partially correct (")?;
    let points: i32 = rest.split_once(')')?.0.parse().ok()?;
    // The system keeps the last byte of it.
    (points >= 0 && points & 0xff == code & 0xff).then_some(points)
}

fn first_line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    one_line(line.unwrap_or_default().as_bytes(), HEADLINE)
}

fn limit_in_words(limit: LimitKind) -> &'static str {
    match limit {
        LimitKind::Cpu => "CPU time limit",
        LimitKind::Wall => "wall time limit",
        LimitKind::Memory => "memory limit",
        LimitKind::Output => "output limit",
        LimitKind::Processes => "limit of processes",
        LimitKind::Files => "limit of files",
    }
}

/// The checker runs in another folder, so every path must be absolute.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
#[path = "external_tests.rs"]
mod tests;
