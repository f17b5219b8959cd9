//! The solutions of a Polygon package, and what their tags expect.

use roxmltree::Node;

use super::polygon::{FILE, Package, with_document};
use super::scene::{ForeignSubmission, Scene, inside};
use super::xml::child;
use crate::expectation::{Expectation, Vocabulary};
use crate::notice::{Code, Notices};

/// The package's solutions with their expectations.
pub(super) fn submissions(scene: &Scene<'_>, notices: &mut Notices) -> Vec<ForeignSubmission> {
    let found = with_document(scene.root, notices, |document, notices| {
        let package = Package { scene: *scene, document };
        let solutions = document.descendants().filter(|node| node.has_tag_name("solution"));
        Some(solutions.filter_map(|node| package.submission(node, notices)).collect())
    });
    found.unwrap_or_default()
}

impl<'d> Package<'_, 'd> {
    fn submission(
        &self,
        solution: Node<'_, 'd>,
        notices: &mut Notices,
    ) -> Option<ForeignSubmission> {
        let tag = solution.attribute("tag")?;
        let meaning = match Vocabulary::Polygon.meaning(tag) {
            Some(meaning) => meaning,
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
            Ok(path) if path.is_file() => {
                Some(ForeignSubmission { path, expected: Expectation::of_meaning(meaning) })
            }
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
