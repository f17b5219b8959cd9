//! Matrix Layer Rotation (HackerRank): rotate every ring of an m×n matrix anticlockwise by r cells.
//!
//! Idea: the direct way. Read the numbers. Walk along each ring from its upper left corner: down
//! the left side, along the bottom, up the right side and back along the top. Copy its numbers to a
//! list, and write each number back r cells later. A centre of one row or one column is walked from
//! its last cell to its first.
//!
//! Time O(mn), memory O(mn).

use std::fmt::Write as _;
use std::io::{self, Read, Write as _};
use std::process::ExitCode;

fn next<T: std::str::FromStr>(
    words: &mut std::str::SplitAsciiWhitespace,
    what: &str,
) -> Result<T, String> {
    let word = words.next().ok_or_else(|| format!("the input ends before {what}"))?;
    let plain = word.strip_prefix('-').unwrap_or(word);
    if plain.starts_with('+') || (word.len() > 1 && plain.starts_with('0')) {
        return Err(format!("`{word}` is not {what}"));
    }
    word.parse().map_err(|_| format!("`{word}` is not {what}"))
}

/// The cells of ring `k` in the order in which the numbers move: anticlockwise.
fn walk(m: usize, n: usize, k: usize) -> Vec<(usize, usize)> {
    let (bottom, right) = (m - 1 - k, n - 1 - k);
    if k == bottom {
        return (k..=right).rev().map(|column| (k, column)).collect();
    }
    if k == right {
        return (k..=bottom).rev().map(|row| (row, k)).collect();
    }
    let mut cells = Vec::new();
    cells.extend((k..bottom).map(|row| (row, k)));
    cells.extend((k..right).map(|column| (bottom, column)));
    cells.extend((k + 1..=bottom).rev().map(|row| (row, right)));
    cells.extend((k + 1..=right).rev().map(|column| (k, column)));
    cells
}

/// Reads a matrix and returns it with its rings rotated.
pub fn solve(input: &str) -> Result<String, String> {
    let mut words = input.split_ascii_whitespace();
    let m: usize = next(&mut words, "the number of rows")?;
    let n: usize = next(&mut words, "the number of columns")?;
    let turns: u64 = next(&mut words, "the number of turns")?;
    if m == 0 || n == 0 || m.saturating_mul(n) > 4_000_000 || turns > 1_000_000_000_000_000_000 {
        return Err(format!("{m} rows, {n} columns and {turns} turns are out of range"));
    }
    let mut matrix = vec![vec![0i64; n]; m];
    for number in matrix.iter_mut().flatten() {
        *number = next(&mut words, "a number of the matrix")?;
    }
    if let Some(word) = words.next() {
        return Err(format!("`{word}` follows the matrix"));
    }
    for k in 0..m.min(n).div_ceil(2) {
        let cells = walk(m, n, k);
        let numbers: Vec<i64> = cells.iter().map(|&(row, column)| matrix[row][column]).collect();
        let by = (turns % cells.len() as u64) as usize;
        for (at, number) in numbers.into_iter().enumerate() {
            let (row, column) = cells[(at + by) % cells.len()];
            matrix[row][column] = number;
        }
    }
    let mut text = String::new();
    for row in matrix {
        for (at, number) in row.iter().enumerate() {
            let blank = if at == 0 { "" } else { " " };
            write!(text, "{blank}{number}").map_err(|error| error.to_string())?;
        }
        text.push('\n');
    }
    Ok(text)
}

fn main() -> ExitCode {
    let mut input = String::new();
    let answer = io::stdin()
        .read_to_string(&mut input)
        .map_err(|error| error.to_string())
        .and_then(|_| solve(&input));
    match answer
        .and_then(|text| io::stdout().write_all(text.as_bytes()).map_err(|error| error.to_string()))
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
