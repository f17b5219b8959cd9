//! What becomes of a program that has ended: the reply to the judge, and the folders of the run.

use std::io;
use std::time::Duration;

use rejudge_quantity::Bytes;

use super::super::cell_files::CellFiles;
use super::super::child::Child;
use super::super::folder_copy::FolderCopy;
use super::super::protocol::{ProgramSpec, Reply};
use super::super::run_folders::{Reuse, RunFolders};
use super::super::watch::Watched;
use super::Launcher;
use crate::execution::{Exit, LimitKind};

impl Launcher {
    /// The reply about a program that has ended; `None` if the judge is gone.
    pub(super) fn reply_to(
        &mut self,
        program: &ProgramSpec,
        folders: &mut RunFolders,
        child: Child,
        watched: io::Result<Watched>,
    ) -> Option<Reply> {
        let failed = child.failed();
        let never_started = child.never_started();
        let was_used = folders.reuse == Reuse::Used;
        if never_started {
            // Killed before it was ready: the cell may lack mounts.
            folders.reuse = Reuse::No;
        }
        let waited = watched.as_ref().map_or(Duration::ZERO, |watched| {
            let usage = &watched.usage;
            usage.wall.saturating_sub(usage.cpu())
        });
        let after = child.started_after(self.ordered);
        self.processors.ended(self.placement, after, waited);
        if watched.is_ok() {
            child.release();
        }
        match (watched, failed) {
            (Ok(watched), _) if watched.hung_up => None,
            // The program need not be at fault: the judge tries again with a new launcher.
            (Ok(_), Some(_)) if was_used => {
                let text = "the process for the program could not start in a used cell";
                Some(Reply::Fault(text.into()))
            }
            // It was prepared for this program and did not become it.
            (Ok(_), Some(failed)) => Some(failed.into()),
            (Ok(watched), None) if never_started && matches!(watched.exit, Exit::Code(_)) => {
                let text = "the process for the program ended before it became the program";
                Some(Reply::Fault(text.into()))
            }
            // If the reply cannot be sent, the judge is gone.
            (Ok(watched), None) => Some(self.with_files(program, folders, watched)),
            (Err(error), _) => Some(Reply::Fault(format!("cannot watch the program: {error}"))),
        }
    }

    /// The reply about a program that has run, with what it left in its folders.
    fn with_files(
        &mut self,
        program: &ProgramSpec,
        folders: &RunFolders,
        mut watched: Watched,
    ) -> Reply {
        match folders.folder_copy.as_ref().map_or(Ok(true), FolderCopy::replace_original) {
            Ok(true) => {}
            Ok(false) if matches!(watched.exit, Exit::Killed(_)) => {}
            Ok(false) => watched.exit = Exit::Killed(LimitKind::Files),
            Err(error) => {
                return Reply::Fault(format!("cannot copy its working folder back: {error}"));
            }
        }
        let kept = folders.files().map_or(Ok(0), CellFiles::kept).unwrap_or(0);
        watched.count_files(Bytes(kept), program.limits.memory);
        self.keeps_files =
            kept > 0 || folders.folder_copy.as_ref().is_some_and(FolderCopy::is_heavy);
        Reply::Ended { exit: watched.exit, usage: Box::new(watched.usage) }
    }
}
