//! The submitter's side of a run: reads results from the server and passes them to the judge.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant, SystemTime};

use rejudge_cluster::{Cluster, ClusterError, Queue, SigningKey, Table, Unit};
use serde::{Deserialize, Serialize};

use super::{UnitOrder, UnitSpan, WorkerInfo, valid_until};
use crate::judge::gather::{Arrival, GatheredEnd, ResultSource};
use crate::judge::{Options, Tools};
use crate::notice::visible;
use crate::report::carried::BuildKind;
use crate::sandbox::Interrupt;
use crate::sequence::SubmissionEntry;
use crate::show::words::Count;

mod arrivals;

/// The pause before the server is asked again for results.
const PAUSE: Duration = Duration::from_millis(20);

/// How often the workers are looked at.
const LOOK: Duration = Duration::from_secs(5);

/// How often units without a result are submitted again, which changes nothing for those that still wait.
const RENEWAL: Duration = Duration::from_secs(3600);

/// A run on the server.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct FarmRun {
    /// The digest of its plan.
    pub(crate) plan: String,
    /// Number of its units.
    pub(crate) units: usize,
    /// Number of its units with a result, as its submitter knows it.
    pub(crate) judged: usize,
    /// The class of machines whose times count.
    pub(crate) reference: String,
    /// Whether its submitter has reported it.
    pub(crate) is_over: bool,
    /// The names of the jobs of its units: of the last attempt and of those before it.
    #[serde(default)]
    pub(crate) jobs: Vec<String>,
    /// Whether its submitter still sends files, so `jobs` does not name all that it needs.
    #[serde(default)]
    pub(crate) is_sending: bool,
    /// The second since 1970 from which on it sends files; `None`: from when its row was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) since: Option<u64>,
}

/// Is called with the workers and the number of units with a result.
pub(crate) type OnLook<'a> = &'a mut dyn FnMut(&[(String, WorkerInfo)], usize);

/// Everything about a run that its results must fit to.
pub(crate) struct QueueSource<'a> {
    pub(crate) cluster: &'a Cluster,
    pub(crate) run: &'a str,
    /// The name of its job.
    pub(crate) job: &'a str,
    /// The key that signs its units.
    pub(crate) key: &'a SigningKey,
    pub(crate) entries: &'a [SubmissionEntry<'a>],
    pub(crate) tools: Tools<'a>,
    pub(crate) options: &'a Options,
    pub(crate) units: &'a [UnitSpan],
    /// The class of machines whose times count.
    pub(crate) reference: &'a str,
    pub(crate) interrupt: &'a Interrupt,
    /// How long it goes on without a worker.
    pub(crate) patience: Duration,
    /// Is called now and then.
    pub(crate) look: OnLook<'a>,
    pub(crate) books: Books,
}

/// What is known of a run so far.
#[derive(Default)]
pub(crate) struct Books {
    after: u64,
    /// Results that were there before the run was submitted.
    known: Vec<Arrival>,
    seen: Vec<bool>,
    /// The units that a machine of the reference class must judge.
    elsewhere: BTreeSet<usize>,
    judged: usize,
    /// By submission: how it was built.
    built: BTreeMap<usize, BuildKind>,
    /// By worker: the number of units.
    by_worker: BTreeMap<String, usize>,
    /// Results that came twice, and those of them that differ.
    again: usize,
    unlike: Vec<String>,
    marked: usize,
    /// What workers published about themselves.
    workers: BTreeMap<String, WorkerInfo>,
    last_look: Option<Instant>,
    /// When the units without a result were last submitted.
    submitted: Option<Instant>,
    /// Whether no unit waited and none was judged at the last look.
    was_empty: bool,
    fault: Option<ClusterError>,
    /// Since when there is no worker.
    alone: Option<Instant>,
    is_abandoned: bool,
}

/// A note about a result that came again.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct AgainNote {
    pub(crate) worker: String,
    /// Where it differs from the first one.
    pub(crate) difference: Option<String>,
}

impl AgainNote {
    /// Whether the two results differ.
    pub(crate) fn is_unlike(&self) -> bool {
        self.difference.is_some()
    }
}

