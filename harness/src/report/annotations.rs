//! Annotations for hosted CI: one for each unexpected solution.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::path::PathBuf;

use crate::event::{Event, SubmissionReport};
use crate::report::Reporter;
use crate::show::annotation::{MOST, error};

/// Collects the annotations and writes them at the end, after all other reports.
pub(crate) struct Annotations<W> {
    out: W,
    /// The folder that names of submissions are relative to.
    base: PathBuf,
    /// The folder that GitHub's paths are relative to.
    workspace: Option<PathBuf>,
    lines: Vec<String>,
}

impl<W: Write> Annotations<W> {
    pub(crate) fn new(out: W, base: PathBuf, workspace: Option<PathBuf>) -> Self {
        Self { out, base, workspace, lines: Vec::new() }
    }

    fn submission(&mut self, report: &SubmissionReport) {
        if report.met || self.lines.len() == MOST {
            return;
        }
        let path = self.base.join(&report.submission);
        let line = error(&path, self.workspace.as_deref(), "rejudge", &message(report));
        self.lines.push(line);
    }
}

impl<W: Write> Reporter for Annotations<W> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::Submission(report) => self.submission(report),
            Event::Finished(_) => {
                self.out.write_all(self.lines.concat().as_bytes())?;
                self.out.flush()?;
            }
            _ => {}
        }
        Ok(())
    }
}

/// What is unexpected, and the evidence of the first case.
fn message(report: &SubmissionReport) -> String {
    let mut message = report.why_unexpected().into_owned();
    // Writing to a `String` cannot fail.
    if let Some(failure) = report.failures.first() {
        let _ = write!(message, " ({})", failure.case);
        if let Some(reason) = &failure.reason {
            let _ = write!(message, ": {reason}");
        }
    }
    if let Some(error) = &report.build.error {
        let _ = write!(message, "\n{}", anstream::adapter::strip_str(error));
    }
    message
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Summary;
    use crate::show::hostile::{self, obeyed};
    use crate::specimen;
    use crate::verdict::Verdict;

    fn annotated(reports: &[SubmissionReport]) -> String {
        let mut out = Vec::new();
        let [base, workspace] = ["/w/sub", "/w"].map(PathBuf::from);
        let mut reporter = Annotations::new(&mut out, base, Some(workspace));
        for report in reports {
            reporter.event(&Event::Submission(report)).unwrap();
        }
        let summary = Summary::default();
        reporter.event(&Event::Finished(&summary)).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn an_unexpected_solution_is_an_error_in_its_file() {
        let mut report = specimen::report("solutions/p/a, b:c%.rs", Verdict::WrongAnswer);
        let mut failure = specimen::result("secret/1", Verdict::WrongAnswer);
        failure.reason = Some(String::from("token 1:\n50 %, not 51"));
        report.failures = vec![failure];
        let met = specimen::report("solutions/p/b.rs", Verdict::Accepted);
        assert_eq!(
            annotated(&[report, met]),
            "::error file=sub/solutions/p/a%2C b%3Ac%25.rs,title=rejudge::got WA, expected AC (secret/1): token 1:%0A50 %25, \
             not 51\n"
        );
    }

    #[test]
    fn no_more_errors_are_written_than_the_page_shows() {
        let reports = vec![specimen::report("a.rs", Verdict::WrongAnswer); 40];
        assert_eq!(annotated(&reports).lines().count(), MOST);
    }

    fn assert_one_inert_command(text: &str) {
        let mut report = specimen::report(text, Verdict::CompileError);
        report.complaint = Some(text.to_owned());
        report.build.error = Some(text.to_owned());
        let line = annotated(&[report]);
        let command = line.strip_prefix("::error file=").unwrap().strip_suffix('\n').unwrap();
        assert_eq!(command.lines().count(), 1, "{line}");
        // Neither the path nor the message ends early: there is exactly one title, before the message.
        let (file, message) = command.split_once(",title=rejudge::").unwrap();
        assert!(!file.contains([':', ',']), "{line}");
        assert_eq!(obeyed(&format!("x{message}")), None, "{line}");
    }

    #[test]
    fn hostile_names_and_messages_stay_text() {
        for text in [&hostile::corpus(), "a,line=1::x\n::stop-commands::y", "::"] {
            assert_one_inert_command(text);
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_stays_text(text in hostile::text()) {
            assert_one_inert_command(&text);
        }
    }
}
