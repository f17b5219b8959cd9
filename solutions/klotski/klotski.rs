//! Klotski: the fewest slides that bring a block to its goal.
//!
//! Idea: breadth-first search over positions in which blocks of one shape, except the target, are
//! interchangeable. A board has at most 64 cells, so a set of cells is one `u64`. A block is
//! identified by its first cell in reading order. One operation tests all blocks of a shape at
//! once: the free cells, rotated by fixed amounts and joined by AND, are the first cells to which
//! such a block can move. A slide is a flood fill over first cells; it can pass through any
//! position, seen or not.
//!
//! A position is packed into N words: the cell number of each block whose shape occurs once, and a
//! few bit planes for all other shapes (for each cell, the code of the shape whose first cell it
//! is). A move is two XORs. The packed position is the key of an open-addressing table, so the
//! search is exact. New positions are collected in a batch: a first pass loads their slots, so that
//! the cache misses overlap, and a second pass inserts them. After a slide of block X, the search
//! does not slide X again, since the slides from the parent position include the result. If a
//! reflection or the half turn maps the shapes, and the start or the goal, onto themselves, a
//! position and its image count as one, which halves the search.
//!
//! The search stores no parent pointers. Since slides can be undone, it finds the path backwards:
//! it expands a position and looks for a neighbour in the level before.
//!
//! Time O(positions × slides per position). Memory: about 2.7 × 8N bytes per position; N is 1 for
//! the classic 5×4 boards and rarely above 2.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{Read, Write as _};

const MAX_SIDE: usize = 8;
const MAX_POSITIONS: usize = 10_000_000;
const BATCH: usize = 256;
/// The size of the pages of memory, in bytes.
const PAGE: usize = 4096;
const NO_SKIP: usize = usize::MAX;

fn main() {
    let mut input = Vec::new();
    let answer = match std::io::stdin().read_to_end(&mut input) {
        Ok(_) => solve(&input),
        Err(error) => Err(error.to_string()),
    };
    match answer {
        Ok(text) => {
            if let Err(error) = std::io::stdout().write_all(text.as_bytes()) {
                fail(&error.to_string());
            }
        }
        Err(message) => fail(&message),
    }
}

fn fail(message: &str) -> ! {
    eprintln!("error: {message}");
    std::process::exit(1);
}

/// The complete output for an input, or an error if the input is invalid.
pub fn solve(input: &[u8]) -> Result<String, String> {
    let puzzle = Puzzle::parse(input)?;
    let board = Board::new(&puzzle);
    let path = match board.words {
        1 => Search::<1>::new(&board).run(),
        2 | 3 => Search::<3>::new(&board).run(),
        _ => Search::<5>::new(&board).run(),
    }?;
    Ok(match path {
        Some(path) => puzzle.describe(&board, &path),
        None => "-1\n".to_string(),
    })
}

// ---------------------------------------------------------------------------------------------
// Input and output

struct Puzzle {
    rows: usize,
    cols: usize,
    labels: Vec<String>,
    /// The cells of each block, in reading order.
    blocks: Vec<Vec<usize>>,
    target: usize,
    goal: (usize, usize),
}

impl Puzzle {
    fn parse(input: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(input).map_err(|_| "the input is not UTF-8".to_string())?;
        let mut lines = text.lines();
        let [rows, cols] = numbers(lines.next(), "the size of the board")?;
        if !(1..=MAX_SIDE).contains(&rows) || !(1..=MAX_SIDE).contains(&cols) {
            return Err(format!("a board of {rows} by {cols}; 1 to 8 are allowed"));
        }
        let mut labels: Vec<String> = Vec::new();
        let mut blocks: Vec<Vec<usize>> = Vec::new();
        let mut index: HashMap<&str, usize> = HashMap::new();
        for row in 0..rows {
            let line = lines.next().ok_or("the board ends too early")?;
            let words: Vec<&str> = line.split_ascii_whitespace().collect();
            if words.len() != cols {
                return Err(format!("row {row} has {} cells, not {cols}", words.len()));
            }
            for (col, word) in words.into_iter().enumerate() {
                if word.bytes().all(|byte| byte == b'.') {
                    continue;
                }
                let block = *index.entry(word).or_insert_with(|| {
                    labels.push(word.to_string());
                    blocks.push(Vec::new());
                    labels.len() - 1
                });
                blocks[block].push(row * cols + col);
            }
        }
        for (label, cells) in labels.iter().zip(&blocks) {
            if !connected(cells, cols) {
                return Err(format!("the cells of `{label}` are not connected"));
            }
        }
        let line = lines.next().ok_or("the target is missing")?;
        let mut words = line.split_ascii_whitespace();
        let (Some(name), None) = (words.next(), words.next()) else {
            return Err("the target must be one label".to_string());
        };
        let target = *index.get(name).ok_or_else(|| format!("no block is called `{name}`"))?;
        let [row, col] = numbers(lines.next(), "the goal")?;
        if row >= rows || col >= cols {
            return Err(format!("the goal ({row},{col}) is off the board"));
        }
        if lines.any(|line| !line.trim().is_empty()) {
            return Err("text after the goal".to_string());
        }
        Ok(Self { rows, cols, labels, blocks, target, goal: (row, col) })
    }

