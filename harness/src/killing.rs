//! The killing matrix: the cases that catch each wrong submission, and the cases that a problem needs for that.
//!
//! A case that was not run is unknown, never a miss. Everything that is said about a case or a submission holds whatever
//! the unknown results are; only the minimal set is that of the known results.

use std::collections::BTreeMap;

use crate::verdict::Verdict;

/// What a case shows about a wrong submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Catch {
    /// The case was not run.
    Unknown,
    /// The submission passes the case.
    Missed,
    /// The submission fails the case.
    Caught,
}

impl Catch {
    /// What a case shows about a wrong submission that gets this verdict on it.
    pub(crate) const fn of(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Accepted => Self::Missed,
            Verdict::WrongAnswer
            | Verdict::RunTimeError
            | Verdict::OutputLimit
            | Verdict::TimeLimit
            | Verdict::MemoryLimit => Self::Caught,
            Verdict::Ran | Verdict::CompileError | Verdict::JudgeError | Verdict::Skipped => {
                Self::Unknown
            }
        }
    }
}

/// What a set of cases is worth. Submissions and cases are indices.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Killing {
    /// The submissions that were run on all cases, and that no case catches.
    pub(crate) uncaught: Vec<usize>,
    /// Submissions that one case alone catches, with that case.
    pub(crate) caught_once: Vec<(usize, usize)>,
    /// The cases that alone catch a submission.
    pub(crate) essential: Vec<usize>,
    /// Cases that catch something, but nothing that one other case does not catch as well. Of equal cases, the first
    /// is not redundant.
    pub(crate) redundant: Vec<usize>,
    /// A smallest set of cases that catches every submission that is caught.
    pub(crate) minimal: Vec<usize>,
    /// Whether no smaller set exists. Otherwise the search ended early or results are unknown, and a smaller set may
    /// exist.
    pub(crate) is_exact: bool,
    /// Whether every case was run on every submission.
    pub(crate) is_complete: bool,
}

/// The amount of work after which the search for a smallest set ends: about a second at most.
const WORK: usize = 50_000_000;

/// A set of submissions.
type Set = Vec<u64>;

/// Evaluates `rows`: for each wrong submission, what each case shows.
pub(crate) fn killing(rows: &[Vec<Catch>]) -> Killing {
    let mut result = Killing::default();
    let cases = rows.iter().map(Vec::len).max().unwrap_or(0);
    let words = rows.len().div_ceil(64);
    let mut sets = vec![vec![0u64; words]; cases];
    for (submission, row) in rows.iter().enumerate() {
        let mut caught = Vec::new();
        for (case, _) in row.iter().enumerate().filter(|(_, catch)| **catch == Catch::Caught) {
            sets[case][submission / 64] |= 1 << (submission % 64);
            caught.push(case);
        }
        let is_known = is_known(row, cases);
        match caught[..] {
            [] if is_known => result.uncaught.push(submission),
            [case] if is_known => result.caught_once.push((submission, case)),
            _ => {}
        }
    }
    let mut essential: Vec<usize> = result.caught_once.iter().map(|(_, case)| *case).collect();
    essential.sort_unstable();
    essential.dedup();
    result.essential = essential;
    // Equal cases are one candidate, the first of them.
    let mut first_with: BTreeMap<&Set, usize> = BTreeMap::new();
    for (case, set) in sets.iter().enumerate().filter(|(_, set)| !is_empty(set)) {
        first_with.entry(set).or_insert(case);
    }
    let mut candidates: Vec<(usize, &Set)> = Vec::new();
    for (set, case) in &first_with {
        let is_contained = first_with.keys().any(|other| other != set && is_within(set, other));
        if !is_contained {
            candidates.push((*case, set));
        }
    }
    candidates.sort_unstable_by_key(|(case, _)| *case);
    result.redundant = redundant(rows, &sets);
    let (mut minimal, is_exact) = smallest(&candidates, words);
    minimal.sort_unstable();
    result.minimal = minimal;
    result.is_complete = rows.iter().all(|row| is_known(row, cases));
    result.is_exact = is_exact && result.is_complete;
    result
}

