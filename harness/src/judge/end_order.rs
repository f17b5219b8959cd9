//! The order in which two programs that talk to each other end. [`interaction`](super::interaction) explains why it matters.

use std::os::fd::OwnedFd;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::sandbox::is_hung_up;

/// How long the notice of an interactor's end may take, even on a busy machine.
const GRACE: Duration = Duration::from_millis(500);

/// One of the two programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Partner {
    Submission,
    Interactor,
}

/// The programs that have ended, in the order in which they ended.
#[derive(Debug, Default)]
pub(super) struct EndOrder {
    ended: Mutex<Vec<Partner>>,
    changed: Condvar,
}

impl EndOrder {
    pub(super) fn interactor_ended(&self) {
        self.lock().push(Partner::Interactor);
        self.changed.notify_all();
    }

    /// Notes the end of the submission. `input` is the reading end of its input.
    pub(super) fn submission_ended(&self, input: &OwnedFd) {
        let mut ended = self.lock();
        if ended.is_empty() && is_hung_up(input) {
            let waited = self.changed.wait_timeout_while(ended, GRACE, |ended| ended.is_empty());
            ended = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        ended.push(Partner::Submission);
        self.changed.notify_all();
    }

    /// Whether both have ended, so that neither reads or writes any more.
    pub(super) fn is_over(&self) -> bool {
        self.lock().len() == 2
    }

    pub(super) fn first(&self) -> Partner {
        let first = self.lock().first().copied();
        first.expect("both have ended")
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Partner>> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;
    use crate::sandbox::wire;

    #[test]
    fn an_interactor_whose_end_is_noticed_late_has_still_ended_first() {
        let (reader, writer) = wire().unwrap();
        drop(writer);
        let order = EndOrder::default();
        thread::scope(|scope| {
            scope.spawn(|| order.submission_ended(&reader));
            thread::sleep(Duration::from_millis(20));
            order.interactor_ended();
        });
        assert_eq!(order.first(), Partner::Interactor);
        assert!(order.is_over());
    }

    #[test]
    fn a_submission_ends_first_if_the_interactor_can_still_write_or_still_runs() {
        let (reader, writer) = wire().unwrap();
        let order = EndOrder::default();
        order.submission_ended(&reader);
        assert!(!order.is_over());
        order.interactor_ended();
        assert_eq!(order.first(), Partner::Submission);

        drop(writer);
        let order = EndOrder::default();
        order.submission_ended(&reader);
        order.interactor_ended();
        assert_eq!(order.first(), Partner::Submission);
    }
}
