//! The options of runners.

use std::path::PathBuf;

use crate::facts::Isolation;
use crate::interrupt::Interrupt;
use crate::protection::Protection;

/// The options of a [`Runner`](crate::Runner).
#[derive(Debug, Clone)]
pub struct RunnerOptions {
    /// An existing folder of this process, in which new working folders are created and removed:
    /// [`work_base`](crate::work_base()).
    pub work_base: PathBuf,
    /// Ends runs at once.
    pub interrupt: Interrupt,
    /// The first trigger of this sends SIGINT to the program, which may go on.
    pub passed_on: Option<Interrupt>,
    /// Report an interrupted run like one that was killed, with its output; otherwise it is an error.
    pub report_interrupted: bool,
    /// Start every program in the same way, whatever ran before, so that the CPU times of different programs can be
    /// compared. Otherwise, a program that runs again may find its process prepared, and takes 0.1 ms less.
    pub alike: bool,
    /// The required isolation.
    pub isolation: Isolation,
    /// Protections that are not used, as if the machine did not have them: for tests.
    #[doc(hidden)]
    pub without: Vec<Protection>,
}

impl RunnerOptions {
    /// Runs in folders below `work_base`, with all the isolation that the machine offers.
    pub fn new(work_base: impl Into<PathBuf>, interrupt: Interrupt) -> Self {
        Self {
            work_base: work_base.into(),
            interrupt,
            passed_on: None,
            report_interrupted: false,
            alike: false,
            isolation: Isolation::default(),
            without: Vec::new(),
        }
    }
}
