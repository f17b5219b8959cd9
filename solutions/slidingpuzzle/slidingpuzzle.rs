//! Sliding Puzzle (LeetCode 773): the fewest moves that bring a board to 1 2 3 … 0, or -1.
//!
//! Idea: iterative deepening (IDA*, Korf 1985) under additive pattern databases (Korf and Felner
//! 2002). The tiles are split into groups; for each group a table holds, for every placement of its
//! tiles, the fewest moves of *its own* tiles that bring them home, the others being transparent.
//! A move moves a tile of one group only, so the sum over the groups never overestimates. The
//! tables are made at the start, from the goal backwards, by a breadth-first search over the
//! placements and the regions in which the blank can wander between their tiles. A square board
//! may also be looked at in the mirror of its main diagonal, through the same tables; the larger
//! sum counts.
//!
//! Half of all boards cannot be solved: each move swaps two squares and moves the blank by one, so
//! the parities of both must agree. On a line the tiles cannot even pass one another.
//!
//! Time: exponential in the depth, divided by what the tables know: milliseconds to 3×3, a fraction
//! of a second for most boards of 3×4 and 4×4. Memory: one byte a placement, 3 MB at most, and
//! thrice that while the tables are made.

use std::io::{self, Read, Write};
use std::process::ExitCode;

const MAX_CELLS: usize = 16;
const MAX_GROUPS: usize = 3;

/// What the tables say about a placement that is not met: no board has it.
const UNMET: u8 = u8::MAX;

/// The numbers as read, row by row; 0 is the blank.
pub struct Board {
    rows: usize,
    columns: usize,
    tiles: Vec<u8>,
}

/// Where the blank can go.
struct Grid {
    cells: usize,
    columns: usize,
    neighbours: [Vec<usize>; MAX_CELLS],
    not_first_column: u16,
    not_last_column: u16,
}

impl Grid {
    fn new(rows: usize, columns: usize) -> Grid {
        let cells = rows * columns;
        let mask = |keep: &dyn Fn(usize) -> bool| (0..cells).filter(|&cell| keep(cell)).fold(0, |mask, cell| mask | 1 << cell);
        let neighbours = std::array::from_fn(|cell| {
            let (row, column) = (cell / columns, cell % columns);
            let near = |other: &usize| row.abs_diff(other / columns) + column.abs_diff(other % columns) == 1;
            (0..cells).filter(near).collect()
        });
        Grid {
            cells,
            columns,
            neighbours,
            not_first_column: mask(&|cell| cell % columns != 0),
            not_last_column: mask(&|cell| cell % columns != columns - 1),
        }
    }

    /// All cells next to those in `region`, and those themselves.
    fn around(&self, region: u16) -> u16 {
        let beside = (region & self.not_last_column) << 1 | (region & self.not_first_column) >> 1;
        region | beside | region << self.columns | region >> self.columns
    }

    /// Where a blank on `cell` can wander without moving a tile on `taken`.
    fn region(&self, cell: usize, taken: u16) -> u16 {
        let mut region = 1 << cell;
        loop {
            let larger = self.around(region) & !taken & self.all();
            if larger == region {
                return region;
            }
            region = larger;
        }
    }

    fn all(&self) -> u16 {
        ((1u32 << self.cells) - 1) as u16
    }
}

/// The tables of all groups and how to look into them.
struct Patterns {
    tables: [Vec<u8>; MAX_GROUPS],
    /// Of each tile: its group, and what one cell further adds to its group's index.
    group: [usize; MAX_CELLS],
    weight: [u32; MAX_CELLS],
}

/// The sets of tiles that share a table: near each other at home, so that they are in each
/// other's way; large enough to know much, small enough to be made in no time.
fn groups(rows: usize, columns: usize) -> Vec<Vec<u8>> {
    match (rows, columns) {
        (4, 4) => vec![vec![2, 3, 4, 7, 8], vec![5, 9, 13, 10, 14], vec![1, 6, 11, 12, 15]],
        (3, 4) => vec![vec![1, 2, 5, 6, 9, 10], vec![3, 4, 7, 8, 11]],
        (4, 3) => vec![vec![1, 2, 3, 4, 5, 6], vec![7, 8, 9, 10, 11]],
        _ => {
            // Along the longer side, in halves if there are more than five tiles.
            let tiles = rows * columns - 1;
            let mut order: Vec<u8> = (1..=tiles as u8).collect();
            if columns > rows {
                order.sort_by_key(|&tile| (tile as usize - 1) % columns);
            }
            let size = if tiles > 5 { tiles.div_ceil(2) } else { tiles.max(1) };
            order.chunks(size).map(<[u8]>::to_vec).collect()
        }
    }
}

