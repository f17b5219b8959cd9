//! Accepts the right figures with any optimal list of steps: `replay INPUT ANSWER FEEDBACK_DIR < OUTPUT`.
//!
//! Exit 42 accepts, 43 rejects, with the reason in `judgemessage.txt`; anything else means that the
//! jury's own files are at fault. Every step is played on the board: the block must have room where
//! it goes. The answer file is asked for four numbers: the fewest steps, and the three figures.

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
        eprintln!("error: the input, the answer or the output cannot be read");
        std::process::exit(1);
    };
    let (code, message) = match check(&input, &answer, &output) {
        Ok(steps) => (42, format!("optimal: {steps}")),
        Err(Fault::Output(reason)) => (43, reason),
        Err(Fault::Jury(reason)) => (1, reason),
    };
    if let Err(error) = std::fs::write(
        Path::new(feedback).join("judgemessage.txt"),
        format!("{message}\n"),
    ) {
        eprintln!("error: judgemessage.txt: {error}");
        std::process::exit(1);
    }
    if code == 1 {
        eprintln!("error: {message}");
    }
    std::process::exit(code);
}

/// Whose fault it is that the output is not accepted, and what it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The output is wrong.
    Output(String),
    /// The input or the answer is.
    Jury(String),
}

fn wrong<T>(reason: String) -> Result<T, Fault> {
    Err(Fault::Output(reason))
}

/// The number of steps (-1: none lead to the goal) if the output is right.
pub fn check(input: &[u8], answer: &[u8], output: &[u8]) -> Result<i64, Fault> {
    let mut board = Board::parse(&String::from_utf8_lossy(input)).map_err(Fault::Jury)?;
    let answer = String::from_utf8_lossy(answer);
    let known: Vec<i64> = answer
        .split_ascii_whitespace()
        .map_while(|word| word.parse().ok())
        .collect();
    let &[fewest, ref figures @ ..] = known.as_slice() else {
        return Err(Fault::Jury(
            "the answer does not start with a number".to_string(),
        ));
    };
    let text = String::from_utf8_lossy(output);
    let mut words = text.split_ascii_whitespace();
    let count = match words.next() {
        None => return wrong("the output is empty".to_string()),
        Some("-1") => -1,
        Some(word) => number(word)
            .ok_or_else(|| Fault::Output(format!("`{}` is not a number of steps", shown(word))))?,
    };
    for (place, what) in ["positions", "the largest depth", "the widest level"]
        .into_iter()
        .enumerate()
    {
        let right = figures
            .get(place)
            .ok_or_else(|| Fault::Jury("the answer lacks a figure".to_string()))?;
        match words.next() {
            None => return wrong(format!("truncated: the second line lacks {what}")),
            Some(word) if number(word) == Some(*right) => {}
            Some(word) => return wrong(format!("{what}: `{}`, not {right}", shown(word))),
        }
    }
    for step in 1..=count {
        let (Some(label), Some(way)) = (words.next(), words.next()) else {
            return wrong(format!(
                "truncated: {count} steps are announced, step {step} is missing or incomplete"
            ));
        };
        board
            .step(label, way)
            .map_err(|reason| Fault::Output(format!("step {step}: {reason}")))?;
    }
    if let Some(word) = words.next() {
        return wrong(format!(
            "over-long: `{}` follows the last step",
            shown(word)
        ));
    }
    if count == -1 {
        return if fewest == -1 {
            Ok(-1)
        } else {
            wrong("the output says -1, but there is a solution".to_string())
        };
    }
    let (row, col) = board.corner(board.target);
    if (row, col) != board.goal {
        let (goal_row, goal_col) = board.goal;
        return wrong(format!(
            "the target ends at ({row},{col}), not at ({goal_row},{goal_col})"
        ));
    }
    if fewest == -1 || count < fewest {
        return Err(Fault::Jury(format!(
            "the output solves it in {count} steps, the answer says {fewest}"
        )));
    }
    if count > fewest {
        return wrong(format!("wasteful: {count} steps, {fewest} are enough"));
    }
    Ok(count)
}

/// A word of the output, short enough for a message.
fn shown(word: &str) -> String {
    word.chars().take(40).collect()
}

fn number(word: &str) -> Option<i64> {
    let digits =
        !word.is_empty() && word.len() <= 9 && word.bytes().all(|byte| byte.is_ascii_digit());
    word.parse().ok().filter(|_| digits)
}

/// The board as it stands: blocks by cell, with 0 for an empty cell.
struct Board {
    rows: usize,
    cols: usize,
    cells: Vec<usize>,
    numbers: BTreeMap<String, usize>,
    target: usize,
    goal: (usize, usize),
}

impl Board {
    fn parse(text: &str) -> Result<Self, String> {
        let mut words = text.split_ascii_whitespace();
        let mut next = || words.next().ok_or("the input ends too early");
        let mut value = || {
            next()?
                .parse::<usize>()
                .map_err(|_| "the input has a word for a number")
        };
        let (rows, cols) = (value()?, value()?);
        let mut numbers = BTreeMap::new();
        let mut cells = Vec::new();
        for _ in 0..rows.saturating_mul(cols) {
            let word = next()?;
            let fresh = numbers.len() + 1;
            cells.push(if word.bytes().all(|byte| byte == b'.') {
                0
            } else {
                *numbers.entry(word.to_string()).or_insert(fresh)
            });
        }
        let target = *numbers
            .get(next()?)
            .ok_or("the target is not on the board")?;
        let mut value = || {
            next()?
                .parse::<usize>()
                .map_err(|_| "the input has a word for a number")
        };
        let goal = (value()?, value()?);
        Ok(Self {
            rows,
            cols,
            cells,
            numbers,
            target,
            goal,
        })
    }

    fn own(&self, block: usize) -> Vec<(usize, usize)> {
        let own = self
            .cells
            .iter()
            .enumerate()
            .filter(|&(_, &held)| held == block);
        own.map(|(cell, _)| (cell / self.cols, cell % self.cols))
            .collect()
    }

    /// The upper left corner of the block's bounding box.
    fn corner(&self, block: usize) -> (usize, usize) {
        let own = self.own(block);
        let row = own.iter().map(|cell| cell.0).min();
        let col = own.iter().map(|cell| cell.1).min();
        row.zip(col).expect("every block has a cell")
    }

    fn step(&mut self, label: &str, way: &str) -> Result<(), String> {
        let Some(&block) = self.numbers.get(label) else {
            return Err(format!("mislabelled: there is no block `{}`", shown(label)));
        };
        let (down, right) = match way {
            "U" => (-1, 0),
            "D" => (1, 0),
            "L" => (0, -1),
            "R" => (0, 1),
            _ => return Err(format!("`{}` is not one of U D L R", shown(way))),
        };
        let mut cells = Vec::new();
        for (row, col) in self.own(block) {
            let row = row.checked_add_signed(down).filter(|&row| row < self.rows);
            let col = col.checked_add_signed(right).filter(|&col| col < self.cols);
            let (Some(row), Some(col)) = (row, col) else {
                return Err(format!("`{label}` leaves the board"));
            };
            let held = self.cells[row * self.cols + col];
            if held != 0 && held != block {
                return Err(format!("`{label}` overlaps another block at ({row},{col})"));
            }
            cells.push(row * self.cols + col);
        }
        self.cells
            .iter_mut()
            .filter(|held| **held == block)
            .for_each(|held| *held = 0);
        for cell in cells {
            self.cells[cell] = block;
        }
        Ok(())
    }
}
