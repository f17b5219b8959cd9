//! The report for people: one line for a green problem, everything that helps for a red one.

use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

use crate::bytes::Bytes;
use crate::event::{CaseResult, Event, SubmissionReport, Summary};
use crate::report::Reporter;
use crate::report::progress::Progress;
use crate::report::style::{BAD, BOLD, DIM, GOOD, WARN};
use crate::report::words::{Count, LimitSeconds, Seconds};
use crate::verdict::Verdict;

/// How much is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Verbosity {
    /// `-q`: only what is not as expected, and no summary when all is.
    Quiet,
    /// A line for each problem.
    Normal,
    /// `-v`: a line for each submission too.
    Submissions,
    /// `-vv`: a line for each case too.
    Cases,
}

/// Writes to `out`; the styles in what it writes are for the stream to keep or strip.
pub(crate) struct Terminal<W> {
    out: W,
    verbosity: Verbosity,
    progress: Progress,
    problem: Option<ProblemSum>,
    unexpected: Vec<String>,
    text: String,
}

/// What has been seen of the problem at hand.
struct ProblemSum {
    id: String,
    cases: usize,
    submissions: usize,
    unexpected: usize,
    slowest: Option<(String, Duration)>,
    limit: Duration,
    peak_memory: Bytes,
}

impl<W: Write> Terminal<W> {
    /// A report with a live bar on a terminal if `live`.
    pub(crate) fn new(out: W, verbosity: Verbosity, live: bool) -> Self {
        let progress = if live {
            Progress::new()
        } else {
            Progress::hidden()
        };
        Self {
            out,
            verbosity,
            progress,
            problem: None,
            unexpected: Vec::new(),
            text: String::new(),
        }
    }

    fn submission(&mut self, report: &SubmissionReport) {
        if self
            .problem
            .as_ref()
            .is_some_and(|sum| sum.id != report.problem)
        {
            self.end_problem();
        }
        let sum = self.problem.get_or_insert_with(|| ProblemSum::new(report));
        sum.add(report);
        if !report.met {
            self.unexpected.push(summary_line(report));
            self.text.push_str(&failure(report));
        } else if self.verbosity >= Verbosity::Submissions {
            self.text.push_str(&submission_line(report));
        }
    }

    fn end_problem(&mut self) {
        let Some(sum) = self.problem.take() else {
            return;
        };
        if self.verbosity >= Verbosity::Normal {
            self.text.push_str(&problem_line(&sum));
        }
    }

    fn finish(&mut self, summary: &Summary) {
        self.end_problem();
        self.progress.finish();
        let green = self.unexpected.is_empty() && !summary.interrupted;
        if self.verbosity > Verbosity::Quiet || !green {
            self.text.push_str(&closing(summary, &self.unexpected));
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.text.is_empty() {
            return Ok(());
        }
        let (out, text) = (&mut self.out, &self.text);
        self.progress.suspend(|| {
            out.write_all(text.as_bytes())?;
            out.flush()
        })?;
        self.text.clear();
        Ok(())
    }
}

impl<W: Write> Reporter for Terminal<W> {
    fn event(&mut self, event: &Event<'_>) -> io::Result<()> {
        match event {
            Event::Started(outline) => self.progress.expect(outline.cases),
            Event::Working(work) => self.progress.work(*work),
            Event::Case(result) if self.verbosity >= Verbosity::Cases => {
                self.text.push_str(&case_line(result));
            }
            Event::Case(_) => {}
            Event::Submission(report) => {
                self.progress.skip(report.cases - report.run);
                self.submission(report);
            }
            Event::Finished(summary) => self.finish(summary),
        }
        self.flush()
    }
}

impl ProblemSum {
    fn new(report: &SubmissionReport) -> Self {
        Self {
            id: report.problem.clone(),
            cases: report.cases,
            submissions: 0,
            unexpected: 0,
            slowest: None,
            limit: report.limits.cpu_time,
            peak_memory: Bytes(0),
        }
    }