    /// The output. Replays the path from the start to find the label of each block that moves.
    fn describe(&self, board: &Board, path: &[Slide]) -> String {
        let mut owner = [0; MAX_SIDE * MAX_SIDE];
        for (block, cells) in self.blocks.iter().enumerate() {
            owner[cells[0]] = block;
        }
        let mut text = format!("{}\n", path.len());
        for slide in path {
            let block = owner[slide.from];
            owner[slide.to] = block;
            let corner = |cell: usize| {
                (cell / self.cols, cell % self.cols - board.classes[slide.class].inset)
            };
            let ((r0, c0), (r1, c1)) = (corner(slide.from), corner(slide.to));
            writeln!(text, "{} ({r0},{c0}) ({r1},{c1})", self.labels[block])
                .expect("writing to a String cannot fail");
        }
        text
    }
}

/// Reads a line of exactly two decimal numbers.
fn numbers(line: Option<&str>, what: &str) -> Result<[usize; 2], String> {
    let line = line.ok_or_else(|| format!("{what} is missing"))?;
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    if words.len() != 2 {
        return Err(format!("{what} must be two numbers"));
    }
    let mut values = [0; 2];
    for (value, word) in values.iter_mut().zip(words) {
        let digits = word.bytes().all(|byte| byte.is_ascii_digit());
        *value = word
            .parse()
            .ok()
            .filter(|_| digits)
            .ok_or_else(|| format!("`{word}` is not a number"))?;
    }
    Ok(values)
}

fn connected(cells: &[usize], cols: usize) -> bool {
    let mut reached = vec![cells[0]];
    let mut next = 0;
    while next < reached.len() {
        let (row, col) = (reached[next] / cols, reached[next] % cols);
        for &cell in cells {
            let adjacent = row.abs_diff(cell / cols) + col.abs_diff(cell % cols) == 1;
            if adjacent && !reached.contains(&cell) {
                reached.push(cell);
            }
        }
        next += 1;
    }
    reached.len() == cells.len()
}

// ---------------------------------------------------------------------------------------------
// The board: shapes, where they fit, how they move, where they are packed

/// A slide of a block of the class, given by its first cells before and after.
#[derive(Clone, Copy)]
struct Slide {
    class: usize,
    from: usize,
    to: usize,
}

/// All blocks of one shape. The target is a class of its own, number 0.
struct Class {
    /// Offsets of the cells from the first one.
    shape: Vec<u32>,
    /// Columns from the left edge of the bounding box to the first cell.
    inset: usize,
    /// The set of first cells at which the block fits on the board.
    valid: u64,
    /// For a step up, down, left and right: the first cells from which the block stays on the board,
    /// and the offsets (mod 64) of the cells that the block enters.
    exits: [(u64, Vec<u32>); 4],
    /// The block's cells, by first cell.
    cells: Vec<u64>,
    /// The set of first cells at the start.
    start: u64,
    /// For a class of one block: the bit where its cell number is packed.
    field: Option<u32>,
    /// For a class of several blocks: its code in the bit planes.
    code: u32,
}

struct Board {
    cols: usize,
    classes: Vec<Class>,
    occupied: u64,
    all: u64,
    left: u64,
    right: u64,
    planes: u32,
    bits: u32,
    words: usize,
    /// The target's first cell at the goal; `None` if it would stick out.
    goal: Option<usize>,
    /// By class × 64 + first cell: the class and the first cell of a block's image under the symmetry.
    twins: Option<Vec<(usize, usize)>>,
}

