//! Time in which the process that keeps the wall time stood still: stopped, frozen, or on a machine that was. The program
//! stood still then too, or could do nothing about it, so the time does not count.

use std::time::{Duration, Instant};

/// A busy machine delays a process too, by less than this.
const LATE: Duration = Duration::from_secs(1);

/// How long this process stood still.
#[derive(Debug, Default)]
pub(super) struct Standstill(Duration);

impl Standstill {
    /// This process goes on now, and meant to go on at `due` at the latest.
    pub(super) fn note(&mut self, due: Instant) {
        let late = due.elapsed();
        if late >= LATE {
            self.0 += late;
        }
    }

    /// A time that starts before the standstill and ends now, without the standstill.
    pub(super) fn subtract_from(&self, time: Duration) -> Duration {
        time.saturating_sub(self.0)
    }

    /// The time at which this much time has passed, apart from the standstill.
    pub(super) fn add_to(&self, time: Duration) -> Duration {
        time.saturating_add(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_load_does_not_explain_is_a_standstill() {
        let seconds = Duration::from_secs;
        let mut standstill = Standstill::default();
        let now = Instant::now();
        standstill.note(now + seconds(5));
        standstill.note(now.checked_sub(Duration::from_millis(500)).unwrap());
        assert_eq!(standstill.subtract_from(seconds(9)), seconds(9));
        standstill.note(now.checked_sub(seconds(4)).unwrap());
        assert!(standstill.subtract_from(seconds(9)) <= seconds(5));
        assert!(standstill.add_to(seconds(9)) >= seconds(13));
        assert_eq!(standstill.subtract_from(seconds(1)), Duration::ZERO);
        assert_eq!(standstill.add_to(Duration::MAX), Duration::MAX);
    }
}
