//! The user's cache folder: build artefacts, test cases created on demand, and small results that
//! took long to compute.
//!
//! Everything in it is named after its contents and may be deleted at any time. `Part::ALL` lists
//! the parts; nothing is stored elsewhere.

use std::io;
use std::path::PathBuf;

mod answers;
mod folder;
mod part;

pub use folder::Cache;
pub(crate) use part::Part;

/// The cache folder: `$REJUDGE_CACHE_DIR`, otherwise `$XDG_CACHE_HOME/rejudge`, otherwise
/// `~/.cache/rejudge`.
///
/// Without a home folder it is in the system's temporary folder. It may not exist yet. The path is
/// absolute, because programs are started in other folders.
pub fn dir() -> PathBuf {
    let set = from_environment(|name| std::env::var_os(name).map(PathBuf::from));
    std::path::absolute(&set).unwrap_or(set)
}

/// The folder in [`dir`] for test cases created on demand.
pub fn cases_dir() -> PathBuf {
    dir().join(Part::Cases.folder())
}

/// An error if the cache folder contains anything else, because nothing may be written there.
pub(crate) fn writable() -> io::Result<()> {
    folder::refused(&dir()).map_or(Ok(()), |why| Err(io::Error::other(why)))
}

fn from_environment(variable: impl Fn(&str) -> Option<PathBuf>) -> PathBuf {
    let set = |name: &str| variable(name).filter(|path| !path.as_os_str().is_empty());
    // The XDG specification says that relative paths are ignored.
    let absolute = |name: &str| set(name).filter(|path| path.is_absolute());
    set("REJUDGE_CACHE_DIR")
        .or_else(|| absolute("XDG_CACHE_HOME").map(|base| base.join("rejudge")))
        .or_else(|| absolute("HOME").map(|home| home.join(".cache/rejudge")))
        .unwrap_or_else(|| std::env::temp_dir().join("rejudge-cache"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_own_variable_comes_before_xdg_and_home() {
        let table: [(&[(&str, &str)], &str); 5] = [
            (
                &[
                    ("REJUDGE_CACHE_DIR", "c"),
                    ("XDG_CACHE_HOME", "/x"),
                    ("HOME", "/h"),
                ],
                "c",
            ),
            (&[("XDG_CACHE_HOME", "/x"), ("HOME", "/h")], "/x/rejudge"),
            (
                &[("XDG_CACHE_HOME", "x"), ("HOME", "/h")],
                "/h/.cache/rejudge",
            ),
            (
                &[("REJUDGE_CACHE_DIR", ""), ("HOME", "/h")],
                "/h/.cache/rejudge",
            ),
            (&[("HOME", "/h")], "/h/.cache/rejudge"),
        ];
        for (set, expected) in table {
            let found = from_environment(|name| {
                let value = set.iter().find(|(key, _)| *key == name)?.1;
                Some(PathBuf::from(value))
            });
            assert_eq!(found, PathBuf::from(expected));
        }
        assert!(from_environment(|_| None).ends_with("rejudge-cache"));
    }
}
