//! The score of a case by the rules of omegaUp: a part of the points is not an accepted output.

use super::case_score::{CaseScore, number};
use crate::checker::ScoreFiles;
use crate::notice::Notice;

/// The score of a case. `max`: its points, if the case has some of its own. The error describes a fault of the checker.
pub(super) fn of_case(
    max: Option<f64>,
    accepted: bool,
    files: &ScoreFiles,
) -> Result<CaseScore, Notice> {
    let share = match &files.multiplier {
        _ if !accepted => 0.0,
        Some(text) if files.partly.is_some() => number("score_multiplier.txt", text)?,
        _ => 1.0,
    };
    Ok(CaseScore { points: max.map(|max| max * share), part_is_wrong: share < 1.0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_not_rounded_and_wrong() {
        for (accepted, share, expected, part_is_wrong) in
            [(true, None, 30.0, false), (false, None, 0.0, true), (true, Some("0.25"), 7.5, true)]
        {
            let files = ScoreFiles {
                score: None,
                multiplier: share.map(|share| share.as_bytes().to_vec()),
                points: false,
                partly: share.map(|_| "some of it".to_owned()),
            };
            let expected = CaseScore { points: Some(expected), part_is_wrong };
            assert_eq!(of_case(Some(30.0), accepted, &files), Ok(expected), "{share:?}");
        }
    }
}
