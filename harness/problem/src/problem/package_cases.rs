//! The cases of a package: inputs with their answers, and those that are made on demand.

use std::path::Path;
use std::sync::Arc;

use super::groups::GroupSettings;
use super::names::{CaseNames, PresentFiles};
use super::{CaseFiles, OnDemand, ReadOptions, TestCase};
use crate::notice::{Code, Few, Notice, Notices};

/// The cases that the files with these names form.
pub(super) fn pair(
    options: ReadOptions<'_>,
    root: &Path,
    names: &CaseNames,
    groups: &mut GroupSettings<'_>,
    notices: &mut Notices,
) -> Vec<TestCase> {
    let (mut unanswered, mut stray) = (Few::default(), Few::default());
    let mut misnamed = Few::default();
    let mut cases = Vec::with_capacity(names.inputs());
    names.for_each_case(|name, files| {
        let show = |suffix: &str| notices.show(&root.join(format!("{name}{suffix}")));
        let last = name.rsplit('/').next();
        if groups.are_of_2025() && files.input && last == Some(OF_GROUPS) {
            misnamed.push(|| named_as_settings(&show(".in")));
            return;
        }
        match files {
            // A YAML file alone is not a case, but `.files` belongs to one.
            PresentFiles { input: false, answer: false, beside, .. } => {
                if beside {
                    stray.push(|| no_input(&show(".files"), &show(".in")));
                }
            }
            PresentFiles { input: false, .. } => {
                stray.push(|| no_input(&show(".ans"), &show(".in")));
            }
            PresentFiles { answer: false, .. } if !options.answering => {
                unanswered.push(|| Notice {
                    code: Code::MissingAnswer,
                    location: None,
                    message: format!("{} has no .ans file", show(".in")),
                    help: Some(if root.join(format!("{name}.out")).is_file() {
                        format!("rename {} to {}", show(".out"), show(".ans"))
                    } else {
                        let id = root.parent().map_or_else(String::new, super::id_of);
                        format!("write it with `rejudge answer {id} --from SOLUTION`")
                    }),
                });
            }
            PresentFiles { settings, .. } => {
                let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
                let set = if settings && groups.reads_case_file(name) {
                    groups.of_case(name, folder, notices)
                } else {
                    Arc::clone(groups.of_folder(folder))
                };
                cases.push(TestCase::new(name, set));
            }
        }
    });
    notices.errors.extend(unanswered.finish("inputs without an answer"));
    notices.errors.extend(stray.finish("answers without an input"));
    notices.errors.extend(misnamed.finish("names like that"));
    cases
}

/// The name that belongs to the settings of groups.
const OF_GROUPS: &str = "test_group";

/// A case whose settings would be those of its group.
fn named_as_settings(path: &str) -> Notice {
    let notice = Code::InvalidName.of_file(path, "has a name that no case may have");
    notice.help("rename the case: `test_group.yaml` has the settings of the group")
}

fn no_input(path: &str, input: &str) -> Notice {
    Notice {
        code: Code::MissingInput,
        location: None,
        message: format!("{path} has no .in file"),
        help: Some(format!("write the input to {input}, or remove it")),
    }
}

/// Inserts the cases that are made on demand into the sorted list of cases.
pub(super) fn merge(
    dir: &Path,
    mut cases: Vec<TestCase>,
    on_demand: &[OnDemand],
    groups: &GroupSettings<'_>,
    notices: &mut Notices,
) -> Vec<TestCase> {
    for made in on_demand {
        let place = cases.binary_search_by(|case| case.name().cmp(&made.name));
        let Err(place) = place else {
            notices.error_help(
                Code::Conflict
                    .says(format!(
                        "{} lists `{}`, which is also in {}",
                        notices.show(&dir.join("generators/large.toml")),
                        made.name,
                        notices.show(&dir.join("data"))
                    ))
                    .about(&notices.show(&dir.join("generators/large.toml"))),
                "keep one of the two",
            );
            continue;
        };
        let folder = made.name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let files = CaseFiles { input: made.input.clone(), answer: Some(made.answer.clone()) };
        let set = Arc::clone(groups.of_folder(folder));
        cases.insert(place, TestCase::with_files(made.name.as_str(), set, files));
    }
    cases
}
