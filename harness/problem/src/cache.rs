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
pub use part::Part;

/// The cache folder: `$REJUDGE_CACHE_DIR`, otherwise `$XDG_CACHE_HOME/rejudge`, otherwise
/// `~/.cache/rejudge`.
///
/// Without a home folder it is in the system's temporary folder, and each user has one. It may not exist yet. The path is
/// absolute, because programs are started in other folders.
pub fn dir() -> PathBuf {
    let set = from_environment(|name| std::env::var_os(name).map(PathBuf::from));
    std::path::absolute(&set).unwrap_or(set)
}

/// The folder in [`dir`] for test cases created on demand.
pub fn cases_dir() -> PathBuf {
    let dir = dir();
    if folder::is_planted(&dir) {
        // No file can be there.
        return PathBuf::from("/dev/null").join(Part::Cases.folder());
    }
    dir.join(Part::Cases.folder())
}

/// Whether the user named the cache folder.
fn is_chosen() -> bool {
    std::env::var_os("REJUDGE_CACHE_DIR").is_some_and(|path| !path.is_empty())
}

/// An error if the cache folder contains anything else, because nothing may be written there.
pub fn writable() -> io::Result<()> {
    folder::refused(&dir()).map_or(Ok(()), |why| Err(io::Error::other(why)))
}

fn from_environment(variable: impl Fn(&str) -> Option<PathBuf>) -> PathBuf {
    let set = |name: &str| variable(name).filter(|path| !path.as_os_str().is_empty());
    // The XDG specification says that relative paths are ignored.
    let absolute = |name: &str| set(name).filter(|path| path.is_absolute());
    set("REJUDGE_CACHE_DIR")
        .or_else(|| absolute("XDG_CACHE_HOME").map(|base| base.join("rejudge")))
        .or_else(|| absolute("HOME").map(|home| home.join(".cache/rejudge")))
        .unwrap_or_else(|| {
            let user = rustix::process::geteuid().as_raw();
            std::env::temp_dir().join(format!("rejudge-cache-{user}"))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_own_variable_comes_before_xdg_and_home() {
        let table: [(&[(&str, &str)], &str); 5] = [
            (&[("REJUDGE_CACHE_DIR", "c"), ("XDG_CACHE_HOME", "/x"), ("HOME", "/h")], "c"),
            (&[("XDG_CACHE_HOME", "/x"), ("HOME", "/h")], "/x/rejudge"),
            (&[("XDG_CACHE_HOME", "x"), ("HOME", "/h")], "/h/.cache/rejudge"),
            (&[("REJUDGE_CACHE_DIR", ""), ("HOME", "/h")], "/h/.cache/rejudge"),
            (&[("HOME", "/h")], "/h/.cache/rejudge"),
        ];
        for (set, expected) in table {
            let found = from_environment(|name| {
                let value = set.iter().find(|(key, _)| *key == name)?.1;
                Some(PathBuf::from(value))
            });
            assert_eq!(found, PathBuf::from(expected));
        }
        let own = format!("rejudge-cache-{}", rustix::process::geteuid().as_raw());
        assert!(from_environment(|_| None).ends_with(own));
    }
}
