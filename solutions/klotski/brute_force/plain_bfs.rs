//! Klotski: the fewest slides that bring a block to its goal.
//!
//! The second opinion: the simplest breadth-first search, over boards as text, with an ordered map
//! that holds the whole path to every position. It is correct, but gives up after 2,000 positions, as
//! for `known/century`. `all_boards_that_the_plain_search_can_solve` in the test `agreement` runs it
//! without this limit.
//!
//! Time O(positions × (depth × cells + blocks × cells + log positions)), with many small allocations;
//! memory O(positions × depth × cells).

use std::collections::{BTreeMap, VecDeque};
use std::io::Read;

/// The number of positions after which the search gives up.
const MAX_POSITIONS: usize = 2_000;

/// The board as text, row by row: for each cell the kind of its block, or `.` for a free cell. The text
/// determines the blocks: in reading order, the first cell that belongs to no block yet is the first
/// cell of the next block.
type Position = Vec<String>;
/// Row and column.
type Place = (i32, i32);
/// Kind, first cell before, first cell after.
type Move = (usize, Place, Place);
/// The path to a position: every earlier position with the move made there.
type Way = Vec<(Position, Move)>;

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

struct Puzzle {
    rows: i32,
    cols: i32,
    /// The label of each block, and its cells at the start.
    blocks: Vec<(String, Vec<Place>)>,
    /// By kind: the cells, relative to the first one in reading order. Kind 0 is the target.
    kinds: Vec<Vec<Place>>,
    start: Position,
    /// The goal of the target's first cell.
    goal: Place,
}

fn two_numbers(line: Option<&str>) -> Result<Place, String> {
    let line = line.ok_or("the input ends too early")?;
    let numbers: Vec<i32> = line
        .split_ascii_whitespace()
        .map(|word| word.parse().map_err(|_| format!("`{word}` is not a number")))
        .collect::<Result<_, _>>()?;
    match numbers[..] {
        [first, second] if !line.contains(['-', '+']) => Ok((first, second)),
        _ => Err(format!("`{line}` is not two numbers")),
    }
}

fn parse(input: &[u8]) -> Result<Puzzle, String> {
    let text = std::str::from_utf8(input).map_err(|error| error.to_string())?;
    let mut lines = text.lines();
    let (rows, cols) = two_numbers(lines.next())?;
    if !(1..=8).contains(&rows) || !(1..=8).contains(&cols) {
        return Err("a side must be from 1 to 8".to_string());
    }
    let mut blocks: Vec<(String, Vec<Place>)> = Vec::new();
    for row in 0..rows {
        let line = lines.next().ok_or("the input ends too early")?;
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        if words.len() != cols as usize {
            return Err(format!("`{line}` is not {cols} cells"));
        }
        for (col, word) in (0..cols).zip(words) {
            match blocks.iter_mut().find(|block| block.0 == word) {
                Some(block) => block.1.push((row, col)),
                None if word.bytes().all(|letter| letter == b'.') => {}
                None => blocks.push((word.to_string(), vec![(row, col)])),
            }
        }
    }
    let target = lines.next().ok_or("the input ends too early")?.trim();
    // The target first.
    match blocks.iter().position(|block| block.0 == target) {
        Some(at) => blocks.swap(0, at),
        None => return Err(format!("no block is called `{target}`")),
    }
    let corner = two_numbers(lines.next())?;
    if corner.0 >= rows || corner.1 >= cols || lines.any(|line| !line.trim().is_empty()) {
        return Err("the goal is off the board, or something follows it".to_string());
    }
    let mut kinds: Vec<Vec<Place>> = Vec::new();
    let mut board = vec!['.'; (rows * cols) as usize];
    for (number, (label, cells)) in blocks.iter().enumerate() {
        if !connected(cells) {
            return Err(format!("the cells of `{label}` are not connected"));
        }
        let shape: Vec<_> =
            cells.iter().map(|cell| (cell.0 - cells[0].0, cell.1 - cells[0].1)).collect();
        let kind = match kinds.iter().skip(1).position(|other| *other == shape) {
            Some(like) if number > 0 => like + 1,
            _ => {
                kinds.push(shape);
                kinds.len() - 1
            }
        };
        for cell in cells {
            board[(cell.0 * cols + cell.1) as usize] = letter(kind);
        }
    }
    let inset = -kinds[0].iter().map(|cell| cell.1).min().unwrap_or(0);
    let goal = (corner.0, corner.1 + inset);
    Ok(Puzzle { rows, cols, blocks, kinds, start: to_text(&board, cols), goal })
}

fn letter(kind: usize) -> char {
    char::from(b'A' + kind as u8)
}

fn to_text(board: &[char], cols: i32) -> Position {
    board.chunks(cols as usize).map(|row| row.iter().collect()).collect()
}

