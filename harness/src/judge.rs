//! Judges submissions over their cases: the workers, and the thread that listens to them.
//!
//! Fifth in the flow: it joins compile, run and check, and emits events. It knows neither arguments
//! nor terminals.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::{Path, PathBuf};
use std::sync::RwLock;
use std::time::Instant;

use crate::compile::Compiler;
use crate::diff::Look;
use crate::event::{Event, Outline, Summary, Work};
use crate::language::Languages;
use crate::limits::{LimitOverrides, settle};
use crate::problem::Problem;
use crate::sandbox::{RunnerOptions, SandboxError};
use crate::schedule::{Queue, Task};
use crate::sequence::{Built, Entry, Policy, Sequencer};
use crate::submission::Submission;

mod ahead;
mod answers;
pub(crate) mod build;
mod case;
mod grader;
mod inspector;
mod launch;
mod near_limit;
mod news;
mod passes;
mod play;
mod relay;
mod runners;
mod settle;
mod static_validation;
mod talk;
mod transcript;

use build::Builds;
use grader::Graders;
pub(crate) use inspector::Inspector;
pub(crate) use launch::{launch, launch_with};
use news::{News, Teller};
use runners::Runners;

/// How to judge.
#[derive(Debug, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "each is a switch of its own")]
pub struct Options {
    /// Number of workers, at least one.
    pub jobs: usize,
    /// Limits that win over the problems' own.
    pub limits: LimitOverrides,
    /// End a submission at its first case that is not accepted, and the run at the first submission
    /// that is not as expected.
    pub fail_fast: bool,
    /// A case without an answer is only run, and that is all that was asked for.
    pub allow_unchecked: bool,
    /// How often each case is run; the worst verdict counts.
    pub repeat: usize,
    /// How differences are drawn.
    pub look: Look,
    /// Keep every output under this folder.
    pub keep: Option<PathBuf>,
    /// The times are wanted, not only the verdicts: what others disturbed is measured again.
    pub measures: bool,
    /// Write down what a submission and an interactor say to each other.
    pub transcript: bool,
    /// How programs are run.
    pub runner: RunnerOptions,
}

impl Options {
    /// One worker, the problems' own limits, each case run once, differences in plain text of 80
    /// columns, nothing kept.
    #[must_use]
    pub fn new(runner: RunnerOptions) -> Self {
        Self {
            jobs: 1,
            limits: LimitOverrides::default(),
            fail_fast: false,
            allow_unchecked: false,
            repeat: 1,
            look: Look {
                width: 80,
                colour: false,
            },
            keep: None,
            measures: false,
            transcript: false,
            runner,
        }
    }
}

/// What compiles the sources.
#[derive(Debug, Clone, Copy)]
pub struct Tools<'a> {
    /// The compiler, with its cache.
    pub compiler: &'a Compiler,
    /// The table of languages; every submission's is in it.
    pub languages: &'a Languages,
}

/// Judges each of `submissions` over the cases of its problem, found by id in `problems`.
///
/// Events arrive on the calling thread. `Err` means that *we* could not go on; what a submission
/// does wrong is a verdict.
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
    let started = Instant::now();
    let entries = join(problems, submissions);
    let queue = Queue::new(entries.len());
    let policy = Policy {
        fail_fast: options.fail_fast,
        allow_unchecked: options.allow_unchecked,
    };
    let mut first = Runners::start(&options.runner)?;
    on_event(&Event::Started(&Outline {
        submissions: entries.len(),
        cases: entries.iter().map(|(_, problem)| problem.cases.len()).sum(),
        jobs: options.jobs,
        sandbox: first.first().facts().clone(),
    }));
    let bench = Bench {
        entries: &entries,
        queue: &queue,
        builds: Builds::new(&entries, tools, options.limits),
        options,
        quiet: RwLock::new(()),
    };
    let mut graders = Graders::new(&bench);
    let grade = Box::new(
        move |submission: usize, source: &Path, flags: &[String], text: &str| {
            graders.run(submission, source, flags, text)
        },
    );
    let mut sequencer = Sequencer::new(&entries, &queue, policy, grade);
    let mut fault = None;
    std::thread::scope(|scope| {
        let (tell, news) = news::line();
        let others = (1..options.jobs).map(|_| None);
        for runners in std::iter::once(Some(first)).chain(others) {
            let (bench, tell) = (&bench, tell.clone());
            scope.spawn(move || bench.worker(runners, &tell));
        }
        drop(tell);
        news.hear(|item| listen(item, &entries, &mut sequencer, &mut fault, on_event));
    });
    let mut summary = sequencer.finish();
    summary.wall = started.elapsed();
    summary.interrupted = options.runner.interrupt.is_set();
    on_event(&Event::Finished(&summary));
    match fault {
        Some(error) if !summary.interrupted => Err(error),
        _ => Ok(summary),
    }
}

