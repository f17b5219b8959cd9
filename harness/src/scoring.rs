//! What the results of cases come to: the score of a case, of groups, of a submission.
//!
//! Between check and report: it knows how the problem is scored and what its cases got, and runs
//! nothing itself; a grader of the package's own is run by whoever calls.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::path::Path;

use crate::event::{GroupScore, Score};
use crate::problem::Problem;
use crate::problem::scoring::{self, Aggregation, PointGroup, Scoring};
use crate::verdict::Verdict;

mod case;
mod grading;

pub(crate) use case::of_case;

/// Runs a grader on its standard input; its standard output, or in words why there is none.
pub(crate) type RunGrader<'a> = dyn FnMut(&Path, &[String], &str) -> Result<String, String> + 'a;

/// A score, to the millionth and without needless zeros: `40`, `12.5`.
pub(crate) struct Points(pub(crate) f64);

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = format!("{:.6}", self.0);
        f.write_str(text.trim_end_matches('0').trim_end_matches('.'))
    }
}

/// Gathers the results of one submission's cases.
#[derive(Debug)]
pub(crate) struct Scorer<'a> {
    problem: &'a Problem,
    results: Vec<Option<(Verdict, Option<f64>)>>,
    /// `sample`, and the groups, in which a case was not accepted.
    failed: BTreeSet<&'a str>,
}

/// What all results come to.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Outcome {
    /// The verdict, where a grader has it.
    pub(crate) verdict: Option<Verdict>,
    /// The score, if the problem gives any and every case was judged.
    pub(crate) score: Option<Score>,
    /// Why the package cannot be scored.
    pub(crate) fault: Option<String>,
}

impl Outcome {
    fn fault(words: String) -> Self {
        Self {
            fault: Some(words),
            ..Self::default()
        }
    }
}

impl<'a> Scorer<'a> {
    /// Nothing is known yet.
    pub(crate) fn new(problem: &'a Problem) -> Self {
        let cases = match problem.scoring {
            None => 0,
            Some(_) => problem.cases.len(),
        };
        Self {
            problem,
            results: vec![None; cases],
            failed: BTreeSet::new(),
        }
    }

    /// The next case's result.
    pub(crate) fn add(&mut self, case: usize, verdict: Verdict, score: Option<f64>) {
        let Some(scoring) = &self.problem.scoring else {
            return;
        };
        self.results[case] = Some((verdict, score));
        if verdict == Verdict::Accepted {
            return;
        }
        if let Scoring::Points(points) = scoring {
            match points.group_of(self.problem.cases[case].name()) {
                Some(group) => self.failed.insert(&group.name),
                // A sample without an answer was not asked for.
                None if verdict == Verdict::Skipped => false,
                None => self.failed.insert("sample"),
            };
        }
    }

    /// What a case's group requires and did not get, given the results of all cases before it.
    pub(crate) fn lacks(&self, case: usize) -> Option<&'a str> {
        let Some(Scoring::Points(points)) = &self.problem.scoring else {
            return None;
        };
        let group = points.group_of(self.problem.cases[case].name())?;
        let required = points.secret.require_pass.iter().chain(&group.require_pass);
        required
            .map(String::as_str)
            .find(|name| self.failed.contains(name))
    }

    /// What it all comes to.
    pub(crate) fn finish(&self, run: &mut RunGrader<'_>) -> Outcome {
        let Some(results) = self.results.iter().copied().collect::<Option<Vec<_>>>() else {
            return Outcome::default();
        };
        match &self.problem.scoring {
            // A selection of the cases says nothing of the score.
            Some(Scoring::Points(points)) if points.all_cases == results.len() => {
                match self.points(points, &results) {
                    Ok(score) => Outcome {
                        score: Some(score),
                        ..Outcome::default()
                    },
                    Err(fault) => Outcome::fault(fault),
                }
            }
            Some(Scoring::Grading(grading)) if grading.cases == results.len() => {
                match grading::grade(grading, self.problem, &results, run) {
                    Ok(outcome) => outcome,
                    Err(fault) => Outcome::fault(fault),
                }
            }
            _ => Outcome::default(),
        }
    }

    fn points(
        &self,
        points: &scoring::Points,
        results: &[(Verdict, Option<f64>)],
    ) -> Result<Score, String> {
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
        // Beside groups that is its static validation.
        let mut parts = parts_of(secret).unwrap_or_default();
        parts.extend(groups.iter().map(|group| group.score));
        let failed = self.failed.iter().any(|name| *name != "sample");
        Ok(Score {
            score: total(secret, failed, &parts)?,
            max: secret.max,
            groups,
        })
    }
}

/// A group's score from those of its parts.
fn total(group: &PointGroup, failed: bool, parts: &[f64]) -> Result<f64, String> {
    let score = match group.aggregation {
        Aggregation::PassFail if failed => 0.0,
        Aggregation::PassFail => group.max.unwrap_or(0.0),
        Aggregation::Sum => parts.iter().sum(),
        Aggregation::Min => parts.iter().copied().reduce(f64::min).unwrap_or(0.0),
    };
    let Some(max) = group.max else {
        return Ok(score);
    };
    // Shares of a score do not add up exactly.
    if score > max * (1.0 + 1e-9) {
        return Err(format!(
            "`{}` has a score of {score}, above its `max_score` of {max}",
            group.name
        ));
    }
    Ok(if (score - max).abs() <= max * 1e-9 {
        max
    } else {
        score
    })
}