impl Board {
    fn new(puzzle: &Puzzle) -> Self {
        let (rows, cols) = (puzzle.rows, puzzle.cols);
        let count = rows * cols;
        let column = (0..rows).fold(0u64, |set, row| set | 1 << (row * cols));
        let mut board = Board {
            cols,
            classes: Vec::new(),
            occupied: 0,
            all: u64::MAX >> (64 - count),
            left: column,
            right: column << (cols - 1),
            planes: 0,
            bits: u64::BITS - (count as u64).leading_zeros(),
            words: 0,
            goal: None,
            twins: None,
        };
        board.add_classes(puzzle);
        board.lay_out(count);
        let target = &board.classes[0];
        let goal = puzzle.goal.0 * cols + puzzle.goal.1 + target.inset;
        let fits = puzzle.goal.1 + target.inset < cols && target.valid >> goal & 1 == 1;
        board.goal = fits.then_some(goal);
        board.twins = board.find_symmetry(rows);
        board
    }

    fn add_classes(&mut self, puzzle: &Puzzle) {
        let order = std::iter::once(puzzle.target)
            .chain((0..puzzle.blocks.len()).filter(|&b| b != puzzle.target));
        let mut index: HashMap<(Vec<u32>, usize), usize> = HashMap::new();
        for block in order {
            let cells = &puzzle.blocks[block];
            let shape: Vec<u32> = cells.iter().map(|cell| (cell - cells[0]) as u32).collect();
            let leftmost =
                cells.iter().map(|cell| cell % self.cols).min().expect("a block has cells");
            let inset = cells[0] % self.cols - leftmost;
            let class = if block == puzzle.target {
                self.classes.push(self.class(cells, shape, inset));
                0
            } else {
                // Offsets alone would confuse shapes that differ in how they wrap around the board.
                *index.entry((shape, inset)).or_insert_with_key(|(shape, inset)| {
                    self.classes.push(self.class(cells, shape.clone(), *inset));
                    self.classes.len() - 1
                })
            };
            self.classes[class].start |= 1 << cells[0];
            self.occupied |= cells.iter().fold(0, |set, cell| set | 1 << cell);
        }
    }

    fn class(&self, cells: &[usize], shape: Vec<u32>, inset: usize) -> Class {
        let cols = self.cols;
        let count = self.all.count_ones() as usize;
        let last = cells.iter().map(|cell| cell % cols).max().expect("a block has cells");
        let (width, height) = (
            last + 1 + inset - cells[0] % cols,
            cells[cells.len() - 1] / cols + 1 - cells[0] / cols,
        );
        let mut valid = 0u64;
        let mut masks = vec![0u64; 64];
        for (first, mask) in masks.iter_mut().enumerate().take(count) {
            let (row, col) = (first / cols, first % cols);
            if col >= inset && col - inset + width <= cols && (row + height) * cols <= count {
                valid |= 1 << first;
                *mask = shape.iter().fold(0, |set, offset| set | 1 << (first as u32 + offset));
            }
        }
        let steps = [-(cols as i32), cols as i32, -1, 1];
        let exits = std::array::from_fn(|way| {
            let back = way ^ 1;
            let entered = shape
                .iter()
                .map(|&offset| offset as i32 + steps[way])
                .filter(|&offset| !shape.iter().any(|&other| other as i32 == offset))
                .map(|offset| offset.rem_euclid(64) as u32)
                .collect();
            (valid & self.shift(valid, back), entered)
        });
        Class { shape, inset, valid, exits, cells: masks, start: 0, field: None, code: 0 }
    }

    /// Moves a set of cells by one step; `way` is 0 to 3 for up, down, left, right.
    fn shift(&self, set: u64, way: usize) -> u64 {
        match way {
            0 => set >> self.cols,
            1 => set << self.cols & self.all,
            2 => (set & !self.left) >> 1,
            _ => (set & !self.right) << 1,
        }
    }

    /// Assigns bits of the packed position to every class.
    fn lay_out(&mut self, count: usize) {
        let mut code = 0;
        for class in self.classes.iter_mut().filter(|class| class.start.count_ones() > 1) {
            code += 1;
            class.code = code;
        }
        self.planes = u32::BITS - code.leading_zeros();
        let mut bit = self.planes * count as u32;
        for class in self.classes.iter_mut().filter(|class| class.start.count_ones() == 1) {
            class.field = Some(bit);
            bit += self.bits;
        }
        self.words = bit.div_ceil(64) as usize;
    }

