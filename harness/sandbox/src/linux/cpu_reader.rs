//! Reads the CPU time of a runner's program from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::time::Duration;

use super::observe::Observer;
use super::{tree, watch};

/// Reads the CPU time of a runner's program. Each reading looks at every process of the machine.
#[derive(Debug, Clone, Default)]
pub struct CpuReader(Arc<AtomicI32>);

impl CpuReader {
    /// From now on, reads the processes below this launcher.
    pub(super) fn follow(&self, launcher: u32) {
        self.0.store(launcher.cast_signed(), Ordering::Relaxed);
    }

    /// User plus system CPU time of the current run; zero between runs. Unreadable figures count as zero.
    pub fn cpu(&self) -> Duration {
        let launcher = self.0.load(Ordering::Relaxed);
        if launcher == 0 {
            return Duration::ZERO;
        }
        tree::snapshot_below(launcher, &[]).map_or(Duration::ZERO, |seen| seen.cpu)
    }

    /// Starts to observe the processes there.
    pub(super) fn observer(&self) -> Observer {
        let launcher = self.0.load(Ordering::Relaxed);
        let mut observer = Observer::new(launcher, watch::cores());
        self.look(&mut observer);
        observer
    }

    /// Adds a reading to an observer.
    pub(super) fn look(&self, observer: &mut Observer) {
        let launcher = self.0.load(Ordering::Relaxed);
        if launcher != 0 {
            observer.look(&[launcher], None);
        }
    }
}
