//! The report for people: one line for a green problem, everything that helps for a red one.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::Duration;

use crate::bytes::Bytes;
use crate::event::{CaseResult, Event, SubmissionReport, Summary};
use crate::report::Reporter;
use crate::report::progress::Progress;
use crate::report::rerun::Rerun;
use crate::report::style::{BAD, BOLD, DIM, GOOD, WARN};
use crate::report::words::{Count, LimitSeconds, Points, Scored, Seconds, Sureness};
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
    rerun: Rerun,
    /// Reasons why something could not be judged, told at length already.
    told: BTreeSet<String>,
    /// Print every transcript, and not only that of a submission's first failure.
    transcripts: bool,
    text: String,
}

/// What has been seen of the problem at hand.
struct ProblemSum {
    id: String,
    cases: usize,
    submissions: usize,
    unexpected: usize,
    slowest: Option<Slowest>,
    peak_memory: Bytes,
}

/// The slowest accepted case of a problem, under the limit that its submission had.
struct Slowest {
    case: String,
    cpu: Duration,
    limit: Duration,
    time_factor: Option<f64>,
}

impl<W: Write> Terminal<W> {
    /// A report with a live bar on a terminal if `live`.
    pub(crate) fn new(out: W, verbosity: Verbosity, live: bool, rerun: Rerun) -> Self {
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
            rerun,
            told: BTreeSet::new(),
            transcripts: false,
            text: String::new(),
        }
    }

    /// Prints the transcript of every case if `all`.
    pub(crate) fn with_transcripts(self, all: bool) -> Self {
        Self {
            transcripts: all,
            ..self
        }
    }

    fn case(&mut self, result: &CaseResult) {
        if self.verbosity >= Verbosity::Cases {
            self.text.push_str(&case_line(result));
        }
        if let Some(transcript) = result.transcript.as_ref().filter(|_| self.transcripts) {
            if self.verbosity < Verbosity::Cases {
                self.text.push_str(&case_line(result));
            }
            let _ = writeln!(self.text, "{}", indented(transcript.trim_end(), "    "));
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
            let why = report.not_judged.clone().unwrap_or_default();
            let first = self.told.insert(why);
            self.text
                .push_str(&failure(report, &self.rerun, first, !self.transcripts));
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
            Event::Case(result) => self.case(result),
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
            peak_memory: Bytes(0),
        }
    }

    fn add(&mut self, report: &SubmissionReport) {
        self.submissions += 1;
        self.unexpected += usize::from(!report.met);
        if report.verdict != Verdict::Accepted {
            return;
        }
        let before = self.slowest.as_ref().map(|slowest| slowest.cpu);
        if let Some((case, cpu)) = &report.slowest
            && before.is_none_or(|before| before < *cpu)
        {
            self.slowest = Some(Slowest {
                case: case.clone(),
                cpu: *cpu,
                limit: report.limits.cpu_time,
                time_factor: report.build.time_factor,
            });
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
    if let Some(slowest) = &sum.slowest {
        let (cpu, limit) = (Seconds(slowest.cpu), LimitSeconds(slowest.limit));
        let (case, memory) = (&slowest.case, sum.peak_memory);
        let _ = write!(
            line,
            "{DIM}  slowest AC {cpu} of {limit} ({case}), {memory}{}{DIM:#}",
            scaled(slowest.time_factor)
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
    if let Some(score) = &report.score {
        let _ = write!(text, ", {}", Scored(score));
    }
    if let Some((case, cpu)) = &report.slowest {
        let (seconds, memory) = (Seconds(*cpu), report.peak_memory);
        let _ = write!(text, ", slowest {seconds} ({case}), {memory}");
    }
    text + &scaled(report.build.time_factor)
}

/// `, time factor 2`, where there is one.
fn scaled(time_factor: Option<f64>) -> String {
    time_factor.map_or_else(String::new, |factor| format!(", time factor {factor}"))
}

/// Everything about a submission that is not as expected. Why it could not be judged is told at length
/// the `first` time only: a compiler that is missing is missing for all.
fn failure(report: &SubmissionReport, rerun: &Rerun, first: bool, transcript: bool) -> String {
    let mut text = format!("{BAD}FAIL{BAD:#}  {BOLD}{}{BOLD:#}: ", report.submission);
    if let Some(why) = &report.not_judged {
        let (headline, more) = why.split_once('\n').unwrap_or((why, ""));
        let _ = writeln!(text, "not judged: {headline}");
        if !more.is_empty() && first {
            let _ = writeln!(text, "{}", first_lines(more));
        }
        return text;
    }
    let complaint = report.complaint.as_deref().unwrap_or("not as expected");
    let _ = write!(text, "{complaint}");
    if let Some(error) = &report.build.error {
        let _ = writeln!(text, "\n{}", first_lines(error.trim_end()));
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
        text.push_str(&failed_case(
            result,
            (index == 0).then_some(rerun),
            transcript,
        ));
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

/// One case that speaks against the submission; the first of them with all that is known, the `transcript` too
/// unless it was printed.
fn failed_case(result: &CaseResult, rerun: Option<&Rerun>, transcript: bool) -> String {
    let mut text = format!(
        "      {BOLD}{}{BOLD:#}  {BAD}{}{BAD:#}",
        result.case, result.verdict
    );
    let reason = result.reason.as_deref().unwrap_or_default();
    let (headline, more) = reason.split_once('\n').unwrap_or((reason, ""));
    if headline.is_empty() {
        text.push('\n');
    } else {
        let _ = writeln!(text, "  {headline}");
    }
    if let Some(nearness) = result.nearness {
        let _ = writeln!(text, "        {DIM}{}{DIM:#}", Sureness(nearness));
    }
    let Some(rerun) = rerun else {
        return text;
    };
    if !more.is_empty() {
        let _ = writeln!(text, "{}", indented(more.trim_end(), "        "));
    }
    if let Some(diff) = &result.diff {
        let _ = writeln!(text, "{}", indented(diff.trim_end(), "        "));
    }
    if let Some(said) = result.transcript.as_ref().filter(|_| transcript) {
        let _ = writeln!(text, "        {DIM}what they said last:{DIM:#}");
        let _ = writeln!(text, "{}", indented(said.trim_end(), "        "));
    }
    if let Some(stderr) = &result.stderr {
        let _ = writeln!(text, "        {DIM}standard error:{DIM:#}");
        let _ = writeln!(text, "{}", indented(stderr.trim_end(), "          "));
    }
    let rerun = rerun.command(&result.submission, &result.case);
    let _ = writeln!(text, "        {DIM}rerun: {rerun}{DIM:#}");
    text
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
    if let Some(score) = result.score {
        let _ = write!(line, ", {} points", Points(score));
    }
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
    if let Some(nearness) = result.nearness {
        let _ = write!(line, ", {}", Sureness(nearness));
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
        (Some(why), _) => format!("not judged: {}", why.lines().next().unwrap_or_default()),
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

/// The beginning of a compiler's message, which is where the first error is.
fn first_lines(message: &str) -> String {
    const MOST: usize = 40;
    let lines: Vec<&str> = message.lines().collect();
    let mut text = indented(&lines[..lines.len().min(MOST)].join("\n"), "      ");
    if let Some(more @ 1..) = lines.len().checked_sub(MOST) {
        let _ = write!(
            text,
            "\n      {DIM}… and {}{DIM:#}",
            Count(more, "more line")
        );
    }
    text
}

fn indented(text: &str, margin: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("{margin}{line}")).collect();
    lines.join("\n")
}

#[cfg(test)]
mod tests;
