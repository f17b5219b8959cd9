//! Words are for users: no function decides by the words of a message, and errors have types. Each name of a type means
//! one thing.

use std::collections::BTreeMap;
use std::path::Path;

use walkdir::WalkDir;

/// Functions that search a text or take it apart.
const SEARCHES: [&str; 10] = [
    "contains",
    "ends_with",
    "find",
    "rfind",
    "rsplit_once",
    "split",
    "split_once",
    "starts_with",
    "strip_prefix",
    "strip_suffix",
];

/// Words that formats outside rejudge define, with the file that reads them.
const FOREIGN: [(&str, &str); 27] = [
    ("language/main_class/elixir.rs", "defmodule "),
    ("language/main_class/elixir.rs", "def main"),
    ("judge/exception/shared_forms.rs", " panicked at "),
    ("judge/exception/shared_forms.rs", "thread '"),
    ("judge/exception/shared_forms.rs", "panic: "),
    ("judge/exception/shared_forms.rs", "Runtime error "),
    ("judge/exception/shared_forms.rs", " at $"),
    ("judge/exception/shared_forms.rs", " in "),
    ("judge/exception/shared_forms.rs", " at "),
    ("judge/exception/shared_forms.rs", " line "),
    ("judge/exception/shared_forms.rs", ": line "),
    ("judge/exception/shared_forms.rs", " failed."),
    ("judge/exception/shared_forms.rs", ": Assertion "),
    ("judge/exception/shared_forms.rs", "Exception in thread \\"),
    ("judge/exception/shared_forms.rs", "terminate called after throwing an instance of '"),
    ("judge/exception/shared_forms.rs", "Unhandled "),
    ("judge/exception/shared_forms.rs", " in thread "),
    ("checker/external.rs", "partially correct ("),
    ("checker/foreign.rs", "partial "),
    ("checker/foreign.rs", "points "),
    ("machine.rs", "model name"),
    ("machine/noise.rs", " kB"),
    ("bench/meter.rs", "valgrind: "),
    ("discover/join/words/pairs.rs", " (copy)"),
    ("discover/join/words/pairs.rs", " - copy"),
    ("upgrade/settings.rs", " and "),
    ("upgrade/folders.rs", "#include \\"),
];

/// Files whose functions still return a text as their error.
const TEXTS_AS_ERRORS: [&str; 0] = [];

/// Files that write `help:` themselves. Only `notice.rs` may do so for errors and warnings.
const HELPS: [&str; 8] = [
    "cli/stream.rs",
    "cli/verify/report.rs",
    // Not a message of rejudge, but added to those of a compiler.
    "compile/header.rs",
    "notice.rs",
    // The sandbox is below the notices.
    "facts.rs",
    "left_behind/beneath.rs",
    "linux/entry.rs",
    // The page of findings, in which the help is a paragraph of its own.
    "report/html/findings.rs",
];

/// The folders of the sources of rejudge.
const SOURCES: [&str; 7] = [
    "quantity/src",
    "statistics/src",
    "checktestdata/src",
    "problem/src",
    "sandbox/src",
    "check/src",
    "src",
];

/// The folders of all sources of the workspace.
pub(super) const WORKSPACE: [&str; 10] = [
    "quantity/src",
    "statistics/src",
    "checktestdata/src",
    "problem/src",
    "sandbox/src",
    "sandbox/examples",
    "check/src",
    "src",
    "../benches/src",
    "../benches/benches",
];

/// The code of every file in the folders that is not a test, without unit tests and comments, with its path below its
/// folder.
pub(super) fn sources(folders: &[&str]) -> Vec<(String, String)> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Vec::new();
    for root in folders.iter().map(|folder| package.join(folder)) {
        for entry in WalkDir::new(&root).sort_by_file_name() {
            let path = entry.unwrap().into_path();
            let below = path.strip_prefix(&root).unwrap().to_str().unwrap();
            if path.extension().is_none_or(|end| end != "rs") || below.contains("tests") {
                continue;
            }
            let text = std::fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
            if code.contains("#[test]") {
                continue;
            }
            let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
            sources.push((below.to_owned(), lines.collect::<Vec<_>>().join("\n")));
        }
    }
    assert!(sources.len() > 100);
    sources
}

/// Whether a text has words, and is not only a sign or the name of a key.
fn has_words(text: &str) -> bool {
    text.contains(' ') && text.contains(|c: char| c.is_alphabetic())
}