impl Patterns {
    fn new(grid: &Grid, groups: &[Vec<u8>]) -> Patterns {
        let mut patterns = Patterns { tables: Default::default(), group: [0; MAX_CELLS], weight: [0; MAX_CELLS] };
        for (number, tiles) in groups.iter().enumerate() {
            for (place, &tile) in tiles.iter().enumerate() {
                patterns.group[tile as usize] = number;
                patterns.weight[tile as usize] = (grid.cells as u32).pow(place as u32);
            }
            patterns.tables[number] = table(grid, tiles);
        }
        patterns
    }
}

/// The fewest moves of `tiles` alone from each of their placements to home. Breadth-first from
/// there: a node is a placement with a region of the blank; its edges move one of the tiles into
/// the region.
fn table(grid: &Grid, tiles: &[u8]) -> Vec<u8> {
    let size = grid.cells.pow(tiles.len() as u32);
    let weight: Vec<u32> = (0..tiles.len()).map(|place| (grid.cells as u32).pow(place as u32)).collect();
    let index = |at: &[u8; 8]| at.iter().zip(&weight).map(|(&cell, weight)| u32::from(cell) * weight).sum::<u32>() as usize;
    let mut moves = vec![UNMET; size];
    let mut met = vec![0u16; size];
    let mut home = [0u8; 8];
    for (cell, &tile) in home.iter_mut().zip(tiles) {
        *cell = tile - 1;
    }
    let taken = |at: &[u8; 8]| at[..tiles.len()].iter().fold(0u16, |taken, &cell| taken | 1 << cell);
    let region = grid.region(grid.cells - 1, taken(&home));
    met[index(&home)] = region;
    moves[index(&home)] = 0;
    let mut frontier = vec![(home, region)];
    let mut depth = 0;
    while !frontier.is_empty() {
        depth += 1;
        let mut next = Vec::new();
        for (at, region) in frontier {
            let (here, taken) = (index(&at), taken(&at));
            for place in 0..tiles.len() {
                let from = at[place] as usize;
                for &to in &grid.neighbours[from] {
                    if region >> to & 1 == 0 {
                        continue;
                    }
                    let there = here + to * weight[place] as usize - from * weight[place] as usize;
                    if met[there] >> from & 1 == 1 {
                        continue;
                    }
                    let mut moved = at;
                    moved[place] = to as u8;
                    let region = grid.region(from, taken ^ 1 << from ^ 1 << to);
                    met[there] |= region;
                    moves[there] = moves[there].min(depth);
                    next.push((moved, region));
                }
            }
        }
        frontier = next;
    }
    moves
}

/// One look at the board: each group's index into its table.
type View = [u32; MAX_GROUPS];

struct Search<'a> {
    grid: &'a Grid,
    patterns: &'a Patterns,
    /// Each cell's, and each tile's, image in the mirror; only on square boards.
    mirror: Option<([usize; MAX_CELLS], [usize; MAX_CELLS])>,
}

/// A board within the search: cell i's tile in the i-th four bits.
#[derive(Clone, Copy)]
struct Position {
    tiles: u64,
    blank: usize,
    view: View,
    mirrored: View,
}

