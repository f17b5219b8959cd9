//! Comparisons: base and new side by side, and a decision.

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};
use rejudge_statistics::{Gate, Version};

use super::judged::{self, Choice};
use super::{BenchStage, leave_out_uncounted, set_meter, shortest};
use crate::bench::gate::{self, GateOutcome, PlannedComparison};
use crate::bench::report::{BenchReport, CaseId, Comparison, LeftOut, LeftOutKind};
use crate::bench::sampling::{ProgramCase, ProgramCasePair};
use crate::bench::{Against, BaseSource, BenchRunner, RandomSource};
use crate::cli::project::Selected;
use crate::sequence::SubmissionEntry;
use crate::submission::Submission;

/// Compares what is left of `selected` with its base.
pub(super) fn compare(
    stage: &BenchStage<'_>,
    mut selected: Selected,
    against: &Against,
    gate: &Gate,
    folder: &Path,
) -> Result<BenchReport> {
    let base = against.describe(folder);
    let mut left_out = Vec::new();
    let scratch = tempfile::tempdir().context("cannot create a temporary folder")?;
    let bases = bases(stage, &mut selected, against, scratch.path(), &mut left_out)?;
    let choice = Choice::Against(&bases);
    let program_cases = judged::choose(stage, &mut selected, &choice, &mut left_out)?;
    let mut entries = judged::entries(&selected);
    for (new, base) in bases.iter().enumerate() {
        entries.push((base, entries[new].1));
    }
    let mut runner = stage.runner(&entries)?;
    set_meter(&mut runner, stage.quantity)?;
    let planned = planned(stage, &mut runner, &entries, program_cases, &mut left_out)?;
    let mut live = stage.args.output.progress();
    live.expect(gate::runs(gate, planned.len()));
    let outcome = gate::decide(
        &mut runner,
        gate,
        &planned,
        &mut RandomSource::from_clock(),
        &mut |program_case| {
            let (submission, problem) = entries[program_case.program];
            live.step(&format!("{} {}", submission.name, problem.cases[program_case.case].name()));
        },
    )?;
    live.finish();
    let meter = runner.meter().name();
    let at = |index: usize| judged::case_id(&entries, planned[index].program_cases.new);
    let comparison = comparison(outcome, gate, base, &at, &mut left_out);
    Ok(BenchReport {
        meter,
        sandbox: Some(stage.session.facts().clone()),
        quantity: stage.quantity,
        measured: Vec::new(),
        comparison: Some(comparison),
        left_out,
    })
}

/// The programs on their cases, with their bases in the second half of `entries`, as far as both can be measured.
fn planned(
    stage: &BenchStage<'_>,
    runner: &mut BenchRunner<'_>,
    entries: &[SubmissionEntry<'_>],
    program_cases: Vec<(ProgramCase, Duration)>,
    left_out: &mut Vec<LeftOut>,
) -> Result<Vec<PlannedComparison>> {
    let shortest = shortest(runner, stage.quantity)?;
    let mut planned = Vec::new();
    let mut no_base = HashSet::new();
    for (new, cpu) in program_cases {
        let at = judged::case_id(entries, new);
        if cpu < shortest {
            left_out.push(LeftOut::too_short(&at, cpu, shortest));
            continue;
        }
        let base = ProgramCase { program: entries.len() / 2 + new.program, case: new.case };
        if let Err(why) = runner.build(base.program)? {
            if no_base.insert(base.program) {
                left_out.push(LeftOut::no_base(&at.submission, format!("the base: {why}")));
            }
            continue;
        }
        if leave_out_uncounted(runner, &[new, base], &at, left_out)? {
            continue;
        }
        planned.push(PlannedComparison {
            name: format!("{} {}", at.submission, at.case),
            program_cases: ProgramCasePair { base, new },
            over: stage.settings.of_case(&at.problem, &at.case),
        });
    }
    Ok(planned)
}

/// The base of each selected solution. Those without one are left out, and no longer selected.
fn bases(
    stage: &BenchStage<'_>,
    selected: &mut Selected,
    against: &Against,
    scratch: &Path,
    left_out: &mut Vec<LeftOut>,
) -> Result<Vec<Submission>> {
    let mut bases = Vec::new();
    let mut kept = Vec::new();
    let all = std::mem::take(&mut selected.submissions);
    let solutions = all.len();
    for (index, submission) in all.into_iter().enumerate() {
        let own = scratch.join(index.to_string());
        let path = match against.source(&submission, solutions, &own)? {
            BaseSource::At(path) => path,
            BaseSource::Unchanged => {
                let why = String::from("unchanged");
                left_out.push(LeftOut {
                    submission: submission.name,
                    case: None,
                    kind: LeftOutKind::Unchanged,
                    why,
                });
                continue;
            }
            BaseSource::Missing(why) => {
                left_out.push(LeftOut::no_base(&submission.name, why));
                continue;
            }
        };
        // Of another name only what its name tells is known.
        let language = if path.extension() == submission.path.extension() {
            submission.language.clone()
        } else if let Some(language) = stage.project.languages.of_file(&path) {
            language.id.clone()
        } else {
            let why = format!("`{}` is in no known language", path.display());
            left_out.push(LeftOut::no_base(&submission.name, why));
            continue;
        };
        bases.push(Submission { path, language, ..submission.clone() });
        kept.push(submission);
    }
    selected.submissions = kept;
    Ok(bases)
}

/// Joins the decision with the names of what it is about.
fn comparison(
    outcome: GateOutcome,
    gate: &Gate,
    base: String,
    at: &dyn Fn(usize) -> CaseId,
    left_out: &mut Vec<LeftOut>,
) -> Comparison {
    let GateOutcome { report, cases, measured, failed } = outcome;
    for (index, why) in failed {
        let CaseId { submission, case, .. } = at(index);
        // A base that fails is no base; a solution that fails now, and did not a moment ago, is unsteady.
        let kind = match why.version {
            Version::Base => LeftOutKind::NoBase,
            Version::New => LeftOutKind::Failed,
        };
        left_out.push(LeftOut { submission, case: Some(case), kind, why: why.to_string() });
    }
    let case_ids = measured.into_iter().map(at).collect();
    Comparison::new(base, gate, report, cases, case_ids)
}
