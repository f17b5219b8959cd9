//! Which solutions are measured, and on which cases.

use std::time::Duration;

use crate::problem::Problem;
use crate::submission::Submission;

/// Whether a solution is measured by default, without being named on the command line: it must be expected to be
/// accepted on all cases.
#[must_use]
pub fn is_measured_by_default(submission: &Submission) -> bool {
    submission.expected.is_all_accepted()
}

/// The reason why a solution cannot be measured; `None` if it can.
#[must_use]
pub fn why_not_measurable(problem: &Problem, submission: &Submission) -> Option<&'static str> {
    if submission.is_answers() {
        Some("it consists of answers, not of a program")
    } else if problem.is_interactive() {
        Some("its problem is interactive: the running time depends on the interactor")
    } else if problem.kind.multi_pass {
        Some("its problem is multi-pass: the running time depends on the validator")
    } else {
        None
    }
}

/// The CPU time of each case for the slowest of several programs, if all of them passed it. A program without any time has
/// failed and does not count.
#[must_use]
pub fn slowest_of_rivals(rivals: &[Vec<Option<Duration>>]) -> Vec<Option<Duration>> {
    let mut timed = rivals.iter().filter(|cpu| cpu.iter().any(Option::is_some));
    let slower = |one: Vec<Option<Duration>>, other: &Vec<Option<Duration>>| {
        let pairs = one.into_iter().zip(other);
        pairs.map(|(a, b)| Some(a?.max((*b)?))).collect()
    };
    let first = timed.next().or(rivals.first()).cloned();
    timed.fold(first.unwrap_or_default(), slower)
}

/// The slowest case of each group, in the problem's order. `cpu` has the CPU time of each case, if it was run. Among
/// the cases within a tenth of the slowest, the first one is chosen, so that noise seldom changes the choice.
#[must_use]
pub fn slowest_of_each_group(problem: &Problem, cpu: &[Option<Duration>]) -> Vec<usize> {
    let mut groups: Vec<(&str, Duration)> = Vec::new();
    let timed = || {
        let cases = problem.cases.iter().zip(cpu).enumerate();
        cases.filter_map(|(index, (case, cpu))| Some((index, case.group(), (*cpu)?)))
    };
    for (_, group, cpu) in timed() {
        match groups.iter_mut().find(|(name, _)| *name == group) {
            Some((_, slowest)) => *slowest = cpu.max(*slowest),
            None => groups.push((group, cpu)),
        }
    }
    let first = |(group, slowest): &(&str, Duration)| {
        let enough = slowest.mul_f64(0.9);
        let (index, ..) = timed().find(|(_, name, cpu)| name == group && *cpu >= enough)?;
        Some(index)
    };
    let mut chosen: Vec<usize> = groups.iter().filter_map(first).collect();
    chosen.sort_unstable();
    chosen
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specimen;
    use crate::submission::Expectation;

    #[test]
    fn only_solutions_that_must_be_accepted_are_measured_by_default() {
        for (folder, expected) in
            [("accepted", true), ("brute_force", false), ("wrong_answer", false)]
        {
            let submission = specimen::submission("a.rs", Expectation::of_folder(folder).unwrap());
            assert_eq!(is_measured_by_default(&submission), expected, "{folder}");
        }
    }

    #[test]
    fn of_rivals_the_slowest_counts_on_the_cases_that_all_passed() {
        let ms = |ms: u64| (ms > 0).then(|| Duration::from_millis(ms));
        let times = |times: &[u64]| times.iter().copied().map(ms).collect::<Vec<_>>();
        let table: [(&[&[u64]], &[u64]); 4] = [
            (&[&[2, 3], &[400, 1]], &[400, 3]),
            (&[&[2, 3], &[400, 0], &[1, 1]], &[400, 0]),
            (&[&[2, 3], &[0, 0]], &[2, 3]),
            (&[&[0, 0], &[0, 0]], &[0, 0]),
        ];
        for (rivals, expected) in table {
            let rivals: Vec<_> = rivals.iter().map(|one| times(one)).collect();
            assert_eq!(slowest_of_rivals(&rivals), times(expected));
        }
    }

    #[test]
    fn chooses_the_first_case_of_each_group_that_is_about_as_slow_as_the_slowest() {
        let ms = |ms: u64| (ms > 0).then(|| Duration::from_millis(ms));
        let problem = specimen::problem(4);
        let table = [
            ([1, 2, 3, 4], vec![3]),
            ([1, 95, 99, 100], vec![1]),
            ([0, 0, 5, 0], vec![2]),
            ([0, 0, 0, 0], vec![]),
        ];
        for (times, expected) in table {
            assert_eq!(slowest_of_each_group(&problem, &times.map(ms)), expected);
        }
    }
}
