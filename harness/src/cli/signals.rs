//! Handles Ctrl-C, SIGTERM and SIGHUP: the run ends cleanly, with everything that it started.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use anyhow::{Context as _, Result};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use super::exit::Exit;
use crate::sandbox::Interrupt;

/// Turns signals into an [`Interrupt`], and remembers the first signal.
#[derive(Debug, Clone)]
pub(crate) struct SignalWatch {
    /// Triggered by the first signal.
    pub(crate) interrupt: Interrupt,
    caught: Arc<AtomicI32>,
}

impl SignalWatch {
    /// Starts to handle signals. A second signal ends the process at once; the launchers notice the end of their judge
    /// and clean up.
    pub(crate) fn start() -> Result<Self> {
        let interrupt = Interrupt::new().context("cannot create the pipe for interrupts")?;
        let caught = Arc::new(AtomicI32::new(0));
        let watch = Self { interrupt, caught };
        let mut signals =
            Signals::new([SIGINT, SIGTERM, SIGHUP]).context("cannot watch for signals")?;
        let handler = watch.clone();
        std::thread::spawn(move || {
            for signal in signals.forever() {
                if handler.caught.swap(signal, Ordering::SeqCst) != 0 {
                    std::process::exit(128 + signal);
                }
                handler.interrupt.trigger();
            }
        });
        Ok(watch)
    }

    /// The exit status for the signal that was received, if any.
    pub(crate) fn exit(&self) -> Option<Exit> {
        let signal = self.caught.load(Ordering::SeqCst);
        (signal != 0).then_some(Exit::Interrupted(signal))
    }
}
