//! Runs rounds on several threads, and ends with the lowest round that found something.
//!
//! Every round is a function of its number, so the result does not depend on the number of threads.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Instant;

use crate::sandbox::OwnProcessor;

/// Which rounds to run.
#[derive(Debug, Clone, Copy)]
pub(super) struct RoundPlan {
    pub(super) first: u64,
    /// The last round; `None`: until the deadline.
    pub(super) last: Option<u64>,
    pub(super) deadline: Option<Instant>,
    pub(super) jobs: usize,
}

/// The end of the rounds.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct RoundsEnd<F, E> {
    /// The lowest round that found something.
    pub(super) found: Option<(u64, F)>,
    /// Why the rounds ended after it was found.
    pub(super) fault: Option<E>,
    /// The number of the last round before which all rounds were run.
    pub(super) last: u64,
}

/// Runs the round with this number on a worker. The last argument is the worker's next round, if it is known.
type RunRound<'a, W, F, E> = dyn Fn(&mut W, u64, Option<u64>) -> Result<Option<F>, E> + Sync + 'a;

/// What the threads share.
struct SharedRounds<F, E> {
    next: AtomicU64,
    /// No round after this one is started.
    until: AtomicU64,
    found: Mutex<Option<(u64, F)>>,
    fault: Mutex<Option<E>>,
}

impl<F, E> SharedRounds<F, E> {
    /// The next round of a worker, if there is one.
    fn claim(&self) -> Option<u64> {
        let order = Ordering::SeqCst;
        let claim = |number| self.is_wanted(number).then_some(number + 1);
        self.next.fetch_update(order, order, claim).ok()
    }

    fn is_wanted(&self, number: u64) -> bool {
        number <= self.until.load(Ordering::SeqCst)
    }

    /// Gives back a claimed round. It must be run if a later round was claimed, because no round may be missing.
    fn release(&self, number: u64) -> bool {
        let (order, next) = (Ordering::SeqCst, number + 1);
        (self.next.compare_exchange(next, number, order, order)).is_ok()
    }
}

/// Runs `round` with the number of each round, on workers that `worker` makes. An error ends all rounds, and is the result
/// if no round has found anything.
pub(super) fn lowest<W, F: Send, E: Send>(
    plan: RoundPlan,
    worker: &(dyn Fn() -> Result<W, E> + Sync),
    round: &RunRound<'_, W, F, E>,
) -> Result<RoundsEnd<F, E>, E> {
    let shared = SharedRounds {
        next: AtomicU64::new(plan.first),
        until: AtomicU64::new(plan.last.unwrap_or(u64::MAX)),
        found: Mutex::new(None),
        fault: Mutex::new(None),
    };
    thread::scope(|scope| {
        let (shared, jobs) = (&shared, plan.jobs.max(1));
        for number in 0..jobs {
            scope.spawn(move || {
                let _own = OwnProcessor::of_thread(number, jobs);
                work(shared, plan, worker, round);
            });
        }
    });
    let SharedRounds { next, found, fault, .. } = shared;
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let fault = fault.into_inner().unwrap_or_else(PoisonError::into_inner);
    let fault = match fault {
        Some(error) if found.is_none() => return Err(error),
        fault => fault,
    };
    let started = next.into_inner().min(plan.last.map_or(u64::MAX, |last| last.saturating_add(1)));
    let last = found.as_ref().map_or(started.saturating_sub(1), |(round, _)| *round);
    Ok(RoundsEnd { found, fault, last })
}

