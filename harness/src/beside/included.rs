//! `#include` of C and C++.

use std::path::PathBuf;

use super::PlaceFinder;
use crate::problem::is_code;

/// The name in an include.
pub(crate) struct IncludedName<'a> {
    pub(crate) name: &'a str,
    pub(crate) is_quoted: bool,
}

impl<'a> IncludedName<'a> {
    /// The name that a line includes.
    pub(crate) fn of(line: &'a [u8]) -> Option<Self> {
        let rest = line.trim_ascii_start().strip_prefix(b"#")?;
        let rest = rest.trim_ascii_start().strip_prefix(b"include")?;
        let (first, rest) = rest.trim_ascii_start().split_first()?;
        let end = match first {
            b'"' => b'"',
            b'<' => b'>',
            _ => return None,
        };
        let end = rest.iter().position(|byte| *byte == end)?;
        Some(Self { name: std::str::from_utf8(&rest[..end]).ok()?, is_quoted: *first == b'"' })
    }

    /// Whether a file next to the source may have the name.
    pub(crate) fn may_be_local(&self) -> bool {
        self.is_quoted && !self.name.starts_with('/') && is_code(self.name)
    }

    /// The names of files that a source includes and that may be next to it.
    pub(crate) fn local_in(text: &'a [u8]) -> impl Iterator<Item = &'a str> {
        let names = text.split(|&byte| byte == b'\n').filter_map(Self::of);
        names.filter(Self::may_be_local).map(|included| included.name)
    }
}

pub(super) fn c(text: &[u8], finder: &PlaceFinder<'_>) -> Vec<PathBuf> {
    let names = IncludedName::local_in(text);
    names.map(|name| finder.beside(name)).collect()
}
