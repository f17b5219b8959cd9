use super::text::TokenLines;
use super::*;
use crate::bench::RandomSource;

mod formats;
mod formats_of_graphs;

/// A format with a wrong solution: which texts are valid, on which it fails, a large random text, and the smallest one
/// on which it fails.
struct ShrunkFormat {
    name: &'static str,
    is_valid: fn(&str) -> bool,
    fails: fn(&Numbers) -> bool,
    large: fn(&mut RandomSource) -> String,
    smallest: &'static str,
}

/// The integers of a text by line.
type Numbers = Vec<Vec<i64>>;

/// The integers of a text, if it has nothing else.
fn numbers(text: &str) -> Option<Numbers> {
    let line = |line: &str| line.split(' ').map(text::integer).collect();
    text.ends_with('\n').then(|| text.lines().map(line).collect())?
}

/// The smallest text that is found, and the number of texts that were asked about.
fn shrunk(text: &str, holds: &dyn Fn(&str) -> bool) -> (String, usize) {
    let (mut best, mut asked) = (text.to_owned(), 0);
    let ended = shrink(text.as_bytes(), &mut |bytes| {
        asked += 1;
        let text = std::str::from_utf8(bytes).unwrap();
        let still = holds(text);
        if still {
            text.clone_into(&mut best);
        }
        Ok(still)
    });
    assert_eq!(ended, Ok(()));
    (best, asked)
}

/// The number of tokens and of characters.
fn size(text: &str) -> (usize, usize) {
    let words = text.split_whitespace();
    (words.clone().count(), words.map(str::len).sum())
}

/// Formats of fifteen that do not have to reach the smallest text, only twice its size.
const MAY_MISS: usize = 2;

#[test]
fn fifteen_formats_are_shrunk_to_the_known_minimum() {
    let all: Vec<ShrunkFormat> =
        formats::all().into_iter().chain(formats_of_graphs::all()).collect();
    assert_eq!(all.len(), 15);
    let mut missed = Vec::new();
    for format in all {
        let holds = |text: &str| {
            (format.is_valid)(text) && numbers(text).is_none_or(|lines| (format.fails)(&lines))
        };
        assert!(holds(format.smallest), "{}", format.name);
        let smallest = size(format.smallest);
        for seed in 0..2 {
            let mut random = RandomSource::new(seed);
            let large = std::iter::repeat_with(|| (format.large)(&mut random));
            let large = large.take(1000).find(|text| holds(text)).expect(format.name);
            let (found, asked) = shrunk(&large, &holds);
            assert!(holds(&found));
            let reached = size(&found);
            assert!(
                reached.0 <= 2 * smallest.0 && reached.1 <= 2 * smallest.1,
                "{}, seed {seed}, {asked} texts: {found}",
                format.name
            );
            assert!(asked < 12_000, "{}, seed {seed}: {asked} texts", format.name);
            if reached != smallest {
                missed.push(format!("{}, seed {seed}: {found}", format.name));
            }
        }
    }
    missed.dedup_by_key(|text| text.split(',').next().map(str::to_owned));
    assert!(missed.len() <= MAY_MISS, "{missed:#?}");
}

#[test]
fn numbers_are_merged_where_only_their_sum_matters() {
    let holds = |text: &str| {
        let Some(lines) = numbers(text) else {
            return false;
        };
        let (count, values) = (lines[0][0], lines[1..].concat());
        usize::try_from(count) == Ok(values.len())
            && values.iter().all(|value| *value <= 100_000)
            && values.iter().sum::<i64>() > 210_000
    };
    let (found, _) = shrunk("5\n70620 88450 21680 10530 23450\n", &holds);
    assert!(found.starts_with("3\n"), "{found}");
    let (found, _) = shrunk("5\n70620\n88450\n21680\n10530\n23450\n", &holds);
    assert!(found.starts_with("3\n"), "{found}");
}

