//! Comparisons: base and new side by side, and a decision.

use std::collections::HashSet;
use std::path::Path;

use anyhow::{Context as _, Result};

use super::judged::{self, Choice};
use super::{Stage, set_meter, shortest};
use crate::bench::gate::{self, Contest, Outcome};
use crate::bench::report::{Comparison, Kind, LeftOut, Place, Report};
use crate::bench::sampling::{Duel, Target};
use crate::bench::{Against, BaseSource, Dice};
use crate::cli::project::Selected;
use crate::statistics::Gate;
use crate::submission::Submission;

/// A solution that has a base.
struct Rivals {
    /// Index among the selected.
    new: usize,
    base: Submission,
}

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
    let rivals = rivals(stage, &mut selected, against, scratch.path(), &mut left_out)?;
    let targets = judged::choose(stage, &mut selected, &Choice::Usual, &mut left_out)?;
    let mut entries = judged::entries(&selected);
    for rivals in &rivals {
        entries.push((&rivals.base, entries[rivals.new].1));
    }
    let mut stand = stage.stand(&entries)?;
    set_meter(&mut stand, stage.quantity)?;
    let shortest = shortest(&mut stand, stage.quantity)?;
    let place = |target: Target| judged::place(&entries, target);
    let mut contests = Vec::new();
    let mut no_base = HashSet::new();
    for (new, cpu) in targets {
        let Some(rival) = rivals.iter().position(|rivals| rivals.new == new.program) else {
            continue;
        };
        let at = place(new);
        if cpu < shortest {
            left_out.push(LeftOut::too_short(&at, cpu, shortest));
            continue;
        }
        let base = Target {
            program: selected.submissions.len() + rival,
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
    let mut live = stage.args.output.progress();
    live.expect(gate::runs(gate, contests.len()));
    let outcome = gate::decide(
        &mut stand,
        gate,
        &contests,
        &mut Dice::thrown(),
        &mut |target| {
            let (submission, problem) = entries[target.program];
            live.step(format!(
                "{} {}",
                submission.name,
                problem.cases[target.case].name()
            ));
        },
    )?;
    live.finish();
    let meter = stand.meter().name();
    let at = |contest: usize| place(contests[contest].duel.new);
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

/// The bases of the selected solutions. Those without one are left out, and no longer selected.
fn rivals(
    stage: &Stage<'_>,
    selected: &mut Selected,
    against: &Against,
    scratch: &Path,
    left_out: &mut Vec<LeftOut>,
) -> Result<Vec<Rivals>> {
    let mut rivals = Vec::new();
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
        rivals.push(Rivals {
            new: kept.len(),
            base: Submission {
                path,
                language,
                ..submission.clone()
            },
        });
        kept.push(submission);
    }
    selected.submissions = kept;
    Ok(rivals)
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
