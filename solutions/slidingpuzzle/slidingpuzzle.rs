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
//! Time: exponential in the depth, but the tables leave little of it: milliseconds for most boards
//! up to 3×4, a fraction of a second for boards of 4×4 within 60 moves. Memory: one byte for each
//! placement of a group's tiles, 3 MB for 4×4, and a few times as much while the tables are built.

use std::io::{self, Read, Write};
use std::process::ExitCode;

const MAX_CELLS: usize = 16;
const MAX_GROUPS: usize = 3;

/// What the tables say about a placement that is not met: no board has it.
const UNMET: u8 = u8::MAX;

/// The numbers as read, row by row; 0 is the blank.
pub struct Board {
    pub rows: usize,
    pub columns: usize,
    pub tiles: Vec<u8>,
}

/// Where the blank can go. Sets of cells are bits of a word.
struct Grid {
    cells: usize,
    beside: [u16; MAX_CELLS],
}

impl Grid {
    fn new(rows: usize, columns: usize) -> Grid {
        let cells = rows * columns;
        let beside = |cell: usize| {
            let near = |other: usize| {
                (cell / columns).abs_diff(other / columns)
                    + (cell % columns).abs_diff(other % columns)
                    == 1
            };
            (0..cells)
                .filter(|&other| near(other))
                .fold(0, |set, other| set | 1 << other)
        };
        Grid {
            cells,
            beside: std::array::from_fn(beside),
        }
    }

    /// Where a blank on `cell` can wander without moving a tile on `taken`.
    fn region(&self, cell: usize, taken: u16) -> u16 {
        let mut region = 1 << cell;
        loop {
            let larger =
                ones(region).fold(region, |larger, cell| larger | self.beside[cell]) & !taken;
            if larger == region {
                return region;
            }
            region = larger;
        }
    }
}

/// The places of the ones.
fn ones(mut set: u16) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let place = set.trailing_zeros() as usize;
        set &= set.wrapping_sub(1);
        (place < MAX_CELLS).then_some(place)
    })
}

/// The tables of all groups and how to look into them.
struct Patterns {
    tables: [Vec<u8>; MAX_GROUPS],
    /// Of each tile: its group, and what one cell further adds to its group's index.
    group: [usize; MAX_CELLS],
    weight: [u32; MAX_CELLS],
}

/// The sets of tiles that share a table: near each other at home, so that they are in each
/// other's way; large enough to know much, small enough that the tables do not take longer than
/// the search that they save.
fn groups(rows: usize, columns: usize) -> Vec<Vec<u8>> {
    match (rows, columns) {
        (4, 4) => vec![
            vec![1, 2, 5, 6, 9],
            vec![3, 4, 7, 8, 12],
            vec![10, 11, 13, 14, 15],
        ],
        (3, 4) => vec![vec![1, 2, 5, 6], vec![3, 4, 7, 8], vec![9, 10, 11]],
        (4, 3) => vec![vec![1, 2, 4, 5], vec![7, 8, 10, 11], vec![3, 6, 9]],
        _ => {
            // Along the longer side, about four at a time.
            let tiles = rows * columns - 1;
            let mut order: Vec<u8> = (1..=tiles as u8).collect();
            if columns > rows {
                order.sort_by_key(|&tile| (tile as usize - 1) % columns);
            }
            let count = tiles.div_ceil(4).max(1);
            order
                .chunks(tiles.div_ceil(count).max(1))
                .map(<[u8]>::to_vec)
                .collect()
        }
    }
}

