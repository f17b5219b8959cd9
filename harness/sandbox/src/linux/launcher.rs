//! The launcher: runs one program after the other, and prepares the next run while a program runs.

use std::ffi::{CStr, CString};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Instant;

use super::cgroup::ControlGroups;
use super::child::Child;
use super::cpu_timer::CpuAlarm;
use super::decoy::Decoy;
use super::facts;
use super::handshake::WantedProtections;
use super::hold;
use super::init::Init;
use super::namespaces::{Cell, FIRST_SIZE};
use super::oom_score::{self, Ballast, OwnScore};
use super::processors::{self, Placement, Processors};
use super::protections::{self, LastingNamespaces, Protections};
use super::protocol::{JudgeRequest, ProgramSpec, Reply};
use super::requests::Requests;
use super::run_folders::{Reuse, RunFolders};
use super::spawn::Spawner;
use super::standby::StandbyProcess;
use super::standby_line::StandbyLines;
use super::tree;
use super::trials::Trials;
use super::watch::{self, Helpers, JudgeLine};
use super::work_dir;
use crate::execution::Exit;
use crate::facts::Facts;

use preloading::Preloading;

mod ending;
mod preloading;
mod preparation;

/// The state of a launcher.
pub(super) struct Launcher {
    spawner: Spawner,
    lines: StandbyLines,
    control_groups: ControlGroups,
    /// `None` without a memory limit of the kernel.
    decoy: Option<Decoy>,
    protections: Protections,
    processors: Processors,
    /// Where the current program started.
    placement: Placement,
    /// When its process, which waited, was told to become it, if the time until then shows whether others are in its way.
    ordered: Option<Instant>,
    /// Whether the judge's thread numbers are valid here too.
    sees_judge: bool,
    facts: Facts,
    alarm: CpuAlarm,
    base: CString,
    fresh_dir: CString,
    /// The last program. The next one is probably the same, with another input.
    expected: Option<ProgramSpec>,
    /// The prepared process of the next run, if it is the expected one; only its streams are missing.
    ready: Option<(StandbyProcess, RunFolders)>,
    /// The folders of the last run if another run may have them.
    spare: Option<RunFolders>,
    /// The cell of the next run, created while the current program runs, and that of the last run, removed at the same
    /// time.
    next: Option<Cell>,
    last: Option<Cell>,
    /// The init of the run before, which was told to exit.
    dying: Option<Init>,
    /// The size of the last cell; the next run probably needs the same.
    size: u64,
    /// Whether the last run left files.
    keeps_files: bool,
    /// Whether the next run was prepared during the last one.
    renewed: bool,
    /// `None`: not needed so far.
    ballast: Option<Ballast>,
    preloading: Preloading,
}

impl Launcher {
    /// The process of the caller is already set up as a launcher.
    pub(super) fn new(base: &CStr, wanted: &WantedProtections) -> io::Result<Self> {
        // First, for low numbers.
        let lines = StandbyLines::open()?;
        let mut found = Trials::new(wanted);
        let with_namespaces = protections::prepare_namespaces(base, &mut found);
        // The number as the whole system sees it; ours may be in a namespace.
        let number: u32 = rustix::fs::readlink("/proc/self", Vec::new())?
            .to_string_lossy()
            .parse()
            .map_err(io::Error::other)?;
        // First, because control groups and network devices take turns in the kernel.
        let lasting = LastingNamespaces::enter(base, with_namespaces, &mut found)?;
        let control_groups = ControlGroups::enter(number, &mut found);
        let decoy = control_groups.limits_memory().then(Decoy::start).transpose()?;
        let own_score = decoy.as_ref().and_then(|_| OwnScore::open().ok());
        let mut protections = Protections::set_up(lasting, &control_groups, &mut found)?;
        let mut fresh_dir = base.to_bytes().to_vec();
        fresh_dir.extend_from_slice(format!("/run-{number}").as_bytes());
        Ok(Self {
            spawner: Spawner::new(own_score)?,
            lines,
            facts: facts::of(&control_groups, &protections, found),
            next: protections.first_cell.take(),
            control_groups,
            decoy,
            protections,
            processors: Processors::of_ours(),
            placement: Placement::Elsewhere,
            ordered: None,
            sees_judge: number == std::process::id(),
            alarm: CpuAlarm::new()?,
            base: base.to_owned(),
            fresh_dir: CString::new(fresh_dir)?,
            expected: None,
            ready: None,
            spare: None,
            last: None,
            dying: None,
            keeps_files: false,
            renewed: false,
            ballast: None,
            preloading: Preloading::default(),
            size: FIRST_SIZE,
        })
    }

