//! Sources that are no programs: other files of a program in C, C++ or Java, and unit tests.

use std::path::{Path, PathBuf};

use super::join::Joined;
use super::scope::Scope;
use super::source_texts::SourceTexts;
use super::{Finder, NotJudged, NotJudgedReason};
use crate::notice::Code;
use crate::problem::PACKAGE_PARTS;

/// The endings of languages whose programs have a function `main`.
const WITH_MAIN: [&str; 6] = ["c", "cc", "cpp", "cxx", "c++", "java"];

impl Finder<'_> {
    /// The sources of a problem without a function `main`, if another source has one.
    pub(super) fn parts_of_programs(&mut self, scope: &Scope, joined: &Joined) -> Vec<PathBuf> {
        let sources: Vec<PathBuf> =
            joined.sources.iter().map(|source| scope.file(&source.file)).collect();
        if sources.len() < 2 {
            return Vec::new();
        }
        let (parts, programs): (Vec<PathBuf>, Vec<PathBuf>) =
            sources.into_iter().partition(|path| is_part(path, &self.texts));
        if programs.is_empty() {
            return Vec::new();
        }
        for path in &parts {
            self.parts.insert(path.clone());
        }
        parts
    }

    /// Whether the command line names this file.
    pub(super) fn is_named(&self, path: &Path) -> bool {
        let mut paths = self.request.paths.iter();
        paths.any(|given| super::absolute(self.request.current, given) == path)
    }

    /// Notes the sources in a package's folder, and in folders there that the format does not know.
    pub(super) fn note_outside_submissions(&mut self, dir: &Path) {
        let is_known = |path: &Path| {
            let name = path.file_name().unwrap_or_default();
            PACKAGE_PARTS.iter().any(|known| *known == name)
        };
        let others = self.entries_where(dir, |path| !is_known(path));
        for path in others {
            let files =
                if path.is_dir() { self.entries_where(&path, Path::is_file) } else { vec![path] };
            let sources = files.into_iter().filter(|path| self.language(path).is_some());
            let sources: Vec<PathBuf> = sources.collect();
            self.outside_submissions.extend(sources);
        }
    }

    /// Reports these sources, in one line.
    pub(super) fn report_outside_submissions(&mut self) {
        let outside = std::mem::take(&mut self.outside_submissions);
        let outside: Vec<PathBuf> =
            outside.into_iter().filter(|path| !self.sources.contains(path.as_os_str())).collect();
        if outside.is_empty() {
            return;
        }
        let what = self.list(&outside);
        self.notices.warn_help(
            Code::NotJudged
                .says(format!("sources of packages outside `submissions/` are not judged: {what}")),
            "move a solution to the folder of its verdict, for example to `submissions/accepted/`",
        );
        let reason = NotJudgedReason::NotASolution;
        self.not_judged.extend(outside.into_iter().map(|path| NotJudged { path, reason }));
    }

    /// Reports the sources that are no programs, in one line.
    pub(super) fn report_parts(&mut self) {
        let parts = std::mem::take(&mut self.parts);
        let parts: Vec<PathBuf> =
            parts.into_iter().filter(|path| !self.sources.contains(path.as_os_str())).collect();
        if parts.is_empty() {
            return;
        }
        let what = self.list(&parts);
        self.notices.warn_help(
            Code::NotJudged
                .says(format!("sources without a `main` function are not judged: {what}")),
            "name such a file on the command line to judge it",
        );
        self.not_judged.extend(
            parts.into_iter().map(|path| NotJudged { path, reason: NotJudgedReason::NotASolution }),
        );
    }
}

/// Whether a source in a language whose programs have a `main` has none.
fn is_part(path: &Path, texts: &SourceTexts) -> bool {
    let end = path.extension().and_then(|end| end.to_str());
    if !end.is_some_and(|end| WITH_MAIN.contains(&end)) {
        return false;
    }
    let text = texts.of(path);
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let mut words = text.split(|byte| !is_word(*byte));
    !text.is_empty() && !words.any(|word| word == b"main")
}