impl Patterns {
    fn new(grid: &Grid, groups: &[Vec<u8>]) -> Patterns {
        let mut patterns = Patterns {
            tables: Default::default(),
            group: [0; MAX_CELLS],
            weight: [0; MAX_CELLS],
        };
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

/// Where the tiles of a group lie: the i-th tile's cell in the i-th four bits.
type Placement = u32;

/// The fewest moves of `tiles` alone from each of their placements to home. Breadth-first from
/// there: a node is a placement with a region of the blank; its edges move one of the tiles into
/// the region.
fn table(grid: &Grid, tiles: &[u8], weight: &[u32; MAX_CELLS]) -> Vec<u8> {
    let cell = |at: Placement, place: usize| (at >> (4 * place) & 15) as usize;
    let size = grid.cells.pow(tiles.len() as u32);
    let mut moves = vec![UNMET; size];
    // For each placement, the cells of the regions that were met.
    let mut met = vec![0u16; size];
    // The regions of the blank for each set of taken cells, found when first asked for.
    let mut regions = vec![[0u16; MAX_CELLS]; 1 << grid.cells];
    let home = tiles
        .iter()
        .rev()
        .fold(0, |at, &tile| at << 4 | Placement::from(tile - 1));
    let home_index: usize = tiles
        .iter()
        .map(|&tile| (tile as usize - 1) * weight[tile as usize] as usize)
        .sum();
    let home_taken = tiles.iter().fold(0, |taken, &tile| taken | 1 << (tile - 1));
    let region = grid.region(grid.cells - 1, home_taken);
    met[home_index] = region;
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
                for to in ones(grid.beside[from] & region) {
                    let weight = weight[tile as usize];
                    let there = index + to as u32 * weight - from as u32 * weight;
                    if met[there as usize] >> from & 1 == 1 {
                        continue;
                    }
                    let taken = taken ^ 1 << from ^ 1 << to;
                    let region = &mut regions[taken as usize][from];
                    if *region == 0 {
                        *region = grid.region(from, taken);
                    }
                    met[there as usize] |= *region;
                    let least = &mut moves[there as usize];
                    *least = depth.min(*least);
                    next.push((
                        at ^ ((from ^ to) as Placement) << (4 * place),
                        there,
                        *region,
                    ));
                }
            }
        }
        level = next;
    }
    moves
}

/// One look at the board: each group's index into its table, and what the tables say in all.
#[derive(Clone, Copy, Default)]
struct View {
    index: [u32; MAX_GROUPS],
    missing: u8,
}

/// A board within the search: cell i's tile in the i-th four bits.
#[derive(Clone, Copy)]
struct Position {
    tiles: u64,
    blank: usize,
    view: View,
    mirrored: View,
}

/// All that does not depend on the board but on its size.
pub struct Solver {
    grid: Grid,
    patterns: Patterns,
    /// Each cell's, and each tile's, image in the mirror; only on square boards.
    mirror: Option<([usize; MAX_CELLS], [usize; MAX_CELLS])>,
}

impl Patterns {
    /// The view of a board given as its tiles and their cells.
    fn view(&self, tiles: impl Iterator<Item = (usize, usize)>) -> View {
        let mut view = View::default();
        for (tile, cell) in tiles {
            view.index[self.group[tile]] += cell as u32 * self.weight[tile];
        }
        let tables = self.tables.iter().zip(&view.index);
        view.missing = tables
            .filter_map(|(table, &index)| table.get(index as usize))
            .sum();
        view
    }

    /// The view after a tile has moved: only its group's table says something else.
    fn after(&self, view: &View, tile: usize, from: usize, to: usize) -> View {
        let (group, weight) = (self.group[tile], self.weight[tile]);
        let (old, mut next) = (view.index[group], *view);
        let new = (old + to as u32 * weight).wrapping_sub(from as u32 * weight);
        next.index[group] = new;
        let table = &self.tables[group];
        next.missing = view.missing + table[new as usize] - table[old as usize];
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
        Solver {
            grid,
            patterns,
            mirror,
        }
    }

    /// The fewest moves that solve the board with these tiles, which can be solved.
    pub fn fewest_moves(&self, tiles: &[u8]) -> u8 {
        let start = self.start(tiles);
        // Each move changes the parity of the sum, so every solution has that of the estimate.
        let mut bound = start.view.missing.max(start.mirrored.missing);
        while !self.within(&start, 0, bound) {
            bound += 2;
        }
        bound
    }

