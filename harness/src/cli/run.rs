//! `rejudge run`: judges the selected solutions.

use anyhow::Result;

use super::exit::CommandExit;
use super::farm;
use super::judging::{Cases, judge_selected};
use super::run_args::RunArgs;
use super::session::{EarlyStart, Session};
use super::standard_source::StandardText;
use super::watch;
use crate::machine::Machine;
use crate::notice::{Code, Notice};

/// Judges. The exit status shows whether everything is as expected.
pub(crate) fn run(args: &RunArgs, early: EarlyStart) -> Result<CommandExit> {
    run_unless(args, early, |_| false)
}

/// Judges, unless the first path names nothing and `is_mistaken` for something else: then nothing of it is judged.
pub(super) fn run_unless(
    args: &RunArgs,
    early: EarlyStart,
    is_mistaken: fn(&str) -> bool,
) -> Result<CommandExit> {
    args.prepare()?;
    farm::check(args.nats())?;
    let text = StandardText::read(args)?;
    let starting = Session::begin_on(early, args.sandbox())?;
    let source = text.map(StandardText::store).transpose()?;
    let mut project = match &source {
        Some(source) => source.open(args)?,
        None => args.open()?,
    };
    if args.unknown_word(&project.found).is_some_and(is_mistaken) {
        project.found.submissions.clear();
        // The word of another tool gets one help: the command of rejudge.
        let unknown = project.found.errors.iter_mut().filter(|one| one.code == Code::UnknownPath);
        unknown.for_each(|one| one.help = None);
    }
    if args.is_watching() {
        return watch::watch(args, &starting.finish()?, project);
    }
    let selected = match project.select(args.selection()) {
        Ok(Some(selected)) => selected,
        nothing => {
            let error = nothing.as_ref().err();
            let notice = error.and_then(|error| error.downcast_ref::<Notice>());
            project.found.errors.extend(notice.cloned());
            args.report_notices(&project.found)?;
            return nothing.map(|_| CommandExit::NothingSelected);
        }
    };
    // While the launcher still starts: later calls find these results. An error is reported where the result is needed, and
    // so is the wish to run programs of the settings, which do not run before.
    let _ = Machine::this();
    let first = selected.submissions.first();
    if let Some(language) = first.and_then(|first| project.languages.get(&first.language)) {
        let _ = language.toolchain(project.compiler.cache());
    }
    let session = starting.without_waiting()?;
    let cases = if args.is_of_failed() { Cases::Failed } else { Cases::All };
    judge_selected(args, &session, &project, selected, cases)
}
