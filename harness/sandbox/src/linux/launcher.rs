//! The launcher: runs one program after the other, and prepares the next run while a program runs.

use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsFd, OwnedFd};

use super::cgroup::Accounts;
use super::cpu_timer::CpuAlarm;
use super::decoy::Decoy;
use super::facts;
use super::folder_copy::FolderCopy;
use super::handshake::Wanted;
use super::init::Init;
use super::namespaces::{Cell, Room};
use super::plan::Plan;
use super::processors::Processors;
use super::protections::{self, Protections};
use super::protocol::{Program, Reply, Request};
use super::requests::Requests;
use super::run_folders::RunFolders;
use super::spawn::{Child, Spawner};
use super::standby::Ready;
use super::trials::Trials;
use super::watch::{self, Helpers};
use super::work_dir;
use crate::bytes::Bytes;
use crate::execution::{Exit, LimitKind};
use crate::facts::Facts;

/// The state of a launcher.
pub(super) struct Launcher {
    spawner: Spawner,
    accounts: Accounts,
    /// Where memory is limited.
    decoy: Option<Decoy>,
    protections: Protections,
    processors: Processors,
    /// Whether the judge's numbers of threads are ours too.
    sees_judge: bool,
    facts: Facts,
    alarm: CpuAlarm,
    base: CString,
    fresh_dir: CString,
    /// The last program; the next one most likely is the same, on another input.
    expected: Option<Program>,
    /// All of the next run but its streams, if it is the expected one.
    ready: Option<(Ready, RunFolders)>,
    /// For the next run, made while the one before it runs; and that of the last run, which goes at the same time.
    next: Option<Cell>,
    last: Option<Cell>,
    /// The first process of the run before that, which was told to end.
    dying: Option<Init>,
    /// What the last run might keep; the next one most likely may keep as much.
    size: u64,
    /// Whether the last run left files.
    keeps_files: bool,
}

impl Launcher {
    /// The caller is set up as a process.
    pub(super) fn new(base: &CStr, wanted: &Wanted) -> io::Result<Self> {
        let mut found = Trials::new(wanted);
        let with_namespaces = protections::prepare_namespaces(base, &mut found);
        // In the eyes of the system, which may not be ours.
        let number: u32 = rustix::fs::readlink("/proc/self", Vec::new())?
            .to_string_lossy()
            .parse()
            .map_err(io::Error::other)?;
        let accounts = Accounts::enter(number, &mut found);
        let decoy = accounts.limits_memory().then(Decoy::start).transpose()?;
        let protections = Protections::set_up(base, with_namespaces, &accounts, &mut found)?;
        let mut fresh_dir = base.to_bytes().to_vec();
        fresh_dir.extend_from_slice(format!("/run-{number}").as_bytes());
        let size = 1 << 20;
        Ok(Self {
            spawner: Spawner::new()?,
            facts: facts::of(&accounts, &protections, found),
            next: Some(protections.cell(size)?),
            accounts,
            decoy,
            protections,
            processors: Processors::of_ours(),
            sees_judge: number == std::process::id(),
            alarm: CpuAlarm::new()?,
            base: base.to_owned(),
            fresh_dir: CString::new(fresh_dir)?,
            expected: None,
            ready: None,
            last: None,
            dying: None,
            keeps_files: false,
            size,
        })
    }

    /// What needs time and may be done while `program` runs in `place`: another place for the next run, none for the last
    /// one, and a process if the next run can be foreseen.
    fn renew(&mut self, program: &Program, folders: &mut RunFolders) {
        self.dismiss();
        if let Some(decoy) = &mut self.decoy
            && decoy.is_gone()
            && self.protections.number_as_ours().is_ok()
            && let Ok(another) = Decoy::start()
        {
            *decoy = another;
        }
        // If this fails, the next run tries again, and tells.
        self.next = self.protections.cell(self.size).ok();
        if self.expected.as_ref() == Some(program) {
            self.foresee(program, folders);
        } else {
            self.expected = Some(program.clone());
        }
    }

