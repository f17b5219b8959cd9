//! The lines in JSON of `rejudge strength`.

use std::borrow::Cow;
use std::time::Duration;

use serde::Serialize;

use super::bounds::BoundsReview;
use super::difference;
use super::kill::MutantFate;
use super::mutant_review::{MutantReview, SurvivorSearch};
use super::mutants::{Mutant, MutantParent};
use super::review::StrengthReview;
use super::syntax::ChangeKind;

/// A line of the report.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum StrengthLine<'a> {
    /// A submission that must be rejected.
    Submission {
        problem: &'a str,
        submission: &'a str,
        verdict: &'static str,
        caught_by: Vec<&'a str>,
        unknown: Vec<&'a str>,
        close: &'static str,
    },
    /// An extreme that no case reaches.
    Extreme {
        problem: &'a str,
        variable: &'a str,
        end: &'static str,
        bound: Option<&'a str>,
        accepted: Option<&'a str>,
        reached: Option<&'a str>,
        is_logged: bool,
    },
    /// A mutant.
    Mutant(Box<MutantEntry<'a>>),
    /// The problem.
    Problem(Box<StrengthTotals<'a>>),
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct MutantEntry<'a> {
    problem: &'a str,
    mutant: usize,
    submission: &'a str,
    line: usize,
    kind: ChangeKind,
    state: &'static str,
    case: Option<&'a str>,
    verdict: Option<&'static str>,
    reason: Option<&'a str>,
    difference: String,
    kept: Option<Cow<'a, str>>,
    #[serde(flatten)]
    search: SearchEntry<'a>,
}

/// The search for an input that kills a survivor.
#[derive(Default, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SearchEntry<'a> {
    search: &'static str,
    killing_input: Option<Cow<'a, str>>,
    failing_input: Option<Cow<'a, str>>,
    rounds: Option<u64>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct StrengthTotals<'a> {
    problem: &'a str,
    cases: &'a [String],
    wrong: usize,
    uncaught: Vec<&'a str>,
    essential: Vec<&'a str>,
    redundant: Vec<&'a str>,
    idle: Vec<&'a str>,
    minimal: Vec<&'a str>,
    minimal_is_exact: bool,
    order: Vec<&'a str>,
    order_needed: usize,
    mean_cpu_ms: Option<f64>,
    mean_cpu_in_order_ms: Option<f64>,
    variables: Option<usize>,
    missing_features: Option<&'a [String]>,
    mutants: Option<MutantTotals>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct MutantTotals {
    all: usize,
    killed: usize,
    survive: usize,
    killed_by_search: usize,
    not_judged: usize,
    not_compiled: usize,
    same: usize,
    possible: usize,
    seed: u64,
    compiled_in_ms: f64,
    judged_in_ms: f64,
}

/// A line for each wrong submission, extreme and mutant, and one for the problem.
pub(crate) fn json_of(review: &StrengthReview) -> Vec<StrengthLine<'_>> {
    let matrix = &review.matrix;
    let mut lines = submissions_of(review);
    if let Some(found) = &review.bounds {
        lines.extend(bounds_of(&matrix.problem, found));
    }
    if let Some(found) = &review.mutants {
        let mutants = found.mutants();
        lines.extend(mutants.map(|(mutant, parent, fate)| {
            let entry = mutant_entry(&matrix.problem, found, mutant, parent, fate);
            StrengthLine::Mutant(Box::new(entry))
        }));
    }
    lines.push(StrengthLine::Problem(Box::new(totals_of(review))));
    lines
}

fn submissions_of(review: &StrengthReview) -> Vec<StrengthLine<'_>> {
    let matrix = &review.matrix;
    let lines = matrix.wrong().map(|submission| {
        let close = review.close.iter().find(|catch| catch.submission == submission.name);
        StrengthLine::Submission {
            problem: &matrix.problem,
            submission: &submission.name,
            verdict: submission.verdict.code(),
            caught_by: review.catching(submission),
            unknown: review.unknown(submission),
            close: match close.map(|catch| catch.is_certain) {
                Some(true) => "yes",
                Some(false) => "unknown",
                None => "no",
            },
        }
    });
    lines.collect()
}

