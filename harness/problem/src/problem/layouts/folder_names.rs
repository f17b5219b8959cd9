//! The names in a folder.

use std::path::Path;

use crate::name_text;
use crate::problem::{is_ignored, natural_order};

/// The names of the entries of a folder, in natural order; none if it cannot be read.
pub(super) fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.map(|entry| name_text::text(&entry.file_name()).into_owned());
    let mut names: Vec<String> = names.filter(|name| !is_ignored(name)).collect();
    names.sort_by(|a, b| natural_order(a, b));
    names
}
