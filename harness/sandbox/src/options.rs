//! How runners are started, and the one that was started early.

use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

use crate::Runner;
use crate::error::SandboxError;
use crate::facts::Isolation;
use crate::interrupt::Interrupt;
use crate::protection::Protection;

/// What a [`Runner`] needs to start.
#[derive(Debug, Clone)]
pub struct RunnerOptions {
    /// An existing folder of this process alone, in which fresh working folders are made and removed:
    /// [`work_base`](super::work_base).
    pub work_base: PathBuf,
    /// Ends runs at once.
    pub interrupt: Interrupt,
    /// How much isolation there must be.
    pub isolation: Isolation,
    /// Protections to do without, as if the machine had none: for tests.
    #[doc(hidden)]
    pub without: Vec<Protection>,
    pub(crate) spare: Spare,
}

impl RunnerOptions {
    /// Runs under `work_base` with all the isolation that the machine gives.
    pub fn new(work_base: impl Into<PathBuf>, interrupt: Interrupt) -> Self {
        Self {
            work_base: work_base.into(),
            interrupt,
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

    /// Sets `runner`, which was started with these options, aside for whoever next needs one by them or by a copy.
    pub fn set_aside(&self, runner: Runner) {
        self.spare.put(Some(runner));
    }

    /// The same for a runner itself, which holds no other.
    pub(super) fn for_one(&self) -> Self {
        Self {
            spare: Spare::default(),
            ..self.clone()
        }
    }
}

/// A place for one runner, the same in all copies.
#[derive(Clone, Default)]
pub(crate) struct Spare(Arc<Mutex<Option<Runner>>>);

impl Spare {
    /// Puts one there, or none, and takes what was there.
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
