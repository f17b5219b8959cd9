//! How far a long work is. On a terminal: a bar with the number of cases run and failed, the time left, and the cases that
//! run now, or a spinner. Without one: a line on standard error every ten seconds.

use std::collections::VecDeque;
use std::fmt::{self, Write as _};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::event::Work;
use crate::printable;
use crate::show::ticker::Ticker;

/// A text next to a bar: on one line, without control characters.
pub(crate) fn one_line(text: &str) -> String {
    printable::one_line(text.as_bytes(), usize::MAX)
}

/// Prints a line about the work to standard error.
pub(crate) type PrintProgress = fn(&str);

/// The time between two lines where there is no terminal: less than ten seconds, because work without a line comes before it.
const NOW_AND_THEN: Duration = Duration::from_secs(8);

/// A spinner on a terminal, for work without a count. It turns after `enable_steady_tick`.
pub(crate) fn spinner() -> ProgressBar {
    let target = ProgressDrawTarget::stderr_with_hz(12);
    let style = ProgressStyle::with_template("{spinner} {elapsed} {wide_msg}");
    ProgressBar::with_draw_target(None, target)
        .with_style(style.expect("the template is well formed"))
}

/// Work without a count, shown until this is dropped.
pub(crate) struct Spinner {
    bar: ProgressBar,
    /// What is done now.
    now: Arc<Mutex<Option<String>>>,
    ticker: Option<Ticker>,
}

impl Spinner {
    /// Starts to show what is done. `print` prints a line where there is no terminal.
    pub(crate) fn start(print: PrintProgress) -> Self {
        let bar = spinner();
        let now: Arc<Mutex<Option<String>>> = Arc::default();
        let ticker = bar.is_hidden().then(|| {
            let now = Arc::clone(&now);
            Ticker::start(NOW_AND_THEN, move || locked(&now).clone(), print)
        });
        bar.enable_steady_tick(Duration::from_millis(200));
        Self { bar, now, ticker }
    }

    /// Sets what is done now.
    pub(crate) fn say(&self, text: &str) {
        self.bar.set_message(one_line(text));
        *locked(&self.now) = Some(one_line(text));
    }

