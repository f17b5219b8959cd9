//! Shapes of the inputs that small generators make.

use std::fmt::Write as _;

use super::InputShape;
use crate::bench::RandomSource;

/// A generator with a size.
type Generator = fn(&mut Dice, u64) -> String;

struct Dice(RandomSource);

impl Dice {
    fn range(&mut self, least: u64, most: u64) -> u64 {
        least + self.0.below(most - least + 1)
    }

    fn some(&mut self, number: u64, least: u64, most: u64) -> String {
        let words: Vec<String> = (0..number).map(|_| self.range(least, most).to_string()).collect();
        words.join(" ")
    }

    fn letters(&mut self, number: u64, letters: &[u8]) -> String {
        let all = letters.len() as u64 - 1;
        let letter = |_| char::from(letters[usize::try_from(self.range(0, all)).unwrap()]);
        (0..number).map(letter).collect()
    }

    fn permutation(&mut self, number: u64) -> String {
        let mut all: Vec<u64> = (1..=number).collect();
        self.0.shuffle(&mut all);
        let words: Vec<String> = all.iter().map(u64::to_string).collect();
        words.join(" ")
    }
}

fn tests(dice: &mut Dice, size: u64) -> String {
    let number = dice.range(1, 4);
    let mut text = format!("{number}\n");
    for _ in 0..number {
        let n = dice.range(1, size);
        let _ = writeln!(text, "{n}\n{}", dice.some(n, 1, 9));
    }
    text
}

fn tests_of_graphs(dice: &mut Dice, size: u64) -> String {
    let number = dice.range(1, 4);
    let mut text = format!("{number}\n");
    for _ in 0..number {
        let n = dice.range(2, size + 1);
        let m = dice.range(1, size);
        let _ = writeln!(text, "{n} {m}");
        for _ in 0..m {
            let u = dice.range(1, n - 1);
            let _ = writeln!(text, "{u} {}", dice.range(u + 1, n));
        }
    }
    text
}

fn tree(dice: &mut Dice, size: u64) -> String {
    let mut text = format!("{size}\n");
    for vertex in 2..=size {
        let _ = writeln!(text, "{vertex} {}", dice.range(1, vertex - 1));
    }
    text
}

fn queries(dice: &mut Dice, size: u64) -> String {
    let mut text = format!("{size} {size}\n{}\n", dice.some(size, 1, 99));
    for _ in 0..size {
        let l = dice.range(1, size);
        let _ = match dice.range(0, 2) {
            0 => writeln!(text, "1 {l} {}", dice.range(l, size)),
            1 => writeln!(text, "2 {l} {}", dice.range(0, 9)),
            _ => writeln!(text, "3"),
        };
    }
    text
}

