//! Klotski, Step by Step: the fewest steps to the goal, and the figures of the whole puzzle.
//!
//! Idea: breadth-first search without a hash table. Each level is a sorted list. The moves from a
//! level give a list of positions, which is sorted; duplicates and the positions of this level and
//! of the level before are removed. Moves can be undone, so no position of an older level can
//! occur. A position has one code per cell (the kind of the block whose first cell it is), packed
//! into words. A binary search in the level before finds each step of the path.
//!
//! Time O(moves × log moves), mostly for sorting; memory O(positions), 16 to 48 bytes each.

use std::io::Read;

/// One code per cell, several codes per word: 1 + the kind of the block whose first cell this is, or 0.
type Packed<const N: usize> = [u64; N];
/// Kind, first cell before, first cell after.
type Move = (usize, usize, usize);

fn main() {
    let mut input = String::new();
    let read = std::io::stdin().read_to_string(&mut input);
    match read.map_err(|error| error.to_string()).and_then(|_| solve(input.as_bytes())) {
        Ok(text) => print!("{text}"),
        Err(message) => {
            eprintln!("error: {message}");
            std::process::exit(1);
        }
    }
}

/// The complete output for an input, or an error if the input is invalid.
pub fn solve(input: &[u8]) -> Result<String, String> {
    let puzzle = Puzzle::parse(input)?;
    Ok(match puzzle.cells().div_ceil(64 / puzzle.bits) {
        1 | 2 => puzzle.search::<2>(),
        3 | 4 => puzzle.search::<4>(),
        _ => puzzle.search::<6>(),
    })
}

struct Puzzle {
    rows: usize,
    cols: usize,
    /// Label, kind and first cell of every block.
    blocks: Vec<(String, usize, usize)>,
    /// By kind: columns from the left edge of the bounding box to the first cell. Kind 0 is the target.
    insets: Vec<usize>,
    /// By kind and first cell: the cells of the block as bits, 0 if it does not fit.
    places: Vec<[u64; 64]>,
    /// The number of bits per code.
    bits: usize,
    goal: Option<usize>,
}

impl Puzzle {
    fn parse(input: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(input).map_err(|error| error.to_string())?;
        let mut lines = text.lines();
        let size = line_of(&mut lines, 2)?;
        let (rows, cols) = (number(size[0], 8)?, number(size[1], 8)?);
        if rows == 0 || cols == 0 {
            return Err("a board without cells".to_string());
        }
        let mut blocks: Vec<(&str, Vec<usize>)> = Vec::new();
        for row in 0..rows {
            for (col, word) in line_of(&mut lines, cols)?.into_iter().enumerate() {
                if word.trim_matches('.').is_empty() {
                    continue;
                }
                match blocks.iter_mut().find(|block| block.0 == word) {
                    Some(block) => block.1.push(row * cols + col),
                    None => blocks.push((word, vec![row * cols + col])),
                }
            }
        }
        let name = line_of(&mut lines, 1)?[0];
        let target =
            blocks.iter().position(|block| block.0 == name).ok_or(format!("no block `{name}`"))?;
        blocks.swap(0, target);
        let corner = line_of(&mut lines, 2)?;
        let (row, col) = (number(corner[0], rows - 1)?, number(corner[1], cols - 1)?);
        if lines.any(|line| !line.trim().is_empty()) {
            return Err("text after the goal".to_string());
        }
        let mut puzzle = Self {
            rows,
            cols,
            blocks: Vec::new(),
            insets: Vec::new(),
            places: Vec::new(),
            bits: 0,
            goal: None,
        };
        for (label, cells) in &blocks {
            puzzle.add(label, cells)?;
        }
        puzzle.bits = (usize::BITS - puzzle.places.len().leading_zeros()) as usize;
        let goal = row * cols + col + puzzle.insets[0];
        puzzle.goal =
            (col + puzzle.insets[0] < cols && puzzle.places[0][goal] != 0).then_some(goal);
        Ok(puzzle)
    }

