//! Points as the grading of legacy groups states them.

use std::collections::BTreeMap;
use std::path::Path;

use crate::plain_file;
use crate::problem::Problem;
use crate::problem::scoring::{Aggregation, PointGroup, Points};

/// The settings of each folder below `data/`, whose groups are in `folders`. The error says what cannot be stated.
pub(super) fn settings(
    points: &Points,
    folders: &[String],
) -> Result<BTreeMap<String, String>, &'static str> {
    if points.groups.iter().any(|group| !group.require_pass.is_empty()) {
        return Err("groups that require others");
    }
    if points.fall_with_time {
        return Err("points that fall with the time");
    }
    let total = points.secret.max.ok_or("points without a maximum")?;
    let mut all = BTreeMap::new();
    let top = format!("on_reject: continue\nrange: 0 {total}\ngrader_flags: ignore_sample\n");
    all.insert(String::new(), top);
    let sample = "on_reject: continue\naccept_score: 0\nrange: 0 0\ngrader_flags: first_error\n";
    all.insert("sample".to_owned(), sample.to_owned());
    if points.groups.is_empty() {
        all.insert("secret".to_owned(), of_group(&points.secret)?);
        return Ok(all);
    }
    if points.secret.aggregation != Aggregation::Sum {
        return Err("groups that are not added");
    }
    let secret = "grader_flags: first_error accept_if_any_accepted\n";
    let secret = format!("on_reject: continue\nrange: 0 {total}\n{secret}");
    all.insert("secret".to_owned(), secret);
    for (group, folder) in points.groups.iter().zip(folders) {
        all.insert(folder.clone(), of_group(group)?);
    }
    Ok(all)
}

/// The settings of a folder of cases.
fn of_group(group: &PointGroup) -> Result<String, &'static str> {
    let max = group.max.ok_or("points without a maximum")?;
    match group.aggregation {
        // A rejected case has no points, so the least is the right result for both.
        Aggregation::PassFail | Aggregation::Min => Ok(format!(
            "on_reject: break\naccept_score: {max}\nrange: 0 {max}\ngrader_flags: min\n"
        )),
        Aggregation::Sum => {
            let each = group.max_of_case().unwrap_or_default();
            let flags = "grader_flags: sum first_error accept_if_any_accepted\n";
            Ok(format!("on_reject: continue\naccept_score: {each}\nrange: 0 {max}\n{flags}"))
        }
        _ => Err("groups that are neither passed, added nor the least"),
    }
}

/// Whether the output validator gives the scores: its source names the file for them.
pub(super) fn validator_scores(problem: &Problem) -> bool {
    const FILE: &[u8] = b"score.txt";
    let has_scores = |source: &Path| {
        let files = walkdir::WalkDir::new(source).into_iter().flatten();
        let mut texts = files.filter_map(|file| plain_file::read(file.path()).ok());
        texts.any(|text| text.windows(FILE.len()).any(|part| part == FILE))
    };
    problem.checker.sources().iter().any(|source| has_scores(source))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::scoring::PartRule;

    fn group(name: &str, max: f64, aggregation: Aggregation) -> PointGroup {
        PointGroup {
            name: name.to_owned(),
            max: Some(max),
            aggregation,
            require_pass: Vec::new(),
            cases: 4,
            static_max: None,
        }
    }

    #[test]
    fn groups_become_graders() {
        let mut points = Points {
            secret: group("secret", 100.0, Aggregation::Sum),
            groups: vec![
                group("secret/1", 30.0, Aggregation::PassFail),
                group("secret/2", 70.0, Aggregation::Sum),
            ],
            all_cases: 8,
            fall_with_time: false,
            parts: PartRule::Package,
        };
        let folders = ["secret/1", "secret/2"].map(str::to_owned);
        let all = settings(&points, &folders).unwrap();
        assert_eq!(
            all["secret/1"],
            "on_reject: break\naccept_score: 30\nrange: 0 30\ngrader_flags: min\n"
        );
        assert!(all["secret/2"].contains("accept_score: 17.5\nrange: 0 70\n"), "{all:?}");
        points.groups[1].require_pass.push("secret/1".to_owned());
        assert_eq!(settings(&points, &folders), Err("groups that require others"));
    }
}
