//! The committed cases of a problem.

use std::path::Path;

/// Name, input and answer of each secret case that is stored in the repository.
pub(crate) fn of(problem: &str) -> Vec<(String, String, String)> {
    let folder =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../cases").join(problem).join("data/secret");
    let read = |path: &Path| std::fs::read_to_string(path).expect("a readable case");
    let paths = walkdir::WalkDir::new(&folder).sort_by_file_name();
    let paths = paths.into_iter().map(|entry| entry.expect("a readable folder").into_path());
    let cases: Vec<_> = paths
        .filter(|path| path.extension().is_some_and(|extension| extension == "in"))
        .map(|path| {
            let name = path.strip_prefix(&folder).expect("a path below it");
            let name = name.with_extension("").to_string_lossy().into_owned();
            (name, read(&path), read(&path.with_extension("ans")))
        })
        .collect();
    assert!(!cases.is_empty(), "{problem}");
    cases
}
