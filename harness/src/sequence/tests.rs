//! The order of the results, and what ends a run early.

use super::*;
use crate::specimen;
use crate::submission::Expectation;

fn submission(name: &str) -> Submission {
    specimen::submission(name, Expectation::accepted())
}

fn ready() -> BuildOutcome {
    BuildOutcome::Ready { limits: specimen::limits(), build: Build::default() }
}

/// The report if the results of two submissions arrive in `order`.
fn reported(order: &[(usize, usize, Verdict)], fail_fast: FailFast) -> (Vec<String>, Summary) {
    let (problem, a, b) = (specimen::problem(3), submission("a"), submission("b"));
    let entries = [(&a, &problem), (&b, &problem)];
    let queue = Queue::new(2);
    let policy = FailurePolicy { fail_fast, allow_unchecked: false };
    let mut sequencer = Sequencer::new(
        &entries,
        &queue,
        policy,
        Box::new(|_, _, _, _| unreachable!("nothing is graded here")),
    );
    let mut seen = Vec::new();
    let mut emit = |event: &Event<'_>| match event {
        Event::Case(result) => seen.push(format!("{} {}", result.case, result.verdict)),
        Event::Submission(report) => {
            seen.push(format!("{}: {} {}", report.submission, report.verdict, report.run));
        }
        _ => {}
    };
    sequencer.built(1, ready(), &mut emit);
    sequencer.built(0, ready(), &mut emit);
    for (submission, case, verdict) in order {
        sequencer.case(
            *submission,
            *case,
            specimen::result(&case.to_string(), *verdict),
            &mut emit,
        );
    }
    let summary = sequencer.finish(&mut emit);
    (seen, summary)
}

#[test]
fn results_are_reported_in_order_for_any_order_of_arrival() {
    use Verdict::{Accepted as AC, WrongAnswer as WA};
    let arrived = [(1, 2, AC), (0, 1, WA), (1, 0, AC), (0, 2, AC), (0, 0, AC), (1, 1, AC)];
    let (seen, summary) = reported(&arrived, FailFast::Never);
    let expected = ["0 AC", "1 WA", "2 AC", "a: WA 3", "0 AC", "1 AC", "2 AC", "b: AC 3"];
    assert_eq!(seen, expected);
    assert_eq!((summary.met, summary.unexpected, summary.cases), (1, 1, 6));
}

#[test]
fn fail_fast_ends_at_the_first_failure_in_order_and_drops_later_results() {
    use Verdict::{Accepted as AC, WrongAnswer as WA};
    let arrived = [(0, 2, WA), (0, 1, WA), (1, 0, AC), (0, 0, AC), (1, 1, AC), (1, 2, AC)];
    let (seen, summary) = reported(&arrived, FailFast::Run);
    assert_eq!(seen, ["0 AC", "1 WA", "a: WA 2"]);
    assert_eq!((summary.unexpected, summary.skipped), (1, 1));
    let (seen, summary) = reported(&arrived, FailFast::Submission);
    let expected = ["0 AC", "1 WA", "a: WA 2", "0 AC", "1 AC", "2 AC", "b: AC 3"];
    assert_eq!(seen, expected);
    assert_eq!((summary.met, summary.unexpected, summary.skipped), (1, 1, 0));
}

#[test]
fn an_unfinished_submission_that_has_failed_is_reported_with_what_arrived() {
    use Verdict::{Accepted as AC, WrongAnswer as WA};
    for arrived in [vec![(0, 0, WA)], vec![(0, 2, WA)], vec![(1, 1, WA)]] {
        let (seen, summary) = reported(&arrived, FailFast::Never);
        let (submission, case, _) = arrived[0];
        let name = ["a", "b"][submission];
        assert_eq!(seen, [format!("{case} WA"), format!("{name}: WA 1")]);
        assert_eq!((summary.unexpected, summary.skipped, summary.cases), (1, 1, 1));
    }
    let (seen, summary) = reported(&[(0, 0, WA), (0, 2, AC), (1, 0, AC)], FailFast::Never);
    assert_eq!(seen, ["0 WA", "2 AC", "a: WA 2"]);
    assert_eq!((summary.unexpected, summary.skipped), (1, 1));
}

#[test]
fn unfinished_submissions_are_counted_as_skipped() {
    let (seen, summary) = reported(&[(0, 0, Verdict::Accepted)], FailFast::Never);
    assert_eq!(seen, ["0 AC"]);
    assert_eq!(summary.skipped, 2);
}
