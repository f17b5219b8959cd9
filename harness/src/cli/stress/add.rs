//! `--add`: adds what was found to the cases of the problem.

use anyhow::{Context as _, Result};

use crate::cli::case::found::{self, AddedCases, Addition, FoundCase};
use crate::cli::stream;
use crate::generate::{GenerationPlan, NewRecipe};
use crate::notice::shown;
use crate::problem::{Format, Problem};
use crate::stress::{Performance, StressFinding, StressPrograms, bytes_of};

/// Adds the input and the answer of the first reference. An input that the problem has already is not added.
pub(in crate::cli) fn add(
    finding: &StressFinding,
    programs: &StressPrograms,
    command: &str,
    prints_json: bool,
    earlier: &mut AddedCases,
) -> Result<()> {
    let mut results = finding.results.iter().enumerate();
    let answer = results.find_map(|(index, one)| {
        let one = one.as_ref().filter(|one| one.is_accepted());
        one.filter(|_| programs.is_reference(index))
    });
    let Some(answer) = answer else {
        stream::warn("not added: no reference has an answer for the input");
        return Ok(());
    };
    let problem = programs.problem();
    let description = format!(
        "{} gets {}; found by `{command}`",
        programs.name(finding.kind.contestant),
        finding.kind.verdict
    );
    let made_by = finding.still_generated.as_ref();
    let recipe = made_by.and_then(|command| {
        Some(NewRecipe { command, source: programs.source_of(command)?, comment: &description })
    });
    let found = FoundCase {
        input: &finding.after,
        answer: &answer_of(problem, answer)?,
        description: &description,
        is_v2025: problem.format == Format::V2025,
        recipe: recipe.filter(|_| problem.is_package),
    };
    let added = found::add_found(problem, &found, earlier).with_context(|| {
        format!("the case is not added; correct the cause, and run `{command} --add`")
    })?;
    match added {
        Addition::Added { files, is_listed } => {
            if prints_json {
                stream::note(format_args!("added {files}"));
            } else {
                stream::print_line(format_args!("added {files}"))?;
            }
            if !is_listed {
                note_of_plan(problem, finding);
            }
        }
        Addition::Known(known) => {
            stream::warn(format_args!("not added: case `{known}` has the same input"));
        }
    }
    Ok(())
}

/// The output of a reference. Interactors, and programs that request passes, were started with an empty answer.
fn answer_of(problem: &Problem, answer: &Performance) -> Result<Vec<u8>> {
    if problem.is_interactive() || problem.kind.multi_pass {
        return Ok(Vec::new());
    }
    Ok(bytes_of(&answer.output, u64::MAX)?)
}

/// A case that no plan lists is reported by `rejudge generate --check`.
fn note_of_plan(problem: &Problem, finding: &StressFinding) {
    if !GenerationPlan::is_in(&problem.dir) {
        return;
    }
    let current = std::env::current_dir().unwrap_or_default();
    let plan = shown(&problem.dir.join("generators/generators.yaml"), Some(&current));
    let how = match &finding.still_generated {
        Some(command) => format!("as `{command}`"),
        None => "with `copy:` or `in:`".to_owned(),
    };
    stream::note(format_args!("list the case in {plan} {how}"));
}
