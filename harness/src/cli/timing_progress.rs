//! Says which submission is timed.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use super::stream;
use crate::show::progress::Spinner;
use crate::time_limit::TimingStep;

/// The progress of timing the submissions of a problem.
pub(super) struct TimingProgress {
    problem: String,
    started: Instant,
    spinner: Spinner,
}

impl TimingProgress {
    /// Starts to show progress.
    pub(super) fn start(problem: &str) -> Self {
        let spinner = Spinner::start(stream::note_of_work);
        Self { problem: problem.to_owned(), started: Instant::now(), spinner }
    }

    /// Sets what is timed now.
    pub(super) fn step(&self, step: &TimingStep<'_>) {
        self.spinner.say(&words(&self.problem, step, self.started.elapsed()));
    }

    /// Ends it, and returns what was timed last.
    pub(super) fn finish(mut self) -> Option<String> {
        self.spinner.finish()
    }
}

fn words(problem: &str, step: &TimingStep<'_>, elapsed: Duration) -> String {
    let TimingStep { submission, most, done, all } = step;
    let most = most.as_secs_f64();
    let mut text = format!(
        "timing `{submission}` for the time limit of `{problem}`, at most {most} s a case: {done} of {all} cases done"
    );
    if *done > 0 {
        #[expect(clippy::cast_precision_loss, reason = "numbers of cases")]
        let left = elapsed.mul_f64((all - done) as f64 / *done as f64);
        let _ = write!(text, ", about {} s left", left.as_secs() + 1);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_names_the_submission_and_the_time_left() {
        let mut step = TimingStep {
            submission: "accepted/a.py",
            most: Duration::from_secs(2),
            done: 0,
            all: 8,
        };
        let seconds = Duration::from_secs;
        assert_eq!(
            words("p", &step, seconds(10)),
            "timing `accepted/a.py` for the time limit of `p`, at most 2 s a case: 0 of 8 cases done"
        );
        step.done = 2;
        assert_eq!(
            words("p", &step, seconds(10)),
            "timing `accepted/a.py` for the time limit of `p`, at most 2 s a case: 2 of 8 cases done, about 31 s left"
        );
    }
}
