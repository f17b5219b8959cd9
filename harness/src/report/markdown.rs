//! A summary in Markdown, as hosted CI shows one for a job: a row for each problem, and a list of what is not as
//! expected.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::PathBuf;

use crate::event::{CaseResult, Event, SubmissionReport, Summary};
use crate::report::Reporter;
use crate::report::matrix::ProblemTotals;
use crate::report::words::Disturbed;
use crate::show::markdown::{append, cell};
use crate::show::words::{Count, Seconds};

/// The summary, appended to `file` at the end of the run.
pub(crate) struct Markdown {
    file: PathBuf,
    problems: BTreeMap<String, ProblemTotals>,
    unexpected: Vec<String>,
    /// Lines for verdicts that stand although their runs were disturbed.
    in_doubt: Vec<String>,
}

/// The maximum number of verdicts in doubt that are listed.
const LISTED: usize = 10;

impl Markdown {
    /// A summary that is appended to `file`.
    pub(crate) fn new(file: PathBuf) -> Self {
        Self { file, problems: BTreeMap::new(), unexpected: Vec::new(), in_doubt: Vec::new() }
    }

    fn case(&mut self, result: &CaseResult) {
        if let Some(disturbance) = result.disturbance.filter(|disturbance| disturbance.stands) {
            self.in_doubt.push(format!(
                "- {} ({}): {}: {}\n",
                cell(&result.submission),
                cell(&result.case),
                result.verdict,
                Disturbed(&disturbance)
            ));
        }
    }

    fn add(&mut self, report: &SubmissionReport) {
        self.problems.entry(report.problem.clone()).or_default().add(report);
        if !report.met {
            let why = report.why_unexpected();
            let case = report.failures.first().map(|failure| format!(" ({})", failure.case));
            self.unexpected.push(format!(
                "- {}: {}{}\n",
                cell(&report.submission),
                cell(why.lines().next().unwrap_or_default()),
                cell(&case.unwrap_or_default())
            ));
        }
    }

    fn text(&self, summary: &Summary) -> String {
        let good = self.unexpected.is_empty() && summary.is_complete();
        let mut text = format!(
            "### rejudge run: {} {} of {} as expected\n\n| problem | as expected | cases | slowest AC |\n\
             |---|--:|--:|---|\n",
            if good { "✅" } else { "❌" },
            summary.met,
            Count(summary.submissions, "solution")
        );
        for (problem, totals) in &self.problems {
            let slowest = totals.slowest.as_ref();
            let slowest = slowest.map(|one| format!("{} ({})", Seconds(one.cpu), cell(&one.case)));
            let _ = writeln!(
                text,
                "| {} | {} of {} | {} | {} |",
                cell(problem),
                totals.met,
                totals.submissions,
                totals.cases,
                slowest.unwrap_or_default()
            );
        }
        if !self.unexpected.is_empty() {
            text.push('\n');
        }
        text.extend(self.unexpected.iter().map(String::as_str));
        if !self.in_doubt.is_empty() {
            let verdicts = Count(self.in_doubt.len(), "verdict");
            let _ = writeln!(
                text,
                "\nDisturbed: {verdicts} in doubt, because the machine was never idle.\n"
            );
            text.extend(self.in_doubt.iter().take(LISTED).map(String::as_str));
        }
        let sentences = |text: &mut String, mark: &str, sentences: &[String]| {
            for sentence in sentences {
                let _ = writeln!(text, "\n{mark} {}", cell(sentence));
            }
        };
        sentences(&mut text, "Note:", &summary.remarks);
        sentences(&mut text, "❌ **Incomplete:**", &summary.missing);
        if summary.interrupted {
            text.push_str("\nInterrupted: results up to the interruption.\n");
        }
        text.push('\n');
        text
    }
}

impl Reporter for Markdown {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::Case(result) => self.case(result),
            Event::Submission(report) => self.add(report),
            Event::Finished(summary) => append(&self.file, &self.text(summary))?,
            _ => {}
        }
        Ok(())
    }
}
