//! The work between runs that the launcher does while a program runs: it prepares the next run and removes the last one.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Instant;

use rustix::io::Errno;

use super::super::child::Child;
use super::super::decoy::Decoy;
use super::super::fork_server::ForkServer;
use super::super::namespaces::Cell;
use super::super::oom_score;
use super::super::processors::Processors;
use super::super::protections::Protections;
use super::super::protocol::ProgramSpec;
use super::super::requests::Requests;
use super::super::run_folders::{Reuse, RunFolders};
use super::super::standby::StandbyProcess;
use super::super::step::Step;
use super::super::watch::NextRun;
use super::Launcher;

/// The process that is prepared for the next run, while the current program runs.
pub(super) struct NextProcess<'a> {
    pub(super) prepared: Option<&'a mut (StandbyProcess, RunFolders)>,
    /// The program that it was prepared for.
    pub(super) expected: Option<&'a ProgramSpec>,
    pub(super) protections: &'a Protections,
    pub(super) processors: &'a mut Processors,
    /// Whether programs get a single processor.
    pub(super) one_core: bool,
    /// See [`Launcher::ordered`].
    pub(super) ordered: Option<Instant>,
    /// Whether the launcher stays on its processor if the current program ends soon. Then programs stay on theirs.
    pub(super) roams_late: bool,
}

impl NextRun for NextProcess<'_> {
    /// Gives it the streams of the run that the judge has requested, if it was prepared for that program. Whether it still
    /// waits is checked when that program starts, so nothing waits for it here. If this fails, it fails again then, and is
    /// reported.
    fn requested(&mut self, requests: &Requests) {
        let (Some((process, folders)), Some((program, streams))) =
            (self.prepared.as_deref_mut(), requests.next_run())
        else {
            return;
        };
        if let [stdin, stdout, stderr] = streams
            && is_expected(folders, self.expected, program, self.protections)
            && admits(process, folders, streams, self.protections)
        {
            let streams = [stdin, stdout, stderr].map(AsFd::as_fd);
            let _ = process.connect(&program.argv, streams, folders.rules.as_ref());
        }
    }

    fn is_near(&mut self, current: &Child) {
        let after = current.started_after(self.ordered).unwrap_or_default();
        if let Some((process, _)) = self.prepared.as_deref_mut()
            && process.is_connected()
            && let Some(place) = (self.processors).place_early(process.pid(), self.one_core, after)
        {
            process.rouse(place);
        }
    }

    fn takes_long(&mut self) {
        if std::mem::take(&mut self.roams_late) {
            self.processors.roam();
        }
    }
}

/// Lets the process open these streams by their names too. Returns whether that was possible.
fn admits(
    process: &StandbyProcess,
    folders: &mut RunFolders,
    streams: &[OwnedFd],
    protections: &Protections,
) -> bool {
    let new_rule = folders.admit(streams, protections);
    new_rule.is_ok_and(|new_rule| !(new_rule && process.is_restricted()))
}

/// Whether a process that was prepared in these folders, for the `expected` program, can become `program`.
fn is_expected(
    folders: &RunFolders,
    expected: Option<&ProgramSpec>,
    program: &ProgramSpec,
    protections: &Protections,
) -> bool {
    expected.is_some_and(|last| last.differs_only_in_arguments(program))
        && folders.is_current(program, protections)
}

/// Whether a fork server created the next process.
enum Forked {
    Ready,
    /// There is none for these folders.
    No(Box<RunFolders>),
    /// Programs left something in the cell, which is released.
    Used,
}

impl Launcher {
    /// The slow work that can be done while `program` runs, or after it: creates the next cell, removes
    /// the last one, and prepares a process if the next run is predictable.
    pub(super) fn renew(&mut self, program: &ProgramSpec) {
        let expected = self.expected.as_ref();
        let foreseen = expected.is_some_and(|last| last.differs_only_in_arguments(program))
            && !oom_score::is_small(program.limits.memory)
            && !self.has_interpreter(program);
        let spare = self.spare.take();
        let spare = spare.and_then(|spare| {
            if foreseen && spare.are_as_new() {
                return Some(spare);
            }
            // Its folders are in memory, so this cannot fail.
            let _ = self.release(spare);
            None
        });
        self.dismiss();
        if let Some(decoy) = &mut self.decoy
            && decoy.is_gone()
            && self.protections.number_as_ours().is_ok()
            && let Ok(another) = Decoy::start()
        {
            *decoy = another;
        }
        if let Some(spare) = spare {
            match self.fork_next(program, spare) {
                Forked::Ready => return,
                Forked::No(spare) => {
                    if spare.cell.enter_again().is_ok() {
                        self.stand_by(program, *spare);
                        return;
                    }
                }
                Forked::Used => {}
            }
        }
        // If this fails, the next run tries again and reports the error.
        self.next = self.protections.cell(self.size).ok();
        if foreseen {
            self.foresee(program);
        } else {
            self.expected = Some(program.clone());
        }
    }

