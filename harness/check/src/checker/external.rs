//! Checkers that are programs of the problem: ICPC output validators, testlib checkers and
//! interactors.
//!
//! This module prepares the files, describes the job and reads the result. The caller, who has the
//! sandbox, starts the program.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::OwnPaths;
use rejudge_sandbox::{
    Captured, Execution, Exit, Input, Job, Limits, RunJob, SandboxError, WorkDir,
};

use super::feedback::{Feedback, Messages};
use super::{CheckOutcome, Checked, CheckerFiles, Mismatch, foreign};
use rejudge_problem::checker_spec::Convention;

/// The exit code of a testlib program that awards points.
const POINTS: Exit = Exit::Code(7);

/// How a checker is called and how it reports its decision.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// `validator input answer feedback/ args… < output`; 42 accepts, 43 rejects.
    Icpc,
    /// `checker input output answer`; 0 accepts, 1 and 2 reject, 7 gives points.
    Testlib,
    /// `validator language entry_point feedback/ args…` in the folder of the submission's files; 42
    /// accepts, 43 rejects.
    Static,
    /// `interactor input output answer`, connected to the submission; its exit codes are those of a
    /// testlib checker.
    Interactor,
    /// A checker for another judge.
    Foreign(Convention),
}

/// A checker that is built and ready to run.
#[derive(Debug, Clone)]
pub struct CheckerProgram {
    /// How the checker is called.
    pub protocol: Protocol,
    /// The absolute path of the program and the arguments that its language puts first.
    pub argv: Vec<OsString>,
    /// The problem's arguments for the checker.
    pub args: Vec<String>,
    /// All arguments, with names in place of the files of the case; empty: those of the protocol.
    pub call: Vec<String>,
    /// How an interactor reports its decision; `None`: as programs of testlib.
    pub convention: Option<Convention>,
    /// The complete environment.
    pub env: Vec<(OsString, OsString)>,
    /// Paths that the checker may read besides the case: its build artefact.
    pub readable: Vec<PathBuf>,
    /// How users know the files that its messages name.
    pub own_paths: Arc<OwnPaths>,
    /// The checker's limits.
    pub limits: Limits,
}

