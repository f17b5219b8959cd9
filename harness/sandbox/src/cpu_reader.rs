//! A handle for the CPU time of a runner's program. The back end reads the time.

use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

/// Reads the CPU time of a runner's program from another thread. Each reading looks at every process of the machine.
#[derive(Debug, Clone, Default)]
pub struct CpuReader(Arc<AtomicI32>);

impl CpuReader {
    /// From now on, reads the processes below this launcher.
    pub(crate) fn follow(&self, launcher: u32) {
        self.0.store(launcher.cast_signed(), Ordering::Relaxed);
    }

    /// The launcher whose processes are read; zero if there is none.
    pub(crate) fn launcher(&self) -> i32 {
        self.0.load(Ordering::Relaxed)
    }
}
