//! The report of a search on the terminal.

use std::fmt::Write as _;

use rejudge_statistics::Quantity;

use super::again::Again;
use super::{
    Performance, ShrinkEnd, SlowInput, SlowestInputs, StressFinding, StressPrograms, StressReport,
    UndecidedTexts, bytes_of,
};
use crate::bench::formatted;
use crate::printable;
use crate::show::style::BAD;
use crate::show::words::{Count, LimitSeconds, Seconds, Thousands};
use crate::verdict::Verdict;

/// More lines, or bytes, of a text are not shown.
const LINES: usize = 40;
const BYTES: u64 = 8 << 10;

/// The report as text.
pub(crate) fn text_of(
    report: &StressReport,
    programs: &StressPrograms,
    seed: u32,
    again: &Again,
) -> String {
    let mut text = String::new();
    for finding in &report.findings {
        finding_text(&mut text, finding, programs, again);
    }
    let rounds = usize::try_from(report.rounds).unwrap_or(usize::MAX);
    let ended = if report.interrupted { "interrupted after" } else { "tried" };
    let found = match report.findings.len() {
        0 => "no failure".to_owned(),
        number => Count(number, "failure").to_string(),
    };
    let _ = writeln!(
        text,
        "{found}; {ended} {} round{} of seed {seed} in {:.1} s",
        Thousands(rounds),
        if rounds == 1 { "" } else { "s" },
        report.elapsed.as_secs_f64()
    );
    invalid_inputs(&mut text, report.invalid);
    if report.unanswered > 0 {
        let _ = writeln!(
            text,
            "in {} of them no reference had an answer within its limits: smaller inputs are more useful",
            report.unanswered
        );
    }
    if report.known > 0 {
        let _ = writeln!(
            text,
            "in {} of them the input had passed three times before, and was not judged again",
            report.known
        );
    }
    if report.unrepeated > 0 {
        let _ = writeln!(
            text,
            "in {} of them a program exceeded its time limit, but not again on the same input",
            report.unrepeated
        );
    }
    text
}

fn invalid_inputs(text: &mut String, count: u64) {
    if count > 0 {
        let _ = writeln!(
            text,
            "in {count} of them the input was invalid: its arguments or its changes did not fit"
        );
    }
}

/// The slowest inputs of a solution, next to its limit and its slowest case.
pub(crate) fn text_of_slowest(found: &SlowestInputs) -> String {
    let rounds = usize::try_from(found.rounds).unwrap_or(usize::MAX);
    let limit = LimitSeconds(found.limit);
    let mut text = format!(
        "{}: limit {limit}, {}{}\n",
        found.program,
        Count(rounds, "round"),
        if found.interrupted { ", interrupted" } else { "" }
    );
    invalid_inputs(&mut text, found.invalid);
    let mut line = |one: &SlowInput, what: &str| {
        let ratio = one.cpu.as_secs_f64() / found.limit.as_secs_f64();
        let (cpu, verdict) = (Seconds(one.cpu), one.verdict);
        let verdict = match verdict {
            Verdict::Ran | Verdict::Accepted => String::new(),
            other => format!(", {other}"),
        };
        #[expect(clippy::cast_precision_loss, reason = "three digits are shown")]
        let instructions = one.instructions.map_or(String::new(), |count| {
            let count = formatted(Quantity::Instructions, count as f64);
            format!(", {count} instructions")
        });
        let _ = writeln!(
            text,
            "  {cpu}  {:.0} % of the limit{instructions}{verdict}  {what}{}",
            ratio * 100.0,
            one.name
        );
    };
    found.inputs.iter().for_each(|one| line(one, ""));
    match &found.case {
        Some(case) => line(case, "the slowest case: "),
        None => text.push_str("  there is no case to compare with\n"),
    }
    text
}