    fn add(&mut self, label: &str, cells: &[usize]) -> Result<(), String> {
        let bits = cells.iter().fold(0u64, |bits, cell| bits | 1 << cell);
        let mut reached = bits & bits.wrapping_neg();
        for _ in 0..64 {
            let cells = (0..self.cells()).filter(|&cell| reached >> cell & 1 == 1);
            reached |=
                cells.flat_map(|cell| self.neighbours(cell)).fold(0, |set, cell| set | 1 << cell)
                    & bits;
        }
        if reached != bits {
            return Err(format!("the cells of `{label}` are not connected"));
        }
        let kind = (1..self.places.len()).find(|&kind| self.places[kind][cells[0]] == bits);
        let kind = kind.unwrap_or_else(|| {
            let left = cells.iter().map(|cell| cell % self.cols).min().unwrap_or(0);
            let places = std::array::from_fn(|first| self.place(cells, first).unwrap_or(0));
            self.insets.push(cells[0] % self.cols - left);
            self.places.push(places);
            self.places.len() - 1
        });
        self.blocks.push((label.to_string(), kind, cells[0]));
        Ok(())
    }

    /// The cells of a block if its first cell is `first`; `None` if it does not fit.
    fn place(&self, cells: &[usize], first: usize) -> Option<u64> {
        cells.iter().try_fold(0, |bits, cell| {
            let row = cell / self.cols + first / self.cols - cells[0] / self.cols;
            let col = (cell % self.cols + first % self.cols).checked_sub(cells[0] % self.cols)?;
            (row < self.rows && col < self.cols).then(|| bits | 1 << (row * self.cols + col))
        })
    }

    fn cells(&self) -> usize {
        self.rows * self.cols
    }

    fn neighbours(&self, cell: usize) -> impl Iterator<Item = usize> {
        let (cols, col) = (self.cols, cell % self.cols);
        let up = (cell >= cols).then(|| cell - cols);
        let down = (cell + cols < self.cells()).then(|| cell + cols);
        let left = (col > 0).then(|| cell - 1);
        let right = (col + 1 < cols).then(|| cell + 1);
        [up, down, left, right].into_iter().flatten()
    }

    fn pack<const N: usize>(&self, blocks: &[(usize, usize)]) -> Packed<N> {
        let per_word = 64 / self.bits;
        let mut packed = [0; N];
        for &(kind, first) in blocks {
            packed[first / per_word] |= (kind as u64 + 1) << (first % per_word * self.bits);
        }
        packed
    }

    fn unpack<const N: usize>(&self, packed: &Packed<N>) -> Vec<(usize, usize)> {
        let per_word = 64 / self.bits;
        let mut blocks = Vec::with_capacity(16);
        for (word, &codes) in packed.iter().enumerate() {
            let mut codes = codes;
            while codes != 0 {
                let slot = codes.trailing_zeros() as usize / self.bits;
                let code = codes >> (slot * self.bits) & ((1 << self.bits) - 1);
                codes ^= code << (slot * self.bits);
                blocks.push((code as usize - 1, word * per_word + slot));
            }
        }
        blocks
    }

    /// Calls `emit` with every move from a position, and with the position after it.
    fn expand<const N: usize>(&self, packed: &Packed<N>, mut emit: impl FnMut(Move, Packed<N>)) {
        let per_word = 64 / self.bits;
        let blocks = self.unpack(packed);
        let taken = blocks.iter().fold(0, |bits, &(kind, first)| bits | self.places[kind][first]);
        for (kind, from) in blocks {
            let places = &self.places[kind];
            let others = taken ^ places[from];
            let code = kind as u64 + 1;
            let mut without = *packed;
            without[from / per_word] ^= code << (from % per_word * self.bits);
            for to in self.neighbours(from) {
                if places[to] == 0 || places[to] & others != 0 {
                    continue;
                }
                let mut after = without;
                after[to / per_word] |= code << (to % per_word * self.bits);
                emit((kind, from, to), after);
            }
        }
    }

