//! Sliding Puzzle (LeetCode 773): the fewest moves that bring a board to 1 2 3 … 0, or -1.
//!
//! WRONG ANSWER: always continues from the position with the smallest sum of the tiles' distances
//! from their goals, and stops at the first path to the goal. It ignores the moves made so far, so
//! the path is seldom the shortest.
//! Caught by `sample/4` and `known/same-hash`. Boards that are nearly solved pass.
//!
//! Time and memory: at most 20,000 positions.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};
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

fn distance(board: &[u8], columns: usize) -> usize {
    let tiles = board.iter().enumerate().filter(|(_, &tile)| tile != 0);
    let far = |(cell, &tile): (usize, &u8)| {
        let home = tile as usize - 1;
        (cell / columns).abs_diff(home / columns) + (cell % columns).abs_diff(home % columns)
    };
    tiles.map(far).sum()
}

fn main() {
    let (columns, board) = read();
    let mut seen = HashSet::from([board.clone()]);
    let mut queue = BinaryHeap::from([Reverse((distance(&board, columns), 0, board))]);
    while let Some(Reverse((missing, moves, board))) = queue.pop() {
        if missing == 0 {
            println!("{moves}");
            return;
        }
        if seen.len() > 20_000 {
            break;
        }
        let blank = board.iter().position(|&tile| tile == 0).expect("a blank");
        for from in neighbours(blank, columns, board.len()) {
            let mut next = board.clone();
            next.swap(blank, from);
            if seen.insert(next.clone()) {
                queue.push(Reverse((distance(&next, columns), moves + 1, next)));
            }
        }
    }
    println!("-1");
}
