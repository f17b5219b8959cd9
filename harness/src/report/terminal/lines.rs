//! The texts of the report: lines and blocks of lines. Nothing is printed here.

use std::fmt::Write as _;

use crate::event::{CaseResult, ShownText, SubmissionReport, Summary};
use crate::printable;
use crate::report::matrix::ProblemTotals;
use crate::report::rerun::Rerun;
use crate::report::words::{Disturbed, NEAR_LIMIT, Scored, Sureness};
use crate::show::fit::padded;
use crate::show::style::{BAD, BOLD, DIM, GOOD, WARN};
use crate::show::words::{Count, LimitSeconds, Seconds, ShownPoints};
use crate::verdict::Verdict;

/// A name on one line: a name of several lines could imitate lines of the report.
pub(super) fn name(text: &str) -> String {
    printable::one_line(text.as_bytes(), usize::MAX)
}

/// `ok    klotski  9 solutions as expected, 31 cases  slowest AC 0.412 s of 2 s (secret/x), 52 MiB`
pub(super) fn problem_line(id: &str, totals: &ProblemTotals) -> String {
    let mut line = String::new();
    let unexpected = totals.submissions - totals.met;
    let ok = unexpected == 0;
    let (style, word) = if ok { (GOOD, "ok  ") } else { (BAD, "FAIL") };
    let solutions = Count(totals.submissions, "solution");
    let _ = write!(line, "{style}{word}{style:#}  {BOLD}{}{BOLD:#} ", padded(&name(id), 16));
    let _ = if ok {
        write!(line, "{solutions} as expected")
    } else {
        write!(line, "{unexpected} of {solutions} not as expected")
    };
    let _ = write!(line, ", {}", Count(totals.cases, "case"));
    if let Some(slowest) = &totals.slowest {
        let (cpu, limit) = (Seconds(slowest.cpu), LimitSeconds(slowest.limit));
        let (case, memory) = (name(&slowest.case), totals.peak_memory);
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
pub(super) fn submission_line(report: &SubmissionReport) -> String {
    let mut line = format!(
        "{GOOD}ok{GOOD:#}    {}  {:<4} {}/{} accepted",
        name(&report.submission),
        report.verdict,
        report.accepted,
        report.cases
    );
    line.push_str(&figures(report));
    line.push('\n');
    line
}

fn figures(report: &SubmissionReport) -> String {
    let mut text = String::new();
    if let Some(score) = &report.score {
        let _ = write!(text, ", {}", name(&Scored(score).to_string()));
    }
    if let Some((case, cpu)) = &report.slowest {
        let (seconds, memory) = (Seconds(*cpu), report.peak_memory);
        let _ = write!(text, ", slowest {seconds}");
        if report.verdict == Verdict::Accepted {
            let _ = write!(text, " of {}", LimitSeconds(report.limits.cpu_time));
        }
        let _ = write!(text, " ({}), {memory}", name(case));
    }
    text + &scaled(report.build.time_factor)
}

/// `, time factor 2`, if there is one.
fn scaled(time_factor: Option<f64>) -> String {
    time_factor.map_or_else(String::new, |factor| format!(", time factor {factor}"))
}

/// How the details of failures are printed.
pub(super) struct DetailOptions<'a> {
    pub(super) rerun: &'a Rerun,
    /// Print the transcript of the first failure: it is not printed elsewhere.
    pub(super) transcript: bool,
    /// The columns of the terminal, if it is one.
    pub(super) columns: Option<usize>,
    /// Every case has a line already.
    pub(super) every_case: bool,
}

impl DetailOptions<'_> {
    /// Everything about a submission that is not as expected. A reason for "not judged" is printed in full the `first`
    /// time only: a missing compiler concerns many submissions.
    pub(super) fn failure(&self, report: &SubmissionReport, first: bool) -> String {
        let Some(why) = &report.not_judged else {
            let head = headline(report);
            let build = &report.build;
            let error = build.error.as_ref();
            let Some(error) = error.map(|error| build.colored.as_ref().unwrap_or(error)) else {
                let first = report.failures.first().map(|result| self.explained(result));
                let rest = self.rest(report, report.complaint.as_deref().unwrap_or_default());
                return head + &first.unwrap_or_default() + &rest;
            };
            return format!("{head}{}\n", first_lines(error.trim_end()));
        };
        let text = why.to_string();
        let (reason, more) = text.split_once('\n').unwrap_or((&text, ""));
        let mut text = format!("{}not judged: {reason}\n", failed_name(report));
        if !more.is_empty() && first {
            let _ = writeln!(text, "{}", first_lines(more));
        }
        text
    }

    /// The first failure of a submission, which goes on.
    pub(super) fn first(&self, report: &SubmissionReport) -> String {
        let first = report.failures.first();
        headline(report) + &first.map_or_else(String::new, |result| self.explained(result))
    }

    /// What follows the first failure. `complaint` is what was printed with it.
    pub(super) fn rest(&self, report: &SubmissionReport, complaint: &str) -> String {
        let mut text: String = report.failures.iter().skip(1).map(failed_case).collect();
        let more = report.failed.saturating_sub(report.failures.len());
        if more > 0 {
            let hint = if self.every_case { "" } else { ": `-vv` prints every case" };
            let more = Count(more, "more case");
            let _ = writeln!(text, "      {DIM}… and {more} like these{hint}{DIM:#}");
        }
        text.push_str("      ");
        if let Some(now) = report.complaint.as_deref().filter(|now| *now != complaint) {
            let _ = write!(text, "{}: ", name(now));
        }
        let cases = Count(report.cases, "case");
        let _ = write!(text, "{} of {cases} accepted", report.accepted);
        let _ = writeln!(text, "{}", figures(report));
        text
    }

    /// A case whose verdict contradicts the expectation, with everything that explains it.
    fn explained(&self, result: &CaseResult) -> String {
        let mut text = failed_case(result);
        let mut block = |head: &str, lines: &str, margin: &str| {
            if !head.is_empty() {
                let _ = writeln!(text, "        {DIM}{head}{DIM:#}");
            }
            if !lines.is_empty() {
                let _ = writeln!(text, "{}", indented(lines.trim_end(), margin));
            }
        };
        let reason = result.reason.as_deref().unwrap_or_default();
        let (_, more) = reason.split_once('\n').unwrap_or((reason, ""));
        block("", more, "        ");
        if let Some(input) = &result.input {
            block(&input_head(input), &input.text, "          ");
        }
        block("", result.diff.as_deref().unwrap_or_default(), "        ");
        if let Some(lines) = result.transcript.as_ref().filter(|_| self.transcript) {
            block("end of the transcript:", &lines.to_string(), "        ");
        }
        if let Some(stderr) = &result.stderr {
            block("standard error:", stderr, "          ");
        }
        text + &self.rerun(result)
    }

    fn rerun(&self, result: &CaseResult) -> String {
        const LABEL: &str = "        rerun: ";
        let columns = self.columns.map_or(usize::MAX, |all| all.saturating_sub(LABEL.len()));
        let lines = self.rerun.lines(&result.submission, &result.case, columns);
        let lines: Vec<String> = lines.iter().map(|line| name(line)).collect();
        let between = format!("\n{}", " ".repeat(LABEL.len()));
        format!("{DIM}{LABEL}{}{DIM:#}\n", lines.join(&between))
    }
}

