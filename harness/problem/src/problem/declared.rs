//! The files in a package that test its validators: `invalid_input`, `invalid_answer`, `valid_output`,
//! `invalid_output`. No submission is judged on them.
//!
//! They have settings like cases.

use std::sync::Arc;

use super::groups::GroupSettings;
use super::names::is_case_name;
use super::names::{CaseNames, NameOrder, Role, Walk};
use super::package::read_settings;
use super::validator::CheckerOrigin;
use super::{CaseSet, Problem, TestCase};
use crate::checker_spec::CheckerSpec;
use crate::notice::Notices;

/// The folder of answers that validators must reject.
pub const INVALID_ANSWER: &str = "invalid_answer";

/// The files in a folder of `data/`, in order: a case for each `NAME.in`, or for each `NAME.out` if
/// the folder declares outputs.
pub fn declared(
    problem: &Problem,
    folder: &str,
    outputs: bool,
    notices: &mut Notices,
) -> Vec<TestCase> {
    let root = problem.dir.join("data");
    let place = root.join(folder);
    if !problem.is_package || !place.is_dir() {
        return Vec::new();
    }
    let mut names = CaseNames::default();
    let mut folders: Vec<String> = super::groups::FILES
        .iter()
        .filter(|(name, _)| root.join(name).is_file())
        .map(|_| String::new())
        .collect();
    let walk = Walk {
        root: &root,
        folder: &place,
        recursive: true,
        name_is_valid: is_case_name,
        accepts_role: |_| true,
    };
    walk.run(&mut names, &mut folders, notices);
    names.sort(NameOrder::Lexicographic);
    let common = CaseSet {
        root: root.clone(),
        input: ".in",
        answer: (outputs || folder == INVALID_ANSWER).then_some(".ans"),
        beside: names.has(Role::Beside),
        ..CaseSet::default()
    };
    // Reading the problem reported the faults of its settings already.
    let settings = read_settings(&problem.dir, &mut Notices::default());
    let origin = origin(&problem.checker);
    let groups = GroupSettings::read(common, &folders, (Some(&origin), &settings), notices);
    let mut cases = Vec::new();
    names.for_each_case(|name, files| {
        let is_one = if outputs { files.out } else { files.input };
        if !is_one {
            return;
        }
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let set = if files.settings {
            groups.of_case(name, folder, notices)
        } else {
            Arc::clone(groups.of_folder(folder))
        };
        cases.push(TestCase::new(name, set));
    });
    cases
}

/// Where the problem's checker comes from.
fn origin(checker: &CheckerSpec) -> CheckerOrigin {
    match checker {
        CheckerSpec::Validator { source, .. } => CheckerOrigin::Own(vec![source.clone()]),
        CheckerSpec::Validators { sources, .. } => CheckerOrigin::Own(sources.clone()),
        _ => CheckerOrigin::Default,
    }
}
