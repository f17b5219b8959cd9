//! Legacy packages as `DOMjudge` scores them.
//!
//! A group without groups below it has the scores that the output validator wrote, or one score for all of its cases. Unlike
//! the format's graders, a group that is not accepted keeps its score.

use std::collections::BTreeMap;

use super::ScoringOutcome;
use super::grading::{by_folder, combine};
use crate::event::{GroupScore, Score};
use crate::problem::Problem;
use crate::problem::scoring::{DefaultGrader, GradedGroup, Grader, Grading, ScoreMode};
use crate::verdict::Verdict;

/// Combines all results.
pub(super) fn grade(
    grading: &Grading,
    problem: &Problem,
    results: &[(Verdict, Option<f64>)],
) -> ScoringOutcome {
    let mut grading_run = DomjudgeRun { results, cases: by_folder(problem), groups: Vec::new() };
    let root = &grading.root;
    let (verdict, score) = grading_run.group(root);
    let max = grading_run.full_score(root);
    let groups = grading_run.groups;
    ScoringOutcome {
        verdict: Some(verdict),
        score: grading.scoring.then_some(Score { score, max, groups }),
        fault: None,
    }
}

struct DomjudgeRun<'a> {
    results: &'a [(Verdict, Option<f64>)],
    /// The indices of the cases, by folder.
    cases: BTreeMap<&'a str, Vec<usize>>,
    /// The scores of groups, each before its child groups.
    groups: Vec<GroupScore>,
}

impl DomjudgeRun<'_> {
    /// The verdict, which is the first that is not accepted, and the score.
    fn group(&mut self, group: &GradedGroup) -> (Verdict, f64) {
        let place = self.groups.len();
        if !group.name.is_empty() {
            let max = self.full_score(group);
            self.groups.push(GroupScore { group: group.name.clone(), score: 0.0, max });
        }
        let (verdicts, scores) = if group.groups.is_empty() {
            self.cases_of(group)
        } else {
            let counted = group.groups.iter().filter(|inner| !ignores(group, inner));
            counted.map(|inner| self.group(inner)).unzip()
        };
        let score = combine(mode(group), &scores);
        if !group.name.is_empty() {
            self.groups[place].score = score;
        }
        (first_error(&verdicts), score)
    }

    /// The verdicts of a group's own cases, and its scores.
    fn cases_of(&self, group: &GradedGroup) -> (Vec<Verdict>, Vec<f64>) {
        let cases = self.cases.get(group.name.as_str()).map(Vec::as_slice).unwrap_or_default();
        let results: Vec<(Verdict, Option<f64>)> =
            cases.iter().map(|case| self.results[*case]).collect();
        let verdicts: Vec<Verdict> = results.iter().map(|(verdict, _)| *verdict).collect();
        let is_accepted = verdicts.iter().all(|verdict| *verdict == Verdict::Accepted);
        let mut written: Vec<f64> = results
            .iter()
            .filter_map(|(verdict, score)| {
                let counts = matches!(verdict, Verdict::Accepted | Verdict::WrongAnswer);
                score.map(|score| if counts { score } else { 0.0 })
            })
            .collect();
        if written.is_empty() && !verdicts.is_empty() {
            written.push(if is_accepted { group.accept_score } else { 0.0 });
        }
        (verdicts, written)
    }

    /// The best possible score, if it is known.
    fn full_score(&self, group: &GradedGroup) -> Option<f64> {
        if group.groups.is_empty() {
            let (_, greatest) = group.range;
            let is_stated =
                group.accept_score > 0.0 || !self.cases.contains_key(group.name.as_str());
            return if is_stated {
                Some(group.accept_score)
            } else {
                Some(greatest).filter(|score| score.is_finite())
            };
        }
        let counted = group.groups.iter().filter(|inner| !ignores(group, inner));
        let scores: Option<Vec<f64>> = counted.map(|inner| self.full_score(inner)).collect();
        Some(combine(mode(group), &scores?))
    }
}

fn default_grader(group: &GradedGroup) -> DefaultGrader {
    match &group.grader {
        Grader::Default(grader) => *grader,
        // `DOMjudge` starts no graders.
        Grader::Custom(_) => DefaultGrader::default(),
    }
}

fn mode(group: &GradedGroup) -> ScoreMode {
    default_grader(group).score
}

fn ignores(group: &GradedGroup, inner: &GradedGroup) -> bool {
    inner.name == "sample" && default_grader(group).ignore_sample
}

/// A fault of the judge comes before any other verdict.
fn first_error(verdicts: &[Verdict]) -> Verdict {
    let fault = verdicts.iter().find(|verdict| **verdict == Verdict::JudgeError);
    let first = || verdicts.iter().find(|verdict| **verdict != Verdict::Accepted);
    *fault.or_else(first).unwrap_or(&Verdict::Accepted)
}
