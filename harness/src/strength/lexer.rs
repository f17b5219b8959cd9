//! Takes a source apart into tokens, as far as changes need that. Comments, texts and preprocessor lines are skipped.

use super::brackets;
use super::syntax::{RawTexts, SourceSyntax};
use super::token::{SourceToken, TokenSort};

/// Operators of several characters, the longest first.
const OPERATORS: [&str; 37] = [
    "<<=", ">>=", "<=>", "...", "..=", "..<", "===", "!==", "**=", "//=", "&&", "||", "==", "!=",
    "<=", ">=", "->", "=>", "::", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<",
    ">>", "..", "**", "//", ":=", "?.", "??",
];

/// The tokens of a source, in order.
pub(super) fn tokens(source: &str, syntax: &SourceSyntax) -> Vec<SourceToken> {
    let mut lexer = Lexer { source, syntax, at: 0, tokens: Vec::new() };
    while lexer.at < source.len() {
        lexer.next();
    }
    let mut tokens = lexer.tokens;
    if syntax.brackets {
        brackets::mark(source, &mut tokens);
    }
    tokens
}

struct Lexer<'a> {
    source: &'a str,
    syntax: &'a SourceSyntax,
    at: usize,
    tokens: Vec<SourceToken>,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.source[self.at..]
    }

    fn next(&mut self) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return;
        };
        if first.is_whitespace() {
            self.at += first.len_utf8();
        } else if let Some(length) = self.skipped() {
            self.at += length.max(1);
        } else if let Some(length) = self.quoted() {
            self.push(TokenSort::Text, length);
        } else if first.is_ascii_digit() {
            self.push(TokenSort::Number, number(rest, self.syntax.chars));
        } else if is_of_word(first) {
            self.word();
        } else if first == '\'' && self.syntax.chars {
            self.quote();
        } else {
            let sign = OPERATORS.iter().find(|sign| rest.starts_with(**sign));
            self.push(TokenSort::Sign, sign.map_or(first.len_utf8(), |sign| sign.len()));
        }
    }

    fn push(&mut self, sort: TokenSort, length: usize) {
        let start = self.at;
        // A quote that is never closed ends with the source.
        let mut end = (start + length).min(self.source.len());
        while !self.source.is_char_boundary(end) {
            end += 1;
        }
        self.tokens.push(SourceToken { sort, start, end });
        self.at = end;
    }

    /// The length of the comment or of the preprocessor line that starts here.
    fn skipped(&self) -> Option<usize> {
        let rest = self.rest();
        let starts = |start: &&String| rest.starts_with(start.as_str());
        if self.syntax.line_comments.iter().any(|start| starts(&start)) {
            return Some(rest.find('\n').unwrap_or(rest.len()));
        }
        let blocks = self.syntax.block_comments.iter();
        if let Some((start, end)) = blocks.clone().find(|(start, _)| starts(&start)) {
            let inside = &rest[start.len()..];
            let length = inside.find(end.as_str()).map(|at| at + end.len());
            return Some(start.len() + length.unwrap_or(inside.len()));
        }
        let line = self.source[..self.at].rsplit('\n').next();
        let starts_line = line.is_some_and(|line| line.trim().is_empty());
        (self.syntax.preprocessor && rest.starts_with('#') && starts_line)
            .then(|| preprocessor_line(rest))
    }

    /// The length of the text that starts here.
    fn quoted(&self) -> Option<usize> {
        let rest = self.rest();
        let plain = self.syntax.plain_texts.iter();
        if let Some(quote) = plain.clone().find(|quote| rest.starts_with(quote.as_str())) {
            let inside = &rest[quote.len()..];
            let length = inside.find(quote.as_str()).map(|at| at + quote.len());
            return Some(quote.len() + length.unwrap_or(inside.len()));
        }
        let mut quotes = self.syntax.texts.iter();
        let quote = quotes.find(|quote| rest.starts_with(quote.as_str()))?;
        Some(escaped(rest, quote))
    }

    fn word(&mut self) {
        let rest = self.rest();
        let mut length = rest.find(|c| !is_of_word(c)).unwrap_or(rest.len());
        let after = &rest[length..];
        if let Some(raw) = self.raw_text(&rest[..length], after) {
            return self.push(TokenSort::Text, length + raw);
        }
        let is_macro = after.starts_with(['!']) && !after.starts_with("!=");
        if self.syntax.macros && is_macro {
            length += 1;
        }
        self.push(TokenSort::Word, length);
    }

    /// The length of the raw text after its prefix.
    fn raw_text(&self, prefix: &str, after: &str) -> Option<usize> {
        let (inside, end) = match self.syntax.raw_texts {
            RawTexts::Paren if prefix.ends_with('R') => {
                let (mark, _) = after.strip_prefix('"')?.split_once('(')?;
                (mark.len() + 2, format!("){mark}\""))
            }
            RawTexts::Hash if ["r", "br", "cr"].contains(&prefix) => {
                let hashes = after.find(|c| c != '#')?;
                after[hashes..].strip_prefix('"')?;
                (hashes + 1, format!("\"{}", &after[..hashes]))
            }
            _ => return None,
        };
        let length = after[inside..].find(&end).map(|at| at + end.len());
        Some(inside + length.unwrap_or(after.len() - inside))
    }

    /// A character in quotes, or a lifetime.
    fn quote(&mut self) {
        let rest = self.rest();
        let mut inside = rest[1..].chars();
        let first = inside.next();
        let is_char = first == Some('\\') || inside.next() == Some('\'');
        if is_char {
            return self.push(TokenSort::Text, escaped(rest, "'"));
        }
        let name = rest[1..].find(|c| !is_of_word(c)).unwrap_or(rest.len() - 1);
        self.push(TokenSort::Word, 1 + name);
    }
}

