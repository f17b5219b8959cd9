//! The files next to a source that are compiled with it outside packages: those that it names and that the tool of its
//! language finds by itself ([`crate::beside`]). A judge of single files does not have them; people who run a source in its
//! folder do.
//!
//! Only code is read, only of the collection that the source belongs to, and never another program: a solution must not contain
//! another. That also holds for programs that are called like a module of the language, which judges use.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::{Path, PathBuf};

use super::SCRATCH;
use super::joined_sources::BesideRule;
use super::source_file::{SourceFile, around};
use crate::beside::{NamingSource, is_program, may_join, normal};
use crate::plain_file;
use crate::problem::collection_of;

/// More files, or more bytes, are not the program of one source.
const MOST_FILES: usize = 200;
const MOST_BYTES: usize = 64 << 20;
pub(super) const LARGEST: u64 = 16 << 20;

/// The files next to a source that it names, by their paths from its folder.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FilesBeside {
    /// Those that are compiled with it.
    pub with: Vec<String>,
    /// Those that are not, because they are programs of their own.
    pub without: Vec<String>,
}

/// The program of a source and of the files that it names.
pub(super) struct ProgramBeside {
    /// The source comes first.
    pub(super) files: Vec<SourceFile>,
    pub(super) beside: FilesBeside,
}

/// The source, which is called `name`, and the files that it names. Their names are relative to the lowest folder that
/// contains all of them.
pub(super) fn gather(
    name: &str,
    text: Vec<u8>,
    rule: &BesideRule<'_>,
) -> io::Result<ProgramBeside> {
    let source = normal(&std::path::absolute(rule.place)?);
    let start = source.with_file_name(name);
    let mut reader = NeighbourReader {
        bounds: rule.bounds(&source),
        source: &source,
        seen: BTreeSet::from([source.clone(), start.clone()]),
        found: BTreeMap::new(),
        bytes: 0,
        without: Vec::new(),
        is_too_large: false,
    };
    let mut open = reader.named_by(&source, &text);
    while let Some((place, text)) = open.pop() {
        open.extend(reader.named_by(&place, &text));
        reader.found.insert(place, text);
    }
    if reader.is_too_large {
        let why = format!(
            "it names more than {MOST_FILES} files next to it, or files of more than {} MiB",
            LARGEST >> 20
        );
        return Err(io::Error::other(why));
    }
    let NeighbourReader { mut found, without, .. } = reader;
    let above = around(std::iter::once(start.as_path()).chain(found.keys().map(PathBuf::as_path)));
    let named = |place: &Path| {
        let below = place.strip_prefix(&above).unwrap_or(place);
        below.to_string_lossy().into_owned()
    };
    // Such names are those of files of the compiler.
    found.retain(|place, _| {
        let name = named(place);
        !matches!(name.split('/').next(), Some(SCRATCH | "program"))
    });
    let dir = source.parent().unwrap_or(&source);
    let beside = FilesBeside {
        with: found.keys().map(|path| path_from(dir, path)).collect(),
        without: without.iter().map(|path| path_from(dir, path)).collect(),
    };
    let file = |name, text, is_included| SourceFile { name, text, executable: false, is_included };
    let first = file(named(&start), text, false);
    let others = found.into_iter().map(|(place, text)| file(named(&place), text, true));
    Ok(ProgramBeside { files: std::iter::once(first).chain(others).collect(), beside })
}

/// The path that leads from the folder to the file.
fn path_from(dir: &Path, file: &Path) -> String {
    let mut shared = dir;
    let mut path = PathBuf::new();
    while !file.starts_with(shared) {
        path.push("..");
        shared = shared.parent().unwrap_or(shared);
    }
    path.push(file.strip_prefix(shared).unwrap_or(file));
    path.to_string_lossy().into_owned()
}

impl BesideRule<'_> {
    /// The folder that nothing may lead out of: the collection of the problem, or of a source that lies elsewhere.
    fn bounds(&self, source: &Path) -> PathBuf {
        let dir = source.parent().unwrap_or(source);
        let problem = self.problem.filter(|problem| source.starts_with(problem));
        let home = problem.unwrap_or(dir);
        let home = home.canonicalize().unwrap_or_else(|_| home.to_owned());
        collection_of(&home).to_owned()
    }
}

struct NeighbourReader<'a> {
    bounds: PathBuf,
    source: &'a Path,
    /// The places that were looked at.
    seen: BTreeSet<PathBuf>,
    found: BTreeMap<PathBuf, Vec<u8>>,
    bytes: usize,
    without: Vec<PathBuf>,
    /// Whether what it names was not read as a whole.
    is_too_large: bool,
}

impl NeighbourReader<'_> {
    /// The files that the one at `place` names, each once.
    fn named_by(&mut self, place: &Path, text: &[u8]) -> Vec<(PathBuf, Vec<u8>)> {
        let naming = NamingSource { first: self.source, place, text };
        let places = naming.places().into_iter();
        places.filter_map(|place| self.read(place)).collect()
    }

    fn read(&mut self, place: PathBuf) -> Option<(PathBuf, Vec<u8>)> {
        if self.seen.contains(&place) {
            return None;
        }
        let real = place.canonicalize().ok()?;
        if !real.starts_with(&self.bounds) || !may_join(self.source, &real) {
            return None;
        }
        let text = plain_file::read_up_to(&real, LARGEST).ok()?;
        let is_larger = text.len() as u64 > LARGEST || self.bytes + text.len() > MOST_BYTES;
        if is_larger || self.seen.len() > MOST_FILES {
            self.is_too_large = true;
            return None;
        }
        self.seen.insert(place.clone());
        if is_program(&real, &text) {
            self.without.push(place);
            return None;
        }
        self.bytes += text.len();
        Some((place, text))
    }
}
