//! Files among the cases that look like inputs, but that the description of the problem does not reach.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::folder_names::names_in;
use crate::name_text;
use crate::notice::{Code, Few, Notices};
use crate::problem::TestCase;

/// Warns of each file below `root`, beside the inputs, that is named like an input, and is neither an input nor an answer.
pub(super) fn warn(root: &Path, cases: &[TestCase], notices: &mut Notices) {
    let mut used: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
    let mut shapes: BTreeMap<PathBuf, BTreeSet<String>> = BTreeMap::new();
    for case in cases {
        let input = case.input();
        if let Some((folder, name)) = split(&input) {
            let shapes = shapes.entry(folder.to_path_buf()).or_default();
            shapes.insert(shape(&name));
        }
        for path in [Some(input), case.answer()].into_iter().flatten() {
            if let Some((folder, name)) = split(&path) {
                used.entry(folder.to_path_buf()).or_default().insert(name);
            }
        }
    }
    let mut few = Few::default();
    // Made cases and those of archives are in the cache.
    for (folder, shapes) in shapes.iter().filter(|(folder, _)| folder.starts_with(root)) {
        for name in names_in(folder) {
            let is_like_one = has_ending_of_inputs(&name) || shapes.contains(&shape(&name));
            let path = folder.join(name_text::path(&name));
            if is_like_one && !used[folder].contains(&name) && path.is_file() {
                few.push(|| {
                    let shown = notices.show(&path);
                    let what = "looks like a case, but the problem does not use it";
                    let notice = Code::UnusedFile.of_file(&shown, what);
                    notice.help(
                        "rename it as the layout demands, add it to the description, or remove it",
                    )
                });
            }
        }
    }
    notices.warnings.extend(few.finish("files like that"));
}

fn split(path: &Path) -> Option<(&Path, String)> {
    let name = name_text::text(path.file_name()?);
    Some((path.parent()?, name.into_owned()))
}

/// `abc.in`, `abc.IN` and `abc.in4`.
fn has_ending_of_inputs(name: &str) -> bool {
    let end = name.rsplit_once('.').map_or("", |(_, end)| end);
    let word = end.trim_end_matches(|c: char| c.is_ascii_digit());
    word.eq_ignore_ascii_case("in")
}

/// The name with `#` for each number.
fn shape(name: &str) -> String {
    let mut shape = String::with_capacity(name.len());
    for c in name.chars() {
        match c {
            c if !c.is_ascii_digit() => shape.push(c),
            _ if shape.ends_with('#') => {}
            _ => shape.push('#'),
        }
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_have_shapes() {
        for (one, other) in [("01", "123"), ("input0.txt", "input12.txt")] {
            assert_eq!(shape(one), shape(other));
        }
        assert_ne!(shape("input0.txt"), shape("readme.txt"));
        for (name, expected) in
            [("a.in", true), ("a.IN", true), ("b.in4", true), ("b.out4", false), ("main", false)]
        {
            assert_eq!(has_ending_of_inputs(name), expected, "{name}");
        }
    }
}
