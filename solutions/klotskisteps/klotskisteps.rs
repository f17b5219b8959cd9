//! Klotski, Step by Step: the fewest steps to the goal, and the figures of the whole puzzle.
//!
//! Idea: breadth-first search over positions in which blocks of one shape, except the target, are
//! interchangeable. A board has at most 64 cells, so a set of cells is one `u64`. A block is
//! identified by its first cell in reading order. One operation tests all blocks of a shape at
//! once: the free cells, rotated by fixed amounts and joined by AND, are the first cells to which
//! such a block can move.
//!
//! A position is packed into N words: the cell number of each block whose shape occurs once, and a
//! few bit planes for all other shapes (for each cell, the code of the shape whose first cell it
//! is). A step is two XORs. The packed position is the key of an open-addressing table, so the
//! search is exact. New positions are collected in a batch: a first pass loads their slots, so that
//! the cache misses overlap, and a second pass inserts them. The search never tries the step back.
//! If a reflection or the half turn maps the start onto itself, the search visits only one of a
//! position and its image, which halves the work, but counts both.
//!
//! The search stores no parent pointers. Since steps can be undone, it finds the path backwards: it
//! expands a position and looks for a neighbour in the level before.
//!
//! Time O(positions × steps per position). Memory: about 2.7 × 8N bytes per position; N is 1 for
//! the classic 5×4 boards and rarely above 2.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::{Read, Write as _};

