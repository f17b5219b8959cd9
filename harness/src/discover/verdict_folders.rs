//! Folders whose names state the verdicts of the submissions inside.

use std::path::Path;

use super::Finder;
use crate::expectation::{VerdictFolder, Vocabulary};
use crate::notice::{Code, nearest};

impl Finder<'_> {
    /// Adds a folder that should have the name of a verdict.
    pub(super) fn verdict_folder(&mut self, dir: &Path, id: &str) {
        let name = dir.file_name().unwrap_or_default().to_string_lossy();
        let is_known =
            VerdictFolder::of_any_name(&name).is_some() || self.is_covered_by_metadata(dir, id);
        let folders = VerdictFolder::ALL.map(VerdictFolder::name);
        let near = nearest(&name, folders);
        if !is_known && near.is_none() && self.is_inside_package(dir, id) {
            self.warn_of_folder(dir, &name);
        } else if !is_known {
            let shown = self.notices.show(dir);
            let message = Code::UnknownVerdict.of_file(&shown, "is not named after a verdict");
            let help = match near {
                Some(folder) => format!("did you mean `{folder}`?"),
                None => format!("use one of `{}`", folders.join("`, `")),
            };
            self.notices.error_help(message, help);
            return;
        }
        for path in self.entries(dir) {
            if is_switched_off(&path) {
                continue;
            }
            if self.leads_out(&path, id) {
                let shown = self.notices.show(&path);
                self.notices.error_help(
                    Code::LinkOutside
                        .of_file(&shown, "is a symbolic link that leads out of the package"),
                    "replace it with a copy",
                );
            } else if self.is_for_answers(id) {
                self.answers(&path, id, Some(&name));
            } else if path.is_dir() {
                self.source_folder(&path, id, Some(&name));
            } else if self.language(&path).is_some() {
                self.source(&path, id, Some(&name));
            } else {
                self.note_unknown(&path);
            }
        }
    }

    /// Whether this is a folder of submissions inside a package.
    pub(super) fn is_inside_package(&self, dir: &Path, id: &str) -> bool {
        let problem = self.problem_of(id);
        problem.is_some_and(|problem| problem.is_in_submissions(dir))
    }

    /// Warns of a folder of submissions that states no verdict, unless its name says so.
    fn warn_of_folder(&mut self, dir: &Path, name: &str) {
        if Vocabulary::MixedFolder.meaning(name).is_some() {
            return;
        }
        let shown = self.notices.show(dir);
        let notice = Code::UnknownFolder.says(format!(
            "{shown} is not named after a verdict; its submissions may get any verdict that they do not state themselves"
        ));
        self.notices.warn_help(
            notice.about(&shown),
            "rename it, or write `@EXPECTED_RESULTS@: ...` into each source",
        );
    }

    /// Whether a submission inside a package is a link to something outside the package.
    fn leads_out(&self, path: &Path, id: &str) -> bool {
        let problem = self.problem_of(id);
        let Some(package) = problem.filter(|problem| path.starts_with(&problem.dir)) else {
            return false;
        };
        match (package.dir.canonicalize(), path.canonicalize()) {
            (Ok(package), Ok(target)) => !target.starts_with(package),
            _ => false,
        }
    }
}

/// Whether a file or folder of submissions is switched off, or is no submission, by the end of its name.
pub(super) fn is_switched_off(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "disabled" || end == "template")
}
