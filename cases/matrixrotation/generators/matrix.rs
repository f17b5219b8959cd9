//! Writes a matrix: `matrix ROWS COLUMNS TURNS KIND [SEED]`.
//!
//! KIND is `count` (1, 2, 3 … row by row, so that all numbers differ), `wide` (random 64-bit numbers),
//! `digits` (random numbers from -9 to 9), or `extremes` (only values at which something may overflow).

use std::io::Write;

/// SplitMix64 (Steele, Lea and Flood): small, and with the same numbers on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    fn below(&mut self, bound: u64) -> u64 {
        ((u128::from(self.next()) * u128::from(bound)) >> 64) as u64
    }
}

const EXTREMES: [i64; 8] =
    [i64::MIN, i64::MIN + 1, i64::MAX, i64::MAX - 1, 0, -1, 1 << 31, 1 << 32];

fn number(kind: &str, place: usize, random: &mut Random) -> Result<i64, String> {
    Ok(match kind {
        "count" => place as i64 + 1,
        "wide" => random.next() as i64,
        "digits" => random.below(19) as i64 - 9,
        "extremes" => EXTREMES[random.below(EXTREMES.len() as u64) as usize],
        _ => return Err(format!("no such kind of matrix: `{kind}`")),
    })
}

fn make(arguments: &[String]) -> Result<Vec<u8>, String> {
    let [rows, columns, turns, kind, seed @ ..] = arguments else {
        return Err("usage: matrix ROWS COLUMNS TURNS KIND [SEED]".into());
    };
    let read = |word: &String| word.parse::<u64>().map_err(|error| format!("`{word}`: {error}"));
    let (rows, columns, turns) = (read(rows)? as usize, read(columns)? as usize, read(turns)?);
    let mut random = Random(seed.first().map_or(Ok(0), read)?);
    let mut text = format!("{rows} {columns} {turns}\n").into_bytes();
    for place in 0..rows * columns {
        let end = if place % columns == columns - 1 { '\n' } else { ' ' };
        write!(text, "{}{end}", number(kind, place, &mut random)?)
            .map_err(|error| error.to_string())?;
    }
    Ok(text)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let made = make(&arguments)
        .and_then(|text| std::io::stdout().write_all(&text).map_err(|error| error.to_string()));
    if let Err(message) = made {
        eprintln!("error: {message}");
        std::process::exit(1);
    }
}
