//! Accepts the right figures with any optimal list of steps:
//! `replay INPUT ANSWER FEEDBACK_DIR < OUTPUT`.
//!
//! Exits with 42 to accept and with 43 to reject, and writes the reason to `judgemessage.txt`. Any other
//! exit code means that the input or the answer is invalid. The program plays every step on the
//! board: the cells that the block enters must be free. From the answer, the program reads only four
//! numbers: the fewest steps and the three figures.

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
        Ok(steps) => (42, format!("optimal: {steps}")),
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

/// The number of steps if the output is right; -1 if the target cannot reach the goal.
pub fn check(input: &[u8], answer: &[u8], output: &[u8]) -> Result<i64, Fault> {
    let mut board = Board::parse(&String::from_utf8_lossy(input)).map_err(Fault::Jury)?;
    let answer = String::from_utf8_lossy(answer);
    let known: Vec<i64> =
        answer.split_ascii_whitespace().map_while(|word| word.parse().ok()).collect();
    let &[fewest, ref figures @ ..] = known.as_slice() else {
        return Err(Fault::Jury("the answer does not start with a number".to_string()));
    };
    let text = String::from_utf8_lossy(output);
    let mut words = text.split_ascii_whitespace();
    let count = match words.next() {
        None => return wrong("the output is empty".to_string()),
        Some("-1") => -1,
        Some(word) => number(word)
            .ok_or_else(|| Fault::Output(format!("`{}` is not a number of steps", shown(word))))?,
    };
    for (index, what) in
        ["the number of states", "the largest depth", "the widest level"].into_iter().enumerate()
    {
        let right = figures
            .get(index)
            .ok_or_else(|| Fault::Jury("the answer has fewer than three figures".to_string()))?;
        match words.next() {
            None => return wrong(format!("the output ends before {what}")),
            Some(word) if number(word) == Some(*right) => {}
            Some(word) => return wrong(format!("{what} is {right}, not `{}`", shown(word))),
        }
    }
    for step in 1..=count {
        let (Some(label), Some(way)) = (words.next(), words.next()) else {
            return wrong(format!(
                "the output announces {count} steps, but step {step} is missing or incomplete"
            ));
        };
        board.step(label, way).map_err(|reason| Fault::Output(format!("step {step}: {reason}")))?;
    }
    if let Some(word) = words.next() {
        return wrong(format!("extra output: `{}` follows the last step", shown(word)));
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
            "the output solves the puzzle in {count} steps, but the answer is {fewest}"
        )));
    }
    if count > fewest {
        return wrong(format!("not optimal: {count} steps, but {fewest} are enough"));
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

    fn step(&mut self, label: &str, way: &str) -> Result<(), String> {
        let Some(&block) = self.numbers.get(label) else {
            return Err(format!("no such block: `{}`", shown(label)));
        };
        let (down, right) = match way {
            "U" => (-1, 0),
            "D" => (1, 0),
            "L" => (0, -1),
            "R" => (0, 1),
            _ => return Err(format!("`{}` is not one of U D L R", shown(way))),
        };
        let mut cells = Vec::new();
        for (row, col) in self.cells_of(block) {
            let row = row.checked_add_signed(down).filter(|&row| row < self.rows);
            let col = col.checked_add_signed(right).filter(|&col| col < self.cols);
            let (Some(row), Some(col)) = (row, col) else {
                return Err(format!("`{label}` leaves the board"));
            };
            let other = self.cells[row * self.cols + col];
            if other != 0 && other != block {
                return Err(format!("`{label}` overlaps another block at ({row},{col})"));
            }
            cells.push(row * self.cols + col);
        }
        self.cells.iter_mut().filter(|other| **other == block).for_each(|other| *other = 0);
        for cell in cells {
            self.cells[cell] = block;
        }
        Ok(())
    }
}