fn connected(cells: &[Place]) -> bool {
    let mut reached = vec![cells[0]];
    let mut next = 0;
    while next < reached.len() {
        let (row, col) = reached[next];
        for cell in cells {
            if (row - cell.0).abs() + (col - cell.1).abs() == 1 && !reached.contains(cell) {
                reached.push(*cell);
            }
        }
        next += 1;
    }
    reached.len() == cells.len()
}

impl Puzzle {
    /// The blocks of a position: kind and first cell.
    fn find_blocks(&self, position: &Position) -> Vec<(usize, Place)> {
        let mut board: Vec<char> = position.iter().flat_map(|row| row.chars()).collect();
        let mut found = Vec::new();
        for cell in 0..board.len() {
            if board[cell] != '.' {
                let kind = board[cell] as usize - 'A' as usize;
                let first = (cell as i32 / self.cols, cell as i32 % self.cols);
                self.paint(&mut board, kind, first, '.');
                found.push((kind, first));
            }
        }
        found
    }

    fn paint(&self, board: &mut [char], kind: usize, first: Place, letter: char) {
        for cell in &self.kinds[kind] {
            board[((first.0 + cell.0) * self.cols + first.1 + cell.1) as usize] = letter;
        }
    }

    /// Whether the block fits at `first`, on a board without this block.
    fn fits(&self, board: &[char], kind: usize, first: Place) -> bool {
        self.kinds[kind].iter().all(|cell| {
            let (row, col) = (first.0 + cell.0, first.1 + cell.1);
            let inside = (0..self.rows).contains(&row) && (0..self.cols).contains(&col);
            inside && board[(row * self.cols + col) as usize] == '.'
        })
    }

    /// The places that a block can reach in one move, and the position after each move.
    fn moves(&self, position: &Position, kind: usize, first: Place) -> Vec<(Place, Position)> {
        let mut board: Vec<char> = position.iter().flat_map(|row| row.chars()).collect();
        self.paint(&mut board, kind, first, '.');
        let mut reached = vec![first];
        let mut next = 0;
        while next < reached.len() {
            let (row, col) = reached[next];
            for place in [(row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)] {
                if !reached.contains(&place) && self.fits(&board, kind, place) {
                    reached.push(place);
                }
            }
            next += 1;
        }
        let to_position = |&first: &Place| {
            let mut board = board.clone();
            self.paint(&mut board, kind, first, letter(kind));
            (first, to_text(&board, self.cols))
        };
        reached[1..].iter().map(to_position).collect()
    }

    /// The output. Replays the path to find the label of each block that moves.
    fn describe(&self, path: &[Move]) -> String {
        let blocks = self.blocks.iter();
        let mut owners: Vec<(&str, Place)> = blocks.map(|block| (&*block.0, block.1[0])).collect();
        let mut text = format!("{}\n", path.len());
        for &(kind, from, to) in path {
            let owner = owners.iter_mut().find(|owner| owner.1 == from);
            let (label, place) = owner.expect("a block moves from where it is");
            *place = to;
            let left = self.kinds[kind].iter().map(|cell| cell.1).min().unwrap_or(0);
            text += &format!("{label} ({},{}) ({},{})\n", from.0, from.1 + left, to.0, to.1 + left);
        }
        text
    }
}

/// The complete output for an input, or an error if the input is invalid.
pub fn solve(input: &[u8]) -> Result<String, String> {
    search(input, MAX_POSITIONS)
}

/// The same, with another limit on the number of positions.
pub fn search(input: &[u8], most: usize) -> Result<String, String> {
    let puzzle = parse(input)?;
    if puzzle.blocks[0].1[0] == puzzle.goal {
        return Ok("0\n".to_string());
    }
    let mut ways = BTreeMap::new();
    ways.insert(puzzle.start.clone(), Way::new());
    let mut queue = VecDeque::from([puzzle.start.clone()]);
    while let Some(position) = queue.pop_front() {
        for (kind, first) in puzzle.find_blocks(&position) {
            for (place, after) in puzzle.moves(&position, kind, first) {
                if ways.contains_key(&after) {
                    continue;
                }
                let mut way = ways[&position].clone();
                way.push((position.clone(), (kind, first, place)));
                ways.insert(after.clone(), way);
                if ways.len() > most {
                    return Err(format!("there are more than {most} positions"));
                }
                if kind == 0 && place == puzzle.goal {
                    return Ok(puzzle.describe(&moves_of(&ways[&after])));
                }
                queue.push_back(after);
            }
        }
    }
    Ok("-1\n".to_string())
}

fn moves_of(way: &Way) -> Vec<Move> {
    way.iter().map(|(_, step)| *step).collect()
}