    /// Removes everything, and leaves the control groups.
    pub(super) fn leave(mut self) {
        // All at once, because each takes a while to go.
        let ready = self.ready.as_ref().map(|(_, folders)| folders);
        let used = [ready, self.spare.as_ref()].into_iter().flatten();
        let cells = used.map(|folders| &folders.cell).chain(&self.next).chain(&self.last);
        cells.filter_map(|cell| cell.init.as_ref()).for_each(Init::dismiss);
        self.decoy.iter().for_each(Decoy::dismiss);
        // A group can be removed only when no process is in it.
        drop(self.preloading);
        drop((self.ready, self.spare, self.next));
        drop((self.last, self.dying, self.decoy));
        self.control_groups.leave();
    }

    /// Answers requests until the judge closes the socket.
    pub(super) fn answer(&mut self, judge: &mut Requests) -> io::Result<()> {
        let ended = self.answer_until_quit(judge);
        if !matches!(ended, Ok(true)) {
            // The judge died without a request to quit, so its folder must be removed. Other launchers may do the same.
            let _ = work_dir::remove_base(&self.base);
        }
        ended.map(drop)
    }

    fn answer_until_quit(&mut self, judge: &mut Requests) -> io::Result<bool> {
        judge.answer(&Reply::Ready(self.facts.clone()))?;
        if self.next.is_none() {
            // If this fails, the first run tries again and reports the error.
            self.next = self.protections.cell(self.size).ok();
        }
        while let Some((request, fds)) = judge.next()? {
            match request {
                // The run has ended meanwhile.
                Ok(JudgeRequest::Kill(_) | JudgeRequest::Interrupt(_)) => {}
                Ok(JudgeRequest::Quit) => return Ok(true),
                Ok(JudgeRequest::Run { program, at_once, own_processor, alike, .. }) => {
                    self.processors.share(at_once, own_processor);
                    if alike {
                        // So that no process is prepared for another run of this program.
                        self.expected = None;
                    }
                    let Some(reply) = self.run(&program, fds, judge) else {
                        break;
                    };
                    judge.answer(&reply)?;
                    // Only now: the judge works with the reply meanwhile.
                    if !self.renewed {
                        self.renew(&program);
                    }
                }
                Ok(JudgeRequest::Begin(_)) | Err(_) => {
                    judge.answer(&Reply::Fault("a request is malformed".into()))?;
                }
            }
        }
        Ok(false)
    }

    /// Runs `program` and leaves nothing of it behind; `None` if the judge is gone.
    fn run(
        &mut self,
        program: &ProgramSpec,
        fds: Vec<OwnedFd>,
        judge: &mut Requests,
    ) -> Option<Reply> {
        (self.placement, self.ordered) = (Placement::Elsewhere, None);
        self.renewed = false;
        self.preload(program);
        let (process, mut folders) = match self.foreseen(program, &fds) {
            Ok(Some((process, folders))) => (Some(process), folders),
            Ok(None) => match self.folders(program) {
                Ok(folders) => (None, folders),
                Err(reply) => return Some(reply),
            },
            Err(error) => return Some(uncleared(&self.fresh_dir, &error)),
        };
        let reply = self.run_in(&mut folders, process, program, fds, judge);
        let left = folders.work_dir.clone();
        let ended =
            matches!(reply, Some(Reply::Ended { exit: Exit::Code(_) | Exit::Signal(_), .. }));
        let reusable = ended && folders.reuse != Reuse::No && !self.keeps_files;
        if reusable && self.spare.is_none() {
            folders.reuse = Reuse::Used;
            self.spare = Some(folders);
        } else if let Err(error) = self.release(folders) {
            return Some(uncleared(&left, &error));
        }
        if self.keeps_files {
            // Its files would count as memory of the next program.
            self.forget();
        }
        reply
    }

    /// The folders for `program`, or the error.
    fn folders(&mut self, program: &ProgramSpec) -> Result<RunFolders, Reply> {
        let cleared = self.clear();
        cleared.map_err(|error| uncleared(&self.fresh_dir, &error))?;
        let cell = match self.next.take() {
            Some(cell) => cell.enter_again().map(|()| cell),
            None => self.protections.cell(self.size),
        };
        let cell =
            cell.map_err(|error| Reply::Fault(format!("cannot make namespaces: {error}")))?;
        Ok(RunFolders::new(cell, program, &self.fresh_dir, &self.protections)?)
    }

