//! Words are for users: no function decides by the words of a message, and errors have types.

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
const FOREIGN: [(&str, &str); 7] = [
    ("checker/external.rs", "partially correct ("),
    ("checker/foreign.rs", "partial "),
    ("machine.rs", "model name"),
    ("machine/noise.rs", " kB"),
    ("bench/meter.rs", "valgrind: "),
    ("discover/join/words.rs", " (copy)"),
    ("discover/join/words.rs", " - copy"),
];

/// Files whose functions still return a text as their error.
const TEXTS_AS_ERRORS: [&str; 0] = [];

/// The code of every file that is not a test, without unit tests and comments, with its path below `src`.
fn sources() -> Vec<(String, String)> {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut sources = Vec::new();
    for root in ["src", "sandbox/src"].map(|folder| package.join(folder)) {
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
            let lines = code
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"));
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

#[test]
fn the_searches_find_what_they_look_for() {
    let code = "if why.ends_with(\" is ignored\") || name.contains(\".in\") { x.split(\" or \") }";
    assert_eq!(searched(code), [" is ignored", " or "]);
    let code = "fn a() -> Result<Result<u8, String>, E>; fn b() -> Result<Vec<String>, E>;";
    assert_eq!(texts_as_errors(code), 1);
}

#[test]
fn no_code_decides_by_the_words_of_a_message() {
    for (path, code) in sources() {
        let found = searched(&code);
        let own = found
            .into_iter()
            .filter(|text| !FOREIGN.contains(&(path.as_str(), *text)));
        assert_eq!(own.collect::<Vec<_>>(), [""; 0], "{path}");
    }
}

#[test]
fn no_function_returns_a_text_as_its_error() {
    for (path, code) in sources() {
        let is_known = TEXTS_AS_ERRORS.contains(&path.as_str());
        assert_eq!(texts_as_errors(&code) > 0, is_known, "{path}");
    }
}
