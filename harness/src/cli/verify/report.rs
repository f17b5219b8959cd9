//! The report of `rejudge verify`, as text and as JSON lines.

use std::cell::RefCell;
use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde::Serialize;

use super::VerifyArgs;
use super::page::VerifyPage;
use crate::cli::exit::CommandExit;
use crate::cli::json_output::JsonOutput;
use crate::cli::stream;
use crate::event::{Origin, Outline};
use crate::notice::{Fold, more, shown};
use crate::problem::Problem;
use crate::report::html::{PageCheck, PageFinding};
use crate::sandbox::Facts;
use crate::show::annotation;
use crate::show::facts::{MachineFacts, SandboxFacts};
use crate::show::json_line;
use crate::show::style::{BAD, GOOD, WARN};
use crate::show::words::Count;
use crate::strength::{CatchCounts, caught_words};
use crate::verify::{self, Finding, Severity};

/// The number of checks of a problem.
#[derive(Debug, Default)]
pub(super) struct CheckCounts {
    pub(super) inputs: verify::InputCounts,
    pub(super) answers: verify::AnswerCounts,
    pub(super) submissions: verify::SubmissionCounts,
    /// How many wrong submissions the cases catch; `None` without submissions.
    pub(super) strength: Option<CatchCounts>,
}

/// The version of the schema.
const SCHEMA: u32 = 1;

/// The first line in JSON: the machine and the sandbox.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ReportStart {
    #[serde(rename = "type")]
    kind: &'static str,
    schema: u32,
    version: &'static str,
    machine: MachineFacts,
    sandbox: SandboxFacts,
}

/// A finding in JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ReportLine<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    schema: u32,
    problem: &'a str,
    severity: &'static str,
    subject: &'static str,
    code: &'static str,
    path: Option<String>,
    message: &'a str,
    help: Option<&'a str>,
}

/// Prints the findings, as text or JSON.
pub(super) struct Report<'a> {
    pub(super) args: &'a VerifyArgs,
    /// Paths are shown relative to this folder.
    pub(super) base: PathBuf,
    /// Where JSON goes.
    pub(super) output: RefCell<JsonOutput>,
    /// The page, if it is requested.
    pub(super) page: RefCell<Option<VerifyPage>>,
    /// The annotations for hosted CI, if it asks for them; printed at the end.
    pub(super) annotations: RefCell<Vec<String>>,
}

impl Report<'_> {
    /// Prints the first line of JSON; nothing as text. Starts the page.
    pub(super) fn start(&self, sandbox: &Facts, jobs: usize) -> Result<()> {
        if let Some(page) = &mut *self.page.borrow_mut() {
            let outline = Outline {
                submissions: 0,
                cases: 0,
                jobs,
                sandbox: sandbox.clone(),
                origin: Origin::here(self.args.arguments_of_rerun()),
                shard: None,
            };
            page.start(&outline, self.args.strict);
        }
        let line = ReportStart {
            kind: "start",
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION"),
            machine: MachineFacts::here(),
            sandbox: sandbox.into(),
        };
        self.write(&line, |_| Ok(()))
    }

    fn write(
        &self,
        line: &impl Serialize,
        text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<()> {
        let mut output = self.output.borrow_mut();
        output.write(|out| json_line::write(out, line), text)?;
        Ok(())
    }

    /// Prints one finding. Returns the exit for it.
    pub(super) fn finding(&self, problem: &str, finding: &Finding) -> Result<CommandExit> {
        self.folded(problem, finding, Fold::Shown)
    }

    /// Prints one finding of a list in which a text shows only some of many. Returns the exit for it.
    pub(super) fn folded(
        &self,
        problem: &str,
        finding: &Finding,
        fold: Fold,
    ) -> Result<CommandExit> {
        let path = finding.path.as_ref().map(|path| shown(path, Some(&self.base)));
        if let Some(page) = &mut *self.page.borrow_mut() {
            page.finding(PageFinding {
                problem: problem.to_owned(),
                is_error: finding.severity == Severity::Error,
                code: finding.code.name(),
                path: path.clone(),
                message: finding.message.clone(),
                help: finding.help.clone(),
            });
        }
        let style = match finding.severity {
            Severity::Error => BAD,
            Severity::Warning => WARN,
        };
        let word = finding.severity.word();
        let place = path.as_ref().map(|path| format!("{path}: ")).unwrap_or_default();
        let line = ReportLine {
            kind: "finding",
            schema: SCHEMA,
            problem,
            severity: word,
            subject: finding.subject.word(),
            code: finding.code.name(),
            path,
            message: &finding.message,
            help: finding.help.as_deref(),
        };
        self.write(&line, |out| {
            if fold == Fold::Hidden {
                return Ok(());
            }
            writeln!(out, "{style}{word}{style:#}: {place}{}", finding.message)?;
            if let Some(help) = &finding.help {
                writeln!(out, "help: {help}")?;
            }
            if let Fold::Last(count) = fold {
                writeln!(out, "{style}{word}{style:#}: {}", more(count))?;
            }
            Ok(())
        })?;
        let counts = self.args.strict || finding.severity == Severity::Error;
        if counts {
            self.annotate(finding);
        }
        Ok(if counts { CommandExit::Unexpected } else { CommandExit::Expected })
    }

    fn annotate(&self, finding: &Finding) {
        let mut lines = self.annotations.borrow_mut();
        let Some(path) = &finding.path else { return };
        if !annotation::wanted() || lines.len() == annotation::MOST {
            return;
        }
        let path = self.base.join(path);
        let path = path.canonicalize().unwrap_or(path);
        let workspace = annotation::workspace();
        let title = "rejudge verify";
        lines.push(annotation::error(&path, workspace.as_deref(), title, &finding.message));
    }

    /// Writes the page, and prints the annotations: after everything else, because GitHub reads them as commands.
    pub(super) fn finish(&self) -> Result<()> {
        self.write_page(false)?;
        let lines = self.annotations.borrow().concat();
        if matches!(&*self.output.borrow(), JsonOutput::Stdout) {
            // A closed standard error is not an error.
            let _ = io::stderr().write_all(lines.as_bytes());
        } else {
            stream::print_as_is(lines.as_bytes())?;
        }
        Ok(())
    }

    /// Writes the page, if it is requested.
    pub(super) fn write_page(&self, interrupted: bool) -> Result<()> {
        match self.page.take() {
            None => Ok(()),
            Some(page) => page.finish(interrupted).with_context(|| self.args.page.unwritten()),
        }
    }

    /// Prints the summary line of a problem.
    pub(super) fn problem(
        &self,
        problem: &Problem,
        looked: &CheckCounts,
        findings: &[Finding],
    ) -> Result<()> {
        let count = |severity| {
            let of_it = findings.iter().filter(|finding| finding.severity == severity);
            of_it.count()
        };
        let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
        let (style, word) = match (errors, warnings) {
            (0, 0) => (GOOD, "ok   "),
            (0, _) if !self.args.strict => (WARN, "ok   "),
            _ => (BAD, "FAIL "),
        };
        let mut parts = Vec::new();
        if errors > 0 {
            parts.push(Count(errors, "error").to_string());
        }
        if warnings > 0 {
            parts.push(Count(warnings, "warning").to_string());
        }
        if let Some(page) = &mut *self.page.borrow_mut() {
            page.check(PageCheck {
                problem: problem.id.clone(),
                errors,
                warnings,
                checked: looked.words().collect::<Vec<_>>().join(", "),
            });
        }
        parts.extend(looked.words());
        let parts = parts.join(", ");
        let line = ProblemLine::new(problem, looked, errors, warnings);
        self.write(&line, |out| writeln!(out, "{style}{word}{style:#} {:<16} {parts}", problem.id))
    }
}

