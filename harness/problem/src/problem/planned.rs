//! Cases that are not generated yet: their names and the settings that will apply to them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::groups::GroupSettings;
use super::package::read_settings;
use super::{CaseSet, Format, Kind, TestCase};
use crate::notice::Notices;

/// The planned cases of the package in `dir`, by name. They have no checkers.
pub fn planned<'n>(
    dir: &Path,
    names: impl Iterator<Item = &'n str> + Clone,
    notices: &mut Notices,
) -> BTreeMap<String, TestCase> {
    let root = dir.join("data");
    let folders: BTreeSet<&str> = names.clone().flat_map(above).collect();
    let folders: Vec<String> = folders.into_iter().map(str::to_owned).collect();
    let common = CaseSet {
        root: root.clone(),
        input: ".in",
        answer: Some(".ans"),
        beside: true,
        ..CaseSet::default()
    };
    // Judging the problem reports the faults of its settings.
    let settings = read_settings(dir, &mut Notices::default());
    let groups = GroupSettings::read(common, &folders, (None, &settings), notices);
    let case = |name: &str| {
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let set = if root.join(format!("{name}.yaml")).is_file() {
            groups.of_case(name, folder, notices)
        } else {
            Arc::clone(groups.of_folder(folder))
        };
        (name.to_owned(), TestCase::new(name, set))
    };
    names.map(case).collect()
}

/// The kind of the problem in `dir`. Judging the problem reports the faults of its settings.
pub fn kind_in(dir: &Path) -> Kind {
    read_settings(dir, &mut Notices::default()).kind
}

/// The time limit and the time resolution of the package in `dir`, if 2025-09 does not allow them together.
pub fn unreachable_limit(dir: &Path) -> Option<(Duration, f64)> {
    let settings = read_settings(dir, &mut Notices::default());
    let margins = settings.margins.laid_over(settings.format);
    let limit = settings.limits.cpu_time?;
    let is_wrong = settings.format == Format::V2025 && !margins.permits(limit);
    is_wrong.then_some((limit, margins.resolution))
}

/// The parent folders of a case, as paths below the root. The root is the empty path.
fn above(name: &str) -> impl Iterator<Item = &str> {
    let ends = name.match_indices('/').map(|(end, _)| end);
    std::iter::once(0).chain(ends).map(move |end| &name[..end])
}
