//! Languages whose sources name others as texts in quotes, after a certain word: `require('./x')`, `include "x.php"`.

use std::path::PathBuf;

use super::{PlaceFinder, Syntax};

/// A text in quotes after a word that names a file.
struct QuotedName<'a> {
    word: &'a str,
    text: &'a str,
}

/// The places of everything that the text names.
pub(super) fn of(syntax: Syntax, text: &str, finder: &PlaceFinder<'_>) -> Vec<PathBuf> {
    let words = words(syntax);
    let named = quoted_after(text, words);
    let mut places: Vec<PathBuf> =
        named.iter().flat_map(|name| places_of(syntax, name, finder)).collect();
    if syntax == Syntax::Prolog {
        places.extend(prolog_atoms(text).flat_map(|atom| prolog(atom, finder)));
    }
    places
}

fn words(syntax: Syntax) -> &'static [&'static str] {
    match syntax {
        Syntax::JavaScript | Syntax::TypeScript => &["require", "import", "from"],
        Syntax::Ruby => &["require", "require_relative", "load"],
        Syntax::Perl => &["require", "do"],
        Syntax::Php => &["include", "include_once", "require", "require_once"],
        Syntax::Lua => &["require", "dofile", "loadfile"],
        Syntax::Zig => &["import"],
        Syntax::Julia | Syntax::Fortran => &["include", "INCLUDE"],
        Syntax::R => &["source"],
        Syntax::Lisp => &["load"],
        Syntax::Prolog => &["consult", "ensure_loaded", "include", "use_module"],
        _ => &[],
    }
}

fn places_of(syntax: Syntax, name: &QuotedName<'_>, finder: &PlaceFinder<'_>) -> Vec<PathBuf> {
    let text = name.text;
    let is_relative = text.starts_with("./") || text.starts_with("../");
    let beside = |ends: &[&str]| -> Vec<PathBuf> {
        let names = ends.iter().map(|end| finder.beside(&format!("{text}{end}")));
        names.collect()
    };
    match syntax {
        // Other names are those of packages.
        Syntax::JavaScript | Syntax::TypeScript if !is_relative => Vec::new(),
        Syntax::JavaScript => beside(&["", ".js", "/index.js"]),
        Syntax::TypeScript => {
            let stem = text.strip_suffix(".js").unwrap_or(text);
            let source = finder.beside(&format!("{stem}.ts"));
            [vec![source], beside(&["", ".js", "/index.ts"])].concat()
        }
        Syntax::Ruby if name.word == "require_relative" => beside(&["", ".rb"]),
        // The working folder is not in the search path.
        Syntax::Ruby if name.word == "require" && !is_relative => Vec::new(),
        Syntax::Ruby => vec![finder.at_top(text), finder.at_top(&format!("{text}.rb"))],
        Syntax::Lua if name.word == "require" => {
            let path = text.replace('.', "/");
            let ends = [".lua", "/init.lua"].iter();
            ends.map(|end| finder.at_top(&format!("{path}{end}"))).collect()
        }
        // `include` looks in the working folder, then next to the source; `__DIR__ . '/x'` is next to it too.
        Syntax::Php => vec![finder.at_top(text), finder.beside(text)],
        Syntax::Lua | Syntax::Perl | Syntax::R => vec![finder.at_top(text)],
        Syntax::Lisp => vec![finder.at_top(text), finder.at_top(&format!("{text}.lisp"))],
        Syntax::Prolog => prolog(text, finder),
        _ => beside(&[""]),
    }
}

fn prolog(name: &str, finder: &PlaceFinder<'_>) -> Vec<PathBuf> {
    let ends = ["", ".pl", ".prolog"].iter();
    ends.map(|end| finder.beside(&format!("{name}{end}"))).collect()
}

/// The atoms without quotes of directives: `:- [x, y].` and `:- use_module(x).`
fn prolog_atoms(text: &str) -> impl Iterator<Item = &str> {
    let directives = text.lines().filter_map(|line| line.trim_start().strip_prefix(":-"));
    let parts =
        directives.flat_map(|line| line.split(|c: char| !(c.is_alphanumeric() || c == '_')));
    parts.filter(|atom| atom.starts_with(char::is_lowercase))
}

/// The texts in quotes that follow one of the words in its line, up to the end of the statement.
fn quoted_after<'a>(text: &'a str, words: &[&'a str]) -> Vec<QuotedName<'a>> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for line in text.lines() {
        let is_comment = ["//", "#", "--", "%", ";", "!"]
            .iter()
            .any(|start| line.trim_start().starts_with(start));
        if is_comment {
            continue;
        }
        for word in words {
            for (at, _) in line.match_indices(word) {
                let after = &line[at + word.len()..];
                if line[..at].ends_with(is_part) || after.starts_with(is_part) {
                    continue;
                }
                let names = quoted(after);
                found.extend(names.into_iter().map(|text| QuotedName { word, text }));
            }
        }
    }
    found
}

/// The texts in quotes up to a semicolon.
fn quoted(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['"', '\'', '`', ';']) {
        let (quote, inside) = rest[at..].split_at(1);
        if quote == ";" {
            break;
        }
        let Some(end) = inside.find(quote) else { break };
        found.push(&inside[..end]);
        rest = &inside[end + 1..];
    }
    found
}