/// `FAIL  solutions/p/p.rs: `
fn failed_name(report: &SubmissionReport) -> String {
    format!("{BAD}FAIL{BAD:#}  {BOLD}{}{BOLD:#}: ", name(&report.submission))
}

/// `FAIL  solutions/p/p.rs: got WA, expected AC`
fn headline(report: &SubmissionReport) -> String {
    let complaint = report.complaint.as_deref().unwrap_or("not as expected");
    format!("{}{}\n", failed_name(report), name(complaint))
}

/// `input:`, or that this is only its start, and the size of the whole.
fn input_head(input: &ShownText) -> String {
    match (input.cut, input.size.get()) {
        (_, 0) => "the input is empty".to_owned(),
        (false, _) => "input:".to_owned(),
        (true, _) => {
            format!("first lines of the input ({}; `--print-input` prints all of it):", input.size)
        }
    }
}

/// A case whose verdict contradicts the expectation, and the reason.
fn failed_case(result: &CaseResult) -> String {
    let mut text =
        format!("      {BOLD}{}{BOLD:#}  {BAD}{}{BAD:#}", name(&result.case), result.verdict);
    let reason = result.reason.as_deref().unwrap_or_default();
    let headline = reason.lines().next().unwrap_or_default();
    if headline.is_empty() {
        text.push('\n');
    } else {
        let _ = writeln!(text, "  {headline}");
    }
    if let Some(nearness) = result.nearness {
        let _ = writeln!(text, "        {DIM}{}{DIM:#}", Sureness(nearness));
    }
    text.push_str(&disturbed(result, "        "));
    text
}

