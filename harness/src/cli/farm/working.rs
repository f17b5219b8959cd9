//! `rejudge work`: the threads of a worker, its signs of life, and its end.

use std::os::unix::fs::MetadataExt as _;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::Result;
use indicatif::ProgressBar;
use rejudge_cluster::{
    Cluster, ClusterError, Queue, ResultKind, SigningKey, Table, Unit, WorkerIdentity,
    is_public_key, is_token,
};

use super::super::exit::CommandExit;
use super::super::nats_args::WorkArgs;
use super::super::project::default_jobs;
use super::super::session::Session;
use super::super::stream;
use super::connecting::of_cluster;
use super::opened::OpenProjects;
use super::opened_batch::OpenBatches;
use crate::farm::{SIGN_OF_LIFE, UnitOutcome, WorkerFigures, WorkerInfo, machine_words};
use crate::judge::Peers;
use crate::machine::Machine;
use crate::notice::Code;
use crate::show::progress::{one_line, spinner};
use crate::show::words::Count;

/// How long a thread waits for a unit before it looks whether the worker ends.
const WAIT: Duration = Duration::from_secs(1);

/// The same for units of the reference class.
const SHORT_WAIT: Duration = Duration::from_millis(100);

/// How often a thread asks for units of the reference class while there are others.
const TURN: u64 = 10;

/// The time between two signs of life while it is open whether others can judge what this worker could not.
const REVIEW: Duration = Duration::from_secs(1);

/// A worker judges no more after this number of units that it could not judge and others could.
const FAILURES: u64 = 3;

/// What the threads of a worker share.
pub(super) struct Worker<'a> {
    pub(super) cluster: &'a Cluster,
    pub(super) session: &'a Session,
    pub(super) identity: WorkerIdentity,
    /// The keys of submitters that it trusts.
    pub(super) trusts: Vec<String>,
    pub(super) class: String,
    pub(super) peers: Peers,
    pub(super) projects: OpenProjects,
    pub(super) batches: OpenBatches,
    pub(super) bar: ProgressBar,
    units: AtomicU64,
    /// The units that it could not judge, and whether others could is not known yet.
    failures: Mutex<Vec<Unit>>,
    /// The number of those that others could judge.
    refuted: AtomicU64,
    /// Whether it takes no more units.
    ends: AtomicBool,
    fault: Mutex<Option<ClusterError>>,
}

/// Judges until a signal ends it.
pub(in crate::cli) fn work(args: &WorkArgs) -> Result<CommandExit> {
    let name = args.name.clone().unwrap_or_else(own_name);
    if !is_token(&name) {
        return Err(Code::InvalidOption
            .says(format!("`{name}` is not a name for a worker"))
            .help("use at most 64 letters, digits, `-` and `_`")
            .into());
    }
    if args.trust.is_empty() {
        return Err(Code::InvalidOption
            .says("this worker trusts no key, and would judge nothing")
            .help("make a key for those who submit with `rejudge cluster key FILE`, and name its public part with `--trust KEY`")
            .into());
    }
    if let Some(wrong) = args.trust.iter().find(|key| !is_public_key(key)) {
        return Err(Code::InvalidOption
            .says(format!("`{wrong}` is not the public part of a key that signs"))
            .help("name the text that `rejudge cluster key FILE` printed, which starts with `A`")
            .into());
    }
    let session = Session::begin(args.sandbox.into())?;
    let figures = WorkerFigures::measure();
    let session = session.finish()?;
    let role = format!("worker.{name}");
    let cluster = args.server.connect((&name, &role), session.interrupt())?;
    cluster.check().map_err(|error| of_cluster(&error))?;
    let machine = Machine::this();
    let jobs = args.jobs.map_or_else(default_jobs, usize::from);
    let info = WorkerInfo {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        class: args.class.clone().or_else(|| machine.cpu.clone()).unwrap_or_default(),
        jobs,
        machine: machine_words(&machine),
        figures,
        units: 0,
        rate: 0.0,
        trusts: args.trust.clone(),
        out: None,
    };
    stream::note(format_args!("worker {name}: {}", info.figures));
    let worker = Worker {
        cluster: &cluster,
        session: &session,
        identity: WorkerIdentity { name, key: SigningKey::generate() },
        trusts: args.trust.clone(),
        class: info.class.clone(),
        peers: Peers { count: jobs - 1, quiet: Arc::new(RwLock::new(())) },
        projects: OpenProjects::default(),
        batches: OpenBatches::default(),
        bar: spinner(),
        units: AtomicU64::new(0),
        failures: Mutex::default(),
        refuted: AtomicU64::new(0),
        ends: AtomicBool::new(false),
        fault: Mutex::default(),
    };
    worker.work(jobs, info)
}

/// The name of the machine and the number of the process. In a container, the number of its process namespace is between
/// them, because two containers can have one host name, and both workers can be process 1.
fn own_name() -> String {
    /// The number of every machine's first process namespace: `PROC_PID_INIT_INO` of the kernel.
    const OF_MACHINE: u64 = 0xEFFF_FFFC;
    let namespace = std::fs::metadata("/proc/self/ns/pid").map(|namespace| namespace.ino());
    let host = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let known = |c: char| {
        if c.is_ascii_alphanumeric() || c == '_' { c } else { '-' }
    };
    let host: String = host.chars().map(known).take(40).collect();
    let process = std::process::id();
    match namespace {
        Ok(namespace) if namespace != OF_MACHINE => format!("{host}-{namespace}-{process}"),
        _ => format!("{host}-{process}"),
    }
}

