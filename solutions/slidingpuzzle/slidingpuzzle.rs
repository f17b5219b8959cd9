//! Sliding Puzzle (LeetCode 773): the fewest moves that bring a board to 1 2 3 … 0, or -1.
//!
//! Idea: iterative deepening (IDA*, Korf 1985) with additive pattern databases (Korf and Felner
//! 2002). The tiles are split into groups. For every placement of a group's tiles, a table holds
//! the fewest moves of these tiles that bring them home; other tiles do not block them. A move
//! moves a tile of one group only, so the sum over the groups never overestimates. The program
//! builds the tables backwards from the goal, by a breadth-first search over the placements and the
//! regions that the blank can reach between the tiles. For a square board, it also looks up the
//! reflection in the main diagonal, in the same tables, and uses the larger sum.
//!
//! Half of all boards cannot be solved: each move swaps two squares and moves the blank by one, so
//! the parities of both must agree. On a line, no tile can pass another one.
//!
//! Time: exponential in the depth, but the tables keep the search small: milliseconds for most boards
//! up to 3×4, a fraction of a second for boards of 4×4 within 60 moves. Memory: one byte for each
//! placement of a group's tiles, 3 MB for 4×4, and a few times as much while the tables are built.

use std::io::{self, Read, Write};
use std::process::ExitCode;

const MAX_CELLS: usize = 16;
const MAX_GROUPS: usize = 3;

/// The table entry of a placement that no board has.
const UNREACHABLE: u8 = u8::MAX;

/// A board as in the input: its tiles row by row, 0 for the blank.
pub struct Board {
    pub rows: usize,
    pub columns: usize,
    pub tiles: Vec<u8>,
}

/// The cells of a board. A set of cells is a bit mask.
struct Grid {
    cells: usize,
    /// The neighbours of each cell.
    neighbours: [u16; MAX_CELLS],
}

impl Grid {
    fn new(rows: usize, columns: usize) -> Grid {
        let cells = rows * columns;
        let neighbours = |cell: usize| {
            let adjacent = |other: usize| {
                (cell / columns).abs_diff(other / columns)
                    + (cell % columns).abs_diff(other % columns)
                    == 1
            };
            (0..cells).filter(|&other| adjacent(other)).fold(0, |set, other| set | 1 << other)
        };
        Grid { cells, neighbours: std::array::from_fn(neighbours) }
    }

    /// The cells that a blank on `cell` can reach without moving a tile on a `taken` cell.
    fn region(&self, cell: usize, taken: u16) -> u16 {
        let mut region = 1 << cell;
        loop {
            let larger =
                ones(region).fold(region, |larger, cell| larger | self.neighbours[cell]) & !taken;
            if larger == region {
                return region;
            }
            region = larger;
        }
    }
}

/// The cells in a set.
fn ones(mut set: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (place < MAX_CELLS).then_some(place)
    })
}

/// The tables of all groups, and how to index them.
struct Patterns {
    tables: [Vec<u8>; MAX_GROUPS],
    /// The group of each tile.
    group: [usize; MAX_CELLS],
    /// For each tile: what a move to the next cell adds to the index of its group.
    weight: [u32; MAX_CELLS],
}

/// The groups of tiles that share a table. The goals of a group's tiles are close together, so that the
/// tiles block each other. Large groups give good bounds, but building their tables must not take longer
/// than the search that they save.
fn groups(rows: usize, columns: usize) -> Vec<Vec<u8>> {
    match (rows, columns) {
        (4, 4) => vec![vec![1, 2, 5, 6, 9], vec![3, 4, 7, 8, 12], vec![10, 11, 13, 14, 15]],
        (3, 4) => vec![vec![1, 2, 5, 6], vec![3, 4, 7, 8], vec![9, 10, 11]],
        (4, 3) => vec![vec![1, 2, 4, 5], vec![7, 8, 10, 11], vec![3, 6, 9]],
        _ => {
            // Groups of about four tiles, along the longer side.
            let tiles = rows * columns - 1;
            let mut order: Vec<u8> = (1..=tiles as u8).collect();
            if columns > rows {
                order.sort_by_key(|&tile| (tile as usize - 1) % columns);
            }
            let count = tiles.div_ceil(4).max(1);
            order.chunks(tiles.div_ceil(count).max(1)).map(<[u8]>::to_vec).collect()
        }
    }
}

impl Patterns {
    fn new(grid: &Grid, groups: &[Vec<u8>]) -> Patterns {
        let mut patterns =
            Patterns { tables: Default::default(), group: [0; MAX_CELLS], weight: [0; MAX_CELLS] };
        for (number, tiles) in groups.iter().enumerate() {
            for (place, &tile) in tiles.iter().enumerate() {
                patterns.group[tile as usize] = number;
                patterns.weight[tile as usize] = (grid.cells as u32).pow(place as u32);
            }
            patterns.tables[number] = table(grid, tiles, &patterns.weight);
        }
        patterns
    }
}

/// The cells of a group's tiles, four bits per tile.
type Placement = u32;

