//! The Tree of Life (HackerRank): an automaton on a binary tree, whose rule maps the states of
//! a node's parent, its left child, the node itself and its right child to the node's next state.
//!
//! The second opinion: stores the parent and the children of each node. To compute a generation, it
//! applies the rule to each node in turn. A query that goes back in time starts again from the first
//! generation. TOO SLOW for `worst/zigzag`, whose clock often goes back. It also gives up if the
//! nodes times the latest generation exceed 50 million, as in `worst/broad`:
//! `treeoflife_agrees_on_all_cases` in the test `agreement` runs it without this limit.
//!
//! Time O(nodes × computed generations), memory O(nodes + queries).

use std::io::{Read, Write};
use std::process::ExitCode;

/// The numbers of a node's relatives, `NONE` for a missing one.
#[derive(Clone, Copy)]
struct Node {
    parent: usize,
    left: usize,
    right: usize,
}

const NONE: usize = usize::MAX;

/// The parts of a branch read so far: the roots of its subtrees, and its own state.
#[derive(Default)]
struct Open {
    parts: Vec<usize>,
    alive: bool,
}

fn parse_tree(
    text: &mut std::iter::Peekable<impl Iterator<Item = char>>,
) -> Result<(Vec<Node>, Vec<bool>, usize), String> {
    let (mut nodes, mut state): (Vec<Node>, Vec<bool>) = (Vec::new(), Vec::new());
    let mut open: Vec<Open> = Vec::new();
    loop {
        let token =
            text.find(|c| !c.is_ascii_whitespace()).ok_or("the input ends within the tree")?;
        let parts = open.last().map(|branch| branch.parts.len());
        let complete = match (token, parts) {
            ('(', None | Some(0 | 2)) => {
                open.push(Open::default());
                continue;
            }
            // The branch's own symbol counts as a part; its node is created at the `)`.
            ('X' | '.', Some(1)) => {
                if let Some(branch) = open.last_mut() {
                    branch.alive = token == 'X';
                    branch.parts.push(NONE);
                }
                continue;
            }
            ('X' | '.', None | Some(0 | 2)) => {
                nodes.push(Node { parent: NONE, left: NONE, right: NONE });
                state.push(token == 'X');
                nodes.len() - 1
            }
            (')', Some(3)) => {
                let branch = open.pop().ok_or("`)` without `(`")?;
                let me = nodes.len();
                nodes.push(Node { parent: NONE, left: branch.parts[0], right: branch.parts[2] });
                state.push(branch.alive);
                nodes[branch.parts[0]].parent = me;
                nodes[branch.parts[2]].parent = me;
                me
            }
            _ => return Err(format!("`{token}` does not belong here in the tree")),
        };
        match open.last_mut() {
            Some(branch) => branch.parts.push(complete),
            None => return Ok((nodes, state, complete)),
        }
    }
}

fn next_generation(rule: u16, nodes: &[Node], state: &[bool]) -> Vec<bool> {
    let alive = |node: usize| u16::from(node != NONE && state[node]);
    let next = |(me, node): (usize, &Node)| {
        let index =
            8 * alive(node.parent) + 4 * alive(node.left) + 2 * alive(me) + alive(node.right);
        rule >> index & 1 == 1
    };
    nodes.iter().enumerate().map(next).collect()
}

/// The largest product of nodes and generations; above it, the program gives up.
const MAX_WORK: u64 = 50_000_000;

/// Reads the rule, the tree and the queries. Returns the answers, one per line.
pub fn solve(input: &str) -> Result<String, String> {
    simulate(input, MAX_WORK)
}

/// The same, with another limit on nodes × generations.
pub fn simulate(input: &str, most: u64) -> Result<String, String> {
    let input = input.trim_start();
    let digits =
        input.find(|c: char| !c.is_ascii_digit()).ok_or("the input ends after the rule")?;
    let rule: u16 = input[..digits].parse().map_err(|_| "the rule is no number from 0 to 65535")?;
    let mut text = input[digits..].chars().peekable();
    let (nodes, first, root) = parse_tree(&mut text)?;
    let rest: String = text.collect();
    let rest = rest.trim();
    let (count, mut rest) =
        rest.split_once(|c: char| c.is_ascii_whitespace()).ok_or("there are no queries")?;
    let count: usize =
        count.parse().map_err(|_| format!("`{count}` is not the number of queries"))?;
    let mut clock = 0i64;
    let mut queries = Vec::new();
    for _ in 0..count {
        let (step, after) = rest.split_once('[').ok_or("a query has no `[`")?;
        let (path, after) = after.split_once(']').ok_or("a query has no `]`")?;
        rest = after;
        clock += step
            .trim()
            .parse::<i64>()
            .map_err(|_| format!("`{step}` is not a number of generations"))?;
        let clock = u64::try_from(clock).map_err(|_| "the clock is below 0")?;
        if clock * nodes.len() as u64 > most {
            return Err(format!("more than {most} nodes × generations"));
        }
        queries.push((clock, path));
    }
    if !rest.trim().is_empty() {
        return Err("there is text after the last query".into());
    }
    let (mut state, mut now) = (first.clone(), 0);
    let mut answers = String::new();
    for (clock, path) in queries {
        if clock < now {
            (state, now) = (first.clone(), 0);
        }
        while now < clock {
            state = next_generation(rule, &nodes, &state);
            now += 1;
        }
        let mut at = root;
        for turn in path.chars().filter(|c| !c.is_ascii_whitespace()) {
            let to = match turn {
                '<' => nodes[at].left,
                '>' => nodes[at].right,
                _ => return Err(format!("`{turn}` in a path")),
            };
            at = if to == NONE { at } else { to };
        }
        answers.push_str(if state[at] { "X\n" } else { ".\n" });
    }
    Ok(answers)
}

fn main() -> ExitCode {
    let mut input = String::new();
    let answer = std::io::stdin()
        .read_to_string(&mut input)
        .map_err(|error| error.to_string())
        .and_then(|_| solve(&input));
    match answer.and_then(|text| {
        std::io::stdout().write_all(text.as_bytes()).map_err(|error| error.to_string())
    }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
