//! Draws a sliding puzzle: `board INPUT ANSWER FEEDBACK_DIR [ARGUMENT]… < OUTPUT`.
//!
//! The program solves boards of up to nine squares, and draws a frame for every position on a shortest
//! way. For larger boards, it draws the start and the goal. It writes the frames to
//! `judgeimage-000.svg`, `judgeimage-001.svg` and so on in the feedback folder, and exits with 42.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::io::Read;
use std::path::Path;

/// The side of a square, the width of the frame and the height of the caption, in SVG units.
const SQUARE: usize = 96;
const EDGE: usize = 28;
const CAPTION: usize = 76;

struct Board {
    rows: usize,
    columns: usize,
    tiles: Vec<usize>,
}

fn parse(input: &str) -> Option<Board> {
    let words = input.split_ascii_whitespace().map(str::parse);
    let numbers: Vec<usize> = words.collect::<Result<_, _>>().ok()?;
    let [rows, columns, ref tiles @ ..] = numbers[..] else {
        return None;
    };
    let fits = rows * columns > 0 && tiles.len() == rows * columns && tiles.contains(&0);
    fits.then(|| Board { rows, columns, tiles: tiles.to_vec() })
}

/// The positions that one move leads to.
fn moves(tiles: &[usize], columns: usize) -> Vec<Vec<usize>> {
    let blank = tiles.iter().position(|&tile| tile == 0).unwrap_or(0);
    let adjacent = |&other: &usize| {
        (blank / columns).abs_diff(other / columns) + (blank % columns).abs_diff(other % columns)
            == 1
    };
    let slide = |from| {
        let mut next = tiles.to_vec();
        next.swap(blank, from);
        next
    };
    (0..tiles.len()).filter(adjacent).map(slide).collect()
}

/// The positions on a shortest way from the board to the goal. Only these two if the board has more than
/// nine squares; only the board if there is no way.
fn way(board: &Board) -> Vec<Vec<usize>> {
    let start = board.tiles.clone();
    let goal: Vec<usize> = (1..start.len()).chain([0]).collect();
    if start.len() > 9 {
        return vec![start, goal];
    }
    // A breadth-first search from the goal gives for each position the next one on a way to the goal.
    let mut towards = HashMap::from([(goal.clone(), goal.clone())]);
    let mut level = vec![goal.clone()];
    while !level.is_empty() && !towards.contains_key(&start) {
        let mut next = Vec::new();
        for position in level {
            for before in moves(&position, board.columns) {
                towards.entry(before.clone()).or_insert_with(|| {
                    next.push(before);
                    position.clone()
                });
            }
        }
        level = next;
    }
    let mut way = vec![start];
    while let Some(next) = towards.get(&way[way.len() - 1]).filter(|_| way[way.len() - 1] != goal) {
        way.push(next.clone());
    }
    way
}

/// The colours of a tile and of its number: the hue by the row of its goal, darker on its goal.
fn colours(goal_row: usize, rows: usize, at_goal: bool) -> (String, &'static str) {
    let hue = 205 + goal_row * 130 / rows.max(2);
    if at_goal {
        (format!("hsl({hue},62%,46%)"), "#ffffff")
    } else {
        (format!("hsl({hue},58%,86%)"), "#26323f")
    }
}