    /// Our own processes, while a program runs in these folders.
    fn helpers<'a>(&self, now: &'a RunFolders) -> Helpers<'a> {
        let cell = |cell: &Cell| cell.init.as_ref().map(Init::pid);
        let folders = |folders: &RunFolders| cell(&folders.cell);
        let ready = self.ready.as_ref();
        let [interpreter, of_interpreter] = self.preloading.pids();
        Helpers {
            now: now.cell.init.as_ref(),
            others: [
                ready.map(|(process, _)| process.pid()),
                ready.and_then(|(_, ready)| folders(ready)),
                self.next.as_ref().and_then(cell),
                self.spare.as_ref().and_then(folders),
                self.last.as_ref().and_then(cell),
                self.dying.as_ref().map(Init::pid),
                self.decoy.as_ref().map(Decoy::pid),
                interpreter,
                of_interpreter,
            ],
            has_interpreter: interpreter.is_some(),
            threads: [Some(now), ready.map(|(_, ready)| ready), self.spare.as_ref()]
                .into_iter()
                .flatten()
                .filter(|folders| folders.fork_server.is_some())
                .count(),
        }
    }

    /// Starts `program`, with `process` if one is prepared.
    fn start(
        &mut self,
        folders: &mut RunFolders,
        process: Option<StandbyProcess>,
        program: &ProgramSpec,
        fds: &[OwnedFd],
    ) -> Result<Child, Reply> {
        let [input, output, errors] = fds else {
            let text = "a request came without its descriptors";
            return Err(Reply::Fault(text.into()));
        };
        let stdio = [input, output, errors].map(AsFd::as_fd);
        if process.is_none() {
            folders.admit(fds, &self.protections)?;
        }
        let limits = &program.limits;
        if oom_score::is_small(limits.memory) && self.ballast.is_none() && self.decoy.is_some() {
            // Without it, the kernel may kill the launcher.
            self.ballast = Ballast::new().ok();
        }
        let helpers = self.helpers(folders).cpu();
        let taken = folders.taken + self.copied(program);
        let begun = (self.control_groups).begin(limits, taken, output);
        // Right before the group's, because the process may be running.
        let cpu_at_begin = process.as_ref().map(|process| tree::cpu_of(process.pid()));
        let begun = begun.and_then(|()| self.control_groups.begin_cpu(helpers));
        begun.map_err(|error| Reply::Fault(format!("cannot set the group's limits: {error}")))?;
        if let Some(process) = process {
            self.placement = match process.roused() {
                Some(place) => place,
                None => self.processors.place(process.pid(), limits.one_core),
            };
            self.ordered = (!limits.one_core).then(Instant::now);
            let (rules, cpu_at_begin) = (folders.rules.as_ref(), cpu_at_begin.unwrap_or_default());
            return Ok(process.order(self.placement, &program.argv, stdio, rules, cpu_at_begin)?);
        }
        let plan = folders.plan(program, &self.protections, &self.processors);
        if self.has_interpreter(program) {
            return self.start_copy(&plan, stdio, folders);
        }
        Ok(self.spawner.spawn(&plan, stdio, folders.rules.as_ref())?)
    }

    /// Lets a program that is [held](hold) go.
    fn let_go(&mut self, child: &Child) -> Result<(), Reply> {
        if child.is_held() {
            let spread = hold::let_go(child.pid, || self.processors.spread(child.pid));
            return spread.unwrap_or(Ok(())).map_err(|error| {
                Reply::Fault(format!("cannot choose the program's processors: {error}"))
            });
        }
        if self.placement == Placement::Held {
            self.processors.hold_no_more();
        }
        Ok(())
    }

    fn run_in(
        &mut self,
        folders: &mut RunFolders,
        process: Option<StandbyProcess>,
        program: &ProgramSpec,
        fds: Vec<OwnedFd>,
        judge: &mut Requests,
    ) -> Option<Reply> {
        let child = match self.start(folders, process, program, &fds) {
            Ok(child) => child,
            Err(reply) => return Some(reply),
        };
        let limits = &program.limits;
        self.size = folders.files().map_or(self.size, |files| files.size);
        // The judge sees the end of the output as soon as the program closes it.
        drop(fds);
        if let Err(reply) = self.let_go(&child) {
            return Some(reply);
        }
        // From now on, this process may be restricted to some processors.
        processors::count();
        if self.placement.leaves_another() && !oom_score::is_small(limits.memory) {
            self.processors.keep_apart(self.placement, limits.one_core);
            self.renewed = true;
            self.renew(program);
        }
        // Not earlier: the woken thread might take the program's processor at its start.
        judge.send_held_reply(self.sees_judge.then_some(&self.processors));
        let roams_late = self.placement == Placement::Elsewhere && !self.processors.are_contended();
        if self.placement.leaves_another() && !roams_late {
            self.processors.roam();
        }
        let helpers = self.helpers(folders);
        let narrowed = (self.control_groups).narrow(limits.processes, helpers.count());
        if let Err(error) = narrowed {
            return Some(Reply::Fault(format!("cannot limit processes: {error}")));
        }
        let mut next = preparation::NextProcess {
            prepared: self.ready.as_mut(),
            expected: self.expected.as_ref(),
            protections: &self.protections,
            processors: &mut self.processors,
            one_core: limits.one_core,
            ordered: self.ordered,
            roams_late,
        };
        let watched = watch::watch(
            &child,
            limits,
            &mut self.control_groups,
            &self.alarm,
            helpers,
            &mut JudgeLine { requests: judge, next: &mut next },
        );
        self.reply_to(program, folders, child, watched)
    }
}

fn uncleared(folder: &CStr, error: &io::Error) -> Reply {
    let folder = folder.to_string_lossy();
    Reply::Fault(format!("cannot clear the working folder `{folder}`: {error}"))
}
