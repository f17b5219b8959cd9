//! The families of syntax: how their sources are read, and the rules by which they are changed. All of it is data.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::notice::{Code, Notice, nearest};

/// The built-in table.
const TABLE: &str = include_str!("mutations.toml");

/// The kind of a change. Of equal changes, the first kind counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum ChangeKind {
    Relation,
    Range,
    FirstValue,
    OffByOne,
    Arithmetic,
    Logic,
    MinMax,
    Absolute,
    Modulus,
    WideType,
    EarlyBreak,
    RemovedStatement,
}

impl ChangeKind {
    /// The kind in words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Self::Relation => "relation",
            Self::Range => "range",
            Self::FirstValue => "first value",
            Self::OffByOne => "off by one",
            Self::Arithmetic => "arithmetic",
            Self::Logic => "logic",
            Self::MinMax => "minimum or maximum",
            Self::Absolute => "absolute value",
            Self::Modulus => "modulus",
            Self::WideType => "wide type",
            Self::EarlyBreak => "early end of a loop",
            Self::RemovedStatement => "removed statement",
        }
    }
}

/// How raw texts are quoted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum RawTexts {
    #[default]
    None,
    /// `R"x(…)x"`.
    Paren,
    /// `r#"…"#`.
    Hash,
}

/// A family of syntax. The keys are explained in `mutations.toml`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a property of its own")]
pub(crate) struct SourceSyntax {
    pub(super) line_comments: Vec<String>,
    pub(super) block_comments: Vec<(String, String)>,
    pub(super) texts: Vec<String>,
    pub(super) plain_texts: Vec<String>,
    pub(super) chars: bool,
    pub(super) raw_texts: RawTexts,
    pub(super) preprocessor: bool,
    pub(super) brackets: bool,
    pub(super) macros: bool,
    pub(super) indented: bool,
    pub(super) loops: Vec<String>,
    pub(super) r#break: String,
    pub(super) nothing: String,
    pub(super) no_operands: Vec<String>,
    pub(super) kept: Vec<String>,
    pub(super) rules: BTreeMap<ChangeKind, Vec<(String, String)>>,
}

/// All families, by name.
pub(crate) struct SyntaxTable(toml::Table);

impl SyntaxTable {
    /// The built-in table.
    pub(crate) fn load() -> Self {
        Self(TABLE.parse().expect("the built-in table is well-formed"))
    }

    /// The family called `name`.
    pub(crate) fn get(&self, name: &str) -> Result<SourceSyntax, Notice> {
        let found = self.whole(name).ok_or_else(|| {
            let names = self.0.keys().map(String::as_str);
            let help = nearest(name, names).map_or_else(
                || {
                    let names: Vec<&str> = self.0.keys().map(String::as_str).collect();
                    format!("use one of `{}`", names.join("`, `"))
                },
                |near| format!("did you mean `{near}`?"),
            );
            Code::InvalidValue
                .says(format!("`mutations = \"{name}\"` names no family of syntax"))
                .help(help)
        })?;
        Ok(toml::Value::Table(found).try_into().expect("the built-in table is tested"))
    }

    /// The keys of a family, with those that it has from others.
    fn whole(&self, name: &str) -> Option<toml::Table> {
        let mut own = self.0.get(name)?.as_table()?.clone();
        match own.remove("like") {
            None => Some(own),
            Some(like) => Some(overlaid(self.whole(like.as_str()?)?, own)),
        }
    }
}

/// `base` with the keys of `over`; tables are merged.
fn overlaid(mut base: toml::Table, over: toml::Table) -> toml::Table {
    for (key, value) in over {
        let value = match (base.remove(&key), value) {
            (Some(toml::Value::Table(base)), toml::Value::Table(over)) => {
                toml::Value::Table(overlaid(base, over))
            }
            (_, value) => value,
        };
        base.insert(key, value);
    }
    base
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_family_is_well_formed_and_every_language_names_one() {
        let table = SyntaxTable::load();
        for name in table.0.keys() {
            let syntax = table.get(name).unwrap();
            assert!(!syntax.rules.is_empty(), "{name}");
            let rules = syntax.rules.values().flatten();
            for (from, to) in rules {
                assert!(!from.trim().is_empty() && from != to, "{name}: {from} {to}");
            }
        }
        let languages = crate::language::Languages::load(&BTreeMap::new()).unwrap();
        for language in languages.iter() {
            if let Some(name) = &language.mutations {
                assert!(table.get(name).is_ok(), "{}", language.id);
            }
        }
        let with = |id: &str| languages.get(id).unwrap().mutations.is_some();
        assert!(["c", "cpp", "python3", "java", "rust"].iter().all(|id| with(id)));
    }

    #[test]
    fn a_family_has_the_keys_of_the_one_that_it_is_like() {
        let java = SyntaxTable::load().get("java").unwrap();
        assert!(!java.preprocessor && java.brackets);
        assert!(java.rules.contains_key(&ChangeKind::Relation));
        let error = SyntaxTable::load().get("jav").unwrap_err();
        assert!(error.to_string().contains("did you mean `java`?"), "{error}");
    }
}
