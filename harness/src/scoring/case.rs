//! The score of one case: from the files that the validator wrote, and the settings of its group.

use std::time::Duration;

use super::hydro;
use crate::checker::ScoreFiles;
use crate::notice::{Code, Notice};
use crate::problem::TestCase;
use crate::problem::scoring::{Aggregation, Grading, PartRule, PointGroup, Points, Scoring};

/// The CPU time that a run took, and its limit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TimeShare {
    pub(crate) taken: Duration,
    pub(crate) limit: Duration,
}

impl TimeShare {
    /// The percentage that remains of `percent`: all of it up to half of the limit, then less, down to 1 at the limit. As
    /// in sinol-make, times are whole milliseconds, and percentages above half of the limit are whole.
    #[expect(
        clippy::cast_precision_loss,
        reason = "times are below 2^53 microseconds"
    )]
    fn remainder_of(self, percent: f64) -> f64 {
        let (taken, limit) = (
            self.taken.as_millis() as f64,
            self.limit.as_micros() as f64 / 1e3,
        );
        let half = limit / 2.0;
        if percent <= 0.0 || taken <= half {
            return percent;
        }
        1.0 + ((percent - 1.0) * ((limit - taken).max(0.0) / half)).trunc()
    }
}

/// The score of a case.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct CaseScore {
    /// The points, if the problem gives scores.
    pub(crate) points: Option<f64>,
    /// Whether an output that is accepted in part is wrong.
    pub(crate) part_is_wrong: bool,
}

impl CaseScore {
    fn of(points: Option<f64>) -> Self {
        Self {
            points,
            part_is_wrong: false,
        }
    }
}

/// The score of `case`. The error describes a fault of the validator.
pub(crate) fn of_case(
    scoring: Option<&Scoring>,
    case: &TestCase,
    accepted: bool,
    files: &ScoreFiles,
    time: TimeShare,
) -> Result<CaseScore, Notice> {
    match scoring {
        None if files.points => Err(fault("it gives points, but the problem has no scores")),
        None => Ok(CaseScore {
            points: None,
            part_is_wrong: true,
        }),
        Some(Scoring::Points(points)) if points.parts == PartRule::Hydro => {
            let max = points
                .group_of(case.name())
                .and_then(PointGroup::max_of_case);
            match max {
                Some(max) => hydro::of_case(max, accepted, files),
                None => Ok(CaseScore::default()),
            }
        }
        Some(Scoring::Points(points)) => {
            let score = of_points(points, case, accepted, files)?;
            let max = points
                .group_of(case.name())
                .and_then(PointGroup::max_of_case);
            Ok(CaseScore::of(match (score, max) {
                (Some(score), Some(max)) if points.fall_with_time && max > 0.0 => {
                    let percent = score / max * 100.0;
                    Some(time.remainder_of(percent) / 100.0 * max)
                }
                (score, _) => score,
            }))
        }
        Some(Scoring::Grading(grading)) => {
            of_grading(grading, case, accepted, files).map(CaseScore::of)
        }
    }
}

/// A fault of the validator.
fn fault(message: impl Into<String>) -> Notice {
    Code::FailingProgram.says(message)
}

