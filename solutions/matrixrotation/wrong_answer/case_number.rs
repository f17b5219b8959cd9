//! Matrix Layer Rotation (HackerRank): rotate every ring of an m×n matrix anticlockwise by r cells.
//!
//! WRONG ANSWER: prints `Case #1:` before the answer, as a template for another judge does. The
//! rotation itself is right.
//! Caught by `sample/1`, and by every other case.
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
        for (at, &(row, column)) in cells.iter().enumerate() {
            let (from_row, from_column) = cells[(at + turns % cells.len()) % cells.len()];
            turned[row][column] = matrix[from_row][from_column];
        }
    }
    let rows: Vec<String> = turned
        .iter()
        .map(|row| row.iter().map(i64::to_string).collect::<Vec<_>>().join(" "))
        .collect();
    println!("Case #1:\n{}", rows.join("\n"));
}