    fn add(&mut self, report: &SubmissionReport) {
        self.submissions += 1;
        self.unexpected += usize::from(!report.met);
        if report.verdict != Verdict::Accepted {
            return;
        }
        let slower = |(_, cpu): &&(String, Duration)| {
            self.slowest
                .as_ref()
                .is_none_or(|(_, slowest)| slowest < cpu)
        };
        if let Some(slowest) = report.slowest.as_ref().filter(slower) {
            self.slowest = Some(slowest.clone());
        }
        self.peak_memory = self.peak_memory.max(report.peak_memory);
    }
}

/// `ok    klotski  9 solutions as expected, 31 cases  slowest AC 0.412 s of 2 s (secret/x), 52 MiB`
fn problem_line(sum: &ProblemSum) -> String {
    let mut line = String::new();
    let ok = sum.unexpected == 0;
    let (style, word) = if ok { (GOOD, "ok  ") } else { (BAD, "FAIL") };
    let solutions = Count(sum.submissions, "solution");
    let _ = write!(
        line,
        "{style}{word}{style:#}  {BOLD}{:<16}{BOLD:#} ",
        sum.id
    );
    let _ = if ok {
        write!(line, "{solutions} as expected")
    } else {
        write!(line, "{} of {solutions} not as expected", sum.unexpected)
    };
    let _ = write!(line, ", {}", Count(sum.cases, "case"));
    if let Some((case, cpu)) = &sum.slowest {
        let (limit, memory) = (LimitSeconds(sum.limit), sum.peak_memory);
        let _ = write!(
            line,
            "{DIM}  slowest AC {} of {limit} ({case}), {memory}{DIM:#}",
            Seconds(*cpu)
        );
    }
    line.push('\n');
    line
}

/// `ok    solutions/klotski/klotski.rs  AC  31/31 …`
fn submission_line(report: &SubmissionReport) -> String {
    let mut line = format!(
        "{GOOD}ok{GOOD:#}    {}  {:<4} {}/{} accepted",
        report.submission, report.verdict, report.accepted, report.cases
    );
    line.push_str(&figures(report));
    line.push('\n');
    line
}

fn figures(report: &SubmissionReport) -> String {
    let mut text = String::new();
    if let Some((case, cpu)) = &report.slowest {
        let (seconds, memory) = (Seconds(*cpu), report.peak_memory);
        let _ = write!(text, ", slowest {seconds} ({case}), {memory}");
    }
    text
}

/// Everything about a submission that is not as expected.
fn failure(report: &SubmissionReport) -> String {
    let mut text = format!("{BAD}FAIL{BAD:#}  {BOLD}{}{BOLD:#}: ", report.submission);
    if let Some(why) = &report.not_judged {
        let _ = writeln!(text, "not judged: {why}");
        return text;
    }
    let complaint = report.complaint.as_deref().unwrap_or("not as expected");
    let _ = write!(text, "{complaint}");
    if let Some(error) = &report.build.error {
        let _ = writeln!(text, "\n{}", indented(error.trim_end(), "      "));
        return text;
    }
    let _ = write!(
        text,
        " ({} of {} accepted",
        report.accepted,
        Count(report.cases, "case")
    );
    let _ = writeln!(text, "{})", figures(report));
    for (index, result) in report.failures.iter().enumerate() {
        text.push_str(&failed_case(result, index == 0));
    }
    let more = report.failed.saturating_sub(report.failures.len());
    if more > 0 {
        let _ = writeln!(
            text,
            "      {DIM}… and {} like these{DIM:#}",
            Count(more, "more case")
        );
    }
    text
}

/// One case that speaks against the submission; the first of them with all that is known.
fn failed_case(result: &CaseResult, first: bool) -> String {
    let mut text = format!(
        "      {BOLD}{}{BOLD:#}  {BAD}{}{BAD:#}",
        result.case, result.verdict
    );
    let reason = result.reason.as_deref().unwrap_or_default();
    let (headline, more) = reason.split_once('\n').unwrap_or((reason, ""));
    let _ = writeln!(text, "  {headline}");
    if !first {
        return text;
    }
    if !more.is_empty() {
        let _ = writeln!(text, "{}", indented(more.trim_end(), "        "));
    }
    if let Some(diff) = &result.diff {
        let _ = writeln!(text, "{}", indented(diff.trim_end(), "        "));
    }
    if let Some(stderr) = &result.stderr {
        let _ = writeln!(text, "        {DIM}standard error:{DIM:#}");
        let _ = writeln!(text, "{}", indented(stderr.trim_end(), "          "));
    }
    let rerun = rerun_command(&result.submission, &result.case);
    let _ = writeln!(text, "        {DIM}rerun: {rerun}{DIM:#}");
    text
}

/// The command that runs this one case again.
fn rerun_command(submission: &str, case: &str) -> String {
    let separator = if submission.starts_with('-') {
        "-- "
    } else {
        ""
    };
    format!(
        "rejudge run --case {} {separator}{}",
        quoted(case),
        quoted(submission)
    )
}

/// Quoted for a shell, where that is needed.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "/._-+=:@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// `  secret/01  AC  0.012 s` under the submission that it belongs to.
fn case_line(result: &CaseResult) -> String {
    let style = if result.permitted { GOOD } else { BAD };
    let mut line = format!(
        "  {}  {}  {style}{}{style:#}  {}, wall {}, {}",
        result.submission,
        result.case,
        result.verdict,
        Seconds(result.usage.cpu()),
        Seconds(result.usage.wall),
        result.usage.peak_memory
    );
    if let Some(repeats) = &result.repeats {
        let _ = write!(
            line,
            ", {} runs: {} to {}, median {}",
            repeats.verdicts.len(),
            Seconds(repeats.cpu_min),
            Seconds(repeats.cpu_max),
            Seconds(repeats.cpu_median)
        );
    }
    if let Some(reason) = &result.reason {
        let headline = reason.lines().next().unwrap_or_default();
        let _ = write!(line, "  {DIM}{headline}{DIM:#}");
    }
    line.push('\n');
    line
}

/// The line of an unexpected submission in the closing summary.
fn summary_line(report: &SubmissionReport) -> String {
    let why = match (&report.not_judged, &report.complaint) {
        (Some(why), _) => format!("not judged: {why}"),
        (None, Some(complaint)) => complaint.clone(),
        (None, None) => String::from("not as expected"),
    };
    let case = report
        .failures
        .first()
        .map(|result| format!(" ({})", result.case));
    format!("{}: {why}{}", report.submission, case.unwrap_or_default())
}

/// The last lines: the figures, and what was unexpected once more.
fn closing(summary: &Summary, unexpected: &[String]) -> String {
    let mut text = String::from("\n");
    let style = if unexpected.is_empty() { GOOD } else { BAD };
    let _ = write!(text, "{}: ", Count(summary.submissions, "solution"));
    let _ = write!(text, "{style}{} as expected", summary.met);
    for (count, words) in [
        (summary.unexpected, "not as expected"),
        (summary.not_judged, "not judged"),
        (summary.skipped, "left out"),
    ] {
        if count > 0 {
            let _ = write!(text, ", {count} {words}");
        }
    }
    let (cases, wall) = (Count(summary.cases, "case"), summary.wall.as_secs_f64());
    let _ = writeln!(text, "{style:#} ({cases} in {wall:.1} s)");
    for line in unexpected {
        let _ = writeln!(text, "  {BAD}{line}{BAD:#}");
    }
    if summary.interrupted {
        let _ = writeln!(
            text,
            "{WARN}interrupted{WARN:#}: this is what was judged until then"
        );
    }
    text
}

fn indented(text: &str, margin: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("{margin}{line}")).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use insta::assert_snapshot;

