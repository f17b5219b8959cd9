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

/// The extension that tells the language of a type of source on Polygon, where the files of several languages end alike.
fn extension_of(kind: &str) -> Option<&'static str> {
    // Some have the width of a word at the end: `python.pypy3-64`.
    match kind.strip_suffix("-64").unwrap_or(kind) {
        "python.2" => Some("py2"),
        "python.3" => Some("py3"),
        "python.pypy2" => Some("pypy2"),
        "python.pypy3" => Some("pypy3"),
        _ => None,
    }
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
        let source = child(solution, "source")?;
        let path = source.attribute("path")?;
        match inside(self.scene.root, path) {
            Ok(path) if path.is_file() => Some(ForeignSubmission {
                path,
                expected: Expectation::of_meaning(meaning),
                written_in: source.attribute("type").and_then(extension_of),
            }),
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