    /// Makes a process that waits to become `program` once more.
    fn foresee(&mut self, program: &Program, now: &mut RunFolders) {
        let bounded = |cell: &Cell| cell.init.is_some() && cell.room.is_some();
        if program.work_dir.is_some() || !self.next.as_ref().is_some_and(bounded) {
            return;
        }
        let Some(cell) = self.next.take() else {
            return;
        };
        // What fails here fails again when it is wanted, and is told then.
        let Ok(mut folders) = RunFolders::new(cell, program, &self.fresh_dir, &self.protections)
        else {
            return;
        };
        if folders.taken > 0 {
            // It would count as memory of the program that runs now.
            self.next = folders.leave(&self.protections).ok();
            return;
        }
        match Ready::start(Plan::new(
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

    /// The process and place that were made for `program`; or none, if it is another than was expected.
    fn foreseen(&mut self, program: &Program) -> io::Result<Option<(Ready, RunFolders)>> {
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

    /// Removes what was made for nothing.
    fn abandon(&mut self, process: Ready, folders: RunFolders) -> io::Result<()> {
        self.accounts.helper_ended(process.end());
        self.forget();
        self.last = Some(folders.leave(&self.protections)?);
        Ok(())
    }

    /// Lets the namespaces of the last run go, without waiting for that: the kernel may take longer than a run.
    fn dismiss(&mut self) {
        let last = self.last.take();
        if let Some(init) = self.dying.take() {
            self.accounts.helper_ended(init.end());
        }
        if let Some(Cell {
            init: Some(init),
            room,
        }) = last
        {
            // First, for who holds them last takes them down.
            drop(room);
            self.processors.bring_here(init.pid());
            init.dismiss();
            self.dying = Some(init);
        }
    }

    /// Ends the namespaces of the last run.
    fn forget(&mut self) {
        self.dismiss();
        self.dismiss();
    }

    /// Ends everything, and leaves the groups.
    pub(super) fn leave(mut self) {
        // Nobody of ours may be left in a group that is to go.
        drop((self.ready, self.next, self.last, self.dying, self.decoy));
        self.accounts.leave();
    }

    /// Answers requests until the judge hangs up.
    pub(super) fn answer(&mut self, judge: &mut Requests) -> io::Result<()> {
        let ended = self.answer_until_quit(judge);
        if !matches!(ended, Ok(true)) {
            // The judge went without a word: what it left is ours to remove. Other launchers may be at it too.
            let _ = work_dir::remove_base(&self.base);
        }
        ended.map(drop)
    }

    fn answer_until_quit(&mut self, judge: &mut Requests) -> io::Result<bool> {
        judge.answer(&Reply::Ready(self.facts.clone()))?;
        while let Some((request, fds)) = judge.next()? {
            let reply = match request {
                // The run that it meant has ended meanwhile.
                Ok(Request::Kill(_)) => continue,
                Ok(Request::Quit) => return Ok(true),
                Ok(Request::Run { program, .. }) => self.run(&program, fds, judge),
                Ok(Request::Begin(_)) | Err(_) => {
                    Some(Reply::Fault("a request is malformed".into()))
                }
            };
            let Some(reply) = reply else { break };
            judge.answer(&reply)?;
        }
        Ok(false)
    }

    /// Runs `program` and leaves nothing of it behind; `None` if nobody waits for the reply any more.
    fn run(&mut self, program: &Program, fds: Vec<OwnedFd>, judge: &mut Requests) -> Option<Reply> {
        let (process, mut folders) = match self.foreseen(program) {
            Ok(Some((process, folders))) => (Some(process), folders),
            Ok(None) => match self.folders(program) {
                Ok(folders) => (None, folders),
                Err(reply) => return Some(reply),
            },
            Err(error) => return Some(uncleared(&self.fresh_dir, &error)),
        };
        let reply = self.run_in(&mut folders, process, program, fds, judge);
        let left = folders.work_dir.clone();
        match folders.leave(&self.protections) {
            Ok(cell) => self.last = Some(cell),
            Err(error) => return Some(uncleared(&left, &error)),
        }
        if self.keeps_files {
            // They count as memory of whoever runs next.
            self.forget();
        }
        reply
    }

    /// A place for `program`, or why there is none.
    fn folders(&mut self, program: &Program) -> Result<RunFolders, Reply> {
        let cell = match self.next.take() {
            Some(cell) => Ok(cell),
            None => self.protections.cell(self.size),
        };
        let cell =
            cell.map_err(|error| Reply::Fault(format!("cannot make namespaces: {error}")))?;
        Ok(RunFolders::new(
            cell,
            program,
            &self.fresh_dir,
            &self.protections,
        )?)
    }

    /// Starts `program`, by `process` if it waits already.
    fn start(
        &mut self,
        folders: &RunFolders,
        process: Option<Ready>,
        program: &Program,
        fds: &[OwnedFd],
    ) -> Result<Child, Reply> {
        let [input, output, errors] = fds else {
            let text = "a request came without its descriptors";
            return Err(Reply::Fault(text.into()));
        };
        let stdio = [input, output, errors].map(AsFd::as_fd);
        folders.admit(fds, &self.protections)?;
        let limits = &program.limits;
        let last = self.last.as_ref().and_then(|cell| cell.init.as_ref());
        let dying = self.dying.as_ref();
        let helpers = Helpers {
            now: folders.cell.init.as_ref(),
            others: [
                last.map(Init::pid),
                dying.map(Init::pid),
                None,
                self.decoy.as_ref().map(Decoy::pid),
            ],
        };
        let memory = limits.memory.get();
        let begun = (self.accounts).begin(memory, folders.taken, limits.processes, helpers.cpu());
        begun.map_err(|error| Reply::Fault(format!("cannot set the group's limits: {error}")))?;
        if let Some(process) = process {
            let one = limits.one_core;
            self.processors.wake_elsewhere(process.pid(), one);
            return Ok(process.order(stdio, folders.rules.as_ref())?);
        }
        let plan = Plan::new(folders, program, &self.protections, &self.processors);
        Ok(self.spawner.spawn(&plan, stdio, folders.rules.as_ref())?)
    }

    fn run_in(
        &mut self,
        folders: &mut RunFolders,
        process: Option<Ready>,
        program: &Program,
        fds: Vec<OwnedFd>,
        judge: &mut Requests,
    ) -> Option<Reply> {
        let child = match self.start(folders, process, program, &fds) {
            Ok(child) => child,
            Err(reply) => return Some(reply),
        };
        let limits = &program.limits;
        self.size = folders.room().map_or(self.size, |room| room.size);
        // Who reads what the program writes sees its end as soon as the program closes it.
        drop(fds);
        self.processors.stay(limits.one_core);
        self.renew(program, folders);
        // Not before: whom it wakes might take the program's processor, while that begins.
        judge.pay(self.sees_judge.then_some(&self.processors));
        self.processors.roam();
        let ready = self.ready.as_ref();
        let next = ready
            .map(|(_, folders)| &folders.cell)
            .or(self.next.as_ref());
        let next = next.and_then(|cell| cell.init.as_ref());
        let helpers = Helpers {
            now: folders.cell.init.as_ref(),
            others: [
                next.map(Init::pid),
                ready.map(|(process, _)| process.pid()),
                self.dying.as_ref().map(Init::pid),
                self.decoy.as_ref().map(Decoy::pid),
            ],
        };
        let narrowed = (self.accounts).narrow(limits.processes, helpers.pids().count());
        if let Err(error) = narrowed {
            return Some(Reply::Fault(format!("cannot limit processes: {error}")));
        }
        let watched = watch::watch(
            &child,
            limits,
            &mut self.accounts,
            &self.alarm,
            helpers,
            judge,
        );
        let failed = child.failed();
        if watched.is_ok() {
            child.release();
        }
        match (watched, failed) {
            (Ok(watched), _) if watched.hung_up => None,
            // It waited to be the program, and did not become it.
            (Ok(_), Some(failed)) => Some(failed.into()),
            (Ok(mut watched), None) => {
                match folders
                    .folder_copy
                    .as_ref()
                    .map_or(Ok(true), FolderCopy::replace_original)
                {
                    Ok(true) => {}
                    Ok(false) if matches!(watched.exit, Exit::Killed(_)) => {}
                    Ok(false) => watched.exit = Exit::Killed(LimitKind::Files),
                    Err(error) => {
                        let text = format!("cannot copy its working folder back: {error}");
                        return Some(Reply::Fault(text));
                    }
                }
                // Where it cannot be told there is nothing to be done about it.
                let kept = folders.room().map_or(Ok(0), Room::kept).unwrap_or(0);
                watched.count_files(Bytes(kept), limits.memory);
                self.keeps_files = kept > 0
                    || folders
                        .folder_copy
                        .as_ref()
                        .is_some_and(FolderCopy::is_heavy);
                Some(Reply::Ended {
                    exit: watched.exit,
                    usage: Box::new(watched.usage),
                })
            }
            (Err(error), _) => Some(Reply::Fault(format!("cannot watch the program: {error}"))),
        }
    }
}

fn uncleared(folder: &CStr, error: &io::Error) -> Reply {
    let folder = folder.to_string_lossy();
    Reply::Fault(format!(
        "cannot clear the working folder `{folder}`: {error}"
    ))
}
