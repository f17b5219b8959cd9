//! What a path that does not exist may mean: files and folders with similar names.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use super::LanguageOf;
use crate::expectation::{Meaning, Vocabulary};
use crate::notice::nearest;

/// The number of suggestions.
const MOST: usize = 3;

/// Paths that exist and are similar to `given`, written as `given` is.
pub(crate) fn similar(current: &Path, given: &Path, language_of: LanguageOf<'_>) -> Vec<PathBuf> {
    let mut typed = PathBuf::new();
    let mut parts = given.components();
    for part in parts.by_ref() {
        let next = typed.join(part);
        if current.join(&next).exists() {
            typed = next;
            continue;
        }
        let folder = current.join(&typed);
        let rest = parts.as_path();
        let is_last = rest.as_os_str().is_empty();
        let source = |name: &OsStr| {
            let extension = Path::new(name).extension();
            is_last && extension.is_some_and(|extension| language_of(extension).is_some())
        };
        let found = names_like(&folder, part.as_os_str(), source);
        let found = found.into_iter().map(|name| typed.join(name).join(rest));
        // Without the final `/` that joining an empty rest leaves.
        let found = found.map(|path| path.components().collect::<PathBuf>());
        return found.filter(|path| current.join(path).exists()).take(MOST).collect();
    }
    Vec::new()
}

/// The names in a folder that `word` may mean: sources with this stem, the folder of a verdict, otherwise the most similar
/// name.
fn names_like(folder: &Path, word: &OsStr, is_source: impl Fn(&OsStr) -> bool) -> Vec<OsString> {
    const MANY: usize = 10_000;
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut names: Vec<OsString> = entries.take(MANY).map(|entry| entry.file_name()).collect();
    names.sort();
    let has_stem = |name: &&OsString| is_source(name) && Path::new(name).file_stem() == Some(word);
    let sources: Vec<OsString> = names.iter().filter(has_stem).cloned().collect();
    if !sources.is_empty() {
        return sources;
    }
    let Some(word) = word.to_str() else {
        return Vec::new();
    };
    if let Some(whole) = Vocabulary::ShortFolder.meaning(word).and_then(Meaning::folder)
        && names.iter().any(|name| name == whole.name())
    {
        return vec![OsString::from(whole.name())];
    }
    let visible = names.iter().filter_map(|name| name.to_str());
    let near = nearest(word, visible.filter(|name| !name.starts_with('.')));
    near.map(OsString::from).into_iter().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn similar_paths_exist_and_are_written_as_given() {
        let folder = tempfile::tempdir().unwrap();
        for file in [
            "a.cpp",
            "b.py",
            "b.cpp",
            "b.txt",
            "solutions/sum/time_limit_exceeded/slow.py",
            ".hidden",
        ] {
            let path = folder.path().join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
        }
        let language_of = |extension: &OsStr| {
            let known = extension == "cpp" || extension == "py";
            known.then(|| String::from("x"))
        };
        let table: [(&str, &[&str]); 10] = [
            ("aa.cpp", &["a.cpp"]),
            ("a", &["a.cpp"]),
            ("b", &["b.cpp", "b.py"]),
            ("solution/sum", &["solutions/sum"]),
            (
                "solutions/summ/time_limit_exceeded/slow.py",
                &["solutions/sum/time_limit_exceeded/slow.py"],
            ),
            ("solutions/sum/tle", &["solutions/sum/time_limit_exceeded"]),
            ("solutions/sum/tle/", &["solutions/sum/time_limit_exceeded"]),
            ("solution/nothing", &[]),
            ("zzz", &[]),
            ("./aa.cpp", &["./a.cpp"]),
        ];
        for (given, expected) in table {
            let found = similar(folder.path(), Path::new(given), &language_of);
            let expected: Vec<PathBuf> = expected.iter().map(PathBuf::from).collect();
            assert_eq!(found, expected, "{given}");
        }
    }
}
