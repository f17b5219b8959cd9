//! Keeps a preloaded interpreter for the program that runs again and again.

#![expect(unsafe_code, reason = "signals to our own children")]

use std::fmt::Display;
use std::io;
use std::os::fd::BorrowedFd;

use super::super::child::Child;
use super::super::oom_score;
use super::super::plan::LaunchPlan;
use super::super::preload::{self, PreloadedInterpreter};
use super::super::protocol::{ProgramSpec, Reply};
use super::super::run_folders::RunFolders;
use super::super::tree::{self, Reaped};
use super::Launcher;

/// The interpreter that runs are copied from.
#[derive(Debug, Default)]
pub(super) struct Preloading {
    /// That of a program that ran twice in a row.
    interpreter: Option<PreloadedInterpreter>,
    /// The last program that may have one, and whether that was tried.
    last: Option<ProgramSpec>,
    tried: bool,
}

impl Preloading {
    /// The processes of the interpreter.
    pub(super) fn pids(&self) -> [Option<libc::pid_t>; 2] {
        self.interpreter.as_ref().map_or([None; 2], PreloadedInterpreter::pids)
    }
}

impl Launcher {
    /// Starts an interpreter for `program` if this is its second run in a row of programs that may have one. If that fails,
    /// every run starts its own.
    pub(super) fn preload(&mut self, program: &ProgramSpec) {
        if program.preload.is_none() || self.has_interpreter(program) {
            return;
        }
        if self.preloading.last.as_ref() != Some(program) {
            self.preloading.last = Some(program.clone());
            self.preloading.tried = false;
            return;
        }
        if std::mem::replace(&mut self.preloading.tried, true) || !self.can_preload(program) {
            return;
        }
        if let Some(other) = self.preloading.interpreter.take() {
            self.control_groups.helper_ended(other.end());
        }
        self.preloading.interpreter = self.start_interpreter(program).ok();
    }

    /// Whether the next run of `program` is a copy of the interpreter.
    pub(super) fn has_interpreter(&self, program: &ProgramSpec) -> bool {
        self.preloading.interpreter.as_ref().is_some_and(|interpreter| interpreter.serves(program))
    }

    /// The memory that a run of `program` has when it starts as a copy, in bytes.
    pub(super) fn copied(&self, program: &ProgramSpec) -> u64 {
        let interpreter = self.preloading.interpreter.as_ref();
        let interpreter = interpreter.filter(|interpreter| interpreter.serves(program));
        interpreter.map_or(0, PreloadedInterpreter::resident)
    }

    /// Ends the interpreter, and the copy that failed to start: nothing else could reap it.
    fn end_copies(&mut self, folders: &RunFolders) {
        if let Some(interpreter) = self.preloading.interpreter.take() {
            self.control_groups.helper_ended(interpreter.end());
        }
        let helpers = self.helpers(folders);
        for pid in tree::children().unwrap_or_default() {
            if helpers.pids().all(|ours| ours != pid) {
                // SAFETY: our own child, which is not reaped yet, so its number still belongs to it.
                unsafe { libc::kill(pid, libc::SIGKILL) };
                let _ = tree::reap(pid, true, &mut Reaped::default());
            }
        }
    }

    /// Starts a run of the program of the interpreter.
    pub(super) fn start_copy(
        &mut self,
        plan: &LaunchPlan,
        stdio: [BorrowedFd<'_>; 3],
        folders: &RunFolders,
    ) -> Result<Child, Reply> {
        // The program need not be at fault: the judge tries again with a new launcher.
        let failed = |why: &dyn Display| {
            Reply::Fault(format!("the preloaded interpreter cannot start a run: {why}"))
        };
        let namespaces = self.protections.namespaces.as_ref();
        let (Some(interpreter), Some(namespaces)) = (&mut self.preloading.interpreter, namespaces)
        else {
            return Err(failed(&"it is gone"));
        };
        let (rules, pids) = (folders.rules.as_ref(), namespaces.own_pids());
        interpreter.copy(plan, stdio, rules, &folders.cell, pids).map_err(|error| {
            self.end_copies(folders);
            let cause = io::Error::from_raw_os_error(error.errno);
            failed(&format_args!("{}: {cause}", error.step.describe()))
        })
    }

    /// Whether nothing is missing of what keeps runs apart.
    fn can_preload(&self, program: &ProgramSpec) -> bool {
        program.work_dir.is_none()
            && !oom_score::is_small(program.limits.memory)
            && self.protections.numbers_processes()
            && self.protections.root().is_some()
            && self.protections.filter.is_some()
            && self.facts.missing().next().is_none()
    }

    fn start_interpreter(&self, program: &ProgramSpec) -> io::Result<PreloadedInterpreter> {
        let seen = self.protections.root().and_then(|root| preload::without_source(program, root));
        let seen = seen.ok_or_else(|| io::Error::other("the interpreter would see the program"))?;
        let cell = self.protections.cell(self.size)?;
        let folders = RunFolders::new(cell, &seen, &self.fresh_dir, &self.protections);
        let folders = folders.map_err(|error| io::Error::from_raw_os_error(error.errno))?;
        self.protections.number_as_ours()?;
        PreloadedInterpreter::start(program, folders, &self.protections, &self.processors)
    }
}
