//! Checkers in the conventions of other judges: in which order they get the files of a case, and how they report the
//! share of the points.

use std::io::Read as _;

use super::feedback::Messages;
use super::{CheckOutcome, Mismatch, ScoreFiles};
use rejudge_problem::checker_spec::Convention;
use rejudge_problem::printable::one_line;
use rejudge_sandbox::Captured;

/// The start of a checker's standard output that is read.
const MOST: u64 = 64 << 10;
/// The maximum length of a headline, in characters of the message's first line.
pub(super) const HEADLINE: usize = 200;

/// A file of a case whose path a checker gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CheckerArgument {
    Input,
    Output,
    Answer,
}

/// What a checker does against its convention.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
enum Misuse {
    #[error("exited with {0}, not with 0")]
    NotZero(i32),
    #[error("exited with {0}, not with 0 (accept) or 1 (reject)")]
    NoDecision(i32),
    #[error("exited with {0} (fail)")]
    Failed(i32),
    #[error("exited with 7 without printing `partial A/B`")]
    NoPartial,
    #[error(
        "exited with 7 without a line `points N` that holds nothing but a whole number, as DMOJ requires"
    )]
    NoPoints,
    #[error("must print a number from 0 on")]
    NoOutcome,
    #[error("must print `OK` or `WRONG`")]
    NoWord,
    #[error("must print a percentage from 0 to 100 in its third line")]
    NoPercentage,
}

/// The order of the arguments.
pub(super) const fn arguments(convention: Convention) -> &'static [CheckerArgument] {
    use CheckerArgument::{Answer, Input, Output};
    match convention {
        Convention::Dmoj | Convention::DmojTestlib | Convention::Coci | Convention::Sinol => {
            &[Input, Output, Answer]
        }
        Convention::Peg => &[Answer, Output, Input],
        Convention::Cms | Convention::Hustoj => &[Input, Answer, Output],
        Convention::Boca => &[Output, Answer, Input],
        // It finds the files in its folder.
        Convention::OmegaUp => &[],
    }
}

/// The decision on an output, and the score files in the terms of the package format. `noun` is the program in words.
pub(super) fn decide(
    (noun, convention): (&str, Convention),
    code: i32,
    stdout: &Captured,
    messages: &Messages,
) -> (CheckOutcome, ScoreFiles) {
    let mut printed = Vec::new();
    if let Ok(reader) = stdout.reader() {
        // If the output cannot be read back, it counts as empty, which every convention reports.
        let _ = reader.take(MOST).read_to_end(&mut printed);
    }
    let printed = String::from_utf8_lossy(&printed);
    let stderr = messages.stderr.as_deref().unwrap_or_default();
    let comment = match convention {
        Convention::Sinol => printed.lines().nth(1).unwrap_or_default(),
        Convention::Dmoj | Convention::Peg | Convention::Hustoj => printed.as_ref(),
        Convention::Coci
        | Convention::DmojTestlib
        | Convention::Cms
        | Convention::Boca
        | Convention::OmegaUp => stderr,
    };
    let comment = first_line(comment);
    let mut scores = ScoreFiles::default();
    if (convention, code) == (Convention::DmojTestlib, 7)
        && let Some(points) = points(stderr)
    {
        scores.score = Some(points.into());
        scores.points = true;
        scores.partly = Some(comment);
        return (CheckOutcome::Accepted, scores);
    }
    let outcome = match share(convention, code, &printed, stderr) {
        Ok(share) if share >= 1.0 => {
            // Subtasks of CMS may have a threshold above 1.
            scores.multiplier = (share > 1.0).then(|| share.to_string().into_bytes());
            CheckOutcome::Accepted
        }
        Ok(share) if share > 0.0 => {
            scores.multiplier = Some(share.to_string().into_bytes());
            scores.partly = Some(if comment.is_empty() {
                format!("the {noun} gives {share} of the points")
            } else {
                comment
            });
            CheckOutcome::Accepted
        }
        Ok(_) => CheckOutcome::Wrong(Mismatch {
            headline: if comment.is_empty() { format!("the {noun} rejects it") } else { comment },
            ..Mismatch::default()
        }),
        Err(why) => {
            let mut fault = format!("the {noun} {why}");
            if !stderr.is_empty() {
                fault.push_str("\nstderr: ");
                fault.push_str(stderr);
            }
            CheckOutcome::Fault(fault)
        }
    };
    (outcome, scores)
}

