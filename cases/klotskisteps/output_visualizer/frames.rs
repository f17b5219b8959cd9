//! Draws an output as SVG frames, one for every position: `frames INPUT ANSWER FEEDBACK_DIR < OUTPUT`
//! writes `judgeimage-000.svg`, `judgeimage-001.svg` and so on to the feedback folder.
//!
//! A frame shows the position, the next move as an arrow, the goal as a dashed outline, and a progress
//! bar. The program does not judge: if a move breaks a rule, the last frame shows the position before
//! it and a note. Exits with 42 after writing the frames.
//!
//! The code that reads a board is repeated here, since every program of a package is a single file.

use std::io::Read;
use std::path::Path;

const CELL: f64 = 64.0;
const MARGIN: f64 = 24.0;
const HEAD: f64 = 56.0;
const MAX_FRAMES: usize = 1000;
const TARGET: [&str; 2] = ["#e4572e", "#9c2f10"];
/// The colours of fill and edge by shape. Consecutive hues differ clearly.
const COLOURS: [[&str; 2]; 12] = [
    ["#5b8fb9", "#34597a"],
    ["#f2c14e", "#a77c17"],
    ["#78b07a", "#466f48"],
    ["#b39bc8", "#705a86"],
    ["#8fc1b5", "#55857a"],
    ["#d9a08b", "#8f5f4d"],
    ["#a3b18a", "#657250"],
    ["#7f8fd1", "#4b5690"],
    ["#e0b1cb", "#94687f"],
    ["#c9b79c", "#837355"],
    ["#6fb3d2", "#3b7391"],
    ["#c2d076", "#7b873b"],
];

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let [_, input, _, feedback, ..] = args.as_slice() else {
        eprintln!("usage: frames INPUT ANSWER FEEDBACK_DIR < OUTPUT");
        std::process::exit(1);
    };
    if let Err(message) = run(Path::new(input), Path::new(feedback)) {
        eprintln!("error: {message}");
        std::process::exit(1);
    }
    std::process::exit(42);
}

