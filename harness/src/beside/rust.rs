//! `mod x;`, `#[path = "x.rs"]` and `include!("x.rs")` of Rust.

use std::path::PathBuf;

use super::{PlaceFinder, normal};

/// The places of the modules and of the included files.
pub(super) fn places(text: &str, finder: &PlaceFinder<'_>) -> Vec<PathBuf> {
    let mut places = Vec::new();
    // The folder of the modules of this file: its own, or that with its name.
    let stem = finder.by.file_stem().unwrap_or_default();
    let own = if finder.is_first || stem == "mod" {
        finder.folder().to_path_buf()
    } else {
        finder.folder().join(stem)
    };
    let mut open: Vec<Option<&str>> = Vec::new();
    let mut tokens = RustTokens { rest: text }.peekable();
    while let Some(token) = tokens.next() {
        match token {
            "mod" => {
                let Some(name) = tokens.next() else { break };
                let name = name.strip_prefix("r#").unwrap_or(name);
                match tokens.next() {
                    Some("{") => open.push(Some(name)),
                    Some(";") => {
                        let inner = open.iter().flatten();
                        let folder = inner.fold(own.clone(), |folder, name| folder.join(name));
                        places.push(folder.join(format!("{name}.rs")));
                        places.push(folder.join(name).join("mod.rs"));
                    }
                    _ => {}
                }
            }
            "{" => open.push(None),
            "}" => drop(open.pop()),
            "path" | "include" => {
                // `= "…"` or `!("…")`.
                let is_between = |token: &&str| ["=", "!", "(", "[", "{"].contains(token);
                while tokens.next_if(is_between).is_some() {}
                let name = tokens.peek().and_then(|text| text.strip_prefix('"'));
                if let Some(name) = name.and_then(|text| text.strip_suffix('"')) {
                    places.push(finder.beside(name));
                    places.push(normal(&own.join(name)));
                }
            }
            _ => {}
        }
    }
    places
}

/// Words, texts in quotes and single characters, without comments.
struct RustTokens<'a> {
    rest: &'a str,
}

impl<'a> Iterator for RustTokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        loop {
            self.rest = self.rest.trim_start();
            let end = if self.rest.starts_with("//") {
                self.rest.find('\n')
            } else if self.rest.starts_with("/*") {
                self.rest.find("*/").map(|at| at + 2)
            } else {
                break;
            };
            self.rest = &self.rest[end.unwrap_or(self.rest.len())..];
        }
        let first = self.rest.chars().next()?;
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '#';
        let length = if first == '"' {
            text_in_quotes(self.rest)
        } else if is_part(first) && first != '#' {
            self.rest.find(|c| !is_part(c)).unwrap_or(self.rest.len())
        } else if self.rest.starts_with("'\"'")
            || self.rest.starts_with("'{'")
            || self.rest.starts_with("'}'")
        {
            3
        } else {
            first.len_utf8()
        };
        let (token, rest) = self.rest.split_at(length);
        self.rest = rest;
        Some(token)
    }
}

/// The length of the text in quotes at the start.
fn text_in_quotes(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}
