//! Reads the CPU time of the processes below a launcher.

use std::time::Duration;

use super::tree;
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
}
