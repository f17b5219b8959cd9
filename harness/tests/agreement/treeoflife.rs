//! Compares treeoflife with naive evolution: every rule on every tree up to seven nodes, and random
//! trees, rules and journeys, with and without the processor's own bit instructions.

use std::fmt::Write as _;

use crate::random::Random;

// The solution's only unsafe call runs code for instructions whose presence it has checked.
#[allow(dead_code, missing_docs, unreachable_pub, unsafe_code, clippy::all, clippy::pedantic)]
#[path = "../../../solutions/treeoflife/treeoflife.rs"]
mod fast;

#[allow(dead_code, missing_docs, unreachable_pub, clippy::all, clippy::pedantic)]
#[path = "../../../solutions/treeoflife/brute_force/naive.rs"]
mod naive;

fn compare(input: &str) {
    let expected = naive::simulate(input, u64::MAX).expect("a valid tree");
    for instructions in [true, false] {
        let answer = fast::solve_with(input.as_bytes(), instructions && fast::has_instructions());
        let answer = answer.map(|answer| String::from_utf8(answer).expect("marks"));
        assert_eq!(
            answer.as_deref(),
            Ok(expected.as_str()),
            "instructions: {instructions}, for {input}"
        );
    }
}

/// All trees with `nodes` nodes, each node in both states.
fn trees(nodes: usize) -> Vec<String> {
    if nodes == 1 {
        return vec![".".into(), "X".into()];
    }
    let mut all = Vec::new();
    for left in (1..nodes - 1).step_by(2) {
        let (lefts, rights) = (trees(left), trees(nodes - 1 - left));
        for (left, right) in
            lefts.iter().flat_map(|left| rights.iter().map(move |right| (left, right)))
        {
            all.extend(["X", "."].map(|cell| format!("({left} {cell} {right})")));
        }
    }
    all
}

/// Queries for every node of a small tree after one generation and after `later`: paths to the
/// third level reach all of them, because a path stops at a leaf.
fn questions(later: u32) -> String {
    const PATHS: [&str; 15] = [
        "", "<", ">", "<<", "<>", "><", ">>", "<<<", "<<>", "<><", "<>>", "><<", "><>", ">><",
        ">>>",
    ];
    let mut text = format!("{}\n", 2 * PATHS.len());
    for clock in [1, later - 1] {
        for (number, path) in PATHS.iter().enumerate() {
            let step = if number == 0 { clock } else { 0 };
            writeln!(text, "{step} [{path}]").expect("text");
        }
    }
    text
}

/// Compares every `stride`-th rule from 0 on, on all trees up to `nodes` nodes.
fn rules(nodes: usize, stride: usize) -> usize {
    let questions = questions(5);
    let trees: Vec<String> = (1..=nodes).step_by(2).flat_map(trees).collect();
    let mut compared = 0;
    for (number, tree) in trees.iter().enumerate() {
        for rule in (number % stride..65_536).step_by(stride) {
            compare(&format!("{rule}\n{tree}\n{questions}"));
            compared += 1;
        }
    }
    compared
}

/// A random tree, grown by replacing leaves in a list of parts with branches.
fn tree(nodes: usize, random: &mut Random) -> String {
    if nodes < 3 {
        return if random.below(2) == 0 { ".".into() } else { "X".into() };
    }
    let leaves = nodes.div_ceil(2);
    let left = match random.below(4) {
        0 => 1,
        1 => leaves - 1,
        _ => 1 + random.below(leaves - 1),
    };
    let (before, after) = (tree(2 * left - 1, random), tree(2 * (leaves - left) - 1, random));
    let blank = if random.below(2) == 0 { " " } else { "" };
    format!("({before}{blank}{}{blank}{after})", if random.below(2) == 0 { "." } else { "X" })
}

fn journeys(count: usize, most: usize) -> usize {
    let mut random = Random(42354);
    for _ in 0..count {
        let nodes = 1 + random.below(most);
        let queries = 1 + random.below(12);
        let mut text =
            format!("{}\n{}\n{queries}\n", random.below(65_536), tree(nodes, &mut random));
        let mut clock = 0;
        for _ in 0..queries {
            let to = random.below(20);
            let path: String = (0..random.below(12))
                .map(|_| if random.below(2) == 0 { '<' } else { '>' })
                .collect();
            let step = i64::try_from(to).expect("small") - i64::try_from(clock).expect("small");
            writeln!(text, "{step} [{path}]").expect("text");
            clock = to;
        }
        compare(&text);
    }
    count
}

#[test]
fn treeoflife_agrees_on_a_sample() {
    println!(
        "treeoflife: {} rules on trees to 5 nodes and {} random journeys agree",
        rules(5, 1_009),
        journeys(1_000, 200)
    );
}

#[test]
#[ignore = "everything: run with --release"]
fn treeoflife_agrees() {
    println!("treeoflife: {} random journeys agree", journeys(100_000, 300));
    println!("treeoflife: {} rules on trees to 7 nodes agree", rules(7, 1));
}

#[test]
fn treeoflife_agrees_where_the_states_repeat() {
    for rule in [0, 1, 52_428, 65_280, 65_535, 27_030] {
        let mut text = format!("{rule}\n((X . .) X (. . (X X .)))\n40\n");
        for query in 0..40 {
            let path = ["", "<", ">>", "><", "<>"][query % 5];
            writeln!(text, "{} [{path}]", if query % 3 == 2 { -17 } else { 211 }).expect("text");
        }
        compare(&text);
    }
}

#[test]
fn treeoflife_rejects_malformed_input() {
    let wrong = [
        "",
        "1\n",
        "65536\nX\n1\n0 []",
        "-1\nX\n1\n0 []",
        "1\n(X .)\n1\n0 []",
        "1\n(X . .\n1\n0 []",
        "1\nX X\n1\n0 []",
        "1\n(X (. . .) .)\n1\n0 []",
        "1\n)\n1\n0 []",
        "1\nX\n0\n",
        "1\nX\n1101\n",
        "1\nX\n2\n0 []",
        "1\nX\n1\n0 []0",
        "1\nX\n1\n-1 []",
        "1\nX\n1\n1001 []",
        "1\nX\n1\n0 [",
        "1\nX\n1\n0 [X]",
        "1\nX\n1\n[]",
    ];
    for input in wrong {
        assert!(fast::solve(input.as_bytes()).is_err(), "{input:?}");
    }
    let bare = fast::solve(b"23749\n((X . .) X (X . X)) X ((. X X) . (. X .))\n1\n0 []");
    assert!(bare.is_err_and(|message| message.contains("outer parentheses")));
}

/// The inputs that `naive.rs` rejects as too large when it is judged.
#[test]
#[ignore = "a minute: naive evolution of the largest cases"]
fn treeoflife_agrees_on_all_cases() {
    for (name, input, answer) in crate::cases::of("treeoflife") {
        // Its clock goes back 550 times, and naive evolution starts again each time.
        if name == "worst/zigzag" {
            continue;
        }
        assert_eq!(naive::simulate(&input, u64::MAX), Ok(answer), "{name}");
    }
}
