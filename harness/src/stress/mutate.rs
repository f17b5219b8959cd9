//! Changes the input of a case a little, for problems without a generator. A validator decides whether it is valid.

use crate::bench::RandomSource;

/// The largest number of changes of one input.
const MOST_CHANGES: u64 = 4;

type Lines = Vec<Vec<String>>;

/// A text that differs from this one in a few places.
pub(super) fn mutated(text: &[u8], random: &mut RandomSource) -> Vec<u8> {
    let text = String::from_utf8_lossy(text);
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect();
    let mut lines: Lines = text.lines().map(words).collect();
    for _ in 0..=random.below(MOST_CHANGES) {
        change(&mut lines, random);
    }
    let lines: Vec<String> = lines.iter().map(|line| line.join(" ") + "\n").collect();
    lines.concat().into_bytes()
}

fn any(count: usize, random: &mut RandomSource) -> usize {
    usize::try_from(random.below(count as u64)).unwrap_or(0)
}

fn change(lines: &mut Lines, random: &mut RandomSource) {
    if lines.is_empty() {
        return;
    }
    let line = any(lines.len(), random);
    match random.below(12) {
        0 | 1 => change_number_of_lines(lines, line, random),
        2 => {
            let other = any(lines.len(), random);
            lines.swap(line, other);
        }
        3 | 4 => change_number_of_tokens(lines, line, random),
        5 | 6 => {
            let words = &mut lines[line];
            if !words.is_empty() {
                let (one, two) = (any(words.len(), random), any(words.len(), random));
                words.swap(one, two);
            }
        }
        _ => change_token(lines, line, random),
    }
}

fn change_number_of_lines(lines: &mut Lines, line: usize, random: &mut RandomSource) {
    let counts_this_line =
        |header: usize, number: usize| (line - header..lines.len()).contains(&number);
    let counts = numbers_before(lines, line, counts_this_line);
    let by = if random.coin() {
        lines.remove(line);
        -1
    } else {
        let copy = lines[line].clone();
        lines.insert(line, copy);
        1
    };
    add_to_one(lines, &counts, by, random);
}

fn change_number_of_tokens(lines: &mut Lines, line: usize, random: &mut RandomSource) {
    let length = lines[line].len();
    if length == 0 {
        return;
    }
    let column = any(length, random);
    let mut counts = numbers_before(lines, line, |_, number| number == length);
    let own = lines[line][..column].iter().enumerate();
    let own = own.filter(|(at, word)| word.parse() == Ok(length - 1 - at));
    counts.extend(own.map(|(at, _)| (line, at)));
    let words = &mut lines[line];
    let by = if random.coin() {
        words.remove(column);
        -1
    } else {
        let copy = words[column].clone();
        words.insert(column, copy);
        1
    };
    add_to_one(lines, &counts, by, random);
}

/// The places of the numbers before a line that `is_count` accepts, given their line and their value.
fn numbers_before(
    lines: &Lines,
    line: usize,
    is_count: impl Fn(usize, usize) -> bool,
) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    for (header, words) in lines[..line].iter().enumerate() {
        for (column, word) in words.iter().enumerate() {
            if word.parse().is_ok_and(|number| is_count(header, number)) {
                places.push((header, column));
            }
        }
    }
    places
}

/// Adds to one of the numbers at these places, if there is any: most often the last one, and sometimes none, because any of
/// them may count something else.
fn add_to_one(lines: &mut Lines, places: &[(usize, usize)], by: i64, random: &mut RandomSource) {
    let chosen = match random.below(8) {
        0 => None,
        1..=4 => places.last(),
        _ if places.is_empty() => None,
        _ => Some(&places[any(places.len(), random)]),
    };
    if let Some(&(line, column)) = chosen {
        let word = &mut lines[line][column];
        if let Ok(number) = word.parse::<i64>() {
            *word = number.saturating_add(by).to_string();
        }
    }
}

/// Another token of the same line, of the same column of a line of equal length, or of the text.
fn other_token(lines: &Lines, line: usize, column: usize, random: &mut RandomSource) -> String {
    let words = &lines[line];
    let alike: Vec<&String> = match random.below(4) {
        0 => lines.iter().flatten().collect(),
        1 | 2 if words.len() > 1 => words.iter().collect(),
        _ => {
            let lines = lines.iter().filter(|line| line.len() == words.len());
            lines.map(|line| &line[column]).collect()
        }
    };
    alike[any(alike.len(), random)].clone()
}

fn change_token(lines: &mut Lines, line: usize, random: &mut RandomSource) {
    if lines[line].is_empty() {
        return;
    }
    let column = any(lines[line].len(), random);
    let other = other_token(lines, line, column, random);
    let word = &mut lines[line][column];
    let Ok(number) = word.parse::<i64>() else {
        let mut letters: Vec<char> = word.chars().collect();
        let others: Vec<char> = other.chars().collect();
        let at = any(letters.len(), random);
        letters[at] = others[any(others.len(), random)];
        *word = letters.into_iter().collect();
        return;
    };
    *word = match random.below(7) {
        0 => number.saturating_add(1).to_string(),
        1 => number.saturating_sub(1).to_string(),
        2 => random.below(3).to_string(),
        3 => (number / 2).to_string(),
        4 => number.saturating_neg().to_string(),
        _ => other,
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mutated_text_depends_on_the_seed_only_and_stays_close() {
        let text = b"3 2\n1 2 3\nab cd\n";
        let mutate = |seed| mutated(text, &mut RandomSource::new(seed));
        assert!((0..50).all(|seed| mutate(seed) == mutate(seed)));
        let different: std::collections::BTreeSet<Vec<u8>> = (0..200).map(mutate).collect();
        assert!(different.len() > 100);
        assert!(different.iter().all(|text| text.len() < 60));
        for text in [&b""[..], b"\n", b"\xff\n", b"x"] {
            (0..50).for_each(|seed| drop(mutated(text, &mut RandomSource::new(seed))));
        }
    }
}
