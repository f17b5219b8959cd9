//! One round of `rejudge run`: judges what is selected, reports it, and keeps what failed.

use anyhow::{Context as _, Result};

use super::drawings::Drawings;
use super::exit::CommandExit;
use super::failures::{Failures, Narrowed};
use super::farm;
use super::on_demand;
use super::project::{Project, Selected};
use super::report_writers::Reporters;
use super::run_args::RunArgs;
use super::session::Session;
use super::stream;
use super::submitted_run::SubmittedRun;
use super::time_limits;
use crate::disagreement::{self, Disagreements};
use crate::event::{Event, Summary};
use crate::judge::{self, Options, Tools};
use crate::shard::PlanContext;

/// The cases of each submission that are judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cases {
    All,
    /// Only those that failed last time.
    Failed,
    /// All, those that failed last time first.
    FailedFirst,
}

impl Cases {
    fn narrow(self, failures: &mut Failures, selected: &mut Selected) -> Narrowed {
        match self {
            Self::All => Narrowed::default(),
            Self::Failed => failures.retain(selected),
            Self::FailedFirst => failures.first(selected),
        }
    }
}

/// All who hear what happens in a run.
struct RunListeners<'a> {
    session: &'a Session,
    tools: Tools<'a>,
    selected: &'a Selected,
    failures: Failures,
    disagreements: Disagreements<'a>,
    drawings: Option<Drawings>,
    reporters: Reporters,
}

impl RunListeners<'_> {
    fn hear(&mut self, event: &Event<'_>) {
        if matches!(event, Event::Started(_)) {
            self.session.warn_if_weak();
        }
        self.failures.note(event);
        self.disagreements.hear(event);
        let mut tell = |event: &Event<'_>| {
            if self.reporters.tell(event).is_err() {
                self.session.interrupt().trigger();
            }
        };
        if let Some(drawings) = &mut self.drawings {
            drawings.note(event, self.session, self.tools, self.selected, &mut tell);
        }
        tell(event);
    }
}

/// Judges the selected submissions.
pub(super) fn judge_selected(
    args: &RunArgs,
    session: &Session,
    project: &Project,
    mut selected: Selected,
    cases: Cases,
) -> Result<CommandExit> {
    let current = std::env::current_dir().context("cannot determine the current folder")?;
    let root = project.root().unwrap_or(&current);
    let mut failures = Failures::of(project.compiler.cache(), root);
    let before = failures.clone();
    let mut narrowed = cases.narrow(&mut failures, &mut selected);
    if selected.submissions.is_empty() {
        stream::warn("nothing that is selected failed last time");
        return Ok(CommandExit::NothingSelected);
    }
    session.accept(&project.languages)?;
    on_demand::make(session, project.tools(), &mut selected)?;
    let options = args.options(session, project);
    let unset = farm::unset_limits(&options, &selected);
    let durations = args.shard().prepare(&options, &mut selected)?;
    let reporters = args.reporters(project)?;
    let inferred = time_limits::infer(session, project, &options, &mut selected);
    if let (Err(_), Some(exit)) = (&inferred, session.signalled()) {
        return Ok(exit);
    }
    let conflicts = inferred?;
    narrowed.settle(&selected);
    let plan = PlanContext {
        tools: project.tools(),
        options: &options,
        root,
        durations: &durations,
        faulty: selected.faulty,
    };
    let (entries, shard) = args.shard().part(narrowed.entries(&selected), plan);
    // A solution outside such a folder may be one that its author still corrects.
    let promised = entries.iter().filter(|(one, _)| disagreement::is_promised(one));
    let mut listeners = RunListeners {
        session,
        tools: project.tools(),
        selected: &selected,
        failures,
        disagreements: Disagreements::new(promised.copied()),
        drawings: args.has_drawings().then(Drawings::default),
        reporters,
    };
    if !args.is_watching() && listeners.drawings.is_none() {
        session.runners().keep_none();
    }
    let submitted = SubmittedRun { args, session, project, entries: &entries, unset: &unset, plan };
    let elsewhere = farm::judge(&submitted, &mut |event| listeners.hear(event))?;
    let summary = if let Some(summary) = elsewhere {
        summary
    } else {
        let part = Options { shard, ..options.clone() };
        judge::judge_entries(&entries, plan.tools, &part, &mut |event| listeners.hear(event))?
    };
    if listeners.failures != before && args.language().is_none() {
        listeners.failures.keep(project.compiler.cache(), root);
    }
    listeners.reporters.result()?;
    conflicts.report();
    listeners.disagreements.notices().iter().for_each(stream::warn);
    Ok(session.signalled().unwrap_or_else(|| exit_of(&summary, &selected)))
}

/// The exit of the run. A broken problem is a fault even if the rest is as expected.
fn exit_of(summary: &Summary, selected: &Selected) -> CommandExit {
    CommandExit::of(summary).or_fault(selected.faulty)
}