    /// Searches all levels, and finds the path at the first level with the goal.
    fn search<const N: usize>(&self) -> String {
        let blocks: Vec<(usize, usize)> =
            self.blocks.iter().map(|block| (block.1, block.2)).collect();
        let mut levels: Vec<Vec<Packed<N>>> = vec![vec![self.pack(&blocks)]];
        let mut path = (self.goal == Some(self.blocks[0].2)).then(Vec::new);
        loop {
            let level = &levels[levels.len() - 1];
            let mut next = Vec::new();
            let mut last = None;
            for packed in level {
                self.expand(packed, |(kind, _, to), after| {
                    if kind == 0 && Some(to) == self.goal {
                        last = Some(after);
                    }
                    next.push(after);
                });
            }
            if path.is_none() {
                path = last.map(|last| self.walk_back(&levels, last));
            }
            let before = &levels[levels.len().saturating_sub(2)];
            let next = fresh(next, &[level, before]);
            if next.is_empty() {
                break;
            }
            levels.push(next);
        }
        let positions: usize = levels.iter().map(Vec::len).sum();
        let widest = levels.iter().map(Vec::len).max().unwrap_or(0);
        self.describe(&format!("{positions} {} {widest}\n", levels.len() - 1), path)
    }

    /// Finds a path to `last` backwards. Moves can be undone, so a position of the level before is one
    /// move away; a binary search finds it, since the levels are sorted.
    fn walk_back<const N: usize>(&self, levels: &[Vec<Packed<N>>], last: Packed<N>) -> Vec<Move> {
        let mut path = Vec::new();
        let mut at = last;
        for level in levels.iter().rev() {
            let mut before = None;
            self.expand(&at, |(kind, to, from), packed| {
                if before.is_none() && level.binary_search(&packed).is_ok() {
                    before = Some(((kind, from, to), packed));
                }
            });
            let (step, packed) = before.expect("every position comes from the level before");
            path.push(step);
            at = packed;
        }
        path.reverse();
        path
    }

    /// The output. Replays the path to find the label of each block that moves.
    fn describe(&self, figures: &str, path: Option<Vec<Move>>) -> String {
        let Some(path) = path else {
            return format!("-1\n{figures}");
        };
        let mut owners = [""; 64];
        for (label, _, first) in &self.blocks {
            owners[*first] = label;
        }
        let mut text = format!("{}\n{figures}", path.len());
        for (_, from, to) in path {
            owners[to] = owners[from];
            let way = match (from / self.cols, to / self.cols) {
                (before, after) if after < before => 'U',
                (before, after) if after > before => 'D',
                _ if to < from => 'L',
                _ => 'R',
            };
            text += &format!("{} {way}\n", owners[to]);
        }
        text
    }
}

fn line_of<'a>(lines: &mut std::str::Lines<'a>, count: usize) -> Result<Vec<&'a str>, String> {
    let line = lines.next().ok_or("the input ends too early")?;
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    if words.len() == count {
        Ok(words)
    } else {
        Err(format!("`{line}`: {count} words were expected"))
    }
}

fn number(word: &str, most: usize) -> Result<usize, String> {
    let digits = word.bytes().all(|byte| byte.is_ascii_digit());
    let value = word.parse().ok().filter(|&value| digits && value <= most);
    value.ok_or(format!("`{word}` is not a number up to {most}"))
}

/// Sorts the positions after the moves, and removes duplicates and the positions of the last two
/// levels. Moves can be undone, so no position of an older level can occur.
fn fresh<const N: usize>(mut next: Vec<Packed<N>>, levels: &[&[Packed<N>]]) -> Vec<Packed<N>> {
    next.sort_unstable();
    next.dedup();
    for level in levels {
        let mut old = level.iter().peekable();
        next.retain(|packed| {
            while old.next_if(|&other| other < packed).is_some() {}
            old.peek() != Some(&packed)
        });
    }
    next
}
