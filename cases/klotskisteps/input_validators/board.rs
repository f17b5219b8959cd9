//! Checks an input: exit 42 if the statement allows it; otherwise exit 43, with the line and the
//! reason on standard error. The limit of ten million states is not checked, since that takes a search.

use std::collections::BTreeMap;
use std::io::Read;

const MAX_SIDE: usize = 8;
const MAX_LABEL: usize = 100;

fn main() {
    let mut input = Vec::new();
    if let Err(error) = std::io::stdin().read_to_end(&mut input) {
        eprintln!("error: {error}");
        std::process::exit(1);
    }
    match validate(&input) {
        Ok(()) => std::process::exit(42),
        Err(reason) => {
            eprintln!("{reason}");
            std::process::exit(43);
        }
    }
}

/// The error starts with the line.
pub fn validate(input: &[u8]) -> Result<(), String> {
    let text = printable(input)?;
    let Some(body) = text.strip_suffix('\n') else {
        return Err("end: the last line does not end with a newline".to_string());
    };
    let mut lines = Lines { lines: body.split('\n'), number: 0 };
    let [rows, cols] = lines.pair("`m n`")?;
    for side in [rows, cols] {
        if !(1..=MAX_SIDE).contains(&side) {
            return lines.error(&format!("invalid side {side}: expected 1 to {MAX_SIDE}"));
        }
    }
    let mut blocks: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for row in 0..rows {
        let words = lines.words("a row of the board")?;
        if words.len() != cols {
            return lines.error(&format!("expected {cols} cells, found {}", words.len()));
        }
        for (col, word) in words.iter().enumerate() {
            if word.len() > MAX_LABEL {
                return lines.error(&format!(
                    "a word of {} characters: at most {MAX_LABEL} are allowed",
                    word.len()
                ));
            }
            if word.bytes().any(|byte| byte != b'.') {
                blocks.entry(word.clone()).or_default().push(row * cols + col);
            }
        }
    }
    for (label, cells) in &blocks {
        if !connected(cells, cols) {
            return lines.error(&format!("the cells of `{label}` are not connected"));
        }
    }
    let target = lines.words("the target")?;
    if target.len() != 1 || !blocks.contains_key(&target[0]) {
        return lines.error(&format!("`{}` is not a block of the board", target.join(" ")));
    }
    let [row, col] = lines.pair("`r c`")?;
    if row >= rows || col >= cols {
        return lines.error(&format!("the goal ({row},{col}) is off the board"));
    }
    match lines.next() {
        Some(_) => lines.error("text after the goal"),
        None => Ok(()),
    }
}

/// The input as text, if it consists of printable ASCII, spaces and newlines.
fn printable(input: &[u8]) -> Result<&str, String> {
    let wrong = input.iter().position(|&byte| byte != b'\n' && !(b' '..=b'~').contains(&byte));
    if let Some(at) = wrong {
        let line = 1 + input[..at].iter().filter(|&&byte| byte == b'\n').count();
        return Err(format!("line {line}: byte {:#04x} is not printable ASCII", input[at]));
    }
    std::str::from_utf8(input).map_err(|error| error.to_string())
}

struct Lines<'a> {
    lines: std::str::Split<'a, char>,
    number: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Option<&'a str> {
        self.number += 1;
        self.lines.next()
    }

    fn error<T>(&self, reason: &str) -> Result<T, String> {
        Err(format!("line {}: {reason}", self.number))
    }

    /// The words of the next line, which are separated by single spaces.
    fn words(&mut self, what: &str) -> Result<Vec<String>, String> {
        let Some(line) = self.next() else {
            return self.error(&format!("{what} is missing"));
        };
        let words: Vec<String> = line.split(' ').map(str::to_string).collect();
        if words.iter().any(String::is_empty) {
            return self.error("an empty line or an extra space");
        }
        Ok(words)
    }

    fn pair(&mut self, what: &str) -> Result<[usize; 2], String> {
        let words = self.words(what)?;
        let mut values = Vec::new();
        for word in &words {
            let plain = word.bytes().all(|byte| byte.is_ascii_digit())
                && (word == "0" || !word.starts_with('0'));
            match word.parse::<usize>() {
                Ok(value) if plain => values.push(value),
                _ => {
                    return self.error(&format!(
                        "`{word}` is not a number without sign and leading zeros"
                    ));
                }
            }
        }
        match values[..] {
            [first, second] => Ok([first, second]),
            _ => self.error(&format!("expected two numbers, {what}")),
        }
    }
}

fn connected(cells: &[usize], cols: usize) -> bool {
    let mut reached = vec![cells[0]];
    let mut next = 0;
    while next < reached.len() {
        let (row, col) = (reached[next] / cols, reached[next] % cols);
        for &cell in cells {
            let adjacent = row.abs_diff(cell / cols) + col.abs_diff(cell % cols) == 1;
            if adjacent && !reached.contains(&cell) {
                reached.push(cell);
            }
        }
        next += 1;
    }
    reached.len() == cells.len()
}
