//! What the program that a runner runs has used so far, told from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

use super::observe::Observer;
use super::{tree, watch};

/// Tells how much CPU time a runner's program has used; it costs a look at every process of the machine.
#[derive(Debug, Clone, Default)]
pub struct Pulse(Arc<AtomicI32>);

impl Pulse {
    /// From now on it is about what runs below this launcher.
    pub(super) fn follow(&self, launcher: u32) {
        self.0.store(launcher.cast_signed(), Ordering::Relaxed);
    }

    /// User plus system CPU time of what runs now; zero between runs. What cannot be read counts as nothing.
    pub fn cpu(&self) -> Duration {
        let launcher = self.0.load(Ordering::Relaxed);
        if launcher == 0 {
            return Duration::ZERO;
        }
        tree::snapshot_below(launcher, &[]).map_or(Duration::ZERO, |seen| seen.cpu)
    }

    /// Begins to observe what runs there from now on.
    pub(super) fn observer(&self) -> Observer {
        let launcher = self.0.load(Ordering::Relaxed);
        let mut observer = Observer::new(launcher, watch::cores());
        self.look(&mut observer);
        observer
    }

    /// Has an observer look.
    pub(super) fn look(&self, observer: &mut Observer) {
        let launcher = self.0.load(Ordering::Relaxed);
        if launcher != 0 {
            observer.look(&[launcher], None);
        }
    }
}
