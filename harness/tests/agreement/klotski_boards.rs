//! Inputs for the two klotski problems: all small boards, and random ones of any size.

use crate::random::Random;

/// A board without a target and a goal, which an input also needs.
pub(crate) struct Tray {
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    /// The block number of each cell; 0 is a free cell.
    pub(crate) cells: Vec<usize>,
    pub(crate) blocks: usize,
}

impl Tray {
    /// The input for one target (from 1) and one goal.
    pub(crate) fn input(&self, target: usize, goal: (usize, usize)) -> String {
        let mut text = format!("{} {}\n", self.rows, self.cols);
        for row in self.cells.chunks(self.cols) {
            let words: Vec<String> = row.iter().map(|&cell| label(cell)).collect();
            text += &(words.join(" ") + "\n");
        }
        text + &format!("{}\n{} {}\n", label(target), goal.0, goal.1)
    }

    /// All pairs of a target and a goal.
    pub(crate) fn questions(&self) -> impl Iterator<Item = (usize, (usize, usize))> {
        let goals = (0..self.rows).flat_map(|row| (0..self.cols).map(move |col| (row, col)));
        (1..=self.blocks).flat_map(move |target| goals.clone().map(move |goal| (target, goal)))
    }

    fn connected(&self) -> bool {
        (1..=self.blocks).all(|block| {
            let block: Vec<usize> =
                (0..self.cells.len()).filter(|&cell| self.cells[cell] == block).collect();
            let mut reached = vec![block[0]];
            let mut next = 0;
            while next < reached.len() {
                let near = block.iter().filter(|&&cell| self.near(cell, reached[next]));
                let fresh: Vec<usize> =
                    near.filter(|cell| !reached.contains(cell)).copied().collect();
                reached.extend(fresh);
                next += 1;
            }
            reached.len() == block.len()
        })
    }

    fn near(&self, a: usize, b: usize) -> bool {
        (a / self.cols).abs_diff(b / self.cols) + (a % self.cols).abs_diff(b % self.cols) == 1
    }
}

fn label(block: usize) -> String {
    if block == 0 { ".".to_string() } else { format!("b{block}") }
}

/// Every board of this size: every choice of free cells and every division of the others into
/// connected blocks.
pub(crate) fn all_trays(rows: usize, cols: usize) -> Vec<Tray> {
    let mut trays = Vec::new();
    extend(rows, cols, &mut Vec::new(), 0, &mut trays);
    trays
}

/// Numbers the blocks in the order of their first cells, so that no board occurs twice.
fn extend(rows: usize, cols: usize, cells: &mut Vec<usize>, blocks: usize, trays: &mut Vec<Tray>) {
    if cells.len() == rows * cols {
        let tray = Tray { rows, cols, cells: cells.clone(), blocks };
        if blocks > 0 && tray.connected() {
            trays.push(tray);
        }
        return;
    }
    for block in 0..=blocks + 1 {
        cells.push(block);
        extend(rows, cols, cells, blocks.max(block), trays);
        cells.pop();
    }
}

/// A random board of up to 8×8. Free cells and small blocks only lie in a window of up to 3×4
/// cells; large blocks fill the rest, so that searches are short.
pub(crate) fn random_tray(random: &mut Random) -> Tray {
    let (rows, cols) = (1 + random.below(8), 1 + random.below(8));
    let count = rows * cols;
    let (height, width) = (rows.min(1 + random.below(3)), cols.min(1 + random.below(4)));
    let (top, left) = (random.below(rows - height + 1), random.below(cols - width + 1));
    let window: Vec<usize> = (0..count)
        .filter(|cell| (top..top + height).contains(&(cell / cols)))
        .filter(|cell| (left..left + width).contains(&(cell % cols)))
        .collect();
    let mut tray = Tray { rows, cols, cells: vec![usize::MAX; count], blocks: 0 };
    for _ in 0..random.below(5) {
        tray.cells[window[random.below(window.len())]] = 0;
    }
    let largest = 1 + random.below(4);
    while let Some(&first) = window.iter().find(|&&cell| tray.cells[cell] == usize::MAX) {
        grow(&mut tray, first, random.below(largest), random);
    }
    while let Some(first) = tray.cells.iter().position(|&cell| cell == usize::MAX) {
        grow(&mut tray, first, random.below(count), random);
    }
    if tray.blocks == 0 {
        tray.cells[0] = usize::MAX;
        grow(&mut tray, 0, 0, random);
    }
    tray
}

/// Starts a block at a cell and adds `more` random neighbours, as long as there are free ones.
fn grow(tray: &mut Tray, first: usize, more: usize, random: &mut Random) {
    tray.blocks += 1;
    tray.cells[first] = tray.blocks;
    let mut block = vec![first];
    for _ in 0..more {
        let open = |&cell: &usize| {
            tray.cells[cell] == usize::MAX && block.iter().any(|&other| tray.near(cell, other))
        };
        let open: Vec<usize> = (0..tray.cells.len()).filter(open).collect();
        if open.is_empty() {
            break;
        }
        let cell = open[random.below(open.len())];
        tray.cells[cell] = tray.blocks;
        block.push(cell);
    }
}

/// A random target and goal.
pub(crate) fn random_question(tray: &Tray, random: &mut Random) -> (usize, (usize, usize)) {
    (1 + random.below(tray.blocks), (random.below(tray.rows), random.below(tray.cols)))
}