/// 2025-09.
fn of_points(
    points: &Points,
    case: &TestCase,
    accepted: bool,
    files: &ScoreFiles,
) -> Result<Option<f64>, Notice> {
    let Some(group) = points.group_of(case.name()) else {
        // A validator's score for a sample is ignored.
        return Ok(None);
    };
    let name = &group.name;
    let left = match (&files.score, &files.multiplier) {
        (Some(_), Some(_)) => {
            return Err(fault("it wrote both score.txt and score_multiplier.txt"));
        }
        (Some(_), None) => Some("score.txt"),
        (None, Some(_)) => Some("score_multiplier.txt"),
        (None, None) => None,
    };
    match left {
        Some(file) if !accepted => {
            return Err(fault(format!("it wrote {file}, but rejected the output")));
        }
        Some(file) if group.aggregation == Aggregation::PassFail => {
            return Err(fault(format!(
                "it wrote {file}, but `{name}` gives all points or none (`pass-fail`)"
            )));
        }
        _ if group.aggregation == Aggregation::PassFail => return Ok(None),
        _ if !accepted => return Ok(Some(0.0)),
        _ => {}
    }
    let max = if case.is_static() {
        group.static_max
    } else {
        group.max_of_case()
    };
    let share = match &files.multiplier {
        Some(text) => Some(number("score_multiplier.txt", text)?),
        None => None,
    };
    if let Aggregation::Threshold(threshold) = group.aggregation {
        let share = share.unwrap_or(1.0);
        let is_good = share > 0.0 && share <= threshold;
        return Ok(max.map(|max| if is_good { max } else { 0.0 }));
    }
    if let Some(share) = share {
        let Some(max) = max else {
            return Err(fault(format!(
                "it wrote score_multiplier.txt, but `{name}` is unbounded"
            )));
        };
        if !(0.0..=1.0).contains(&share) {
            return Err(fault(format!(
                "score_multiplier.txt contains {share}, expected 0 to 1"
            )));
        }
        return Ok(Some(share * max));
    }
    let Some(text) = &files.score else {
        return match max {
            Some(max) => Ok(Some(max)),
            None => Err(fault(format!(
                "it wrote no score.txt, but `{name}` is unbounded"
            ))),
        };
    };
    let score = number("score.txt", text)?;
    if score < 0.0 {
        return Err(fault(format!(
            "score.txt contains {score}, which is below 0"
        )));
    }
    match max {
        Some(max) if score > max * (1.0 + 1e-9) => Err(fault(format!(
            "score.txt contains {score}, above the case's maximum score of {max}"
        ))),
        _ => Ok(Some(score)),
    }
}

/// Legacy.
fn of_grading(
    grading: &Grading,
    case: &TestCase,
    accepted: bool,
    files: &ScoreFiles,
) -> Result<Option<f64>, Notice> {
    if !grading.scoring {
        return Ok(None);
    }
    let group = grading.group_of(case.group());
    Ok(Some(match (&files.score, &files.multiplier) {
        _ if !accepted => group.reject_score,
        (Some(text), _) => number("score.txt", text)?,
        // Of a checker in another judge's convention: the share of the points.
        (None, Some(text)) if files.partly.is_some() => {
            number("score_multiplier.txt", text)? * group.accept_score
        }
        (None, _) => group.accept_score,
    }))
}

