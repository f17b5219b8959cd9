//! The list of a project's files. Their contents travel in packs: pieces of all contents, one after the other.

use serde::{Deserialize, Serialize};

use super::FarmError;
use super::paths::fault;

/// The most files of a project.
pub(super) const MOST_FILES: usize = 1_000_000;

/// The most bytes of a project: 16 GiB.
pub(super) const MOST_BYTES: u64 = 16 << 30;

/// The largest pack, in bytes.
pub(super) const PACK: usize = 8 << 20;

/// The largest list of files, in bytes.
pub(crate) const MOST_LIST: u64 = 256 << 20;

/// A file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct TreeFile {
    /// Relative to the root.
    pub(crate) path: String,
    pub(crate) size: u64,
    /// Whether it may be executed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) executable: bool,
}

/// The files of a project, and the packs with their contents.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct TreeList {
    /// The name of the root folder: some layouts take the name of the problem from it.
    pub(crate) root: String,
    pub(crate) files: Vec<TreeFile>,
    /// The names of the packs.
    pub(crate) packs: Vec<String>,
}

impl TreeList {
    /// Reads what was received. No path leads out of the root, no path is a folder of another, and the sizes are bounded.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, FarmError> {
        let invalid = |why: String| FarmError::Invalid { what: "the list of files", why };
        let list: Self =
            serde_json::from_slice(bytes).map_err(|error| invalid(error.to_string()))?;
        if list.root.contains('/') || fault(&list.root).is_some() {
            return Err(invalid("the root is not a name".to_owned()));
        }
        if list.files.len() > MOST_FILES {
            return Err(invalid(format!("it has more than {MOST_FILES} files")));
        }
        let sizes = list.files.iter().try_fold(0_u64, |sum, file| sum.checked_add(file.size));
        if sizes.is_none_or(|sum| sum > MOST_BYTES) {
            return Err(invalid(format!("the files have more than {MOST_BYTES} bytes")));
        }
        for file in &list.files {
            if let Some(why) = fault(&file.path) {
                return Err(invalid(format!("`{}`: {why}", file.path.escape_debug())));
            }
        }
        // In this order, a folder comes right before what is in it, apart from names that continue its own.
        let order = |path: &str| path.replace('/', "\0");
        let mut paths: Vec<String> = list.files.iter().map(|file| order(&file.path)).collect();
        paths.sort_unstable();
        let clash = paths.windows(2).find(|pair| {
            let rest = pair[1].strip_prefix(pair[0].as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('\0'))
        });
        match clash {
            Some(pair) => {
                let path = pair[0].replace('\0', "/");
                Err(invalid(format!("`{}` is there twice", path.escape_debug())))
            }
            None => Ok(list),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(paths: &[&str], size: u64) -> Result<TreeList, FarmError> {
        let file = |path: &&str| TreeFile { path: (*path).to_owned(), size, executable: false };
        let list = TreeList {
            root: "r".to_owned(),
            files: paths.iter().map(file).collect(),
            packs: Vec::new(),
        };
        TreeList::read(&serde_json::to_vec(&list).unwrap())
    }

    #[test]
    fn files_that_overwrite_others_or_leave_the_root_are_rejected() {
        assert!(read(&["a", "a.in", "b/c", "b-c", "b/c.in"], 1).is_ok());
        for bad in
            [&["../a"][..], &["/a"], &["a", "a"], &["a", "a/b"], &["a/b", "a/b/c", "a"], &["a/./b"]]
        {
            assert!(read(bad, 1).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn sizes_are_bounded() {
        assert!(read(&["a"], MOST_BYTES).is_ok());
        assert!(read(&["a"], MOST_BYTES + 1).is_err());
        assert!(read(&["a", "b"], u64::MAX).is_err());
    }
}
