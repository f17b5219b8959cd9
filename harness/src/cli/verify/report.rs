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
use crate::show::json_line;
use crate::show::style::{BAD, GOOD, WARN};
use crate::show::words::Count;
use crate::verify::{CheckCounts, Finding, FindingLine, ProblemLine, Severity, VerifyStartLine};

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
        let line = VerifyStartLine::new(sandbox);
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
        let line = FindingLine::new(problem, finding, path);
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
