//! The lines in JSON of `rejudge strength`.

use serde_json::{Value, json};

use super::bounds::BoundsReview;
use super::difference;
use super::kill::MutantFate;
use super::mutant_review::{MutantReview, SurvivorSearch};
use super::review::StrengthReview;

/// The version of the schema.
const SCHEMA: u32 = 1;

/// A line for each wrong submission, and one for the problem.
pub(crate) fn json_of(review: &StrengthReview) -> Vec<Value> {
    let (matrix, killing) = (&review.matrix, &review.killing);
    let mut lines: Vec<Value> = matrix
        .wrong()
        .map(|submission| {
            let mut close = review.close.iter();
            let close = close.find(|catch| catch.submission == submission.name);
            let close = match close.map(|catch| catch.is_certain) {
                Some(true) => "yes",
                Some(false) => "unknown",
                None => "no",
            };
            json!({
                "type": "submission",
                "schema": SCHEMA,
                "problem": matrix.problem,
                "submission": submission.name,
                "verdict": submission.verdict.code(),
                "caught_by": review.catching(submission),
                "unknown": review.unknown(submission),
                "close": close,
            })
        })
        .collect();
    if let Some(found) = &review.bounds {
        lines.extend(bounds_of(&matrix.problem, found));
    }
    if let Some(mutants) = &review.mutants {
        lines.extend(mutants_of(&matrix.problem, mutants));
    }
    let ms = |time: std::time::Duration| time.as_secs_f64() * 1e3;
    let mean = review.order.mean;
    lines.push(json!({
        "type": "problem",
        "schema": SCHEMA,
        "problem": matrix.problem,
        "cases": matrix.cases,
        "wrong": matrix.wrong().count(),
        "uncaught": review.uncaught().map(|one| &one.name).collect::<Vec<_>>(),
        "essential": review.names(&killing.essential),
        "redundant": review.names(&killing.redundant),
        "idle": review.names(&review.idle()),
        "minimal": review.names(&killing.minimal),
        "minimal_is_exact": killing.is_exact,
        "order": review.names(&review.order.cases),
        "order_needed": review.order.needed,
        "mean_cpu_ms": mean.map(|(present, _)| ms(present)),
        "mean_cpu_in_order_ms": mean.map(|(_, soonest)| ms(soonest)),
        "variables": review.bounds.as_ref().map(|found| found.variables),
        "missing_features": review.bounds.as_ref().map(|found| &found.missing_features),
        "mutants": review.mutants.as_ref().map(totals_of),
    }));
    lines
}

/// A line for each extreme that no case reaches.
fn bounds_of(problem: &str, review: &BoundsReview) -> Vec<Value> {
    let lines = review.missing.iter().map(|missing| {
        json!({
            "type": "extreme",
            "schema": SCHEMA,
            "problem": problem,
            "variable": missing.variable,
            "end": if missing.is_greatest { "greatest" } else { "least" },
            "bound": missing.bound,
            "accepted": missing.accepted,
            "reached": missing.reached,
            "is_logged": review.is_logged,
        })
    });
    lines.collect()
}

/// A line for each mutant.
fn mutants_of(problem: &str, review: &MutantReview) -> Vec<Value> {
    let lines = review.mutants().map(|(mutant, parent, fate)| {
        let (state, case, verdict, reason) = match fate {
            MutantFate::Killed { case, verdict } => {
                ("killed", Some(case), Some(verdict.code()), None)
            }
            MutantFate::Survives => ("survives", None, None, None),
            MutantFate::NotJudged(why) => ("not_judged", None, None, Some(why)),
        };
        let kept = review.kept.get(&mutant.number);
        let text = |input: &[u8]| Some(String::from_utf8_lossy(input).into_owned());
        let (search, killing, failing, rounds) = match review.searches.get(&mutant.number) {
            Some(SurvivorSearch::Killed { input, .. }) => ("killed", text(input), None, None),
            Some(SurvivorSearch::SolutionFails { input, .. }) => {
                ("solution_fails", None, text(input), None)
            }
            Some(SurvivorSearch::NothingFound { rounds }) => {
                ("probably_equivalent", None, None, Some(rounds))
            }
            Some(SurvivorSearch::Fault) => ("fault", None, None, None),
            None => ("none", None, None, None),
        };
        json!({
            "type": "mutant",
            "schema": SCHEMA,
            "problem": problem,
            "mutant": mutant.number,
            "submission": parent.submission.name,
            "kind": mutant.change.kind,
            "line": mutant.change.line(&parent.text),
            "state": state,
            "case": case,
            "verdict": verdict,
            "reason": reason,
            "difference": difference::plain(parent, mutant),
            "kept": kept.map(|path| path.to_string_lossy()),
            "search": search,
            "killing_input": killing,
            "failing_input": failing,
            "rounds": rounds,
        })
    });
    lines.collect()
}

fn totals_of(review: &MutantReview) -> Value {
    let ms = |time: std::time::Duration| time.as_secs_f64() * 1e3;
    json!({
        "all": review.set.mutants.len(),
        "killed": review.killed(),
        "survive": review.survivors().count(),
        "killed_by_search": review.killed_by_search(),
        "not_judged": review.not_judged(),
        "not_compiled": review.set.not_compiled,
        "same": review.set.same,
        "possible": review.set.possible,
        "seed": review.seed,
        "compiled_in_ms": ms(review.compiled_in),
        "judged_in_ms": ms(review.judged_in),
    })
}