    use super::*;
    use crate::event::Build;
    use crate::sandbox::Usage;
    use crate::specimen;

    /// What is written for these submissions, without styles.
    fn shown(verbosity: Verbosity, reports: &[SubmissionReport], summary: &Summary) -> String {
        let mut out = Vec::new();
        let mut terminal = Terminal::new(&mut out, verbosity, false);
        for report in reports {
            for result in &report.failures {
                terminal.event(&Event::Case(result)).unwrap();
            }
            terminal.event(&Event::Submission(report)).unwrap();
        }
        terminal.event(&Event::Finished(summary)).unwrap();
        drop(terminal);
        anstream::adapter::strip_str(&String::from_utf8(out).unwrap()).to_string()
    }

    fn green() -> SubmissionReport {
        let slowest = Some((String::from("secret/02"), Duration::from_millis(412)));
        SubmissionReport {
            slowest,
            ..specimen::report("solutions/p/p.rs", Verdict::Accepted)
        }
    }

    fn red() -> SubmissionReport {
        let failed = CaseResult {
            reason: Some(String::from("token 1: expected `5`, got `6`")),
            diff: Some(String::from("1 | -5\n1 | +6")),
            stderr: Some(String::from("debug\n")),
            ..specimen::result("secret/0 3", Verdict::WrongAnswer)
        };
        SubmissionReport {
            failures: vec![
                failed.clone(),
                CaseResult {
                    diff: None,
                    ..failed
                },
            ],
            failed: 3,
            ..specimen::report("solutions/p/bad.rs", Verdict::WrongAnswer)
        }
    }

    fn summary(met: usize, unexpected: usize) -> Summary {
        Summary {
            submissions: met + unexpected,
            met,
            unexpected,
            cases: 1204,
            wall: Duration::from_millis(1234),
            ..Summary::default()
        }
    }

