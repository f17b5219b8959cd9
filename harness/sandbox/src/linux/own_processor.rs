//! Gives each thread of a judge that uses all processors one of its own.
//!
//! Such a thread takes turns with its launchers and programs: at any time, one of them works. If the kernel distributes
//! them, it wakes them on processors of other threads, where they wait while their own processor is idle.

use std::cell::Cell;
use std::marker::PhantomData;

use rustix::thread::{CpuSet, sched_getaffinity};

use crate::affinity::{only, restrict};

thread_local! {
    static OWN: Cell<Option<Owned>> = const { Cell::new(None) };
}

#[derive(Clone, Copy)]
struct Owned {
    processor: usize,
    /// Those that the thread could use before.
    all: CpuSet,
}

/// As long as it lives, its thread runs on one processor, and so do the launchers of its runners. The programs may use
/// all processors.
#[derive(Debug)]
pub struct OwnProcessor {
    /// Whether its thread has one because of it.
    holds: bool,
    /// It belongs to one thread.
    _thread: PhantomData<*const ()>,
}

impl OwnProcessor {
    /// For the thread with this number, from zero, of `threads`. Without effect if there are more processors than threads:
    /// then the kernel finds an idle one. Also without effect if the thread has one already.
    #[must_use]
    pub fn of_thread(number: usize, threads: usize) -> Self {
        let taken = match OWN.get() {
            Some(_) => None,
            None => take(number, threads),
        };
        if taken.is_some() {
            OWN.set(taken);
        }
        Self { holds: taken.is_some(), _thread: PhantomData }
    }

    /// Whether the calling thread has one.
    #[must_use]
    pub fn this_thread_has_one() -> bool {
        OWN.get().is_some()
    }

    /// The processor of this thread.
    pub(super) fn of_this_thread() -> Option<u32> {
        OWN.get().and_then(|own| own.processor.try_into().ok())
    }
}

impl Drop for OwnProcessor {
    fn drop(&mut self) {
        if let Some(own) = OWN.get().filter(|_| self.holds) {
            OWN.set(None);
            restrict(None, &own.all);
        }
    }
}

/// Starts a process that may use all processors.
pub(super) fn on_all<T>(start: impl FnOnce() -> T) -> T {
    let Some(own) = OWN.get() else {
        return start();
    };
    restrict(None, &own.all);
    let started = start();
    restrict(None, &only(own.processor));
    started
}

fn take(number: usize, threads: usize) -> Option<Owned> {
    let all = sched_getaffinity(None).ok()?;
    let processors: Vec<usize> = (0..CpuSet::MAX_CPU).filter(|&one| all.is_set(one)).collect();
    let processor = nth(&processors, number, threads)?;
    restrict(None, &only(processor)).then_some(Owned { processor, all })
}

/// The processor of the thread with this number.
fn nth(processors: &[usize], number: usize, threads: usize) -> Option<usize> {
    let is_worth_it = processors.len() > 1 && processors.len() <= threads;
    is_worth_it.then(|| processors[number % processors.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_have_processors_of_their_own_if_none_is_left_over() {
        let of = |processors: &[usize], threads| -> Vec<Option<usize>> {
            (0..threads).map(|number| nth(processors, number, threads)).collect()
        };
        assert_eq!(of(&[1, 4], 2), [Some(1), Some(4)]);
        assert_eq!(of(&[1, 4], 3), [Some(1), Some(4), Some(1)]);
        assert_eq!(of(&[0, 1, 2], 2), [None, None]);
        assert_eq!(of(&[3], 2), [None, None]);
    }
}
