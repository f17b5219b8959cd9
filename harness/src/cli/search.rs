//! The search for problems: shows on a terminal how far it is, and stops at the first Ctrl-C.

use std::cell::Cell;
use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result};
use signal_hook::SigId;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

use super::stream;
use crate::discover::{FilesSeen, Found, Request, discover_watched};
use crate::notice::{Code, shown};
use crate::show::progress::one_line;
use crate::show::words::Count;

/// The columns for the echo of Ctrl-C.
const MARGIN: usize = 8;

/// The time between two changes of the line.
const PAUSE: Duration = Duration::from_millis(100);

/// A search that takes longer shows how far it is.
const SHORT: Duration = Duration::from_secs(1);

/// A signal stopped the search, which was reported.
#[derive(Debug, thiserror::Error)]
#[error("the search was stopped")]
pub(crate) struct Stopped(pub(crate) i32);

/// Watches for signals while problems are searched for.
pub(crate) struct Search {
    /// The signal that was received; 0 if none was.
    signal: Arc<AtomicUsize>,
    /// Whether the next signal ends the process, for commands without a session.
    at_once: Option<Arc<AtomicBool>>,
    handlers: Vec<SigId>,
}

impl Search {
    /// For commands whose session handles signals too.
    pub(crate) fn in_session() -> Result<Self> {
        Self::start(None)
    }

    /// For commands without a session. After the search, signals end the process.
    pub(crate) fn alone() -> Result<Self> {
        Self::start(Some(Arc::new(AtomicBool::new(false))))
    }

    fn start(at_once: Option<Arc<AtomicBool>>) -> Result<Self> {
        let mut search =
            Self { signal: Arc::new(AtomicUsize::new(0)), at_once, handlers: Vec::new() };
        for signal in [SIGINT, SIGTERM] {
            search.watch_for(signal).context("cannot watch for signals")?;
        }
        Ok(search)
    }

    fn watch_for(&mut self, signal: i32) -> std::io::Result<()> {
        if let Some(at_once) = &self.at_once {
            // The first signal passes this handler, because the next one sets the flag.
            flag::register_conditional_shutdown(signal, 128 + signal, Arc::clone(at_once))?;
            flag::register(signal, Arc::clone(at_once))?;
        }
        let number = usize::try_from(signal).unwrap_or_default();
        let handler = flag::register_usize(signal, Arc::clone(&self.signal), number)?;
        self.handlers.push(handler);
        Ok(())
    }

    /// Searches. If a signal stops the search, reports what was read until then.
    pub(crate) fn run(&self, request: &Request<'_>) -> Result<Found> {
        let line = SearchLine::new();
        let found = discover_watched(request, &|seen| {
            line.show(|| {
                let place = shown(&seen.place, Some(request.current));
                format!("looking for problems: {}, in {place}", read(seen))
            });
            self.signal.load(Ordering::SeqCst) == 0
        });
        line.clear();
        let Some(seen) = &found.stopped else {
            return Ok(found);
        };
        let what = format!(
            "the search for problems was stopped after {}, with {}; nothing is judged",
            read(seen),
            count(seen.sources, "source")
        );
        let help = "name a folder or a solution, or run rejudge in a smaller folder";
        stream::error(Code::NothingToJudge.says(what).help(help));
        let signal = self.signal.load(Ordering::SeqCst);
        Err(Stopped(i32::try_from(signal).unwrap_or(SIGINT)).into())
    }
}

impl Drop for Search {
    fn drop(&mut self) {
        for handler in &self.handlers {
            signal_hook::low_level::unregister(*handler);
        }
        if let Some(at_once) = &self.at_once {
            at_once.store(true, Ordering::SeqCst);
        }
    }
}

/// What was read, such as `12 files in 3 folders`.
fn read(seen: &FilesSeen) -> String {
    let (files, folders) = (count(seen.files, "file"), count(seen.folders, "folder"));
    format!("{files} in {folders}")
}

fn count(number: u64, word: &'static str) -> Count {
    Count(usize::try_from(number).unwrap_or(usize::MAX), word)
}

/// The line that shows how far a search is, if standard error is a terminal. The cursor stays at its end, so that the echo
/// of Ctrl-C is on the line that is cleared.
struct SearchLine {
    /// The columns for the text; `None`: there is no terminal.
    columns: Option<usize>,
    start: Instant,
    /// When the line was written last.
    written: Cell<Option<Instant>>,
}

impl SearchLine {
    fn new() -> Self {
        Self {
            columns: stream::columns(true).map(|columns| columns.saturating_sub(MARGIN)),
            start: Instant::now(),
            written: Cell::new(None),
        }
    }

    fn show(&self, text: impl FnOnce() -> String) {
        let Some(columns) = self.columns else { return };
        let now = Instant::now();
        let is_recent = |last: Instant| now - last < PAUSE;
        if now - self.start < SHORT || self.written.get().is_some_and(is_recent) {
            return;
        }
        self.written.set(Some(now));
        let text: String = one_line(&text()).chars().take(columns).collect();
        draw(&text);
    }

    fn clear(&self) {
        if self.written.get().is_some() {
            draw("");
        }
    }
}

/// Replaces the line of the cursor.
fn draw(text: &str) {
    let mut out = io::stderr();
    // A terminal that is gone is noticed elsewhere.
    let _ = write!(out, "\r\x1b[K{text}").and_then(|()| out.flush());
}