/// Whether every case was run on the submission that has this row.
fn is_known(row: &[Catch], cases: usize) -> bool {
    row.len() == cases && !row.contains(&Catch::Unknown)
}

/// The cases that one other case can replace, whatever the unknown results are. Of equal cases, the first stays.
fn redundant(rows: &[Vec<Catch>], sets: &[Set]) -> Vec<usize> {
    // An unknown result may be a catch.
    let mut possible = sets.to_vec();
    for (submission, row) in rows.iter().enumerate() {
        for (case, set) in possible.iter_mut().enumerate() {
            if row.get(case).is_none_or(|catch| *catch == Catch::Unknown) {
                set[submission / 64] |= 1 << (submission % 64);
            }
        }
    }
    let replaces = |other: usize, case: usize| {
        other != case
            && is_within(&possible[case], &sets[other])
            && (other < case || sets[other] != sets[case])
    };
    let is_redundant = |case: &usize| {
        !is_empty(&sets[*case]) && (0..sets.len()).any(|other| replaces(other, *case))
    };
    (0..sets.len()).filter(is_redundant).collect()
}

fn is_empty(set: &Set) -> bool {
    set.iter().all(|word| *word == 0)
}

fn is_within(set: &Set, other: &Set) -> bool {
    set.iter().zip(other).all(|(a, b)| a & !b == 0)
}

fn count(set: &[u64], left: &[u64]) -> u32 {
    set.iter().zip(left).map(|(a, b)| (a & b).count_ones()).sum()
}

/// A smallest set of candidates that covers everything that any of them covers, and whether it is known to be smallest.
fn smallest(candidates: &[(usize, &Set)], words: usize) -> (Vec<usize>, bool) {
    let mut all = vec![0u64; words];
    for (_, set) in candidates {
        for (word, bits) in all.iter_mut().zip(*set) {
            *word |= bits;
        }
    }
    let mut search = CoverSearch { candidates, best: greedy(candidates, all.clone()), work: 0 };
    search.cover(&all, &mut Vec::new());
    (search.best, search.work < WORK)
}

/// Takes the case that catches most of what is left, again and again.
fn greedy(candidates: &[(usize, &Set)], mut left: Set) -> Vec<usize> {
    let mut chosen = Vec::new();
    while !is_empty(&left) {
        let best = candidates.iter().rev().max_by_key(|(_, set)| count(set, &left));
        let Some((case, set)) = best else { break };
        remove(&mut left, set);
        chosen.push(*case);
    }
    chosen
}

fn remove(left: &mut Set, set: &Set) {
    for (word, bits) in left.iter_mut().zip(set) {
        *word &= !bits;
    }
}

/// Branch and bound: every cover contains a case that catches the submission with the fewest such cases.
struct CoverSearch<'a> {
    candidates: &'a [(usize, &'a Set)],
    best: Vec<usize>,
    work: usize,
}

impl<'a> CoverSearch<'a> {
    fn cover(&mut self, left: &Set, chosen: &mut Vec<usize>) {
        if is_empty(left) {
            if chosen.len() < self.best.len() {
                self.best.clone_from(chosen);
            }
            return;
        }
        let most = self.candidates.iter().map(|(_, set)| count(set, left)).max();
        let submissions: u32 = left.iter().map(|word| word.count_ones()).sum();
        let at_least = submissions.div_ceil(most.unwrap_or(1).max(1)) as usize;
        self.work += self.candidates.len() * (1 + submissions as usize);
        if self.work >= WORK || chosen.len() + at_least >= self.best.len() {
            return;
        }
        let hardest = bits(left).min_by_key(|bit| self.catching(*bit).count());
        let Some(hardest) = hardest else { return };
        let mut branches: Vec<(usize, &Set)> = self.catching(hardest).collect();
        branches.sort_by_key(|(_, set)| std::cmp::Reverse(count(set, left)));
        for (case, set) in branches {
            let mut rest = left.clone();
            remove(&mut rest, set);
            chosen.push(case);
            self.cover(&rest, chosen);
            chosen.pop();
        }
    }

