//! klotski: the fewest slides that bring a block's bounding box to a given corner. TOO SLOW: walks through the list of a level's positions.
//!
//! Idea. Breadth-first search level by level. What was seen in earlier levels is in a set, but what is
//! new in this level is only added to the set when the level is complete; until then it is looked for
//! in the list of the new positions, from end to end. On puzzles with narrow levels nobody notices.
//! `worst/no-way` kills it.
//!
//! Time O(positions × blocks × widest level), memory O(positions × blocks).

use std::collections::BTreeSet;
use std::io::Read;

/// The corner of every block, as row × 8 + column; blocks are sorted by kind.
type State = Vec<u8>;
/// Cells of a block, counted from its corner.
type Shape = Vec<(u8, u8)>;
/// Blocks of one kind are interchangeable: one shape, and not the target.
type Kind = (bool, Shape);

fn main() {
    let mut input = Vec::new();
    let read = std::io::stdin().read_to_end(&mut input);
    match read
        .map_err(|error| error.to_string())
        .and_then(|_| solve(&input))
    {
        Ok(text) => print!("{text}"),
        Err(message) => {
            eprintln!("error: {message}");
            std::process::exit(1);
        }
    }
}

struct Puzzle {
    rows: u8,
    cols: u8,
    labels: Vec<String>,
    /// The cells of every block as bits, as if its corner were cell 0; its height and width.
    masks: Vec<(u64, u8, u8)>,
    /// Where the blocks of each kind begin and end.
    kinds: Vec<std::ops::Range<usize>>,
    start: State,
    target: usize,
    goal: u8,
}

/// The words of the next line, of which there must be `count`.
fn words<'a>(lines: &mut std::str::Lines<'a>, count: usize) -> Result<Vec<&'a str>, String> {
    let line = lines.next().ok_or("the input ends too early")?;
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    if words.len() == count {
        Ok(words)
    } else {
        Err(format!("`{line}`: {count} words were expected"))
    }
}

/// A line with two numbers, below a bound.
fn pair(lines: &mut std::str::Lines, bounds: (usize, usize)) -> Result<(usize, usize), String> {
    let words = words(lines, 2)?;
    let number = |word: &str, bound| {
        let digits = word.bytes().all(|byte| byte.is_ascii_digit());
        let value = word.parse().ok().filter(|&value| digits && value < bound);
        value.ok_or(format!("`{word}` is not a number below {bound}"))
    };
    Ok((number(words[0], bounds.0)?, number(words[1], bounds.1)?))
}

fn parse(input: &[u8]) -> Result<Puzzle, String> {
    let text = std::str::from_utf8(input).map_err(|error| error.to_string())?;
    let mut lines = text.lines();
    let (rows, cols) = pair(&mut lines, (9, 9))?;
    if rows == 0 || cols == 0 {
        return Err("a board without cells".to_string());
    }
    let mut blocks: Vec<(&str, Shape)> = Vec::new();
    for row in 0..rows {
        for (col, word) in words(&mut lines, cols)?.into_iter().enumerate() {
            let place = (row as u8, col as u8);
            match blocks.iter_mut().find(|block| block.0 == word) {
                Some(block) => block.1.push(place),
                None if word.bytes().all(|byte| byte == b'.') => {}
                None => blocks.push((word, vec![place])),
            }
        }
    }
    let name = words(&mut lines, 1)?[0];
    if blocks.iter().all(|block| block.0 != name) {
        return Err(format!("no block is called `{name}`"));
    }
    let (row, col) = pair(&mut lines, (rows, cols))?;
    if lines.any(|line| !line.trim().is_empty()) {
        return Err("text after the goal".to_string());
    }
    let mut order: Vec<(Kind, u8, &str)> = Vec::new();
    for (label, cells) in &blocks {
        let top = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
        let left = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
        let shape: Shape = cells
            .iter()
            .map(|cell| (cell.0 - top, cell.1 - left))
            .collect();
        if !connected(&shape) {
            return Err(format!("the cells of `{label}` are not connected"));
        }
        order.push(((*label != name, shape), top * 8 + left, label));
    }
    order.sort();
    let mut kinds: Vec<std::ops::Range<usize>> = Vec::new();
    for (index, block) in order.iter().enumerate() {
        match kinds.last_mut() {
            Some(kind) if order[kind.start].0 == block.0 => kind.end = index + 1,
            _ => kinds.push(index..index + 1),
        }
    }
    Ok(Puzzle {
        rows: rows as u8,
        cols: cols as u8,
        labels: order.iter().map(|block| block.2.to_string()).collect(),
        masks: order.iter().map(|block| mask(&block.0.1)).collect(),
        start: order.iter().map(|block| block.1).collect(),
        target: order.iter().position(|block| block.2 == name).unwrap_or(0),
        goal: (row * 8 + col) as u8,
        kinds,
    })
}

