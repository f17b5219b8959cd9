//! Sources that are no programs: other files of a program in C, C++ or Java, and unit tests.

use std::path::{Path, PathBuf};

use super::join::Joined;
use super::not_judged::LeftOvers;
use super::scope::Scope;
use super::source_texts::SourceTexts;

/// The endings of languages whose programs have a function `main`.
const WITH_MAIN: [&str; 6] = ["c", "cc", "cpp", "cxx", "c++", "java"];

impl LeftOvers {
    /// The sources of a problem without a function `main`, if another source has one.
    pub(super) fn parts_of_programs(
        &mut self,
        scope: &Scope,
        joined: &Joined,
        texts: &SourceTexts,
    ) -> Vec<PathBuf> {
        let sources: Vec<PathBuf> =
            joined.sources.iter().map(|source| scope.file(&source.file)).collect();
        if sources.len() < 2 {
            return Vec::new();
        }
        let (parts, programs): (Vec<PathBuf>, Vec<PathBuf>) =
            sources.into_iter().partition(|path| is_part(path, texts));
        if programs.is_empty() {
            return Vec::new();
        }
        for path in &parts {
            self.parts.insert(path.clone());
        }
        parts
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
