//! The words of a source in Java or a similar language, without comments and literals.

/// The language whose comments and strings a source has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Literals {
    /// A comment ends at the first `*/`; a quote in a text block may be escaped.
    Java,
    /// Kotlin and Scala: comments nest; nothing is escaped in a string of three quotes, which may end with more of them.
    Raw,
}

/// Words and single punctuation marks, without comments, strings and characters.
pub(super) fn tokens(source: &str, literals: Literals) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            comment(rest, literals)
        } else if rest.starts_with(QUOTES) {
            block(rest, literals)
        } else if first == '"' || first == '\'' {
            literal(rest, first)
        } else if word(first) || first == '@' {
            let end = rest[first.len_utf8()..].find(|c| !word(c));
            let length = end.map_or(rest.len(), |end| end + first.len_utf8());
            tokens.push(&rest[..length]);
            length
        } else {
            let length = first.len_utf8();
            if !first.is_whitespace() {
                tokens.push(&rest[..length]);
            }
            length
        };
        rest = &rest[length..];
    }
    tokens
}

/// The mark of a string of several lines.
const QUOTES: &str = "\"\"\"";

/// The length of the comment that starts `text`.
fn comment(text: &str, literals: Literals) -> usize {
    let mut depth = 0_usize;
    let mut at = 0;
    while let Some(next) = text[at..].find(['/', '*']) {
        at += next;
        let is_start = text[at..].starts_with("/*") && (depth == 0 || literals == Literals::Raw);
        if is_start {
            depth += 1;
        } else if text[at..].starts_with("*/") {
            depth -= 1;
        } else {
            at += 1;
            continue;
        }
        at += 2;
        if depth == 0 {
            return at;
        }
    }
    text.len()
}

/// The length of the string with three quotes that starts `text`.
fn block(text: &str, literals: Literals) -> usize {
    let mut at = QUOTES.len();
    while let Some(next) = text[at..].find(['"', '\\']) {
        at += next;
        if literals == Literals::Java && text[at..].starts_with('\\') {
            at += 1;
            at += text[at..].chars().next().map_or(0, char::len_utf8);
        } else if text[at..].starts_with(QUOTES) {
            at += QUOTES.len();
            let more = text[at..].bytes().take_while(|byte| *byte == b'"');
            return at + if literals == Literals::Raw { more.count() } else { 0 };
        } else {
            at += 1;
        }
    }
    text.len()
}

/// The length of a literal on one line, quotes included.
fn literal(text: &str, quote: char) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' => return at,
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if c == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}