fn mask(shape: &Shape) -> (u64, u8, u8) {
    let bits = shape
        .iter()
        .fold(0, |bits, cell| bits | 1 << (cell.0 * 8 + cell.1));
    let height = shape.iter().map(|cell| cell.0 + 1).max().unwrap_or(0);
    let width = shape.iter().map(|cell| cell.1 + 1).max().unwrap_or(0);
    (bits, height, width)
}

fn connected(cells: &[(u8, u8)]) -> bool {
    let mut reached = vec![cells[0]];
    let mut next = 0;
    while next < reached.len() {
        let (row, col) = reached[next];
        let near = cells
            .iter()
            .filter(|cell| row.abs_diff(cell.0) + col.abs_diff(cell.1) == 1);
        let fresh: Shape = near
            .filter(|cell| !reached.contains(cell))
            .copied()
            .collect();
        reached.extend(fresh);
        next += 1;
    }
    reached.len() == cells.len()
}

impl Puzzle {
    /// The same for all positions that differ by an exchange of blocks of one kind. Written over
    /// `key`, for the sake of speed.
    fn key<'a>(&self, state: &State, key: &'a mut State) -> &'a State {
        key.clone_from(state);
        for kind in self.kinds.iter().filter(|kind| kind.len() > 1) {
            key[kind.clone()].sort_unstable();
        }
        key
    }

    /// The cells that are not free.
    fn taken(&self, state: &State) -> u64 {
        let blocks = self.masks.iter().zip(state);
        blocks.fold(0, |taken, (mask, corner)| taken | mask.0 << corner)
    }

    /// The corners one step away, if `others` are taken by the other blocks.
    fn steps(&self, others: u64, block: usize, corner: u8) -> impl Iterator<Item = u8> {
        let (mask, height, width) = self.masks[block];
        let (rows, cols) = (self.rows, self.cols);
        let (row, col) = (corner / 8, corner % 8);
        let near = [
            (row.wrapping_sub(1), col),
            (row + 1, col),
            (row, col.wrapping_sub(1)),
            (row, col + 1),
        ];
        let inside = near.into_iter().filter(move |&(row, col)| {
            row < 8 && col < 8 && row + height <= rows && col + width <= cols
        });
        inside
            .map(|(row, col)| row * 8 + col)
            .filter(move |&corner| mask << corner & others == 0)
    }

    /// The corners that one slide leads to.
    fn slides(&self, taken: u64, block: usize, corner: u8) -> Vec<u8> {
        let others = taken & !(self.masks[block].0 << corner);
        let mut reached = Vec::new();
        let mut known = 1u64 << corner;
        let mut at = Some(corner);
        let mut next = 0;
        while let Some(place) = at {
            for corner in self.steps(others, block, place) {
                if known >> corner & 1 == 0 {
                    known |= 1 << corner;
                    reached.push(corner);
                }
            }
            at = reached.get(next).copied();
            next += 1;
        }
        reached
    }
}

/// The whole answer for one input, or what is wrong with the input.
pub fn solve(input: &[u8]) -> Result<String, String> {
    let puzzle = parse(input)?;
    if puzzle.start[puzzle.target] == puzzle.goal {
        return Ok("0\n".to_string());
    }
    let mut states = vec![(puzzle.start.clone(), 0)];
    let mut key = State::new();
    let mut seen = BTreeSet::from([puzzle.key(&puzzle.start, &mut key).clone()]);
    let mut level = 0..1;
    while !level.is_empty() {
        let mut found: Vec<State> = Vec::new();
        for next in level.clone() {
            let state = states[next].0.clone();
            let taken = puzzle.taken(&state);
            for block in 0..state.len() {
                for corner in puzzle.slides(taken, block, state[block]) {
                    let mut after = state.clone();
                    after[block] = corner;
                    puzzle.key(&after, &mut key);
                    if !found.contains(&key) && !seen.contains(&key) {
                        found.push(key.clone());
                        states.push((after, next));
                        if block == puzzle.target && corner == puzzle.goal {
                            return Ok(describe(&puzzle, &states));
                        }
                    }
                }
            }
        }
        seen.extend(found);
        level = level.end..states.len();
    }
    Ok("-1\n".to_string())
}

/// The answer for the path that ends with the last of `states`.
fn describe(puzzle: &Puzzle, states: &[(State, usize)]) -> String {
    let mut lines = Vec::new();
    let mut at = states.len() - 1;
    while at > 0 {
        let (after, before) = (&states[at].0, &states[states[at].1].0);
        let block = (0..after.len())
            .find(|&block| after[block] != before[block])
            .unwrap_or(0);
        let (from, to) = (before[block], after[block]);
        let label = &puzzle.labels[block];
        lines.push(format!(
            "{label} ({},{}) ({},{})\n",
            from / 8,
            from % 8,
            to / 8,
            to % 8
        ));
        at = states[at].1;
    }
    lines.push(format!("{}\n", lines.len()));
    lines.reverse();
    lines.concat()
}
