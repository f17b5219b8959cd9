//! The built-in table. Each of its languages is parsed when it is first needed: to parse all of them takes as long as to
//! find and read a small repository.

use std::sync::OnceLock;

use super::{Language, LanguageEntry};

const TABLE: &str = include_str!("../languages.toml");

/// The part of the table for one language.
#[derive(Debug, Clone, Copy)]
pub(super) struct BuiltIn {
    pub(super) id: &'static str,
    text: &'static str,
}

impl BuiltIn {
    /// Every language of the table.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        // Before the first one there are comments.
        TABLE.split("\n[").skip(1).map(|part| {
            let (id, text) = part.split_once("]\n").expect("a header is a line");
            Self { id, text }
        })
    }

    /// The extensions of its source files.
    pub(super) fn extensions(self) -> Vec<String> {
        let mut lines = self.text.lines();
        let list = lines.find_map(|line| list_of(line, "extensions"));
        list.expect("every language has a list of extensions in one line")
    }

    /// The extensions that it shares with another language: in the third line, or none.
    pub(super) fn shares(self) -> Vec<String> {
        let third = self.text.lines().nth(2);
        third.and_then(|line| list_of(line, "shares")).unwrap_or_default()
    }

    pub(super) fn entry(self) -> LanguageEntry {
        toml::from_str(self.text).expect("the built-in table is well-formed")
    }
}

/// The list of the key `key`, if the line has it. A list of strings in one line is the same in TOML and in JSON.
fn list_of(line: &str, key: &str) -> Option<Vec<String>> {
    let list = line.strip_prefix(key)?.trim_start_matches([' ', '=']);
    serde_json::from_str(list).ok()
}

/// A language that may still have to be parsed.
#[derive(Debug)]
pub(super) struct LazyLanguage {
    source: Option<(BuiltIn, Vec<String>)>,
    language: OnceLock<Language>,
}

impl LazyLanguage {
    /// A language of the table, with these extensions.
    pub(super) fn built_in(language: BuiltIn, extensions: Vec<String>) -> Self {
        Self { source: Some((language, extensions)), language: OnceLock::new() }
    }

    pub(super) fn get(&self) -> &Language {
        self.language.get_or_init(|| {
            let (built_in, extensions) = self.source.as_ref().expect("otherwise it is set");
            let entry = LanguageEntry { extensions: Some(extensions.clone()), ..built_in.entry() };
            Language::from_entry(built_in.id, entry).expect("the built-in table is valid")
        })
    }
}

impl From<Language> for LazyLanguage {
    fn from(language: Language) -> Self {
        Self { source: None, language: language.into() }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn the_parts_are_the_whole_table() {
        let table: BTreeMap<String, LanguageEntry> = toml::from_str(TABLE).unwrap();
        let parts = BuiltIn::all().map(|part| (part.id.to_owned(), part.entry()));
        assert_eq!(parts.collect::<BTreeMap<_, _>>(), table);
        for part in BuiltIn::all() {
            assert_eq!(Some(part.extensions()), table[part.id].extensions);
            assert_eq!(part.shares(), table[part.id].shares.clone().unwrap_or_default());
        }
    }
}
