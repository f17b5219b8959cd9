//! `rejudge batch --nats`: requests are judged by workers, and their answers come back as if they were judged here.

use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::Result;
use rejudge_cluster::{Cluster, ClusterError, Queue, ResultKind, SigningKey, Table, Unit};

use super::super::nats_args::BatchOnWorkersArgs;
use super::super::session::Session;
use super::super::stream;
use super::connecting::{SUBMITTER, of_cluster};
use super::submit::warn_of_none;
use crate::batch::{AskedRequest, BatchAnswer, FaultOf, RequestJudge};
use crate::farm::{FarmError, FarmJob, FarmRun, UnitOrder, UnitOutcome, valid_until, workers};
use crate::sandbox::Interrupt;

/// The pause before the server is asked again for answers.
const PAUSE: Duration = Duration::from_millis(20);

/// How often the workers are looked at.
const LOOK: Duration = Duration::from_secs(5);

/// The number of requests that are on the server at the same time, unless `--jobs` sets it.
const ON_SERVER: usize = 64;

/// Requests on a server.
struct SubmittedBatch<'a> {
    cluster: &'a Cluster,
    key: SigningKey,
    run: String,
    /// The name of the job, which has the options.
    job: String,
    jobs: usize,
    /// When it began, in seconds since 1970.
    since: u64,
    /// How long the server keeps files.
    lifetime: Option<Duration>,
    patience: Duration,
    interrupt: &'a Interrupt,
    state: Mutex<BatchState>,
    arrived: Condvar,
}

#[derive(Default)]
struct BatchState {
    /// The number of requests that were submitted.
    submitted: usize,
    /// Those without an answer that counts, by number.
    open: BTreeMap<usize, OpenRequest>,
    /// Why nothing is judged any more.
    fault: Option<String>,
    is_over: bool,
}

/// A request that waits for its answer.
struct OpenRequest {
    /// The message to workers.
    message: Vec<u8>,
    answer: Option<BatchAnswer>,
}

/// Calls `work` with the judge of the requests: workers of the server that the arguments name.
pub(in crate::cli) fn with_batch<R>(
    args: &BatchOnWorkersArgs,
    (url, jobs): (&str, Option<usize>),
    options: Vec<(String, Option<String>)>,
    session: &Session,
    work: impl FnOnce(&dyn RequestJudge) -> R,
) -> Result<R> {
    let key = args.sign_key()?;
    let interrupt = session.interrupt();
    let cluster = args.access.connect(url, ("rejudge batch", SUBMITTER), interrupt)?;
    let submitted = SubmittedBatch::begin(&cluster, key, (args, jobs), options, interrupt);
    let batch = submitted.map_err(|error| of_cluster(&error))?;
    let result = thread::scope(|scope| {
        scope.spawn(|| batch.listen());
        let result = work(&batch);
        batch.lock().is_over = true;
        result
    });
    batch.end().map_err(|error| of_cluster(&error))?;
    Ok(result)
}

impl<'a> SubmittedBatch<'a> {
    fn begin(
        cluster: &'a Cluster,
        key: SigningKey,
        (args, jobs): (&BatchOnWorkersArgs, Option<usize>),
        options: Vec<(String, Option<String>)>,
        interrupt: &'a Interrupt,
    ) -> Result<Self, ClusterError> {
        cluster.prepare()?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let run = format!("batch-{}-{}", std::process::id(), now.as_millis());
        // Before any file is sent: from now on, nobody removes what this batch sends.
        let since = now.as_secs();
        put_run(cluster, &run, since, (0, 0, false))?;
        let lifetime = cluster.blob_total()?.lifetime;
        let job = serde_json::to_vec(&FarmJob::of_batch(options)).expect("a job is always JSON");
        cluster.put_blob(&job, lifetime)?;
        stream::note(format_args!("the requests are run {run}"));
        Ok(Self {
            cluster,
            key,
            run,
            job: Cluster::blob_name(&job),
            jobs: jobs.unwrap_or(ON_SERVER),
            since,
            lifetime,
            patience: args.patience(),
            interrupt,
            state: Mutex::default(),
            arrived: Condvar::new(),
        })
    }

