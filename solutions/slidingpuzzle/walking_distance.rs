//! Sliding Puzzle (LeetCode 773): the fewest moves that bring a board to 1 2 3 … 0, or -1.
//!
//! Idea: iterative deepening (IDA*) with the walking distance (Takahashi 2002) as the bound. For
//! the vertical moves, reduce a board to the number of tiles of each home row in each row, and the
//! row of the blank. A vertical move takes one tile from a row to the next. A breadth-first search
//! over these few thousand tables gives the fewest vertical moves from each of them. The same holds
//! for columns, and no move counts in both sums.
//!
//! The bound is weaker than that of pattern databases, but its tables are small and quick to build.
//! Time: exponential in the depth, up to a second for boards of 4×4 within 60 moves. Memory: 25,000
//! tables for 4×4.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::process::ExitCode;

/// How many tiles of each home line lie in each line, three bits each, for at most six lines of at
/// most six squares; and the blank's line in the lowest four bits.
type Crowd = u128;

/// The walking distances across the lines of one direction.
struct Walk {
    /// Of each crowd: the moves to the goal, and for each home line the numbers of the crowds after
    /// such a tile has moved into the blank's line from the line before it, and from that after it.
    moves: Vec<u8>,
    next: Vec<Vec<[u32; 2]>>,
    number: HashMap<Crowd, u32>,
    lines: usize,
}

const NOWHERE: u32 = u32::MAX;

impl Walk {
    fn bit(&self, line: usize, home: usize) -> u32 {
        (4 + 3 * (line * self.lines + home)) as u32
    }

    fn new(lines: usize, length: usize) -> Walk {
        let mut walk = Walk {
            moves: vec![0],
            next: Vec::new(),
            number: HashMap::new(),
            lines,
        };
        let goal = (0..lines).fold((lines - 1) as Crowd, |crowd, line| {
            let tiles = length - usize::from(line == lines - 1);
            crowd | (tiles as Crowd) << walk.bit(line, line)
        });
        walk.number.insert(goal, 0);
        let mut crowds = vec![goal];
        let mut at = 0;
        while at < crowds.len() {
            let crowd = crowds[at];
            let blank = (crowd & 15) as usize;
            let mut next = vec![[NOWHERE; 2]; lines];
            for (home, next) in next.iter_mut().enumerate() {
                for (side, next) in next.iter_mut().enumerate() {
                    let line = if side == 0 {
                        blank.wrapping_sub(1)
                    } else {
                        blank + 1
                    };
                    if line >= lines || crowd >> walk.bit(line, home) & 7 == 0 {
                        continue;
                    }
                    let moved = crowd - (1 << walk.bit(line, home)) + (1 << walk.bit(blank, home));
                    let moved = (moved & !15) | line as Crowd;
                    *next = *walk.number.entry(moved).or_insert_with(|| {
                        crowds.push(moved);
                        walk.moves.push(walk.moves[at] + 1);
                        (crowds.len() - 1) as u32
                    });
                }
            }
            walk.next.push(next);
            at += 1;
        }
        walk
    }

    /// The number of a board's crowd, if each tile's line and home line are these.
    fn start(&self, blank: usize, tiles: impl Iterator<Item = (usize, usize)>) -> u32 {
        let crowd = tiles.fold(blank as Crowd, |crowd, (line, home)| {
            crowd + (1 << self.bit(line, home))
        });
        self.number.get(&crowd).copied().unwrap_or(NOWHERE)
    }
}

struct Search {
    columns: usize,
    tiles: Vec<u8>,
    rows_walk: Walk,
    columns_walk: Walk,
}

