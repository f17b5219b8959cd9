//! Checkers that are programs of the problem's own: ICPC output validators and testlib checkers.
//!
//! This module prepares the files, names the job and reads the result; starting the program is
//! the caller's, who has the sandbox. Whatever the program leaves behind is not trusted: only
//! plain files are read, to a bound, and nothing of them is shown raw.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::sandbox::{
    Captured, Execution, Exit, Input, Job, LimitKind, Limits, SandboxError, WorkDir,
};

use super::printable::{one_line, paragraph};
use super::{CaseFiles, CheckOutcome, Checked, Mismatch};

/// Runs a job; the sandbox's, or a test's.
pub type RunJob<'a> = dyn FnMut(&Job, Input) -> Result<Execution, SandboxError> + 'a;

/// How much of a message is shown.
const MESSAGE_BYTES: usize = 4096;
/// How much of a file is read.
const FILE_BYTES: u64 = 1 << 20;
/// How much of a message's first line makes a headline.
const HEADLINE: usize = 200;

/// How a checker is called and how it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Protocol {
    /// `validator input answer feedback/ args… < output`; 42 accepts, 43 rejects.
    Icpc,
    /// `checker input output answer`; 0 accepts, 1 and 2 reject, 7 gives points.
    Testlib,
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
    pub(super) fn check(
        &self,
        input: &Path,
        answer: &Path,
        output: &Captured,
        run: &mut RunJob<'_>,
    ) -> Result<Checked, SandboxError> {
        let failed = |action: &str| {
            let action = format!("{action} for the {}", self.noun());
            move |source| SandboxError::Io { action, source }
        };
        let scratch = tempfile::Builder::new()
            .prefix("rejudge-check-")
            .tempdir()
            .map_err(failed("cannot make a temporary folder"))?;
        let feedback = scratch.path().join("feedback");
        fs::create_dir(&feedback).map_err(failed("cannot make the feedback folder"))?;
        let output_file = scratch.path().join("output");
        let stdin = match self.protocol {
            Protocol::Icpc => {
                Input::File(output.to_file().map_err(failed("cannot copy the output"))?)
            }
            Protocol::Testlib => {
                write_output(output, &output_file).map_err(failed("cannot copy the output"))?;
                Input::Empty
            }
        };
        let case = CaseFiles {
            input: &absolute(input),
            answer: Some(&absolute(answer)),
        };
        let job = self.job(&case, &output_file, &feedback);
        let execution = run(&job, stdin)?;
        let messages = Messages::read(&feedback, &execution);
        Ok(Checked {
            outcome: self.outcome(execution.exit, &messages),
            judge_message: messages.judge,
            team_message: messages.team,
            judge_bytes: messages.judge_bytes,
        })
    }

    fn job(&self, case: &CaseFiles<'_>, output: &Path, feedback: &Path) -> Job {
        let mut argv = self.argv.clone();
        let answer = case.answer.map(Path::as_os_str).unwrap_or_default();
        argv.push(case.input.into());
        match self.protocol {
            Protocol::Icpc => {
                argv.push(answer.into());
                // With a slash behind it: validators put names right after it.
                let mut folder = feedback.as_os_str().to_owned();
                folder.push("/");
                argv.push(folder);
            }
            Protocol::Testlib => argv.extend([output.into(), answer.into()]),
        }
        argv.extend(self.args.iter().map(OsString::from));
        let mut readable = self.readable.clone();
        readable.push(case.input.to_owned());
        readable.extend(case.answer.map(Path::to_owned));
        if self.protocol == Protocol::Testlib {
            readable.push(output.to_owned());
        }
        Job {
            argv,
            env: self.env.clone(),
            work_dir: WorkDir::At(feedback.to_owned()),
            readable,
            limits: self.limits,
        }
    }

    fn noun(&self) -> &'static str {
        match self.protocol {
            Protocol::Icpc => "output validator",
            Protocol::Testlib => "testlib checker",
        }
    }

    fn outcome(&self, exit: Exit, messages: &Messages) -> CheckOutcome {
        let noun = self.noun();
        let ending = match (self.protocol, exit) {
            (Protocol::Icpc, Exit::Code(42)) | (Protocol::Testlib, Exit::Code(0)) => {
                return CheckOutcome::Accepted;
            }
            (Protocol::Icpc, Exit::Code(43)) | (Protocol::Testlib, Exit::Code(1 | 2)) => {
                let said = messages.judge.as_deref().or(messages.stderr.as_deref());
                return CheckOutcome::Wrong(Mismatch {
                    headline: said.map_or_else(|| format!("the {noun} rejects it"), first_line),
                    at: None,
                });
            }
            (Protocol::Icpc, Exit::Code(code)) => {
                format!("exited with {code}, not with 42 (accept) or 43 (reject)")
            }
            (Protocol::Testlib, Exit::Code(3)) => "exited with 3 (fail)".to_owned(),
            (Protocol::Testlib, Exit::Code(7)) => {
                "exited with 7 (points), but the case has no points to give".to_owned()
            }
            (Protocol::Testlib, Exit::Code(code)) => {
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

/// What the checker said, made safe to show; `None` where it said nothing.
struct Messages {
    judge: Option<String>,
    team: Option<String>,
    stderr: Option<String>,
    judge_bytes: Vec<u8>,
}

impl Messages {
    fn read(feedback: &Path, execution: &Execution) -> Self {
        let read = |name| read_plain_file(feedback, name).unwrap_or_default();
        let judge_bytes = read("judgemessage.txt");
        let tail = &execution.stderr_tail;
        let kept = &tail[tail.len().saturating_sub(MESSAGE_BYTES)..];
        Self {
            judge: safe_text(&judge_bytes, MESSAGE_BYTES),
            team: safe_text(&read("teammessage.txt"), MESSAGE_BYTES),
            stderr: safe_text(kept, MESSAGE_BYTES),
            judge_bytes,
        }
    }
}

fn safe_text(bytes: &[u8], limit: usize) -> Option<String> {
    let text = paragraph(bytes, limit);
    (!text.trim().is_empty()).then_some(text)
}

/// The beginning of a file that the checker may have left. The checker has ended, so nothing
/// changes under our eyes: a link, a FIFO, a device or a folder is told apart before opening.
fn read_plain_file(folder: &Path, name: &str) -> Option<Vec<u8>> {
    if !fs::symlink_metadata(folder).ok()?.is_dir() {
        return None;
    }
    let path = folder.join(name);
    if !fs::symlink_metadata(&path).ok()?.is_file() {
        return None;
    }
    let mut text = Vec::new();
    let file = File::open(path).ok()?;
    file.take(FILE_BYTES).read_to_end(&mut text).ok()?;
    Some(text)
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
    }
}

fn write_output(output: &Captured, path: &Path) -> io::Result<()> {
    let mut file = File::create_new(path)?;
    io::copy(&mut output.reader()?, &mut file)?;
    file.flush()
}

/// The checker runs in another folder, so every path must be absolute.
fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
#[path = "external_tests.rs"]
mod tests;