    #[test]
    fn a_green_problem_is_one_line() {
        assert_snapshot!(shown(Verbosity::Normal, &[green()], &summary(1, 0)), @r###"
        ok    p                1 solution as expected, 2 cases  slowest AC 0.412 s of 10 s (secret/02), 3 MiB

        1 solution: 1 as expected (1,204 cases in 1.2 s)
        "###);
    }

    #[test]
    fn a_green_submission_has_a_line_when_asked_for() {
        assert_snapshot!(shown(Verbosity::Submissions, &[green()], &summary(1, 0)), @r###"
        ok    solutions/p/p.rs  AC   2/2 accepted, slowest 0.412 s (secret/02), 3 MiB
        ok    p                1 solution as expected, 2 cases  slowest AC 0.412 s of 10 s (secret/02), 3 MiB

        1 solution: 1 as expected (1,204 cases in 1.2 s)
        "###);
    }

    #[test]
    fn quiet_and_green_says_nothing() {
        assert_eq!(shown(Verbosity::Quiet, &[green()], &summary(1, 0)), "");
    }

    #[test]
    fn a_failure_is_shown_in_full_once_and_named_again_at_the_end() {
        assert_snapshot!(shown(Verbosity::Normal, &[green(), red()], &summary(1, 1)), @r###"
        FAIL  solutions/p/bad.rs: got WA, expected AC (1 of 2 cases accepted)
              secret/0 3  WA  token 1: expected `5`, got `6`
                1 | -5
                1 | +6
                standard error:
                  debug
                rerun: rejudge run --case 'secret/0 3' solutions/p/p.rs
              secret/0 3  WA  token 1: expected `5`, got `6`
              … and 1 more case like these
        FAIL  p                1 of 2 solutions not as expected, 2 cases  slowest AC 0.412 s of 10 s (secret/02), 3 MiB

        2 solutions: 1 as expected, 1 not as expected (1,204 cases in 1.2 s)
          solutions/p/bad.rs: got WA, expected AC (secret/0 3)
        "###);
    }

    #[test]
    fn a_compile_error_shows_the_compilers_words() {
        let error = Some(String::from(
            "solutions/p/bad.rs:3:5: error: no\n  help: yes",
        ));
        let report = SubmissionReport {
            build: Build {
                error,
                ..Build::default()
            },
            ..specimen::report("solutions/p/bad.rs", Verdict::CompileError)
        };
        assert_snapshot!(shown(Verbosity::Normal, &[report], &summary(0, 1)), @r###"
        FAIL  solutions/p/bad.rs: got CE, expected AC
              solutions/p/bad.rs:3:5: error: no
                help: yes
        FAIL  p                1 of 1 solution not as expected, 2 cases

        1 solution: 0 as expected, 1 not as expected (1,204 cases in 1.2 s)
          solutions/p/bad.rs: got CE, expected AC
        "###);
    }

    #[test]
    fn a_missing_language_and_an_interrupt_are_named() {
        let report = SubmissionReport {
            not_judged: Some(String::from("`pypy3` is not installed")),
            complaint: None,
            ..specimen::report("solutions/p/a.py", Verdict::JudgeError)
        };
        let summary = Summary {
            interrupted: true,
            not_judged: 1,
            skipped: 2,
            ..summary(3, 0)
        };
        assert_snapshot!(shown(Verbosity::Normal, &[report], &summary), @r###"
        FAIL  solutions/p/a.py: not judged: `pypy3` is not installed
        FAIL  p                1 of 1 solution not as expected, 2 cases

        3 solutions: 3 as expected, 1 not judged, 2 left out (1,204 cases in 1.2 s)
          solutions/p/a.py: not judged: `pypy3` is not installed
        interrupted: this is what was judged until then
        "###);
    }

    #[test]
    fn every_case_has_a_line_when_asked_for_twice() {
        let repeats = crate::event::Repeats {
            verdicts: vec![Verdict::Accepted; 3],
            cpu_min: Duration::from_millis(10),
            cpu_median: Duration::from_millis(11),
            cpu_max: Duration::from_millis(15),
        };
        let usage = Usage {
            cpu_user: Duration::from_millis(11),
            ..Usage::default()
        };
        let result = CaseResult {
            usage,
            repeats: Some(repeats),
            ..specimen::result("secret/01", Verdict::Accepted)
        };
        assert_snapshot!(anstream::adapter::strip_str(&case_line(&result)).to_string(), @r###"
          solutions/p/p.rs  secret/01  AC  0.011 s, wall 0.000 s, 0 B, 3 runs: 0.010 s to 0.015 s, median 0.011 s
        "###);
    }
}
