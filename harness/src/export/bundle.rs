//! The files of an archive, and how it is written.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{self, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use crate::import::DraftText;
use crate::import::carried::{leads_out_of, why_not_carried};
use crate::notice::{Code, Notice, visible};
use crate::problem::{Additions, Problem, is_ignored};
use crate::{plain_file, whole_file};

/// A file of more bytes needs the 64-bit form of the format.
const LARGE: u64 = 0xffff_0000;

/// Files by their names in the archive.
#[derive(Default)]
pub(crate) struct Bundle {
    /// The folder of the problem, which its links must not leave.
    pub(super) root: PathBuf,
    /// What the problem adds to its sources.
    pub(super) additions: Additions,
    files: BTreeMap<String, BundledFile>,
    /// What the archive does not carry.
    pub(crate) not_carried: Vec<Notice>,
    /// What the archive does not carry, and without which it cannot judge the problem.
    pub(crate) decisive: Vec<Notice>,
    /// The number of cases.
    pub(crate) cases: usize,
    /// The number of submissions.
    pub(crate) submissions: usize,
    /// The number of attachments, in an archive of samples.
    pub(crate) attachments: usize,
}

struct BundledFile {
    content: DraftText,
    is_executable: bool,
}

impl Bundle {
    /// An empty archive for a problem.
    pub(super) fn of(problem: &Problem) -> Self {
        Self { root: problem.dir.clone(), additions: problem.additions.clone(), ..Self::default() }
    }

    /// Whether the file of the problem is reached by a link that leads out of the problem's folder.
    pub(super) fn leads_out(&self, file: &Path) -> bool {
        leads_out_of(&self.root, file)
    }

    /// The number of files.
    pub(crate) fn len(&self) -> usize {
        self.files.len()
    }

    /// Whether there is a file of this name.
    pub(super) fn has(&self, name: &str) -> bool {
        self.files.contains_key(name)
    }

    /// Lists something that is not carried.
    pub(super) fn lose(&mut self, what: impl Display) {
        let message = format!("not carried: {what}");
        if self.not_carried.iter().all(|known| known.message != message) {
            self.not_carried.push(Code::NotCarried.says(message));
        }
    }

    /// Lists something that is not carried, and without which the archive cannot judge the problem.
    pub(super) fn lose_decisive(&mut self, what: impl Display) {
        let message = format!("not carried: {what}");
        if self.decisive.iter().all(|known| known.message != message) {
            let help = "judge this problem elsewhere, or export it to another system";
            self.decisive.push(Code::NotCarried.says(message).help(help));
        }
    }

    /// Everything that is not carried.
    pub(crate) fn lost(&self) -> impl Iterator<Item = &Notice> {
        self.decisive.iter().chain(&self.not_carried)
    }

    /// Adds a text.
    pub(super) fn put(&mut self, name: &str, text: impl Into<Vec<u8>>) {
        self.add(name, DraftText::Here(text.into()), false);
    }

    /// Adds a script.
    pub(super) fn put_script(&mut self, name: &str, text: impl Into<Vec<u8>>) {
        self.add(name, DraftText::Here(text.into()), true);
    }

    /// Adds a text or a copy of a file.
    pub(super) fn put_text(&mut self, name: &str, text: DraftText) {
        self.add(name, text, false);
    }

    /// Adds a copy of a file.
    pub(super) fn copy(&mut self, name: &str, from: &Path) {
        if self.leads_out(from) {
            self.lose(format!("`{}`, which is a link out of the problem", visible(name)));
            return;
        }
        let metadata = from.metadata();
        let is_executable = metadata.is_ok_and(|file| file.permissions().mode() & 0o111 != 0);
        self.add(name, DraftText::In(from.to_path_buf()), is_executable);
    }

