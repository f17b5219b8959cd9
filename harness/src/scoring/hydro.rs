//! The score of a case by the rules of Hydro: `hydrojudge`'s `testlib.ts` and its checkers of type `kattis`.

use super::case_score::{CaseScore, number};
use crate::checker::ScoreFiles;
use crate::notice::Notice;

/// The score of a case with at most `max` points. The error describes a fault of the checker.
pub(super) fn of_case(max: f64, accepted: bool, files: &ScoreFiles) -> Result<CaseScore, Notice> {
    let points = |points: f64, part_is_wrong| Ok(CaseScore { points: Some(points), part_is_wrong });
    let share = match (&files.score, &files.multiplier) {
        (Some(text), _) if accepted && files.partly.is_some() => {
            let stated = number("score.txt", text)?;
            if stated > 1.0 { stated / 100.0 } else { stated }
        }
        // Of a checker in another judge's convention.
        (None, Some(text)) if accepted && files.partly.is_some() => {
            number("score_multiplier.txt", text)?
        }
        // An output validator gives points to outputs that it rejects.
        (Some(text), _) if !accepted => return points(number("score.txt", text)?, false),
        _ if accepted => return points(max, false),
        _ => return points(0.0, false),
    };
    // `points` accepts if they are all, `_pc` never does.
    if files.points && share >= 1.0 {
        points(max, false)
    } else {
        points((max * share).floor(), true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_rounded_down_and_wrong() {
        let (pc, points, validator) = ((true, false), (true, true), (false, false));
        // How a checker gave its number, whether it accepted, the number, and the points of 20 and whether the output is
        // wrong: as `parse` of Hydro gives them.
        let table = [
            (pc, true, "50", 10.0, true),
            (pc, true, "0", 0.0, true),
            (pc, true, "1", 20.0, true),
            (pc, true, "33", 6.0, true),
            (points, true, "0.25", 5.0, true),
            (points, true, "0.333", 6.0, true),
            (points, true, "75", 15.0, true),
            (points, true, "1", 20.0, false),
            (points, true, "100", 20.0, false),
            (points, true, "0", 0.0, true),
            (validator, true, "7", 20.0, false),
            (validator, false, "7", 7.0, false),
            (validator, true, "-", 20.0, false),
            (validator, false, "-", 0.0, false),
        ];
        for ((partly, points), accepted, text, expected, part_is_wrong) in table {
            let files = ScoreFiles {
                score: (text != "-").then(|| text.as_bytes().to_vec()),
                multiplier: None,
                points,
                partly: partly.then(|| "some of it".to_owned()),
            };
            let expected = CaseScore { points: Some(expected), part_is_wrong };
            assert_eq!(of_case(20.0, accepted, &files), Ok(expected), "{files:?}");
        }
    }
}