/// The share of the points, from 0 to 1.
fn share(convention: Convention, code: i32, stdout: &str, stderr: &str) -> Result<f64, Misuse> {
    match (convention, code) {
        (Convention::Cms | Convention::Sinol, code) if code != 0 => Err(Misuse::NotZero(code)),
        (Convention::Cms, _) => {
            let word = stdout.split_whitespace().next().unwrap_or_default();
            let outcome: Option<f64> = word.parse().ok();
            let outcome = outcome.filter(|outcome| outcome.is_finite() && *outcome >= 0.0);
            outcome.ok_or(Misuse::NoOutcome)
        }
        (Convention::Sinol, _) => sinol(stdout),
        (Convention::OmegaUp, 0) => {
            let word = stdout.split_whitespace().next().unwrap_or_default();
            let outcome = word.parse().ok().filter(|outcome: &f64| !outcome.is_nan());
            Ok(outcome.unwrap_or_default().clamp(0.0, 1.0))
        }
        (Convention::Hustoj, code) => Ok(if code == 0 { 1.0 } else { 0.0 }),
        (Convention::Peg, 0 | 1) => Ok(ratio_of_lines(stdout).unwrap_or(f64::from(1 - code))),
        (Convention::Dmoj | Convention::DmojTestlib | Convention::Coci, 0)
        | (Convention::Boca, 0 | 4) => Ok(1.0),
        (Convention::Dmoj | Convention::DmojTestlib | Convention::Coci, 1)
        | (Convention::DmojTestlib | Convention::Coci, 2)
        | (Convention::Boca, 1 | 2 | 5 | 6)
        | (Convention::OmegaUp, _) => Ok(0.0),
        (Convention::Coci, 7) => partial(stderr).ok_or(Misuse::NoPartial),
        (Convention::DmojTestlib, 7) => Err(Misuse::NoPoints),
        (Convention::DmojTestlib | Convention::Coci, 3) | (Convention::Boca, 3 | 43) => {
            Err(Misuse::Failed(code))
        }
        _ => Err(Misuse::NoDecision(code)),
    }
}

fn number(word: &str) -> Option<f64> {
    let number: f64 = word.parse().ok()?;
    (0.0..=1.0).contains(&number).then_some(number)
}

/// `OK` or `WRONG`, a comment, and the percentage of the points.
fn sinol(stdout: &str) -> Result<f64, Misuse> {
    let mut lines = stdout.lines().map(str::trim);
    match lines.next() {
        Some("WRONG") => return Ok(0.0),
        Some("OK") => {}
        _ => return Err(Misuse::NoWord),
    }
    match lines.nth(1).unwrap_or_default() {
        "" => Ok(1.0),
        percent => {
            let percent: Option<f64> = percent.parse().ok();
            let share = percent.map(|percent| percent / 100.0);
            let good = share.filter(|share| (0.0..=1.0).contains(share));
            good.ok_or(Misuse::NoPercentage)
        }
    }
}

/// Two lines with numbers, whose ratio is the share.
fn ratio_of_lines(stdout: &str) -> Option<f64> {
    let numbers: Vec<Option<f64>> = stdout.lines().map(|line| line.trim().parse().ok()).collect();
    numbers.windows(2).find_map(|pair| {
        let share = pair[0]? / pair[1]?;
        (share > 0.0 && share.is_finite()).then(|| share.min(1.0))
    })
}

/// The number in a line `points N`.
fn points(stderr: &str) -> Option<&str> {
    let mut lines = stderr.lines();
    lines.find_map(|line| {
        let number = line.strip_prefix("points ")?;
        let is_whole = number.bytes().all(|byte| byte.is_ascii_digit());
        (is_whole && !number.is_empty()).then_some(number)
    })
}

