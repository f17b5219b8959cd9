//! The workers: they take requests from a queue of fixed length, and hand over answers in any order.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::answer::{BatchAnswer, FaultOf};
use super::lines::{BatchLine, id_of};
use super::request::{BatchRequest, RequestId, RequestedCases};
use super::slots::Slots;
use super::window::{EnteredRequest, RequestWindow, SameResult};
use crate::sandbox::Interrupt;
use crate::show::words::Count;

/// How long a worker waits for a request before it looks whether the command is interrupted.
const WAIT: Duration = Duration::from_millis(200);

/// A request that is to be judged.
#[derive(Clone, Copy)]
pub(crate) struct AskedRequest<'a> {
    pub(crate) request: &'a BatchRequest,
    /// As it was read; empty unless the judge needs it.
    #[cfg_attr(not(feature = "nats"), expect(dead_code, reason = "only workers get it"))]
    pub(crate) text: &'a [u8],
    /// The number of workers that judge its cases.
    pub(crate) jobs: usize,
}

/// Who judges requests.
pub(crate) trait RequestJudge: Sync {
    /// The number of requests that are judged at the same time.
    fn jobs(&self) -> usize;

    /// What interrupts it.
    fn interrupt(&self) -> &Interrupt;

    /// Whether it needs the text of a request.
    fn needs_text(&self) -> bool;

    /// Judges a request.
    fn judge(&self, asked: AskedRequest<'_>) -> BatchAnswer;
}

/// Numbers of requests.
#[derive(Debug, Default)]
pub(crate) struct BatchFigures {
    judged: AtomicU64,
    same: AtomicU64,
    not_judged: AtomicU64,
    preloaded: AtomicU64,
}

impl BatchFigures {
    /// The numbers so far.
    pub(crate) fn numbers(&self) -> RequestNumbers {
        let of = |number: &AtomicU64| number.load(Ordering::Relaxed);
        RequestNumbers {
            judged: of(&self.judged),
            same: of(&self.same),
            not_judged: of(&self.not_judged),
            preloaded: of(&self.preloaded),
        }
    }

    fn count(&self, answer: &BatchAnswer) {
        let number = match answer {
            BatchAnswer { judged: false, .. } => &self.not_judged,
            BatchAnswer { same_as: Some(_), .. } => &self.same,
            _ => &self.judged,
        };
        number.fetch_add(1, Ordering::Relaxed);
        self.preloaded.fetch_add(answer.preloaded_cases(), Ordering::Relaxed);
    }
}

/// How many requests were answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RequestNumbers {
    /// Those that were judged.
    pub(crate) judged: u64,
    /// Those that took over the answer of an equal one.
    pub(crate) same: u64,
    /// Those that were not judged.
    pub(crate) not_judged: u64,
    /// The number of cases, not of requests, that began in a copy of an interpreter.
    pub(crate) preloaded: u64,
}

impl fmt::Display for RequestNumbers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { judged, same, not_judged, preloaded } = self;
        let all =
            Count(usize::try_from(judged + same + not_judged).unwrap_or(usize::MAX), "request");
        write!(f, "{all}: {judged} judged, {same} equal to one of them, {not_judged} not judged")?;
        if *preloaded > 0 {
            let cases = Count(usize::try_from(*preloaded).unwrap_or(usize::MAX), "case");
            write!(f, "; {cases} in a copy of an interpreter")?;
        }
        Ok(())
    }
}

/// Judges requests.
pub(crate) struct BatchPool<'a> {
    judge: &'a dyn RequestJudge,
    slots: Slots,
    /// The number of workers that wait for a request.
    idle: AtomicUsize,
    is_stopped: AtomicBool,
    window: RequestWindow<NumberedRequest>,
    /// How much of the input a line may have, for messages.
    longest: u64,
    /// The numbers of requests so far.
    pub(crate) figures: Arc<BatchFigures>,
}

/// Takes the answers to the requests of one client, from any thread.
pub(crate) type BatchReply = Arc<dyn Fn(&BatchAnswer) + Send + Sync>;

/// A request that waits for a worker.
pub(crate) struct QueuedRequest {
    /// As it was read.
    pub(crate) line: BatchLine,
    /// Who gets the answer.
    pub(crate) reply: BatchReply,
}

/// A request with the number of its line.
struct NumberedRequest {
    line: u64,
    request: BatchRequest,
    text: Vec<u8>,
    reply: BatchReply,
}

/// The id of a request that has one.
fn id_of_equal(request: &NumberedRequest) -> RequestId {
    request.request.id.clone().expect("requests without an id are never equal to others")
}

impl<'a> BatchPool<'a> {
    /// A pool with this window of equal requests. Lines have at most `longest` bytes.
    pub(crate) fn new(judge: &'a dyn RequestJudge, window: usize, longest: u64) -> Self {
        Self {
            judge,
            slots: Slots::new(judge.jobs()),
            idle: AtomicUsize::new(0),
            is_stopped: AtomicBool::new(false),
            window: RequestWindow::new(window),
            longest,
            figures: Arc::default(),
        }
    }

