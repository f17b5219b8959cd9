//! Compares matrixrotation with lists of rings: every small shape, lines, and random matrices with
//! any values.

use std::fmt::Write as _;

use crate::random::Random;

#[allow(dead_code, missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]
#[path = "../../../solutions/matrixrotation/matrixrotation.rs"]
mod fast;

#[allow(dead_code, missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]
#[path = "../../../solutions/matrixrotation/ring_lists.rs"]
mod lists;

fn compare(input: &str) {
    let mut answer = Vec::new();
    fast::solve(input.as_bytes().to_vec(), &mut answer).expect("a valid matrix");
    let answer = String::from_utf8(answer).expect("digits");
    assert_eq!(lists::solve(input).as_deref(), Ok(answer.as_str()), "for {input}");
}

fn matrix(rows: usize, columns: usize, turns: u64, mut number: impl FnMut(usize) -> i64) -> String {
    let mut text = format!("{rows} {columns} {turns}\n");
    for place in 0..rows * columns {
        let end = if place % columns == columns - 1 { '\n' } else { ' ' };
        write!(text, "{}{end}", number(place)).expect("text");
    }
    text
}

/// Compares every shape up to `most` in both dimensions and lines up to three times that, with
/// every number of turns up to two rounds and with the maximum.
fn shapes(most: usize) -> usize {
    let lines = (most + 1..=3 * most).flat_map(|length| [(1, length), (length, 1)]);
    let squares = (1..=most).flat_map(|rows| (1..=most).map(move |columns| (rows, columns)));
    let mut compared = 0;
    for (rows, columns) in squares.chain(lines) {
        for turns in (0..=4 * (rows + columns) as u64)
            .chain([999_999_999_999_999_989, 1_000_000_000_000_000_000])
        {
            compare(&matrix(rows, columns, turns, |place| {
                1 + i64::try_from(place).expect("small")
            }));
            compared += 1;
        }
    }
    compared
}

fn random(count: usize) -> usize {
    const EXTREMES: [i64; 6] = [i64::MIN, i64::MAX, i64::MIN + 1, -1, 0, 10];
    let mut random = Random(4);
    for _ in 0..count {
        let (rows, columns) = (1 + random.below(12), 1 + random.below(12));
        let turns = random.next() % 1_000_000_000_000_000_001;
        let text = matrix(rows, columns, turns >> random.below(60), |_| match random.below(8) {
            0 => EXTREMES[random.below(EXTREMES.len())],
            _ => random.next().cast_signed() >> random.below(64),
        });
        compare(&text);
    }
    count
}

#[test]
fn matrixrotation_agrees_on_a_sample() {
    println!("matrixrotation: {} small and {} random matrices agree", shapes(5), random(2_000));
}

#[test]
#[ignore = "everything: run with --release"]
fn matrixrotation_agrees() {
    println!("matrixrotation: {} small and {} random matrices agree", shapes(8), random(100_000));
}

#[test]
fn matrixrotation_rejects_malformed_input() {
    let wrong = [
        "",
        "1",
        "0 1 1\n",
        "2 2 1\n1 2\n3",
        "1 1 1\n1 2",
        "1 1 -1\n1",
        "1 1 1\n-0",
        "1 1 1\n01",
        "1 1 1\n1x",
        "1 1 1\n9223372036854775808",
        "1 1 1\n-9223372036854775809",
        "1 1 1000000000000000001\n1",
        "2001 2000 1\n",
        "4000001 1 1\n",
        "99999999999999999999 1 1\n1",
    ];
    for input in wrong {
        let mut answer = Vec::new();
        let refused = fast::solve(input.as_bytes().to_vec(), &mut answer);
        assert!(refused.is_err() && answer.is_empty(), "{input:?} gives {refused:?}, {answer:?}");
        assert!(lists::solve(input).is_err(), "{input:?}");
    }
}

#[test]
fn matrixrotation_accepts_other_line_ends_and_blanks() {
    let mut answer = Vec::new();
    fast::solve(b"2 2\t1\r\n1 2  \r\n\n 3 4".to_vec(), &mut answer).expect("only blanks differ");
    assert_eq!(answer, b"2 4\n1 3\n");
}

/// Inputs that are too large for judging every submission.
#[test]
#[ignore = "seconds and hundreds of megabytes: the largest inputs"]
fn matrixrotation_agrees_on_the_largest_inputs() {
    let mut random = Random(5);
    for (rows, columns, turns) in [
        (2000, 2000, 7),
        (1, 4_000_000, 2_000_000_000_003),
        (4_000_000, 1, 1_999_999),
        (1_000_000, 4, 5),
    ] {
        #[expect(clippy::cast_possible_wrap, reason = "any 64 bits are a number")]
        let number = |_| random.next() as i64;
        compare(&matrix(rows, columns, turns, number));
    }
}