impl Search<'_> {
    fn start(&self, board: &Board) -> Position {
        let mut position = Position { tiles: 0, blank: 0, view: [0; MAX_GROUPS], mirrored: [0; MAX_GROUPS] };
        for (cell, &tile) in board.tiles.iter().enumerate() {
            position.tiles |= u64::from(tile) << (4 * cell);
            if tile == 0 {
                position.blank = cell;
                continue;
            }
            let tile = tile as usize;
            position.view[self.patterns.group[tile]] += cell as u32 * self.patterns.weight[tile];
            if let Some((cells, tiles)) = &self.mirror {
                let tile = tiles[tile];
                position.mirrored[self.patterns.group[tile]] += cells[cell] as u32 * self.patterns.weight[tile];
            }
        }
        position
    }

    fn look(&self, view: &View) -> u8 {
        self.patterns.tables.iter().zip(view).filter_map(|(table, &index)| table.get(index as usize)).sum()
    }

    /// At least how many moves are missing.
    fn estimate(&self, position: &Position) -> u8 {
        self.look(&position.view).max(if self.mirror.is_some() { self.look(&position.mirrored) } else { 0 })
    }

    /// The board after the tile on `from` has moved into the blank.
    fn after(&self, position: &Position, from: usize) -> Position {
        let (mut next, to) = (*position, position.blank);
        let tile = (position.tiles >> (4 * from) & 15) as usize;
        next.tiles ^= (tile as u64) << (4 * from) | (tile as u64) << (4 * to);
        next.blank = from;
        let (group, weight) = (self.patterns.group[tile], self.patterns.weight[tile]);
        next.view[group] = next.view[group].wrapping_add(weight.wrapping_mul((to as u32).wrapping_sub(from as u32)));
        if let Some((cells, tiles)) = &self.mirror {
            let tile = tiles[tile];
            let (group, weight) = (self.patterns.group[tile], self.patterns.weight[tile]);
            let shift = (cells[to] as u32).wrapping_sub(cells[from] as u32);
            next.mirrored[group] = next.mirrored[group].wrapping_add(weight.wrapping_mul(shift));
        }
        next
    }

    /// Whether `left` moves suffice; the tile that moved last, now on `last`, is not moved back.
    fn within(&self, position: &Position, last: usize, left: u8) -> bool {
        if left == 0 {
            return true;
        }
        self.grid.neighbours[position.blank].iter().any(|&from| {
            from != last && {
                let next = self.after(position, from);
                self.estimate(&next) < left && self.within(&next, position.blank, left - 1)
            }
        })
    }
}

/// Whether the tiles' order can be brought to 1 2 3 … at all.
fn solvable(board: &Board) -> bool {
    let order: Vec<u8> = board.tiles.iter().copied().filter(|&tile| tile != 0).collect();
    if board.rows == 1 || board.columns == 1 {
        return order.is_sorted();
    }
    let inversions: usize = (0..order.len()).map(|i| order[i..].iter().filter(|&&tile| tile < order[i]).count()).sum();
    let blank = board.tiles.iter().position(|&tile| tile == 0).unwrap_or(0);
    // A move along a row keeps the order; one along a column passes over `columns` - 1 tiles.
    let rows_below = board.rows - 1 - blank / board.columns;
    (inversions + rows_below * (board.columns - 1)).is_multiple_of(2)
}

/// The fewest moves that solve the board, if it can be solved.
pub fn fewest_moves(board: &Board) -> Option<u8> {
    if !solvable(board) {
        return None;
    }
    let grid = Grid::new(board.rows, board.columns);
    let patterns = Patterns::new(&grid, &groups(board.rows, board.columns));
    let mirror = (board.rows == board.columns).then(|| {
        let side = board.rows;
        let cells = std::array::from_fn(|cell| cell % side * side + cell / side);
        let tiles = std::array::from_fn(|tile: usize| tile.checked_sub(1).map_or(0, |home| cells[home] + 1));
        (cells, tiles)
    });
    let search = Search { grid: &grid, patterns: &patterns, mirror };
    let start = search.start(board);
    // Every solution has the parity of the estimate: each group's moves have, cell by cell.
    let mut bound = search.estimate(&start);
    while !search.within(&start, usize::MAX, bound) {
        bound += 2;
    }
    Some(bound)
}

/// Reads a board, at most 12 squares or 4×4, every number from 0 on once.
pub fn parse(input: &str) -> Result<Board, String> {
    let mut words = input.lines().enumerate().flat_map(|(line, text)| text.split_ascii_whitespace().map(move |word| (line + 1, word)));
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
    let moves = fewest_moves(&parse(input)?);
    Ok(moves.map_or("-1\n".to_string(), |moves| format!("{moves}\n")))
}

fn main() -> ExitCode {
    let mut input = String::new();
    let read = io::stdin().lock().read_to_string(&mut input).map_err(|error| format!("reading the input: {error}"));
    let answer = read.and_then(|_| solve(&input));
    match answer.and_then(|text| io::stdout().write_all(text.as_bytes()).map_err(|error| format!("writing the answer: {error}"))) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
