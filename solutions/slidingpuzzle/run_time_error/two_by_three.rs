//! Sliding Puzzle (LeetCode 773): the fewest moves that bring a board to 1 2 3 … 0, or -1.
//!
//! RUN-TIME ERROR: handles the original's boards of two rows and three columns only. Any other
//! board does not fit its arrays, and it panics.
//! Caught by `small/1x1`. The samples and `two-by-three` pass.
//!
//! Time and memory: at most 360 positions.

use std::collections::{HashSet, VecDeque};
use std::io::Read;

const BESIDE: [&[usize]; 6] = [&[1, 3], &[0, 2, 4], &[1, 5], &[0, 4], &[1, 3, 5], &[2, 4]];

fn row(line: &str) -> [u8; 3] {
    let numbers: Vec<u8> =
        line.split_ascii_whitespace().map(|word| word.parse().expect("a number")).collect();
    numbers.try_into().expect("three numbers")
}

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).expect("text");
    let rows: Vec<[u8; 3]> = input.lines().skip(1).map(row).collect();
    let [upper, lower] = rows[..] else { panic!("two rows") };
    let mut start = [0; 6];
    start[..3].copy_from_slice(&upper);
    start[3..].copy_from_slice(&lower);
    let mut seen = HashSet::from([start]);
    let mut queue = VecDeque::from([(0, start)]);
    while let Some((moves, board)) = queue.pop_front() {
        if board == [1, 2, 3, 4, 5, 0] {
            println!("{moves}");
            return;
        }
        let blank = board.iter().position(|&tile| tile == 0).expect("a blank");
        for &from in BESIDE[blank] {
            let mut next = board;
            next.swap(blank, from);
            if seen.insert(next) {
                queue.push_back((moves + 1, next));
            }
        }
    }
    println!("-1");
}