/// Results that came again, in words.
pub(crate) fn again_words(again: usize, unlike: usize) -> String {
    let count = if again == 1 { "counts" } else { "count" };
    let results = Count(again, "result");
    format!("{results} came twice and {count} once; {unlike} of them differ")
}

impl Books {
    /// The books of a run with this number of units.
    pub(crate) fn new(units: usize) -> Self {
        Self { seen: vec![false; units], ..Self::default() }
    }

    /// Number of units with a result.
    pub(crate) fn judged(&self) -> usize {
        self.judged
    }

    /// The units without a result, if the run ended because there was no worker.
    pub(crate) fn abandoned(&self) -> Option<Vec<usize>> {
        let units = self.seen.iter().enumerate();
        let missing = units.filter(|(_, seen)| !**seen).map(|(unit, _)| unit);
        self.is_abandoned.then(|| missing.collect())
    }

    /// The error of the server that ended the run.
    pub(crate) fn take_fault(&mut self) -> Option<ClusterError> {
        self.fault.take()
    }
}

impl ResultSource for QueueSource<'_> {
    fn next(&mut self) -> Option<Vec<Arrival>> {
        if !self.books.known.is_empty() {
            return Some(std::mem::take(&mut self.books.known));
        }
        loop {
            if self.interrupt.is_set() {
                return None;
            }
            match self.next_arrivals() {
                Ok(Some(arrivals)) if arrivals.is_empty() => {}
                Ok(Some(arrivals)) => return Some(arrivals),
                Ok(None) => {
                    self.look_at_workers();
                    if self.books.alone.is_some_and(|since| since.elapsed() >= self.patience) {
                        self.books.is_abandoned = true;
                        return None;
                    }
                    std::thread::sleep(PAUSE);
                }
                Err(error) => {
                    self.books.fault = Some(error);
                    return None;
                }
            }
        }
    }

    fn end(&mut self) -> GatheredEnd {
        GatheredEnd { remarks: self.remarks(), interrupted: self.interrupt.is_set() }
    }
}