    /// Adds copies of all files in a folder, below `name`. A link inside the folder or the problem becomes a copy of its
    /// file. Hidden files and `except` are not copied; links that lead elsewhere are listed.
    pub(super) fn tree(&mut self, name: &str, from: &Path, except: &Path) -> Result<(), Notice> {
        let is_below = from.starts_with(&self.root);
        let root = if is_below { &self.root } else { from }.to_path_buf();
        if leads_out_of(&root, from) {
            self.lose(format!("`{}`, which is a link out of the problem", visible(name)));
            return Ok(());
        }
        let walk = walkdir::WalkDir::new(from).min_depth(1).sort_by_file_name();
        let mut walk = walk.follow_links(true).into_iter();
        while let Some(entry) = walk.next() {
            let path = match &entry {
                Ok(entry) => entry.path(),
                Err(error) => error.path().unwrap_or(from),
            };
            let below = path.strip_prefix(from).unwrap_or(path);
            let last = path.file_name().unwrap_or_default().to_string_lossy();
            // The time limit of a package may be in a hidden file.
            let is_hidden = is_ignored(&last) && below != Path::new(".timelimit");
            let inside = below.to_str().map(|below| match name {
                "" => below.to_owned(),
                name => format!("{name}/{below}"),
            });
            let fault = match &inside {
                _ if is_hidden => None,
                None => Some("whose name is not valid UTF-8"),
                Some(_) => why_not_carried(&root, path, &entry)?,
            };
            if let Some(fault) = fault {
                let shown = inside.unwrap_or_else(|| below.to_string_lossy().into_owned());
                self.lose(format!("`{}`, {fault}", visible(&shown)));
            } else if let (Some(inside), Ok(entry)) = (&inside, &entry)
                && entry.file_type().is_file()
                && !is_hidden
                && path != except
            {
                self.copy(inside, path);
            }
            let is_dir = entry.as_ref().is_ok_and(|entry| entry.file_type().is_dir());
            if is_dir && (is_hidden || fault.is_some()) {
                walk.skip_current_dir();
            }
        }
        Ok(())
    }

    /// Replaces the constants of the problem in the texts below a folder.
    pub(super) fn fill_in(&mut self, folder: &str) {
        let below = format!("{folder}/");
        for (name, file) in &mut self.files {
            if let DraftText::In(path) = &file.content
                && name.starts_with(&below)
                && !self.additions.constants.is_empty()
                && let Ok(text) = plain_file::read(path)
            {
                let filled = self.additions.filled_in(text.clone());
                if filled != text {
                    file.content = DraftText::Here(filled);
                }
            }
        }
    }

    /// The name, or one with a number before its last dot that no other file has, in any case of letters.
    pub(super) fn free(&self, name: &str) -> String {
        let taken = |name: &str| {
            let folder = format!("{name}/").to_ascii_lowercase();
            let mut known = self.files.keys().map(|known| known.to_ascii_lowercase());
            known.any(|known| known == name.to_ascii_lowercase() || known.starts_with(&folder))
        };
        if !taken(name) {
            return name.to_owned();
        }
        let start = name.rfind('/').map_or(0, |slash| slash + 1);
        let dot = name[start..].rfind('.').filter(|dot| *dot > 0);
        let (stem, end) = name.split_at(dot.map_or(name.len(), |dot| start + dot));
        let numbered = (2_u64..).map(|number| format!("{stem}-{number}{end}"));
        let mut free = numbered.filter(|name| !taken(name));
        free.next().expect("some number is free")
    }

    fn add(&mut self, name: &str, content: DraftText, is_executable: bool) {
        if !is_safe(name) {
            self.lose(format!("`{}`, whose name is not safe in an archive", visible(name)));
            return;
        }
        self.files.insert(name.to_owned(), BundledFile { content, is_executable });
    }

    /// Writes the archive, in place of an existing file.
    pub(crate) fn write(&self, place: &Path) -> io::Result<()> {
        Self::write_all(&[("", self)], place)
    }

    /// Writes several archives as one, in place of an existing file: each below its folder, if the folder has a name.
    pub(crate) fn write_all(all: &[(&str, &Self)], place: &Path) -> io::Result<()> {
        whole_file::write_with(place, |file| {
            let mut archive = ZipWriter::new(io::BufWriter::new(file));
            for (folder, bundle) in all {
                let folder = if folder.is_empty() { String::new() } else { format!("{folder}/") };
                for (name, file) in &bundle.files {
                    file.write(&format!("{folder}{name}"), &mut archive)?;
                }
            }
            archive.finish()?.flush()
        })
    }
}

