//! Compares slidingpuzzle with breadth-first search on every board of the smaller sizes, and with
//! walking distance on the committed lists of larger ones.

use std::collections::HashMap;

use crate::random::Random;

#[allow(dead_code, missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]
#[path = "../../../solutions/slidingpuzzle/slidingpuzzle.rs"]
mod fast;

#[allow(dead_code, missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]
#[path = "../../../solutions/slidingpuzzle/brute_force/breadth_first.rs"]
mod brute;

#[allow(dead_code, missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]
#[path = "../../../solutions/slidingpuzzle/walking_distance.rs"]
mod walking;

/// The committed boards of one size, each with its minimum number of moves.
fn list(name: &str) -> Vec<(u8, Vec<u8>)> {
    let lists = concat!(env!("CARGO_MANIFEST_DIR"), "/../cases/slidingpuzzle/generators/lists");
    let text =
        std::fs::read_to_string(format!("{lists}/{name}.txt")).expect("the list is committed");
    let board = |line: &str| {
        let mut numbers = line.split(' ').map(|word| word.parse().expect("a number"));
        (numbers.next().expect("moves"), numbers.collect())
    };
    text.lines().filter(|line| !line.starts_with('#')).map(board).collect()
}

/// The minimum number of moves of each solvable board, and the number of boards for each number of
/// moves.
fn distances(rows: usize, columns: usize) -> (HashMap<Vec<u8>, u8>, Vec<usize>) {
    let goal: Vec<u8> = (1..).take(rows * columns - 1).chain([0]).collect();
    let mut distances = HashMap::from([(goal.clone(), 0)]);
    let (mut level, mut counts) = (vec![goal], Vec::new());
    while !level.is_empty() {
        counts.push(level.len());
        let depth = u8::try_from(counts.len()).expect("few levels");
        let mut next = Vec::new();
        for board in level.iter().flat_map(|board| brute::moves(board, columns)) {
            distances.entry(board.clone()).or_insert_with(|| {
                next.push(board);
                depth
            });
        }
        level = next;
    }
    (distances, counts)
}

/// All boards of a size, in lexicographic order.
fn permutations(cells: u8) -> Vec<Vec<u8>> {
    if cells == 0 {
        return vec![Vec::new()];
    }
    let mut all = Vec::new();
    for first in 0..cells {
        for rest in permutations(cells - 1) {
            let renamed = rest.iter().map(|&tile| tile + u8::from(tile >= first));
            all.push(std::iter::once(first).chain(renamed).collect());
        }
    }
    all
}

fn answer(solver: &fast::Solver, rows: usize, columns: usize, tiles: &[u8]) -> Option<u8> {
    let board = fast::Board { rows, columns, tiles: tiles.to_vec() };
    fast::solvable(&board).then(|| solver.fewest_moves(tiles))
}

/// Compares all boards of a size.
fn whole(rows: usize, columns: usize) -> (usize, Vec<usize>) {
    let (distances, counts) = distances(rows, columns);
    let solver = fast::Solver::new(rows, columns);
    let boards = permutations(u8::try_from(rows * columns).expect("small"));
    for board in &boards {
        assert_eq!(
            answer(&solver, rows, columns, board),
            distances.get(board).copied(),
            "{rows}×{columns} {board:?}"
        );
    }
    (boards.len(), counts)
}

/// Compares random boards of one size, half of which have no solution.
fn random(rows: usize, columns: usize, count: usize) -> usize {
    let (distances, _) = distances(rows, columns);
    let solver = fast::Solver::new(rows, columns);
    let mut random = Random(773);
    let mut board: Vec<u8> = (0..).take(rows * columns).collect();
    for _ in 0..count {
        for i in (1..board.len()).rev() {
            board.swap(i, random.below(i + 1));
        }
        assert_eq!(
            answer(&solver, rows, columns, &board),
            distances.get(&board).copied(),
            "{rows}×{columns} {board:?}"
        );
    }
    count
}

const LEVELS_2X3: [usize; 22] =
    [1, 2, 3, 5, 6, 7, 10, 12, 12, 16, 23, 25, 28, 39, 44, 40, 29, 21, 18, 12, 6, 1];

