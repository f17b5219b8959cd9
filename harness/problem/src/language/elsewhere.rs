//! How other judges compile and run a language, and what surprises in it: read only if somebody asks.

use std::collections::BTreeMap;

use serde::Deserialize;

const TABLE: &str = include_str!("elsewhere.toml");

/// What is known of a language beyond its own settings.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Elsewhere {
    /// What surprises in it, each in a sentence or two.
    #[serde(default)]
    pub traps: Vec<String>,
    /// How other judges compile and run it.
    #[serde(default)]
    pub judges: Vec<OtherJudge>,
}

/// How a judge compiles and runs a language.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OtherJudge {
    /// The name of the judge.
    pub judge: String,
    /// The version of the compiler or interpreter, if the source states it.
    pub version: Option<String>,
    /// The extensions of source files, without the dot.
    #[serde(default)]
    pub extensions: Vec<String>,
    /// The compiler's command line.
    pub compile: Option<String>,
    /// The program's command line; `None`: the compiled program alone.
    pub run: Option<String>,
    /// Where this is stated.
    pub source: String,
    /// The date of that statement: a year, or more exactly.
    pub date: String,
}

/// What is known of the language with this id.
///
/// # Panics
/// If the table, which is part of the program, is not well-formed.
pub fn elsewhere(id: &str) -> Elsewhere {
    let mut all: BTreeMap<String, Elsewhere> =
        toml::from_str(TABLE).expect("the table of other judges is well-formed");
    all.remove(id).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::super::Languages;
    use super::*;

    #[test]
    fn every_entry_is_about_a_language_of_the_table_and_says_where_it_is_from() {
        let languages = Languages::load(&BTreeMap::new()).unwrap();
        let all: BTreeMap<String, Elsewhere> = toml::from_str(TABLE).unwrap();
        for (id, known) in all {
            assert!(languages.get(&id).is_some(), "{id}");
            for judge in known.judges {
                assert!(judge.source.starts_with("https://"), "{id}: {judge:?}");
                assert!(judge.date.starts_with("20"), "{id}: {judge:?}");
                assert!(judge.compile.is_some() || judge.run.is_some(), "{id}: {judge:?}");
            }
            for trap in known.traps {
                assert!(trap.ends_with('.'), "{id}: {trap}");
            }
        }
    }
}
