//! Matrix Layer Rotation (HackerRank): rotate every ring of an m×n matrix anticlockwise by r cells.
//!
//! TIME LIMIT EXCEEDED: rotates a ring r times by one cell. It takes r modulo the length of the
//! ring, but a ring of thousands of cells is still walked thousands of times.
//! Caught by `worst/halfway`, where every ring rotates by about half its length.
//!
//! Time O(mn(m + n)), memory O(mn).

use std::io::Read;

fn ring(m: usize, n: usize, k: usize) -> Vec<(usize, usize)> {
    let (bottom, right) = (m - 1 - k, n - 1 - k);
    let mut cells: Vec<_> = (k..=right).map(|column| (k, column)).collect();
    cells.extend((k + 1..=bottom).map(|row| (row, right)));
    if k < bottom && k < right {
        cells.extend((k..right).rev().map(|column| (bottom, column)));
        cells.extend((k + 1..bottom).rev().map(|row| (row, k)));
    }
    cells
}

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).expect("text");
    let mut numbers =
        input.split_ascii_whitespace().map(|word| word.parse::<i64>().expect("a number"));
    let mut next = || numbers.next().expect("a number");
    let (m, n, turns) = (next() as usize, next() as usize, next() as usize);
    let matrix: Vec<Vec<i64>> = (0..m).map(|_| (0..n).map(|_| next()).collect()).collect();
    let mut turned = matrix;
    for k in 0..m.min(n).div_ceil(2) {
        let cells = ring(m, n, k);
        for _ in 0..turns % cells.len() {
            let (first_row, first_column) = cells[0];
            let first = turned[first_row][first_column];
            for pair in cells.windows(2) {
                turned[pair[0].0][pair[0].1] = turned[pair[1].0][pair[1].1];
            }
            let (last_row, last_column) = cells[cells.len() - 1];
            turned[last_row][last_column] = first;
        }
    }
    let rows: Vec<String> = turned
        .iter()
        .map(|row| row.iter().map(i64::to_string).collect::<Vec<_>>().join(" "))
        .collect();
    println!("{}", rows.join("\n"));
}