#[test]
fn two_columns_of_five_go_together() {
    // It fails where the number of columns is odd, and there are more rows than columns.
    let holds = |text: &str| {
        let Some(rows) = numbers(text).filter(|rows| !rows.is_empty()) else { return false };
        let sizes: Vec<usize> =
            rows[0].iter().filter_map(|size| usize::try_from(*size).ok()).collect();
        let &[h, w] = sizes.as_slice() else { return false };
        let is_valid = rows.len() == h + 1 && rows[1..].iter().all(|row| row.len() == w);
        is_valid && w % 2 == 1 && h > w
    };
    let text = format!("7 5\n{}", "0 0 0 0 0\n".repeat(7));
    assert_eq!(shrunk(&text, &holds).0, "2 1\n0\n0\n");
}

#[test]
fn a_label_becomes_any_of_those_that_it_shares_a_line_with() {
    // Three vertices with an edge between any two, and the last vertex is one of them or has an edge to the second.
    let holds = |text: &str| {
        let Some(lines) = numbers(text) else {
            return false;
        };
        let [last, edges] = lines[0][..] else {
            return false;
        };
        let pairs = &lines[1..];
        let has = |a: i64, b: i64| pairs.contains(&vec![a, b]) || pairs.contains(&vec![b, a]);
        let is_valid = |pair: &Vec<i64>| pair.iter().all(|label| (1..=last).contains(label));
        usize::try_from(edges) == Ok(pairs.len())
            && pairs.iter().all(is_valid)
            && (has(1, 2) && has(2, 3) && has(3, 1))
            && (last == 3 || has(2, last))
    };
    let (found, _) = shrunk("4 4\n2 1\n3 2\n2 4\n3 1\n", &holds);
    assert!(found.starts_with("3 3\n"), "{found}");
}

#[test]
fn blanks_that_matter_stay() {
    let text = "a  b\nc  d\n";
    let (found, _) = shrunk(text, &|text| text.contains("  "));
    assert_eq!(found.matches("  ").count(), 1);
    // Tabs and empty lines go, if nothing depends on them.
    let (found, _) = shrunk("\n1\t 2\n\n", &|text| text.contains('2'));
    assert_eq!(found, "2\n");
}

#[test]
fn the_search_ends_when_it_is_stopped() {
    let mut asked = 0;
    let ended = shrink(b"1 2 3 4\n", &mut |_| {
        asked += 1;
        if asked == 3 { Err(ShrinkStopped) } else { Ok(false) }
    });
    assert_eq!((ended, asked), (Err(ShrinkStopped), 3));
}

#[test]
fn bytes_that_are_no_text_are_left_as_they_are() {
    let mut asked = 0;
    let ended = shrink(b"\xff\xfe", &mut |_| {
        asked += 1;
        Ok(true)
    });
    assert_eq!((ended, asked), (Ok(()), 0));
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(40))]

    /// Every accepted text is smaller than the one before and has the property; no text is asked about twice.
    #[test]
    fn every_step_is_smaller_and_keeps_the_property(lines in proptest::collection::vec("[0-9a-c. -]{0,12}", 1..7), modulus in 2_u32..5) {
        let text = lines.join("\n") + "\n";
        let sum = |text: &[u8]| text.iter().map(|byte| u32::from(*byte)).sum::<u32>() % modulus;
        let wanted = sum(&TokenLines::parse(text.as_bytes()).unwrap().render());
        let mut last = TokenLines::parse(text.as_bytes()).unwrap().size();
        let mut asked = std::collections::HashSet::new();
        let ended = shrink(text.as_bytes(), &mut |candidate| {
            let size = TokenLines::parse(candidate).unwrap().size();
            assert!(asked.insert(candidate.to_vec()) || candidate == text.as_bytes());
            let holds = sum(candidate) == wanted;
            if holds {
                assert!(size <= last);
                last = size;
            }
            Ok(holds)
        });
        assert_eq!(ended, Ok(()));
    }
}