    fn lock(&self) -> MutexGuard<'_, BatchState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unit(&self, number: usize) -> Unit {
        Unit { run: self.run.clone(), number }
    }

    /// Puts a request on the server, and returns its number.
    fn submit(&self, text: &[u8]) -> Result<usize, ClusterError> {
        self.cluster.put_blob(text, self.lifetime)?;
        let mut state = self.lock();
        let number = state.submitted;
        state.submitted += 1;
        let order = UnitOrder::of_request(self.job.clone(), Cluster::blob_name(text));
        let order = UnitOrder { until: valid_until(SystemTime::now()), ..order };
        let message = order.message(&self.unit(number), &self.key);
        state.open.insert(number, OpenRequest { message: message.clone(), answer: None });
        drop(state);
        self.cluster.submit(&Queue::Any, &self.run, &[(number, message)])?;
        Ok(number)
    }

    /// The answer to a request, or why there is none.
    fn wait(&self, number: usize) -> Result<BatchAnswer, (FaultOf, String)> {
        let mut state = self.lock();
        loop {
            let open = state.open.get_mut(&number);
            if let Some(answer) = open.and_then(|open| open.answer.take()) {
                state.open.remove(&number);
                return Ok(answer);
            }
            if self.interrupt.is_set() {
                return Err((FaultOf::Interrupt, "the command was interrupted".to_owned()));
            }
            if let Some(fault) = &state.fault {
                return Err((FaultOf::Judge, fault.clone()));
            }
            let waited = self.arrived.wait_timeout(state, 10 * PAUSE);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    /// Reads answers and looks at the workers until all is over.
    fn listen(&self) {
        let mut watch = ServerWatch::default();
        while !self.lock().is_over && !self.interrupt.is_set() {
            let looked = self.read(&mut watch.after).and_then(|is_new| {
                if !is_new {
                    self.look(&mut watch)?;
                    thread::sleep(PAUSE);
                }
                Ok(())
            });
            if let Err(error) = looked {
                self.fail(error.to_string());
                return;
            }
        }
    }

    fn fail(&self, why: String) {
        self.lock().fault = Some(why);
        self.arrived.notify_all();
    }

    /// Reads the next answer, if there is one.
    fn read(&self, after: &mut u64) -> Result<bool, ClusterError> {
        let Some(stored) = self.cluster.next_result(&self.run, *after)? else {
            return Ok(false);
        };
        *after = stored.sequence;
        if stored.kind != ResultKind::First {
            return Ok(true);
        }
        let unit = self.unit(stored.unit);
        let opened = match self.cluster.opened(&unit, stored.kind, &stored.bytes) {
            Err(error @ (ClusterError::Unsigned { .. } | ClusterError::Damaged { .. })) => {
                Err(FarmError::from(error))
            }
            opened => Ok(opened?),
        };
        let outcome = opened.and_then(|bytes| UnitOutcome::read(&bytes));
        let answer = outcome.map_err(|error| error.to_string()).and_then(|outcome| {
            let fault = outcome.fault.unwrap_or_else(|| "it has no answer".to_owned());
            outcome.answer.ok_or(fault)
        });
        let answer = answer.unwrap_or_else(|why| {
            BatchAnswer::not_judged(
                None,
                FaultOf::Judge,
                format!("no result of a worker counts: {why}"),
            )
        });
        if let Some(open) = self.lock().open.get_mut(&stored.unit) {
            open.answer.get_or_insert(answer);
        }
        self.arrived.notify_all();
        Ok(true)
    }

    /// Looks whether there are workers, and submits again what got lost.
    fn look(&self, watch: &mut ServerWatch) -> Result<(), ClusterError> {
        if watch.last.is_some_and(|last| last.elapsed() < LOOK) {
            return Ok(());
        }
        watch.last = Some(Instant::now());
        let (public, workers) = (self.key.public(), workers(self.cluster)?);
        warn_of_none(&workers, &public);
        if workers.iter().any(|(_, info)| info.takes_work_of(&public)) {
            watch.alone = None;
        } else {
            watch.alone.get_or_insert_with(Instant::now);
        }
        if watch.alone.is_some_and(|since| since.elapsed() >= self.patience) {
            self.fail(format!("there was no worker for {} s", self.patience.as_secs_f64()));
        }
        // What has no answer although nothing waits and nothing is judged was lost by the server. It is in the queue once,
        // however often it is submitted.
        let is_empty = matches!(self.cluster.load(&Queue::Any), Ok(Some((0, 0))));
        let (open, judged) = {
            let state = self.lock();
            let open = state.open.iter().filter(|(_, open)| open.answer.is_none());
            let open: Vec<_> = open.map(|(number, open)| (*number, open.message.clone())).collect();
            (open, state.submitted - state.open.len())
        };
        put_run(self.cluster, &self.run, self.since, (judged + open.len(), judged, false))?;
        if is_empty && watch.was_empty && !open.is_empty() {
            self.cluster.submit(&Queue::Any, &self.run, &open)?;
        }
        watch.was_empty = is_empty;
        Ok(())
    }

    /// Takes back what nobody needs any more.
    fn end(&self) -> Result<(), ClusterError> {
        self.cluster.withdraw(&self.run)?;
        let submitted = self.lock().submitted;
        put_run(self.cluster, &self.run, self.since, (submitted, submitted, true))
    }
}

/// What the thread that listens knows of the server.
#[derive(Default)]
struct ServerWatch {
    after: u64,
    last: Option<Instant>,
    was_empty: bool,
    /// Since when there is no worker.
    alone: Option<Instant>,
}

impl RequestJudge for SubmittedBatch<'_> {
    fn jobs(&self) -> usize {
        self.jobs
    }

    fn interrupt(&self) -> &Interrupt {
        self.interrupt
    }

    fn needs_text(&self) -> bool {
        true
    }

    fn judge(&self, asked: AskedRequest<'_>) -> BatchAnswer {
        let id = asked.request.id.clone();
        if let Some(why) = asked.request.needs_files() {
            let answer = BatchAnswer::not_judged(id, FaultOf::Request, why.message);
            return answer.with_help(why.help);
        }
        let submitted = self.submit(asked.text);
        let submitted = submitted.map_err(|error| (FaultOf::Judge, error.to_string()));
        let answer = submitted.and_then(|number| self.wait(number));
        let answer =
            answer.unwrap_or_else(|(fault, why)| BatchAnswer::not_judged(None, fault, why));
        answer.with_id(id)
    }
}

/// Tells others about the batch.
fn put_run(
    cluster: &Cluster,
    name: &str,
    since: u64,
    (units, judged, is_over): (usize, usize, bool),
) -> Result<(), ClusterError> {
    let run = FarmRun {
        plan: String::new(),
        units,
        judged,
        reference: String::new(),
        is_over,
        jobs: Vec::new(),
        // Requests come until the end.
        is_sending: !is_over,
        since: Some(since),
    };
    let bytes = serde_json::to_vec(&run).expect("a run is always JSON");
    cluster.put(Table::Runs, name, &bytes)
}