/// Rows joined by `/`, one character per cell; target; goal; the minimum number of moves.
pub(crate) type Drawn = (&'static str, char, (usize, usize), i64);

/// Large boards of klotski: 280,872 positions.
pub(crate) const LARGE_SLIDES: &[Drawn] =
    &[("ABBBCD/ABECCC/FFEGGH/FEEIIH/F...JH/FK.LLM", 'G', (0, 0), -1)];

/// Large boards of klotskisteps: 280,872, 389,951 and 352,356 positions.
pub(crate) const LARGE_STEPS: &[Drawn] = &[
    ("ABBBCD/ABECCC/FFEGGH/FEEIIH/F...JH/FK.LLM", 'G', (0, 0), -1),
    ("ABC./ADE./FFGG/F.G./HILL", 'A', (3, 3), 34),
    ("ABCDE/FFCDD/F.G.H/II.JK/LIMKK", 'I', (1, 2), 125),
];

/// The input for a board in this short notation.
pub(crate) fn drawn(rows: &str, target: char, goal: (usize, usize)) -> String {
    let rows: Vec<Vec<String>> =
        rows.split('/').map(|row| row.chars().map(String::from).collect()).collect();
    let mut text = format!("{} {}\n", rows.len(), rows[0].len());
    for row in &rows {
        text += &(row.join(" ") + "\n");
    }
    text + &format!("{target}\n{} {}\n", goal.0, goal.1)
}

/// Inputs that every solution must reject, each for one reason.
pub(crate) const MALFORMED: &[(&str, &str)] = &[
    ("nothing", ""),
    ("no size", "x 2\nA .\nA\n0 0\n"),
    ("half a size", "1\nA .\nA\n0 0\n"),
    ("a side of 0", "0 2\nA\n0 0\n"),
    ("a side of 9", "1 9\nA . . . . . . . .\nA\n0 0\n"),
    ("a negative side", "-1 2\nA .\nA\n0 0\n"),
    ("a huge side", "99999999999999999999 2\nA .\nA\n0 0\n"),
    ("a cell too few", "2 2\nA .\n.\nA\n0 0\n"),
    ("a cell too many", "2 2\nA . .\n. .\nA\n0 0\n"),
    ("rows broken elsewhere", "2 2\nA\n. . .\nA\n0 0\n"),
    ("a row too few", "2 2\nA .\nA\n0 0\n"),
    ("a block in two parts", "1 3\nA . A\nA\n0 0\n"),
    ("a block that touches itself at a corner only", "2 2\nA .\n. A\nA\n0 0\n"),
    ("no block at all", "1 2\n. .\n.\n0 0\n"),
    ("an unknown target", "1 2\nA .\nB\n0 0\n"),
    ("two targets", "1 3\nA . B\nA B\n0 0\n"),
    ("no target", "1 2\nA .\n"),
    ("no goal", "1 2\nA .\nA\n"),
    ("half a goal", "1 2\nA .\nA\n0\n"),
    ("a goal below the board", "1 2\nA .\nA\n1 0\n"),
    ("a goal right of the board", "1 2\nA .\nA\n0 2\n"),
    ("a negative goal", "1 2\nA .\nA\n0 -1\n"),
    ("a goal with a sign", "1 2\nA .\nA\n0 +1\n"),
    ("text after the goal", "1 2\nA .\nA\n0 1\nA\n"),
    ("bytes that are not text", "1 2\n\u{fffd} .\nA\n0 1\n"),
];

/// Compares the solutions of one problem on boards and prints the number of comparisons.
pub(crate) struct BoardComparison {
    pub(crate) problem: &'static str,
    /// The unit of the answer.
    pub(crate) unit: &'static str,
    /// The answer to an input, after checking that all solutions agree; includes the plain search
    /// on request.
    pub(crate) agreed: fn(input: &str, with_plain: bool) -> i64,
}

impl BoardComparison {
    /// Compares on every target and goal of every board of this size; includes the plain search
    /// once per board.
    pub(crate) fn all(&self, rows: usize, cols: usize) {
        let trays = all_trays(rows, cols);
        let (mut count, mut most) = (0, -1);
        for tray in &trays {
            for (number, (target, goal)) in tray.questions().enumerate() {
                let with_plain = number == tray.cells.len() / 2;
                most = most.max((self.agreed)(&tray.input(target, goal), with_plain));
                count += 1;
            }
        }
        let Self { problem, unit, .. } = self;
        println!(
            "{problem}: {rows}x{cols}: {} boards, {count} questions agree, up to {most} {unit}",
            trays.len()
        );
    }

    /// Compares on random boards; includes the plain search on every tenth.
    pub(crate) fn random(&self, seed: u64, rounds: usize) {
        let mut random = Random(seed);
        let (mut solved, mut most) = (0, 0);
        for round in 0..rounds {
            let tray = random_tray(&mut random);
            let (target, goal) = random_question(&tray, &mut random);
            let answer = (self.agreed)(&tray.input(target, goal), round % 10 == 0);
            solved += usize::from(answer >= 0);
            most = most.max(answer);
        }
        let Self { problem, unit, .. } = self;
        println!(
            "{problem}: {rounds} random boards agree, {solved} of them solvable, up to {most} {unit}"
        );
    }
}
