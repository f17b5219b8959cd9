//! The workers: they take requests from a queue of fixed length, and hand over answers in any order.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use super::answer::{BatchAnswer, FaultOf};
use super::judging::{BatchTools, SharedState};
use super::lines::{BatchLine, id_of};
use super::request::{BatchRequest, RequestId, RequestedCases};
use super::slots::Slots;
use super::window::{EnteredRequest, RequestWindow};
use crate::sandbox::Interrupt;

/// How long a worker waits for a request before it looks whether the command is interrupted.
const WAIT: Duration = Duration::from_millis(200);

/// Numbers of requests.
#[derive(Debug, Default)]
pub(crate) struct BatchFigures {
    judged: AtomicU64,
    same: AtomicU64,
    not_judged: AtomicU64,
}

impl BatchFigures {
    /// The numbers of requests that were judged, that took over the answer of an equal one, and that were not judged.
    pub(crate) fn numbers(&self) -> (u64, u64, u64) {
        let of = |number: &AtomicU64| number.load(Ordering::Relaxed);
        (of(&self.judged), of(&self.same), of(&self.not_judged))
    }

    fn count(&self, answer: &BatchAnswer) {
        let number = match answer {
            BatchAnswer { judged: false, .. } => &self.not_judged,
            BatchAnswer { same_as: Some(_), .. } => &self.same,
            _ => &self.judged,
        };
        number.fetch_add(1, Ordering::Relaxed);
    }
}

/// Judges requests.
pub(crate) struct BatchPool<'a> {
    tools: &'a BatchTools<'a>,
    shared: SharedState,
    slots: Slots,
    window: RequestWindow<NumberedRequest>,
    /// How much of the input a line may have, for messages.
    longest: u64,
    /// The numbers of requests so far.
    pub(crate) figures: BatchFigures,
}

/// A request with the number of its line.
#[derive(Debug)]
struct NumberedRequest {
    line: u64,
    request: BatchRequest,
}

/// The id of a request that has one.
fn id_of_equal(request: &NumberedRequest) -> RequestId {
    request.request.id.clone().expect("requests without an id are never equal to others")
}

/// Takes answers, from any thread. `false`: nobody wants more.
pub(crate) type Answered<'a> = dyn Fn(&BatchAnswer) -> bool + Sync + 'a;

impl<'a> BatchPool<'a> {
    /// A pool with this window of equal requests. Lines have at most `longest` bytes.
    pub(crate) fn new(tools: &'a BatchTools<'a>, window: usize, longest: u64) -> Self {
        Self {
            tools,
            shared: SharedState::default(),
            slots: Slots::new(tools.options.jobs),
            window: RequestWindow::new(window),
            longest,
            figures: BatchFigures::default(),
        }
    }

    /// Judges what `queue` hands out until it ends, nobody wants more answers, or the command is interrupted: then what is
    /// in the queue is answered as not judged.
    pub(crate) fn work(&self, queue: Receiver<BatchLine>, answered: &Answered<'_>) {
        let queue = Mutex::new(queue);
        std::thread::scope(|scope| {
            for _ in 0..self.tools.options.jobs {
                scope.spawn(|| self.work_on(&queue, answered));
            }
        });
    }

    fn work_on(&self, queue: &Mutex<Receiver<BatchLine>>, answered: &Answered<'_>) {
        loop {
            let next = {
                let queue = queue.lock().unwrap_or_else(PoisonError::into_inner);
                queue.recv_timeout(WAIT)
            };
            let line = match next {
                Ok(line) => line,
                Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) if self.interrupt().is_set() => return,
                Err(RecvTimeoutError::Timeout) => continue,
            };
            let mut goes_on = true;
            self.answer(line, &mut |answer| {
                self.figures.count(answer);
                goes_on &= answered(answer);
            });
            if !goes_on {
                return;
            }
        }
    }

    fn interrupt(&self) -> &Interrupt {
        &self.tools.options.runners.options().interrupt
    }

    /// Answers the request of a line, and those that wait for it.
    pub(crate) fn answer(&self, line: BatchLine, emit: &mut dyn FnMut(&BatchAnswer)) {
        let number = line.number;
        let request = match self.read(line) {
            Ok(request) => request,
            Err(answer) => return emit(&answer.at_line(number)),
        };
        let digest = digest(&request);
        let request = NumberedRequest { line: number, request };
        let entered = match digest {
            Some(digest) => self.window.enter(digest, id_of_equal, request),
            None => EnteredRequest::Alone(request),
        };
        let (request, digest) = match entered {
            EnteredRequest::Waits => return,
            EnteredRequest::Answered(answer) => return emit(&answer),
            EnteredRequest::Alone(request) => (request, None),
            EnteredRequest::First(request) => (request, digest),
        };
        let answer = self.judged(&request);
        emit(&answer);
        let waiting = digest.map(|digest| self.window.leave(digest, id_of_equal, &answer));
        for waiting in waiting.into_iter().flatten() {
            match waiting {
                Ok(answer) => emit(&answer),
                Err(request) => emit(&self.judged(&request)),
            }
        }
    }

    fn judged(&self, request: &NumberedRequest) -> BatchAnswer {
        let NumberedRequest { line, request } = request;
        if self.interrupt().is_set() {
            let why = "the command was interrupted";
            return BatchAnswer::not_judged(request.id.clone(), FaultOf::Interrupt, why);
        }
        let held = self.slots.take(places(request).saturating_sub(1));
        let judge = || self.tools.judge(request, &self.shared, held.count);
        let answer = catch_unwind(AssertUnwindSafe(judge)).unwrap_or_else(|_| {
            let why = "internal error of rejudge";
            BatchAnswer::not_judged(request.id.clone(), FaultOf::Judge, why)
        });
        if answer.fault == Some(FaultOf::Request) { answer.at_line(*line) } else { answer }
    }

    fn read(&self, line: BatchLine) -> Result<BatchRequest, Box<BatchAnswer>> {
        let refused = |id, why: String, help: Option<&str>| {
            let answer = BatchAnswer::not_judged(id, FaultOf::Request, why);
            Box::new(answer.with_help(help.map(str::to_owned)))
        };
        let text = line.text.map_err(|start| {
            let why = format!("the request has more than {} bytes", self.longest);
            refused(id_of(&start), why, Some("raise `--max-request`, or name the cases by a path"))
        })?;
        serde_json::from_slice(&text).map_err(|error| {
            let why = match error.classify() {
                serde_json::error::Category::Data => format!("not a request: {error}"),
                _ => format!("not JSON: {error}"),
            };
            refused(id_of(&text), why, None)
        })
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
