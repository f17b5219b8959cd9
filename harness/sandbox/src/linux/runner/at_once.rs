//! How many runners of this process run programs at once. If there are as many as processors, none of these is idle, and
//! each launcher lets programs start on its own.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Between two runs, a runner that is at work rests for less.
const REST: Duration = Duration::from_millis(10);

static BUSY: AtomicU32 = AtomicU32::new(0);
/// The largest number that was asked for, and when it was asked for last.
static RECENT: Mutex<Option<(u32, Instant)>> = Mutex::new(None);

/// A runner with a program that runs or is about to run.
#[derive(Debug)]
pub(super) struct BusyRunner(());

impl BusyRunner {
    pub(super) fn new() -> Self {
        BUSY.fetch_add(1, Ordering::Relaxed);
        Self(())
    }
}

impl Drop for BusyRunner {
    fn drop(&mut self) {
        BUSY.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The number of runners at work.
pub(super) fn runners_at_work() -> u32 {
    let mut recent = RECENT.lock().unwrap_or_else(PoisonError::into_inner);
    largest(&mut recent, BUSY.load(Ordering::Relaxed), Instant::now())
}

/// The largest number in the time of [`REST`] up to `now`.
fn largest(recent: &mut Option<(u32, Instant)>, busy: u32, now: Instant) -> u32 {
    match *recent {
        Some((more, then)) if more > busy && now < then + REST => more,
        _ => {
            *recent = Some((busy, now));
            busy
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_runner_that_rests_for_a_moment_is_at_work() {
        let (mut recent, start) = (None, Instant::now());
        let mut at = |busy, after| largest(&mut recent, busy, start + after);
        assert_eq!(at(1, Duration::ZERO), 1);
        assert_eq!(at(2, REST / 2), 2);
        assert_eq!(at(1, REST), 2);
        assert_eq!(at(2, REST), 2);
        assert_eq!(at(1, REST * 3 / 2), 2);
        assert_eq!(at(1, REST * 2), 1);
    }
}