    /// Tries the mirror left to right, the mirror top to bottom and the half turn. Returns the first one
    /// that maps the shapes onto each other, and the start or the goal onto itself.
    fn find_symmetry(&self, rows: usize) -> Option<Vec<(usize, usize)>> {
        let goal = self.goal?;
        [(false, true), (true, false), (true, true)].into_iter().find_map(
            |(flip_rows, flip_cols)| {
                let image = |cell: usize| {
                    let (row, col) = (cell / self.cols, cell % self.cols);
                    let row = if flip_rows { rows - 1 - row } else { row };
                    let col = if flip_cols { self.cols - 1 - col } else { col };
                    row * self.cols + col
                };
                let mut twins = vec![(0, 0); self.classes.len() * 64];
                for (number, class) in self.classes.iter().enumerate() {
                    for first in ones(class.valid) {
                        let cells =
                            ones(class.cells[first]).fold(0u64, |set, cell| set | 1 << image(cell));
                        let corner = cells.trailing_zeros() as usize;
                        let likes = if number == 0 { 0..1 } else { 1..self.classes.len() };
                        let twin = likes.into_iter().find(|&like| {
                            let like = &self.classes[like];
                            like.cells[corner] == cells
                                && like.start.count_ones() == class.start.count_ones()
                        })?;
                        twins[number * 64 + first] = (twin, corner);
                    }
                }
                let same_goal = twins[goal].1 == goal;
                let same_start = self.classes.iter().enumerate().all(|(number, class)| {
                    ones(class.start).all(|first| {
                        let (twin, corner) = twins[number * 64 + first];
                        self.classes[twin].start >> corner & 1 == 1
                    })
                });
                (same_goal || same_start).then_some(twins)
            },
        )
    }
}

/// The members of a set of cells, the last one first.
fn ones(mut set: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let cell = set.checked_ilog2()?;
        set ^= 1 << cell;
        Some(cell as usize)
    })
}

// ---------------------------------------------------------------------------------------------
// The search

type Packed<const N: usize> = [u64; N];

fn xor<const N: usize>(a: &Packed<N>, b: &Packed<N>) -> Packed<N> {
    std::array::from_fn(|i| a[i] ^ b[i])
}

/// A position in the search: its image under the symmetry (itself if there is none), its free cells,
/// and the block that slid last (class × 64 + first cell), which need not slide again.
#[derive(Clone, Copy)]
struct Node<const N: usize> {
    state: Packed<N>,
    image: Packed<N>,
    free: u64,
    skip: usize,
}

impl<const N: usize> Node<N> {
    fn key(&self) -> Packed<N> {
        self.state.min(self.image)
    }
}

struct Search<'a, const N: usize> {
    board: &'a Board,
    /// By class × 64 + first cell: what a block contributes to the packed position and to its image.
    contributions: Vec<(Packed<N>, Packed<N>)>,
}

impl<'a, const N: usize> Search<'a, N> {
    fn new(board: &'a Board) -> Self {
        let count = board.all.count_ones();
        let contribution = |class: usize, first: usize| {
            let mut words = [0u64; N];
            let mut put = |bit: u32, value: u64| {
                let (word, shift) = ((bit / 64) as usize, bit % 64);
                words[word] |= value << shift;
                if shift + board.bits > 64 && value >> (64 - shift) != 0 {
                    words[word + 1] |= value >> (64 - shift);
                }
            };
            let class = &board.classes[class];
            match class.field {
                Some(bit) => put(bit, first as u64 + 1),
                None => (0..board.planes).for_each(|plane| {
                    put(plane * count + first as u32, u64::from(class.code >> plane & 1));
                }),
            }
            words
        };
        let mut contributions = vec![([0; N], [0; N]); board.classes.len() * 64];
        for (number, class) in board.classes.iter().enumerate() {
            for first in ones(class.valid) {
                let bits = contribution(number, first);
                let image = board.twins.as_ref().map_or(bits, |twins| {
                    let (twin, corner) = twins[number * 64 + first];
                    contribution(twin, corner)
                });
                contributions[number * 64 + first] = (bits, image);
            }
        }
        Self { board, contributions }
    }