fn is_of_word(c: char) -> bool {
    c == '_' || c == '$' || c.is_alphanumeric()
}

/// The length of a text with escapes. One of a single quote ends with its line.
fn escaped(rest: &str, quote: &str) -> usize {
    let mut at = quote.len();
    while let Some(c) = rest[at..].chars().next() {
        if rest[at..].starts_with(quote) {
            return at + quote.len();
        }
        if c == '\n' && quote.len() == 1 && quote != "`" {
            return at;
        }
        at += c.len_utf8();
        if c == '\\' {
            at += rest[at..].chars().next().map_or(0, char::len_utf8);
        }
    }
    rest.len()
}

/// The length of a line of the preprocessor, with those that continue it.
fn preprocessor_line(rest: &str) -> usize {
    let mut length = 0;
    for line in rest.split_inclusive('\n') {
        length += line.len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
    }
    length
}

/// The length of a number. `'` may separate digits, if it quotes characters too.
fn number(rest: &str, separator: bool) -> usize {
    let bytes = rest.as_bytes();
    let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_alphanumeric);
    let is_hexadecimal = rest.starts_with("0x") || rest.starts_with("0X");
    let mut at = 1;
    loop {
        let is_part = match bytes.get(at) {
            Some(b'_') => true,
            Some(b'.') => bytes.get(at + 1).is_some_and(u8::is_ascii_digit),
            Some(b'\'') => separator && digit(at + 1),
            Some(b'+' | b'-') => {
                !is_hexadecimal && matches!(bytes[at - 1], b'e' | b'E') && digit(at + 1)
            }
            Some(byte) => byte.is_ascii_alphanumeric(),
            None => false,
        };
        if !is_part {
            return at;
        }
        at += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::strength::syntax::SyntaxTable;

    fn split<'a>(family: &str, source: &'a str) -> Vec<&'a str> {
        let syntax = SyntaxTable::load().get(family).unwrap();
        let tokens = tokens(source, &syntax).into_iter();
        tokens
            .filter(|token| !matches!(token.sort, TokenSort::Text | TokenSort::Bracket))
            .map(|token| token.text(source))
            .collect()
    }

    #[test]
    fn comments_texts_and_preprocessor_lines_are_no_code() {
        let table: [(&str, &str, &[&str]); 14] = [
            ("c", "a // < b\n/* < \n */ c", &["a", "c"]),
            ("c", "  #define X a < b \\\n  < c\nd", &["d"]),
            ("c", "f(\"<\\\"<\", '<', '\\'')", &["f", "(", ",", ",", ")"]),
            ("c", "R\"x(< )\" < )x\" < a", &["<", "a"]),
            ("c", "1'000'000 + 0x1F-1 + 1e-9", &["1'000'000", "+", "0x1F", "-", "1", "+", "1e-9"]),
            ("c", "a<<=b>>c->d", &["a", "<<=", "b", ">>", "c", "->", "d"]),
            (
                "rust",
                "fn f<'a>(x: &'a str) {'<'}",
                &["fn", "f", "'a", "(", "x", ":", "&", "'a", "str", ")", "{", "}"],
            ),
            ("rust", "r#\"a < \" b\"# 0..10 x.0", &["0", "..", "10", "x", ".", "0"]),
            ("rust", "println!(\"<\"); a != b", &["println!", "(", ")", ";", "a", "!=", "b"]),
            ("python", "a = '''< \n <''' # <\nb = f\"{a<b}\"", &["a", "=", "b", "=", "f"]),
            ("python", "a //= 2 ** b", &["a", "//=", "2", "**", "b"]),
            ("java", "s = \"\"\"\n < \" \n\"\"\";", &["s", "=", ";"]),
            ("go", "a := `\\`; b", &["a", ":=", ";", "b"]),
            ("c", "\"never closed", &[]),
        ];
        for (family, source, expected) in table {
            assert_eq!(split(family, source), expected, "{source}");
        }
    }
}
