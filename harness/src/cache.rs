//! The user's cache folder: artefacts of compilations, and test cases made on demand.
//!
//! Everything in it is named by the content that made it and may be deleted at any time.

use std::path::PathBuf;

mod folder;

pub use folder::Cache;

/// The cache folder: `$REJUDGE_CACHE_DIR`, else `$XDG_CACHE_HOME/rejudge`, else `~/.cache/rejudge`.
///
/// Without a home folder it lies in the system's folder for temporary files. It need not exist yet.
pub fn dir() -> PathBuf {
    from_environment(|name| std::env::var_os(name).map(PathBuf::from))
}

/// The folder below [`dir`] that keeps test cases made on demand.
pub fn cases_dir() -> PathBuf {
    dir().join("cases")
}

fn from_environment(variable: impl Fn(&str) -> Option<PathBuf>) -> PathBuf {
    let set = |name: &str| variable(name).filter(|path| !path.as_os_str().is_empty());
    // The XDG specification has relative paths ignored.
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
    fn prefers_its_own_variable_then_xdg_then_home() {
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