    fn run(&self) -> Result<Option<Vec<Slide>>, String> {
        let Some(goal) = self.board.goal else {
            return Ok(None);
        };
        if self.board.classes[0].start >> goal & 1 == 1 {
            return Ok(Some(Vec::new()));
        }
        let twin = self.board.twins.as_ref().map_or(goal, |twins| twins[goal].1);
        let goals = 1u64 << goal | 1 << twin;
        let start = self.start();
        let mut table = Table::new();
        table.insert(&start.key());
        let mut levels = vec![vec![start.key()]];
        let (mut frontier, mut next, mut batch) =
            (vec![start], Vec::new(), Vec::with_capacity(2 * BATCH));
        while !frontier.is_empty() {
            for node in &frontier {
                let mut found = None;
                self.expand(node, |slide, after| {
                    if slide.class == 0 && goals >> slide.to & 1 == 1 {
                        found = Some(after);
                    }
                    batch.push(after);
                });
                if let Some(last) = found {
                    return Ok(Some(self.walk_back(&last, &levels, start.state, goal)));
                }
                if batch.len() >= BATCH {
                    table.absorb(&mut batch, &mut next);
                }
            }
            table.absorb(&mut batch, &mut next);
            if table.len > MAX_POSITIONS {
                return Err("more than ten million positions".to_string());
            }
            levels.push(next.iter().map(Node::key).collect());
            std::mem::swap(&mut frontier, &mut next);
            next.clear();
        }
        Ok(None)
    }

    fn start(&self) -> Node<N> {
        let mut node = Node {
            state: [0; N],
            image: [0; N],
            free: self.board.all & !self.board.occupied,
            skip: NO_SKIP,
        };
        for (number, class) in self.board.classes.iter().enumerate() {
            for first in ones(class.start) {
                let (bits, image) = &self.contributions[number * 64 + first];
                node.state = xor(&node.state, bits);
                node.image = xor(&node.image, image);
            }
        }
        node
    }

    /// Calls `emit` with each slide from a position, and with the position after it.
    #[inline(always)]
    fn expand(&self, node: &Node<N>, mut emit: impl FnMut(Slide, Node<N>)) {
        let board = self.board;
        let planes = self.planes(&node.state);
        for (number, class) in board.classes.iter().enumerate() {
            let firsts = self.firsts(class, &node.state, &planes);
            let mut movers = 0;
            for (exit, entered) in &class.exits {
                movers |= entered
                    .iter()
                    .fold(firsts & exit, |set, &offset| set & node.free.rotate_right(offset));
            }
            if node.skip / 64 == number {
                movers &= !(1 << (node.skip % 64));
            }
            for from in ones(movers) {
                let open = node.free | class.cells[from];
                let fit = class
                    .shape
                    .iter()
                    .fold(class.valid, |set, &offset| set & open.rotate_right(offset));
                let reached = self.flood(1 << from, fit);
                let (bits, image) = &self.contributions[number * 64 + from];
                let (state, mirror) = (xor(&node.state, bits), xor(&node.image, image));
                for to in ones(reached ^ 1 << from) {
                    let (bits, image) = &self.contributions[number * 64 + to];
                    let after = Node {
                        state: xor(&state, bits),
                        image: xor(&mirror, image),
                        free: open ^ class.cells[to],
                        skip: number * 64 + to,
                    };
                    emit(Slide { class: number, from, to }, after);
                }
            }
        }
    }

    /// The first cells in `fit` that are connected to those in `reached`.
    fn flood(&self, mut reached: u64, fit: u64) -> u64 {
        let board = self.board;
        loop {
            let wider = reached << board.cols
                | reached >> board.cols
                | (reached & !board.left) >> 1
                | (reached & !board.right) << 1;
            let wider = reached | wider & fit;
            if wider == reached {
                return reached;
            }
            reached = wider;
        }
    }

    fn field(&self, state: &Packed<N>, bit: u32) -> u64 {
        let (word, shift) = ((bit / 64) as usize, bit % 64);
        let low = state[word] >> shift;
        if shift == 0 || word + 1 >= N { low } else { low | state[word + 1] << (64 - shift) }
    }

    fn planes(&self, state: &Packed<N>) -> [u64; 4] {
        let count = self.board.all.count_ones();
        let mut planes = [0; 4];
        for (plane, set) in planes.iter_mut().enumerate().take(self.board.planes as usize) {
            *set = self.field(state, plane as u32 * count) & self.board.all;
        }
        planes
    }

    /// The set of first cells of the blocks of a class.
    fn firsts(&self, class: &Class, state: &Packed<N>, planes: &[u64; 4]) -> u64 {
        match class.field {
            Some(bit) => 1 << ((self.field(state, bit) & ((1 << self.board.bits) - 1)) - 1),
            None => {
                let used = planes.iter().take(self.board.planes as usize).enumerate();
                used.fold(self.board.all, |set, (plane, &bits)| {
                    set & if class.code >> plane & 1 == 1 { bits } else { !bits }
                })
            }
        }
    }

