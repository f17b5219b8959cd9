//! The layouts whose tests can be made, and their readers.

use std::path::Path;

use super::foreign_problem::{Scene, inside};
use super::test_recipe::TestRecipes;
use super::{cms_recipes, library_checker_recipes, polygon_recipes, rbx_recipes, sinol_recipes};
use crate::notice::{Code, Notices};
use crate::problem::{LanguageOf, Purpose};

type ReadRecipes = fn(&Scene<'_>, &mut Notices) -> Option<TestRecipes>;

/// Layouts whose tests can be made, by a file and a folder (or file) that their packages have.
const READERS: [(&str, &str, ReadRecipes); 5] = [
    ("problem.xml", "", polygon_recipes::read),
    ("problem.rbx.yml", "", rbx_recipes::read),
    ("task.yaml", "gen/GEN", cms_recipes::read),
    ("config.yml", "prog", sinol_recipes::read),
    ("info.toml", "gen", library_checker_recipes::read),
];

fn reader(dir: &Path) -> Option<ReadRecipes> {
    let found = READERS
        .iter()
        .find(|(file, other, _)| dir.join(file).is_file() && dir.join(other).exists());
    found.map(|(.., read)| *read)
}

/// Whether the tests of the package in `dir` can be made.
pub(crate) fn has_recipes(dir: &Path) -> bool {
    reader(dir).is_some()
}

/// How the tests of the package in `dir` are made.
pub(crate) fn recipes(
    dir: &Path,
    language_of: LanguageOf<'_>,
    notices: &mut Notices,
) -> Option<TestRecipes> {
    let scene = Scene {
        root: dir,
        purpose: Purpose::Answering,
        language_of,
    };
    let mut found = reader(dir)?(&scene, notices)?;
    // The files are read outside the sandbox.
    found.tests.retain(|test| {
        let mut paths = [&test.input, &test.answer].into_iter();
        let fault = paths.find_map(|path| Some((path, inside(dir, path).err()?)));
        if let Some((path, why)) = &fault {
            notices.error(Code::InvalidPath.says(format!("`{path}` {why}")));
        }
        fault.is_none()
    });
    Some(found)
}
