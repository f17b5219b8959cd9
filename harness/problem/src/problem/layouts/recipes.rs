//! The layouts whose tests can be made, and their readers.

use std::path::Path;

use super::described::LayoutRecipes;
use super::reading::DESCRIBED;
use super::scene::{Scene, inside};
use super::test_recipe::{PrintedPlans, TestRecipes};
use crate::problem::ReadOptions;

use crate::notice::{Code, Notices};
use crate::problem::LanguageOf;

fn reader(dir: &Path) -> Option<&'static LayoutRecipes> {
    DESCRIBED.iter().find_map(|layout| layout.recipes_in(dir))
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
    let options = ReadOptions { answering: true, ..ReadOptions::default() };
    let scene = Scene { root: dir, options, language_of };
    let mut found = (reader(dir)?.read)(&scene, plans, notices)?;
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