    /// Finds the path to `last` backwards: in the level before, every position has a neighbour.
    fn walk_back(
        &self,
        last: &Node<N>,
        levels: &[Vec<Packed<N>>],
        start: Packed<N>,
        goal: usize,
    ) -> Vec<Slide> {
        let mut path = Vec::with_capacity(levels.len());
        let mut node = *last;
        for level in levels.iter().rev() {
            node.skip = NO_SKIP;
            let mut neighbours = Vec::new();
            self.expand(&node, |slide, before| neighbours.push((before.key(), slide, before)));
            // Few positions of a level are neighbours: a filter of 4,096 bits avoids most comparisons.
            let mut filter = [0u64; 64];
            for (key, ..) in &neighbours {
                filter[(hash(key) >> 58) as usize] |= 1 << (hash(key) >> 52 & 63);
            }
            let found = level.iter().find_map(|key| {
                let maybe = filter[(hash(key) >> 58) as usize] >> (hash(key) >> 52 & 63) & 1 == 1;
                neighbours.iter().find(|(other, ..)| maybe && other == key)
            });
            let (_, slide, before) =
                found.expect("every position has a neighbour in the level before");
            path.push(Slide { class: slide.class, from: slide.to, to: slide.from });
            node = *before;
        }
        path.reverse();
        let ends_at_goal =
            path.iter().rev().find(|slide| slide.class == 0).is_some_and(|slide| slide.to == goal);
        if let (Some(twins), true) = (&self.board.twins, node.state != start || !ends_at_goal) {
            for slide in &mut path {
                let (class, from) = twins[slide.class * 64 + slide.from];
                let (_, to) = twins[slide.class * 64 + slide.to];
                *slide = Slide { class, from, to };
            }
        }
        path
    }
}

// ---------------------------------------------------------------------------------------------
// The table: linear probing. A slot of zeros is free: no position packs to zeros, since it contains
// the target's cell number plus one.

struct Table<const N: usize> {
    slots: Vec<Packed<N>>,
    shift: u32,
    len: usize,
}

fn hash<const N: usize>(key: &Packed<N>) -> u64 {
    let mixed = key
        .iter()
        .fold(0u64, |sum, word| (sum ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29));
    mixed.wrapping_mul(0xd6e8_feb8_6659_fd93)
}

/// Free slots, with one of each page of memory written. A search reads a slot before it writes to it. The kernel
/// would therefore map each new page twice: first to read zeros, then to write.
fn free_slots<const N: usize>(size: usize) -> Vec<Packed<N>> {
    let mut slots = vec![[0; N]; size];
    let per_page = PAGE / std::mem::size_of::<Packed<N>>();
    for slot in slots.iter_mut().step_by(per_page) {
        // The compiler would omit a write of zeros to zeros.
        *slot = std::hint::black_box([0; N]);
    }
    slots
}

impl<const N: usize> Table<N> {
    fn new() -> Self {
        Self { slots: free_slots(1 << 12), shift: 64 - 12, len: 0 }
    }

    /// Adds a key. Returns false if the table contained it already.
    fn insert(&mut self, key: &Packed<N>) -> bool {
        let mask = self.slots.len() - 1;
        let mut slot = (hash(key) >> self.shift) as usize;
        loop {
            let stored = &mut self.slots[slot];
            if *stored == [0; N] {
                *stored = *key;
                self.len += 1;
                return true;
            }
            if stored == key {
                return false;
            }
            slot = (slot + 1) & mask;
        }
    }

    /// Moves the new positions of a batch to `next`. The first pass only loads slots, so that the cache
    /// misses overlap; it also drops most of the known positions.
    fn absorb(&mut self, batch: &mut Vec<Node<N>>, next: &mut Vec<Node<N>>) {
        while (self.len + batch.len()) * 8 > self.slots.len() * 5 {
            self.grow();
        }
        batch.retain(|node| {
            let key = node.key();
            self.slots[(hash(&key) >> self.shift) as usize] != key
        });
        for node in batch.drain(..) {
            if self.insert(&node.key()) {
                next.push(node);
            }
        }
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 4;
        let old = std::mem::replace(&mut self.slots, free_slots(size));
        self.shift -= 2;
        self.len = 0;
        for key in old.iter().filter(|key| **key != [0; N]) {
            self.insert(key);
        }
    }
}
