//! Judges submissions on their cases: the workers, and the thread that collects their results.
//!
//! Fifth stage of the flow: it combines compile, run and check, and emits events. It knows neither command-line
//! arguments nor terminals.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::time::Instant;

use crate::event::{Event, Origin, Outline, Summary, Work};
use crate::limits;
use crate::machine::processors;
use crate::notice::Code;
use crate::problem::{Problem, ProblemsById};
use crate::sandbox::{Facts, SandboxError, start_here};
use crate::schedule::{Queue, Task};
use crate::sequence::{BuildOutcome, FailurePolicy, Sequencer, SubmissionEntry};
use crate::submission::Submission;

mod answers;
pub(crate) mod build;
mod case;
mod case_run;
mod checker_programs;
mod early_run;
mod end_order;
mod exception;
#[cfg(feature = "nats")]
pub(crate) mod gather;
mod grader;
mod habits;
mod in_sandbox;
mod inspector;
mod interaction;
mod launch;
mod messages;
mod near_limit;
mod options;
mod output_check;
mod output_keeper;
mod passes;
mod relay;
mod reruns;
mod rounding;
mod run;
mod runners;
mod saved_output;
mod shown_text;
mod single_run;
mod static_validation;
mod transcript;
mod traps;
mod worker_messages;

use build::Builds;
use grader::Graders;
pub(crate) use in_sandbox::InSandbox;
pub(crate) use inspector::Inspector;
pub(crate) use launch::{Launch, Solution};
pub use options::{Options, Peers, Tools};
pub(crate) use output_check::check_output;
pub use output_keeper::{OutputFolder, OutputKeeper, RunOutput};
use runners::Runners;
pub(crate) use single_run::{SingleRunners, SingleSubmission};
use worker_messages::{MessageSender, WorkerMessage};