impl CheckerProgram {
    /// Checks one output. `Err` is a failure of the sandbox or an interruption; every fault of the
    /// checker is a [`CheckOutcome::Fault`].
    pub fn check(
        &self,
        case: CheckerFiles<'_>,
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
                // The output comes after the input and before the answer.
                let place = self.argv.len() + 1;
                job.argv.insert(place, output.clone().into());
                job.readable.push(output);
                Input::Empty
            }
            Protocol::Foreign(Convention::OmegaUp) => {
                let answer = case.answer.map(absolute);
                let named = [("data.in", Some(absolute(case.input))), ("data.out", answer)];
                for (name, path) in named {
                    let Some(path) = path else { continue };
                    feedback.link(name, &path).map_err(failed)?;
                }
                job.argv.push(case.input.file_stem().unwrap_or_default().into());
                output.to_input().map_err(failed)?
            }
            Protocol::Foreign(convention) => {
                let output = feedback.write_output(output).map_err(failed)?;
                let answer = case.answer.map(absolute).unwrap_or_default();
                if self.call.is_empty() {
                    for &file in foreign::arguments(convention) {
                        let path = match file {
                            foreign::CheckerArgument::Input => absolute(case.input),
                            foreign::CheckerArgument::Output => output.clone(),
                            foreign::CheckerArgument::Answer => answer.clone(),
                        };
                        job.argv.push(path.into());
                    }
                } else {
                    let files = [absolute(case.input), output.clone(), answer];
                    job.argv.extend(called_with(&self.call, &files));
                }
                job.readable.push(output);
                Input::Empty
            }
        };
        let execution = run(&job, stdin)?;
        Ok(self.result(feedback, &execution))
    }

    /// The job of an interactive program; also that of a testlib checker, except for the output.
    pub fn job(&self, case: CheckerFiles<'_>, feedback: &Feedback) -> Job {
        let mut argv = self.argv.clone();
        let (input, answer) = (absolute(case.input), case.answer.map(absolute));
        let own_call = self.protocol == Protocol::Interactor && !self.call.is_empty();
        if !own_call && !matches!(self.protocol, Protocol::Foreign(_)) {
            argv.push(input.clone().into());
        }
        match self.protocol {
            Protocol::Interactor if own_call => {
                let answer = answer.clone().unwrap_or_default();
                let files = [input.clone(), feedback.tout(), answer];
                argv.extend(called_with(&self.call, &files));
            }
            // The output is between the other files: the caller adds all of them.
            Protocol::Foreign(_) => {}
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
            preload: None,
        }
    }

    /// The job of a static validator. The submission is in `language` and starts at `entry_point`;
    /// its files lie in the folder that holds the feedback folder.
    pub fn static_job(&self, language: &str, entry_point: &str, feedback: &Feedback) -> Job {
        let mut argv = self.argv.clone();
        argv.extend([language.into(), entry_point.into(), feedback.argument()]);
        argv.extend(self.args.iter().map(OsString::from));
        Job {
            argv,
            env: self.env.clone(),
            work_dir: WorkDir::At(feedback.around().to_owned()),
            readable: self.readable.clone(),
            limits: self.limits,
            preload: None,
        }
    }

    /// The decision and the messages of the program after it has ended.
    pub fn result(&self, feedback: &Feedback, execution: &Execution) -> Checked {
        let messages = Messages::read(feedback, execution, &self.own_paths);
        let convention = match self.protocol {
            Protocol::Foreign(convention) => Some(convention),
            _ => self.convention,
        };
        if let (Some(convention), Exit::Code(code)) = (convention, execution.exit) {
            let (stdout, reader) = (&execution.stdout, (self.noun(), convention));
            let (outcome, score_files) = foreign::decide(reader, code, stdout, &messages);
            return Checked {
                outcome,
                judge_message: messages.stderr.clone(),
                team_message: None,
                judge_bytes: messages.judge_bytes,
                score_files,
                timed_out: ended_by_time(execution),
            };
        }
        let mut score_files = feedback.scores();
        if !matches!(self.protocol, Protocol::Icpc | Protocol::Static) {
            if let Some(points) = partly_right(execution.exit, &messages) {
                score_files.score = Some(points.to_string().into());
                score_files.partly = messages.stderr.as_deref().map(foreign::first_line);
            } else if execution.exit == POINTS
                && let Some(points) = points_in(&messages)
            {
                score_files.score = Some(points.into());
                score_files.points = true;
                score_files.partly = messages.stderr.as_deref().map(foreign::first_line);
            }
        }
        Checked {
            outcome: self.outcome(execution.exit, &messages),
            judge_message: messages.judge,
            team_message: messages.team,
            judge_bytes: messages.judge_bytes,
            score_files,
            timed_out: ended_by_time(execution),
        }
    }

    fn noun(&self) -> &'static str {
        match self.protocol {
            Protocol::Icpc => "output validator",
            Protocol::Static => "static validator",
            Protocol::Testlib => "testlib checker",
            Protocol::Interactor => "interactor",
            Protocol::Foreign(_) => "checker",
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
            // Presentation error, trailing data, unexpected end of file: all of them are wrong
            // answers.
            (Icpc | Static, Exit::Code(_)) | (_, Exit::Code(1 | 2 | 4 | 8)) => {
                let printed = messages.judge.as_deref().or(messages.stderr.as_deref());
                return CheckOutcome::Wrong(match printed {
                    Some(message) => Mismatch::of_message(message),
                    None => Mismatch {
                        headline: format!("the {noun} rejects it"),
                        ..Mismatch::default()
                    },
                });
            }
            (_, Exit::Code(3)) => "exited with 3 (fail)".to_owned(),
            (_, POINTS) if points_in(messages).is_some() => return CheckOutcome::Accepted,
            (_, POINTS) => "exited with 7 (points) without printing the points".to_owned(),
            (_, Exit::Code(code)) => {
                format!("exited with {code}, not with 0 (ok), 1 (wrong) or 2 (presentation)")
            }
            (_, Exit::Signal(signal)) => format!("was killed by signal {signal}"),
            (_, Exit::Killed(limit)) => format!("exceeded its {limit}"),
            (_, Exit::Stopped) => "was stopped".to_owned(),
        };
        let mut fault = format!("the {noun} {ending}");
        for (source, text) in [("judgemessage.txt", &messages.judge), ("stderr", &messages.stderr)]
        {
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

/// The arguments of `call` with the paths of the input, the output and the answer.
fn called_with(call: &[String], files: &[PathBuf; 3]) -> Vec<OsString> {
    let names = ["{input_file}", "{output_file}", "{answer_file}"];
    let word = |word: &String| {
        let pairs = names.iter().zip(files);
        let filled = pairs
            .fold(word.clone(), |word, (name, path)| word.replace(name, &path.to_string_lossy()));
        OsString::from(filled)
    };
    call.iter().map(word).collect()
}

/// Whether the program exceeded a time limit.
fn ended_by_time(execution: &Execution) -> bool {
    matches!(execution.exit, Exit::Killed(limit) if limit.is_of_time())
}

/// The points in a testlib program's message `points 12.5 some words`.
fn points_in(messages: &Messages) -> Option<&str> {
    let mut words = messages.stderr.as_deref()?.split_whitespace();
    let points = words.next().filter(|word| *word == "points");
    points.and(words.next())
}

/// The points of `_pc(n)`: the program exits with `n` and prints `partially correct (n)`.
fn partly_right(exit: Exit, messages: &Messages) -> Option<i32> {
    let Exit::Code(code) = exit else { return None };
    let printed = messages.stderr.as_deref()?.trim_start();
    let rest = printed.strip_prefix("partially correct (")?;
    let points: i32 = rest.split_once(')')?.0.parse().ok()?;
    // The system keeps only the last byte of the exit code.
    (points >= 0 && points & 0xff == code & 0xff).then_some(points)
}

/// The checker runs in another folder, so every path must be absolute.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
#[path = "external_tests.rs"]
mod tests;
