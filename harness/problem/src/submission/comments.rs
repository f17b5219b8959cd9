//! Comments in sources, of any language whose file extension is known.

use std::path::Path;

/// How a language writes comments and texts.
#[derive(Debug, Clone, Copy)]
struct Style {
    /// The starts of comments that end with the line.
    line: &'static [&'static str],
    /// The starts and ends of other comments.
    block: &'static [(&'static str, &'static str)],
    /// Whether texts may also be in single quotes. Otherwise a single quote only starts a character.
    single_quotes: bool,
}

const C: Style = Style { line: &["//"], block: &[("/*", "*/")], single_quotes: false };
const JAVASCRIPT: Style = Style { single_quotes: true, ..C };
const PHP: Style = Style { line: &["//", "#"], ..JAVASCRIPT };
const PASCAL: Style =
    Style { line: &["//"], block: &[("{", "}"), ("(*", "*)")], single_quotes: true };
const HASH: Style = Style { line: &["#"], block: &[], single_quotes: true };
const HASKELL: Style = Style { line: &["--"], block: &[("{-", "-}")], single_quotes: false };
const LUA: Style = Style { line: &["--"], block: &[("--[[", "]]")], single_quotes: true };

/// The style for a file extension.
fn style_of(extension: &str) -> Option<Style> {
    Some(match extension {
        "c" | "cc" | "cpp" | "cxx" | "c++" | "h" | "hpp" | "java" | "rs" | "go" | "cs" | "kt"
        | "scala" | "d" | "swift" => C,
        "js" | "mjs" | "cjs" | "ts" | "dart" => JAVASCRIPT,
        "php" => PHP,
        "pas" | "pp" | "dpr" => PASCAL,
        "py" | "py2" | "py3" | "pyy" | "rb" | "pl" | "pm" | "sh" | "awk" | "nim" | "jl" | "cr" => {
            HASH
        }
        "hs" => HASKELL,
        "lua" => LUA,
        _ => return None,
    })
}

/// The text with a blank in the place of each comment. A source in an unknown language is returned as it is.
pub fn blanked(text: &str, path: &Path) -> String {
    let extension = path.extension().unwrap_or_default().to_string_lossy();
    match style_of(&extension.to_ascii_lowercase()) {
        Some(style) => without_comments(text, style),
        None => text.to_owned(),
    }
}

fn without_comments(text: &str, style: Style) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let length = match next {
            '"' => quoted(rest, '"'),
            '\'' if style.single_quotes => quoted(rest, '\''),
            '\'' => character(rest),
            _ => {
                if let Some(length) = comment(rest, style) {
                    kept.push(' ');
                    rest = &rest[length..];
                    continue;
                }
                next.len_utf8()
            }
        };
        kept.push_str(&rest[..length]);
        rest = &rest[length..];
    }
    kept
}

/// The length of the comment at the start of `text`, if there is one. The end of a line is not part of it.
fn comment(text: &str, style: Style) -> Option<usize> {
    for (start, end) in style.block {
        if let Some(inside) = text.strip_prefix(start) {
            let length = inside.find(end).map(|at| start.len() + at + end.len());
            return Some(length.unwrap_or(text.len()));
        }
    }
    let is_line = style.line.iter().any(|start| text.starts_with(start));
    is_line.then(|| text.find('\n').unwrap_or(text.len()))
}

/// The length of the text in quotes at the start, which ends in the same line.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of the character in single quotes at the start, or of the single quote alone: Rust's lifetimes start with
/// one.
fn character(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    let escaped = matches!(chars.next(), Some((_, '\\')));
    if escaped {
        chars.next();
    }
    match chars.next() {
        Some((at, '\'')) => at + 1,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_comments_are_blanked() {
        let table = [
            ("a.cpp", "int x; // \"a.in\"\ny", "int x;  \ny"),
            ("a.cpp", "/* freopen(\"a.in\")\n*/ x", "  x"),
            ("a.cpp", "f(\"http://x\"); g('\"'); // h", "f(\"http://x\"); g('\"');  "),
            ("a.cpp", "f(\"a\\\"//\"); g('\\''); /*", "f(\"a\\\"//\"); g('\\'');  "),
            ("a.cpp", "#define IN \"a.in\"", "#define IN \"a.in\""),
            ("a.rs", "fn f<'a>(x: &'a str) {} // y", "fn f<'a>(x: &'a str) {}  "),
            ("a.py", "open('a#.in') # open('b.in')\nx", "open('a#.in')  \nx"),
            ("a.pas", "assign(f, 'a.in'); { 'b' } (* c *) // d", "assign(f, 'a.in');      "),
            ("a.hs", "f {- \"x\" -} -- y\nfoldl' z", "f    \nfoldl' z"),
            ("a.unknown", "# // x", "# // x"),
        ];
        for (name, text, expected) in table {
            assert_eq!(blanked(text, Path::new(name)), expected, "{text}");
        }
    }
}