/// Each with texts that may be asked about, and with some that may not.
const SHAPES: [(&str, Generator, &[&str], &[&str]); 13] = [
    (
        "numbers",
        |dice, n| format!("{n}\n{}\n", dice.some(n, 0, 50)),
        &["1\n0\n", "2\n0 50\n"],
        &["0\n\n", "0\n0 0\n", "1\n51\n", "2\n0\n", "1\n-1\n", "1\n0\n0\n", "1\n", "", "1\nx\n"],
    ),
    (
        "tests",
        tests,
        &["1\n1\n1\n", "2\n1\n1\n2\n3 3\n"],
        &["0\n", "1\n0\n\n", "2\n1\n1\n", "1\n2\n1\n"],
    ),
    (
        "tests of graphs",
        tests_of_graphs,
        &["1\n2 1\n1 2\n", "2\n2 1\n1 2\n3 1\n1 3\n"],
        &["1\n2 1\n1 3\n", "1\n2 1\n2 1\n", "1\n2 2\n1 2\n", "1\n1 1\n1 1\n"],
    ),
    (
        "edges of a tree",
        tree,
        &["3\n2 1\n3 1\n", "3\n2 1\n3 2\n"],
        &["3\n2 1\n2 1\n", "3\n2 1\n1 2\n", "3\n2 1\n", "3\n2 1\n3 4\n", "3\n3 1\n3 3\n"],
    ),
    (
        "queries of different lengths",
        queries,
        &["2 2\n1 1\n1 1 2\n3\n", "2 2\n1 1\n2 1 0\n2 2 1\n"],
        &["2 2\n1 1\n1 2 1\n3\n", "2 2\n1 1\n1 1 3\n3\n", "1 1\n1\n4\n", "1 1\n1\n3 1\n"],
    ),
    (
        "permutation",
        |dice, n| format!("{n}\n{}\n", dice.permutation(n)),
        &["1\n1\n", "3\n3 1 2\n"],
        &["2\n1 1\n", "2\n1 3\n", "2\n0 1\n"],
    ),
    (
        "string",
        |dice, n| format!("{n}\n{}\n", dice.letters(n, b"abc")),
        &["1\na\n", "3\ncab\n"],
        &["1\nab\n", "2\na\n", "1\nd\n", "1\n1\n"],
    ),
    (
        "grid and places",
        |dice, n| {
            let w = dice.range(1, 2 * n);
            let mut text = format!("{n} {w} {n}\n");
            for _ in 0..n {
                let _ = writeln!(text, "{}", dice.letters(w, b".#"));
            }
            for _ in 0..n {
                let _ = writeln!(text, "{} {}", dice.range(1, n), dice.range(1, w));
            }
            text
        },
        &["1 2 1\n.#\n1 2\n", "2 1 2\n#\n#\n2 1\n1 1\n"],
        &["1 2 1\n.\n1 2\n", "1 2 1\n.#\n2 1\n", "1 2 1\n.#\n1 3\n", "1 2 1\n.#\n0 1\n"],
    ),
    (
        "lines that begin with their length",
        |dice, n| {
            let mut text = format!("{n}\n");
            for _ in 0..n {
                let k = dice.range(0, 5);
                let _ = writeln!(text, "{}", format!("{k} {}", dice.some(k, 1, 9)).trim_end());
            }
            text
        },
        &["1\n0\n", "2\n1 9\n2 1 1\n"],
        &["1\n1\n", "1\n1 1 1\n", "1\n1 0\n", "1\n"],
    ),
    (
        "parents",
        |dice, n| {
            let n = n + 1;
            let parents: Vec<String> =
                (2..=n).map(|vertex| dice.range(1, vertex - 1).to_string()).collect();
            format!("{n}\n{}\n", parents.join(" "))
        },
        &["2\n1\n", "4\n1 2 3\n", "4\n1 1 1\n"],
        &["3\n1 3\n", "3\n1\n", "3\n2 1\n"],
    ),
    (
        "numbers in order, and one that is not larger than their number",
        |dice, n| {
            let mut all: Vec<u64> = (0..n).map(|_| dice.range(1, 40)).collect();
            all.sort_unstable();
            let words: Vec<String> = all.iter().map(u64::to_string).collect();
            format!("{n} {}\n{}\n", dice.range(1, n), words.join(" "))
        },
        &["2 1\n1 1\n", "3 3\n1 2 40\n"],
        &["2 3\n1 1\n", "2 1\n2 1\n", "2 0\n1 1\n"],
    ),
    (
        "twice as many numbers",
        |dice, n| format!("{n}\n{}\n", dice.some(2 * n, 1, 9)),
        &["1\n1 9\n"],
        &["1\n1\n", "2\n1 1\n"],
    ),
    (
        "three different numbers in order",
        |dice, n| {
            let a = dice.range(1, n);
            let b = a + dice.range(1, n);
            format!("{a} {b} {}\n", b + dice.range(1, n))
        },
        &["1 2 3\n"],
        &["1 1 2\n", "1 3 2\n", "1 2\n"],
    ),
];

/// What a generator makes, from small to large inputs.
fn texts(generator: Generator, seed: u64) -> Vec<Vec<u8>> {
    let mut dice = Dice(RandomSource::new(seed));
    (1..=24).map(|size| generator(&mut dice, 2 * size - 1).into_bytes()).collect()
}

#[test]
fn texts_that_no_generator_would_make_do_not_fit() {
    for (name, generator, fitting, others) in SHAPES {
        for seed in 1..=5 {
            let learned = texts(generator, seed);
            let shape = InputShape::learn(&learned).unwrap_or_else(|| panic!("{name}: no layout"));
            for text in &learned {
                assert!(shape.fits(text), "{name}: {}", String::from_utf8_lossy(text));
            }
            for text in fitting {
                assert!(shape.fits(text.as_bytes()), "{name}, seed {seed}: {text}: {shape:?}");
            }
            for text in others {
                assert!(!shape.fits(text.as_bytes()), "{name}, seed {seed}: {text}: {shape:?}");
            }
        }
    }
}

#[test]
fn nothing_is_learned_from_few_texts_or_from_texts_without_a_layout() {
    let numbers = texts(SHAPES[0].1, 1);
    assert!(InputShape::learn(&numbers[..5]).is_none());
    assert!(InputShape::learn(&vec![numbers[0].clone(); 24]).is_none());
    let ragged = |dice: &mut Dice, n: u64| {
        let lines: Vec<String> = (0..3).map(|_| dice.some(n % 7, 0, 9)).collect();
        format!("{}\n", lines.join("\n"))
    };
    assert!(InputShape::learn(&texts(ragged, 1)).is_none());
    let binary: Vec<Vec<u8>> = (0..24).map(|byte| vec![0xff, byte]).collect();
    assert!(InputShape::learn(&binary).is_none());
}