#[test]
fn slidingpuzzle_agrees_on_all_boards_of_2_by_3() {
    let (boards, counts) = whole(2, 3);
    assert_eq!(counts, LEVELS_2X3, "how many boards there are of each number of moves");
    for (index, board) in permutations(6).iter().enumerate().step_by(7) {
        let numbers: Vec<String> = board.iter().map(u8::to_string).collect();
        let input = format!("2 3\n{}\n{}\n", numbers[..3].join(" "), numbers[3..].join(" "));
        let plain = brute::solve(&input).map(|moves| format!("{moves}\n"));
        assert_eq!(fast::solve(&input), plain, "board {index}");
    }
    println!("slidingpuzzle: {boards} boards of 2×3 agree");
}

#[test]
fn slidingpuzzle_agrees_on_lines_and_small_boards() {
    for (rows, columns) in [(1, 1), (1, 2), (1, 5), (6, 1), (2, 2), (3, 2)] {
        println!("slidingpuzzle: {} boards of {rows}×{columns} agree", whole(rows, columns).0);
    }
}

#[test]
#[ignore = "everything: run with --release"]
fn slidingpuzzle_agrees_on_all_boards_to_3_by_3() {
    for (rows, columns, states, deepest) in
        [(2, 4, 20_160, 36), (4, 2, 20_160, 36), (3, 3, 181_440, 31)]
    {
        let (boards, counts) = whole(rows, columns);
        assert_eq!((counts.iter().sum::<usize>(), counts.len() - 1), (states, deepest));
        println!("slidingpuzzle: {boards} boards of {rows}×{columns} agree");
    }
}

#[test]
#[ignore = "everything: run with --release"]
fn slidingpuzzle_agrees_on_random_boards() {
    let boards = random(2, 5, 50_000) + random(5, 2, 50_000);
    println!("slidingpuzzle: {boards} random boards of 2×5 and 5×2 agree");
}

#[test]
fn slidingpuzzle_agrees_on_the_list_of_3_by_4() {
    let boards = list("3x4");
    let solver = fast::Solver::new(3, 4);
    for (moves, tiles) in boards.iter().take(60) {
        assert_eq!(answer(&solver, 3, 4, tiles), Some(*moves), "{tiles:?}");
    }
    assert_eq!((boards.len(), boards[99].0), (100, 53));
    println!("slidingpuzzle: 60 listed boards of 3×4 are as listed");
}

#[test]
#[ignore = "everything: run with --release"]
fn slidingpuzzle_agrees_on_the_lists() {
    for (name, rows, columns) in [("3x4", 3, 4), ("4x4", 4, 4)] {
        let solver = fast::Solver::new(rows, columns);
        let boards = list(name);
        for (moves, tiles) in &boards {
            assert_eq!(answer(&solver, rows, columns, tiles), Some(*moves), "{tiles:?}");
            let numbers: Vec<String> = tiles.iter().map(u8::to_string).collect();
            let input = format!("{rows} {columns} {}", numbers.join(" "));
            assert_eq!(walking::solve(&input), Ok(i32::from(*moves)), "{tiles:?}");
        }
        println!("slidingpuzzle: {} listed boards of {rows}×{columns} agree", boards.len());
    }
}

#[test]
fn slidingpuzzle_rejects_malformed_input() {
    let wrong = [
        "",
        "2",
        "2 3\n1 2 3 4 0",
        "2 2\n1 2 2 0",
        "2 2\n1 2 4 0",
        "2 2\n1 2 3 0 0",
        "2 2\n1 2 -3 0",
        "0 2\n",
        "3 5\n0 1 2 3 4 5 6 7 8 9 10 11 12 13 14",
        "2 2\n1 2 x 0",
        "99999999999999999999 1\n0",
        "2 2\n1 2 +3 0",
    ];
    for input in wrong {
        assert!(fast::solve(input).is_err(), "{input:?}");
    }
    assert_eq!(fast::solve("2 2 \r\n1  2\r\n\t3 0"), Ok("0\n".into()));
}

/// The boards that `breadth_first.rs` rejects as too large when it is judged.
#[test]
#[ignore = "a minute: millions of positions"]
fn slidingpuzzle_agrees_on_all_cases() {
    for (name, input, answer) in crate::cases::of("slidingpuzzle") {
        let mut numbers = input.split_whitespace().map(str::parse::<u8>);
        let mut side = || numbers.next().expect("a side").expect("a number");
        // Larger boards have hundreds of millions of positions.
        if side() * side() > 10 {
            continue;
        }
        let moves = brute::search(&input, usize::MAX).map(|moves| format!("{moves}\n"));
        assert_eq!(moves, Ok(answer), "{name}");
    }
}