/// A line for each extreme that no case reaches.
fn bounds_of<'a>(
    problem: &'a str,
    review: &'a BoundsReview,
) -> impl Iterator<Item = StrengthLine<'a>> {
    review.missing.iter().map(|missing| StrengthLine::Extreme {
        problem,
        variable: &missing.variable,
        end: if missing.is_greatest { "greatest" } else { "least" },
        bound: missing.bound.as_deref(),
        accepted: missing.accepted.as_deref(),
        reached: missing.reached.as_deref(),
        is_logged: review.is_logged,
    })
}

fn mutant_entry<'a>(
    problem: &'a str,
    review: &'a MutantReview,
    mutant: &'a Mutant,
    parent: &'a MutantParent,
    fate: &'a MutantFate,
) -> MutantEntry<'a> {
    let (state, case, verdict, reason) = match fate {
        MutantFate::Killed { case, verdict } => {
            ("killed", Some(case.as_str()), Some(verdict.code()), None)
        }
        MutantFate::Survives => ("survives", None, None, None),
        MutantFate::NotJudged(why) => ("not_judged", None, None, Some(why.as_str())),
    };
    let kept = review.kept.get(&mutant.number);
    MutantEntry {
        problem,
        mutant: mutant.number,
        submission: &parent.submission.name,
        line: mutant.change.line(&parent.text),
        kind: mutant.change.kind,
        state,
        case,
        verdict,
        reason,
        difference: difference::plain(parent, mutant),
        kept: kept.map(|path| path.to_string_lossy()),
        search: search_entry(review.searches.get(&mutant.number)),
    }
}

fn search_entry(search: Option<&SurvivorSearch>) -> SearchEntry<'_> {
    let named = |search| SearchEntry { search, ..SearchEntry::default() };
    match search {
        Some(SurvivorSearch::Killed { input, .. }) => {
            SearchEntry { killing_input: Some(String::from_utf8_lossy(input)), ..named("killed") }
        }
        Some(SurvivorSearch::SolutionFails { input, .. }) => SearchEntry {
            failing_input: Some(String::from_utf8_lossy(input)),
            ..named("solution_fails")
        },
        Some(SurvivorSearch::NothingFound { rounds }) => {
            SearchEntry { rounds: Some(*rounds), ..named("probably_equivalent") }
        }
        Some(SurvivorSearch::Fault) => named("fault"),
        None => named("none"),
    }
}

fn milliseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

fn totals_of(review: &StrengthReview) -> StrengthTotals<'_> {
    let (matrix, killing) = (&review.matrix, &review.killing);
    let mean = review.order.mean;
    StrengthTotals {
        problem: &matrix.problem,
        cases: &matrix.cases,
        wrong: matrix.wrong().count(),
        uncaught: review.uncaught().map(|one| one.name.as_str()).collect(),
        essential: review.names(&killing.essential),
        redundant: review.names(&killing.redundant),
        idle: review.names(&review.idle()),
        minimal: review.names(&killing.minimal),
        minimal_is_exact: killing.is_exact,
        order: review.names(&review.order.cases),
        order_needed: review.order.needed,
        mean_cpu_ms: mean.map(|(present, _)| milliseconds(present)),
        mean_cpu_in_order_ms: mean.map(|(_, soonest)| milliseconds(soonest)),
        variables: review.bounds.as_ref().map(|found| found.variables),
        missing_features: review.bounds.as_ref().map(|found| found.missing_features.as_slice()),
        mutants: review.mutants.as_ref().map(MutantTotals::of),
    }
}

impl MutantTotals {
    fn of(review: &MutantReview) -> Self {
        Self {
            all: review.set.mutants.len(),
            killed: review.killed(),
            survive: review.survivors().count(),
            killed_by_search: review.killed_by_search(),
            not_judged: review.not_judged(),
            not_compiled: review.set.not_compiled,
            same: review.set.same,
            possible: review.set.possible,
            seed: review.seed,
            compiled_in_ms: milliseconds(review.compiled_in),
            judged_in_ms: milliseconds(review.judged_in),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::schema;

    #[test]
    fn the_schema_of_strength_is_up_to_date() {
        schema::is_up_to_date("strength", schema::of_lines::<StrengthLine<'static>>());
    }
}
