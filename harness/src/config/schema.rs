//! The keys of `rejudge.toml` and the kinds of their values, as one table.
//!
//! It is checked before the settings are read, so that faults are reported in the words of the file, never in those of the
//! parser.

use std::ops::Range;

use toml::de::{DeTable, DeValue};

use crate::notice::{Code, Notice, nearest, visible};

/// What a value must be.
#[derive(Clone, Copy)]
enum ValueKind {
    Text,
    Texts,
    Number,
    Whole,
    Flag,
    /// Seconds, or a text with a unit.
    Time,
    /// MiB, or a text with a unit.
    Size,
    OneOf(&'static [&'static str]),
    /// A table with these keys.
    Table(&'static [KnownKey]),
    /// A table whose keys are names that the user chooses.
    Named(&'static ValueKind),
}

type KnownKey = (&'static str, ValueKind);

use ValueKind::{Flag, Named, Number, OneOf, Size, Table, Text, Texts, Time, Whole};

const ROOT: &[KnownKey] = &[
    ("languages", Named(&Table(LANGUAGE))),
    ("folders", Texts),
    ("include", Texts),
    ("template", Text),
    ("defaults", Table(DEFAULTS)),
    ("problems", Named(&Table(PROBLEM))),
    ("bench", Table(BENCH)),
    ("compile", Table(COMPILE)),
];

const DEFAULTS: &[KnownKey] = &[
    ("time_limit", Time),
    ("wall_limit", Time),
    ("memory_limit", Size),
    ("output_limit", Size),
    ("jobs", Whole),
    ("fail_fast", OneOf(&["never", "submission", "run"])),
    ("online_judge", Flag),
    ("checker", Text),
];

const PROBLEM: &[KnownKey] = &[
    ("time_limit", Time),
    ("wall_limit", Time),
    ("memory_limit", Size),
    ("output_limit", Size),
    ("checker", Text),
    ("interactor", Text),
    ("input_file", Text),
    ("output_file", Text),
];

const BENCH: &[KnownKey] = &[
    ("cases", Texts),
    ("runs", Whole),
    ("pairs", Whole),
    ("level", Number),
    ("threshold", Number),
    ("memory_threshold", Number),
    ("instructions_threshold", Number),
    ("floor_ms", Number),
    ("overrides", Named(&Table(OVERRIDE))),
];

const COMPILE: &[KnownKey] = &[("precompile", Flag), ("precompiled_size", Size)];

const OVERRIDE: &[KnownKey] = &[("threshold", Number), ("floor_ms", Number)];

const LANGUAGE: &[KnownKey] = &[
    ("name", Text),
    ("extensions", Texts),
    ("shares", Texts),
    ("marks", Texts),
    ("interpreters", Texts),
    ("compile", Texts),
    ("judge_flags", Texts),
    ("whole_program_flags", Texts),
    ("cms_flags", Texts),
    ("color_flags", Texts),
    ("success", Texts),
    ("debug", Texts),
    ("sanitize", Texts),
    ("run", Texts),
    ("version", Texts),
    ("resolve", Texts),
    ("watch", Texts),
    ("hello", Text),
    ("install", Text),
    (
        "source_name",
        OneOf(&["own", "fixed", "java", "kotlin", "scala", "erlang", "elixir", "haxe"]),
    ),
    ("stored_as", Text),
    ("all_sources", Flag),
    ("processes", Whole),
    ("time_factor", Number),
    ("mutations", Text),
    ("env", Named(&Text)),
];

/// A fault and its bytes in the text.
pub(super) type Fault = (Range<usize>, Notice);

/// Checks the keys and the kinds of all values; their ranges are checked when they are read.
pub(super) fn check(root: &DeTable<'_>) -> Result<(), Fault> {
    check_keys(root, ROOT)
}

fn check_keys(table: &DeTable<'_>, keys: &[KnownKey]) -> Result<(), Fault> {
    for (name, value) in table {
        let word = name.get_ref().as_ref();
        let Some((_, kind)) = keys.iter().find(|(known, _)| *known == word) else {
            return Err((name.span(), unknown(word, keys)));
        };
        check_value(word, value.get_ref(), value.span(), *kind)?;
    }
    Ok(())
}

fn check_value(
    name: &str,
    value: &DeValue<'_>,
    span: Range<usize>,
    kind: ValueKind,
) -> Result<(), Fault> {
    match (kind, value) {
        (Table(keys), DeValue::Table(table)) => return check_keys(table, keys),
        (Named(kind), DeValue::Table(table)) => {
            for (name, value) in table {
                check_value(name.get_ref(), value.get_ref(), value.span(), *kind)?;
            }
            return Ok(());
        }
        (Texts, DeValue::Array(list)) => {
            let text = |value: &DeValue<'_>| matches!(value, DeValue::String(_));
            return match list.iter().find(|one| !text(one.get_ref())) {
                Some(other) => Err((other.span(), mismatch(name, other.get_ref(), kind))),
                None => Ok(()),
            };
        }
        (OneOf(words), DeValue::String(text)) if words.contains(&text.as_ref()) => return Ok(()),
        (Text | Time | Size, DeValue::String(_))
        | (Flag, DeValue::Boolean(_))
        | (Whole | Number | Time | Size, DeValue::Integer(_))
        | (Number | Time, DeValue::Float(_)) => return Ok(()),
        _ => {}
    }
    Err((span, mismatch(name, value, kind)))
}

fn unknown(word: &str, keys: &[KnownKey]) -> Notice {
    let names: Vec<&str> = keys.iter().map(|(name, _)| *name).collect();
    let help = match nearest(word, names.iter().copied()) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("known keys: `{}`", names.join("`, `")),
    };
    Code::UnknownKey.says(format!("unknown key `{}`", visible(word))).help(help)
}

fn mismatch(name: &str, value: &DeValue<'_>, kind: ValueKind) -> Notice {
    let (name, expected) = (visible(name), described(kind));
    let message = format!("`{name}` must be {expected}, not {}", found(value));
    Notice { help: example(&name, kind), ..Code::InvalidValue.says(message) }
}

fn described(kind: ValueKind) -> String {
    match kind {
        Text => "a text in quotes".to_owned(),
        Texts => "a list of texts in quotes".to_owned(),
        Number => "a number".to_owned(),
        Whole => "a whole number".to_owned(),
        Flag => "`true` or `false`".to_owned(),
        Time => "a number of seconds, or a text with a unit".to_owned(),
        Size => "a whole number of MiB, or a text with a unit".to_owned(),
        OneOf(words) => format!("one of `{}`", words.join("`, `")),
        Table(_) | Named(_) => "a table".to_owned(),
    }
}

fn example(name: &str, kind: ValueKind) -> Option<String> {
    Some(match kind {
        Texts => format!("write `{name} = [\"first\", \"second\"]`"),
        Time => format!("write `{name} = 2`, `{name} = \"2s\"` or `{name} = \"500ms\"`"),
        Size => format!("write `{name} = 256` or `{name} = \"256M\"`"),
        Text => format!("write `{name} = \"…\"`"),
        Number | Whole | Flag | OneOf(_) | Table(_) | Named(_) => return None,
    })
}

/// A description of a value: the text `abc`, the number `2`, a table.
fn found(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => {
            let short: String = text.chars().take(40).collect();
            format!("the text `{}`", visible(&short))
        }
        DeValue::Integer(number) => format!("the number `{}`", number.as_str()),
        DeValue::Float(number) => format!("the number `{}`", number.as_str()),
        DeValue::Boolean(flag) => format!("`{flag}`"),
        DeValue::Datetime(_) => "a date".to_owned(),
        DeValue::Array(_) => "a list".to_owned(),
        DeValue::Table(_) => "a table".to_owned(),
    }
}
