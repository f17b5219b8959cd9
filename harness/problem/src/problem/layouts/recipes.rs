//! The layouts whose tests can be made, and their readers.

use std::path::Path;

use super::foreign_problem::{Scene, inside};
use super::test_recipe::{PrintedPlans, TestRecipes};
use super::{cms_recipes, library_checker_recipes, polygon_recipes, rbx_recipes, sinol_recipes};
use crate::notice::{Code, Notices};
use crate::problem::{LanguageOf, Purpose};

type ReadRecipes = fn(&Scene<'_>, &PrintedPlans, &mut Notices) -> Option<TestRecipes>;

/// Layouts whose tests can be made, by a file and a folder (or file) that their packages have.
const READERS: [(&str, &str, ReadRecipes); 6] = [
    ("problem.xml", "", |scene, _, notices| polygon_recipes::read(scene, notices)),
    ("problem.rbx.yml", "", rbx_recipes::read),
    ("task.yaml", "gen/GEN", |scene, _, notices| cms_recipes::read(scene, notices)),
    ("task.yaml", "gen/cases.gen", |scene, _, notices| cms_recipes::read(scene, notices)),
    ("config.yml", "prog", |scene, _, notices| sinol_recipes::read(scene, notices)),
    ("info.toml", "gen", |scene, _, notices| library_checker_recipes::read(scene, notices)),
];

fn reader(dir: &Path) -> Option<ReadRecipes> {
    let found = READERS
        .iter()
        .find(|(file, other, _)| dir.join(file).is_file() && dir.join(other).exists());
    found.map(|(.., read)| *read)
}

/// Whether the tests of the package in `dir` can be made.
pub fn has_recipes(dir: &Path) -> bool {
    reader(dir).is_some()
}

/// How the tests of the package in `dir` are made.
pub fn recipes(
    dir: &Path,
    language_of: LanguageOf<'_>,
    plans: &PrintedPlans,
    notices: &mut Notices,
) -> Option<TestRecipes> {
    let scene = Scene { root: dir, purpose: Purpose::Answering, language_of };
    let mut found = reader(dir)?(&scene, plans, notices)?;
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