impl Search {
    /// Whether `left` moves solve the board, its blank here and its crowds these; the move back to
    /// `last` is left out.
    fn within(&mut self, blank: usize, last: usize, crowds: [u32; 2], left: u8) -> bool {
        if left == 0 {
            return true;
        }
        let (row, column) = (blank / self.columns, blank % self.columns);
        let rows = self.tiles.len() / self.columns;
        for (from, vertical, side, exists) in [
            (blank.wrapping_sub(self.columns), true, 0, row > 0),
            (blank + self.columns, true, 1, row + 1 < rows),
            (blank.wrapping_sub(1), false, 0, column > 0),
            (blank + 1, false, 1, column + 1 < self.columns),
        ] {
            if !exists || from == last {
                continue;
            }
            let home = self.tiles[from] as usize - 1;
            let mut next = crowds;
            if vertical {
                next[0] = self.rows_walk.next[crowds[0] as usize][home / self.columns][side];
            } else {
                next[1] = self.columns_walk.next[crowds[1] as usize][home % self.columns][side];
            }
            let missing =
                self.rows_walk.moves[next[0] as usize] + self.columns_walk.moves[next[1] as usize];
            if missing < left {
                self.tiles.swap(blank, from);
                let solved = self.within(from, blank, next, left - 1);
                self.tiles.swap(blank, from);
                if solved {
                    return true;
                }
            }
        }
        false
    }
}

/// Sorts by swaps and counts them: with the blank's way they must make an even number. On a line
/// nothing can pass, so nothing may need to.
fn solvable(rows: usize, columns: usize, tiles: &[u8]) -> bool {
    if rows == 1 || columns == 1 {
        return tiles.iter().filter(|&&tile| tile != 0).is_sorted();
    }
    let blank = tiles.iter().position(|&tile| tile == 0).unwrap_or(0);
    let mut parity = rows - 1 - blank / columns + columns - 1 - blank % columns;
    let mut left: Vec<usize> = tiles
        .iter()
        .map(|&tile| (tile as usize + tiles.len() - 1) % tiles.len())
        .collect();
    for cell in 0..left.len() {
        while left[cell] != cell {
            let home = left[cell];
            left.swap(cell, home);
            parity += 1;
        }
    }
    parity.is_multiple_of(2)
}

/// Reads a board and returns the fewest moves, or -1.
pub fn solve(input: &str) -> Result<i32, String> {
    let words = input.split_ascii_whitespace();
    let numbers = words.map(|word| word.parse().map_err(|_| format!("`{word}` is no number")));
    let numbers: Vec<usize> = numbers.collect::<Result<_, _>>()?;
    let [rows, columns, ref squares @ ..] = numbers[..] else {
        return Err("the input ends before the board".into());
    };
    let cells = rows.saturating_mul(columns);
    let size = (1..=12).contains(&cells) || (rows, columns) == (4, 4);
    if !size || squares.len() != cells || (0..cells).any(|tile| !squares.contains(&tile)) {
        return Err(format!("{rows}×{columns} and {squares:?} are no board"));
    }
    let tiles: Vec<u8> = squares.iter().map(|&tile| tile as u8).collect();
    if !solvable(rows, columns, &tiles) {
        return Ok(-1);
    }
    let blank = tiles.iter().position(|&tile| tile == 0).unwrap_or(0);
    if rows == 1 || columns == 1 {
        return Ok((cells - 1 - blank) as i32);
    }
    let rows_walk = Walk::new(rows, columns);
    let columns_walk = Walk::new(columns, rows);
    let homes = || {
        tiles
            .iter()
            .enumerate()
            .filter(|&(_, &tile)| tile != 0)
            .map(|(cell, &tile)| (cell, tile as usize - 1))
    };
    let crowds = [
        rows_walk.start(
            blank / columns,
            homes().map(|(cell, home)| (cell / columns, home / columns)),
        ),
        columns_walk.start(
            blank % columns,
            homes().map(|(cell, home)| (cell % columns, home % columns)),
        ),
    ];
    let mut bound = rows_walk.moves[crowds[0] as usize] + columns_walk.moves[crowds[1] as usize];
    let mut search = Search {
        columns,
        tiles: tiles.clone(),
        rows_walk,
        columns_walk,
    };
    while !search.within(blank, usize::MAX, crowds, bound) {
        bound += 2;
    }
    Ok(i32::from(bound))
}

fn main() -> ExitCode {
    let mut input = String::new();
    let answer = std::io::stdin()
        .read_to_string(&mut input)
        .map_err(|error| error.to_string())
        .and_then(|_| solve(&input));
    match answer
        .and_then(|moves| writeln!(std::io::stdout(), "{moves}").map_err(|error| error.to_string()))
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
