//! The Tree of Life (HackerRank): a one-dimensional cellular automaton, but on a binary tree, whose
//! rule maps parent, left child, cell and right child to the cell's next state.
//!
//! Idea: none. Every node knows its parent and children; a generation looks at each node in turn
//! and asks the rule. A query that goes back in time starts again from the first generation.
//!
//! Right, but TOO SLOW for `worst/zigzag` and its like: time O(nodes × generations lived), and with
//! the clock going back it lives most generations many times; memory O(nodes).

use std::io::{Read, Write};
use std::process::ExitCode;

/// A node's relatives; `NONE` is a dead stranger.
#[derive(Clone, Copy)]
struct Node {
    parent: usize,
    left: usize,
    right: usize,
}

const NONE: usize = usize::MAX;

/// What an open parenthesis has met so far: the parts' roots, and the branch's own state.
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
        let token = text
            .find(|c| !c.is_ascii_whitespace())
            .ok_or("the input ends within the tree")?;
        let parts = open.last().map(|branch| branch.parts.len());
        let complete = match (token, parts) {
            ('(', None | Some(0 | 2)) => {
                open.push(Open::default());
                continue;
            }
            // The branch's own symbol holds the place of a part until its node is made.
            ('X' | '.', Some(1)) => {
                if let Some(branch) = open.last_mut() {
                    branch.alive = token == 'X';
                    branch.parts.push(NONE);
                }
                continue;
            }
            ('X' | '.', None | Some(0 | 2)) => {
                nodes.push(Node {
                    parent: NONE,
                    left: NONE,
                    right: NONE,
                });
                state.push(token == 'X');
                nodes.len() - 1
            }
            (')', Some(3)) => {
                let branch = open.pop().ok_or("`)` without `(`")?;
                let me = nodes.len();
                nodes.push(Node {
                    parent: NONE,
                    left: branch.parts[0],
                    right: branch.parts[2],
                });
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

/// Reads rule, tree and queries; returns the answers, one a line.
pub fn solve(input: &str) -> Result<String, String> {
    let input = input.trim_start();
    let digits = input
        .find(|c: char| !c.is_ascii_digit())
        .ok_or("the input ends after the rule")?;
    let rule: u16 = input[..digits]
        .parse()
        .map_err(|_| "the rule is no number from 0 to 65535")?;
    let mut text = input[digits..].chars().peekable();
    let (nodes, first, root) = parse_tree(&mut text)?;
    let rest: String = text.collect();
    let rest = rest.trim();
    let (count, mut rest) = rest
        .split_once(|c: char| c.is_ascii_whitespace())
        .ok_or("there are no queries")?;
    let count: usize = count
        .parse()
        .map_err(|_| format!("`{count}` is not the number of queries"))?;
    let (mut state, mut now, mut clock) = (first.clone(), 0i64, 0i64);
    let mut answers = String::new();
    for _ in 0..count {
        let (step, after) = rest.split_once('[').ok_or("a query has no `[`")?;
        let (path, after) = after.split_once(']').ok_or("a query has no `]`")?;
        rest = after;
        clock += step
            .trim()
            .parse::<i64>()
            .map_err(|_| format!("`{step}` is not a number of steps"))?;
        if clock < 0 {
            return Err("the clock falls below 0".into());
        }
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
    if !rest.trim().is_empty() {
        return Err("something follows the last query".into());
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
        std::io::stdout()
            .write_all(text.as_bytes())
            .map_err(|error| error.to_string())
    }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
