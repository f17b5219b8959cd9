//! The work between runs that the launcher does while a program runs: it prepares the next run and removes the last one.

use std::io;

use super::super::decoy::Decoy;
use super::super::namespaces::Cell;
use super::super::plan::LaunchPlan;
use super::super::protocol::ProgramSpec;
use super::super::run_folders::RunFolders;
use super::super::standby::StandbyProcess;
use super::Launcher;

impl Launcher {
    /// The slow work that can be done while `program` runs: creates the next cell, removes the last one, and prepares a
    /// process if the next run is predictable.
    pub(super) fn renew(&mut self, program: &ProgramSpec, folders: &mut RunFolders) {
        self.dismiss();
        if let Some(decoy) = &mut self.decoy
            && decoy.is_gone()
            && self.protections.number_as_ours().is_ok()
            && let Ok(another) = Decoy::start()
        {
            *decoy = another;
        }
        // If this fails, the next run tries again and reports the error.
        self.next = self.protections.cell(self.size).ok();
        if self.expected.as_ref() == Some(program) {
            self.foresee(program, folders);
        } else {
            self.expected = Some(program.clone());
        }
    }

    /// Prepares a process that waits to run `program` once more.
    fn foresee(&mut self, program: &ProgramSpec, now: &mut RunFolders) {
        let bounded = |cell: &Cell| cell.init.is_some() && cell.files.is_some();
        if program.work_dir.is_some() || !self.next.as_ref().is_some_and(bounded) {
            return;
        }
        let Some(cell) = self.next.take() else {
            return;
        };
        // If this fails, it fails again when it is needed, and is reported then.
        let Ok(mut folders) = RunFolders::new(cell, program, &self.fresh_dir, &self.protections)
        else {
            return;
        };
        if folders.taken > 0 {
            // The copy would count as memory of the current program.
            self.next = folders.leave(&self.protections).ok();
            return;
        }
        match StandbyProcess::start(LaunchPlan::new(
            &folders,
            program,
            &self.protections,
            &self.processors,
        )) {
            Ok(process) => {
                folders.inherit(now);
                self.ready = Some((process, folders));
            }
            Err(_) => self.next = folders.leave(&self.protections).ok(),
        }
    }

    /// The process and folders prepared for `program`; `None` if another program was expected.
    pub(super) fn foreseen(
        &mut self,
        program: &ProgramSpec,
    ) -> io::Result<Option<(StandbyProcess, RunFolders)>> {
        let Some((process, folders)) = self.ready.take() else {
            return Ok(None);
        };
        let expected = self.expected.as_ref() == Some(program);
        if expected && process.is_waiting() && folders.is_current(program, &self.protections) {
            return Ok(Some((process, folders)));
        }
        self.abandon(process, folders)?;
        Ok(None)
    }

    /// Removes what was prepared and is not needed.
    pub(super) fn abandon(
        &mut self,
        process: StandbyProcess,
        folders: RunFolders,
    ) -> io::Result<()> {
        self.control_groups.helper_ended(process.end());
        self.forget();
        self.last = Some(folders.leave(&self.protections)?);
        Ok(())
    }

    /// Releases the namespaces of the last run without waiting: the kernel may take longer than a run.
    pub(super) fn dismiss(&mut self) {
        let last = self.last.take();
        if let Some(init) = self.dying.take() {
            self.control_groups.helper_ended(init.end());
        }
        if let Some(Cell {
            init: Some(init),
            files,
        }) = last
        {
            // First, because the last holder has to take them down.
            drop(files);
            self.processors.bring_here(init.pid());
            init.dismiss();
            self.dying = Some(init);
        }
    }

    /// Removes the namespaces of the last run.
    pub(super) fn forget(&mut self) {
        self.dismiss();
        self.dismiss();
    }
}