impl QueueSource<'_> {
    /// Reads the results that are there, and submits the units without one.
    pub(crate) fn submit(&mut self) -> Result<(), ClusterError> {
        loop {
            let stored = self.stored()?;
            if stored.is_empty() {
                break;
            }
            let arrivals = self.arrivals(&stored)?;
            self.books.known.extend(arrivals);
        }
        self.cluster.open_queue(&reference_queue(self.reference))?;
        self.submit_missing()
    }

    /// Submits the units without a result, each to its queue.
    fn submit_missing(&self) -> Result<(), ClusterError> {
        let (close, others) = self
            .missing(false)
            .into_iter()
            .partition::<Vec<_>, _>(|(unit, _)| self.books.elsewhere.contains(unit));
        let queue = reference_queue(self.reference);
        self.cluster.submit(&queue, self.run, &close)?;
        self.cluster.submit(&Queue::Any, self.run, &others)
    }

    /// Lets a machine of the reference class judge a unit, unless it has a result: workers do not write to queues.
    fn submit_elsewhere(&self, unit: usize) {
        let Some(&span) = self.units.get(unit).filter(|_| !self.books.seen[unit]) else {
            return;
        };
        let order = self.order(unit, span, false);
        let queue = reference_queue(self.reference);
        // The next look repeats it.
        let _ = self.cluster.submit(&queue, self.run, &[(unit, order)]);
    }

    /// The units without a result.
    fn missing(&self, is_final: bool) -> Vec<(usize, Vec<u8>)> {
        let units = self.units.iter().enumerate();
        let missing = units.filter(|(unit, _)| !self.books.seen[*unit]);
        missing.map(|(unit, span)| (unit, self.order(unit, *span, is_final))).collect()
    }

    /// The signed message about a unit.
    fn order(&self, number: usize, span: UnitSpan, is_final: bool) -> Vec<u8> {
        let order = UnitOrder {
            job: self.job.to_owned(),
            entry: span.entry,
            first: span.first,
            end: span.end,
            request: None,
            is_final,
            until: valid_until(SystemTime::now()),
            signer: String::new(),
        };
        order.message(&self.unit(number), self.key)
    }

    fn unit(&self, number: usize) -> Unit {
        Unit { run: self.run.to_owned(), number }
    }

    fn look_at_workers(&mut self) {
        let due = self.books.last_look.is_none_or(|last| last.elapsed() > LOOK);
        if !due {
            return;
        }
        self.books.last_look = Some(Instant::now());
        let Ok(workers) = workers(self.cluster) else {
            return;
        };
        (self.look)(&workers, self.books.judged);
        let key = self.key.public();
        if workers.iter().any(|(_, info)| info.takes_work_of(&key)) {
            self.books.alone = None;
        } else {
            self.books.alone.get_or_insert_with(Instant::now);
        }
        self.return_to_all(&workers);
        self.submit_lost();
        self.books.workers.extend(workers);
    }

    /// Submits the units again that have no result and are in no queue: the machine of the server failed before it wrote
    /// them to its disk, or a worker took them off the queue without a result. A unit that was judged when the queues were
    /// found empty has a result, or a request for the reference class, that is read before the next look. Queues that others keep
    /// full are never empty, and a worker takes a unit off whose time is over: so all are submitted again now and then.
    fn submit_lost(&mut self) {
        let queues = [Queue::Any, reference_queue(self.reference)];
        let is_empty =
            queues.iter().all(|queue| matches!(self.cluster.load(queue), Ok(Some((0, 0)))));
        let submitted = self.books.submitted.get_or_insert_with(Instant::now);
        let is_due = submitted.elapsed() > RENEWAL || (is_empty && self.books.was_empty);
        // If it fails, the next look repeats it.
        if is_due && self.submit_missing().is_ok() {
            self.books.submitted = Some(Instant::now());
        }
        self.books.was_empty = is_empty;
    }

    /// Submits the units again that wait for machines of the reference class, if none is there: others mark their times.
    fn return_to_all(&mut self, workers: &[(String, WorkerInfo)]) {
        let key = self.key.public();
        let able = || workers.iter().filter(|(_, info)| info.takes_work_of(&key));
        let is_reference = |(_, info): &(String, WorkerInfo)| info.class == self.reference;
        if able().count() == 0 || able().any(is_reference) {
            return;
        }
        let queue = reference_queue(self.reference);
        if let Ok(Some((1.., _))) = self.cluster.load(&queue) {
            let missing = self.missing(true);
            // The next look repeats it.
            let _ = self.cluster.submit(&Queue::Any, self.run, &missing);
        }
    }

    /// What readers of the report must know of the workers.
    fn remarks(&mut self) -> Vec<String> {
        if let Ok(workers) = workers(self.cluster) {
            self.books.workers.extend(workers);
        }
        let books = &self.books;
        let mut remarks = Vec::new();
        for (name, units) in &books.by_worker {
            let info = books.workers.get(name);
            let facts = info.map(|info| format!(" ({}; {})", info.machine, info.figures));
            remarks.push(format!(
                "worker {name} judged {units} of {}{}",
                Count(books.judged, "unit"),
                facts.unwrap_or_default()
            ));
        }
        if books.again > 0 {
            remarks.push(again_words(books.again, books.unlike.len()));
        }
        remarks.extend(books.unlike.iter().take(20).cloned());
        if books.marked > 0 {
            remarks.push(format!(
                "{} runs are close to a limit, on machines that are not of the reference class",
                books.marked
            ));
        }
        remarks
    }
}

/// The workers that are alive.
pub(crate) fn workers(cluster: &Cluster) -> Result<Vec<(String, WorkerInfo)>, ClusterError> {
    let rows = cluster.rows(Table::Workers)?.into_iter();
    Ok(rows.filter_map(|row| Some((visible(&row.key), WorkerInfo::read(&row.value)?))).collect())
}

/// The queue of the machines of a class.
fn reference_queue(reference: &str) -> Queue {
    Queue::Class(reference.to_owned())
}
