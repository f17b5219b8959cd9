//! The score of one case: from the files that the validator wrote, and the settings of its group.

use std::time::Duration;

use super::case_score::{CaseScore, fault, number};
use super::{hydro, omegaup, uoj};
use crate::checker::ScoreFiles;
use crate::notice::Notice;
use crate::problem::TestCase;
use crate::problem::scoring::{
    Aggregation, Grading, GradingRules, PartRule, PointGroup, Points, ScoreFileRule, Scoring,
};

/// The fault of an output validator that gives a score where there are none.
const NO_SCORES: &str = "it wrote score.txt, but the problem has no scores";

/// The CPU time that a run took, and its limit.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TimeShare {
    pub(crate) taken: Duration,
    pub(crate) limit: Duration,
}

impl TimeShare {
    /// The percentage that remains of `percent`: all of it up to half of the limit, then less, down to 1 at the limit. As
    /// in sinol-make, times are whole milliseconds, and percentages above half of the limit are whole.
    #[expect(clippy::cast_precision_loss, reason = "times are below 2^53 microseconds")]
    fn remainder_of(self, percent: f64) -> f64 {
        let (taken, limit) = (self.taken.as_millis() as f64, self.limit.as_micros() as f64 / 1e3);
        let half = limit / 2.0;
        if percent <= 0.0 || taken <= half {
            return percent;
        }
        1.0 + ((percent - 1.0) * ((limit - taken).max(0.0) / half)).trunc()
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
        None if accepted && files.is_own_score() => Err(fault(NO_SCORES)),
        None => Ok(CaseScore { points: None, part_is_wrong: true }),
        Some(Scoring::Points(points)) if points.parts == PartRule::Hydro => {
            let max = points.group_of(case.name()).and_then(PointGroup::max_of_case);
            match max {
                Some(max) => hydro::of_case(max, accepted, files),
                None => Ok(CaseScore::default()),
            }
        }
        Some(Scoring::Points(points)) if points.parts != PartRule::Package => {
            let max = points.group_of(case.name()).and_then(PointGroup::max_of_case);
            match points.parts {
                PartRule::OmegaUp => omegaup::of_case(max, accepted, files),
                _ => uoj::of_case(max, accepted, files),
            }
        }
        Some(Scoring::Points(points)) => {
            let score = of_points(points, case, accepted, files)?;
            let max = points.group_of(case.name()).and_then(PointGroup::max_of_case);
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

/// What the program did to give points: an output validator of the package writes a file.
fn gave(files: &ScoreFiles, file: &str) -> String {
    if files.is_of_validator() {
        format!("it wrote {file}")
    } else {
        "it gives a part of the points".to_owned()
    }
}

/// What the program gave.
fn contains(files: &ScoreFiles, file: &str, value: f64) -> String {
    match files.multiplier {
        _ if files.is_of_validator() => format!("{file} contains {value}"),
        Some(_) => format!("it gives {value} of the points"),
        None => format!("it gives {value} points"),
    }
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
            let gave = gave(files, file);
            return Err(fault(format!(
                "{gave}, but `{name}` gives all points or none (`pass-fail`)"
            )));
        }
        _ if group.aggregation == Aggregation::PassFail => return Ok(None),
        _ if !accepted => return Ok(Some(0.0)),
        _ => {}
    }
    let max = if case.is_static() { group.static_max } else { group.max_of_case() };
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
            let gave = gave(files, "score_multiplier.txt");
            return Err(fault(format!("{gave}, but `{name}` is unbounded")));
        };
        if !(0.0..=1.0).contains(&share) {
            let contains = contains(files, "score_multiplier.txt", share);
            return Err(fault(format!("{contains}, expected 0 to 1")));
        }
        return Ok(Some(share * max));
    }
    match &files.score {
        Some(text) => bounded(files, text, max).map(Some),
        None if max.is_some() => Ok(max),
        None => Err(fault(format!("it wrote no score.txt, but `{name}` is unbounded"))),
    }
}

/// The score in `score.txt`, which is `text`, if it is from 0 to `max`.
fn bounded(files: &ScoreFiles, text: &[u8], max: Option<f64>) -> Result<f64, Notice> {
    let score = number("score.txt", text)?;
    let contains = contains(files, "score.txt", score);
    if score < 0.0 {
        return Err(fault(format!("{contains}, which is below 0")));
    }
    match max {
        Some(max) if score > max * (1.0 + 1e-9) => {
            Err(fault(format!("{contains}, above the case's maximum score of {max}")))
        }
        _ => Ok(score),
    }
}

/// Legacy, as problemtools reads it: the validator gives every score of an accepted output, or none. Unlike there, what it
/// writes about a rejected output is ignored, because real packages have such validators.
fn of_grading(
    grading: &Grading,
    case: &TestCase,
    accepted: bool,
    files: &ScoreFiles,
) -> Result<Option<f64>, Notice> {
    if grading.rules == GradingRules::Domjudge {
        // It reads the score of wrong outputs too.
        let score = files.score.as_ref().map(|text| number("score.txt", text));
        return score.transpose();
    }
    let is_own = accepted && files.is_own_score();
    if is_own && !grading.scoring {
        return Err(fault(NO_SCORES));
    }
    if is_own && grading.score_files == ScoreFileRule::Never {
        let why = "it wrote score.txt, but `problem.yaml` does not set `validation: custom score`";
        return Err(fault(why));
    }
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
        (None, _) if grading.score_files == ScoreFileRule::Always => {
            let why = "it wrote no score.txt, but `problem.yaml` sets `validation: custom score`";
            return Err(fault(why));
        }
        (None, _) => group.accept_score,
    }))
}

#[cfg(test)]
mod tests;