fn run(input: &Path, feedback: &Path) -> Result<(), String> {
    let text =
        std::fs::read_to_string(input).map_err(|error| format!("{}: {error}", input.display()))?;
    let mut output = Vec::new();
    std::io::stdin().read_to_end(&mut output).map_err(|error| error.to_string())?;
    let output = String::from_utf8_lossy(&output);
    for (number, svg) in frames(&Board::parse(&text)?, &output).iter().enumerate() {
        let path = feedback.join(format!("judgeimage-{number:03}.svg"));
        std::fs::write(&path, svg).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// The frames of an output, at most `MAX_FRAMES`.
fn frames(start: &Board, output: &str) -> Vec<String> {
    let mut words = output.split_ascii_whitespace();
    let count = words.next().unwrap_or("nothing");
    if count == "-1" {
        return vec![start.draw(None, "the output says: no solution", 0.0)];
    }
    // Skip the figures of the second line.
    let words: Vec<&str> = words.skip(3).collect();
    let moves: Vec<&[&str]> = words.chunks(2).collect();
    let mut board = start.clone();
    let mut frames = Vec::new();
    for (number, words) in moves.iter().enumerate().take(MAX_FRAMES - 1) {
        let done = number as f64 / moves.len() as f64;
        let Some(next) = board.read(words) else {
            let head = format!("move {}: `{}` breaks a rule", number + 1, words.join(" "));
            frames.push(board.draw(None, &head, done));
            return frames;
        };
        let head = format!("{number} of {count}  \u{2192}  {}", words.join(" "));
        frames.push(board.draw(Some(&next), &head, done));
        board.make(&next);
    }
    let (made, not) = (frames.len(), if board.solved() { "" } else { "not " });
    let head = format!("{made} of {count}  \u{2013}  {not}solved");
    frames.push(board.draw(None, &head, 1.0));
    frames
}

type Place = (usize, usize);

/// A block, and its corners along the way from the old to the new position.
struct Move {
    block: usize,
    way: Vec<Place>,
}

#[derive(Clone)]
struct Block {
    label: String,
    cells: Vec<Place>,
    colours: [&'static str; 2],
}

impl Block {
    fn corner(&self) -> Place {
        let row = self.cells.iter().map(|cell| cell.0).min().unwrap_or(0);
        (row, self.cells.iter().map(|cell| cell.1).min().unwrap_or(0))
    }

    /// The cells of the block if its corner is at `there`.
    fn at(&self, there: Place) -> Vec<Place> {
        let here = self.corner();
        let moved = |cell: &Place| (there.0 + cell.0 - here.0, there.1 + cell.1 - here.1);
        self.cells.iter().map(moved).collect()
    }

    /// The place of the label: the middle of a rectangle; otherwise the cell closest to the middle.
    fn label_point(&self) -> (f64, f64) {
        let corner = self.corner();
        let end =
            self.cells.iter().fold(corner, |end, cell| (end.0.max(cell.0), end.1.max(cell.1)));
        // All coordinates are doubled, since the middle can lie between cells.
        let middle = (corner.0 + end.0, corner.1 + end.1);
        let twice = |cell: &Place| (2 * cell.0, 2 * cell.1);
        let distance = |at: &Place| at.0.abs_diff(middle.0).pow(2) + at.1.abs_diff(middle.1).pow(2);
        let closest = self.cells.iter().map(twice).min_by_key(distance);
        let is_rectangle = self.cells.len() == (end.0 + 1 - corner.0) * (end.1 + 1 - corner.1);
        let (row, col) = closest.filter(|_| !is_rectangle).unwrap_or(middle);
        let place = |twice: usize| (twice as f64 + 1.0) * CELL / 2.0;
        (place(col), place(row))
    }

    fn draw(&self) -> String {
        let [fill, edge] = self.colours;
        let has = |row: usize, col: usize| self.cells.contains(&(row, col));
        let mut svg = format!("<g><title>{}</title>\n", escape(&self.label));
        // Rounded cells, bridges between adjacent cells, and a patch where four cells meet. All of it is
        // drawn twice: first slightly larger, as the edge.
        for (colour, inset) in [(edge, 2.0), (fill, 5.0)] {
            svg += &format!("<g fill=\"{colour}\">\n");
            for &(row, col) in &self.cells {
                let (x, y) = (col as f64 * CELL + inset, row as f64 * CELL + inset);
                let (side, round, gap) = (CELL - 2.0 * inset, 14.0 - inset, 2.0 * inset);
                let mut rect = |x: f64, y: f64, width: f64, height: f64, round: f64| {
                    svg += &format!(
                        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{round}\"/>\n"
                    );
                };
                rect(x, y, side, side, round);
                let (right, below) = (has(row, col + 1), has(row + 1, col));
                if right {
                    rect(x + side / 2.0, y, side + gap, side, 0.0);
                }
                if below {
                    rect(x, y + side / 2.0, side, side + gap, 0.0);
                }
                if right && below && has(row + 1, col + 1) {
                    rect(x + side / 2.0, y + side / 2.0, side + gap, side + gap, 0.0);
                }
            }
            svg += "</g>\n";
        }
        let (x, y) = self.label_point();
        let text = shorten(&self.label, 6);
        let size = (CELL / text.chars().count() as f64).min(26.0);
        let is_target = self.colours == TARGET;
        let colour = if is_target { "#ffffff" } else { "#2b2a27" };
        svg += &format!(
            "<text x=\"{x}\" y=\"{:.1}\" font-size=\"{size:.1}\" font-weight=\"bold\" text-anchor=\"middle\" fill=\"{colour}\">{}</text>\n</g>\n",
            y + size * 0.36,
            escape(&text)
        );
        svg
    }
}

#[derive(Clone)]
struct Board {
    rows: usize,
    cols: usize,
    /// Sorted by label.
    blocks: Vec<Block>,
    target: usize,
    goal: Place,
}

impl Board {
    fn parse(text: &str) -> Result<Self, String> {
        let mut words = text.split_ascii_whitespace();
        let mut next = || words.next().ok_or("the input ends too early");
        let number =
            |word: &str| word.parse::<usize>().map_err(|_| format!("`{word}` is not a number"));
        let (rows, cols) = (number(next()?)?, number(next()?)?);
        let mut blocks: Vec<Block> = Vec::new();
        for cell in 0..rows.saturating_mul(cols) {
            let label = next()?;
            if label.bytes().all(|byte| byte == b'.') {
                continue;
            }
            let cell = (cell / cols, cell % cols);
            match blocks.iter_mut().find(|block| block.label == label) {
                Some(block) => block.cells.push(cell),
                None => blocks.push(Block {
                    label: label.to_string(),
                    cells: vec![cell],
                    colours: TARGET,
                }),
            }
        }
        let target = next()?;
        let mut shapes: Vec<Vec<Place>> = Vec::new();
        for block in blocks.iter_mut().filter(|block| block.label != target) {
            let shape = block.at((0, 0));
            let known = shapes.iter().position(|other| *other == shape);
            block.colours = COLOURS[known.unwrap_or(shapes.len()) % COLOURS.len()];
            if known.is_none() {
                shapes.push(shape);
            }
        }
        blocks.sort_by(|one, other| one.label.cmp(&other.label));
        let target = blocks.iter().position(|block| block.label == target);
        Ok(Self {
            rows,
            cols,
            blocks,
            target: target.ok_or("the target is not on the board")?,
            goal: (number(next()?)?, number(next()?)?),
        })
    }

    fn solved(&self) -> bool {
        self.blocks[self.target].corner() == self.goal
    }

    fn fits(&self, block: usize, corner: Place) -> bool {
        self.blocks[block].at(corner).iter().all(|cell| {
            let mut others = (0..self.blocks.len()).filter(|&other| other != block);
            let free = others.all(|other| !self.blocks[other].cells.contains(cell));
            cell.0 < self.rows && cell.1 < self.cols && free
        })
    }

    /// Reads a step like `C R`; `None` if it is not possible.
    fn read(&self, words: &[&str]) -> Option<Move> {
        let [label, way] = words else {
            return None;
        };
        let block = self.blocks.iter().position(|one| one.label == *label)?;
        let from = self.blocks[block].corner();
        let to = match *way {
            "U" => (from.0.checked_sub(1)?, from.1),
            "D" => (from.0 + 1, from.1),
            "L" => (from.0, from.1.checked_sub(1)?),
            "R" => (from.0, from.1 + 1),
            _ => return None,
        };
        self.fits(block, to).then(|| Move { block, way: vec![from, to] })
    }

    fn make(&mut self, next: &Move) {
        let block = &mut self.blocks[next.block];
        block.cells = block.at(next.way[next.way.len() - 1]);
    }

    fn draw(&self, next: Option<&Move>, head: &str, done: f64) -> String {
        let (width, height) = (self.cols as f64 * CELL, self.rows as f64 * CELL);
        // The image of a narrow board is wider than the board, so that the line above it fits.
        let full = (width + 2.0 * MARGIN).max(400.0);
        let (left, top) = ((full - width) / 2.0, HEAD);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {full} {tall}\" width=\"{full}\" height=\"{tall}\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#fbf9f4\"/>\n\
             <text x=\"{MARGIN}\" y=\"28\" font-size=\"17\" fill=\"#3b3a36\">{text}</text>\n\
             <rect x=\"{MARGIN}\" y=\"38\" width=\"{line}\" height=\"3\" rx=\"1.5\" fill=\"#e3ddcf\"/>\n\
             <rect x=\"{MARGIN}\" y=\"38\" width=\"{part:.1}\" height=\"3\" rx=\"1.5\" fill=\"#e4572e\"/>\n\
             <g transform=\"translate({left} {top})\">\n\
             <rect x=\"-9\" y=\"-9\" width=\"{outer_width}\" height=\"{outer_height}\" rx=\"14\" fill=\"#6b5b47\"/>\n\
             <rect width=\"{width}\" height=\"{height}\" rx=\"7\" fill=\"#efe9dc\"/>\n",
            tall = height + HEAD + MARGIN,
            text = escape(&shorten(head, ((full - 2.0 * MARGIN) / 10.5) as usize)),
            line = full - 2.0 * MARGIN,
            part = (full - 2.0 * MARGIN) * done,
            outer_width = width + 18.0,
            outer_height = height + 18.0,
        );
        for block in &self.blocks {
            svg += &block.draw();
        }
        svg += &self.draw_goal();
        if let Some(next) = next {
            svg += &self.draw_arrow(next);
        }
        svg + "</g>\n</svg>\n"
    }

    /// The outline of the target at its goal.
    fn draw_goal(&self) -> String {
        let cells = self.blocks[self.target].at(self.goal);
        let has = |row: usize, col: usize| cells.contains(&(row, col));
        let mut path = String::new();
        let inside = |cell: &&Place| cell.0 < self.rows && cell.1 < self.cols;
        for &(row, col) in cells.iter().filter(inside) {
            let (x, y) = (col as f64 * CELL, row as f64 * CELL);
            let mut line = |is_edge: bool, x: f64, y: f64, dx: f64, dy: f64| {
                if is_edge {
                    path += &format!("M{x} {y}l{dx} {dy}");
                }
            };
            line(!has(row.wrapping_sub(1), col), x, y, CELL, 0.0);
            line(!has(row + 1, col), x, y + CELL, CELL, 0.0);
            line(!has(row, col.wrapping_sub(1)), x, y, 0.0, CELL);
            line(!has(row, col + 1), x + CELL, y, 0.0, CELL);
        }
        format!(
            "<path d=\"{path}\" fill=\"none\" stroke=\"#ffffff\" stroke-width=\"6\" stroke-linecap=\"round\" opacity=\"0.7\"/>\n\
             <path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"3.5\" stroke-dasharray=\"9 7\" stroke-linecap=\"round\"/>\n",
            TARGET[1]
        )
    }

    fn draw_arrow(&self, next: &Move) -> String {
        let (start, from) = (self.blocks[next.block].label_point(), next.way[0]);
        // The place of the label if the block's corner is at the given place.
        let point = |&(row, col): &Place| {
            let (down, right) = (row as f64 - from.0 as f64, col as f64 - from.1 as f64);
            (start.0 + right * CELL, start.1 + down * CELL)
        };
        let mut points: Vec<(f64, f64)> = next.way.iter().map(point).collect();
        let end = points.len() - 1;
        let direction = |a: (f64, f64), b: (f64, f64)| ((b.0 - a.0) / CELL, (b.1 - a.1) / CELL);
        let (off, on) = (direction(points[0], points[1]), direction(points[end - 1], points[end]));
        let shifted =
            |at: (f64, f64), way: (f64, f64), by: f64| (at.0 + way.0 * by, at.1 + way.1 * by);
        let (tip, back) = (shifted(points[end], on, 17.0), shifted(points[end], on, -2.0));
        points[0] = shifted(points[0], off, 20.0);
        points[end] = shifted(points[end], on, 2.0);
        let line = |points: &[(f64, f64)]| {
            let points: Vec<String> = points.iter().map(|(x, y)| format!("{x} {y}")).collect();
            format!("M{}", points.join("L"))
        };
        let path = line(&points);
        let left = (back.0 - on.1 * 11.0, back.1 - on.0 * 11.0);
        let right = (back.0 + on.1 * 11.0, back.1 + on.0 * 11.0);
        let head = line(&[tip, left, right]) + "Z";
        let mut svg = String::new();
        for (colour, width, rim) in [("#ffffff", 11.0, 6.0), ("#22211f", 5.0, 0.0)] {
            svg += &format!(
                "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linejoin=\"round\" stroke-linecap=\"round\"/>\n\
                 <path d=\"{head}\" fill=\"{colour}\" stroke=\"{colour}\" stroke-width=\"{rim}\" stroke-linejoin=\"round\"/>\n"
            );
        }
        svg
    }
}

fn shorten(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_string();
    }
    text.chars().take(most - 1).chain(['\u{2026}']).collect()
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
