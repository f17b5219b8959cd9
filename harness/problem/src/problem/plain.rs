//! A plain folder of cases: `NAME.in` with `NAME.out` or `NAME.ans`, flat or in `test/`, `tests/`.
//!
//! A case without an answer is only run: there is nothing to compare its output with.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::bounds::is_link_outside;
use super::names::{CaseNames, NameOrder, Role, Walk};
use super::{CaseSet, Problem, ReadOptions, TestCase};
use crate::name_text;
use crate::notice::{Code, Few, Notice, Notices};

/// The subfolders that may hold cases. The first that contains an input is used.
const PLACES: [&str; 4] = ["", "test", "tests", "testdata"];

/// The folder of cases in `dir`, if there is one.
pub(super) fn folder_of_cases(dir: &Path) -> Option<PathBuf> {
    PLACES.iter().map(|place| dir.join(place)).find(|folder| has_input(folder))
}

fn has_input(folder: &Path) -> bool {
    has_role(folder, |role| role == Role::Input)
}

fn has_role(folder: &Path, wanted: impl Fn(Role) -> bool) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return false;
    };
    entries.flatten().any(|entry| {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        !super::is_ignored(&name)
            && Role::of(&name).is_some_and(|(_, role)| wanted(role))
            && entry.path().is_file()
            && !is_link_outside(folder, &entry)
    })
}

/// Whether a folder of cases contains an answer.
pub(super) fn has_answers(folder: &Path) -> bool {
    has_role(folder, |role| matches!(role, Role::Answer | Role::Out))
}

/// Reads the cases in `dir`.
pub(super) fn load(options: ReadOptions<'_>, dir: &Path, notices: &mut Notices) -> Option<Problem> {
    let Some(folder) = folder_of_cases(dir) else {
        notices.error_help(
            Code::NoCases
                .says(format!("{} has no test cases", notices.show(dir)))
                .about(&notices.show(dir)),
            "add `NAME.in` with `NAME.ans` (or `NAME.out`), or `problem.yaml` with `data/`",
        );
        return None;
    };
    warn_of_other_places(dir, &folder, notices);
    let mut names = CaseNames::default();
    let walk = Walk {
        root: &folder,
        folder: &folder,
        recursive: false,
        name_is_valid: |_| true,
        accepts_role: |role| !matches!(role, Role::Settings | Role::Beside),
    };
    walk.run(&mut names, &mut Vec::new(), notices);
    names.sort(NameOrder::Natural);
    Some(Problem { cases: pair(options, &folder, &names, notices), ..Problem::bare(dir) })
}

fn warn_of_other_places(dir: &Path, folder: &Path, notices: &mut Notices) {
    for place in PLACES {
        let other = dir.join(place);
        if other != folder && has_input(&other) {
            notices.warn_help(
                Code::Conflict
                    .says(format!(
                        "{} also has cases; those in {} are judged",
                        notices.show(&other),
                        notices.show(folder)
                    ))
                    .about(&notices.show(&other)),
                "keep the cases in one folder",
            );
        }
    }
}

fn pair(
    options: ReadOptions<'_>,
    folder: &Path,
    names: &CaseNames,
    notices: &mut Notices,
) -> Vec<TestCase> {
    let set = |answer| {
        Arc::new(CaseSet { root: folder.to_path_buf(), input: ".in", answer, ..CaseSet::default() })
    };
    let (in_ans, in_out, nowhere) = (set(Some(".ans")), set(Some(".out")), set(None));
    let (mut twice, mut unanswered, mut stray) = (Few::default(), Few::default(), Few::default());
    let mut cases = Vec::with_capacity(names.inputs());
    names.for_each_case(|name, files| {
        let path =
            |suffix: &str| notices.show(&folder.join(name_text::path(&format!("{name}{suffix}"))));
        let set = match (files.input, files.answer, files.out) {
            (true, true, true) => {
                twice.push(|| Notice {
                    code: Code::Conflict,
                    location: None,
                    message: format!("{} and {} both exist", path(".ans"), path(".out")),
                    help: Some(format!("keep the answer to {}", path(".in"))),
                });
                return;
            }
            (true, true, false) => &in_ans,
            (true, false, true) => &in_out,
            (true, false, false) if options.answering => &in_ans,
            (true, false, false) => {
                unanswered.push(|| Notice {
                    code: Code::MissingAnswer,
                    location: None,
                    message: format!("{} has no answer; it is only run", path(".in")),
                    help: Some(format!("write the answer to {}", path(".ans"))),
                });
                &nowhere
            }
            (false, ..) => {
                let suffix = if files.answer { ".ans" } else { ".out" };
                stray.push(|| Notice {
                    code: Code::MissingInput,
                    location: None,
                    message: format!("{} has no input; it is ignored", path(suffix)),
                    help: Some(format!("write the input to {}", path(".in"))),
                });
                return;
            }
        };
        cases.push(TestCase::new(name, Arc::clone(set)));
    });
    notices.errors.extend(twice.finish("cases with two answers"));
    notices.warnings.extend(unanswered.finish("inputs without an answer"));
    notices.warnings.extend(stray.finish("answers without an input"));
    cases
}