    fn catching(&self, bit: usize) -> impl Iterator<Item = (usize, &'a Set)> + use<'a> {
        let has = move |set: &Set| set[bit / 64] >> (bit % 64) & 1 == 1;
        let candidates: &'a [(usize, &'a Set)] = self.candidates;
        candidates.iter().filter(move |(_, set)| has(set)).map(|(case, set)| (*case, *set))
    }
}

fn bits(set: &Set) -> impl Iterator<Item = usize> + '_ {
    (0..set.len() * 64).filter(|bit| set[bit / 64] >> (bit % 64) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// `x` caught, `.` missed, `?` unknown; a line for each submission.
    fn of(lines: &[&str]) -> Killing {
        let catch = |c| match c {
            'x' => Catch::Caught,
            '.' => Catch::Missed,
            _ => Catch::Unknown,
        };
        let rows: Vec<Vec<Catch>> =
            lines.iter().map(|line| line.chars().map(catch).collect()).collect();
        killing(&rows)
    }

    #[test]
    fn a_case_that_alone_catches_a_submission_is_essential() {
        let found = of(&["x..", "xx.", "...", ".xx"]);
        assert_eq!(found.caught_once, [(0, 0)]);
        assert_eq!(found.essential, [0]);
        assert_eq!(found.uncaught, [2]);
        // Case 2 catches only what case 1 catches too.
        assert_eq!(found.redundant, [2]);
        assert_eq!((found.minimal, found.is_exact), (vec![0, 1], true));
    }

    #[test]
    fn an_unknown_result_is_not_a_miss() {
        let found = of(&["x??", "x.."]);
        assert_eq!(found.caught_once, [(1, 0)]);
        assert_eq!(found.minimal, [0]);
        // The unknown result may be a catch: then the second case would be the only one that catches the submission.
        let found = of(&["xx", ".?"]);
        assert_eq!(found.redundant, [0; 0]);
        assert_eq!(found.uncaught, [0; 0]);
        assert!(!found.is_exact);
        assert_eq!(of(&["x.", "??"]).uncaught, [0; 0]);
    }

    #[test]
    fn of_equal_cases_the_first_is_not_redundant() {
        assert_eq!(of(&["xx", "xx"]).redundant, [1]);
    }

    #[test]
    fn the_smallest_set_may_be_smaller_than_the_greedy_one() {
        // Greedy takes the first case, which catches four of six, and then needs two more.
        let found = of(&["xx.", "xx.", "x.x", "x.x", ".x.", "..x"]);
        assert_eq!((found.minimal, found.is_exact), (vec![1, 2], true));
    }

    #[test]
    fn without_submissions_there_is_nothing_to_say() {
        assert_eq!(of(&[]), Killing { is_exact: true, is_complete: true, ..Killing::default() });
    }

    proptest! {
        #[test]
        fn the_smallest_set_catches_everything_and_no_smaller_one_does(
            rows in prop::collection::vec(prop::collection::vec(any::<bool>(), 7), 0..7)
        ) {
            let catches: Vec<Vec<Catch>> = rows.iter().map(|row| {
                row.iter().map(|x| if *x { Catch::Caught } else { Catch::Missed }).collect()
            }).collect();
            let found = killing(&catches);
            let covers = |chosen: &dyn Fn(usize) -> bool| rows.iter().all(|row| {
                !row.contains(&true) || row.iter().enumerate().any(|(case, x)| *x && chosen(case))
            });
            prop_assert!(found.is_exact);
            prop_assert!(covers(&|case| found.minimal.contains(&case)));
            let smallest = (0u32..128).filter(|set| covers(&|case| set >> case & 1 == 1));
            let smallest = smallest.map(u32::count_ones).min().unwrap();
            prop_assert_eq!(found.minimal.len(), smallest as usize);
        }
    }
}
