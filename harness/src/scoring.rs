//! Combines the results of cases: the scores of cases, of groups, of a submission.
//!
//! Between checking and reporting. This module gets the problem's scoring and the results of its
//! cases, and starts no programs: the caller provides the function that runs the package's own
//! grader.

use std::collections::{BTreeSet, HashMap};
use std::ops::Add;
use std::path::Path;

use crate::event::{GroupScore, Score};
use crate::notice::{Code, Notice};
use crate::problem::Problem;
use crate::problem::scoring::{self, Aggregation, GradingRules, PointGroup, Scoring};
use crate::verdict::Verdict;

mod case;
mod case_score;
mod domjudge;
mod grading;
mod hydro;
mod omegaup;
mod uoj;

pub(crate) use case::{TimeShare, of_case};

/// Runs a grader on its standard input. Returns its standard output.
pub(crate) type RunGrader<'a> = dyn FnMut(&Path, &[String], &str) -> Result<String, Notice> + 'a;

/// Collects the results of one submission's cases.
#[derive(Debug)]
pub(crate) struct Scorer<'a> {
    problem: &'a Problem,
    results: Vec<Option<(Verdict, Option<f64>)>>,
    /// The groups, or `sample`, with a case that was not accepted.
    failed: BTreeSet<&'a str>,
    /// The cases that were judged and not accepted.
    failures: Vec<usize>,
}

/// The combined result of all cases.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct ScoringOutcome {
    /// The verdict, if a grader decides it.
    pub(crate) verdict: Option<Verdict>,
    /// The score, if the problem gives scores and every case was judged.
    pub(crate) score: Option<Score>,
    /// Why the package cannot be scored.
    pub(crate) fault: Option<String>,
}

impl ScoringOutcome {
    fn fault(notice: &Notice) -> Self {
        Self { fault: Some(notice.to_string()), ..Self::default() }
    }
}

impl<'a> Scorer<'a> {
    /// A scorer without results.
    pub(crate) fn new(problem: &'a Problem) -> Self {
        let cases = match problem.scoring {
            None => 0,
            Some(_) => problem.cases.len(),
        };
        Self { problem, results: vec![None; cases], failed: BTreeSet::new(), failures: Vec::new() }
    }

    /// Adds the result of the next case.
    pub(crate) fn add(&mut self, case: usize, verdict: Verdict, score: Option<f64>) {
        let Some(scoring) = &self.problem.scoring else {
            return;
        };
        self.results[case] = Some((verdict, score));
        if verdict == Verdict::Accepted {
            return;
        }
        if verdict != Verdict::Skipped {
            self.failures.push(case);
        }
        if let Scoring::Points(points) = scoring {
            match points.group_of(self.problem.cases[case].name()) {
                Some(group) => self.failed.insert(&group.name),
                // A sample without an answer is skipped, which is not a failure.
                None if verdict == Verdict::Skipped => false,
                None => self.failed.insert("sample"),
            };
        }
    }

