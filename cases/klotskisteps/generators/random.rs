//! Writes a random board: random empty cells, and random connected blocks on all other cells.
//!
//! `random ROWS COLS EMPTY LARGEST SEED [likes]`
//!
//! EMPTY is the number of empty cells, LARGEST the size of the largest block. The target and the goal
//! are random. With `likes`, the target has the most common shape: this catches solutions that confuse
//! it with another block.

use std::collections::BTreeMap;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match write(&args) {
        Ok(text) => print!("{text}"),
        Err(message) => {
            eprintln!("error: {message}");
            std::process::exit(1);
        }
    }
}

fn write(args: &[String]) -> Result<String, String> {
    let usage = "usage: random ROWS COLS EMPTY LARGEST SEED [likes]";
    let numbers: Vec<u64> = args.iter().take(5).map_while(|word| word.parse().ok()).collect();
    let &[rows, cols, empty, largest, seed] = numbers.as_slice() else {
        return Err(usage.to_string());
    };
    let (rows, cols) = (rows as usize, cols as usize);
    if rows * cols <= empty as usize || largest == 0 {
        return Err("no cell is left for a block".to_string());
    }
    let mut random = Random(seed);
    let board = cut(rows, cols, empty as usize, largest as usize, &mut random);
    let likes = args.get(5).is_some_and(|word| word == "likes");
    let target = choose(&board, cols, likes, &mut random);
    let cells: Vec<usize> = (0..rows * cols).filter(|&cell| board[cell] == Some(target)).collect();
    let (top, left) = (
        cells.iter().map(|cell| cell / cols).min().unwrap_or(0),
        cells.iter().map(|cell| cell % cols).min().unwrap_or(0),
    );
    let (bottom, right) = (
        cells.iter().map(|cell| cell / cols).max().unwrap_or(0),
        cells.iter().map(|cell| cell % cols).max().unwrap_or(0),
    );
    let goal = (random.below(rows - (bottom - top)), random.below(cols - (right - left)));
    let mut text = format!("{rows} {cols}\n");
    for row in board.chunks(cols) {
        let words: Vec<String> =
            row.iter().map(|cell| cell.map_or(".".to_string(), label)).collect();
        text += &(words.join(" ") + "\n");
    }
    Ok(format!("{text}{}\n{} {}\n", label(target), goal.0, goal.1))
}

/// Cuts a board into blocks: the block of each cell, or `None` for an empty cell.
fn cut(
    rows: usize,
    cols: usize,
    empty: usize,
    largest: usize,
    random: &mut Random,
) -> Vec<Option<usize>> {
    let mut board: Vec<Option<Option<usize>>> = vec![None; rows * cols];
    let mut left = empty;
    while left > 0 {
        let cell = random.below(rows * cols);
        if board[cell].is_none() {
            board[cell] = Some(None);
            left -= 1;
        }
    }
    let mut count = 0;
    while let Some(first) = board.iter().position(Option::is_none) {
        board[first] = Some(Some(count));
        let mut block = vec![first];
        for _ in 0..random.below(largest) {
            let neighbours: Vec<usize> = (0..rows * cols)
                .filter(|&cell| board[cell].is_none())
                .filter(|&cell| {
                    block.iter().any(|&other| {
                        (other / cols).abs_diff(cell / cols) + (other % cols).abs_diff(cell % cols)
                            == 1
                    })
                })
                .collect();
            if neighbours.is_empty() {
                break;
            }
            let cell = neighbours[random.below(neighbours.len())];
            board[cell] = Some(Some(count));
            block.push(cell);
        }
        count += 1;
    }
    board.into_iter().map(Option::flatten).collect()
}

fn choose(board: &[Option<usize>], cols: usize, likes: bool, random: &mut Random) -> usize {
    let count = board.iter().flatten().max().map_or(0, |last| last + 1);
    if !likes {
        return random.below(count);
    }
    let mut shapes: BTreeMap<Vec<(usize, usize)>, Vec<usize>> = BTreeMap::new();
    for block in 0..count {
        let cells: Vec<usize> =
            (0..board.len()).filter(|&cell| board[cell] == Some(block)).collect();
        let left = cells.iter().map(|cell| cell % cols).min().unwrap_or(0);
        let shape =
            cells.iter().map(|cell| (cell / cols - cells[0] / cols, cell % cols - left)).collect();
        shapes.entry(shape).or_default().push(block);
    }
    let most = shapes.values().max_by_key(|blocks| blocks.len()).expect("a board has a block");
    most[random.below(most.len())]
}

/// A, B, … Z, AA, AB, …
fn label(mut number: usize) -> String {
    let mut text = String::new();
    loop {
        text.insert(0, char::from(b'A' + (number % 26) as u8));
        if number < 26 {
            return text;
        }
        number = number / 26 - 1;
    }
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}
