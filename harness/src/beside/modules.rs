//! Languages whose sources name modules, which are files with a name made from that of the module.

use std::path::{Path, PathBuf};

use super::{PlaceFinder, after_word};

/// `import a.b, c` and `from .a import b` of Python: modules and packages, from the folder of the first source or, with a
/// dot, of this one.
pub(super) fn python(text: &str, finder: &PlaceFinder<'_>) -> Vec<PathBuf> {
    let mut places = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let mut statement = without_comment(line).to_owned();
        let is_import = statement.contains("import");
        while is_import && statement.contains('(') && !statement.contains(')') {
            let Some(next) = lines.next() else { break };
            statement.push_str(without_comment(next));
        }
        if !is_import {
            continue;
        }
        for part in statement.split([';', ':']) {
            let part = part.trim();
            if let Some(names) = after_word(part, "import") {
                for name in names.split(',') {
                    python_module(first_word(name), &[], finder, &mut places);
                }
            } else if let Some((module, names)) =
                after_word(part, "from").and_then(|rest| rest.split_once("import"))
            {
                let names: Vec<&str> =
                    names.split(|c: char| !is_part(c)).filter(|name| !name.is_empty()).collect();
                python_module(module.trim(), &names, finder, &mut places);
            } else if let Some((_, call)) =
                part.split_once("import_module(").or_else(|| part.split_once("__import__("))
            {
                let name = call.trim_start_matches(['"', '\'']);
                let end = name.find(['"', '\'']).unwrap_or(0);
                python_module(&name[..end], &[], finder, &mut places);
            }
        }
    }
    places
}

fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or(line)
}

fn first_word(text: &str) -> &str {
    text.split_whitespace().next().unwrap_or_default()
}

/// The text up to a word between blanks.
fn before_word<'a>(text: &'a str, word: &str) -> &'a str {
    let mut places = text.match_indices(word);
    let end = places.find(|(at, _)| {
        let after = &text[at + word.len()..];
        text[..*at].ends_with(char::is_whitespace) && !after.starts_with(is_part)
    });
    end.map_or(text, |(at, _)| &text[..at])
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Adds the places of a module, of the packages around it, and of those of its `names` that are modules too.
fn python_module(
    module: &str,
    names: &[&str],
    finder: &PlaceFinder<'_>,
    places: &mut Vec<PathBuf>,
) {
    let dotted = module.trim_start_matches('.');
    let dots = module.len() - dotted.len();
    let mut folder = match dots {
        0 => finder.top,
        _ => finder.folder(),
    };
    for _ in 1..dots {
        folder = folder.parent().unwrap_or(folder);
    }
    let mut add = |path: &Path| {
        places.push(path.join("__init__.py"));
        if path != folder {
            places.push(path.with_extension("py"));
        }
    };
    let mut path = folder.to_path_buf();
    if dots > 0 {
        add(&path);
    }
    for part in dotted.split('.').filter(|part| !part.is_empty()) {
        path.push(part);
        add(&path);
    }
    for name in names {
        add(&path.join(name));
    }
}

/// `import A.B` of Haskell.
pub(super) fn haskell(text: &str, finder: &PlaceFinder<'_>) -> Vec<PathBuf> {
    let mut places = Vec::new();
    for line in text.lines() {
        let Some(rest) = after_word(line.trim_start(), "import") else {
            continue;
        };
        let words = rest.split(|c: char| c.is_whitespace() || c == '(');
        let module = words.into_iter().find(|word| word.starts_with(char::is_uppercase));
        let Some(module) = module else { continue };
        let path = module.replace('.', "/");
        places.extend(["hs", "lhs"].map(|end| finder.at_top(&format!("{path}.{end}"))));
    }
    places
}

/// The statements that begin with one of the words, up to the first character that ends one.
fn statements<'a>(text: &'a str, words: &'a [&str], end: char) -> impl Iterator<Item = &'a str> {
    words.iter().flat_map(move |word| {
        text.match_indices(word).filter_map(move |(at, _)| {
            let after = &text[at + word.len()..];
            let is_whole = !text[..at].ends_with(is_part) && after.starts_with(char::is_whitespace);
            is_whole.then(|| after.split(end).next().unwrap_or(after))
        })
    })
}

/// `import a.b, c = d.e : f;` of D.
pub(super) fn d(text: &str, finder: &PlaceFinder<'_>) -> Vec<PathBuf> {
    let mut places = Vec::new();
    for statement in statements(text, &["import"], ';') {
        let modules = statement.split(':').next().unwrap_or_default();
        for module in modules.split(',') {
            let name = module.rsplit('=').next().unwrap_or(module).trim();
            let path = name.replace('.', "/");
            let ends = [".d", ".di", "/package.d"];
            places.extend(ends.map(|end| finder.at_top(&format!("{path}{end}"))));
        }
    }
    places
}

/// `with A.B;` of Ada, and the body of a specification.
pub(super) fn ada(text: &str, finder: &PlaceFinder<'_>) -> Vec<PathBuf> {
    let mut places = vec![finder.by.with_extension("adb")];
    let lower = text.to_lowercase();
    for statement in statements(&lower, &["with"], ';') {
        for unit in statement.split(',') {
            let name = unit.trim().replace('.', "-");
            places.extend(["ads", "adb"].map(|end| finder.at_top(&format!("{name}.{end}"))));
        }
    }
    places
}

