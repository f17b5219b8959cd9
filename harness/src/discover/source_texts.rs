//! The texts of sources, each read once: to join sources with cases where names leave a doubt, and to judge.

use std::cell::RefCell;
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::source_files::read_source;
use crate::beside::{Conduct, NamingSource, TestlibRole, is_program, writes_file};
use crate::notice::Notices;
use crate::submission::FileNames;

/// The most bytes to keep. Sources beyond that are read again when they are judged.
const MOST: usize = 64 << 20;

/// Texts that were read before the search knew whether the source is judged.
#[derive(Debug, Default)]
pub(super) struct SourceTexts(RefCell<KeptTexts>);

#[derive(Debug, Default)]
struct KeptTexts {
    /// By path. Its bytes are hashed faster than its components.
    by_path: HashMap<OsString, Rc<Vec<u8>>>,
    bytes: usize,
}

impl SourceTexts {
    /// The text of a source; empty if it cannot be read, which is reported when it is judged.
    pub(super) fn of(&self, path: &Path) -> Rc<Vec<u8>> {
        if let Some(known) = self.0.borrow().by_path.get(path.as_os_str()) {
            return Rc::clone(known);
        }
        let mut quiet = Notices::default();
        let Some(text) = read_source(path, &mut quiet) else {
            return Rc::default();
        };
        let text = Rc::new(text);
        let kept = &mut *self.0.borrow_mut();
        if kept.bytes + text.len() <= MOST {
            kept.bytes += text.len();
            kept.by_path.insert(path.as_os_str().to_owned(), Rc::clone(&text));
        }
        text
    }

    /// The names of files in the text of a source.
    pub(super) fn files_opened(&self, path: &Path) -> Vec<String> {
        FileNames::named_in(path, &self.of(path))
    }

    /// The places of the files that a source names as parts of itself.
    pub(super) fn places_named(&self, path: &Path) -> Vec<PathBuf> {
        let source = NamingSource { first: path, place: path, text: &self.of(path) };
        source.places()
    }

    /// Whether a source is a program of its own.
    pub(super) fn is_program(&self, path: &Path) -> bool {
        is_program(path, &self.of(path))
    }

    /// What a source does, as far as its text shows.
    pub(super) fn conduct(&self, path: &Path) -> Conduct {
        Conduct::of(path, &self.of(path))
    }

    /// Whether a source opens a file with this name to write it, as far as its text shows.
    pub(super) fn writes(&self, path: &Path, name: &str) -> bool {
        writes_file(&self.of(path), name)
    }

    /// What a source is, if it is written with testlib.
    pub(super) fn testlib_role(&self, path: &Path) -> Option<TestlibRole> {
        TestlibRole::of(path, &self.of(path))
    }

    /// The text of a source that is judged, which nobody needs again. Faults are reported.
    pub(super) fn take(&self, path: &Path, notices: &mut Notices) -> Option<Vec<u8>> {
        let kept = &mut *self.0.borrow_mut();
        let known = kept.by_path.remove(path.as_os_str());
        let Some(text) = known.and_then(|text| Rc::try_unwrap(text).ok()) else {
            return read_source(path, notices);
        };
        kept.bytes -= text.len();
        Some(text)
    }
}
