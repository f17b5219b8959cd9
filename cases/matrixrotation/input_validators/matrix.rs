//! Checks an input of Matrix Layer Rotation: exit 42 if the statement allows it; otherwise exit 43, with
//! the line and the reason on standard error.
//!
//! Stricter than the solutions: single blanks, no blank at the end of a line, `\n` after every line,
//! nothing after the last line.

use std::io::Read;

struct Lines<'a> {
    rest: &'a [u8],
    line: usize,
}

impl<'a> Lines<'a> {
    /// The words of the next line, which must have `count` words.
    fn words(&mut self, count: usize) -> Result<impl Iterator<Item = &'a [u8]>, String> {
        self.line += 1;
        let line = self.line;
        let end = self.rest.iter().position(|&b| b == b'\n').ok_or_else(|| match self.rest {
            [] => format!("line {line}: the line is missing"),
            _ => format!("line {line}: the newline is missing"),
        })?;
        let (text, rest) = self.rest.split_at(end);
        self.rest = &rest[1..];
        if let Some(byte) = text.iter().find(|b| !matches!(b, b'0'..=b'9' | b'-' | b' ')) {
            return Err(format!("line {line}: `{}` is not allowed", byte.escape_ascii()));
        }
        let found = text.split(|&b| b == b' ').count();
        if text.split(|&b| b == b' ').any(<[u8]>::is_empty) {
            return Err(format!("line {line}: an empty line or an extra blank"));
        }
        if found != count {
            return Err(format!("line {line}: expected {count} numbers, found {found}"));
        }
        Ok(text.split(|&b| b == b' '))
    }

    fn number(&self, word: &[u8], low: i128, high: i128) -> Result<i128, String> {
        let text = String::from_utf8_lossy(word);
        let digits = text.strip_prefix('-').unwrap_or(&text);
        if (digits.starts_with('0') && text != "0") || digits.len() > 20 {
            return Err(format!(
                "line {}: `{text}` has leading zeros or too many digits",
                self.line
            ));
        }
        let value = text
            .parse::<i128>()
            .map_err(|_| format!("line {}: `{text}` is not a number", self.line))?;
        if !(low..=high).contains(&value) {
            return Err(format!("line {}: {value} is not from {low} to {high}", self.line));
        }
        Ok(value)
    }
}

fn check(input: &[u8]) -> Result<(), String> {
    let mut lines = Lines { rest: input, line: 0 };
    let head: Vec<&[u8]> = lines.words(3)?.collect();
    let rows = lines.number(head[0], 1, 4_000_000)?;
    let columns = lines.number(head[1], 1, 4_000_000 / rows)?;
    lines.number(head[2], 0, 1_000_000_000_000_000_000)?;
    for _ in 0..rows {
        for word in lines.words(columns as usize)? {
            lines.number(word, i64::MIN.into(), i64::MAX.into())?;
        }
    }
    if lines.rest.is_empty() {
        Ok(())
    } else {
        Err(format!("line {}: text after {rows} rows", lines.line + 1))
    }
}

fn main() {
    let mut input = Vec::new();
    let verdict = std::io::stdin()
        .read_to_end(&mut input)
        .map_err(|error| error.to_string())
        .and_then(|_| check(&input));
    std::process::exit(match verdict {
        Ok(()) => 42,
        Err(reason) => {
            eprintln!("{reason}");
            43
        }
    });
}
