//! Samples that only the statement shows: a conversation, or an input in place of one that nobody judges.

use std::path::Path;

/// Files that a sample may have without an input that is judged.
const ENDS: [&str; 2] = [".in.statement", ".interaction"];

/// The names below `data/` of the samples in it that have such a file.
pub(crate) fn shown_samples(data: &Path) -> Vec<String> {
    let files = walkdir::WalkDir::new(data.join("sample")).into_iter().filter_map(Result::ok);
    let name = |path: &Path| {
        let path = path.strip_prefix(data).ok()?.to_str()?;
        let stem = ENDS.iter().find_map(|end| path.strip_suffix(end))?;
        Some(stem.to_owned())
    };
    let mut names: Vec<String> = files.filter_map(|file| name(file.path())).collect();
    names.sort();
    names.dedup();
    names
}
