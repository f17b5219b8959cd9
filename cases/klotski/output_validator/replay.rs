//! Accepts any optimal list of slides: `replay INPUT ANSWER FEEDBACK_DIR < OUTPUT`.
//!
//! Exits with 42 to accept and with 43 to reject, and writes the reason to `judgemessage.txt`. Any other
//! exit code means that the input or the answer is invalid. The program plays every slide on the
//! board: the block must be at the position before the slide, and free cells must lead to the position
//! after it. From the answer, the program reads only the first number, the fewest slides.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [_, input, answer, feedback, ..] = args.as_slice() else {
        eprintln!("usage: replay INPUT ANSWER FEEDBACK_DIR < OUTPUT");
        std::process::exit(1);
    };
    let mut output = Vec::new();
    let read = std::io::stdin().read_to_end(&mut output);
    let (Ok(_), Ok(input), Ok(answer)) = (read, std::fs::read(input), std::fs::read(answer)) else {
        eprintln!("error: cannot read the input, the answer or the output");
        std::process::exit(1);
    };
    let (code, message) = match check(&input, &answer, &output) {
        Ok(slides) => (42, format!("optimal: {slides}")),
        Err(Fault::Output(reason)) => (43, reason),
        Err(Fault::Jury(reason)) => (1, reason),
    };
    if let Err(error) =
        std::fs::write(Path::new(feedback).join("judgemessage.txt"), format!("{message}\n"))
    {
        eprintln!("error: judgemessage.txt: {error}");
        std::process::exit(1);
    }
    if code == 1 {
        eprintln!("error: {message}");
    }
    std::process::exit(code);
}

/// Why the output is not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The output is wrong.
    Output(String),
    /// The input or the answer is invalid.
    Jury(String),
}

fn wrong<T>(reason: String) -> Result<T, Fault> {
    Err(Fault::Output(reason))
}

/// The number of slides if the output is right; -1 if the target cannot reach the goal.
pub fn check(input: &[u8], answer: &[u8], output: &[u8]) -> Result<i64, Fault> {
    let mut board = Board::parse(&String::from_utf8_lossy(input)).map_err(Fault::Jury)?;
    let fewest: i64 = String::from_utf8_lossy(answer)
        .split_ascii_whitespace()
        .next()
        .and_then(|word| word.parse().ok())
        .ok_or_else(|| Fault::Jury("the answer does not start with a number".to_string()))?;
    let text = String::from_utf8_lossy(output);
    let mut words = text.split_ascii_whitespace();
    let count = match words.next() {
        None => return wrong("the output is empty".to_string()),
        Some("-1") => -1,
        Some(word) => number(word)
            .ok_or_else(|| Fault::Output(format!("`{}` is not a number of slides", shown(word))))?,
    };
    for slide in 1..=count {
        let (Some(label), Some(from), Some(to)) = (words.next(), words.next(), words.next()) else {
            return wrong(format!(
                "the output announces {count} slides, but slide {slide} is missing or incomplete"
            ));
        };
        board
            .slide(label, corner(from)?, corner(to)?)
            .map_err(|reason| Fault::Output(format!("slide {slide}: {reason}")))?;
    }
    if let Some(word) = words.next() {
        return wrong(format!("extra output: `{}` follows the last slide", shown(word)));
    }
    if count == -1 {
        return if fewest == -1 {
            Ok(-1)
        } else {
            wrong("the output is -1, but there is a solution".to_string())
        };
    }
    let (row, col) = board.corner(board.target);
    if (row, col) != board.goal {
        let (goal_row, goal_col) = board.goal;
        return wrong(format!("the target ends at ({row},{col}), not at ({goal_row},{goal_col})"));
    }
    if fewest == -1 || count < fewest {
        return Err(Fault::Jury(format!(
            "the output solves the puzzle in {count} slides, but the answer is {fewest}"
        )));
    }
    if count > fewest {
        return wrong(format!("not optimal: {count} slides, but {fewest} are enough"));
    }
    Ok(count)
}

/// A word of the output, cut to the length of a message.
fn shown(word: &str) -> String {
    word.chars().take(40).collect()
}

fn number(word: &str) -> Option<i64> {
    let digits =
        !word.is_empty() && word.len() <= 9 && word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|_| digits)
}

/// Reads a corner, `(r,c)` without a space.
fn corner(word: &str) -> Result<(usize, usize), Fault> {
    let inner = word.strip_prefix('(').and_then(|word| word.strip_suffix(')'));
    let parts = inner.and_then(|inner| inner.split_once(','));
    match parts.and_then(|(row, col)| Some((number(row)?, number(col)?))) {
        Some((row, col)) => Ok((row as usize, col as usize)),
        None => wrong(format!("`{}` is not a corner like (0,1)", shown(word))),
    }
}