/// The texts with words that the code searches for.
fn searched(code: &str) -> Vec<&str> {
    let calls = SEARCHES.iter().flat_map(|search| {
        code.match_indices(search).filter_map(|(at, _)| {
            let is_method = code[..at].ends_with('.');
            let argument = code[at + search.len()..].strip_prefix("(\"")?;
            is_method.then(|| argument.split('"').next().unwrap())
        })
    });
    calls.filter(|text| has_words(text)).collect()
}

/// The number of types `Result<…, String>` in the code.
fn texts_as_errors(code: &str) -> usize {
    let results = code.match_indices("Result<").filter(|(at, start)| {
        let mut depth = 1;
        let rest = &code[at + start.len()..];
        let end = rest.find(|c| {
            depth += i32::from(c == '<') - i32::from(c == '>');
            depth == 0
        });
        rest[..end.unwrap_or(rest.len())].ends_with(", String")
    });
    results.count()
}

/// Whether a text in the code has a line that begins with `help:`.
fn has_help(code: &str) -> bool {
    code.match_indices("help: ").any(|(at, _)| {
        let before = &code[..at];
        let line = before.trim_end();
        before.ends_with('"') || line.ends_with("\\n") || line.ends_with("\\n\\")
    })
}

/// The types that the code declares. An associated type is not a declaration: its trait gives it its meaning.
fn types(code: &str) -> Vec<&str> {
    let declared = code.lines().filter_map(|line| {
        let item = line.trim_start();
        let is_public = item.starts_with("pub");
        let item = item.strip_prefix("pub").unwrap_or(item).trim_start();
        let item = item
            .strip_prefix('(')
            .and_then(|rest| rest.split_once(')'))
            .map_or(item, |(_, rest)| rest.trim_start());
        let (keyword, rest) = item.split_once(' ')?;
        let is_type = match keyword {
            "struct" | "enum" | "trait" | "union" => true,
            "type" => is_public || line == item,
            _ => false,
        };
        let name = rest.split(|c: char| !c.is_alphanumeric()).next()?;
        (is_type && name.starts_with(|c: char| c.is_ascii_uppercase())).then_some(name)
    });
    declared.collect()
}

#[test]
fn the_searches_find_what_they_look_for() {
    let code = "if why.ends_with(\" is ignored\") || name.contains(\".in\") { x.split(\" or \") }";
    assert_eq!(searched(code), [" is ignored", " or "]);
    let code = "fn a() -> Result<Result<u8, String>, E>; fn b() -> Result<Vec<String>, E>;";
    assert_eq!(texts_as_errors(code), 1);
    assert!(
        has_help("\"no `x`\\nhelp: write it\"") && has_help("\"no `x`\\n\\\n  help: write it\"")
    );
    assert!(!has_help("Notice { help: None }"));
    let code = "pub(super) struct A<'a>(u8);\n    enum B {\n    type C = u8;\npub type D = u8;\ntype E = u8;";
    assert_eq!(types(code), ["A", "B", "D", "E"]);
}

#[test]
fn each_type_has_a_name_of_its_own() {
    let sources = sources(&WORKSPACE);
    let mut places: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for (path, code) in &sources {
        for name in types(code) {
            places.entry(name).or_default().push(path);
        }
    }
    assert!(places.len() > 500);
    places.retain(|_, paths| paths.len() > 1);
    assert!(places.is_empty(), "{places:#?}");
}

#[test]
fn no_code_decides_by_the_words_of_a_message() {
    for (path, code) in sources(&SOURCES) {
        let found = searched(&code);
        let own = found.into_iter().filter(|text| !FOREIGN.contains(&(path.as_str(), *text)));
        assert_eq!(own.collect::<Vec<_>>(), [""; 0], "{path}");
    }
}

#[test]
fn no_message_has_its_help_inside() {
    let sources = sources(&SOURCES);
    let with_help = sources.iter().filter(|(_, code)| has_help(code));
    let mut paths: Vec<&str> = with_help.map(|(path, _)| path.as_str()).collect();
    let mut expected = HELPS;
    paths.sort_unstable();
    expected.sort_unstable();
    assert_eq!(paths, expected);
}

#[test]
fn no_function_returns_a_text_as_its_error() {
    for (path, code) in sources(&SOURCES) {
        let is_known = TEXTS_AS_ERRORS.contains(&path.as_str());
        assert_eq!(texts_as_errors(&code) > 0, is_known, "{path}");
    }
}
