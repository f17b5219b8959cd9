//! The words of a source in Java or a similar language, without comments and literals.

/// Words and single punctuation marks, without comments, strings and characters.
pub(super) fn tokens(source: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = source;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if let Some(after) = rest.strip_prefix("/*") {
            after.find("*/").map_or(rest.len(), |end| end + 4)
        } else if let Some(after) = rest.strip_prefix("\"\"\"") {
            after.find("\"\"\"").map_or(rest.len(), |end| end + 6)
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