/// Judges each of `submissions` on the cases of its problem, found by id in `problems`.
///
/// `on_event` is called on the calling thread. `Err` means that *we* could not continue; a fault of a submission is a
/// verdict.
///
/// # Errors
/// [`SandboxError`] if no program can be started at all.
///
/// # Panics
/// If a submission names a problem that is not in `problems`.
pub fn judge(
    problems: &[Problem],
    submissions: &[Submission],
    tools: Tools<'_>,
    options: &Options,
    on_event: &mut dyn FnMut(&Event<'_>),
) -> Result<Summary, SandboxError> {
    judge_entries(&join(problems, submissions), tools, options, on_event)
}

/// Like [`judge()`], with the problem of each submission.
pub(crate) fn judge_entries(
    entries: &[SubmissionEntry<'_>],
    tools: Tools<'_>,
    options: &Options,
    on_event: &mut dyn FnMut(&Event<'_>),
) -> Result<Summary, SandboxError> {
    let first = Runners::start(&options.runners)?;
    let facts = first.facts();
    let on_start = |on_event: &mut dyn FnMut(&Event<'_>)| {
        on_event(&Event::Started(&outline(
            entries,
            options,
            facts.wait().cloned().unwrap_or_else(Facts::none),
        )));
    };
    judge_with(first, entries, tools, options, on_start, on_event)
}

/// Like [`judge_entries`] for one submission, without the first event: its origin takes longer to read than a short run.
pub(crate) fn judge_part(
    entry: SubmissionEntry<'_>,
    tools: Tools<'_>,
    options: &Options,
    on_event: &mut dyn FnMut(&Event<'_>),
) -> Result<Summary, SandboxError> {
    let first = Runners::start(&options.runners)?;
    judge_with(first, &[entry], tools, options, |_| (), on_event)
}

/// The first event of a run.
fn outline(entries: &[SubmissionEntry<'_>], options: &Options, sandbox: Facts) -> Outline {
    Outline {
        submissions: entries.len(),
        cases: entries.iter().map(|(_, problem)| problem.cases.len()).sum(),
        jobs: options.jobs,
        sandbox,
        origin: Origin::here(options.arguments.clone()),
        shard: options.shard.clone(),
    }
}

/// Judges with these runners and, if there are to be several workers, with more. `on_start` is called before any event, but
/// not before a worker has something to report: until then, the new worker may need the processor of this thread.
fn judge_with(
    first: Runners,
    entries: &[SubmissionEntry<'_>],
    tools: Tools<'_>,
    options: &Options,
    on_start: impl FnOnce(&mut dyn FnMut(&Event<'_>)),
    on_event: &mut dyn FnMut(&Event<'_>),
) -> Result<Summary, SandboxError> {
    let started = Instant::now();
    let queue = Queue::new(entries.len());
    let has_builder = has_builder(entries.len(), options);
    let pool = WorkerPool::new(entries, &queue, tools, options, has_builder);
    let mut sequencer = pool.sequencer();
    let (mut fault, mut on_start) = (None, Some(on_start));
    std::thread::scope(|scope| {
        let (sender, receiver) = worker_messages::channel();
        if pool.has_builder {
            let (pool, sender) = (&pool, sender.clone());
            scope.spawn(move || pool.builder(&sender));
        }
        // This thread waits from now on, so its processor is idle.
        start_here(|processors| {
            let (pool, sender) = (&pool, sender.clone());
            scope.spawn(move || {
                processors.take();
                pool.worker(Some(first), &sender);
            });
        });
        for _ in 1..options.jobs {
            let (pool, sender) = (&pool, sender.clone());
            scope.spawn(move || pool.worker(None, &sender));
        }
        drop(sender);
        receiver.receive_all(|message| {
            if let Some(on_start) = on_start.take() {
                on_start(on_event);
            }
            match message {
                Some(message) => handle(message, entries, &mut sequencer, &mut fault, on_event),
                None => on_event(&Event::Paused),
            }
        });
    });
    if let Some(on_start) = on_start {
        on_start(on_event);
    }
    let mut summary = sequencer.finish(on_event);
    summary.wall = started.elapsed();
    summary.interrupted = options.runners.options().interrupt.is_set();
    on_event(&Event::Finished(&summary));
    match fault {
        Some(error) if !summary.interrupted => Err(error),
        _ => Ok(summary),
    }
}

fn join<'a>(problems: &'a [Problem], submissions: &'a [Submission]) -> Vec<SubmissionEntry<'a>> {
    let by_id = ProblemsById::of(problems);
    submissions
        .iter()
        .map(|submission| {
            let problem = by_id.get(&submission.problem).expect("discovery joins them by id");
            (submission, problem)
        })
        .collect()
}

fn handle(
    message: WorkerMessage,
    entries: &[SubmissionEntry<'_>],
    sequencer: &mut Sequencer<'_>,
    fault: &mut Option<SandboxError>,
    emit: &mut dyn FnMut(&Event<'_>),
) {
    let name = |submission: usize| entries[submission].0.name.as_str();
    let case_name = |submission: usize, case: usize| entries[submission].1.cases[case].name();
    match message {
        WorkerMessage::Compiling(submission) => {
            emit(&Event::Working(Work::Compiling { submission: name(submission) }));
        }
        WorkerMessage::Running(submission, case) => {
            let case = case_name(submission, case);
            emit(&Event::Working(Work::Running { submission: name(submission), case }));
        }
        WorkerMessage::Built(submission, built) => sequencer.built(submission, built, emit),
        WorkerMessage::Case(submission, case, result) => {
            let ran = Work::Ran {
                submission: name(submission),
                case: &result.case,
                failed: !result.permitted,
            };
            emit(&Event::Working(ran));
            sequencer.case(submission, case, *result, emit);
        }
        WorkerMessage::Fault(error) => {
            fault.get_or_insert(error);
        }
    }
}

/// The state that all workers share.
struct WorkerPool<'a> {
    entries: &'a [SubmissionEntry<'a>],
    queue: &'a Queue,
    builds: Builds<'a>,
    options: &'a Options,
    /// A thread that only builds works in parallel with the workers.
    has_builder: bool,
}

/// Whether one thread builds the next submissions while the workers run cases: if a processor is left for it, and if
/// the caller needs only verdicts. Its load can change times, but not verdicts: a run close to its limit is confirmed
/// alone.
fn has_builder(submissions: usize, options: &Options) -> bool {
    submissions > 1 && processors() > options.jobs && !options.measures
}

impl<'a> WorkerPool<'a> {
    fn new(
        entries: &'a [SubmissionEntry<'a>],
        queue: &'a Queue,
        tools: Tools<'a>,
        options: &'a Options,
        has_builder: bool,
    ) -> Self {
        Self {
            entries,
            queue,
            builds: Builds::new(entries, tools, options.limits),
            options,
            has_builder,
        }
    }

    /// Puts the results of all workers in order. Graders run on this machine.
    fn sequencer(&'a self) -> Sequencer<'a> {
        let policy = FailurePolicy {
            fail_fast: self.options.fail_fast,
            allow_unchecked: self.options.allow_unchecked,
        };
        let mut graders = Graders::new(self);
        let grade =
            Box::new(move |submission: usize, source: &Path, flags: &[String], text: &str| {
                graders.run(submission, source, flags, text)
            });
        Sequencer::new(self.entries, self.queue, policy, grade)
    }
}

impl WorkerPool<'_> {
    /// The number of other threads that may work during a run that starts now.
    fn others(&self) -> u32 {
        let builder = usize::from(self.has_builder && self.queue.builds());
        let peers = self.options.peers.count;
        u32::try_from(self.options.jobs - 1 + builder + peers).unwrap_or(u32::MAX)
    }

    /// Builds submissions until all are built.
    fn builder(&self, sender: &MessageSender) {
        let mut runners = None;
        while let Some(submission) = self.queue.take_build() {
            let started = match runners.take() {
                Some(runners) => Ok(runners),
                None => Runners::start(&self.options.runners),
            };
            let done = started.and_then(|started| {
                let runners = runners.insert(started);
                self.do_task(Task::Build(submission), runners, sender)
            });
            if let Err(error) = done {
                return self.give_up(error, sender);
            }
        }
    }

    /// Does tasks until there are none left. Starts runners unless they are given.
    fn worker(&self, runners: Option<Runners>, sender: &MessageSender) {
        let runners = runners.map_or_else(|| Runners::start(&self.options.runners), Ok);
        let is_alone = self.options.jobs == 1 && !self.has_builder;
        // Otherwise this worker may wait for a build, and the first event, which shows the protections, for this worker.
        let runners = match runners {
            Ok(runners) if !is_alone => runners.ready(),
            other => other,
        };
        let mut runners = match runners {
            Ok(runners) => runners,
            Err(error) => return self.give_up(error, sender),
        };
        while let Some(task) = self.queue.take() {
            if let Err(error) = self.do_task(task, &mut runners, sender) {
                return self.give_up(error, sender);
            }
        }
        runners.keep();
    }

    fn do_task(
        &self,
        task: Task,
        runners: &mut Runners,
        sender: &MessageSender,
    ) -> Result<(), SandboxError> {
        let mut done = || match task {
            Task::Build(submission) => self.build(submission, runners, sender),
            Task::Case { submission, case } => self.case(submission, case, runners, sender),
        };
        // The other threads wait for this build; without a result they would wait for ever.
        catch_unwind(AssertUnwindSafe(&mut done)).unwrap_or_else(|panic| {
            let Task::Build(submission) = task else {
                self.queue.stop();
                resume_unwind(panic)
            };
            self.build_panicked(submission, panic.as_ref(), sender);
            // The old runners may be in the middle of a request.
            *runners = Runners::start(&self.options.runners)?;
            Ok(())
        })
    }

    /// Reports that a submission was not built because of a fault of ours.
    fn build_panicked(&self, submission: usize, panic: &(dyn Any + Send), sender: &MessageSender) {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        let (entry, problem) = self.entries[submission];
        let why = Code::NotJudged.says(format!(
            "internal error of rejudge while building `{}`: {}",
            entry.name,
            text.unwrap_or("unknown reason")
        ));
        let limits = limits::of_solution(Some(problem), None, &self.options.limits);
        self.queue.close(submission);
        sender.send(WorkerMessage::Built(submission, BuildOutcome::Impossible { limits, why }));
    }

    fn give_up(&self, error: SandboxError, sender: &MessageSender) {
        self.queue.stop();
        sender.send(WorkerMessage::Fault(error));
    }

    fn build(
        &self,
        submission: usize,
        runners: &mut Runners,
        sender: &MessageSender,
    ) -> Result<(), SandboxError> {
        sender.send(WorkerMessage::Compiling(submission));
        let built = {
            let _shared = self.share();
            self.builds.build(submission, runners.first())?
        };
        match &built {
            BuildOutcome::Ready { .. } => {
                self.queue.built(submission, self.entries[submission].1.cases.len());
            }
            BuildOutcome::Refused { .. } | BuildOutcome::Impossible { .. } => {
                self.queue.close(submission);
            }
        }
        sender.send(WorkerMessage::Built(submission, built));
        Ok(())
    }

    fn case(
        &self,
        submission: usize,
        case: usize,
        runners: &mut Runners,
        sender: &MessageSender,
    ) -> Result<(), SandboxError> {
        sender.send(WorkerMessage::Running(submission, case));
        let result = self.judge_case(submission, case, runners)?;
        sender.send(WorkerMessage::Case(submission, case, Box::new(result)));
        Ok(())
    }

    fn share(&self) -> std::sync::RwLockReadGuard<'_, ()> {
        let quiet = &self.options.peers.quiet;
        quiet.read().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn alone(&self) -> std::sync::RwLockWriteGuard<'_, ()> {
        let quiet = &self.options.peers.quiet;
        quiet.write().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
