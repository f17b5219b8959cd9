//! The folders that have another name in the new format.

use std::path::{Path, PathBuf};

use super::UpgradePlan;
use crate::checker_spec::CheckerSpec;
use crate::notice::Place;

const STATEMENT: &str = "statement";
const OLD_STATEMENT: &str = "problem_statement";
const OUTPUT: &str = "output_validator";
const OLD_OUTPUT: &str = "output_validators";
const GRADERS: &str = "graders";

/// Folders with new names, the older ones of `BAPCtools` too.
const RENAMED: [(&str, &str); 6] = [
    ("answer_format_validators", "answer_validators"),
    ("data/invalid_inputs", "data/invalid_input"),
    ("data/invalid_answers", "data/invalid_answer"),
    ("data/invalid_outputs", "data/invalid_output"),
    ("data/valid_outputs", "data/valid_output"),
    (OLD_STATEMENT, STATEMENT),
];

/// Statements that may stand elsewhere in the old format, and their place in the new one.
const STATEMENTS: [(&str, &str); 4] = [
    ("statement/problem.tex", "statement/problem.en.tex"),
    ("statement/problem.md", "statement/problem.en.md"),
    ("statement/problem.pdf", "statement/problem.en.pdf"),
    ("statement/solution.tex", "statement/solution.en.tex"),
];

pub(super) fn change(plan: &mut UpgradePlan<'_>) {
    for (old, new) in RENAMED {
        plan.rename(old, new);
    }
    for (old, new) in STATEMENTS {
        plan.rename(old, new);
    }
    if !plan.tree.has(Path::new(STATEMENT)) {
        // DOMjudge has it next to problem.yaml.
        plan.rename("problem.pdf", "statement/problem.en.pdf");
    }
    for (start, folder) in [("solution", "solution"), ("problem-slide", "problem_slide")] {
        for name in plan.tree.names_in(Path::new(STATEMENT)) {
            if name.starts_with(start) {
                plan.rename(format!("{STATEMENT}/{name}"), format!("{folder}/{name}"));
            }
        }
    }
    input_validators(plan);
    output_validator(plan);
    if plan.tree.has(Path::new(GRADERS)) {
        plan.lose(GRADERS, Place::default(), "the new format has no graders; the folder stays");
    }
}

/// `input_format_validators/`: packages may have both folders.
fn input_validators(plan: &mut UpgradePlan<'_>) {
    const OLD: &str = "input_format_validators";
    for name in plan.tree.names_in(Path::new(OLD)) {
        plan.rename(format!("{OLD}/{name}"), format!("input_validators/{name}"));
    }
}

fn output_validator(plan: &mut UpgradePlan<'_>) {
    in_a_folder(plan);
    let folder = plan.problem.dir.join(OLD_OUTPUT);
    if !plan.tree.has(Path::new(OLD_OUTPUT)) {
        return;
    }
    let sources = match &plan.problem.checker {
        CheckerSpec::Validator { source, .. } => vec![source.clone()],
        CheckerSpec::Validators { sources, .. } => sources.clone(),
        _ => Vec::new(),
    };
    let inside: Vec<PathBuf> = sources
        .iter()
        .filter_map(|source| Some(source.strip_prefix(&folder).ok()?.into()))
        .collect();
    match inside.as_slice() {
        [] => {
            let what = "it is not used, and has no place in the new format; the folder stays";
            plan.lose(OLD_OUTPUT, Place::default(), what);
        }
        [one] if folder.join(one).is_dir() => {
            let old = Path::new(OLD_OUTPUT).join(one);
            let is_moved = plan.rename(&old, OUTPUT);
            let is_link = plan.problem.dir.join(&old).is_symlink();
            if is_moved && is_link {
                plan.lose(&old, Place::default(), "it is a link, which the new folder is too");
            }
            includes_above(plan);
            if plan.tree.has(Path::new(OLD_OUTPUT)) {
                let what = "what is next to the validator has no place in the new format; it stays";
                plan.lose(OLD_OUTPUT, Place::default(), what);
            }
        }
        [_] => {
            plan.rename(OLD_OUTPUT, OUTPUT);
        }
        several => {
            let what = format!(
                "{} output validators, all of which must accept: the new format has one",
                several.len()
            );
            plan.lose_decisive(OLD_OUTPUT, Place::default(), what);
        }
    }
}

/// A validator in a folder of its own below the new folder, where drafts of the format have it.
fn in_a_folder(plan: &mut UpgradePlan<'_>) {
    let CheckerSpec::Validator { source, .. } = &plan.problem.checker else { return };
    let new = Path::new(OUTPUT);
    let is_inside = source.parent() == Some(&plan.problem.dir.join(new)) && source.is_dir();
    if let Some(name) = source.file_name().filter(|_| is_inside) {
        for inner in plan.tree.names_in(&new.join(name)) {
            plan.rename(new.join(name).join(&inner), new.join(&inner));
        }
        includes_above(plan);
    }
}

/// Lists the lines that include files above the folder of the validator, which is one folder less deep now.
fn includes_above(plan: &mut UpgradePlan<'_>) {
    let paths: Vec<PathBuf> = plan.tree.below(Path::new(OUTPUT)).cloned().collect();
    for path in paths {
        let Some(text) = plan.tree.text(&path) else { continue };
        let old = plan.tree.origin(&path).unwrap_or_default();
        let old = old.strip_prefix(&plan.problem.dir).unwrap_or(&old).to_path_buf();
        for (line, text) in (1..).zip(text.lines()) {
            let text = text.trim_start();
            if text.starts_with("#include \"../") {
                let what =
                    format!("`{text}`: the folder is one level higher now; correct the path");
                plan.lose_decisive(&old, Place { line, column: 1 }, what);
            }
        }
    }
}
