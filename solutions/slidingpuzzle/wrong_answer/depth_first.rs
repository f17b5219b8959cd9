//! Sliding Puzzle (LeetCode 773): the fewest moves that bring a board to 1 2 3 … 0, or -1.
//!
//! WRONG ANSWER: searches depth first with a set of seen positions, and prints the length of the
//! first path to the goal. Only a breadth-first search may skip every position that it has seen. It
//! uses a stack instead of recursion, and prints -1 after 20,000 positions.
//! Caught by `two-by-three/576`. Boards without a solution pass.
//!
//! Time and memory O(squares! / 2), at most 20,000 positions.

use std::collections::HashSet;
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

fn main() {
    let (columns, board) = read();
    let goal: Vec<u8> = (1..board.len() as u8).chain([0]).collect();
    let mut seen = HashSet::from([board.clone()]);
    let mut stack = vec![(0, board)];
    while let Some((moves, board)) = stack.pop() {
        if board == goal {
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
                stack.push((moves + 1, next));
            }
        }
    }
    println!("-1");
}
