//! Matrix Layer Rotation (HackerRank): rotate every ring of an m×n matrix anticlockwise by r cells.
//!
//! RUN-TIME ERROR: computes the length of a ring as 2·(height + width) - 4. It handles a centre of
//! one row or one column, but not of one cell: the length is 0, and the remainder by it panics. The
//! original problem has no such centre.
//! Caught by `small/1x1`, and by every other case whose centre is one cell.
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
    for k in 0..m.min(n).div_ceil(2) {
        let cells = ring(m, n, k);
        let (height, width) = (m - 2 * k, n - 2 * k);
        let line = (height == 1) != (width == 1);
        let length = if line { height.max(width) } else { 2 * (height + width) - 4 };
        let by = turns % length;
        for (at, &(row, column)) in cells.iter().enumerate() {
            let (from_row, from_column) = cells[(at + by) % cells.len()];
            turned[row][column] = matrix[from_row][from_column];
        }
    }
    let rows: Vec<String> = turned
        .iter()
        .map(|row| row.iter().map(i64::to_string).collect::<Vec<_>>().join(" "))
        .collect();
    println!("{}", rows.join("\n"));
}
