//! Writes a board: `board KIND ROWS COLUMNS NUMBER [STEPS]`.
//!
//! KIND is `rank` (number NUMBER of all boards in lexicographic order, from 0), `random` (a random
//! solvable board), `stuck` (a random unsolvable board), or `walk` (STEPS random moves from the goal,
//! none of which undoes the one before it). For the random kinds, NUMBER is the seed.

use std::fmt::Write as _;

/// SplitMix64 (Steele, Lea and Flood): small, and with the same numbers on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}

/// The board with this rank in lexicographic order.
fn ranked(cells: usize, mut rank: usize) -> Vec<usize> {
    let mut left: Vec<usize> = (0..cells).collect();
    let mut arrangements: usize = (1..=cells).product();
    let mut board = Vec::new();
    while !left.is_empty() {
        arrangements /= left.len();
        board.push(left.remove(rank / arrangements % left.len()));
        rank %= arrangements;
    }
    board
}

/// Whether the board can be solved: by the parity of its inversions and of the blank's row.
fn solvable(board: &[usize], rows: usize, columns: usize) -> bool {
    let order: Vec<usize> = board.iter().copied().filter(|&tile| tile != 0).collect();
    let inversions: usize =
        (0..order.len()).map(|i| order[i..].iter().filter(|&&tile| tile < order[i]).count()).sum();
    let blank = board.iter().position(|&tile| tile == 0).unwrap_or(0);
    (inversions + (rows - 1 - blank / columns) * (columns - 1)).is_multiple_of(2)
}

fn shuffled(rows: usize, columns: usize, can_be_solved: bool, random: &mut Random) -> Vec<usize> {
    let mut board: Vec<usize> = (0..rows * columns).collect();
    for i in (1..board.len()).rev() {
        board.swap(i, random.below(i + 1));
    }
    if solvable(&board, rows, columns) != can_be_solved {
        // A swap of two tiles makes a solvable board unsolvable, and the reverse.
        let tiles: Vec<usize> = (0..board.len()).filter(|&cell| board[cell] != 0).take(2).collect();
        board.swap(tiles[0], tiles[1]);
    }
    board
}

fn walked(rows: usize, columns: usize, steps: usize, random: &mut Random) -> Vec<usize> {
    let cells = rows * columns;
    let mut board: Vec<usize> = (1..cells).chain([0]).collect();
    let (mut blank, mut last) = (cells - 1, cells);
    for _ in 0..steps {
        let adjacent = |other: usize| {
            let rows_apart = (blank / columns).abs_diff(other / columns);
            rows_apart + (blank % columns).abs_diff(other % columns) == 1
        };
        let ways: Vec<usize> =
            (0..cells).filter(|&other| adjacent(other) && other != last).collect();
        let to = ways[random.below(ways.len())];
        board.swap(blank, to);
        (last, blank) = (blank, to);
    }
    board
}

fn make(arguments: &[String]) -> Result<String, String> {
    let [kind, rows, columns, number, steps @ ..] = arguments else {
        return Err("usage: board rank|random|stuck|walk ROWS COLUMNS NUMBER [STEPS]".into());
    };
    let read = |text: &String| text.parse::<usize>().map_err(|error| format!("`{text}`: {error}"));
    let (rows, columns, number) = (read(rows)?, read(columns)?, read(number)?);
    if rows * columns < 2 {
        return Err("a board of one square needs no generator".into());
    }
    let mut random = Random(number as u64);
    let board = match (kind.as_str(), steps) {
        ("rank", []) => ranked(rows * columns, number),
        ("random", []) => shuffled(rows, columns, true, &mut random),
        ("stuck", []) => shuffled(rows, columns, false, &mut random),
        ("walk", [steps]) if rows > 1 && columns > 1 => {
            walked(rows, columns, read(steps)?, &mut random)
        }
        _ => return Err(format!("invalid arguments for the kind `{kind}`")),
    };
    let mut text = format!("{rows} {columns}\n");
    for row in board.chunks(columns) {
        let row: Vec<String> = row.iter().map(usize::to_string).collect();
        writeln!(text, "{}", row.join(" ")).map_err(|error| error.to_string())?;
    }
    Ok(text)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match make(&arguments) {
        Ok(text) => print!("{text}"),
        Err(message) => {
            eprintln!("error: {message}");
            std::process::exit(1);
        }
    }
}