/// For each placement of `tiles`: the fewest moves of these tiles that bring them home. A breadth-first
/// search from there: a node is a placement and a region of the blank, and an edge moves one of the
/// tiles into the region.
fn table(grid: &Grid, tiles: &[u8], weight: &[u32; MAX_CELLS]) -> Vec<u8> {
    let cell = |at: Placement, place: usize| (at >> (4 * place) & 15) as usize;
    let size = grid.cells.pow(tiles.len() as u32);
    let mut moves = vec![UNREACHABLE; size];
    // For each placement: the cells of the regions seen so far.
    let mut seen = vec![0u16; size];
    // The regions of the blank for each set of taken cells, computed when first needed; 0 before that.
    let mut regions = vec![[0u16; MAX_CELLS]; 1 << grid.cells];
    let home = tiles.iter().rev().fold(0, |at, &tile| at << 4 | Placement::from(tile - 1));
    let home_index: usize =
        tiles.iter().map(|&tile| (tile as usize - 1) * weight[tile as usize] as usize).sum();
    let home_taken = tiles.iter().fold(0, |taken, &tile| taken | 1 << (tile - 1));
    let region = grid.region(grid.cells - 1, home_taken);
    seen[home_index] = region;
    moves[home_index] = 0;
    let mut level = vec![(home, home_index as u32, region)];
    let mut depth = 0;
    while !level.is_empty() {
        depth += 1;
        let mut next = Vec::with_capacity(level.len() * 2);
        for (at, index, region) in level {
            let taken = (0..tiles.len()).fold(0u16, |taken, place| taken | 1 << cell(at, place));
            for (place, &tile) in tiles.iter().enumerate() {
                let from = cell(at, place);
                for to in ones(grid.neighbours[from] & region) {
                    let weight = weight[tile as usize];
                    let there = index + to as u32 * weight - from as u32 * weight;
                    if seen[there as usize] >> from & 1 == 1 {
                        continue;
                    }
                    let taken = taken ^ 1 << from ^ 1 << to;
                    let region = &mut regions[taken as usize][from];
                    if *region == 0 {
                        *region = grid.region(from, taken);
                    }
                    seen[there as usize] |= *region;
                    let least = &mut moves[there as usize];
                    *least = depth.min(*least);
                    next.push((at ^ ((from ^ to) as Placement) << (4 * place), there, *region));
                }
            }
        }
        level = next;
    }
    moves
}

/// The bound for a board or its reflection: the table index of each group, and the sum of the entries.
#[derive(Clone, Copy, Default)]
struct Estimate {
    index: [u32; MAX_GROUPS],
    moves: u8,
}

/// A board in the search. `tiles` has four bits per cell.
#[derive(Clone, Copy)]
struct Position {
    tiles: u64,
    blank: usize,
    estimate: Estimate,
    mirrored: Estimate,
}

/// The data that depends only on the size of a board.
pub struct Solver {
    grid: Grid,
    patterns: Patterns,
    /// The images of cells and of tiles under the reflection; only for square boards.
    mirror: Option<([usize; MAX_CELLS], [usize; MAX_CELLS])>,
}

impl Patterns {
    /// The estimate for a board, given as pairs of a tile and its cell.
    fn estimate(&self, tiles: impl Iterator<Item = (usize, usize)>) -> Estimate {
        let mut estimate = Estimate::default();
        for (tile, cell) in tiles {
            estimate.index[self.group[tile]] += cell as u32 * self.weight[tile];
        }
        let tables = self.tables.iter().zip(&estimate.index);
        estimate.moves = tables.filter_map(|(table, &index)| table.get(index as usize)).sum();
        estimate
    }

    /// The estimate after a tile has moved: only the entry of its group changes.
    fn after(&self, estimate: &Estimate, tile: usize, from: usize, to: usize) -> Estimate {
        let (group, weight) = (self.group[tile], self.weight[tile]);
        let (old, mut next) = (estimate.index[group], *estimate);
        let new = (old + to as u32 * weight).wrapping_sub(from as u32 * weight);
        next.index[group] = new;
        let table = &self.tables[group];
        next.moves = estimate.moves + table[new as usize] - table[old as usize];
        next
    }
}

impl Solver {
    pub fn new(rows: usize, columns: usize) -> Solver {
        let grid = Grid::new(rows, columns);
        let patterns = Patterns::new(&grid, &groups(rows, columns));
        let mirror = (rows == columns).then(|| {
            let cells = std::array::from_fn(|cell| cell % columns * columns + cell / columns);
            let tiles = std::array::from_fn(|tile: usize| {
                tile.checked_sub(1).map_or(0, |home| cells[home] + 1)
            });
            (cells, tiles)
        });
        Solver { grid, patterns, mirror }
    }

    /// The fewest moves that solve a board. The board must be solvable.
    pub fn fewest_moves(&self, tiles: &[u8]) -> u8 {
        let start = self.start(tiles);
        // Each move changes the parity of the estimate, so the estimate and the answer have the same one.
        let mut bound = start.estimate.moves.max(start.mirrored.moves);
        while !self.within(&start, 0, bound) {
            bound += 2;
        }
        bound
    }

