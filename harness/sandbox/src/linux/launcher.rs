//! The launcher: runs one program after the other, and makes ready for the next one while one runs.

use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsFd, OwnedFd};

use super::carry::Carried;
use super::cgroup::Accounts;
use super::cpu_timer::CpuAlarm;
use super::decoy::Decoy;
use super::facts;
use super::found::Found;
use super::greeting::Wanted;
use super::init::Init;
use super::namespaces::{Cell, Room};
use super::orders::Orders;
use super::place::Place;
use super::plan::Plan;
use super::processors::Processors;
use super::protocol::{Program, Reply, Request};
use super::ready::Ready;
use super::spawn::{Child, Spawner};
use super::walls::{self, Walls};
use super::watch::{self, Helpers};
use super::work_dir;
use crate::bytes::Bytes;
use crate::execution::{Exit, LimitKind};
use crate::facts::Facts;

/// One launcher: what is made once and used by every run.
pub(super) struct Launcher {
    spawner: Spawner,
    accounts: Accounts,
    /// Where memory is limited.
    decoy: Option<Decoy>,
    walls: Walls,
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
    ready: Option<(Ready, Place)>,
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
        let mut found = Found::new(wanted);
        let way = walls::open_the_way(base, &mut found);
        // In the eyes of the system, which may not be ours.
        let number: u32 = rustix::fs::readlink("/proc/self", Vec::new())?
            .to_string_lossy()
            .parse()
            .map_err(io::Error::other)?;
        let accounts = Accounts::enter(number, &mut found);
        let decoy = accounts.limits_memory().then(Decoy::start).transpose()?;
        let walls = Walls::raise(base, way, &accounts, &mut found)?;
        let mut fresh_dir = base.to_bytes().to_vec();
        fresh_dir.extend_from_slice(format!("/run-{number}").as_bytes());
        let size = 1 << 20;
        Ok(Self {
            spawner: Spawner::new()?,
            facts: facts::of(&accounts, &walls, found),
            next: Some(walls.cell(size)?),
            accounts,
            decoy,
            walls,
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
    fn renew(&mut self, program: &Program, place: &mut Place) {
        self.dismiss();
        if let Some(decoy) = &mut self.decoy
            && decoy.is_gone()
            && self.walls.number_as_ours().is_ok()
            && let Ok(another) = Decoy::start()
        {
            *decoy = another;
        }
        // If this fails, the next run tries again, and tells.
        self.next = self.walls.cell(self.size).ok();
        if self.expected.as_ref() == Some(program) {
            self.foresee(program, place);
        } else {
            self.expected = Some(program.clone());
        }
    }

    /// Makes a process that waits to become `program` once more.
    fn foresee(&mut self, program: &Program, now: &mut Place) {
        let bounded = |cell: &Cell| cell.init.is_some() && cell.room.is_some();
        if program.work_dir.is_some() || !self.next.as_ref().is_some_and(bounded) {
            return;
        }
        let Some(cell) = self.next.take() else {
            return;
        };
        // What fails here fails again when it is wanted, and is told then.
        let Ok(mut place) = Place::new(cell, program, &self.fresh_dir, &self.walls) else {
            return;
        };
        if place.taken > 0 {
            // It would count as memory of the program that runs now.
            self.next = place.leave(&self.walls).ok();
            return;
        }
        match Ready::start(Plan::new(&place, program, &self.walls, &self.processors)) {
            Ok(process) => {
                place.inherit(now);
                self.ready = Some((process, place));
            }
            Err(_) => self.next = place.leave(&self.walls).ok(),
        }
    }

    /// The process and place that were made for `program`; or none, if it is another than was expected.
    fn foreseen(&mut self, program: &Program) -> io::Result<Option<(Ready, Place)>> {
        let Some((process, place)) = self.ready.take() else {
            return Ok(None);
        };
        let expected = self.expected.as_ref() == Some(program);
        if expected && process.is_waiting() && place.is_current(program, &self.walls) {
            return Ok(Some((process, place)));
        }
        self.abandon(process, place)?;
        Ok(None)
    }

    /// Removes what was made for nothing.
    fn abandon(&mut self, process: Ready, place: Place) -> io::Result<()> {
        self.accounts.helper_ended(process.end());
        self.forget();
        self.last = Some(place.leave(&self.walls)?);
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
    pub(super) fn answer(&mut self, judge: &mut Orders) -> io::Result<()> {
        let ended = self.answer_until_quit(judge);
        if !matches!(ended, Ok(true)) {
            // The judge went without a word: what it left is ours to remove. Other launchers may be at it too.
            let _ = work_dir::remove_base(&self.base);
        }
        ended.map(drop)
    }

    fn answer_until_quit(&mut self, judge: &mut Orders) -> io::Result<bool> {
        judge.answer(&Reply::Ready(self.facts.clone()))?;
        while let Some((request, fds)) = judge.next()? {
            let reply = match request {
                // The run that it meant has ended meanwhile.
                Ok(Request::Kill(_)) => continue,
                Ok(Request::Quit) => return Ok(true),
                Ok(Request::Run { program, .. }) => self.run(&program, fds, judge),
                Ok(Request::Begin(_)) | Err(_) => {
                    Some(Reply::Fault("a request does not decode".into()))
                }
            };
            let Some(reply) = reply else { break };
            judge.answer(&reply)?;
        }
        Ok(false)
    }

    /// Runs `program` and leaves nothing of it behind; `None` if nobody waits for the reply any more.
    fn run(&mut self, program: &Program, fds: Vec<OwnedFd>, judge: &mut Orders) -> Option<Reply> {
        let (process, mut place) = match self.foreseen(program) {
            Ok(Some((process, place))) => (Some(process), place),
            Ok(None) => match self.place(program) {
                Ok(place) => (None, place),
                Err(reply) => return Some(reply),
            },
            Err(error) => return Some(uncleared(&self.fresh_dir, &error)),
        };
        let reply = self.run_in(&mut place, process, program, fds, judge);
        let left = place.work_dir.clone();
        match place.leave(&self.walls) {
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
    fn place(&mut self, program: &Program) -> Result<Place, Reply> {
        let cell = match self.next.take() {
            Some(cell) => Ok(cell),
            None => self.walls.cell(self.size),
        };
        let cell =
            cell.map_err(|error| Reply::Fault(format!("cannot make namespaces: {error}")))?;
        Ok(Place::new(cell, program, &self.fresh_dir, &self.walls)?)
    }

    /// Starts `program`, by `process` if it waits already.
    fn start(
        &mut self,
        place: &Place,
        process: Option<Ready>,
        program: &Program,
        fds: &[OwnedFd],
    ) -> Result<Child, Reply> {
        let [input, output, errors] = fds else {
            let text = "a request came without its descriptors";
            return Err(Reply::Fault(text.into()));
        };
        let stdio = [input, output, errors].map(AsFd::as_fd);
        place.admit(fds, &self.walls)?;
        let limits = &program.limits;
        let last = self.last.as_ref().and_then(|cell| cell.init.as_ref());
        let dying = self.dying.as_ref();
        let helpers = Helpers {
            now: place.cell.init.as_ref(),
            others: [
                last.map(Init::pid),
                dying.map(Init::pid),
                None,
                self.decoy.as_ref().map(Decoy::pid),
            ],
        };
        let memory = limits.memory.get();
        let begun = (self.accounts).begin(memory, place.taken, limits.processes, helpers.cpu());
        begun.map_err(|error| Reply::Fault(format!("cannot set the group's limits: {error}")))?;
        if let Some(process) = process {
            let one = limits.one_core;
            self.processors.wake_elsewhere(process.pid(), one);
            return Ok(process.order(stdio, place.rules.as_ref())?);
        }
        let plan = Plan::new(place, program, &self.walls, &self.processors);
        Ok(self.spawner.spawn(&plan, stdio, place.rules.as_ref())?)
    }

    fn run_in(
        &mut self,
        place: &mut Place,
        process: Option<Ready>,
        program: &Program,
        fds: Vec<OwnedFd>,
        judge: &mut Orders,
    ) -> Option<Reply> {
        let child = match self.start(place, process, program, &fds) {
            Ok(child) => child,
            Err(reply) => return Some(reply),
        };
        let limits = &program.limits;
        self.size = place.room().map_or(self.size, |room| room.size);
        // Who reads what the program writes sees its end as soon as the program closes it.
        drop(fds);
        self.processors.stay(limits.one_core);
        self.renew(program, place);
        // Not before: whom it wakes might take the program's processor, while that begins.
        judge.pay(self.sees_judge.then_some(&self.processors));
        self.processors.roam();
        let ready = self.ready.as_ref();
        let next = ready.map(|(_, place)| &place.cell).or(self.next.as_ref());
        let next = next.and_then(|cell| cell.init.as_ref());
        let helpers = Helpers {
            now: place.cell.init.as_ref(),
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
                match place.carried.as_ref().map_or(Ok(true), Carried::bring_home) {
                    Ok(true) => {}
                    Ok(false) if matches!(watched.exit, Exit::Killed(_)) => {}
                    Ok(false) => watched.exit = Exit::Killed(LimitKind::Files),
                    Err(error) => {
                        let text = format!("cannot bring its working folder home: {error}");
                        return Some(Reply::Fault(text));
                    }
                }
                // Where it cannot be told there is nothing to be done about it.
                let kept = place.room().map_or(Ok(0), Room::kept).unwrap_or(0);
                watched.count_files(Bytes(kept), limits.memory);
                self.keeps_files =
                    kept > 0 || place.carried.as_ref().is_some_and(Carried::is_heavy);
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