impl BundledFile {
    fn write<W: io::Write + io::Seek>(
        &self,
        name: &str,
        archive: &mut ZipWriter<W>,
    ) -> io::Result<()> {
        let mode = if self.is_executable { 0o755 } else { 0o644 };
        // A fixed time and mode: the same problem gives the same bytes.
        let options = SimpleFileOptions::default()
            .compression_method(CompressionMethod::Deflated)
            .last_modified_time(DateTime::default())
            .unix_permissions(mode);
        match &self.content {
            DraftText::Here(text) => {
                archive.start_file(name, options)?;
                archive.write_all(text)
            }
            DraftText::In(path) => {
                let unreadable = |error: io::Error| {
                    let shown = crate::notice::shown(path, None);
                    io::Error::new(error.kind(), format!("cannot read {shown}: {error}"))
                };
                let mut from = plain_file::open(path).map_err(unreadable)?;
                let is_large = from.metadata()?.len() > LARGE;
                archive.start_file(name, options.large_file(is_large))?;
                io::copy(&mut from, archive)?;
                Ok(())
            }
        }
    }
}

/// Whether no program that unpacks the archive writes this file outside its folder or under another name.
fn is_safe(name: &str) -> bool {
    let is_part = |part: &str| {
        !part.is_empty()
            && part != "."
            && part != ".."
            && !part.chars().any(|c| c.is_control() || "\\:*?\"<>|".contains(c))
    };
    name.len() < 1000 && name.split('/').all(is_part)
}

/// A name of letters, digits, `_`, `-` and `.`, which every system takes.
pub(crate) fn plain_name(name: &str) -> String {
    let clean = name.chars().map(|c| match c {
        '_' | '-' | '.' => c,
        c if c.is_ascii_alphanumeric() => c,
        _ => '_',
    });
    let clean: String = clean.take(100).collect();
    if clean.starts_with(['.', '-']) || clean.is_empty() { format!("_{clean}") } else { clean }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_files_give_the_same_bytes_whole_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let source = folder.path().join("source");
        std::fs::write(&source, "text").unwrap();
        let made = |names: [&str; 2]| {
            let mut bundle = Bundle::default();
            for name in names {
                bundle.put(name, name);
            }
            bundle.copy("copy", &source);
            let place = folder.path().join("made.zip");
            bundle.write(&place).unwrap();
            std::fs::read(place).unwrap()
        };
        let first = made(["a", "b/c"]);
        let old = std::fs::File::options().write(true).open(&source).unwrap();
        old.set_modified(std::time::UNIX_EPOCH).unwrap();
        assert_eq!(made(["b/c", "a"]), first);
        let mut broken = Bundle::default();
        broken.put("a", "other");
        broken.copy("b", &folder.path().join("missing"));
        assert!(broken.write(&folder.path().join("made.zip")).is_err());
        assert_eq!(std::fs::read(folder.path().join("made.zip")).unwrap(), first);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }

    #[test]
    fn unsafe_names_are_listed_and_names_are_unique() {
        let mut bundle = Bundle::default();
        for name in ["../x", "/x", "a//b", "a\\b", "a\nb", ".", ""] {
            bundle.put(name, "");
            assert!(!bundle.files.contains_key(name), "{name}");
        }
        assert_eq!(bundle.not_carried.len(), 7);
        bundle.put("a/Sum.cpp", "");
        assert_eq!(bundle.free("a/sum.cpp"), "a/sum-2.cpp");
        assert_eq!(bundle.free("a/other.cpp"), "a/other.cpp");
        assert_eq!(bundle.free("A"), "A-2");
        assert_eq!(plain_name("ä b/-.c"), "__b_-.c");
        assert_eq!(plain_name(".x"), "_.x");
    }
}
