//! How the groups of the old format give points, in the terms of the new one: points for groups that pass, or for each
//! case.

use std::collections::BTreeMap;

use crate::problem::scoring::{
    DefaultGrader, GradedGroup, Grader, Grading, GradingRules, ScoreFileRule, ScoreMode,
    VerdictMode,
};

/// Why points cannot be stated: the group, and the reason.
#[derive(Debug, PartialEq)]
pub(super) struct Unstated {
    /// The folder below `data/`.
    pub(super) group: String,
    pub(super) why: &'static str,
}

/// The settings of each folder below `data/`.
pub(super) type Settings = BTreeMap<String, String>;

/// The points of a problem whose groups have these numbers of cases.
pub(super) fn settings(
    grading: &Grading,
    cases_of: &dyn Fn(&str) -> usize,
) -> Result<Settings, Unstated> {
    let fail = |group: &str, why| Err(Unstated { group: group.to_owned(), why });
    if grading.rules == GradingRules::Domjudge {
        return fail("", "the points of DOMjudge");
    }
    if grading.minimise {
        return fail("", "a lower score that is better");
    }
    let root = default_grader(&grading.root)?;
    let find = |name: &str| grading.root.groups.iter().find(|group| group.name == name);
    let counts = |sample: &GradedGroup| cases_of(&sample.name) > 0 && sample.accept_score != 0.0;
    if !root.ignore_sample && find("sample").is_some_and(counts) {
        return fail("sample", "samples that give points");
    }
    let Some(secret) = find("secret") else { return fail("", "no secret cases") };
    let combined = default_grader(secret)?;
    let has_files = grading.score_files != ScoreFileRule::Never;
    let mut all = Settings::new();
    if secret.groups.is_empty() {
        let (text, _) = of_cases(secret, cases_of(&secret.name), has_files)?;
        all.insert(secret.name.clone(), text);
        return Ok(all);
    }
    if cases_of(&secret.name) > 0 {
        return fail(&secret.name, "cases next to groups");
    }
    let mut total = 0.0;
    for group in &secret.groups {
        if !group.groups.is_empty() {
            return fail(&group.name, "groups in groups");
        }
        let (text, max) = of_cases(group, cases_of(&group.name), has_files)?;
        total += max;
        all.insert(group.name.clone(), text);
    }
    // Without `accept_if_any_accepted`, one rejected group rejects the submission, whatever the others give.
    let is_tolerant =
        combined.accept_if_any_accepted || combined.verdict == VerdictMode::AlwaysAccept;
    match combined.score {
        ScoreMode::Sum if is_tolerant && !secret.breaks => {}
        ScoreMode::Sum => return fail(&secret.name, "one rejected group that rejects all"),
        _ => return fail(&secret.name, "groups that are not added"),
    }
    all.insert(secret.name.clone(), format!("max_score: {total}\nscore_aggregation: sum\n"));
    Ok(all)
}

/// The settings and the maximum of a group without groups.
fn of_cases(group: &GradedGroup, cases: usize, has_files: bool) -> Result<(String, f64), Unstated> {
    let grader = default_grader(group)?;
    let fail = |why| Err(Unstated { group: group.name.clone(), why });
    if group.reject_score != 0.0 {
        return fail("points for rejected cases");
    }
    let is_tolerant = grader.accept_if_any_accepted || grader.verdict == VerdictMode::AlwaysAccept;
    #[expect(clippy::cast_precision_loss, reason = "a number of files")]
    let count = cases as f64;
    let (aggregation, max) = match grader.score {
        ScoreMode::Min if has_files => ("min", group.range.1),
        ScoreMode::Min => ("pass-fail", group.accept_score),
        ScoreMode::Sum if cases == 1 && !has_files => ("pass-fail", group.accept_score),
        ScoreMode::Sum if is_tolerant && !group.breaks && !has_files => {
            ("sum", group.accept_score * count)
        }
        ScoreMode::Sum => return fail("cases that are added, all of which must be accepted"),
        ScoreMode::Average => return fail("the mean of cases"),
        ScoreMode::Max => return fail("the best of the cases"),
    };
    if !max.is_finite() || max < 0.0 || max.fract() != 0.0 {
        return fail("points that are not a whole number");
    }
    Ok((format!("max_score: {max}\nscore_aggregation: {aggregation}\n"), max))
}

fn default_grader(group: &GradedGroup) -> Result<DefaultGrader, Unstated> {
    match &group.grader {
        Grader::Default(grader) => Ok(*grader),
        Grader::Custom(_) => {
            Err(Unstated { group: group.name.clone(), why: "a grader of the package" })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(
        name: &str,
        grader: DefaultGrader,
        score: f64,
        groups: Vec<GradedGroup>,
    ) -> GradedGroup {
        GradedGroup {
            name: name.to_owned(),
            breaks: groups.is_empty(),
            grader: Grader::Default(grader),
            accept_score: score,
            reject_score: 0.0,
            range: (0.0, score),
            groups,
        }
    }

    fn grading(of_group: DefaultGrader) -> Grading {
        let tolerant = DefaultGrader { accept_if_any_accepted: true, ..DefaultGrader::default() };
        let groups = vec![
            group("secret/1", of_group, 30.0, Vec::new()),
            group("secret/2", of_group, 70.0, Vec::new()),
        ];
        let secret = group("secret", tolerant, 1.0, groups);
        let sample = group("sample", DefaultGrader::default(), 1.0, Vec::new());
        let top = DefaultGrader { ignore_sample: true, ..DefaultGrader::default() };
        Grading {
            root: group("", top, 1.0, vec![sample, secret]),
            grader: None,
            minimise: false,
            scoring: true,
            score_files: ScoreFileRule::Never,
            rules: GradingRules::Format,
            cases: 4,
        }
    }

    #[test]
    fn groups_that_pass_give_their_points() {
        let min = DefaultGrader { score: ScoreMode::Min, ..DefaultGrader::default() };
        let cases_of = |name: &str| usize::from(name != "secret") * 2;
        let found = settings(&grading(min), &cases_of).unwrap();
        assert_eq!(found["secret"], "max_score: 100\nscore_aggregation: sum\n");
        assert_eq!(found["secret/2"], "max_score: 70\nscore_aggregation: pass-fail\n");
        let max = DefaultGrader { score: ScoreMode::Max, ..min };
        let fault = settings(&grading(max), &cases_of).unwrap_err();
        assert_eq!((fault.group.as_str(), fault.why), ("secret/1", "the best of the cases"));
        let nested = settings(&grading(min), &|_| 1).unwrap_err();
        assert_eq!(nested.why, "cases next to groups");
    }
}