    /// Judges what `queue` hands out until it ends, the pool is stopped, or the command is interrupted: then what is in the
    /// queue is answered as not judged.
    pub(crate) fn work(&self, queue: Receiver<QueuedRequest>) {
        let queue = Mutex::new(queue);
        std::thread::scope(|scope| {
            for _ in 0..self.judge.jobs() {
                scope.spawn(|| self.work_on(&queue));
            }
        });
    }

    /// The number of workers.
    pub(crate) fn jobs(&self) -> usize {
        self.judge.jobs()
    }

    /// Lets the workers end after the requests that they are judging.
    pub(crate) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    fn work_on(&self, queue: &Mutex<Receiver<QueuedRequest>>) {
        while !self.is_stopped.load(Ordering::Relaxed) {
            self.idle.fetch_add(1, Ordering::Relaxed);
            let next = {
                let queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
                queue.recv_timeout(WAIT)
            };
            self.idle.fetch_sub(1, Ordering::Relaxed);
            match next {
                Ok(request) => self.answer(request),
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) if self.interrupt().is_set() => return,
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }

    fn interrupt(&self) -> &Interrupt {
        self.judge.interrupt()
    }

    /// Answers a request, and those that wait for it.
    fn answer(&self, queued: QueuedRequest) {
        let QueuedRequest { line, reply } = queued;
        let number = line.number;
        let (request, text) = match self.read(line) {
            Ok(read) => read,
            Err(answer) => return self.emit(&reply, &answer.at_line(number)),
        };
        let digest = digest(&request);
        let request = NumberedRequest { line: number, request, text, reply };
        let entered = match digest {
            Some(digest) => self.window.enter(digest, request),
            None => EnteredRequest::Alone(request),
        };
        let (request, digest) = match entered {
            EnteredRequest::Waits => return,
            EnteredRequest::Known(request, same) => {
                return self.emit(&request.reply, &same.answer(id_of_equal(&request)));
            }
            EnteredRequest::Alone(request) => (request, None),
            EnteredRequest::First(request) => (request, digest),
        };
        let answer = self.judged(&request);
        self.emit(&request.reply, &answer);
        let Some(digest) = digest else {
            return;
        };
        let same = SameResult::of(&answer);
        for request in self.window.leave(digest, same.as_ref()) {
            let answer = match &same {
                Some(same) => same.answer(id_of_equal(&request)),
                None => self.judged(&request),
            };
            self.emit(&request.reply, &answer);
        }
    }

    fn emit(&self, reply: &BatchReply, answer: &BatchAnswer) {
        self.figures.count(answer);
        reply(answer);
    }

    fn judged(&self, request: &NumberedRequest) -> BatchAnswer {
        let NumberedRequest { line, request, text, .. } = request;
        if self.interrupt().is_set() {
            let why = "the command was interrupted";
            return BatchAnswer::not_judged(request.id.clone(), FaultOf::Interrupt, why);
        }
        // The places of others only if they have nothing else to do.
        let idle = self.idle.load(Ordering::Relaxed);
        let held = self.slots.take(places(request).saturating_sub(1).min(idle));
        let judge = || self.judge.judge(AskedRequest { request, text, jobs: held.count });
        let answer = catch_unwind(AssertUnwindSafe(judge)).unwrap_or_else(|_| {
            let why = "internal error of rejudge";
            BatchAnswer::not_judged(request.id.clone(), FaultOf::Judge, why)
        });
        if answer.fault == Some(FaultOf::Request) { answer.at_line(*line) } else { answer }
    }

    /// The request, and its text if that is needed.
    fn read(&self, line: BatchLine) -> Result<(BatchRequest, Vec<u8>), Box<BatchAnswer>> {
        let refused = |id, why: String, help: Option<&str>| {
            let answer = BatchAnswer::not_judged(id, FaultOf::Request, why);
            Box::new(answer.with_help(help.map(str::to_owned)))
        };
        let text = line.text.map_err(|start| {
            let why = format!("the request has more than {} bytes", self.longest);
            refused(id_of(&start), why, Some("raise `--max-request`, or name the cases by a path"))
        })?;
        let request = serde_json::from_slice(&text).map_err(|error| {
            let why = match error.classify() {
                serde_json::error::Category::Data => format!("not a request: {error}"),
                _ => format!("not JSON: {error}"),
            };
            refused(id_of(&text), why, None)
        })?;
        Ok((request, if self.judge.needs_text() { text } else { Vec::new() }))
    }
}

/// The number of workers that a request can use.
fn places(request: &BatchRequest) -> usize {
    let cases = match &request.cases {
        Some(RequestedCases::List(cases)) => cases.len(),
        Some(RequestedCases::Parallel(lists)) => lists.inputs.len(),
        Some(RequestedCases::Path(_)) => usize::MAX,
        None if request.problem.is_some() => usize::MAX,
        None => 1,
    };
    cases.min(request.limit_cases.unwrap_or(usize::MAX))
}

/// What tells the request from others; `None`: it is judged although an equal one was.
fn digest(request: &BatchRequest) -> Option<blake3::Hash> {
    // A file can change between two requests.
    let is_alone = request.id.is_none() || request.path.is_some() || request.return_output;
    (!is_alone).then(|| request.digest())
}