    /// The first failed group that the case's group requires. The results of all earlier cases must
    /// have been added.
    pub(crate) fn lacks(&self, case: usize) -> Option<&'a str> {
        let Some(Scoring::Points(points)) = &self.problem.scoring else {
            return None;
        };
        let group = points.group_of(self.problem.cases[case].name())?;
        let required = points.secret.require_pass.iter().chain(&group.require_pass);
        required.map(String::as_str).find(|name| self.failed.contains(name))
    }

    /// Whether all cases together get a score, or a verdict of a grader. If only some of the cases were selected, they do not.
    pub(crate) fn is_scored(&self) -> bool {
        match &self.problem.scoring {
            None => false,
            Some(Scoring::Points(points)) => points.all_cases == self.results.len(),
            Some(Scoring::Grading(grading)) => grading.cases == self.results.len(),
        }
    }

    /// Whether earlier failures decide the result of the group of `case`, so that its own result changes nothing.
    pub(crate) fn is_decided(&self, case: usize) -> bool {
        let name = self.problem.cases[case].name();
        match &self.problem.scoring {
            _ if self.failures.is_empty() || !self.is_scored() => false,
            Some(Scoring::Points(points)) => match points.group_of(name) {
                None => self.failed.contains("sample"),
                Some(group) => match group.aggregation {
                    Aggregation::Sum | Aggregation::Max => false,
                    Aggregation::PassFail => self.failed.contains(group.name.as_str()),
                    _ => self.has_nothing(points, group),
                },
            },
            Some(Scoring::Grading(grading)) => {
                grading::is_ignored(grading, self.problem, &self.failures, case)
            }
            None => false,
        }
    }

    /// Whether a case of the group failed and got no points, which wrong outputs may get.
    fn has_nothing(&self, points: &scoring::Points, group: &PointGroup) -> bool {
        self.failures.iter().any(|case| {
            let is_in_group = points.group_of(self.problem.cases[*case].name()) == Some(group);
            let score = self.results[*case].and_then(|(_, score)| score);
            is_in_group && score.unwrap_or(0.0) <= 0.0
        })
    }

    /// Combines the results.
    pub(crate) fn finish(&self, run: &mut RunGrader<'_>) -> ScoringOutcome {
        let Some(results) = self.results.iter().copied().collect::<Option<Vec<_>>>() else {
            return ScoringOutcome::default();
        };
        let outcome = match &self.problem.scoring {
            Some(Scoring::Points(points)) if self.is_scored() => {
                let score = self.points(points, &results);
                score
                    .map(|score| ScoringOutcome { score: Some(score), ..ScoringOutcome::default() })
            }
            Some(Scoring::Grading(grading)) if self.is_scored() => match grading.rules {
                GradingRules::Format => grading::grade(grading, self.problem, &results, run),
                GradingRules::Domjudge => Ok(domjudge::grade(grading, self.problem, &results)),
            },
            _ => Ok(ScoringOutcome::default()),
        };
        outcome.unwrap_or_else(|fault| ScoringOutcome::fault(&fault))
    }

    fn points(
        &self,
        points: &scoring::Points,
        results: &[(Verdict, Option<f64>)],
    ) -> Result<Score, Notice> {
        let mut parts: HashMap<&str, Vec<f64>> = HashMap::new();
        for (case, (_, score)) in self.problem.cases.iter().zip(results) {
            if let Some(group) = points.group_of(case.name()) {
                let parts = parts.entry(group.name.as_str()).or_default();
                parts.push(score.unwrap_or(0.0));
            }
        }
        let mut parts_of = |group: &PointGroup| parts.remove(group.name.as_str());
        let mut groups = Vec::new();
        for group in &points.groups {
            let failed = self.failed.contains(group.name.as_str());
            let parts = parts_of(group).unwrap_or_default();
            groups.push(GroupScore {
                group: group.name.clone(),
                score: total(group, failed, &parts)?,
                max: group.max,
            });
        }
        let secret = &points.secret;
        // If there are groups, the only case directly in `secret` is that of static validation.
        let mut parts = parts_of(secret).unwrap_or_default();
        parts.extend(groups.iter().map(|group| group.score));
        let failed = self.failed.iter().any(|name| *name != "sample");
        Ok(Score { score: total(secret, failed, &parts)?, max: secret.max, groups })
    }
}

/// A part of the points, rounded up as sinol-make does: with its doubles, of the percentage that the checker gave.
fn rounded_up(points: f64, max: Option<f64>) -> f64 {
    match max {
        Some(max) if max > 0.0 => {
            let percentage = points / max * 100.0;
            let whole = percentage.round();
            let is_whole = (percentage - whole).abs() < 1e-6;
            (max * (if is_whole { whole } else { percentage } / 100.0)).ceil().min(max)
        }
        _ => points.ceil(),
    }
}

/// Combines the scores of a group's parts.
fn total(group: &PointGroup, failed: bool, parts: &[f64]) -> Result<f64, Notice> {
    let lowest = parts.iter().copied().reduce(f64::min).unwrap_or(0.0);
    let score = match group.aggregation {
        Aggregation::PassFail if failed => 0.0,
        Aggregation::PassFail => group.max.unwrap_or(0.0),
        // `sum` of nothing is -0.
        Aggregation::SumIfAll if lowest <= 0.0 => 0.0,
        Aggregation::Sum | Aggregation::SumIfAll => parts.iter().fold(0.0, Add::add),
        Aggregation::Min | Aggregation::Threshold(_) => lowest,
        Aggregation::MinRoundedUp => rounded_up(lowest, group.max),
        Aggregation::Max => parts.iter().copied().fold(0.0, f64::max),
        Aggregation::Product => group
            .max
            .filter(|max| *max > 0.0)
            .map_or(0.0, |max| max * parts.iter().map(|part| part / max).product::<f64>()),
    };
    let Some(max) = group.max else {
        return Ok(score);
    };
    // Sums of rounded scores may exceed the maximum slightly.
    if score > max * (1.0 + 1e-9) {
        return Err(Code::FailingProgram.says(format!(
            "`{}` has a score of {score}, above its `max_score` of {max}",
            group.name
        )));
    }
    Ok(if (score - max).abs() <= max * 1e-9 { max } else { score })
}
