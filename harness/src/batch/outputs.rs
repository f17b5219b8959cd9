//! The outputs of a request's runs.

use std::collections::HashMap;
use std::io::{self, Read as _};
use std::sync::{Mutex, PoisonError};

use crate::judge::{OutputKeeper, RunOutput};

/// The length of a head, in bytes.
const HEAD: u64 = 1024;

/// What is kept of an output.
#[derive(Debug, Clone, Default)]
pub(super) struct KeptOutput {
    /// All of it, or its head.
    pub(super) bytes: Vec<u8>,
    pub(super) size: u64,
    pub(super) stderr: Vec<u8>,
}

/// Keeps the outputs of a request, by the name of their case. A run that is repeated replaces the one before.
#[derive(Debug, Default)]
pub(super) struct KeptOutputs {
    whole: bool,
    by_case: Mutex<HashMap<String, KeptOutput>>,
}

impl KeptOutputs {
    /// Whether `whole` outputs are kept, or only heads.
    pub(super) fn new(whole: bool) -> Self {
        Self { whole, by_case: Mutex::default() }
    }

    /// Takes the output of a case.
    pub(super) fn take(&self, case: &str) -> Option<KeptOutput> {
        self.by_case.lock().unwrap_or_else(PoisonError::into_inner).remove(case)
    }
}

impl OutputKeeper for KeptOutputs {
    fn save(&self, run: &RunOutput<'_>) -> io::Result<()> {
        let size = run.execution.stdout.len();
        let mut bytes = Vec::new();
        let most = if self.whole { size } else { HEAD };
        run.execution.stdout.reader()?.take(most).read_to_end(&mut bytes)?;
        let stderr = run.execution.stderr_tail.clone();
        let kept = KeptOutput { bytes, size, stderr };
        let mut all = self.by_case.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(run.case.name().to_owned(), kept);
        Ok(())
    }
}
