//! Compares a result that arrived with the plan of the run: a worker decides the verdicts of its unit, and nothing else.

use std::ops::Range;

use super::UnitOutcome;
use crate::event::CaseResult;
use crate::judge::Options;
use crate::notice::visible;
use crate::report::carried::BuildKind;
use crate::sequence::SubmissionEntry;
use crate::verdict::Verdict;

/// The outcome of the unit with these cases of an entry, its texts in one line. If it does not fit, a fault of its worker.
pub(super) fn fitting(
    (submission, problem): SubmissionEntry<'_>,
    cases: Range<usize>,
    options: &Options,
    mut outcome: UnitOutcome,
) -> UnitOutcome {
    outcome.worker = visible(&outcome.worker);
    outcome.fault = outcome.fault.as_deref().map(visible);
    let cases = &problem.cases[cases];
    let is_impossible = outcome.build.kind() == BuildKind::Impossible;
    let is_known = |result: &CaseResult| {
        let has_score = result.score.is_none_or(|score| score.is_finite() && score >= 0.0);
        result.submission == submission.name && result.problem == problem.id && has_score
    };
    let named = outcome.cases.iter().zip(cases);
    let fits = is_impossible == outcome.build.why().is_some()
        && outcome.cases.len() <= cases.len()
        && outcome.cases.iter().all(is_known)
        && named.clone().all(|(result, case)| result.case == case.name());
    if !fits {
        let why = format!("worker {} sent a result that does not fit the run", outcome.worker);
        return UnitOutcome::of_fault(&outcome.worker, why);
    }
    for result in &mut outcome.cases {
        let unchecked = options.allow_unchecked && result.verdict == Verdict::Ran;
        result.permitted = unchecked || submission.expected.permits(&result.case, result.verdict);
        result.reason = result.reason.as_deref().map(visible);
    }
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::event::Build;
    use crate::problem::{Problem, TestCase};
    use crate::report::carried::CarriedBuild;
    use crate::sandbox::{Interrupt, RunnerOptions};
    use crate::specimen;
    use crate::submission::Expectation;

    #[test]
    fn only_what_fits_the_plan_arrives() {
        let submission = specimen::submission("solutions/p/p.rs", Expectation::accepted());
        let case = |name: &str| TestCase::new(name, std::sync::Arc::default());
        let problem = Problem {
            id: submission.problem.clone(),
            cases: ["1", "2", "3"].map(case).into(),
            ..Problem::bare(std::path::Path::new("p"))
        };
        let options = Options::new(RunnerOptions::new("/", Interrupt::new().unwrap()));
        let arrives = |change: &dyn Fn(&mut UnitOutcome)| {
            let mut outcome = UnitOutcome::of_fault("w", String::new());
            outcome.fault = None;
            outcome.cases = vec![
                specimen::result("2", Verdict::Accepted),
                specimen::result("3", Verdict::WrongAnswer),
            ];
            change(&mut outcome);
            fitting((&submission, &problem), 1..3, &options, outcome)
        };
        // What follows from the plan is not taken from the worker.
        let forged = arrives(&|outcome| {
            outcome.worker = "w\nx".to_owned();
            outcome.cases[1].permitted = true;
            outcome.cases[1].reason = Some("a\n\u{1b}[2Jb".to_owned());
        });
        assert_eq!((forged.fault, forged.cases[1].permitted), (None, false));
        assert!(!forged.worker.contains('\n'));
        assert!(!forged.cases[1].reason.as_ref().unwrap().contains(char::is_control));
        let wrong: [&dyn Fn(&mut UnitOutcome); 8] = [
            &|outcome| outcome.cases[0].submission = "solutions/p/q.rs".to_owned(),
            &|outcome| outcome.cases[0].problem = "q".to_owned(),
            &|outcome| outcome.cases.swap(0, 1),
            &|outcome| outcome.cases[0].case = "1".to_owned(),
            &|outcome| outcome.cases.push(specimen::result("4", Verdict::Accepted)),
            &|outcome| outcome.cases[0].score = Some(f64::NAN),
            &|outcome| outcome.cases[0].score = Some(-1.0),
            &|outcome| {
                outcome.build = CarriedBuild::new(BuildKind::Impossible, &Build::default(), None);
            },
        ];
        for (number, change) in wrong.iter().enumerate() {
            let fault = arrives(change).fault;
            let told = "worker w sent a result that does not fit the run";
            assert_eq!(fault.as_deref(), Some(told), "{number}");
        }
    }
}