    fn start(&self, tiles: &[u8]) -> Position {
        let blank = tiles.iter().position(|&tile| tile == 0).unwrap_or(0);
        let tiles = tiles.iter().enumerate().map(|(cell, &tile)| (tile as usize, cell));
        let tiles = tiles.filter(|&(tile, _)| tile != 0);
        let mirrored = self.mirror.as_ref().map(|(cells, images)| {
            self.patterns.estimate(tiles.clone().map(|(tile, cell)| (images[tile], cells[cell])))
        });
        Position {
            tiles: tiles.clone().fold(0, |tiles, (tile, cell)| tiles | (tile as u64) << (4 * cell)),
            blank,
            estimate: self.patterns.estimate(tiles),
            mirrored: mirrored.unwrap_or_default(),
        }
    }

    /// The position after the tile on `from` has moved into the blank; `None` if the estimate is above
    /// `left` further moves.
    fn after(&self, position: &Position, from: usize, left: u8) -> Option<Position> {
        let to = position.blank;
        let tile = (position.tiles >> (4 * from) & 15) as usize;
        let estimate = self.patterns.after(&position.estimate, tile, from, to);
        if estimate.moves > left {
            return None;
        }
        let mut mirrored = position.mirrored;
        if let Some((cells, images)) = &self.mirror {
            mirrored = self.patterns.after(&mirrored, images[tile], cells[from], cells[to]);
            if mirrored.moves > left {
                return None;
            }
        }
        let tiles = position.tiles ^ (tile as u64) << (4 * from) ^ (tile as u64) << (4 * to);
        Some(Position { tiles, blank: from, estimate, mirrored })
    }

    /// Whether `left` moves are enough. Does not move the tile on the cell in `last`, which moved last.
    fn within(&self, position: &Position, last: u16, left: u8) -> bool {
        left == 0
            || ones(self.grid.neighbours[position.blank] & !last).any(|from| {
                let next = self.after(position, from, left - 1);
                next.is_some_and(|next| self.within(&next, 1 << position.blank, left - 1))
            })
    }
}

/// Whether the board can be solved.
pub fn solvable(board: &Board) -> bool {
    let tiles = &board.tiles;
    let order: Vec<u8> = tiles.iter().copied().filter(|&tile| tile != 0).collect();
    if board.rows == 1 || board.columns == 1 {
        return order.is_sorted();
    }
    let inversions: usize =
        (0..order.len()).map(|i| order[i..].iter().filter(|&&tile| tile < order[i]).count()).sum();
    let blank = tiles.iter().position(|&tile| tile == 0).unwrap_or(0);
    // A move along a row keeps the order of the tiles. A move along a column takes a tile past
    // `columns` - 1 others.
    let rows_below = board.rows - 1 - blank / board.columns;
    (inversions + rows_below * (board.columns - 1)).is_multiple_of(2)
}

/// Reads a board of at most 12 squares, or 4×4. Each number from 0 on must occur once.
pub fn parse(input: &str) -> Result<Board, String> {
    let mut words = input
        .lines()
        .enumerate()
        .flat_map(|(line, text)| text.split_ascii_whitespace().map(move |word| (line + 1, word)));
    let mut next = |what: &str, low: usize, high: usize| {
        let (line, word) = words.next().ok_or_else(|| format!("the input ends before {what}"))?;
        let plain = word.bytes().all(|b| b.is_ascii_digit());
        match word.parse() {
            Ok(value) if plain && (low..=high).contains(&value) => Ok(value),
            _ => Err(format!("line {line}: `{word}` is not {what} from {low} to {high}")),
        }
    };
    let rows: usize = next("the number of rows", 1, 12)?;
    let columns: usize = next("the number of columns", 1, 12)?;
    let cells = rows * columns;
    if cells > 12 && (rows, columns) != (4, 4) {
        return Err(format!("a board of {rows}×{columns} is too large: 12 squares or 4×4"));
    }
    let mut tiles = Vec::new();
    for _ in 0..cells {
        let tile = next("a square's number", 0, cells - 1)? as u8;
        if tiles.contains(&tile) {
            return Err(format!("there are two squares with {tile}"));
        }
        tiles.push(tile);
    }
    match words.next() {
        Some((line, word)) => Err(format!("line {line}: `{word}` follows the board")),
        None => Ok(Board { rows, columns, tiles }),
    }
}

/// Reads a board and returns the line to print.
pub fn solve(input: &str) -> Result<String, String> {
    let board = parse(input)?;
    if !solvable(&board) {
        return Ok("-1\n".into());
    }
    let solver = Solver::new(board.rows, board.columns);
    Ok(format!("{}\n", solver.fewest_moves(&board.tiles)))
}

fn main() -> ExitCode {
    let mut input = String::new();
    let read = io::stdin()
        .lock()
        .read_to_string(&mut input)
        .map_err(|error| format!("reading the input: {error}"));
    let answer = read.and_then(|_| solve(&input));
    match answer.and_then(|text| {
        io::stdout()
            .write_all(text.as_bytes())
            .map_err(|error| format!("writing the answer: {error}"))
    }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
