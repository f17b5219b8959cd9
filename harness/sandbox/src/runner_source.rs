//! Starts runners with the same options.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::Runner;
use crate::error::SandboxError;
use crate::options::RunnerOptions;

/// Starts runners with the same options, and keeps one that was started early. All copies share the kept runner.
#[derive(Clone)]
pub struct RunnerSource {
    options: RunnerOptions,
    kept: Arc<Mutex<Option<Runner>>>,
    /// Whether no other runner is kept.
    keeps_none: Arc<AtomicBool>,
    /// Their launchers are ending.
    retired: Arc<Mutex<Vec<Runner>>>,
}

impl RunnerSource {
    /// The runner that is kept, or a new one.
    pub fn runner(&self) -> Result<Runner, SandboxError> {
        match self.replace(None) {
            Some(runner) => Ok(runner),
            None => Runner::start(&self.options),
        }
    }

    /// Keeps `runner`, which was started with these options, for the next call of [`runner`](Self::runner); after
    /// [`keep_none`](Self::keep_none), lets its launcher end.
    pub fn keep(&self, runner: Runner) {
        if self.keeps_none.load(Ordering::Relaxed) {
            self.retire(runner);
        } else {
            self.replace(Some(runner));
        }
    }

    /// From now on, the launcher of a runner that nobody needs ends at once, while the caller goes on.
    pub fn keep_none(&self) {
        self.keeps_none.store(true, Ordering::Relaxed);
    }

    /// Waits until the runner that is kept is ready, if there is one. If it fails, it is not kept: the next one is new, and
    /// reports the error.
    pub fn wait_until_ready(&self) {
        if let Some(mut runner) = self.replace(None)
            && runner.wait_until_ready().is_ok()
        {
            self.replace(Some(runner));
        }
    }

    /// Lets the launcher of the kept runner end, while the caller goes on.
    pub fn end_kept(&self) {
        if let Some(runner) = self.replace(None) {
            self.retire(runner);
        }
    }

    fn retire(&self, mut runner: Runner) {
        runner.quit();
        let mut retired = self.retired.lock().unwrap_or_else(PoisonError::into_inner);
        retired.push(runner);
    }

    /// The options of the runners.
    pub fn options(&self) -> &RunnerOptions {
        &self.options
    }

    fn replace(&self, runner: Option<Runner>) -> Option<Runner> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut kept, runner)
    }
}

impl From<RunnerOptions> for RunnerSource {
    fn from(options: RunnerOptions) -> Self {
        Self { options, kept: Arc::default(), keeps_none: Arc::default(), retired: Arc::default() }
    }
}

impl fmt::Debug for RunnerSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("RunnerSource");
        shown.field("options", &self.options).finish_non_exhaustive()
    }
}
