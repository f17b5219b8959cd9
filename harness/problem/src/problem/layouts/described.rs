//! What a layout is, if a file describes the problem: the names of its files, and its readers.

use std::path::Path;

use rejudge_quantity::Bytes;

use super::scene::{ForeignSubmission, Scene};
use super::test_recipe::{PrintedPlans, TestRecipes};
use crate::notice::Notices;
use crate::problem::Problem;

/// A layout with a file that describes the problem.
pub(super) struct Described {
    /// The name for `--layout`.
    pub(super) name: &'static str,
    /// The human-readable name of the file.
    pub(super) file: &'static str,
    /// The names of the files that may describe the problem: a folder without them is not read closely.
    pub(super) signs: &'static [&'static str],
    /// The output limit of the layout, if the problem sets none.
    pub(super) output: Bytes,
    pub(super) is_in: fn(&Path) -> bool,
    pub(super) load: fn(&Scene<'_>, &mut Notices) -> Option<Problem>,
    /// Finds the submissions, if the layout has a folder for them.
    pub(super) submissions: Option<fn(&Scene<'_>, &mut Notices) -> Vec<ForeignSubmission>>,
    /// Reads how the tests are made, if the layout says it.
    pub(super) recipes: Option<LayoutRecipes>,
}

/// Reads how the tests of a package are made.
pub(super) struct LayoutRecipes {
    /// A package without any of these files or folders, beside the first of [`Described::signs`], does not say it.
    pub(super) needs: &'static [&'static str],
    pub(super) read: fn(&Scene<'_>, &PrintedPlans, &mut Notices) -> Option<TestRecipes>,
}

impl Described {
    /// The reader of the recipes of the package in `dir`, if it has any.
    pub(super) fn recipes_in(&self, dir: &Path) -> Option<&LayoutRecipes> {
        let reader = self.recipes.as_ref()?;
        let has = dir.join(self.signs.first()?).is_file()
            && reader.needs.iter().any(|name| dir.join(name).exists());
        has.then_some(reader)
    }
}