    fn start(&self, tiles: &[u8]) -> Position {
        let blank = tiles.iter().position(|&tile| tile == 0).unwrap_or(0);
        let tiles = tiles
            .iter()
            .enumerate()
            .map(|(cell, &tile)| (tile as usize, cell));
        let tiles = tiles.filter(|&(tile, _)| tile != 0);
        let mirrored = self.mirror.as_ref().map(|(cells, images)| {
            self.patterns.view(
                tiles
                    .clone()
                    .map(|(tile, cell)| (images[tile], cells[cell])),
            )
        });
        Position {
            tiles: tiles
                .clone()
                .fold(0, |tiles, (tile, cell)| tiles | (tile as u64) << (4 * cell)),
            blank,
            view: self.patterns.view(tiles),
            mirrored: mirrored.unwrap_or_default(),
        }
    }

    /// The board after the tile on `from` has moved into the blank, if the tables let it be solved
    /// in `left` further moves.
    fn after(&self, position: &Position, from: usize, left: u8) -> Option<Position> {
        let to = position.blank;
        let tile = (position.tiles >> (4 * from) & 15) as usize;
        let view = self.patterns.after(&position.view, tile, from, to);
        if view.missing > left {
            return None;
        }
        let mut mirrored = position.mirrored;
        if let Some((cells, images)) = &self.mirror {
            mirrored = self
                .patterns
                .after(&mirrored, images[tile], cells[from], cells[to]);
            if mirrored.missing > left {
                return None;
            }
        }
        let tiles = position.tiles ^ (tile as u64) << (4 * from) ^ (tile as u64) << (4 * to);
        Some(Position {
            tiles,
            blank: from,
            view,
            mirrored,
        })
    }

    /// Whether `left` moves suffice; the tile that moved last, now on `last`, is not moved back.
    fn within(&self, position: &Position, last: u16, left: u8) -> bool {
        left == 0
            || ones(self.grid.beside[position.blank] & !last).any(|from| {
                let next = self.after(position, from, left - 1);
                next.is_some_and(|next| self.within(&next, 1 << position.blank, left - 1))
            })
    }
}

/// Whether the tiles' order can be brought to 1 2 3 … at all.
pub fn solvable(board: &Board) -> bool {
    let tiles = &board.tiles;
    let order: Vec<u8> = tiles.iter().copied().filter(|&tile| tile != 0).collect();
    if board.rows == 1 || board.columns == 1 {
        return order.is_sorted();
    }
    let inversions: usize = (0..order.len())
        .map(|i| order[i..].iter().filter(|&&tile| tile < order[i]).count())
        .sum();
    let blank = tiles.iter().position(|&tile| tile == 0).unwrap_or(0);
    // A move along a row keeps the order; one along a column passes over `columns` - 1 tiles.
    let rows_below = board.rows - 1 - blank / board.columns;
    (inversions + rows_below * (board.columns - 1)).is_multiple_of(2)
}

/// Reads a board, at most 12 squares or 4×4, every number from 0 on once.
pub fn parse(input: &str) -> Result<Board, String> {
    let mut words = input.lines().enumerate().flat_map(|(line, text)| {
        text.split_ascii_whitespace()
            .map(move |word| (line + 1, word))
    });
    let mut next = |what: &str, low: usize, high: usize| {
        let (line, word) = words
            .next()
            .ok_or_else(|| format!("the input ends before {what}"))?;
        let plain = word.bytes().all(|b| b.is_ascii_digit());
        match word.parse() {
            Ok(value) if plain && (low..=high).contains(&value) => Ok(value),
            _ => Err(format!(
                "line {line}: `{word}` is not {what} from {low} to {high}"
            )),
        }
    };
    let rows: usize = next("the number of rows", 1, 12)?;
    let columns: usize = next("the number of columns", 1, 12)?;
    let cells = rows * columns;
    if cells > 12 && (rows, columns) != (4, 4) {
        return Err(format!(
            "a board of {rows}×{columns} is too large: 12 squares or 4×4"
        ));
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
        None => Ok(Board {
            rows,
            columns,
            tiles,
        }),
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