/// The line `partial A/B`.
fn partial(stderr: &str) -> Option<f64> {
    stderr.lines().find_map(|line| {
        let (part, whole) = line.strip_prefix("partial ")?.trim_end().split_once('/')?;
        let (part, whole): (f64, f64) = (part.parse().ok()?, whole.parse().ok()?);
        number(&(part / whole).to_string())
    })
}

/// The first line of a program's message that is not empty, safe to show.
pub(super) fn first_line(text: &str) -> String {
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    one_line(line.unwrap_or_default().as_bytes(), HEADLINE)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_of_dmoj_are_whole_and_alone_in_their_line() {
        for (text, expected) in [
            ("points 5\n", Some("5")),
            ("note\npoints 0\nend", Some("0")),
            ("points 5.5\n", None),
            ("points 5 well done\n", None),
            ("points -1\n", None),
            ("points \n", None),
            ("points_info=5\n", None),
        ] {
            assert_eq!(points(text), expected, "{text:?}");
        }
    }

    #[test]
    fn each_convention_reports_its_share() {
        use Convention::{Boca, Cms, Coci, Dmoj, DmojTestlib, Hustoj, OmegaUp, Peg, Sinol};
        let table = [
            (Dmoj, 0, "", "", Some(1.0)),
            (Dmoj, 1, "no", "", Some(0.0)),
            (Dmoj, 2, "", "", None),
            (Coci, 2, "", "", Some(0.0)),
            (Coci, 7, "", "x\npartial 1/4\n", Some(0.25)),
            (Coci, 7, "", "partial 5/4", None),
            (Coci, 7, "", "partial 1/0", None),
            (Coci, 7, "", "", None),
            (Coci, 3, "", "", None),
            (DmojTestlib, 0, "", "", Some(1.0)),
            (DmojTestlib, 2, "", "", Some(0.0)),
            (DmojTestlib, 4, "", "", None),
            (DmojTestlib, 7, "", "points 5.5\n", None),
            (Peg, 0, "fine", "", Some(1.0)),
            (Peg, 1, "", "", Some(0.0)),
            (Peg, 0, "1.0\n10\n", "", Some(0.1)),
            (Peg, 1, "3\n4", "", Some(0.75)),
            (Cms, 0, "0.5\n", "translate:partial", Some(0.5)),
            (Cms, 0, "1.0", "", Some(1.0)),
            (Cms, 0, "", "", None),
            (Cms, 0, "25.5", "", Some(25.5)),
            (Cms, 0, "-1", "", None),
            (Cms, 0, "nan", "", None),
            (Cms, 1, "1.0", "", None),
            (Sinol, 0, "OK\n", "", Some(1.0)),
            (Sinol, 0, "OK\n\n50\n", "", Some(0.5)),
            (Sinol, 0, "OK\nwell done\n100", "", Some(1.0)),
            (Sinol, 0, "WRONG\nno\n", "", Some(0.0)),
            (Sinol, 0, "OK\n\n101", "", None),
            (Sinol, 0, "", "", None),
            (Boca, 4, "", "", Some(1.0)),
            (Boca, 0, "", "", Some(1.0)),
            // A presentation error.
            (Boca, 5, "", "", Some(0.0)),
            (Boca, 6, "", "", Some(0.0)),
            (Boca, 2, "", "", Some(0.0)),
            (Boca, 43, "", "", None),
            (Boca, 42, "", "", None),
            (OmegaUp, 0, "0.25\n", "", Some(0.25)),
            (OmegaUp, 0, "7", "", Some(1.0)),
            (OmegaUp, 0, "-1", "", Some(0.0)),
            (OmegaUp, 0, "nan", "", Some(0.0)),
            (OmegaUp, 0, "", "", Some(0.0)),
            (OmegaUp, 1, "1.0", "", Some(0.0)),
            (Hustoj, 0, "", "", Some(1.0)),
            (Hustoj, 1, "", "", Some(0.0)),
            (Hustoj, 255, "", "", Some(0.0)),
        ];
        for (convention, code, stdout, stderr, expected) in table {
            let found = share(convention, code, stdout, stderr).ok();
            assert_eq!(found, expected, "{convention:?} {code} {stdout:?} {stderr:?}");
        }
    }
}
