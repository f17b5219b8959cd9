//! Where submissions go: the folders of the package format, and single files.

use std::path::Path;

use super::ExportRequest;
use super::bundle::{Bundle, plain_name};
use super::sources::shown_name;
use crate::expectation::ExpectationOrigin;
use crate::notice::Notice;
use crate::submission::Submission;

/// The folder of submissions that state their verdicts themselves, or that no folder describes.
const MIXED: &str = "mixed";

/// Adds the submissions to `submissions/`, in the folders that state their verdicts. Those below `copied` are there
/// already.
pub(super) fn in_folders(
    request: &ExportRequest<'_>,
    copied: Option<&Path>,
    bundle: &mut Bundle,
) -> Result<(), Notice> {
    for submission in request.submissions {
        bundle.submissions += 1;
        if copied.is_some_and(|folder| submission.path.starts_with(folder)) {
            continue;
        }
        let folder = folder_of(submission, bundle);
        let name = format!("submissions/{folder}/{}", file_name(&submission.path));
        let name = bundle.free(&name);
        if submission.path.is_dir() {
            bundle.tree(&name, &submission.path, request.place)?;
            bundle.fill_in(&name);
        } else {
            bundle.put_submission(&name, &submission.path);
        }
        if submission.entrypoint.is_some() {
            bundle.lose(format!("the entry point of `{}`", submission.name));
        }
    }
    Ok(())
}

/// The last part of a path, as every system takes it.
pub(super) fn file_name(path: &Path) -> String {
    plain_name(&shown_name(path))
}

/// The folder of verdicts for a submission. An expectation that no folder states is listed.
pub(super) fn folder_of(submission: &Submission, bundle: &mut Bundle) -> &'static str {
    let expected = &submission.expected;
    match expected.one_folder() {
        Some(folder) => folder.name(),
        None if expected.origin == ExpectationOrigin::Source => MIXED,
        None => {
            let (name, label) = (&submission.name, &expected.label);
            bundle.lose(format!("the expectation `{label}` of `{name}`, which no folder states"));
            MIXED
        }
    }
}

/// The submissions that are single files, for systems that know no others.
pub(super) fn single_files<'a>(
    request: &ExportRequest<'a>,
    bundle: &mut Bundle,
) -> Vec<&'a Submission> {
    let mut files = Vec::new();
    for submission in request.submissions {
        if submission.is_answers() || submission.path.is_dir() {
            bundle.lose(format!("`{}`, which is not a single source", submission.name));
        } else {
            files.push(*submission);
        }
    }
    files
}
