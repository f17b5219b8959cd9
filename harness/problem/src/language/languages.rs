//! All languages: those of the table and those of the settings, and which of them a source is in.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::built_in::{BuiltIn, LazyLanguage};
use super::{Consent, Language, LanguageEntry, LanguageError, NotInstalled};
use crate::notice::{Code, nearest};

/// The number of bytes of a first line in which the name of an interpreter is looked for.
const LONGEST_INTERPRETER_LINE: u64 = 256;

/// The number of bytes of a source in which the marks of its language are looked for.
const LONGEST_HEAD: u64 = 64 << 10;

/// All languages, by id.
#[derive(Debug)]
pub struct Languages {
    all: BTreeMap<String, LazyLanguage>,
    extensions: BTreeMap<String, String>,
    /// By extension: the languages that take some of its sources.
    shared: BTreeMap<String, Vec<String>>,
    /// Languages and keys of the settings with command lines that run outside the sandbox.
    outside: Vec<(String, &'static str)>,
    /// Whether these may run.
    consent: Arc<AtomicBool>,
}

impl Languages {
    /// Loads the built-in table and applies `overrides`: single keys of a known id, or a new
    /// language. An override takes its extensions from built-in languages.
    pub fn load(overrides: &BTreeMap<String, LanguageEntry>) -> Result<Self, LanguageError> {
        let mut extensions = BTreeMap::new();
        let none = Vec::new();
        for (id, entry) in overrides {
            let own = entry.extensions.as_ref().unwrap_or(&none);
            claim(&mut extensions, id, own)?;
        }
        let overridden = extensions.clone();
        let (mut all, mut bases) = (BTreeMap::new(), BTreeMap::new());
        let mut shared = shared_by(overrides);
        for built_in in BuiltIn::all() {
            let own = overrides.get(built_in.id);
            if own.is_none_or(|own| own.shares.is_none()) {
                for extension in built_in.shares() {
                    // Who overrides the extension means every source with it.
                    if !overridden.contains_key(&extension) {
                        shared.entry(extension).or_default().push(built_in.id.to_owned());
                    }
                }
            }
            let mut list = built_in.extensions();
            if own.is_none_or(|own| own.extensions.is_none()) {
                list.retain(|one| !overridden.contains_key(one));
                claim(&mut extensions, built_in.id, &list)?;
            }
            if own.is_some() {
                let extensions = Some(list);
                let base = LanguageEntry { extensions, ..built_in.entry() };
                bases.insert(built_in.id, base);
            } else {
                all.insert(built_in.id.to_owned(), LazyLanguage::built_in(built_in, list));
            }
        }
        let (mut outside, consent) = (Vec::new(), Arc::new(AtomicBool::new(false)));
        for (id, entry) in overrides {
            let keys = [("version", &entry.version), ("resolve", &entry.resolve)];
            let set = keys.into_iter().filter(|(_, argv)| argv.is_some());
            let before = outside.len();
            outside.extend(set.map(|(key, _)| (id.clone(), key)));
            let base = bases.remove(id.as_str()).unwrap_or_default();
            let mut language = Language::from_entry(id, base.overlaid(entry.clone()))?;
            language.consent = (outside.len() > before).then(|| Consent {
                given: Arc::clone(&consent),
                without: NotInstalled::without_consent(&language.name),
            });
            all.insert(id.clone(), language.into());
        }
        Ok(Self { all, extensions, shared, outside, consent })
    }

    /// Permits to run the programs that `version` and `resolve` in the settings name, which run outside the sandbox. Before
    /// this call, nothing that the settings name runs.
    pub fn permit_outside(&self) {
        self.consent.store(true, Ordering::Relaxed);
    }

    /// The commands of the settings that run outside the sandbox, for a message; `None` if there
    /// are none.
    pub fn runs_outside(&self) -> Option<String> {
        let keys = self.outside.iter();
        let words: Vec<String> =
            keys.map(|(id, key)| format!("`{key}` of language `{id}`")).collect();
        (!words.is_empty()).then(|| words.join(", "))
    }

    /// The language with this id.
    pub fn get(&self, id: &str) -> Option<&Language> {
        self.all.get(id).map(LazyLanguage::get)
    }

    /// The language of files that end in `.extension`, as written or otherwise in lower case.
    pub fn by_extension(&self, extension: &str) -> Option<&Language> {
        let id = self
            .extensions
            .get(extension)
            .or_else(|| self.extensions.get(&extension.to_lowercase()))?;
        self.all.get(id).map(LazyLanguage::get)
    }

    /// The language of a source file, by its extension. If languages share the extension, the text decides.
    pub fn of_file(&self, path: &Path) -> Option<&Language> {
        let extension = path.extension()?.to_str()?;
        if self.sharers(extension).is_empty() || !path.is_file() {
            return self.by_extension(extension);
        }
        let mut head = Vec::new();
        let file = std::fs::File::open(path);
        // What cannot be read is reported when it is compiled.
        let _ = file.map(|file| file.take(LONGEST_HEAD).read_to_end(&mut head));
        self.of_text(extension, &head)
    }

