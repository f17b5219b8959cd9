//! The texts of the report: lines and blocks of lines. Nothing is printed here.

use std::fmt::Write as _;

use super::ProblemSum;
use crate::event::{CaseResult, SubmissionReport, Summary};
use crate::printable;
use crate::report::rerun::Rerun;
use crate::report::style::{BAD, BOLD, DIM, GOOD, WARN};
use crate::report::words::{Count, Disturbed, LimitSeconds, Points, Scored, Seconds, Sureness};

/// A name on one line: a name of several lines could imitate lines of the report.
pub(super) fn name(text: &str) -> String {
    printable::one_line(text.as_bytes(), usize::MAX)
}

/// `ok    klotski  9 solutions as expected, 31 cases  slowest AC 0.412 s of 2 s (secret/x), 52 MiB`
pub(super) fn problem_line(sum: &ProblemSum) -> String {
    let mut line = String::new();
    let ok = sum.unexpected == 0;
    let (style, word) = if ok { (GOOD, "ok  ") } else { (BAD, "FAIL") };
    let solutions = Count(sum.submissions, "solution");
    let _ = write!(
        line,
        "{style}{word}{style:#}  {BOLD}{:<16}{BOLD:#} ",
        name(&sum.id)
    );
    let _ = if ok {
        write!(line, "{solutions} as expected")
    } else {
        write!(line, "{} of {solutions} not as expected", sum.unexpected)
    };
    let _ = write!(line, ", {}", Count(sum.cases, "case"));
    if let Some(slowest) = &sum.slowest {
        let (cpu, limit) = (Seconds(slowest.cpu), LimitSeconds(slowest.limit));
        let (case, memory) = (name(&slowest.case), sum.peak_memory);
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
        let _ = write!(text, ", slowest {seconds} ({}), {memory}", name(case));
    }
    text + &scaled(report.build.time_factor)
}

/// `, time factor 2`, if there is one.
fn scaled(time_factor: Option<f64>) -> String {
    time_factor.map_or_else(String::new, |factor| format!(", time factor {factor}"))
}

/// Everything about a submission that is not as expected. A reason for "not judged" is printed in full the `first`
/// time only: a missing compiler concerns many submissions.
pub(super) fn failure(
    report: &SubmissionReport,
    rerun: &Rerun,
    first: bool,
    transcript: bool,
) -> String {
    let mut text = format!(
        "{BAD}FAIL{BAD:#}  {BOLD}{}{BOLD:#}: ",
        name(&report.submission)
    );
    if let Some(why) = &report.not_judged {
        let (headline, more) = why.split_once('\n').unwrap_or((why, ""));
        let _ = writeln!(text, "not judged: {headline}");
        if !more.is_empty() && first {
            let _ = writeln!(text, "{}", first_lines(more));
        }
        return text;
    }
    let complaint = report.complaint.as_deref().unwrap_or("not as expected");
    let _ = write!(text, "{}", name(complaint));
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

/// A case whose verdict contradicts the expectation. The first one (with `rerun`) comes with all details, and with its
/// `transcript` unless that was already printed.
fn failed_case(result: &CaseResult, rerun: Option<&Rerun>, transcript: bool) -> String {
    let mut text = format!(
        "      {BOLD}{}{BOLD:#}  {BAD}{}{BAD:#}",
        name(&result.case),
        result.verdict
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
    text.push_str(&disturbed(result, "        "));
    let Some(rerun) = rerun else {
        return text;
    };
    if !more.is_empty() {
        let _ = writeln!(text, "{}", indented(more.trim_end(), "        "));
    }
    if let Some(diff) = &result.diff {
        let _ = writeln!(text, "{}", indented(diff.trim_end(), "        "));
    }
    if let Some(lines) = result.transcript.as_ref().filter(|_| transcript) {
        let _ = writeln!(text, "        {DIM}end of the transcript:{DIM:#}");
        let _ = writeln!(text, "{}", indented(lines.trim_end(), "        "));
    }
    if let Some(stderr) = &result.stderr {
        let _ = writeln!(text, "        {DIM}standard error:{DIM:#}");
        let _ = writeln!(text, "{}", indented(stderr.trim_end(), "          "));
    }
    let rerun = name(&rerun.command(&result.submission, &result.case));
    let _ = writeln!(text, "        {DIM}rerun: {rerun}{DIM:#}");
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
        (Some(why), _) => format!("not judged: {}", why.lines().next().unwrap_or_default()),
        (None, Some(complaint)) => name(complaint),
        (None, None) => String::from("not as expected"),
    };
    let case = report
        .failures
        .first()
        .map(|result| format!(" ({})", name(&result.case)));
    format!(
        "{}: {why}{}",
        name(&report.submission),
        case.unwrap_or_default()
    )
}

/// The last lines: the totals, and the unexpected submissions once more.
pub(super) fn closing(summary: &Summary, unexpected: &[String], in_doubt: usize) -> String {
    let mut text = String::from("\n");
    let style = if unexpected.is_empty() { GOOD } else { BAD };
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
    for line in unexpected {
        let _ = writeln!(text, "  {BAD}{line}{BAD:#}");
    }
    if in_doubt > 0 {
        let _ = writeln!(
            text,
            "{WARN}disturbed: {} in doubt, because the machine was never idle{WARN:#}",
            Count(in_doubt, "verdict")
        );
    }
    if summary.interrupted {
        let _ = writeln!(
            text,
            "{WARN}interrupted{WARN:#}: results up to the interruption"
        );
    }
    text
}

/// The start of a compiler's message, where the first error is.
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

pub(super) fn indented(text: &str, margin: &str) -> String {
    let lines: Vec<String> = text.lines().map(|line| format!("{margin}{line}")).collect();
    lines.join("\n")
}