fn finding_text(
    text: &mut String,
    finding: &StressFinding,
    programs: &StressPrograms,
    again: &Again,
) {
    let name = programs.name(finding.kind.contestant);
    let failed = finding.results.get(finding.kind.contestant).and_then(Option::as_ref);
    let verdict = finding.kind.verdict;
    let _ = writeln!(
        text,
        "{BAD}{verdict}{BAD:#} {name} in round {}{}",
        finding.round,
        failed
            .and_then(|one| one.reason.as_ref())
            .map_or_else(String::new, |reason| format!(": {reason}"))
    );
    let _ = writeln!(text, "input, {}:", size_of(&finding.after));
    shown(text, &finding.after);
    let mut answered = false;
    for (index, one) in finding.results.iter().enumerate() {
        let Some(one) = one else { continue };
        let is_answer = programs.is_reference(index) && one.is_accepted() && !answered;
        let what = if is_answer { "answer" } else { "output" };
        answered |= is_answer;
        if let Some(transcript) = &one.transcript {
            let _ = writeln!(text, "transcript of {}, {}:", programs.name(index), one.verdict);
            for line in transcript.lines() {
                let _ = writeln!(text, "  {line}");
            }
            continue;
        }
        let _ = writeln!(text, "{what} of {}, {}:", programs.name(index), one.verdict);
        shown(text, &bytes_of(&one.output, BYTES).unwrap_or_default());
        messages(text, one);
    }
    if let Some(difference) = failed.and_then(|one| one.difference.as_ref()) {
        // The first line is the reason, which stands above.
        if let Some((_, lines)) = difference.trim_end().split_once('\n') {
            let _ = writeln!(text, "{lines}");
        }
    }
    let _ = writeln!(text, "{}", shrunk(finding, programs));
    if let Some(UndecidedTexts { count, validator, why }) = &finding.undecided {
        let texts = Count(usize::try_from(*count).unwrap_or(usize::MAX), "text");
        let _ = writeln!(
            text,
            "the input validator `{validator}` failed on {texts}, so a smaller input may exist: {why}"
        );
    }
    if let Some(command) = &finding.still_generated {
        let _ = writeln!(text, "the input is that of: {command}");
    }
    let _ = writeln!(text, "again: {}", again.command(finding.round));
}

/// How the input was shrunk.
fn shrunk(finding: &StressFinding, programs: &StressPrograms) -> String {
    let from = size_of(&finding.before);
    let by = match finding.learned_from {
        _ if programs.has_validator() => {
            "an input was valid if the validator accepted it".to_owned()
        }
        None => {
            "without a validator, an input counted as valid if the reference answered it".to_owned()
        }
        Some(inputs) => format!(
            "without a validator, an input counted as valid if it had the shape of {inputs} generated ones, and the reference answered it"
        ),
    };
    match finding.end {
        ShrinkEnd::Flaky => {
            "flaky: the failure did not repeat on the same input, so it was not shrunk".to_owned()
        }
        ShrinkEnd::OnlyArguments => format!(
            "shrunk from {from} by the generator's arguments only: without a validator, and without a reference that answers the input, nothing shows \
             which texts are valid"
        ),
        ShrinkEnd::Complete => format!("shrunk from {from} with {} ({by})", tried(finding)),
        ShrinkEnd::Ended => format!(
            "shrunk from {from} with {} until it was ended; a smaller input may exist ({by})",
            tried(finding)
        ),
    }
}

fn tried(finding: &StressFinding) -> String {
    let texts = usize::try_from(finding.texts).unwrap_or(usize::MAX);
    let (of_validators, of_solutions) = (finding.runs.validator, finding.runs.solution);
    let runs = if of_validators > 0 {
        format!("{of_solutions} runs of solutions and {of_validators} of validators")
    } else {
        format!("{of_solutions} runs of solutions")
    };
    let repeated = match finding.repeated {
        (again, of) if again < of => format!("; flaky: it failed again in {again} of {of} runs"),
        _ => String::new(),
    };
    format!("{} and {runs}{repeated}", Count(texts, "text"))
}

fn size_of(input: &[u8]) -> String {
    Count(tokens(input), "token").to_string()
}

/// The number of tokens of an input.
pub(crate) fn tokens(input: &[u8]) -> usize {
    let words = input.split(u8::is_ascii_whitespace);
    words.filter(|word| !word.is_empty()).count()
}

/// The first lines of a text, indented.
fn shown(text: &mut String, bytes: &[u8]) {
    let end = bytes.len().min(usize::try_from(BYTES).unwrap_or(usize::MAX));
    let shown = printable::paragraph(&bytes[..end], usize::MAX);
    let lines: Vec<&str> = shown.lines().collect();
    for line in lines.iter().take(LINES) {
        let _ = writeln!(text, "  {line}");
    }
    if lines.len() > LINES || end < bytes.len() {
        let _ = writeln!(text, "  …");
    }
}

/// The messages of a program that failed.
fn messages(text: &mut String, one: &Performance) {
    let messages = printable::paragraph(&one.messages, usize::MAX);
    if one.reason.is_some() && !messages.trim().is_empty() {
        let _ = writeln!(text, "its messages:");
        for line in messages.lines().rev().take(10).collect::<Vec<_>>().into_iter().rev() {
            let _ = writeln!(text, "  {line}");
        }
    }
}
