//! The options of runners, and a runner that was started early.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::Runner;
use crate::error::SandboxError;
use crate::facts::Isolation;
use crate::interrupt::Interrupt;
use crate::protection::Protection;

/// The options of a [`Runner`].
#[derive(Debug, Clone)]
pub struct RunnerOptions {
    /// An existing folder of this process, in which new working folders are created and removed:
    /// [`work_base`](crate::work_base()).
    pub work_base: PathBuf,
    /// Ends runs at once.
    pub interrupt: Interrupt,
    /// Report an interrupted run like one that was killed, with its output; otherwise it is an error.
    pub report_interrupted: bool,
    /// The required isolation.
    pub isolation: Isolation,
    /// Protections that are not used, as if the machine did not have them: for tests.
    #[doc(hidden)]
    pub without: Vec<Protection>,
    pub(crate) spare: Spare,
}

impl RunnerOptions {
    /// Runs in folders below `work_base`, with all the isolation that the machine offers.
    pub fn new(work_base: impl Into<PathBuf>, interrupt: Interrupt) -> Self {
        Self {
            work_base: work_base.into(),
            interrupt,
            report_interrupted: false,
            isolation: Isolation::default(),
            without: Vec::new(),
            spare: Spare::default(),
        }
    }

    /// The runner that was set aside, or a new one.
    pub fn runner(&self) -> Result<Runner, SandboxError> {
        match self.spare.put(None) {
            Some(runner) => Ok(runner),
            None => Runner::start(self),
        }
    }

    /// Keeps `runner`, which was started with these options, for the next call of [`runner`](Self::runner) on these options
    /// or a copy.
    pub fn set_aside(&self, runner: Runner) {
        self.spare.put(Some(runner));
    }

    /// The options that a runner keeps: without a kept runner.
    pub(super) fn for_one(&self) -> Self {
        Self {
            spare: Spare::default(),
            ..self.clone()
        }
    }
}

/// A kept runner, shared by all copies.
#[derive(Clone, Default)]
pub(crate) struct Spare(Arc<Mutex<Option<Runner>>>);

impl Spare {
    /// Replaces the kept runner.
    fn put(&self, runner: Option<Runner>) -> Option<Runner> {
        let mut place = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut place, runner)
    }
}

impl fmt::Debug for Spare {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Spare")
    }
}
