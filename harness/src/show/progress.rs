//! The progress bar on a terminal: the number of cases run and failed, the time left, and the cases that run now.
//! Without a terminal nothing is shown.

use std::collections::VecDeque;
use std::fmt;
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::event::Work;
use crate::printable;

/// A text next to a bar: on one line, without control characters.
pub(crate) fn one_line(text: &str) -> String {
    printable::one_line(text.as_bytes(), usize::MAX)
}

/// The bar; does nothing where standard error is not a terminal.
pub(crate) struct Progress {
    bar: ProgressBar,
    running: VecDeque<String>,
    failed: usize,
}

/// A spinner on a terminal, for work without a count. It turns after `enable_steady_tick`.
pub(crate) fn spinner() -> ProgressBar {
    let target = ProgressDrawTarget::stderr_with_hz(12);
    let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
    ProgressBar::with_draw_target(None, target)
        .with_style(style.expect("the template is well formed"))
}

/// Writes the time left, if the remaining cases take as long as those so far. One slow case changes it little.
fn write_time_left(state: &ProgressState, out: &mut dyn fmt::Write) {
    let (done, all) = (state.pos(), state.len().unwrap_or_default());
    if let Some(left) = time_left(state.elapsed(), done, all) {
        // A terminal cannot refuse a text.
        let _ = write!(out, ", {:#} left", HumanDuration(left));
    }
}

/// The time left; `None` before the first result.
fn time_left(elapsed: Duration, done: u64, all: u64) -> Option<Duration> {
    let nanos = u128::from(all.saturating_sub(done)) * elapsed.as_nanos();
    let nanos = nanos.checked_div(u128::from(done))?;
    Some(Duration::from_nanos(u64::try_from(nanos).unwrap_or(u64::MAX)))
}

impl Progress {
    /// A bar, on a terminal.
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(12));
        if !bar.is_hidden() {
            let template = "{bar:16} {pos}/{len}{prefix:.red} {elapsed}{left}  {wide_msg}";
            let style =
                ProgressStyle::with_template(template).expect("the template is well formed");
            bar.set_style(style.with_key("left", write_time_left));
            bar.enable_steady_tick(Duration::from_millis(200));
        }
        Self { bar, running: VecDeque::new(), failed: 0 }
    }

    /// No bar at all.
    pub(crate) fn hidden() -> Self {
        Self { bar: ProgressBar::hidden(), running: VecDeque::new(), failed: 0 }
    }

    /// Shows what a worker has started or finished.
    pub(crate) fn work(&mut self, work: Work<'_>) {
        if self.bar.is_hidden() {
            return;
        }
        match work {
            Work::Compiling { submission } => {
                self.running.push_back(format!("compiling {submission}"));
            }
            Work::Running { submission, case } => {
                let compiling = format!("compiling {submission}");
                self.running.retain(|entry| *entry != compiling);
                self.running.push_back(format!("{submission} {case}"));
            }
            Work::Ran { submission, case, failed } => {
                if failed {
                    self.failed += 1;
                    self.bar.set_prefix(format!(", {} failed", self.failed));
                }
                let done = format!("{submission} {case}");
                self.running.retain(|entry| *entry != done);
                self.bar.inc(1);
            }
        }
        let shown: Vec<&str> = self.running.iter().map(String::as_str).collect();
        self.bar.set_message(one_line(&shown.join(" · ")));
    }

    /// Counts one finished run, and shows `what` it was.
    pub(crate) fn step(&self, what: &str) {
        self.bar.set_message(one_line(what));
        self.bar.inc(1);
    }

    /// Sets the total number of cases.
    pub(crate) fn expect(&mut self, cases: usize) {
        self.bar.set_length(cases as u64);
    }

    /// Counts cases that will not be run.
    pub(crate) fn skip(&mut self, cases: usize) {
        self.bar.inc(cases as u64);
    }

    /// Hides the bar while `print` writes.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Removes the bar.
    pub(crate) fn finish(&self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_time_left_follows_from_the_mean_of_all_cases() {
        let seconds = Duration::from_secs;
        assert_eq!(time_left(seconds(10), 0, 5), None);
        assert_eq!(time_left(seconds(10), 2, 5), Some(seconds(15)));
        assert_eq!(time_left(seconds(10), 5, 5), Some(seconds(0)));
        assert_eq!(time_left(seconds(10), 6, 5), Some(seconds(0)));
    }
}
