//! Matrix Layer Rotation (HackerRank): rotate every ring of an m×n matrix anticlockwise by r cells.
//!
//! WRONG ANSWER: rotates min(m, n) / 2 rings, rounded down. That suits the original problem, whose
//! smaller side is even. Here it may be odd, and a centre of one row or one column then stays
//! unchanged.
//! Caught by `small/3x4`. Matrices with an even side, or with a centre of one cell, pass.
//!
//! Time O(mn), memory O(mn).

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
    let mut turned = matrix.clone();
    for k in 0..m.min(n) / 2 {
        let cells = ring(m, n, k);
        for (at, &(row, column)) in cells.iter().enumerate() {
            let (from_row, from_column) = cells[(at + turns % cells.len()) % cells.len()];
            turned[row][column] = matrix[from_row][from_column];
        }
    }
    let rows: Vec<String> = turned
        .iter()
        .map(|row| row.iter().map(i64::to_string).collect::<Vec<_>>().join(" "))
        .collect();
    println!("{}", rows.join("\n"));
}
