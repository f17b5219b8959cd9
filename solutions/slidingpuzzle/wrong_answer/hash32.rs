//! Sliding Puzzle (LeetCode 773): the fewest moves that bring a board to 1 2 3 … 0, or -1.
//!
//! WRONG ANSWER: searches breadth first from the goal, but remembers 32-bit hashes (Java's hash of
//! an array) instead of positions. If two positions share a hash, it never visits the second one.
//! Among the 181,440 solvable boards of 3×3, 28 pairs share a hash. It prints -1 after 250,000
//! positions.
//! Caught by `known/same-hash`: a position closer to the goal has the same hash as this board.
//!
//! Time and memory O(squares! / 2), at most 250,000 positions.

use std::collections::{HashSet, VecDeque};
use std::io::Read;

fn read() -> (usize, Vec<u8>) {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).expect("text");
    let numbers: Vec<u8> =
        input.split_ascii_whitespace().map(|word| word.parse().expect("a number")).collect();
    (numbers[1] as usize, numbers[2..].to_vec())
}

/// The squares whose tile can slide into the blank.
fn neighbours(blank: usize, columns: usize, cells: usize) -> Vec<usize> {
    let mut squares = Vec::new();
    if blank >= columns {
        squares.push(blank - columns);
    }
    if !blank.is_multiple_of(columns) {
        squares.push(blank - 1);
    }
    if blank % columns + 1 < columns {
        squares.push(blank + 1);
    }
    if blank + columns < cells {
        squares.push(blank + columns);
    }
    squares
}

fn hash(board: &[u8]) -> u32 {
    board.iter().fold(1u32, |hash, &tile| hash.wrapping_mul(31).wrapping_add(u32::from(tile)))
}

fn main() {
    let (columns, board) = read();
    let goal: Vec<u8> = (1..board.len() as u8).chain([0]).collect();
    let mut seen = HashSet::from([hash(&goal)]);
    let mut queue = VecDeque::from([(0, goal)]);
    while let Some((moves, position)) = queue.pop_front() {
        if position == board {
            println!("{moves}");
            return;
        }
        if seen.len() > 250_000 {
            break;
        }
        let blank = position.iter().position(|&tile| tile == 0).expect("a blank");
        for from in neighbours(blank, columns, board.len()) {
            let mut next = position.clone();
            next.swap(blank, from);
            if seen.insert(hash(&next)) {
                queue.push_back((moves + 1, next));
            }
        }
    }
    println!("-1");
}