/// The current board.
struct Board {
    rows: usize,
    cols: usize,
    /// The block that covers each cell, 0 for an empty cell.
    cells: Vec<usize>,
    /// The number of each block, by label.
    numbers: BTreeMap<String, usize>,
    target: usize,
    goal: (usize, usize),
}

impl Board {
    fn parse(text: &str) -> Result<Self, String> {
        let mut words = text.split_ascii_whitespace();
        let mut next = || words.next().ok_or("the input ends too early");
        let mut value = || {
            next()?.parse::<usize>().map_err(|_| "the input has a word where a number is expected")
        };
        let (rows, cols) = (value()?, value()?);
        let mut numbers = BTreeMap::new();
        let mut cells = Vec::new();
        for _ in 0..rows.saturating_mul(cols) {
            let word = next()?;
            let new = numbers.len() + 1;
            cells.push(if word.bytes().all(|byte| byte == b'.') {
                0
            } else {
                *numbers.entry(word.to_string()).or_insert(new)
            });
        }
        let target = *numbers.get(next()?).ok_or("the target is not on the board")?;
        let mut value = || {
            next()?.parse::<usize>().map_err(|_| "the input has a word where a number is expected")
        };
        let goal = (value()?, value()?);
        Ok(Self { rows, cols, cells, numbers, target, goal })
    }

    /// The cells of a block, as row and column.
    fn cells_of(&self, block: usize) -> Vec<(usize, usize)> {
        let covered = self.cells.iter().enumerate().filter(|&(_, &other)| other == block);
        covered.map(|(cell, _)| (cell / self.cols, cell % self.cols)).collect()
    }

    /// The upper left corner of the block's bounding box.
    fn corner(&self, block: usize) -> (usize, usize) {
        let cells = self.cells_of(block);
        let row = cells.iter().map(|cell| cell.0).min();
        let col = cells.iter().map(|cell| cell.1).min();
        row.zip(col).expect("every block has a cell")
    }

    fn slide(
        &mut self,
        label: &str,
        from: (usize, usize),
        to: (usize, usize),
    ) -> Result<(), String> {
        let Some(&block) = self.numbers.get(label) else {
            return Err(format!("no such block: `{}`", shown(label)));
        };
        let at = self.corner(block);
        if from != at {
            return Err(format!(
                "`{label}` is at ({},{}), not at ({},{})",
                at.0, at.1, from.0, from.1
            ));
        }
        if from == to {
            return Err(format!("`{label}` does not move"));
        }
        let shape: Vec<(usize, usize)> =
            self.cells_of(block).iter().map(|cell| (cell.0 - at.0, cell.1 - at.1)).collect();
        let place = |corner: (usize, usize)| {
            shape.iter().map(move |cell| (corner.0 + cell.0, corner.1 + cell.1))
        };
        let on_board = |corner| place(corner).all(|(row, col)| row < self.rows && col < self.cols);
        let free = |corner| {
            on_board(corner)
                && place(corner).all(|(row, col)| {
                    let other = self.cells[row * self.cols + col];
                    other == 0 || other == block
                })
        };
        if !on_board(to) {
            return Err(format!("`{label}` leaves the board"));
        }
        if !free(to) {
            return Err(format!("`{label}` overlaps another block at ({},{})", to.0, to.1));
        }
        let mut reached = vec![from];
        let mut next = 0;
        while next < reached.len() {
            let (row, col) = reached[next];
            let ways = [
                (row.wrapping_sub(1), col),
                (row + 1, col),
                (row, col.wrapping_sub(1)),
                (row, col + 1),
            ];
            for corner in ways {
                // A row or column below zero has wrapped around to a huge number.
                if corner.0 < self.rows
                    && corner.1 < self.cols
                    && free(corner)
                    && !reached.contains(&corner)
                {
                    reached.push(corner);
                }
            }
            next += 1;
        }
        if !reached.contains(&to) {
            return Err(format!(
                "`{label}` cannot get to ({},{}): other blocks are in its way",
                to.0, to.1
            ));
        }
        let cells: Vec<usize> = place(to).map(|(row, col)| row * self.cols + col).collect();
        self.cells.iter_mut().filter(|other| **other == block).for_each(|other| *other = 0);
        for cell in cells {
            self.cells[cell] = block;
        }
        Ok(())
    }
}