impl Worker<'_> {
    fn work(&self, jobs: usize, mut info: WorkerInfo) -> Result<CommandExit> {
        self.bar.enable_steady_tick(Duration::from_millis(200));
        self.bar.set_message("waits for work");
        thread::scope(|scope| {
            for _ in 0..jobs {
                scope.spawn(|| self.judge_units());
            }
            self.live(&mut info);
        });
        self.bar.finish_and_clear();
        let judged = Count(usize::try_from(info.units).unwrap_or(usize::MAX), "unit");
        stream::note(format_args!("worker {} judged {judged}", self.name()));
        let fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner).take();
        let signalled = self.session.signalled();
        if signalled.is_some() {
            // It has handed back its units, and ends as it was asked to.
            return Ok(CommandExit::Expected);
        }
        match (fault, info.out) {
            (Some(fault), _) => Err(of_cluster(&fault)),
            (None, Some(why)) => {
                stream::error(format_args!("this worker judges no more: {why}"));
                stream::help(
                    "compare `rejudge doctor` and `rejudge languages` here and on another worker",
                );
                Ok(CommandExit::Fault)
            }
            (None, None) => Ok(CommandExit::Expected),
        }
    }

    /// Its name.
    pub(super) fn name(&self) -> &str {
        &self.identity.name
    }

    /// Whether it takes no more units.
    pub(super) fn ends(&self) -> bool {
        self.ends.load(Ordering::Relaxed) || self.session.interrupt().is_set()
    }

    /// Ends the worker because of an error of the server that does not pass.
    pub(super) fn give_up(&self, error: ClusterError) {
        let mut fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner);
        if !matches!(error, ClusterError::Stopped) {
            fault.get_or_insert(error);
        }
        self.ends.store(true, Ordering::Relaxed);
    }

    /// Notes a unit that it could not judge.
    pub(super) fn note_failure(&self, unit: Unit) {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures.push(unit);
    }

    /// Whether there are units that it could not judge, and nobody knows yet whether others can.
    fn has_failed(&self) -> bool {
        let failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        !failures.is_empty()
    }

    /// Counts a unit that it judged.
    pub(super) fn count(&self, shown: &str) {
        let units = self.units.fetch_add(1, Ordering::Relaxed) + 1;
        let units = Count(usize::try_from(units).unwrap_or(usize::MAX), "unit");
        let text = one_line(&format!("{units}, {shown}"));
        self.bar.set_message(text);
    }

    /// Judges units until the worker ends.
    fn judge_units(&self) {
        let mut turn = 0;
        while !self.ends() {
            let claimed = self.next(turn);
            turn += 1;
            match claimed {
                Ok(Some(claim)) => {
                    if let Err(error) = self.judge(&claim) {
                        self.give_up(error);
                    }
                }
                Ok(None) => turn = 0,
                Err(error) => self.give_up(error),
            }
        }
    }

    /// The next unit: now and then one for the machines of its class.
    fn next(&self, turn: u64) -> Result<Option<rejudge_cluster::Claim>, ClusterError> {
        if turn.is_multiple_of(TURN) {
            let queue = Queue::Class(self.class.clone());
            match self.cluster.claim(&queue, &self.identity, SHORT_WAIT) {
                Ok(None) | Err(ClusterError::Missing { .. }) => {}
                claimed => return claimed,
            }
        }
        self.cluster.claim(&Queue::Any, &self.identity, WAIT)
    }

    /// Gives signs of life until the worker ends, and then takes its row away.
    fn live(&self, info: &mut WorkerInfo) {
        let mut last: Option<Instant> = None;
        while !self.ends() {
            let pause = if self.has_failed() { REVIEW } else { SIGN_OF_LIFE };
            if last.is_none_or(|last| last.elapsed() >= pause) {
                let units = self.units.load(Ordering::Relaxed);
                let seconds = last.map_or(f64::INFINITY, |last| last.elapsed().as_secs_f64());
                #[expect(clippy::cast_precision_loss, reason = "a rate for people")]
                let rate = (units - info.units) as f64 / seconds;
                (info.units, info.rate) = (units, rate);
                last = Some(Instant::now());
                self.review(info);
                if let Err(error) = self.cluster.put(Table::Workers, self.name(), &info.bytes()) {
                    self.give_up(error);
                }
            }
            thread::sleep(Duration::from_millis(100));
        }
        info.units = self.units.load(Ordering::Relaxed);
        if info.out.is_none() {
            // Without it, the row disappears after a while.
            let _ = self.cluster.remove(Table::Workers, self.name());
        }
    }

    /// Takes the worker out if others could judge what it could not.
    fn review(&self, info: &mut WorkerInfo) {
        let mut failures = self.failures.lock().unwrap_or_else(PoisonError::into_inner);
        failures.retain(|unit| {
            let Ok(Some(message)) = self.cluster.result(unit) else {
                return true;
            };
            let opened = self.cluster.opened(unit, ResultKind::First, &message).ok();
            let outcome = opened.and_then(|bytes| UnitOutcome::read(&bytes).ok());
            if outcome
                .is_some_and(|outcome| outcome.worker != self.name() && !outcome.is_fault_of_worker)
            {
                self.refuted.fetch_add(1, Ordering::Relaxed);
            }
            false
        });
        let refuted = self.refuted.load(Ordering::Relaxed);
        if refuted >= FAILURES {
            info.out = Some(format!("it could not judge {refuted} units that others judged"));
            self.ends.store(true, Ordering::Relaxed);
        }
    }
}
