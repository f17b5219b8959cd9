//! Draws an output as SVG frames, one for every position: `frames INPUT ANSWER FEEDBACK_DIR < OUTPUT`
//! writes `judgeimage-000.svg` and so on into the feedback folder.
//!
//! A frame shows the position, what moves next with its way, the goal as a dashed outline, and how
//! far the path has come. It draws what it is given: an output that breaks a rule is drawn up to
//! that point, and the last frame says so; judging is the validator's work. Exit 42 if the frames
//! were written.
//!
//! One file, and a long one, as every program of a package must be.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Read;
use std::path::Path;

const CELL: f64 = 64.0;
const MARGIN: f64 = 24.0;
const HEAD: f64 = 56.0;
const MAX_FRAMES: usize = 1000;
const TARGET: [&str; 2] = ["#e4572e", "#9c2f10"];
/// Fill and edge by shape; the hues of neighbours are far apart.
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
    match run(Path::new(input), Path::new(feedback)) {
        Ok(()) => std::process::exit(42),
        Err(message) => {
            eprintln!("error: {message}");
            std::process::exit(1);
        }
    }
}

fn run(input: &Path, feedback: &Path) -> Result<(), String> {
    let text =
        std::fs::read_to_string(input).map_err(|error| format!("{}: {error}", input.display()))?;
    let mut output = Vec::new();
    std::io::stdin()
        .read_to_end(&mut output)
        .map_err(|error| error.to_string())?;
    let output = String::from_utf8_lossy(&output);
    for (number, svg) in frames(&Board::parse(&text)?, &output).iter().enumerate() {
        let path = feedback.join(format!("judgeimage-{number:03}.svg"));
        std::fs::write(&path, svg).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

/// The frames of an output, at most a thousand.
fn frames(start: &Board, output: &str) -> Vec<String> {
    let mut words = output.split_ascii_whitespace();
    let count = words.next().unwrap_or("nothing");
    if count == "-1" {
        return vec![start.draw(None, "the output says: no solution", 0.0)];
    }
    // The figures of the second line are not drawn.
    let words = words.skip(3);
    let moves: Vec<Vec<&str>> = words
        .collect::<Vec<_>>()
        .chunks(2)
        .map(<[&str]>::to_vec)
        .collect();
    let mut board = start.clone();
    let mut frames = Vec::new();
    for (number, words) in moves.iter().enumerate().take(MAX_FRAMES - 1) {
        let done = number as f64 / moves.len() as f64;
        let Some(next) = board.read(words) else {
            let head = format!("move {}: `{}` breaks a rule", number + 1, words.join(" "));
            frames.push(board.draw(None, &head, done));
            return frames;
        };
        let head = format!("{} of {count}  \u{2192}  {}", number, words.join(" "));
        frames.push(board.draw(Some(&next), &head, done));
        board.make(&next);
    }
    let end = if board.solved() {
        "solved"
    } else {
        "not solved"
    };
    let head = format!(
        "{} of {count}  \u{2013}  {end}",
        moves.len().min(MAX_FRAMES - 1)
    );
    frames.push(board.draw(None, &head, 1.0));
    frames
}

type Place = (usize, usize);

/// A block and the corners it passes, from where it is to where it goes.
struct Move {
    block: usize,
    way: Vec<Place>,
}

#[derive(Clone)]
struct Board {
    rows: usize,
    cols: usize,
    /// Block by cell, 0 where it is free.
    cells: Vec<usize>,
    labels: BTreeMap<String, usize>,
    /// Colours by block.
    colours: Vec<[&'static str; 2]>,
    target: usize,
    goal: Place,
}

impl Board {
    fn parse(text: &str) -> Result<Self, String> {
        let mut words = text.split_ascii_whitespace();
        let mut next = || words.next().ok_or("the input ends too early");
        let number = |word: &str| {
            word.parse::<usize>()
                .map_err(|_| format!("`{word}` is not a number"))
        };
        let (rows, cols) = (number(next()?)?, number(next()?)?);
        let mut labels = BTreeMap::new();
        let mut cells = Vec::new();
        for _ in 0..rows.saturating_mul(cols) {
            let word = next()?;
            let fresh = labels.len() + 1;
            let free = word.bytes().all(|byte| byte == b'.');
            cells.push(if free {
                0
            } else {
                *labels.entry(word.to_string()).or_insert(fresh)
            });
        }
        let target = *labels
            .get(next()?)
            .ok_or("the target is not on the board")?;
        let goal = (number(next()?)?, number(next()?)?);
        let mut board = Self {
            rows,
            cols,
            cells,
            labels,
            colours: Vec::new(),
            target,
            goal,
        };
        let mut shapes: Vec<Vec<Place>> = Vec::new();
        for block in 0..=board.labels.len() {
            let shape = board.shape(block);
            let known = shapes.iter().position(|other| *other == shape);
            let kind = known.unwrap_or_else(|| {
                // The target's colour is its own, and free cells have none.
                if block != 0 && block != target {
                    shapes.push(shape);
                }
                shapes.len().saturating_sub(1)
            });
            board.colours.push(if block == target {
                TARGET
            } else {
                COLOURS[kind % COLOURS.len()]
            });
        }
        Ok(board)
    }

    fn own(&self, block: usize) -> Vec<Place> {
        let own = (0..self.cells.len()).filter(|&cell| self.cells[cell] == block);
        own.map(|cell| (cell / self.cols, cell % self.cols))
            .collect()
    }

    fn corner(&self, block: usize) -> Place {
        let own = self.own(block);
        let row = own.iter().map(|cell| cell.0).min().unwrap_or(0);
        (row, own.iter().map(|cell| cell.1).min().unwrap_or(0))
    }

    fn shape(&self, block: usize) -> Vec<Place> {
        let corner = self.corner(block);
        self.own(block)
            .iter()
            .map(|cell| (cell.0 - corner.0, cell.1 - corner.1))
            .collect()
    }

    fn solved(&self) -> bool {
        self.corner(self.target) == self.goal
    }

    fn fits(&self, block: usize, corner: Place) -> bool {
        self.shape(block).iter().all(|cell| {
            let (row, col) = (corner.0 + cell.0, corner.1 + cell.1);
            let held = || self.cells[row * self.cols + col];
            row < self.rows && col < self.cols && (held() == 0 || held() == block)
        })
    }

    /// A step like `C R`; `None` if the board does not allow it.
    fn read(&self, words: &[&str]) -> Option<Move> {
        let [label, way] = words else {
            return None;
        };
        let block = *self.labels.get(*label)?;
        let from = self.corner(block);
        let to = match *way {
            "U" => (from.0.checked_sub(1)?, from.1),
            "D" => (from.0 + 1, from.1),
            "L" => (from.0, from.1.checked_sub(1)?),
            "R" => (from.0, from.1 + 1),
            _ => return None,
        };
        self.fits(block, to).then(|| Move {
            block,
            way: vec![from, to],
        })
    }

    fn make(&mut self, next: &Move) {
        let (shape, to) = (self.shape(next.block), next.way[next.way.len() - 1]);
        self.cells
            .iter_mut()
            .filter(|held| **held == next.block)
            .for_each(|held| *held = 0);
        for cell in shape {
            self.cells[(to.0 + cell.0) * self.cols + to.1 + cell.1] = next.block;
        }
    }

    fn draw(&self, next: Option<&Move>, head: &str, done: f64) -> String {
        let (width, height) = (self.cols as f64 * CELL, self.rows as f64 * CELL);
        // Narrow boards are widened, so that the line above them has room.
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
        for (label, &block) in &self.labels {
            svg += &self.draw_block(label, block);
        }
        svg += &self.draw_goal();
        if let Some(next) = next {
            svg += &self.draw_arrow(next);
        }
        svg + "</g>\n</svg>\n"
    }

    fn draw_block(&self, label: &str, block: usize) -> String {
        let [fill, edge] = self.colours[block];
        let own = self.own(block);
        let has = |row: usize, col: usize| own.contains(&(row, col));
        let mut svg = format!("<g><title>{}</title>\n", escape(label));
        // Rounded cells, bridges between neighbours, and a patch where four of them meet: twice, a
        // little larger for the edge.
        for (colour, inset) in [(edge, 2.0), (fill, 5.0)] {
            writeln!(svg, "<g fill=\"{colour}\">").expect("a String takes all");
            for &(row, col) in &own {
                let (x, y) = (col as f64 * CELL + inset, row as f64 * CELL + inset);
                let (side, round, gap) = (CELL - 2.0 * inset, 14.0 - inset, 2.0 * inset);
                let mut rect = |x: f64, y: f64, width: f64, height: f64, round: f64| {
                    writeln!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"{round}\"/>")
                        .expect("a String takes all");
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
        let (x, y) = self.label_point(block);
        let text = shorten(label, 6);
        let size = (CELL * 0.78 / (0.78 * text.chars().count() as f64)).min(26.0);
        let colour = if block == self.target {
            "#ffffff"
        } else {
            "#2b2a27"
        };
        writeln!(
            svg,
            "<text x=\"{x}\" y=\"{:.1}\" font-size=\"{size:.1}\" font-weight=\"bold\" text-anchor=\"middle\" fill=\"{colour}\">{}</text>\n</g>",
            y + size * 0.36,
            escape(&text)
        )
        .expect("a String takes all");
        svg
    }

    /// Where the label stands: in the middle of a rectangle, else in the cell nearest to the middle.
    fn label_point(&self, block: usize) -> (f64, f64) {
        let own = self.own(block);
        let corner = self.corner(block);
        let end = own
            .iter()
            .fold(corner, |end, cell| (end.0.max(cell.0), end.1.max(cell.1)));
        let (row, col) = (corner.0 + end.0, corner.1 + end.1);
        if own.len() == (end.0 + 1 - corner.0) * (end.1 + 1 - corner.1) {
            return (
                (col as f64 + 1.0) * CELL / 2.0,
                (row as f64 + 1.0) * CELL / 2.0,
            );
        }
        let far =
            |cell: &&Place| (2 * cell.0).abs_diff(row).pow(2) + (2 * cell.1).abs_diff(col).pow(2);
        let near = own.iter().min_by_key(far).copied().unwrap_or(corner);
        ((near.1 as f64 + 0.5) * CELL, (near.0 as f64 + 0.5) * CELL)
    }

    /// The outline of the target where it must go.
    fn draw_goal(&self) -> String {
        let shape = self.shape(self.target);
        let has = |row: usize, col: usize| shape.contains(&(row, col));
        let mut path = String::new();
        for &(row, col) in &shape {
            let (x, y) = (
                (self.goal.1 + col) as f64 * CELL,
                (self.goal.0 + row) as f64 * CELL,
            );
            if self.goal.0 + row >= self.rows || self.goal.1 + col >= self.cols {
                continue;
            }
            let mut line = |is_edge: bool, x: f64, y: f64, dx: f64, dy: f64| {
                if is_edge {
                    write!(path, "M{x} {y}l{dx} {dy}").expect("a String takes all");
                }
            };
            line(row == 0 || !has(row - 1, col), x, y, CELL, 0.0);
            line(!has(row + 1, col), x, y + CELL, CELL, 0.0);
            line(col == 0 || !has(row, col - 1), x, y, 0.0, CELL);
            line(!has(row, col + 1), x + CELL, y, 0.0, CELL);
        }
        format!(
            "<path d=\"{path}\" fill=\"none\" stroke=\"#ffffff\" stroke-width=\"6\" stroke-linecap=\"round\" opacity=\"0.7\"/>\n\
             <path d=\"{path}\" fill=\"none\" stroke=\"{}\" stroke-width=\"3.5\" stroke-dasharray=\"9 7\" stroke-linecap=\"round\"/>\n",
            TARGET[1]
        )
    }

    fn draw_arrow(&self, next: &Move) -> String {
        let (start, from) = (self.label_point(next.block), next.way[0]);
        // Where the label is when the block's corner is there.
        let point = |place: &Place| {
            let (down, right) = (
                place.0 as f64 - from.0 as f64,
                place.1 as f64 - from.1 as f64,
            );
            (start.0 + right * CELL, start.1 + down * CELL)
        };
        let points: Vec<(f64, f64)> = next.way.iter().map(point).collect();
        let ahead = |a: (f64, f64), b: (f64, f64)| ((b.0 - a.0) / CELL, (b.1 - a.1) / CELL);
        let (first, last) = (points[0], points[points.len() - 1]);
        let off = ahead(first, points[1]);
        let on = ahead(points[points.len() - 2], last);
        let mut path = format!("M{} {}", first.0 + off.0 * 20.0, first.1 + off.1 * 20.0);
        for point in &points[1..points.len() - 1] {
            write!(path, "L{} {}", point.0, point.1).expect("a String takes all");
        }
        write!(path, "L{} {}", last.0 + on.0 * 2.0, last.1 + on.1 * 2.0)
            .expect("a String takes all");
        let tip = (last.0 + on.0 * 17.0, last.1 + on.1 * 17.0);
        let head = format!(
            "M{} {}L{} {}L{} {}Z",
            tip.0,
            tip.1,
            last.0 - on.0 * 2.0 - on.1 * 11.0,
            last.1 - on.1 * 2.0 - on.0 * 11.0,
            last.0 - on.0 * 2.0 + on.1 * 11.0,
            last.1 - on.1 * 2.0 + on.0 * 11.0,
        );
        let mut svg = String::new();
        for (colour, width, rim) in [("#ffffff", 11.0, 6.0), ("#22211f", 5.0, 0.0)] {
            writeln!(
                svg,
                "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" stroke-linejoin=\"round\" stroke-linecap=\"round\"/>\n\
                 <path d=\"{head}\" fill=\"{colour}\" stroke=\"{colour}\" stroke-width=\"{rim}\" stroke-linejoin=\"round\"/>"
            )
            .expect("a String takes all");
        }
        svg
    }
}

fn shorten(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        text.to_string()
    } else {
        text.chars().take(most - 1).chain(['\u{2026}']).collect()
    }
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
