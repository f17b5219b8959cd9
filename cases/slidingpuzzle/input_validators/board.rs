//! Checks an input of Sliding Puzzle: exit 42 if the statement allows it; otherwise exit 43, with the
//! line and the reason on standard error. The limit of 60 moves for 4×4 boards is not checked, since
//! that takes a search: the answers show it.
//!
//! Stricter than the solutions: single blanks, no blank at the end of a line, `\n` after every line,
//! nothing after the last line.

use std::io::Read;

/// The numbers of one line, each from 0 to `high`.
fn numbers(line: usize, text: &str, high: usize) -> Result<Vec<usize>, String> {
    let number = |word: &str| {
        let plain = !word.is_empty() && word.bytes().all(|b| b.is_ascii_digit());
        if !plain || (word.starts_with('0') && word != "0") {
            return Err(format!(
                "line {line}: `{}` is not a number, or there is an extra blank",
                word.escape_debug()
            ));
        }
        match word.parse() {
            Ok(value) if value <= high => Ok(value),
            _ => Err(format!("line {line}: {word} is not from 0 to {high}")),
        }
    };
    text.split(' ').map(number).collect()
}

fn check(input: &str) -> Result<(), String> {
    let Some(text) = input.strip_suffix('\n') else {
        return Err(format!("line {}: the newline is missing", input.split('\n').count()));
    };
    let lines: Vec<&str> = text.split('\n').collect();
    let head = numbers(1, lines[0], 12)?;
    let [rows, columns] = head[..] else {
        return Err(format!("line 1: expected 2 numbers, found {}", head.len()));
    };
    if rows * columns == 0 || (rows * columns > 12 && (rows, columns) != (4, 4)) {
        return Err(format!(
            "line 1: invalid size {rows}×{columns}: expected 1 to 12 squares, or 4×4"
        ));
    }
    if lines.len() - 1 != rows {
        return Err(format!(
            "line {}: expected {rows} rows, found {}",
            lines.len(),
            lines.len() - 1
        ));
    }
    let mut seen = vec![false; rows * columns];
    for (line, text) in lines.iter().enumerate().skip(1) {
        let row = numbers(line + 1, text, rows * columns - 1)?;
        if row.len() != columns {
            return Err(format!(
                "line {}: expected {columns} numbers, found {}",
                line + 1,
                row.len()
            ));
        }
        for tile in row {
            if std::mem::replace(&mut seen[tile], true) {
                return Err(format!("line {}: {tile} occurs twice", line + 1));
            }
        }
    }
    Ok(())
}

fn main() {
    let mut input = String::new();
    let verdict = std::io::stdin()
        .read_to_string(&mut input)
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
