//! Shows which submission is timed: a live line on a terminal, otherwise a line now and then on standard error.

use std::fmt::Write as _;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;

use super::stream;
use crate::show::progress::{one_line, spinner};
use crate::time_limit::TimingStep;

/// The time between two lines where there is no terminal.
const NOW_AND_THEN: Duration = Duration::from_secs(10);

/// The progress of timing the submissions of a problem.
pub(super) struct TimingProgress {
    problem: String,
    started: Instant,
    /// What is timed now.
    now: Arc<Mutex<Option<String>>>,
    bar: ProgressBar,
    ticker: Option<Ticker>,
}

impl TimingProgress {
    /// Starts to show progress.
    pub(super) fn start(problem: &str) -> Self {
        let bar = spinner();
        let now = Arc::new(Mutex::new(None));
        let ticker = bar.is_hidden().then(|| {
            let now = Arc::clone(&now);
            let print = |text: &str| stream::note(text);
            Ticker::start(NOW_AND_THEN, now, print)
        });
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { problem: problem.to_owned(), started: Instant::now(), now, bar, ticker }
    }

    /// Sets what is timed now.
    pub(super) fn step(&self, step: &TimingStep<'_>) {
        let text = words(&self.problem, step, self.started.elapsed());
        self.bar.set_message(one_line(&text));
        *self.now.lock().unwrap_or_else(PoisonError::into_inner) = Some(text);
    }

    /// Ends it, and returns what was timed last.
    pub(super) fn finish(self) -> Option<String> {
        self.bar.finish_and_clear();
        drop(self.ticker);
        self.now.lock().unwrap_or_else(PoisonError::into_inner).take()
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

/// A thread that prints the current text at intervals.
struct Ticker {
    /// Dropped to end the thread.
    running: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Ticker {
    fn start(
        interval: Duration,
        now: Arc<Mutex<Option<String>>>,
        mut print: impl FnMut(&str) + Send + 'static,
    ) -> Self {
        let (running, ended) = channel::<()>();
        let thread = std::thread::spawn(move || {
            while ended.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                let text = now.lock().unwrap_or_else(PoisonError::into_inner).clone();
                if let Some(text) = text {
                    print(&text);
                }
            }
        });
        Self { running: Some(running), thread: Some(thread) }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        drop(self.running.take());
        if let Some(thread) = self.thread.take() {
            // A panic there was already reported, and nothing depends on the thread.
            let _ = thread.join();
        }
    }
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

    #[test]
    fn a_ticker_repeats_the_current_text_until_it_is_dropped() {
        let now = Arc::new(Mutex::new(Some("timing".to_owned())));
        let (sender, receiver) = channel();
        let ticker = Ticker::start(Duration::from_millis(1), now, move |text| {
            let _ = sender.send(text.to_owned());
        });
        for _ in 0..2 {
            let text = receiver.recv_timeout(Duration::from_secs(60));
            assert_eq!(text.as_deref(), Ok("timing"));
        }
        drop(ticker);
        // The thread has ended, and with it the other end of the channel.
        while receiver.try_recv().is_ok() {}
        assert!(receiver.recv().is_err());
    }
}
