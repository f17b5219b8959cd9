//! Comparisons: base and new side by side, and a decision.

use std::collections::HashSet;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};

use super::judged::{self, Choice};
use super::{Stage, set_meter, shortest};
use crate::bench::gate::{self, Contest, Outcome};
use crate::bench::report::{Comparison, Kind, LeftOut, Place, Report};
use crate::bench::sampling::{Duel, Target};
use crate::bench::{Against, BaseSource, Dice, Stand};
use crate::cli::project::Selected;
use crate::sequence::Entry;
use crate::statistics::Gate;
use crate::submission::Submission;

/// Compares what is left of `selected` with its base.
pub(super) fn compare(
    stage: &Stage<'_>,
    mut selected: Selected,
    against: &Against,
    gate: &Gate,
    folder: &Path,
) -> Result<Report> {
    let base = against.describe(folder);
    let mut left_out = Vec::new();
    let scratch = tempfile::tempdir().context("cannot make a temporary folder")?;
    let bases = bases(stage, &mut selected, against, scratch.path(), &mut left_out)?;
    let targets = judged::choose(stage, &mut selected, &Choice::Usual, &mut left_out)?;
    let mut entries = judged::entries(&selected);
    for (new, base) in bases.iter().enumerate() {
        entries.push((base, entries[new].1));
    }
    let mut stand = stage.stand(&entries)?;
    set_meter(&mut stand, stage.quantity)?;
    let contests = contests(stage, &mut stand, &entries, targets, &mut left_out)?;
    let mut live = stage.args.output.progress();
    live.expect(gate::runs(gate, contests.len()));
    let outcome = gate::decide(
        &mut stand,
        gate,
        &contests,
        &mut Dice::thrown(),
        &mut |target| {
            let (submission, problem) = entries[target.program];
            live.step(&format!(
                "{} {}",
                submission.name,
                problem.cases[target.case].name()
            ));
        },
    )?;
    live.finish();
    let meter = stand.meter().name();
    let at = |contest: usize| judged::place(&entries, contests[contest].duel.new);
    let comparison = comparison(outcome, gate, base, &at, &mut left_out);
    Ok(Report {
        meter,
        sandbox: Some(stage.session.facts().clone()),
        quantity: stage.quantity,
        measured: Vec::new(),
        comparison: Some(comparison),
        left_out,
    })
}

/// The targets with their bases, in the second half of `entries`, as far as both can be measured.
fn contests(
    stage: &Stage<'_>,
    stand: &mut Stand<'_>,
    entries: &[Entry<'_>],
    targets: Vec<(Target, Duration)>,
    left_out: &mut Vec<LeftOut>,
) -> Result<Vec<Contest>> {
    let shortest = shortest(stand, stage.quantity)?;
    let mut contests = Vec::new();
    let mut no_base = HashSet::new();
    for (new, cpu) in targets {
        let at = judged::place(entries, new);
        if cpu < shortest {
            left_out.push(LeftOut::too_short(&at, cpu, shortest));
            continue;
        }
        let base = Target {
            program: entries.len() / 2 + new.program,
            case: new.case,
        };
        if let Err(why) = stand.build(base.program)? {
            if no_base.insert(base.program) {
                left_out.push(LeftOut::no_base(&at.submission, format!("the base: {why}")));
            }
            continue;
        }
        contests.push(Contest {
            name: format!("{} {}", at.submission, at.case),
            duel: Duel { base, new },
            over: stage.settings.of_case(&at.problem, &at.case),
        });
    }
    Ok(contests)
}

/// The base of each selected solution. Those without one are left out, and no longer selected.
fn bases(
    stage: &Stage<'_>,
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
                    kind: Kind::Unchanged,
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
            let why = format!("`{}` is in no language of the table", path.display());
            left_out.push(LeftOut::no_base(&submission.name, why));
            continue;
        };
        bases.push(Submission {
            path,
            language,
            ..submission.clone()
        });
        kept.push(submission);
    }
    selected.submissions = kept;
    Ok(bases)
}

/// Joins the decision with the names of what it is about.
fn comparison(
    outcome: Outcome,
    gate: &Gate,
    base: String,
    at: &dyn Fn(usize) -> Place,
    left_out: &mut Vec<LeftOut>,
) -> Comparison {
    let Outcome {
        report,
        cases,
        measured,
        refused,
    } = outcome;
    for (contest, why) in refused {
        let Place {
            submission, case, ..
        } = at(contest);
        // A base that fails is no base; a solution that fails now, and did not a moment ago, is unsteady.
        let kind = match why.strip_prefix("the base: ") {
            Some(_) => Kind::NoBase,
            None => Kind::Failed,
        };
        left_out.push(LeftOut {
            submission,
            case: Some(case),
            kind,
            why,
        });
    }
    let places = measured.into_iter().map(at).collect();
    Comparison::new(base, gate, report, cases, places)
}
