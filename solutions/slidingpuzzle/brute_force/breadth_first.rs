//! Sliding Puzzle (LeetCode 773): the fewest moves that bring a board to 1 2 3 … 0, or -1.
//!
//! The second opinion: plain breadth-first search from the board, level by level, with a hash set of
//! all positions seen. It is correct, but gives up after 25,000 positions, as for `puzzle15/r001`:
//! `slidingpuzzle_agrees_on_all_cases` in the test `agreement` runs it without this limit.
//!
//! Time and memory O(squares! / 2): 20,160 positions for 2×4, 10^13 for 4×4.

use std::collections::HashSet;
use std::io::{Read, Write};
use std::process::ExitCode;

/// The boards after one move.
pub fn moves(board: &[u8], columns: usize) -> Vec<Vec<u8>> {
    let blank = board.iter().position(|&tile| tile == 0).unwrap_or(0);
    let mut froms = Vec::new();
    if blank % columns > 0 {
        froms.push(blank - 1);
    }
    if blank % columns + 1 < columns {
        froms.push(blank + 1);
    }
    if blank >= columns {
        froms.push(blank - columns);
    }
    if blank + columns < board.len() {
        froms.push(blank + columns);
    }
    let slide = |from| {
        let mut next = board.to_vec();
        next.swap(blank, from);
        next
    };
    froms.into_iter().map(slide).collect()
}

/// The number of positions after which the search gives up.
const MAX_POSITIONS: usize = 25_000;

/// Reads a board and returns the fewest moves, or -1.
pub fn solve(input: &str) -> Result<i32, String> {
    search(input, MAX_POSITIONS)
}

/// The same, with another limit on the number of positions.
pub fn search(input: &str, most: usize) -> Result<i32, String> {
    let words = input.split_ascii_whitespace();
    let numbers: Vec<usize> = words
        .map(|word| word.parse().map_err(|_| format!("`{word}` is no number")))
        .collect::<Result<_, _>>()?;
    let [rows, columns, ref squares @ ..] = numbers[..] else {
        return Err("the input ends before the board".into());
    };
    let cells = rows.saturating_mul(columns);
    if cells == 0
        || cells > 16
        || squares.len() != cells
        || (0..cells).any(|tile| !squares.contains(&tile))
    {
        return Err(format!("{rows}×{columns} and {squares:?} are no board"));
    }
    let start: Vec<u8> = squares.iter().map(|&tile| tile as u8).collect();
    let goal: Vec<u8> = (1..cells as u8).chain([0]).collect();
    let mut seen = HashSet::from([start.clone()]);
    let mut level = vec![start];
    let mut depth = 0;
    while !level.is_empty() {
        if level.contains(&goal) {
            return Ok(depth);
        }
        if seen.len() > most {
            return Err(format!("there are more than {most} positions"));
        }
        let mut next = Vec::new();
        for board in level {
            for after in moves(&board, columns) {
                if seen.insert(after.clone()) {
                    next.push(after);
                }
            }
        }
        level = next;
        depth += 1;
    }
    Ok(-1)
}

fn main() -> ExitCode {
    let mut input = String::new();
    let answer = std::io::stdin()
        .read_to_string(&mut input)
        .map_err(|error| error.to_string())
        .and_then(|_| solve(&input));
    match answer
        .and_then(|moves| writeln!(std::io::stdout(), "{moves}").map_err(|error| error.to_string()))
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