/// `  solutions/p/p.rs  secret/01  AC  0.012 s, wall 0.015 s, 3 MiB`
pub(super) fn case_line(result: &CaseResult) -> String {
    let style = if result.permitted { GOOD } else { BAD };
    let mut line = format!(
        "  {}  {}  {style}{}{style:#}  {}, wall {}, {}",
        name(&result.submission),
        name(&result.case),
        result.verdict,
        Seconds(result.usage.cpu()),
        Seconds(result.usage.wall),
        result.usage.peak_memory
    );
    if let Some(score) = result.score {
        let _ = write!(line, ", {} points", ShownPoints(score));
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
    if result.near_limit {
        let _ = write!(line, ", {NEAR_LIMIT}");
    }
    if let Some(reason) = &result.reason {
        let headline = reason.lines().next().unwrap_or_default();
        let _ = write!(line, "  {DIM}{headline}{DIM:#}");
    }
    line.push('\n');
    line.push_str(&disturbed(result, "    "));
    line
}

/// `disturbed: run again, because …` on a separate line, if the run was disturbed.
fn disturbed(result: &CaseResult, margin: &str) -> String {
    let words = result.disturbance.as_ref().map(|disturbance| {
        let style = if disturbance.stands { WARN } else { DIM };
        let words = Disturbed(disturbance);
        format!("{margin}{style}disturbed: {words}{style:#}\n")
    });
    words.unwrap_or_default()
}

/// The line of an unexpected submission in the closing summary.
pub(super) fn summary_line(report: &SubmissionReport) -> String {
    let why = match (&report.not_judged, &report.complaint) {
        (Some(why), _) => {
            let reason = why.message.lines().next();
            format!("not judged: {}", reason.unwrap_or_default())
        }
        (None, Some(complaint)) => name(complaint),
        (None, None) => String::from("not as expected"),
    };
    let case = report.failures.first().map(|result| format!(" ({})", name(&result.case)));
    format!("{}: {why}{}", name(&report.submission), case.unwrap_or_default())
}

/// The totals.
pub(super) fn closing(summary: &Summary, red: bool) -> String {
    let mut text = String::new();
    let style = if red { BAD } else { GOOD };
    let _ = write!(text, "{}: ", Count(summary.submissions, "solution"));
    let _ = write!(text, "{style}{} as expected", summary.met);
    for (count, words) in [
        (summary.unexpected, "not as expected"),
        (summary.not_judged, "not judged"),
        (summary.skipped, "skipped"),
    ] {
        if count > 0 {
            let _ = write!(text, ", {count} {words}");
        }
    }
    let (cases, wall) = (Count(summary.cases, "case"), summary.wall.as_secs_f64());
    let _ = writeln!(text, "{style:#} ({cases} in {wall:.1} s)");
    text
}

/// The last lines: the unexpected submissions `again`, and what makes the verdicts less certain.
pub(super) fn warnings(again: &[String], in_doubt: usize, summary: &Summary) -> String {
    let mut text = String::new();
    for line in again {
        let _ = writeln!(text, "  {BAD}{line}{BAD:#}");
    }
    if in_doubt > 0 {
        let _ = writeln!(
            text,
            "{WARN}disturbed: {} in doubt, because the machine was never idle{WARN:#}",
            Count(in_doubt, "verdict")
        );
    }
    for remark in &summary.remarks {
        let _ = writeln!(text, "{WARN}note{WARN:#}: {}", name(remark));
    }
    for gap in &summary.missing {
        let _ = writeln!(text, "{BAD}incomplete: {}{BAD:#}", name(gap));
    }
    if summary.interrupted {
        let _ = writeln!(text, "{WARN}interrupted{WARN:#}: results up to the interruption");
    }
    text
}

/// What the compiler of a submission printed although it succeeded; empty if nothing.
pub(super) fn compiler_warnings(report: &SubmissionReport) -> String {
    let build = &report.build;
    let Some(plain) = &build.warnings else {
        return String::new();
    };
    let text = build.colored.as_ref().unwrap_or(plain);
    let of = name(&report.submission);
    format!("      {DIM}the compiler of {of} prints:{DIM:#}\n{}\n", first_lines(text))
}

/// The start of a compiler's message, where the first error is.
fn first_lines(message: &str) -> String {
    const MOST: usize = 40;
    let lines: Vec<&str> = message.lines().collect();
    let mut text = indented(&lines[..lines.len().min(MOST)].join("\n"), "      ");
    if let Some(more @ 1..) = lines.len().checked_sub(MOST) {
        let _ = write!(text, "\n      {DIM}… and {}{DIM:#}", Count(more, "more line"));
    }
    // The lines may end inside a style of the compiler.
    if message.contains('\x1b') {
        text.push_str("\x1b[0m");
    }
    text
}

pub(super) fn indented(text: &str, margin: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("{margin}{line}")).collect();
    lines.join("\n")
}
