//! Writes a board that is given in short notation: one character per cell, rows separated by `/`.
//!
//! `board ROWS TARGET R,C [plain|named|numbered|dotted|wide] [SEED]`
//!
//! `plain` keeps the characters as labels. The other styles choose new labels at random, by the seed:
//! `named` gives lower-case names of different lengths, `numbered` arbitrary integers, `dotted` labels
//! that contain dots (and empty cells of several dots), `wide` labels of up to forty characters.

use std::collections::BTreeMap;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match write(&args) {
        Ok(text) => print!("{text}"),
        Err(message) => {
            eprintln!("error: {message}");
            std::process::exit(1);
        }
    }
}

fn write(args: &[String]) -> Result<String, String> {
    let [board, target, goal, rest @ ..] = args else {
        return Err("usage: board ROWS TARGET R,C [STYLE] [SEED]".to_string());
    };
    let style = rest.first().map_or("plain", String::as_str);
    let seed =
        rest.get(1).map_or(Ok(1), |word| word.parse()).map_err(|_| "the seed must be a number")?;
    let mut random = Random(seed);
    let rows: Vec<Vec<char>> = board.split('/').map(|row| row.chars().collect()).collect();
    let cols = rows[0].len();
    if rows.iter().any(|row| row.len() != cols) {
        return Err("the rows differ in length".to_string());
    }
    let mut names: BTreeMap<char, String> = BTreeMap::new();
    let mut text = format!("{} {cols}\n", rows.len());
    for row in &rows {
        let mut words = Vec::new();
        for &cell in row {
            words.push(match cell {
                '.' if style == "dotted" || style == "wide" => ".".repeat(1 + random.below(4)),
                '.' => ".".to_string(),
                _ => {
                    let number = names.len();
                    names.entry(cell).or_insert_with(|| random.name(style, cell, number)).clone()
                }
            });
        }
        text += &(words.join(" ") + "\n");
    }
    let target = target
        .chars()
        .next()
        .and_then(|cell| names.get(&cell))
        .ok_or("the target is not on the board")?;
    let (row, col) = goal.split_once(',').ok_or("the goal must be R,C")?;
    Ok(format!("{text}{target}\n{row} {col}\n"))
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    /// A label for the block `cell`; `number` makes it unique.
    fn name(&mut self, style: &str, cell: char, number: usize) -> String {
        match style {
            "named" => {
                let head = ["general", "guard", "horse", "pawn", "x", "cart"][self.below(6)];
                format!("{head}{number}")
            }
            "numbered" => (number * 37 + self.below(37)).to_string(),
            "dotted" => match self.below(3) {
                0 => format!(".{number}"),
                1 => format!("{number}.."),
                _ => format!("..{cell}{number}.{number}"),
            },
            "wide" => format!("{}{number}", cell.to_string().repeat(1 + self.below(38))),
            _ => cell.to_string(),
        }
    }
}
