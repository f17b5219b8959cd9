//! Reads the CPU time of the processes below a launcher.

use std::time::Duration;

use super::observe::Observer;
use super::{tree, watch};
use crate::cpu_reader::CpuReader;

impl CpuReader {
    /// User plus system CPU time of the current run; zero between runs. Unreadable figures count as zero.
    pub fn cpu(&self) -> Duration {
        let launcher = self.launcher();
        if launcher == 0 {
            return Duration::ZERO;
        }
        tree::snapshot_below(launcher, &[]).map_or(Duration::ZERO, |seen| seen.cpu)
    }

    /// Starts to observe the processes there.
    pub(super) fn observer(&self) -> Observer {
        let launcher = self.launcher();
        let mut observer = Observer::new(launcher, watch::cores());
        self.look(&mut observer);
        observer
    }

    /// Adds a reading to an observer.
    pub(super) fn look(&self, observer: &mut Observer) {
        let launcher = self.launcher();
        if launcher != 0 {
            observer.look(&[launcher], None);
        }
    }
}