    /// Hides the line while `print` writes.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Ends it, and returns what was done last.
    pub(crate) fn finish(&mut self) -> Option<String> {
        self.bar.finish_and_clear();
        self.ticker = None;
        locked(&self.now).take()
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The bar of a run, or a line now and then.
pub(crate) struct Progress {
    bar: ProgressBar,
    counts: Arc<Mutex<CaseCounts>>,
    ticker: Option<Ticker>,
    is_shown: bool,
}

/// How far a run is.
#[derive(Debug)]
struct CaseCounts {
    started: Instant,
    done: u64,
    all: u64,
    failed: usize,
    running: VecDeque<Doing>,
}

/// What is done now.
#[derive(Debug, PartialEq, Eq)]
struct Doing {
    what: String,
    /// Nobody says when a compilation ends: a case of any submission is newer.
    is_compilation: bool,
}

impl Doing {
    fn run(what: String) -> Self {
        Self { what, is_compilation: false }
    }
}

impl CaseCounts {
    /// The cases done, the time left, and what runs now.
    fn words(&self) -> String {
        let Self { started, done, all, failed, running } = self;
        let mut text = format!("{done} of {all} done");
        if *failed > 0 {
            let _ = write!(text, ", {failed} failed");
        }
        if let Some(left) = time_left(started.elapsed(), *done, *all) {
            let _ = write!(text, ", about {} s left", left.as_secs() + 1);
        }
        let run = running.iter().find(|one| !one.is_compilation);
        if let Some(now) = run.or(running.back()) {
            let _ = write!(text, "; now {}", now.what);
        }
        one_line(&text)
    }
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
    /// A bar on a terminal. Otherwise `print` prints a line every ten seconds.
    pub(crate) fn new(print: PrintProgress) -> Self {
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(12));
        if bar.is_hidden() {
            let mut progress = Self::of(bar, true);
            let counts = Arc::clone(&progress.counts);
            let text =
                move || Some(locked(&counts)).filter(|one| one.all > 0).map(|one| one.words());
            progress.ticker = Some(Ticker::start(NOW_AND_THEN, text, print));
            return progress;
        }
        let template = "{bar:16} {pos}/{len}{prefix:.red} {elapsed}{left}  {wide_msg}";
        let style = ProgressStyle::with_template(template).expect("the template is well formed");
        bar.set_style(style.with_key("left", write_time_left));
        Self::of(bar, true)
    }

    /// No bar and no lines.
    pub(crate) fn hidden() -> Self {
        Self::of(ProgressBar::hidden(), false)
    }

    fn of(bar: ProgressBar, is_shown: bool) -> Self {
        let counts = CaseCounts {
            started: Instant::now(),
            done: 0,
            all: 0,
            failed: 0,
            running: VecDeque::new(),
        };
        Self { bar, counts: Arc::new(Mutex::new(counts)), ticker: None, is_shown }
    }

    /// Shows what a worker has started or finished.
    pub(crate) fn work(&mut self, work: Work<'_>) {
        if !self.is_shown {
            return;
        }
        let mut counts = locked(&self.counts);
        match work {
            Work::Compiling { submission } => {
                let what = format!("compiling {submission}");
                counts.running.push_back(Doing { what, is_compilation: true });
            }
            Work::Running { submission, case } => {
                let compiling = format!("compiling {submission}");
                counts.running.retain(|entry| entry.what != compiling);
                counts.running.push_back(Doing::run(format!("{submission} {case}")));
            }
            Work::Ran { submission, case, failed } => {
                if failed {
                    counts.failed += 1;
                    self.bar.set_prefix(format!(", {} failed", counts.failed));
                }
                let done = format!("{submission} {case}");
                counts.running.retain(|entry| entry.what != done);
                counts.done += 1;
                self.bar.inc(1);
            }
        }
        if !self.bar.is_hidden() {
            let shown: Vec<&str> = counts.running.iter().map(|entry| entry.what.as_str()).collect();
            self.bar.set_message(one_line(&shown.join(" · ")));
        }
    }

    /// Shows what is done now.
    pub(crate) fn begin(&self, what: &str) {
        locked(&self.counts).running = [Doing::run(what.to_owned())].into();
        self.bar.set_message(one_line(what));
    }

    /// Counts one finished run, and shows `what` it was.
    pub(crate) fn step(&self, what: &str) {
        self.begin(what);
        locked(&self.counts).done += 1;
        self.bar.inc(1);
    }

    /// Sets the total number of cases.
    pub(crate) fn expect(&mut self, cases: usize) {
        locked(&self.counts).all = cases as u64;
        self.bar.set_length(cases as u64);
        // Not before: a warning at the start would stand behind the bar.
        if !self.bar.is_hidden() {
            self.bar.enable_steady_tick(Duration::from_millis(200));
        }
    }

    /// Counts cases that will not be run.
    pub(crate) fn skip(&mut self, cases: usize) {
        locked(&self.counts).done += cases as u64;
        self.bar.inc(cases as u64);
    }

    /// Hides the bar while `print` writes.
    pub(crate) fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// Removes the bar, and ends the lines.
    pub(crate) fn finish(&mut self) {
        self.bar.finish_and_clear();
        self.ticker = None;
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.finish();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_without_a_terminal_has_the_count_the_time_left_and_what_runs() {
        let started = Instant::now().checked_sub(Duration::from_secs(30)).unwrap();
        let compiling = Doing { what: "compiling b.py".to_owned(), is_compilation: true };
        let running = [compiling, Doing::run("a.py secret/3".to_owned())].into();
        let mut counts = CaseCounts { started, done: 10, all: 40, failed: 2, running };
        let text = counts.words();
        assert!(text.starts_with("10 of 40 done, 2 failed, about 9"), "{text}");
        assert!(text.ends_with(" s left; now a.py secret/3"), "{text}");
        (counts.done, counts.failed) = (0, 0);
        assert_eq!(counts.words(), "0 of 40 done; now a.py secret/3");
    }

    #[test]
    fn the_time_left_follows_from_the_mean_of_all_cases() {
        let seconds = Duration::from_secs;
        assert_eq!(time_left(seconds(10), 0, 5), None);
        assert_eq!(time_left(seconds(10), 2, 5), Some(seconds(15)));
        assert_eq!(time_left(seconds(10), 5, 5), Some(seconds(0)));
        assert_eq!(time_left(seconds(10), 6, 5), Some(seconds(0)));
    }
}
