//! Matrix Layer Rotation (HackerRank): rotate every ring of an m×n matrix anticlockwise by r cells.
//!
//! RUN-TIME ERROR: reads every number as 32 bits. These are enough for the original's values (up to
//! 10^8) and r (up to 10^9), but not for these: `parse` fails, and the program panics.
//! Caught by `shapes/extremes`, which has the largest and smallest values of 64 bits.
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
        input.split_ascii_whitespace().map(|word| word.parse::<i32>().expect("a number"));
    let mut next = || numbers.next().expect("a number");
    let (m, n, turns) = (next() as usize, next() as usize, next() as usize);
    let matrix: Vec<Vec<i32>> = (0..m).map(|_| (0..n).map(|_| next()).collect()).collect();
    let mut turned = matrix.clone();
    for k in 0..m.min(n).div_ceil(2) {
        let cells = ring(m, n, k);
        for (at, &(row, column)) in cells.iter().enumerate() {
            let (from_row, from_column) = cells[(at + turns % cells.len()) % cells.len()];
            turned[row][column] = matrix[from_row][from_column];
        }
    }
    let rows: Vec<String> = turned
        .iter()
        .map(|row| row.iter().map(i32::to_string).collect::<Vec<_>>().join(" "))
        .collect();
    println!("{}", rows.join("\n"));
}
