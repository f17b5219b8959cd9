//! Handles Ctrl-C, SIGTERM and SIGHUP: the run ends cleanly, with everything that it started. A signal that is ignored when rejudge
//! starts stays ignored.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};

use anyhow::{Context as _, Result};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::exit::CommandExit;
use crate::sandbox::Interrupt;

/// Turns signals into an [`Interrupt`], and remembers the first signal.
#[derive(Debug, Clone)]
pub(crate) struct SignalWatch {
    /// Triggered by the first signal.
    pub(crate) interrupt: Interrupt,
    /// Triggered by the first Ctrl-C while the program shall get it.
    passed_on: Interrupt,
    passes_on: Arc<AtomicBool>,
    caught: Arc<AtomicI32>,
}

/// The signals that our parent told us to ignore, as `nohup` does: the lowest bit is signal 1.
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut lines = status.lines();
    let mask = lines.find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}

impl SignalWatch {
    /// Starts to handle signals. A second signal ends the process at once; the launchers notice the end of their judge
    /// and clean up.
    pub(crate) fn start() -> Result<Self> {
        let interrupt = Interrupt::new().context("cannot create the pipe for interrupts")?;
        let passed_on = Interrupt::new().context("cannot create the pipe for interrupts")?;
        let watch =
            Self { interrupt, passed_on, passes_on: Arc::default(), caught: Arc::default() };
        let ignored = ignored();
        let taken =
            [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
        let mut signals = Signals::new(taken).context("cannot watch for signals")?;
        let handler = watch.clone();
        std::thread::spawn(move || {
            for signal in signals.forever() {
                if signal == SIGINT && handler.passes_on.swap(false, Ordering::SeqCst) {
                    handler.passed_on.trigger();
                    continue;
                }
                if handler.caught.swap(signal, Ordering::SeqCst) != 0 {
                    std::process::exit(128 + signal);
                }
                handler.interrupt.trigger();
            }
        });
        Ok(watch)
    }

    /// From now on, the next Ctrl-C triggers the returned interrupt instead of ending the run.
    pub(crate) fn pass_on(&self) -> Interrupt {
        self.passes_on.store(true, Ordering::SeqCst);
        self.passed_on.clone()
    }

    /// From now on, Ctrl-C ends the run again.
    pub(crate) fn keep(&self) {
        self.passes_on.store(false, Ordering::SeqCst);
    }

    /// Whether the program got a Ctrl-C.
    pub(crate) fn was_passed_on(&self) -> bool {
        self.passed_on.is_set()
    }

    /// The exit status for the signal that was received, if any.
    pub(crate) fn exit(&self) -> Option<CommandExit> {
        let signal = self.caught.load(Ordering::SeqCst);
        (signal != 0).then_some(CommandExit::Interrupted(signal))
    }
}