impl CheckCounts {
    /// The non-zero counts, human-readable.
    fn words(&self) -> impl Iterator<Item = String> {
        let Self { inputs, answers, submissions, strength } = self;
        let counts = [
            (inputs.inputs, "input"),
            (inputs.invalid, "invalid input"),
            (answers.answers, "answer"),
            (answers.declared, "declared output"),
            (inputs.mutations + answers.mutations, "mutation"),
            (submissions.submissions, "submission"),
        ];
        let some = counts.into_iter().filter(|(count, _)| *count > 0);
        let strength = strength.as_ref().filter(|counts| counts.wrong > 0);
        some.map(|(count, noun)| Count(count, noun).to_string()).chain(strength.map(caught_words))
    }
}

/// The summary line of a problem in JSON.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct ProblemLine<'a> {
    #[serde(rename = "type")]
    kind: &'static str,
    schema: u32,
    problem: &'a str,
    errors: usize,
    warnings: usize,
    inputs: usize,
    invalid_inputs: usize,
    answers: usize,
    declared_outputs: usize,
    mutations: usize,
    submissions: usize,
    submissions_met: usize,
    wrong_submissions: usize,
    wrong_caught: usize,
    minimal_cases: usize,
}

impl<'a> ProblemLine<'a> {
    fn new(problem: &'a Problem, looked: &CheckCounts, errors: usize, warnings: usize) -> Self {
        Self {
            kind: "problem",
            schema: SCHEMA,
            problem: &problem.id,
            errors,
            warnings,
            inputs: looked.inputs.inputs,
            invalid_inputs: looked.inputs.invalid,
            answers: looked.answers.answers,
            declared_outputs: looked.answers.declared,
            mutations: looked.inputs.mutations + looked.answers.mutations,
            submissions: looked.submissions.submissions,
            submissions_met: looked.submissions.met,
            wrong_submissions: looked.strength.map_or(0, |counts| counts.wrong),
            wrong_caught: looked.strength.map_or(0, |counts| counts.caught),
            minimal_cases: looked.strength.map_or(0, |counts| counts.minimal),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::schema;

    #[test]
    fn the_schema_of_verify_is_up_to_date() {
        let lines = vec![
            schema::of_line_called::<ReportStart>("start"),
            schema::of_line_called::<ReportLine<'static>>("finding"),
            schema::of_line_called::<ProblemLine<'static>>("problem"),
        ];
        let counts = ["wrong_submissions", "wrong_caught", "minimal_cases"];
        let lines = schema::later_than_0_1_0(lines, &counts);
        let lines = schema::later_than_0_1_0(lines, &["schema", "code"]);
        schema::is_up_to_date("verify", lines);
    }
}
