//! Which problems of a contest have arrived: they are sent one by one, in any order, possibly more
//! than once.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use crate::problem::layouts::companion::CompanionProblem;

/// How long after the last problem of a batch no more problems are expected.
const SILENCE: Duration = Duration::from_secs(5);

/// What tells one problem from another: its address and its name. Some sites give all problems of a page one address.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Identity {
    url: String,
    name: String,
}

impl Identity {
    pub(crate) fn of(problem: &CompanionProblem) -> Self {
        Self { url: problem.url.clone(), name: problem.name.clone() }
    }
}

/// A contest that is being received.
#[derive(Debug)]
struct Batch {
    id: String,
    size: usize,
    /// What has arrived.
    problems: BTreeSet<Identity>,
    last: Instant,
}

/// A batch from which no more problems are expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Ended {
    pub(crate) came: usize,
    pub(crate) size: usize,
}

/// The batches that are being received.
#[derive(Debug, Default)]
pub(crate) struct Batches {
    open: Vec<Batch>,
}

impl Batches {
    /// Records a problem; returns its batch if it is now complete. A problem without a batch is a
    /// batch of its own.
    pub(crate) fn add(
        &mut self,
        batch: Option<(&str, usize)>,
        problem: Identity,
        now: Instant,
    ) -> Option<Ended> {
        let Some((id, size)) = batch.filter(|(_, size)| *size > 1) else {
            return Some(Ended { came: 1, size: 1 });
        };
        let place = self.open.iter().position(|known| known.id == id).unwrap_or_else(|| {
            self.open.push(Batch { id: id.to_owned(), size, problems: BTreeSet::new(), last: now });
            self.open.len() - 1
        });
        let known = &mut self.open[place];
        known.problems.insert(problem);
        known.last = now;
        (known.problems.len() >= known.size).then(|| ended(&self.open.swap_remove(place)))
    }

    /// Removes and returns the batches that have timed out.
    pub(crate) fn give_up(&mut self, now: Instant) -> Vec<Ended> {
        let silent = |batch: &Batch| now.duration_since(batch.last) >= SILENCE;
        let given_up = self.open.iter().filter(|batch| silent(batch)).map(ended).collect();
        self.open.retain(|batch| !silent(batch));
        given_up
    }
}

fn ended(batch: &Batch) -> Ended {
    Ended { came: batch.problems.len(), size: batch.size }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_that_share_an_address_are_different_problems() {
        let mut batches = Batches::default();
        let now = Instant::now();
        let three = Some(("x", 3));
        for (name, ended) in
            [("A", None), ("B", None), ("B", None), ("C", Some(Ended { came: 3, size: 3 }))]
        {
            let problem = Identity {
                url: String::from("https://example.org/problems"),
                name: name.to_owned(),
            };
            assert_eq!(batches.add(three, problem, now), ended, "{name}");
        }
    }

    #[test]
    fn a_batch_is_complete_when_every_problem_has_arrived_in_any_order() {
        let problem = |name: &str| Identity { url: name.to_owned(), name: name.to_owned() };
        let mut batches = Batches::default();
        let now = Instant::now();
        let two = |id| Some((id, 2));
        assert_eq!(batches.add(two("x"), problem("b"), now), None);
        assert_eq!(batches.add(two("x"), problem("b"), now), None);
        assert_eq!(batches.add(two("y"), problem("c"), now), None);
        let complete = Some(Ended { came: 2, size: 2 });
        assert_eq!(batches.add(two("x"), problem("a"), now), complete);
        assert_eq!(batches.add(None, problem("z"), now), Some(Ended { came: 1, size: 1 }));
        assert_eq!(batches.give_up(now), []);
        let late = now + SILENCE;
        assert_eq!(batches.give_up(late), [Ended { came: 1, size: 2 }]);
        assert_eq!(batches.give_up(late), []);
    }
}