fn frame(board: &Board, way: &[Vec<usize>], number: usize, captions: [&str; 2]) -> String {
    let (width, height) = (board.columns * SQUARE + 2 * EDGE, board.rows * SQUARE + 2 * EDGE);
    let wide = width.max(430);
    let left = (wide - width) / 2;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {wide} {}\" font-family=\"Helvetica, Arial, sans-serif\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#f7f5f0\"/>\n\
         <rect x=\"{}\" y=\"10\" width=\"{}\" height=\"{}\" rx=\"18\" fill=\"#3b4653\"/>\n\
         <rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"#2a323c\"/>\n",
        height + CAPTION,
        left + 10,
        width - 20,
        height - 20,
        left + EDGE - 4,
        EDGE - 4,
        width - 2 * EDGE + 8,
        height - 2 * EDGE + 8,
    );
    let position = &way[number];
    let moved = number
        .checked_sub(1)
        .map(|before| &way[before])
        .filter(|_| way.len() != 2 || board.tiles.len() <= 9);
    for (cell, &tile) in position.iter().enumerate().filter(|(_, &tile)| tile != 0) {
        let (x, y) =
            (left + EDGE + cell % board.columns * SQUARE, EDGE + cell / board.columns * SQUARE);
        let (fill, ink) = colours((tile - 1) / board.columns, board.rows, cell == tile - 1);
        let just_moved = moved.is_some_and(|before| before[cell] == 0);
        let (stroke, thick) = if just_moved { ("#ffb020", 6) } else { ("none", 0) };
        let _ = writeln!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"{side}\" height=\"{side}\" rx=\"12\" fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"{thick}\"/>\n\
             <text x=\"{}\" y=\"{}\" font-size=\"44\" font-weight=\"600\" text-anchor=\"middle\" fill=\"{ink}\">{tile}</text>",
            x + 4,
            y + 4,
            x + SQUARE / 2,
            y + SQUARE / 2 + 16,
            side = SQUARE - 8,
        );
    }
    let [caption, note] = captions;
    let _ = writeln!(
        svg,
        "<text x=\"{0}\" y=\"{1}\" font-size=\"22\" font-weight=\"600\" text-anchor=\"middle\" fill=\"#26323f\">{caption}</text>\n\
         <text x=\"{0}\" y=\"{2}\" font-size=\"16\" text-anchor=\"middle\" fill=\"#66717d\">{note}</text>",
        wide / 2,
        height + 18,
        height + 44,
    );
    progress(&mut svg, number, way.len(), wide, height + 58);
    svg + "</svg>\n"
}

/// A progress bar: the position of the frame on the way.
fn progress(svg: &mut String, number: usize, frames: usize, wide: usize, y: usize) {
    let length = wide - 2 * EDGE;
    let done = length * number / (frames - 1).max(1);
    let _ = writeln!(
        svg,
        "<rect x=\"{EDGE}\" y=\"{y}\" width=\"{length}\" height=\"6\" rx=\"3\" fill=\"#dcd8ce\"/>\n\
         <rect x=\"{EDGE}\" y=\"{y}\" width=\"{done}\" height=\"6\" rx=\"3\" fill=\"#ffb020\"/>"
    );
}

fn draw(arguments: &[String], output: &str) -> Result<(), String> {
    let [input, answer, folder, ..] = arguments else {
        return Err("usage: board INPUT ANSWER FEEDBACK_DIR < OUTPUT".into());
    };
    let read =
        |path: &String| std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"));
    let board = parse(&read(input)?).ok_or_else(|| format!("{input}: no board"))?;
    let answer = read(answer)?.trim().to_string();
    let printed: String =
        output.trim().chars().filter(|c| c.is_ascii_digit() || *c == '-').take(9).collect();
    let note = if printed == answer {
        format!("the answer: {answer}")
    } else {
        format!("the output says {printed}, the answer is {answer}")
    };
    let way = if answer == "-1" { vec![board.tiles.clone()] } else { way(&board) };
    for number in 0..way.len() {
        let caption = match (answer.as_str(), board.tiles.len() > 9, number) {
            ("-1", _, _) => "no moves bring this into order".to_string(),
            (_, true, 0) => format!("the start: {answer} moves from the goal"),
            (_, true, _) => "the goal".to_string(),
            (_, false, _) => format!("move {number} of {}", way.len() - 1),
        };
        let path = Path::new(folder).join(format!("judgeimage-{number:03}.svg"));
        std::fs::write(&path, frame(&board, &way, number, [&caption, &note]))
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    Ok(())
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut output = Vec::new();
    let drawn = std::io::stdin().read_to_end(&mut output).map_err(|error| error.to_string());
    match drawn.and_then(|_| draw(&arguments, &String::from_utf8_lossy(&output))) {
        Ok(()) => std::process::exit(42),
        Err(message) => {
            eprintln!("error: {message}");
            std::process::exit(1);
        }
    }
}
