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
    match random.below(8) {
        0 => {
            lines.remove(line);
            count(lines, line, -1, random);
        }
        1 => {
            let copy = lines[line].clone();
            lines.insert(line, copy);
            count(lines, line, 1, random);
        }
        2 => {
            let other = any(lines.len(), random);
            lines.swap(line, other);
        }
        3 | 4 => change_number_of_tokens(lines, line, random),
        _ => change_token(lines, line, random),
    }
}

/// Adds to a number before the line `line`, which may count lines or tokens.
fn count(lines: &mut Lines, line: usize, by: i64, random: &mut RandomSource) {
    let header = any(line.clamp(1, 2), random);
    let Some(words) = lines.get_mut(header).filter(|words| !words.is_empty()) else {
        return;
    };
    let column = any(words.len(), random);
    if let Ok(number) = words[column].parse::<i64>() {
        words[column] = number.saturating_add(by).to_string();
    }
}

fn change_number_of_tokens(lines: &mut Lines, line: usize, random: &mut RandomSource) {
    let words = &mut lines[line];
    if words.is_empty() {
        return;
    }
    let column = any(words.len(), random);
    let by = if random.coin() {
        words.remove(column);
        -1
    } else {
        let copy = words[column].clone();
        words.insert(column, copy);
        1
    };
    count(lines, line, by, random);
}

fn change_token(lines: &mut Lines, line: usize, random: &mut RandomSource) {
    let all: Vec<String> = lines.iter().flatten().cloned().collect();
    let words = &mut lines[line];
    if words.is_empty() {
        return;
    }
    let column = any(words.len(), random);
    let other = all[any(all.len(), random)].clone();
    let Ok(number) = words[column].parse::<i64>() else {
        let mut letters: Vec<char> = words[column].chars().collect();
        let others: Vec<char> = other.chars().collect();
        let at = any(letters.len(), random);
        letters[at] = others[any(others.len(), random)];
        words[column] = letters.into_iter().collect();
        return;
    };
    words[column] = match random.below(6) {
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