/// `import a, b/c, d/[e, f]`, `from a import b` and `include a` of Nim.
pub(super) fn nim(text: &str, finder: &PlaceFinder<'_>) -> Vec<PathBuf> {
    let mut places = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let mut statement = without_comment(line).trim().to_owned();
        let (word, _) = statement.split_once(' ').unwrap_or((&statement, ""));
        if !["import", "from", "include"].contains(&word) {
            continue;
        }
        let is_open = |text: &str| {
            text.ends_with([',', '[']) || text == "import" || text == "include" || {
                text.matches('[').count() > text.matches(']').count()
            }
        };
        while is_open(&statement) {
            let Some(next) = lines.next() else { break };
            statement.push(' ');
            statement.push_str(without_comment(next).trim());
        }
        let (word, names) = statement.split_once(' ').unwrap_or((&statement, ""));
        let names = match word {
            "from" => before_word(names, "import"),
            _ => before_word(names, "except"),
        };
        let names = nim_names(names).into_iter();
        for name in names {
            places.push(finder.beside(&format!("{name}.nim")));
            places.push(finder.at_top(&format!("{name}.nim")));
            places.push(finder.beside(&name));
        }
    }
    places
}

/// `a, b/[c, d] as e` as `a`, `b/c`, `b/d`.
fn nim_names(text: &str) -> Vec<String> {
    let clean = |name: &str| {
        let name = before_word(name, "as");
        name.trim().trim_matches('"').to_owned()
    };
    let mut names = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = rest.find([',', '[']).unwrap_or(rest.len());
        let (name, after) = rest.split_at(end);
        if let Some(inner) = after.strip_prefix('[') {
            let (inner, after) = inner.split_once(']').unwrap_or((inner, ""));
            let inner = inner.split(',').map(clean);
            names.extend(inner.map(|inner| format!("{}{inner}", name.trim())));
            rest = after;
        } else {
            names.push(clean(name));
            rest = after.strip_prefix(',').unwrap_or_default();
        }
    }
    names.retain(|name| !name.is_empty());
    names
}

/// `uses a, b in 'x.pas';` and `{$I part.inc}` of Pascal.
pub(super) fn pascal(text: &str, finder: &PlaceFinder<'_>) -> Vec<PathBuf> {
    let mut places = Vec::new();
    let lower = text.to_ascii_lowercase();
    for (at, _) in lower.match_indices("uses") {
        let after = &text[at + "uses".len()..];
        if lower[..at].ends_with(is_part) || !after.starts_with(char::is_whitespace) {
            continue;
        }
        let units = after.split(';').next().unwrap_or_default();
        for unit in units.split(',') {
            if let Some(path) = unit.split('\'').nth(1) {
                places.push(finder.beside(&path.replace('\\', "/")));
            }
            let name = first_word(unit);
            for name in [name, &name.to_lowercase(), &name.to_uppercase()] {
                let files = ["pp", "pas"].map(|end| format!("{name}.{end}"));
                places.extend(files.iter().map(|name| finder.beside(name)));
                places.extend(files.iter().map(|name| finder.at_top(name)));
            }
        }
    }
    for directive in ["$i ", "$include "] {
        for (at, _) in lower.match_indices(directive) {
            let name = &text[at + directive.len()..];
            let end = name.find(['}', '*', '\n']).unwrap_or(name.len());
            let name = name[..end].trim().trim_matches('\'');
            let ends = ["", ".inc", ".pp", ".pas"];
            places.extend(ends.map(|end| finder.beside(&format!("{name}{end}"))));
        }
    }
    places
}

/// The classes that a Java source mentions: those of its folder, and those of packages below the first source. A first
/// source with a package finds none: its folder is not where packages begin.
pub(super) fn java(text: &str, finder: &PlaceFinder<'_>) -> Vec<PathBuf> {
    let mut places = Vec::new();
    let mut packages = vec![finder.folder().to_path_buf()];
    let mut names: Vec<&str> = Vec::new();
    for line in text.lines() {
        let line = line.split("//").next().unwrap_or(line).trim();
        if finder.is_first && after_word(line, "package").is_some() {
            return Vec::new();
        }
        if let Some(import) = after_word(line, "import") {
            let name = after_word(import, "static").unwrap_or(import).trim_end_matches(';').trim();
            let path = name.replace('.', "/");
            match path.strip_suffix("/*") {
                Some(package) => packages.push(finder.at_top(package)),
                None => places.push(finder.at_top(&format!("{path}.java"))),
            }
        }
        let words = line.split(|c: char| !is_part(c));
        names.extend(words.filter(|word| word.starts_with(char::is_uppercase)));
    }
    names.sort_unstable();
    names.dedup();
    for package in &packages {
        places.extend(names.iter().map(|name| package.join(format!("{name}.java"))));
    }
    places
}

/// `use A::B;` and `require A::B;` of Perl, below the first source or its `lib/`.
pub(super) fn perl(text: &str, finder: &PlaceFinder<'_>) -> Vec<PathBuf> {
    let mut places = Vec::new();
    for statement in statements(text, &["use", "require"], ';') {
        let name = first_word(statement);
        if name.starts_with(char::is_alphabetic) {
            let path = format!("{}.pm", name.replace("::", "/"));
            places.push(finder.at_top(&path));
            places.push(finder.at_top(&format!("lib/{path}")));
        }
    }
    places
}