    /// The language of a source with this extension and text.
    pub fn of_text(&self, extension: &str, text: &[u8]) -> Option<&Language> {
        let mut sharers = self.sharers(extension).iter().filter_map(|id| self.get(id));
        let is_of = |language: &&Language| {
            let mut lines = text.split(|byte| *byte == b'\n');
            lines.any(|line| language.marks.iter().any(|mark| line.starts_with(mark.as_bytes())))
        };
        sharers.find(is_of).or_else(|| self.by_extension(extension))
    }

    /// The id of the language of a source if its extension belongs to several languages.
    pub fn id_of_text(&self, extension: &OsStr, text: &[u8]) -> Option<String> {
        let extension = extension.to_str()?;
        if self.sharers(extension).is_empty() {
            return None;
        }
        Some(self.of_text(extension, text)?.id.clone())
    }

    /// The ids of the languages that take some of the sources with this extension.
    fn sharers(&self, extension: &str) -> &[String] {
        let of = |extension: &str| self.shared.get(extension);
        let found = of(extension).or_else(|| of(&extension.to_lowercase()));
        found.map_or(&[], Vec::as_slice)
    }

    /// The language that the first line of a script chooses, if it names an interpreter of one.
    fn by_interpreter(&self, path: &Path) -> Option<&Language> {
        // To open a pipe would wait for who writes to it.
        let file = path.is_file().then(|| std::fs::File::open(path).ok()).flatten()?;
        let mut head = Vec::new();
        file.take(LONGEST_INTERPRETER_LINE).read_to_end(&mut head).ok()?;
        let line = head.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
        let line = String::from_utf8_lossy(line);
        // `#!/usr/bin/env -S pypy3 -u`: the first word that is neither `env` nor an option.
        let mut words = line.split_whitespace().map(|word| word.rsplit('/').next().unwrap_or(word));
        let name = words.find(|word| *word != "env" && !word.starts_with('-'))?;
        self.iter().find(|language| language.interpreters.iter().any(|one| one == name))
    }

    /// The language of a program of a package: a source file, or a folder of sources in one
    /// language (C together with C++ is C++).
    pub fn of_program(&self, path: &Path) -> Result<&Language, UnclearLanguage> {
        if !path.is_dir() {
            let unknown = || UnclearLanguage::Unknown(path.to_path_buf());
            return self.by_interpreter(path).or_else(|| self.of_file(path)).ok_or_else(unknown);
        }
        let mut found: Vec<&Language> = Vec::new();
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            let language = self.of_file(&entry.path());
            let new = language.filter(|new| found.iter().all(|known| known.id != new.id));
            found.extend(new);
        }
        if found.len() == 2 && found.iter().all(|one| one.id == "c" || one.id == "cpp") {
            found.retain(|one| one.id == "cpp");
        }
        found.sort_by(|a, b| a.id.cmp(&b.id));
        match found.as_slice() {
            [only] => Ok(only),
            [] => Err(UnclearLanguage::NoSource),
            several => {
                Err(UnclearLanguage::Several(several.iter().map(|one| one.name.clone()).collect()))
            }
        }
    }

    /// The help for a word that is not the id of a language: the id that it may mean.
    pub fn help_for(&self, word: &str) -> String {
        let lower = word.to_lowercase();
        let named =
            |one: &&Language| one.name.to_lowercase() == lower || one.extensions.contains(&lower);
        let starts = |one: &&Language| !lower.is_empty() && one.id.starts_with(&lower);
        let ids = self.iter().map(|one| one.id.as_str());
        let by_name = self.iter().find(named);
        // Of `python2` and `python3`, the later one.
        let shortest =
            || self.iter().filter(starts).min_by_key(|one| (one.id.len(), Reverse(&one.id)));
        let found = by_name.or_else(shortest).map(|one| one.id.as_str());
        match found.or_else(|| nearest(word, ids)) {
            Some(id) => format!("did you mean `{id}`?"),
            None => "`rejudge languages` lists all languages".to_owned(),
        }
    }

    /// Every language, in the order of their ids.
    pub fn iter(&self) -> impl Iterator<Item = &Language> {
        self.all.values().map(LazyLanguage::get)
    }
}

/// Why a program of a package is not in one language.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnclearLanguage {
    /// The extension of the file is not known.
    #[error("`{}` is in no known language", .0.display())]
    Unknown(PathBuf),
    /// The folder has no source.
    #[error("it has no source file in a known language")]
    NoSource,
    /// The folder has sources in several languages; their names.
    #[error("it has sources in {}", .0.join(" and "))]
    Several(Vec<String>),
}

/// By extension: the languages of the settings that share it.
fn shared_by(overrides: &BTreeMap<String, LanguageEntry>) -> BTreeMap<String, Vec<String>> {
    let mut shared: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (id, entry) in overrides {
        for extension in entry.shares.iter().flatten() {
            shared.entry(extension.clone()).or_default().push(id.clone());
        }
    }
    shared
}

fn claim(
    extensions: &mut BTreeMap<String, String>,
    id: &str,
    claimed: &[String],
) -> Result<(), LanguageError> {
    for extension in claimed {
        if let Some(other) = extensions.insert(extension.clone(), id.to_owned())
            && other != id
        {
            return Err(Code::Conflict
                .says(format!("languages `{other}` and `{id}` both claim `.{extension}`"))
                .help("remove it from the `extensions` of one of them")
                .into());
        }
    }
    Ok(())
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
