//! One round of `rejudge run`: judges what is selected, reports it, and keeps what failed.

use anyhow::{Context as _, Result};

use super::drawings::Drawings;
use super::exit::CommandExit;
use super::failures::{Failures, Narrowed};
#[cfg(feature = "nats")]
use super::farm;
use super::on_demand;
use super::project::{Project, Selected};
use super::run_args::RunArgs;
use super::session::Session;
use super::stream;
use super::time_limits;
use crate::disagreement::{self, Disagreements};
use crate::event::{Event, Summary};
use crate::judge::{self, Options};
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
    let mut narrowed = match cases {
        Cases::All => Narrowed::default(),
        Cases::Failed => failures.retain(&mut selected),
        Cases::FailedFirst => failures.first(&mut selected),
    };
    if selected.submissions.is_empty() {
        stream::warn("nothing that is selected failed last time");
        return Ok(CommandExit::NothingSelected);
    }
    session.accept(&project.languages)?;
    on_demand::make(session, project.tools(), &mut selected)?;
    let options = args.options(session, project);
    #[cfg(feature = "nats")]
    let unset = farm::unset_limits(&options, &selected);
    let durations = args.shard().prepare(&options, &mut selected)?;
    let mut reporters = args.reporters(project)?;
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
    let part = Options { shard, ..options.clone() };
    let mut drawings = args.has_drawings().then(Drawings::default);
    if !args.is_watching() && drawings.is_none() {
        session.runners().keep_none();
    }
    // A solution outside such a folder may be one that its author still corrects.
    let promised = entries.iter().filter(|(one, _)| disagreement::is_promised(one));
    let mut disagreements = Disagreements::new(promised.copied());
    let mut on_event = |event: &Event<'_>| {
        if matches!(event, Event::Started(_)) {
            session.warn_if_weak();
        }
        failures.note(event);
        disagreements.hear(event);
        let mut tell = |event: &Event<'_>| {
            if reporters.tell(event).is_err() {
                session.interrupt().trigger();
            }
        };
        if let Some(drawings) = &mut drawings {
            drawings.note(event, session, project.tools(), &selected, &mut tell);
        }
        tell(event);
    };
    #[cfg(feature = "nats")]
    let elsewhere = farm::judge(
        &farm::SubmittedRun { args, session, project, entries: &entries, unset: &unset, plan },
        &mut on_event,
    )?;
    #[cfg(not(feature = "nats"))]
    let elsewhere = None;
    let summary = match elsewhere {
        Some(summary) => summary,
        None => judge::judge_entries(&entries, project.tools(), &part, &mut on_event)?,
    };
    if failures != before {
        failures.keep(project.compiler.cache(), root);
    }
    reporters.result()?;
    conflicts.report();
    disagreements.notices().iter().for_each(stream::warn);
    Ok(session.signalled().unwrap_or_else(|| exit_of(&summary, &selected)))
}

/// The exit of the run. A broken problem is a fault even if the rest is as expected.
fn exit_of(summary: &Summary, selected: &Selected) -> CommandExit {
    CommandExit::of(summary).or_fault(selected.faulty)
}
