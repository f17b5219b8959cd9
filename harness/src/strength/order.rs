//! The order of cases in which wrong submissions are rejected soonest.

use std::time::Duration;

use super::matrix::{JudgedSubmission, ResultMatrix};
use crate::killing::Catch;

/// A shorter run counts as this long: the judge's own work takes time too, and shorter times are noise.
const SHORTEST: Duration = Duration::from_millis(10);

/// An order of the cases, and what it is worth.
#[derive(Debug, Default)]
pub(crate) struct CaseOrder {
    /// The indices of all cases.
    pub(crate) cases: Vec<usize>,
    /// The number of cases at the start of the order that catch every submission that is caught.
    pub(crate) needed: usize,
    /// The mean CPU time up to the first case that rejects, in the present order and in this one; `None` if no
    /// submission is caught.
    pub(crate) mean: Option<(Duration, Duration)>,
}

/// The order that rejects soonest: always the case that catches the most submissions that are still accepted, relative
/// to the time that they take on it. No other order is known to be better than four times as fast (Feige, Lovász and
/// Tetali, 2004), and none can be found quickly.
pub(crate) fn fastest(matrix: &ResultMatrix) -> CaseOrder {
    let wrong: Vec<&JudgedSubmission> = matrix.wrong().collect();
    let mut left: Vec<usize> = (0..matrix.cases.len()).collect();
    let mut open: Vec<usize> = (0..wrong.len()).collect();
    let mut order = CaseOrder::default();
    while !open.is_empty() {
        let rate = |case: usize| {
            let mut cost = 0.0;
            let mut caught = 0.0;
            for submission in &open {
                cost += cpu(wrong[*submission], case).as_secs_f64();
                if wrong[*submission].catch(case) == Catch::Caught {
                    caught += 1.0;
                }
            }
            // Without a single result there is no cost either.
            if caught > 0.0 { caught / cost } else { 0.0 }
        };
        let rates = left.iter().enumerate().map(|(at, case)| (at, rate(*case)));
        // Of equal cases, the first.
        let best = rates.reduce(|best, next| if next.1 > best.1 { next } else { best });
        let Some((at, rate)) = best.filter(|(_, rate)| *rate > 0.0) else {
            break;
        };
        debug_assert!(rate.is_finite());
        let case = left.remove(at);
        open.retain(|submission| wrong[*submission].catch(case) != Catch::Caught);
        order.cases.push(case);
    }
    order.needed = order.cases.len();
    let catching = |case: &usize| {
        let caught = wrong.iter().filter(|one| one.catch(*case) == Catch::Caught);
        caught.count()
    };
    left.sort_by_cached_key(|case| std::cmp::Reverse(catching(case)));
    order.cases.extend(left);
    let present: Vec<usize> = (0..matrix.cases.len()).collect();
    order.mean = mean(&wrong, &present).zip(mean(&wrong, &order.cases));
    order
}

/// The CPU time of a run, but at least [`SHORTEST`].
fn cpu(submission: &JudgedSubmission, case: usize) -> Duration {
    let outcome = submission.outcomes.get(case).copied().flatten();
    outcome.map_or(Duration::ZERO, |outcome| outcome.cpu.max(SHORTEST))
}

/// The mean CPU time of the submissions that are caught, up to the first case in this order that rejects.
fn mean(wrong: &[&JudgedSubmission], order: &[usize]) -> Option<Duration> {
    let times = wrong.iter().filter_map(|one| {
        let first = order.iter().position(|case| one.catch(*case) == Catch::Caught)?;
        Some(order[..=first].iter().map(|case| cpu(one, *case)).sum())
    });
    let times: Vec<Duration> = times.collect();
    let number = u32::try_from(times.len()).ok().filter(|count| *count > 0)?;
    Some(times.iter().sum::<Duration>() / number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strength::matrix::CaseOutcome;
    use crate::verdict::Verdict;

    /// A line for each wrong submission: for each case the verdict and the milliseconds, `WA 10`.
    fn matrix(lines: &[&[(&str, u64)]]) -> ResultMatrix {
        let outcome = |&(code, ms): &(&str, u64)| {
            let verdict = Verdict::ALL.into_iter().find(|one| one.code() == code);
            verdict.map(|verdict| CaseOutcome {
                verdict,
                cpu: Duration::from_millis(ms),
                is_stopped: false,
            })
        };
        let submissions = lines.iter().map(|line| JudgedSubmission {
            name: String::new(),
            verdict: Verdict::WrongAnswer,
            must_fail: true,
            cpu_limit: Duration::from_secs(1),
            outcomes: line.iter().map(outcome).collect(),
        });
        ResultMatrix {
            problem: String::new(),
            cases: (0..lines[0].len()).map(|case| case.to_string()).collect(),
            submissions: submissions.collect(),
        }
    }

    #[test]
    fn a_quick_case_that_catches_much_comes_first() {
        let found = fastest(&matrix(&[
            &[("AC", 500), ("WA", 10), ("TLE", 1000)],
            &[("AC", 500), ("WA", 10), ("AC", 400)],
            &[("WA", 500), ("AC", 10), ("AC", 400)],
        ]));
        assert_eq!((found.cases, found.needed), (vec![1, 0, 2], 2));
        let (present, best) = found.mean.unwrap();
        assert_eq!(present, Duration::from_millis(1520) / 3);
        assert_eq!(best, Duration::from_millis(10 + 10 + 510) / 3);
    }

    #[test]
    fn what_no_case_catches_and_what_is_unknown_changes_nothing() {
        let found = fastest(&matrix(&[&[("AC", 1), ("?", 0)], &[("AC", 1), ("WA", 1)]]));
        assert_eq!((found.cases, found.needed), (vec![1, 0], 1));
        let none = fastest(&matrix(&[&[("AC", 1)]]));
        assert_eq!((none.cases, none.needed), (vec![0], 0));
        assert_eq!(none.mean, None);
    }
}