fn join<'a>(problems: &'a [Problem], submissions: &'a [Submission]) -> Vec<Entry<'a>> {
    let find = |id: &str| problems.iter().find(|problem| problem.id == id);
    submissions
        .iter()
        .map(|submission| {
            let problem = find(&submission.problem).expect("discovery joins them by id");
            (submission, problem)
        })
        .collect()
}

fn listen(
    news: News,
    entries: &[Entry<'_>],
    sequencer: &mut Sequencer<'_>,
    fault: &mut Option<SandboxError>,
    emit: &mut dyn FnMut(&Event<'_>),
) {
    let name = |submission: usize| entries[submission].0.name.as_str();
    let case_name = |submission: usize, case: usize| entries[submission].1.cases[case].name();
    match news {
        News::Compiling(submission) => {
            emit(&Event::Working(Work::Compiling {
                submission: name(submission),
            }));
        }
        News::Running(submission, case) => {
            let case = case_name(submission, case);
            emit(&Event::Working(Work::Running {
                submission: name(submission),
                case,
            }));
        }
        News::Built(submission, built) => sequencer.built(submission, built, emit),
        News::Case(submission, case, result) => {
            let ran = Work::Ran {
                submission: name(submission),
                case: &result.case,
            };
            emit(&Event::Working(ran));
            sequencer.case(submission, case, *result, emit);
        }
        News::Fault(error) => {
            fault.get_or_insert(error);
        }
    }
}

/// What the workers share.
struct Bench<'a> {
    entries: &'a [Entry<'a>],
    queue: &'a Queue,
    builds: Builds<'a>,
    options: &'a Options,
    /// Held for reading by ordinary work, for writing by a run that must be alone.
    quiet: RwLock<()>,
}

impl Bench<'_> {
    /// Does tasks until there is none, with runners that are started already if there are some.
    fn worker(&self, runners: Option<Runners>, tell: &Teller) {
        let runners = runners.map_or_else(|| Runners::start(&self.options.runner), Ok);
        let mut runners = match runners {
            Ok(runners) => runners,
            Err(error) => return self.give_up(error, tell),
        };
        while let Some(task) = self.queue.take() {
            let mut done = || match task {
                Task::Build(submission) => self.build(submission, &mut runners, tell),
                Task::Case { submission, case } => self.case(submission, case, &mut runners, tell),
            };
            // What others wait for must come, or they would wait for ever.
            let done = catch_unwind(AssertUnwindSafe(&mut done)).unwrap_or_else(|panic| {
                let Task::Build(submission) = task else {
                    self.queue.stop();
                    resume_unwind(panic)
                };
                self.broken(submission, panic.as_ref(), tell);
                // The runner may be in the middle of an answer.
                runners = Runners::start(&self.options.runner)?;
                Ok(())
            });
            if let Err(error) = done {
                return self.give_up(error, tell);
            }
        }
    }

    /// Tells that a submission was not built through a fault of ours.
    fn broken(&self, submission: usize, panic: &(dyn Any + Send), tell: &Teller) {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        let (entry, problem) = self.entries[submission];
        let why = format!(
            "building `{}` failed inside of rejudge: {}",
            entry.name,
            text.unwrap_or("no reason is known")
        );
        let limits = settle(
            &problem.limits,
            problem.default_output,
            &self.options.limits,
        );
        self.queue.close(submission);
        tell.tell(News::Built(submission, Built::Impossible { limits, why }));
    }

    fn give_up(&self, error: SandboxError, tell: &Teller) {
        self.queue.stop();
        tell.tell(News::Fault(error));
    }

    fn build(
        &self,
        submission: usize,
        runners: &mut Runners,
        tell: &Teller,
    ) -> Result<(), SandboxError> {
        tell.tell(News::Compiling(submission));
        let built = {
            let _shared = self.share();
            self.builds.build(submission, runners.first())?
        };
        match &built {
            Built::Ready { .. } => {
                self.queue
                    .built(submission, self.entries[submission].1.cases.len());
            }
            Built::Refused { .. } | Built::Impossible { .. } => self.queue.close(submission),
        }
        tell.tell(News::Built(submission, built));
        Ok(())
    }

    fn case(
        &self,
        submission: usize,
        case: usize,
        runners: &mut Runners,
        tell: &Teller,
    ) -> Result<(), SandboxError> {
        tell.tell(News::Running(submission, case));
        let result = self.judge_case(submission, case, runners)?;
        tell.tell(News::Case(submission, case, Box::new(result)));
        Ok(())
    }

    fn share(&self) -> std::sync::RwLockReadGuard<'_, ()> {
        self.quiet
            .read()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn alone(&self) -> std::sync::RwLockWriteGuard<'_, ()> {
        self.quiet
            .write()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}