const MAX_SIDE: usize = 8;
const MAX_POSITIONS: usize = 10_000_000;
const BATCH: usize = 256;
/// The size of the pages of memory, in bytes.
const PAGE: usize = 4096;
const NO_SKIP: (u32, u32) = (u32::MAX, 0);

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
    let survey = match board.words {
        1 => Search::<1>::new(&board).run(),
        2 | 3 => Search::<3>::new(&board).run(),
        _ => Search::<5>::new(&board).run(),
    }?;
    Ok(puzzle.describe(&survey))
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
    fn describe(&self, survey: &Survey) -> String {
        let mut owner = [0; MAX_SIDE * MAX_SIDE];
        for (block, cells) in self.blocks.iter().enumerate() {
            owner[cells[0]] = block;
        }
        let figures = format!("{} {} {}\n", survey.positions, survey.deepest, survey.widest);
        let Some(path) = &survey.path else {
            return format!("-1\n{figures}");
        };
        let mut text = format!("{}\n{figures}", path.len());
        for step in path {
            let block = owner[step.from];
            owner[step.to] = block;
            writeln!(text, "{} {}", self.labels[block], step.way(self.cols))
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

/// A step of a block of the class, given by its first cells before and after.
#[derive(Clone, Copy)]
struct Step {
    class: usize,
    from: usize,
    to: usize,
}

impl Step {
    fn way(&self, cols: usize) -> char {
        // Compare the rows first: on a board of one column, the next cell is in the next row.
        match (self.to / cols).cmp(&(self.from / cols)) {
            Ordering::Less => 'U',
            Ordering::Greater => 'D',
            Ordering::Equal if self.to < self.from => 'L',
            Ordering::Equal => 'R',
        }
    }
}

/// The results of the search.
struct Survey {
    path: Option<Vec<Step>>,
    positions: usize,
    deepest: usize,
    widest: usize,
}

/// A step of a class in one direction.
struct Exit {
    /// The first cells from which the block stays on the board.
    from: u64,
    /// The offsets (mod 64) of two cells that the block enters, equal if it enters only one.
    entered: [u32; 2],
    /// The offsets of further cells that it enters.
    further: Vec<u32>,
}

/// All blocks of one shape. The target is a class of its own, number 0.
struct Class {
    /// Columns from the left edge of the bounding box to the first cell.
    inset: usize,
    /// The set of first cells at which the block fits on the board.
    valid: u64,
    /// For a step up, down, left and right.
    exits: [Exit; 4],
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
                self.classes.push(self.class(cells, &shape, inset));
                0
            } else {
                // Offsets alone would confuse shapes that differ in how they wrap around the board.
                *index.entry((shape, inset)).or_insert_with_key(|(shape, inset)| {
                    self.classes.push(self.class(cells, shape, *inset));
                    self.classes.len() - 1
                })
            };
            self.classes[class].start |= 1 << cells[0];
            self.occupied |= cells.iter().fold(0, |set, cell| set | 1 << cell);
        }
    }

    fn class(&self, cells: &[usize], shape: &[u32], inset: usize) -> Class {
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
            let mut entered = shape
                .iter()
                .map(|&offset| offset as i32 + steps[way])
                .filter(|&offset| !shape.iter().any(|&other| other as i32 == offset))
                .map(|offset| offset.rem_euclid(64) as u32);
            let first = entered.next().expect("a step enters a cell");
            Exit {
                from: valid & self.shift(valid, back),
                entered: [first, entered.next().unwrap_or(first)],
                further: entered.collect(),
            }
        });
        Class { inset, valid, exits, cells: masks, start: 0, field: None, code: 0 }
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
    /// that maps the start onto itself.
    fn find_symmetry(&self, rows: usize) -> Option<Vec<(usize, usize)>> {
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
                let same_start = self.classes.iter().enumerate().all(|(number, class)| {
                    ones(class.start).all(|first| {
                        let (twin, corner) = twins[number * 64 + first];
                        self.classes[twin].start >> corner & 1 == 1
                    })
                });
                same_start.then_some(twins)
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
/// and the step back (class × 4 + way, and the first cell), which need not be tried.
#[derive(Clone, Copy)]
struct Node<const N: usize> {
    state: Packed<N>,
    image: Packed<N>,
    free: u64,
    skip: (u32, u32),
}

impl<const N: usize> Node<N> {
    fn key(&self) -> Packed<N> {
        self.state.min(self.image)
    }
}

/// The blocks of a class that can move in one direction.
#[derive(Clone, Copy, Default)]
struct Movers {
    /// Their first cells.
    set: u64,
    /// class × 4 + way
    index: usize,
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

    fn run(&self) -> Result<Survey, String> {
        let goal = self.board.goal;
        let twin = match (&self.board.twins, goal) {
            (Some(twins), Some(goal)) => Some(twins[goal].1),
            _ => goal,
        };
        // The target's first cells at the goal and at its image; empty if the target does not fit there.
        let goals = goal.iter().chain(&twin).fold(0u64, |set, cell| set | 1 << cell);
        let mut survey = Survey { path: None, positions: 0, deepest: 0, widest: 0 };
        if goal.is_some_and(|goal| self.board.classes[0].start >> goal & 1 == 1) {
            survey.path = Some(Vec::new());
        }
        let start = self.start();
        let mut table = Table::new();
        table.insert(&start.key());
        // The levels up to the goal, which `walk_back` needs.
        let mut levels = Vec::new();
        let (mut frontier, mut next, mut batch) =
            (vec![start], Vec::new(), Vec::with_capacity(2 * BATCH));
        let mut movers = self.movers();
        for depth in 0.. {
            let width = frontier.iter().map(|node| self.weight(node)).sum();
            survey.positions += width;
            survey.deepest = depth;
            survey.widest = survey.widest.max(width);
            if survey.positions > MAX_POSITIONS {
                return Err("more than ten million positions".to_string());
            }
            if survey.path.is_none() {
                levels.push(frontier.iter().map(Node::key).collect());
            }
            for node in &frontier {
                let mut found = None;
                self.expand(node, &mut movers, |step, after| {
                    if step.class == 0 && goals >> step.to & 1 == 1 {
                        found = Some(after);
                    }
                    batch.push(after);
                });
                if let (Some(last), None) = (found, &survey.path) {
                    survey.path = Some(self.walk_back(&last, &levels, goal));
                    levels.clear();
                }
                if batch.len() >= BATCH {
                    table.absorb(&mut batch, &mut next);
                }
            }
            table.absorb(&mut batch, &mut next);
            if next.is_empty() {
                break;
            }
            std::mem::swap(&mut frontier, &mut next);
            next.clear();
        }
        Ok(survey)
    }

    /// The number of positions that a node stands for.
    fn weight(&self, node: &Node<N>) -> usize {
        1 + usize::from(self.board.twins.is_some() && node.state != node.image)
    }

    /// Space for the movers of a position.
    fn movers(&self) -> Vec<Movers> {
        vec![Movers::default(); self.board.classes.len() * 4 + 1]
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

    /// Calls `emit` with each step from a position, and with the position after it. `found` is
    /// space for the movers.
    ///
    /// The processor cannot predict which blocks can move. So the first loop, which collects the
    /// sets of movers that are not empty, has no branch that depends on them.
    #[inline(always)]
    fn expand(&self, node: &Node<N>, found: &mut [Movers], mut emit: impl FnMut(Step, Node<N>)) {
        let board = self.board;
        let planes = self.planes(&node.state);
        let mut len = 0;
        for (number, class) in board.classes.iter().enumerate() {
            let firsts = self.firsts(class, &node.state, &planes);
            for (way, exit) in class.exits.iter().enumerate() {
                let [one, two] = exit.entered.map(|offset| node.free.rotate_right(offset));
                let further = exit.further.iter();
                let set = further.fold(firsts & exit.from & one & two, |set, &offset| {
                    set & node.free.rotate_right(offset)
                });
                let index = number * 4 + way;
                let set = set & !(u64::from(index as u32 == node.skip.0) << node.skip.1);
                found[len] = Movers { set, index };
                len += usize::from(set != 0);
            }
        }
        let strides = [board.cols.wrapping_neg(), board.cols, 1usize.wrapping_neg(), 1];
        for movers in &found[..len] {
            let (number, way) = (movers.index / 4, movers.index % 4);
            let class = &board.classes[number];
            for from in ones(movers.set) {
                let to = from.wrapping_add(strides[way]);
                let (leave, image_leave) = &self.contributions[number * 64 + from];
                let (enter, image_enter) = &self.contributions[number * 64 + to];
                let after = Node {
                    state: xor(&xor(&node.state, leave), enter),
                    image: xor(&xor(&node.image, image_leave), image_enter),
                    free: node.free ^ class.cells[from] ^ class.cells[to],
                    skip: (movers.index as u32 ^ 1, to as u32),
                };
                emit(Step { class: number, from, to }, after);
            }
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
        goal: Option<usize>,
    ) -> Vec<Step> {
        let mut path = Vec::with_capacity(levels.len());
        let mut node = *last;
        let mut movers = self.movers();
        for level in levels.iter().rev() {
            node.skip = NO_SKIP;
            let mut neighbours = Vec::new();
            self.expand(&node, &mut movers, |step, before| {
                neighbours.push((before.key(), step, before))
            });
            // Few positions of a level are neighbours: a filter of 4,096 bits avoids most comparisons.
            let mut filter = [0u64; 64];
            for (key, ..) in &neighbours {
                filter[(hash(key) >> 58) as usize] |= 1 << (hash(key) >> 52 & 63);
            }
            let found = level.iter().find_map(|key| {
                let maybe = filter[(hash(key) >> 58) as usize] >> (hash(key) >> 52 & 63) & 1 == 1;
                neighbours.iter().find(|(other, ..)| maybe && other == key)
            });
            let (_, step, before) =
                found.expect("every position has a neighbour in the level before");
            path.push(Step { class: step.class, from: step.to, to: step.from });
            node = *before;
        }
        path.reverse();
        // The start is its own image, so only the end shows whether this is the path or its image.
        let end = path.iter().rev().find(|step| step.class == 0).map(|step| step.to);
        if let (Some(twins), true) = (&self.board.twins, end != goal) {
            for step in &mut path {
                let (class, from) = twins[step.class * 64 + step.from];
                let (_, to) = twins[step.class * 64 + step.to];
                *step = Step { class, from, to };
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
    /// misses overlap; it also drops most of the known positions, without a branch.
    fn absorb(&mut self, batch: &mut Vec<Node<N>>, next: &mut Vec<Node<N>>) {
        while (self.len + batch.len()) * 8 > self.slots.len() * 5 {
            self.grow();
        }
        let mut len = 0;
        for index in 0..batch.len() {
            let node = batch[index];
            let key = node.key();
            batch[len] = node;
            len += usize::from(self.slots[(hash(&key) >> self.shift) as usize] != key);
        }
        batch.truncate(len);
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