    /// Prepares a process that waits to run `program` once more.
    fn foresee(&mut self, program: &ProgramSpec) {
        let bounded = |cell: &Cell| cell.init.is_some() && cell.files.is_some();
        if program.work_dir.is_some() || !self.next.as_ref().is_some_and(bounded) {
            return;
        }
        let Some(cell) = self.next.take() else {
            return;
        };
        // If this fails, it fails again when it is needed, and is reported then.
        let Ok(folders) = RunFolders::new(cell, program, &self.fresh_dir, &self.protections) else {
            return;
        };
        if folders.taken > 0 {
            // The copy would count as memory of the current program.
            self.next = folders.leave().ok();
            return;
        }
        self.stand_by(program, folders);
    }

    /// Lets the fork server of these folders, in which a program ran before, create the process.
    fn fork_next(&mut self, program: &ProgramSpec, mut folders: RunFolders) -> Forked {
        // To create a process ourselves takes more time, but no waiting for the fork server.
        if self.processors.are_contended() {
            return Forked::No(Box::new(folders));
        }
        if folders.fork_server.is_none() {
            if self.protections.counter().is_none() {
                return Forked::No(Box::new(folders));
            }
            // To start a fork server takes long, and here its first process could not be used.
            let init = folders.cell.init.as_ref();
            if !init.is_some_and(|init| init.has_unused_counter().unwrap_or(false)) {
                // Its folders are in memory, so this cannot fail.
                let _ = self.release(folders);
                return Forked::Used;
            }
            folders.fork_server = self.fork_server(program, &folders).ok();
        }
        let Some(fork_server) = &mut folders.fork_server else {
            return Forked::No(Box::new(folders));
        };
        let (thread, place) = fork_server.place();
        self.processors.keep_here(thread, place);
        if let Ok(process) = fork_server.next() {
            self.ready = Some((process, folders));
            return Forked::Ready;
        }
        let _ = self.release(folders);
        Forked::Used
    }

    fn fork_server(&self, program: &ProgramSpec, folders: &RunFolders) -> io::Result<ForkServer> {
        let plan = folders.plan(program, &self.protections, &self.processors);
        let pids = folders.cell.pids.as_ref().ok_or(Errno::NOENT)?;
        let counter = self.protections.counter().ok_or(Errno::NOENT)?;
        self.protections.number_as_ours()?;
        ForkServer::start(plan, [pids.as_fd(), counter], folders.rules.as_ref())
    }

    /// Prepares the process in these folders, in whose pid namespace new children are.
    fn stand_by(&mut self, program: &ProgramSpec, mut folders: RunFolders) {
        if let (Reuse::No, Some(files)) = (folders.reuse, &mut folders.cell.files) {
            files.remember();
        }
        let plan = folders.plan(program, &self.protections, &self.processors);
        let line = self.lines.free().map_err(|error| Step::Clone.refused(&error));
        match line.and_then(|line| StandbyProcess::start(plan, line)) {
            Ok(process) => {
                if !process.is_first()
                    || folders.cell.last_number.is_none()
                    || !self.protections.cells_can_be_used_again()
                {
                    folders.reuse = Reuse::No;
                } else if folders.reuse == Reuse::No {
                    folders.reuse = Reuse::Possible;
                }
                self.ready = Some((process, folders));
            }
            // If this fails, it fails again when it is needed, and is reported then.
            Err(_) => drop(self.release(folders)),
        }
    }

    /// The process and folders prepared for `program` with these streams; `None` if another program was expected.
    pub(super) fn foreseen(
        &mut self,
        program: &ProgramSpec,
        streams: &[OwnedFd],
    ) -> io::Result<Option<(StandbyProcess, RunFolders)>> {
        let Some((mut process, mut folders)) = self.ready.take() else {
            return Ok(None);
        };
        let expected = self.expected.as_ref();
        if process.is_waiting()
            && is_expected(&folders, expected, program, &self.protections)
            && (process.is_connected()
                || admits(&process, &mut folders, streams, &self.protections))
        {
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
        self.release(folders)
    }

    /// Removes what another program could see of the last one.
    pub(super) fn clear(&mut self) -> io::Result<()> {
        if let Some(spare) = self.spare.take() {
            self.release(spare)?;
        }
        match self.protections.root() {
            Some(root) => root.remove_mount_points(),
            None => Ok(()),
        }
    }

    /// Removes what other runs could see of these folders. Their cell is removed during the next run.
    pub(super) fn release(&mut self, folders: RunFolders) -> io::Result<()> {
        if self.last.is_some() {
            self.dismiss();
        }
        self.last = Some(folders.leave()?);
        Ok(())
    }

    /// Releases the namespaces of the last run without waiting: the kernel may take longer than a run.
    pub(super) fn dismiss(&mut self) {
        let last = self.last.take();
        if let Some(init) = self.dying.take() {
            self.control_groups.helper_ended(init.end());
        }
        if let Some(Cell { init: Some(init), files, .. }) = last {
            // First, because the last holder has to take them down.
            drop(files);
            self.processors.bring_here(init.pid());
            init.dismiss();
            self.dying = Some(init);
        }
    }

    /// Removes the namespaces of the last runs.
    pub(super) fn forget(&mut self) {
        if let Some(spare) = self.spare.take() {
            // Its folders are in memory, so this cannot fail.
            let _ = self.release(spare);
        }
        self.dismiss();
        self.dismiss();
    }
}
