//! The common queue of the workers: which task comes next.
//!
//! The queue hands out work in the order of the report: the cases of the first submission that is built and not
//! finished, or otherwise the next submission to build. So the first result comes early, and an idle worker builds the
//! next submission.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A task for a worker. Submissions and cases are given by their index.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Task {
    /// Build this submission, then call [`Queue::built`] or [`Queue::close`].
    Build(usize),
    /// Run this submission on this case.
    Case { submission: usize, case: usize },
}

/// The progress of a submission.
#[derive(Debug, Clone, Copy)]
enum BuildStage {
    Waiting,
    Building,
    Ready { next: usize, cases: usize },
    Closed,
}

#[derive(Debug)]
struct QueueState {
    stages: Vec<BuildStage>,
    first_open: usize,
    stopped: bool,
}

/// The queue, shared by reference.
#[derive(Debug)]
pub(crate) struct Queue {
    state: Mutex<QueueState>,
    changed: Condvar,
}

impl Queue {
    /// A queue of `submissions` submissions, of which none is built.
    pub(crate) fn new(submissions: usize) -> Self {
        let stages = vec![BuildStage::Waiting; submissions];
        Self {
            state: Mutex::new(QueueState { stages, first_open: 0, stopped: false }),
            changed: Condvar::new(),
        }
    }

    /// The next task. Waits if there may be one later; `None` if there will be no more.
    pub(crate) fn take(&self) -> Option<Task> {
        let mut state = self.lock();
        loop {
            if state.stopped {
                return None;
            }
            match state.next() {
                Next::Task(task) => return Some(task),
                Next::Nothing => return None,
                Next::Later => {
                    state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
                }
            }
        }
    }

    /// The next submission to build, for a thread that only builds. `None` if all are built or being built.
    pub(crate) fn take_build(&self) -> Option<usize> {
        let mut state = self.lock();
        if state.stopped {
            return None;
        }
        let waiting = |stage: &BuildStage| matches!(stage, BuildStage::Waiting);
        let submission = state.stages.iter().position(waiting)?;
        state.stages[submission] = BuildStage::Building;
        Some(submission)
    }

    /// Whether a submission is still to be built, or being built.
    pub(crate) fn builds(&self) -> bool {
        let state = self.lock();
        let open = |stage: &BuildStage| matches!(stage, BuildStage::Waiting | BuildStage::Building);
        state.stages[state.first_open..].iter().any(open)
    }

    /// Records that `submission` is built and has `cases` cases to run.
    pub(crate) fn built(&self, submission: usize, cases: usize) {
        self.set(submission, BuildStage::Ready { next: 0, cases });
    }

    /// Skips the cases of `submission` before `case`.
    pub(crate) fn skip_to(&self, submission: usize, case: usize) {
        if let BuildStage::Ready { next, .. } = &mut self.lock().stages[submission] {
            *next = case.max(*next);
        }
    }

    /// Removes all remaining work for `submission`.
    pub(crate) fn close(&self, submission: usize) {
        self.set(submission, BuildStage::Closed);
    }

    /// Removes all remaining work.
    pub(crate) fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
    }

    fn set(&self, submission: usize, stage: BuildStage) {
        self.lock().stages[submission] = stage;
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        // A panic cannot leave an incomplete change: every change is one assignment.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

enum Next {
    Task(Task),
    Later,
    Nothing,
}

impl QueueState {
    fn next(&mut self) -> Next {
        while matches!(self.stages.get(self.first_open), Some(BuildStage::Closed)) {
            self.first_open += 1;
        }
        let mut building = false;
        for (submission, stage) in self.stages.iter_mut().enumerate().skip(self.first_open) {
            match stage {
                BuildStage::Waiting => {
                    *stage = BuildStage::Building;
                    return Next::Task(Task::Build(submission));
                }
                BuildStage::Building => building = true,
                BuildStage::Ready { next, cases } if *next < *cases => {
                    let case = *next;
                    *next += 1;
                    return Next::Task(Task::Case { submission, case });
                }
                BuildStage::Ready { .. } => *stage = BuildStage::Closed,
                BuildStage::Closed => {}
            }
        }
        if building { Next::Later } else { Next::Nothing }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_single_worker_gets_all_tasks_in_the_order_of_the_report() {
        let queue = Queue::new(2);
        assert_eq!(queue.take(), Some(Task::Build(0)));
        queue.built(0, 2);
        assert_eq!(queue.take(), Some(Task::Case { submission: 0, case: 0 }));
        assert_eq!(queue.take(), Some(Task::Case { submission: 0, case: 1 }));
        assert_eq!(queue.take(), Some(Task::Build(1)));
        queue.built(1, 0);
        assert_eq!(queue.take(), None);
    }

    #[test]
    fn an_idle_worker_builds_the_next_submission_and_then_runs_cases_of_the_first() {
        let queue = Queue::new(2);
        assert_eq!(queue.take(), Some(Task::Build(0)));
        assert_eq!(queue.take(), Some(Task::Build(1)));
        queue.built(1, 1);
        queue.built(0, 1);
        assert_eq!(queue.take(), Some(Task::Case { submission: 0, case: 0 }));
        assert_eq!(queue.take(), Some(Task::Case { submission: 1, case: 0 }));
    }

    #[test]
    fn a_builder_gets_only_builds_and_ends_before_the_workers() {
        let queue = Queue::new(3);
        assert_eq!(queue.take(), Some(Task::Build(0)));
        assert_eq!(queue.take_build(), Some(1));
        assert_eq!(queue.take_build(), Some(2));
        assert_eq!(queue.take_build(), None);
        queue.built(0, 1);
        queue.built(1, 0);
        assert!(queue.builds());
        queue.close(2);
        assert!(!queue.builds());
        let case = Task::Case { submission: 0, case: 0 };
        assert_eq!(queue.take(), Some(case));
        assert_eq!(queue.take(), None);
        let queue = Queue::new(1);
        queue.stop();
        assert_eq!(queue.take_build(), None);
    }

    #[test]
    fn a_closed_submission_hands_out_no_more_cases() {
        let queue = Queue::new(1);
        queue.take();
        queue.built(0, 100);
        queue.take();
        queue.close(0);
        assert_eq!(queue.take(), None);
    }

    #[test]
    fn skipped_cases_are_not_handed_out() {
        let queue = Queue::new(1);
        queue.take();
        queue.built(0, 5);
        queue.take();
        queue.skip_to(0, 4);
        queue.skip_to(0, 2);
        let case = Task::Case { submission: 0, case: 4 };
        assert_eq!(queue.take(), Some(case));
        assert_eq!(queue.take(), None);
    }

    #[test]
    fn a_finished_build_and_a_stop_wake_waiting_workers() {
        for stop in [false, true] {
            let queue = Queue::new(1);
            assert_eq!(queue.take(), Some(Task::Build(0)));
            std::thread::scope(|scope| {
                let waiting = scope.spawn(|| queue.take());
                if stop {
                    queue.stop();
                } else {
                    queue.built(0, 1);
                }
                let expected = (!stop).then_some(Task::Case { submission: 0, case: 0 });
                assert_eq!(waiting.join().unwrap(), expected);
            });
        }
    }
}
