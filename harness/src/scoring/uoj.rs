//! The score of a case by the rules of UOJ: `RunCheckerResult` and `scale_score` of `uoj_judger.h`.

use super::case_score::{CaseScore, fault, number};
use crate::checker::ScoreFiles;
use crate::notice::Notice;

/// The score of a case. `max`: its points, if the case has some of its own. The error describes a fault of the checker.
pub(super) fn of_case(
    max: Option<f64>,
    accepted: bool,
    files: &ScoreFiles,
) -> Result<CaseScore, Notice> {
    let percent = match (&files.score, &files.multiplier) {
        _ if !accepted => 0.0,
        (Some(text), _) if files.partly.is_some() => {
            let share = number("score.txt", text)?;
            if files.points && !(0.0..=1.0).contains(&share) {
                return Err(fault(format!("it gives {share} of the points, expected 0 to 1")));
            }
            // UOJ does not read the number of `_pc`.
            if files.points { (100.0 * share + 0.5).floor() } else { 0.0 }
        }
        _ => 100.0,
    };
    Ok(CaseScore {
        points: max.map(|max| (percent * max / 100.0).floor()),
        part_is_wrong: percent < 100.0,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_whole_percentages_and_wrong() {
        let (pc, points, none) = ((true, false), (true, true), (false, false));
        // How a checker gave its number, whether it accepted, the number, and the points of 15 and whether the output is
        // wrong.
        let table = [
            (none, true, "-", 15.0, false),
            (none, false, "-", 0.0, true),
            (points, true, "0.666", 10.0, true),
            (points, true, "0.5", 7.0, true),
            (points, true, "0.995", 15.0, false),
            (points, true, "0", 0.0, true),
            (pc, true, "50", 0.0, true),
        ];
        for ((partly, points), accepted, text, expected, part_is_wrong) in table {
            let files = ScoreFiles {
                score: (text != "-").then(|| text.as_bytes().to_vec()),
                multiplier: None,
                points,
                partly: partly.then(|| "some of it".to_owned()),
            };
            let expected = CaseScore { points: Some(expected), part_is_wrong };
            assert_eq!(of_case(Some(15.0), accepted, &files), Ok(expected), "{files:?}");
            let expected = CaseScore { points: None, part_is_wrong };
            assert_eq!(of_case(None, accepted, &files), Ok(expected), "{files:?}");
        }
        let files = ScoreFiles {
            score: Some(b"50".to_vec()),
            multiplier: None,
            points: true,
            partly: Some(String::new()),
        };
        assert!(
            of_case(Some(15.0), true, &files).unwrap_err().message.contains("50 of the points")
        );
    }
}
