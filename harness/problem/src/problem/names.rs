//! The file names below a folder of cases, collected compactly and paired into cases.
//!
//! There may be a hundred thousand of them. One string holds all names, and the walk keeps no
//! folder's listing in memory.

use std::cmp::Ordering;

use super::natural;

mod walk;

pub(super) use walk::Walk;
pub use walk::{dangling_link, walk_error, warn_of_link};

/// The role of a file in its case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Role {
    Input,
    /// `.ans`
    Answer,
    /// `.out`: an answer in plain folders, but not in packages.
    Out,
    /// `<case>.yaml`
    Settings,
    /// `<case>.files/`
    Beside,
}

impl Role {
    /// The role that the suffix of a file's name claims, and the name without the suffix.
    pub(super) fn of(name: &str) -> Option<(&str, Self)> {
        let (stem, extension) = name.rsplit_once('.')?;
        let role = match extension {
            "in" => Self::Input,
            "ans" => Self::Answer,
            "out" => Self::Out,
            "yaml" => Self::Settings,
            _ => return None,
        };
        Some((stem, role))
    }
}

/// Twelve bytes. The folder's name is stored once; the stem is stored in the common string.
#[derive(Debug, Clone, Copy)]
struct StoredName {
    folder: u32,
    start: u32,
    length: u16,
    role: Role,
}

/// The names (without suffix) and roles of files.
#[derive(Debug, Default)]
pub(super) struct CaseNames {
    /// Folder names, each with a final `/`; the root's name is empty. A folder may appear twice.
    folders: Vec<String>,
    stems: String,
    entries: Vec<StoredName>,
}

/// The order of names. Two different names are never equal.
#[derive(Debug, Clone, Copy)]
pub(super) enum NameOrder {
    /// Byte by byte, by the full name.
    Lexicographic,
    /// Numbers by value. Only for the names of a single folder.
    Natural,
}

/// The files of one case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each says whether one file is there")]
pub(super) struct PresentFiles {
    pub(super) input: bool,
    pub(super) answer: bool,
    pub(super) out: bool,
    pub(super) settings: bool,
    pub(super) beside: bool,
}

impl CaseNames {
    /// Files that are added from now on are in this folder.
    fn enter(&mut self, folder: String) {
        self.folders.push(if folder.is_empty() { folder } else { folder + "/" });
    }

    /// Adds a file to the current folder.
    fn push(&mut self, stem: &str, role: Role) {
        const FEW: &str = "names in memory are fewer than 2^32";
        self.entries.push(StoredName {
            folder: u32::try_from(self.folders.len() - 1).expect(FEW),
            start: u32::try_from(self.stems.len()).expect(FEW),
            length: u16::try_from(stem.len()).expect("a file's name is short"),
            role,
        });
        self.stems.push_str(stem);
    }

    fn folder(&self, entry: &StoredName) -> &str {
        &self.folders[entry.folder as usize]
    }

    fn stem(&self, entry: &StoredName) -> &str {
        let start = entry.start as usize;
        &self.stems[start..start + usize::from(entry.length)]
    }

    fn bytes(&self, entry: &StoredName) -> impl Iterator<Item = u8> {
        let (folder, stem) = (self.folder(entry), self.stem(entry));
        folder.bytes().chain(stem.bytes())
    }

    fn lexicographic(&self, a: &StoredName, b: &StoredName) -> Ordering {
        if a.folder == b.folder {
            self.stem(a).cmp(self.stem(b))
        } else {
            self.bytes(a).cmp(self.bytes(b))
        }
    }

    /// Orders the names.
    pub(super) fn sort(&mut self, order: NameOrder) {
        let mut entries = std::mem::take(&mut self.entries);
        entries.sort_unstable_by(|a, b| match order {
            NameOrder::Lexicographic => self.lexicographic(a, b),
            NameOrder::Natural => natural::compare(self.stem(a), self.stem(b)),
        });
        self.entries = entries;
    }

    /// Calls `each` with every name in order, once, and the files that exist for it.
    pub(super) fn for_each_case(&self, mut each: impl FnMut(&str, PresentFiles)) {
        let mut name = String::new();
        let same_case = |a: &StoredName, b: &StoredName| self.lexicographic(a, b).is_eq();
        for same in self.entries.chunk_by(same_case) {
            let mut files = PresentFiles::default();
            for entry in same {
                match entry.role {
                    Role::Input => files.input = true,
                    Role::Answer => files.answer = true,
                    Role::Out => files.out = true,
                    Role::Settings => files.settings = true,
                    Role::Beside => files.beside = true,
                }
            }
            name.clear();
            name.push_str(self.folder(&same[0]));
            name.push_str(self.stem(&same[0]));
            each(&name, files);
        }
    }

    /// Whether any name has a file with this role.
    pub(super) fn has(&self, role: Role) -> bool {
        self.entries.iter().any(|entry| entry.role == role)
    }

    /// The number of names with an input.
    pub(super) fn inputs(&self) -> usize {
        let inputs = self.entries.iter().filter(|e| e.role == Role::Input);
        inputs.count()
    }
}

/// Whether it is a file that editors, archivers or desktops leave behind.
pub fn is_ignored(name: &str) -> bool {
    name.starts_with('.')
        || name.ends_with('~')
        || (name.starts_with('#') && name.ends_with('#'))
        || name == "__MACOSX"
}

/// Whether the format allows this name for a case or a folder of cases:
/// `[A-Za-z0-9_][A-Za-z0-9_.-]{0,254}`.
pub fn is_case_name(name: &str) -> bool {
    let first_is_right = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    name.len() <= 255
        && name.as_bytes().first().is_some_and(first_is_right)
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.' | b'-'))
}