fn work<W, F, E>(
    shared: &SharedRounds<F, E>,
    plan: RoundPlan,
    worker: &(dyn Fn() -> Result<W, E> + Sync),
    round: &RunRound<'_, W, F, E>,
) {
    let fail = |error| {
        shared.until.store(0, Ordering::SeqCst);
        let mut fault = shared.fault.lock().unwrap_or_else(PoisonError::into_inner);
        fault.get_or_insert(error);
    };
    let mut worker = match worker() {
        Ok(worker) => worker,
        Err(error) => return fail(error),
    };
    let is_over = || plan.deadline.is_some_and(|deadline| Instant::now() >= deadline);
    let claim = || if is_over() { None } else { shared.claim() };
    // With several workers, another one may be free before this one, so nothing is claimed in advance.
    let is_alone = plan.jobs <= 1;
    let mut claimed = claim();
    while let Some(number) = claimed {
        if !shared.is_wanted(number) || (is_over() && shared.release(number)) {
            return;
        }
        let next = if is_alone { claim() } else { None };
        match round(&mut worker, number, next) {
            Ok(None) => {}
            Ok(Some(finding)) => {
                shared.until.fetch_min(number, Ordering::SeqCst);
                let mut found = shared.found.lock().unwrap_or_else(PoisonError::into_inner);
                if found.as_ref().is_none_or(|(lowest, _)| number < *lowest) {
                    *found = Some((number, finding));
                }
            }
            Err(error) => return fail(error),
        }
        claimed = if is_alone { next } else { claim() };
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;
    use std::time::Duration;

    use super::*;

    fn plan(last: u64, jobs: usize) -> RoundPlan {
        RoundPlan { first: 1, last: Some(last), deadline: None, jobs }
    }

    #[test]
    fn the_lowest_round_is_found_at_any_number_of_threads() {
        for jobs in [1, 2, 7] {
            let end = lowest(plan(1000, jobs), &|| Ok::<_, ()>(()), &|(), round, _| {
                Ok((round % 97 == 0 || round == 412).then_some(round))
            });
            let found = Some((97, 97));
            let last = 97;
            let fault = None;
            assert_eq!(end, Ok(RoundsEnd { found, fault, last }));
            let none = lowest(plan(10, jobs), &|| Ok::<_, ()>(()), &|(), _, _| Ok(None::<()>));
            assert_eq!(none, Ok(RoundsEnd { found: None, fault: None, last: 10 }));
        }
    }

    #[test]
    fn a_round_that_ends_late_is_waited_for() {
        // Round 2 ends only after round 3 has found something.
        let (sender, receiver) = channel();
        let (sender, receiver) = (Mutex::new(sender), Mutex::new(receiver));
        let end = lowest(plan(3, 2), &|| Ok::<_, ()>(()), &|(), round, _| {
            match round {
                2 => receiver.lock().unwrap().recv().unwrap(),
                3 => sender.lock().unwrap().send(()).unwrap(),
                _ => {}
            }
            Ok((round > 1).then_some(round))
        });
        assert_eq!(end.unwrap().found, Some((2, 2)));
    }

    #[test]
    fn an_error_ends_all_rounds() {
        let end = lowest(plan(u64::MAX, 3), &|| Ok(()), &|(), round, _| {
            if round == 5 { Err("broken") } else { Ok(None::<()>) }
        });
        assert_eq!(end.unwrap_err(), "broken");
        let end = lowest(plan(9, 2), &|| Err::<(), _>("no worker"), &|(), _, _| Ok(None::<()>));
        assert_eq!(end.unwrap_err(), "no worker");
    }

    #[test]
    fn an_error_does_not_lose_what_was_found() {
        // Round 1 fails only after round 2 has found something.
        let (sender, receiver) = channel();
        let (sender, receiver) = (Mutex::new(sender), Mutex::new(receiver));
        let end = lowest(plan(2, 2), &|| Ok(()), &|(), round, _| {
            if round == 1 {
                receiver.lock().unwrap().recv().unwrap();
                return Err("broken");
            }
            sender.lock().unwrap().send(()).unwrap();
            Ok(Some(round))
        })
        .unwrap();
        // The other worker may still be on its way to report what it found.
        assert_eq!(end.fault, Some("broken"));
        assert_eq!(end.found, Some((2, 2)));
    }

    #[test]
    fn a_worker_knows_its_next_round() {
        let promised = Mutex::new(None);
        let end = lowest(plan(9, 1), &|| Ok::<_, ()>(()), &|(), round, next| {
            let before = std::mem::replace(&mut *promised.lock().unwrap(), next);
            assert_eq!(before.unwrap_or(1), round);
            assert_eq!(next, (round < 9).then_some(round + 1));
            Ok(None::<()>)
        });
        assert_eq!(end.unwrap().last, 9);
    }

    #[test]
    fn no_round_is_missing_at_the_deadline() {
        for jobs in [1, 2, 5] {
            for millis in 0..20 {
                let run = Mutex::new(Vec::new());
                let deadline = Some(Instant::now() + Duration::from_millis(millis));
                let plan = RoundPlan { last: None, deadline, ..plan(0, jobs) };
                let end = lowest(plan, &|| Ok::<_, ()>(()), &|(), round, _| {
                    thread::sleep(Duration::from_micros(300 * (round % 4)));
                    run.lock().unwrap().push(round);
                    Ok(None::<()>)
                });
                let mut run = run.into_inner().unwrap();
                run.sort_unstable();
                let all: Vec<u64> = (1..=end.unwrap().last).collect();
                assert_eq!(run, all, "{jobs} threads");
            }
        }
    }
}
