//! Hands outputs of runs to who keeps them.

use std::io;

use super::WorkerPool;
use super::output_keeper::RunOutput;
use super::run::Subject;
use crate::sandbox::Execution;

impl WorkerPool<'_> {
    /// Saves the output of a pass, if requested.
    pub(super) fn save_output(
        &self,
        subject: &Subject<'_>,
        execution: &Execution,
        pass: u32,
    ) -> io::Result<()> {
        let Some(keeper) = &self.options.keep else {
            return Ok(());
        };
        let Subject { submission, case, .. } = *subject;
        keeper.save(&RunOutput { submission, case, pass, execution })
    }
}
