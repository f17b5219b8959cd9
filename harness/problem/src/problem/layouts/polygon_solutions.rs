//! The solutions of a Polygon package, and the verdicts that their tags announce.

use roxmltree::Node;

use super::foreign_problem::{Promise, Scene, inside};
use super::polygon::{FILE, Package, with_document};
use super::xml::child;
use crate::notice::{Code, Notices};

/// The expectations of the tags of solutions, as verdict folders.
const TAGS: [(&str, &[&str]); 9] = [
    ("main", &["accepted"]),
    ("accepted", &["accepted"]),
    ("wrong-answer", &["wrong_answer"]),
    ("presentation-error", &["wrong_answer"]),
    ("time-limit-exceeded", &["time_limit_exceeded"]),
    ("time-limit-exceeded-or-accepted", &["time_limit_exceeded", "accepted"]),
    ("time-limit-exceeded-or-memory-limit-exceeded", &["time_limit_exceeded", "run_time_error"]),
    ("memory-limit-exceeded", &["run_time_error"]),
    ("runtime-error", &["run_time_error"]),
];

/// The package's solutions with their expectations.
pub(super) fn promises(scene: &Scene<'_>, notices: &mut Notices) -> Vec<Promise> {
    let found = with_document(scene.root, notices, |document, notices| {
        let package = Package { scene: *scene, document };
        let solutions = document.descendants().filter(|node| node.has_tag_name("solution"));
        let promises = solutions.filter_map(|node| package.promise(node, notices));
        Some(promises.collect())
    });
    found.unwrap_or_default()
}

impl<'d> Package<'_, 'd> {
    fn promise(&self, solution: Node<'_, 'd>, notices: &mut Notices) -> Option<Promise> {
        let tag = solution.attribute("tag")?;
        let folders = match TAGS.iter().find(|(known, _)| *known == tag) {
            Some((_, folders)) => *folders,
            None if matches!(tag, "rejected" | "failed") => &["rejected"],
            None if tag == "do-not-run" => return None,
            None => {
                let at = self.at(solution, notices);
                notices.warn(
                    Code::UnusedSetting
                        .at(&at, format!("unknown tag `{tag}`; the solution is skipped")),
                );
                return None;
            }
        };
        let path = child(solution, "source")?.attribute("path")?;
        match inside(self.scene.root, path) {
            Ok(path) if path.is_file() => Some(Promise::any_of(path, folders)),
            Ok(path) => {
                let shown = notices.show(&path);
                notices.warn(
                    Code::MissingFile
                        .of_file(&shown, format!("does not exist, but {FILE} lists it")),
                );
                None
            }
            Err(why) => {
                self.fault(solution, &format!("`{path}` {why}"), notices);
                None
            }
        }
    }
}