/// The only number in a file, in decimal notation.
pub(super) fn number(file: &str, text: &[u8]) -> Result<f64, Notice> {
    let broken = || {
        let shown = crate::printable::one_line(text.trim_ascii(), 40);
        fault(format!("{file} does not contain a number: `{shown}`"))
    };
    let word = std::str::from_utf8(text).map_err(|_| broken())?.trim();
    let digits = |byte: u8| byte.is_ascii_digit() || b"+-.eE".contains(&byte);
    if !word.bytes().all(digits) {
        return Err(broken());
    }
    let number: f64 = word.parse().map_err(|_| broken())?;
    if number.is_finite() {
        Ok(number)
    } else {
        Err(broken())
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn points(max: Option<f64>, aggregation: Aggregation, cases: usize) -> Points {
        Points {
            secret: PointGroup {
                name: "secret".to_owned(),
                max,
                aggregation,
                require_pass: Vec::new(),
                cases,
                static_max: None,
            },
            groups: Vec::new(),
            all_cases: cases,
            fall_with_time: false,
            parts: PartRule::default(),
        }
    }

    #[test]
    fn points_fall_from_half_of_the_limit_on() {
        // Milliseconds, the limit, and percentages: as `OIContest.get_test_score` of sinol-make gives them.
        for (taken, limit, percent, expected) in [
            (1000, 2000, 100.0, 100.0),
            (1001, 2000, 100.0, 99.0),
            (1500, 2000, 100.0, 50.0),
            (1999, 2000, 100.0, 1.0),
            (2000, 2000, 100.0, 1.0),
            (1750, 2000, 42.0, 11.0),
            (1100, 2000, 78.0, 70.0),
            (500, 1001, 33.5, 33.5),
            (501, 1001, 33.5, 33.0),
            (900, 1000, 0.0, 0.0),
        ] {
            let time = TimeShare {
                taken: Duration::from_micros(taken * 1000 + 999),
                limit: Duration::from_millis(limit),
            };
            let found = time.remainder_of(percent);
            assert!(
                (found - expected).abs() < 1e-9,
                "{taken} of {limit} ms: {found}"
            );
        }
    }

    #[test]
    #[expect(clippy::too_many_lines, reason = "a table")]
    fn a_case_gets_its_share_or_what_the_validator_says_within_its_bounds() {
        use Aggregation::{Min, PassFail, Sum};
        // Aggregation, accepted, score.txt, score_multiplier.txt, and the expected result with a
        // maximum score of 100 for four cases; `-` means no file or no score.
        let bounded = [
            (Sum, true, "-", "-", "25"),
            (Min, true, "-", "-", "100"),
            (Sum, false, "-", "-", "0"),
            (PassFail, true, "-", "-", "-"),
            (Sum, true, "12.5\n", "-", "12.5"),
            (Sum, true, "1e1", "-", "10"),
            (Sum, true, "-", "0.5", "12.5"),
            (
                Sum,
                true,
                "1",
                "1",
                "it wrote both score.txt and score_multiplier.txt",
            ),
            (
                Sum,
                false,
                "0",
                "-",
                "it wrote score.txt, but rejected the output",
            ),
            (
                PassFail,
                true,
                "-",
                "1",
                "it wrote score_multiplier.txt, but `secret` gives all points or none (`pass-fail`)",
            ),
            (
                Sum,
                true,
                "25.1",
                "-",
                "score.txt contains 25.1, above the case's maximum score of 25",
            ),
            (
                Sum,
                true,
                "-1",
                "-",
                "score.txt contains -1, which is below 0",
            ),
            (
                Sum,
                true,
                "-",
                "1.01",
                "score_multiplier.txt contains 1.01, expected 0 to 1",
            ),
            (
                Sum,
                true,
                "inf",
                "-",
                "score.txt does not contain a number: `inf`",
            ),
            (
                Sum,
                true,
                "1 2",
                "-",
                "score.txt does not contain a number: `1 2`",
            ),
            (
                Sum,
                true,
                "",
                "-",
                "score.txt does not contain a number: ``",
            ),
        ];
        let unbounded = [
            (Sum, true, "1e6", "-", "1000000"),
            (Sum, false, "-", "-", "0"),
            (
                Sum,
                true,
                "-",
                "-",
                "it wrote no score.txt, but `secret` is unbounded",
            ),
            (
                Min,
                true,
                "-",
                "1",
                "it wrote score_multiplier.txt, but `secret` is unbounded",
            ),
        ];
        let bounded = bounded.into_iter().map(|row| (Some(100.0), row));
        let unbounded = unbounded.into_iter().map(|row| (None, row));
        for (max, (aggregation, accepted, score, multiplier, expected)) in bounded.chain(unbounded)
        {
            let file = |text: &str| (text != "-").then(|| text.as_bytes().to_vec());
            let files = ScoreFiles {
                score: file(score),
                multiplier: file(multiplier),
                points: false,
                partly: None,
            };
            let points = points(max, aggregation, 4);
            let case = |name: &str| TestCase::new(name, Arc::default());
            let found = match of_points(&points, &case("secret/1"), accepted, &files) {
                Ok(Some(score)) => score.to_string(),
                Ok(None) => "-".to_owned(),
                Err(fault) => fault.message,
            };
            assert_eq!(found, expected, "{files:?}");
            assert_eq!(
                of_points(&points, &case("sample/1"), accepted, &files),
                Ok(None)
            );
        }
    }
}
