//! klotskisteps: compares the fast search by steps with the sorted levels and the plain search; the
//! package's own output validator replays each answer.

use crate::klotski_boards::{BoardComparison, LARGE_STEPS as LARGE, MALFORMED, drawn};

#[path = "../../../solutions/klotskisteps/klotskisteps.rs"]
#[allow(warnings, clippy::all, clippy::pedantic, reason = "a contest solution, linted by itself")]
mod fast;
#[path = "../../../solutions/klotskisteps/brute_force/plain_bfs.rs"]
#[allow(warnings, clippy::all, clippy::pedantic, reason = "a contest solution, linted by itself")]
mod plain;
#[path = "../../../cases/klotskisteps/output_validator/replay.rs"]
#[allow(
    warnings,
    clippy::all,
    clippy::pedantic,
    reason = "a program of the package, linted by itself"
)]
mod replay;
#[path = "../../../solutions/klotskisteps/sorted_levels.rs"]
#[allow(warnings, clippy::all, clippy::pedantic, reason = "a contest solution, linted by itself")]
mod sorted;

/// The answer of the fast solution, after comparing it with the others and replaying its path.
fn agreed(input: &str, with_plain: bool) -> i64 {
    let fast = fast::solve(input.as_bytes()).expect("the input is valid");
    let sorted = sorted::solve(input.as_bytes()).expect("the input is valid");
    let replayed = replay::check(input.as_bytes(), sorted.as_bytes(), fast.as_bytes());
    let steps =
        replayed.unwrap_or_else(|fault| panic!("{fault:?}\n{input}fast:\n{fast}sorted:\n{sorted}"));
    let checked = replay::check(input.as_bytes(), fast.as_bytes(), sorted.as_bytes());
    assert_eq!(checked, Ok(steps), "sorted levels\n{input}");
    if with_plain {
        let plain = plain::search(input.as_bytes(), usize::MAX).expect("the input is valid");
        let checked = replay::check(input.as_bytes(), fast.as_bytes(), plain.as_bytes());
        assert_eq!(checked, Ok(steps), "plain search\n{input}");
    }
    steps
}

const BOARDS: BoardComparison = BoardComparison { problem: "klotskisteps", unit: "steps", agreed };

#[test]
fn a_sample_of_small_boards() {
    for (rows, cols) in [(1, 1), (1, 2), (2, 1), (1, 3), (3, 1), (2, 2), (2, 3)] {
        BOARDS.all(rows, cols);
    }
}

#[test]
fn a_sample_of_random_boards() {
    BOARDS.random(1, 300);
}

#[test]
#[ignore = "minutes: every question on every board up to 3x3"]
fn all_small_boards() {
    for rows in 1..=3 {
        for cols in 1..=3 {
            BOARDS.all(rows, cols);
        }
    }
}

#[test]
#[ignore = "minutes: a hundred thousand random boards"]
fn many_random_boards() {
    BOARDS.random(2, 100_000);
}

/// Close to the limit of ten million positions.
#[test]
#[ignore = "seconds and hundreds of megabytes: ten million positions"]
fn ten_million_positions() {
    let input = "6 6\nA A B C . D\nA . E F G .\nH E E F F I\nH J E F K I\nL L L M N N\nZ Z Z Z Z Z\nB\n0 0\n";
    assert_eq!(agreed(input, false), 9);
    let answer = fast::solve(input.as_bytes()).expect("the input is valid");
    assert!(answer.starts_with("9\n9960587 484 125691\n"));
    println!("klotskisteps: 9,960,587 positions counted, in agreement");
}

/// The boards that `plain_bfs.rs` rejects as too large when it is judged.
#[test]
#[ignore = "minutes and gigabytes: boards with tens of thousands of positions"]
fn all_boards_that_the_plain_search_can_solve() {
    // For these, the plain search's paths to all positions need more than 1 GiB.
    let too_large = ["known/century", "known/super-century", "known/super-compo"];
    for (name, input, _) in crate::cases::of("klotskisteps") {
        let large = name.starts_with("worst/") || too_large.contains(&name.as_str());
        agreed(&input, !large);
    }
}

/// Boards that would take every submission too long as cases.
#[test]
#[ignore = "seconds: hundreds of thousands of positions"]
fn boards_too_large_for_cases() {
    for &(rows, target, goal, expected) in LARGE {
        assert_eq!(agreed(&drawn(rows, target, goal), false), expected, "{rows}");
    }
}

#[test]
fn carriage_returns_and_trailing_blanks_do_not_matter() {
    let input = "3 4\nA A C .\nA B C ...\nB B . .\nB\n0 1\n";
    let spoiled = input.replace('\n', " \t \r\n") + "\r\n  \n";
    for solve in [fast::solve, sorted::solve, plain::solve] {
        assert_eq!(solve(input.as_bytes()), solve(spoiled.as_bytes()));
        assert!(solve(spoiled.as_bytes()).is_ok());
    }
}

#[test]
fn malformed_input_is_rejected() {
    for &(what, input) in MALFORMED {
        assert!(fast::solve(input.as_bytes()).is_err(), "fast: {what}");
        assert!(sorted::solve(input.as_bytes()).is_err(), "sorted levels: {what}");
        assert!(plain::solve(input.as_bytes()).is_err(), "plain search: {what}");
    }
    assert!(fast::solve(b"1 2\n\xff .\n\xff\n0 1\n").is_err());
}
