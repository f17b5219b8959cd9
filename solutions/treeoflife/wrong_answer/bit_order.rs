//! The Tree of Life (HackerRank): an automaton on a binary tree, whose rule maps the states of
//! a node's parent, its left child, the node itself and its right child to the node's next state.
//!
//! WRONG ANSWER: counts the bits of the rule from the wrong end: it takes bit 15 - index, as if the
//! rule were written in binary and read from the left.
//! Caught by `sample/1` and `small/three`. Rules whose bits are the same in both orders pass.
//!
//! Time O(nodes × computed generations), memory O(nodes). It stops after 3·10^7 node updates: its
//! output is wrong by then.

use std::io::Read;

const MAX_WORK: usize = 30_000_000;

/// The numbers of a node's relatives. A missing relative is node 0, which is always dead.
struct Node {
    parent: usize,
    left: usize,
    right: usize,
}

struct Tree {
    nodes: Vec<Node>,
    alive: Vec<u8>,
    root: usize,
}

impl Tree {
    fn add(&mut self, left: usize, right: usize, cell: u8) -> usize {
        let me = self.nodes.len();
        self.nodes.push(Node { parent: 0, left, right });
        self.alive.push(u8::from(cell == b'X'));
        for child in [left, right] {
            if child != 0 {
                self.nodes[child].parent = me;
            }
        }
        me
    }
}

/// Reads a tree. Each open branch is a list of its left subtree, its own state and its right subtree.
fn read_tree(text: &str) -> Tree {
    let mut tree =
        Tree { nodes: vec![Node { parent: 0, left: 0, right: 0 }], alive: vec![0], root: 0 };
    let mut open: Vec<Vec<usize>> = Vec::new();
    for cell in text.bytes().filter(|cell| !cell.is_ascii_whitespace()) {
        let part = match cell {
            b'(' => {
                open.push(Vec::new());
                continue;
            }
            b')' => {
                let parts = open.pop().expect("an open branch");
                tree.add(parts[0], parts[2], parts[1] as u8)
            }
            _ if open.last().is_some_and(|parts| parts.len() == 1) => cell as usize,
            _ => tree.add(0, 0, cell),
        };
        match open.last_mut() {
            Some(parts) => parts.push(part),
            None => tree.root = part,
        }
    }
    tree
}

fn find(tree: &Tree, path: &str) -> usize {
    path.bytes().fold(tree.root, |node, turn| {
        let next = if turn == b'<' { tree.nodes[node].left } else { tree.nodes[node].right };
        if next == 0 { node } else { next }
    })
}

fn next(rule: u32, tree: &Tree, alive: &[u8]) -> Vec<u8> {
    let mut next = vec![0; alive.len()];
    for (me, node) in tree.nodes.iter().enumerate().skip(1) {
        let index =
            8 * alive[node.parent] + 4 * alive[node.left] + 2 * alive[me] + alive[node.right];
        next[me] = (rule >> (15 - index) & 1) as u8;
    }
    next
}

fn main() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).expect("text");
    let mut lines = input.lines();
    let mut line = || lines.next().expect("a line").trim();
    let rule: u32 = line().parse().expect("a rule");
    let mut tree = read_tree(line());
    let queries: usize = line().parse().expect("a number");
    let first = tree.alive.clone();
    let (mut clock, mut now, mut work) = (0, 0, 0);
    for _ in 0..queries {
        let (step, path) = line().split_once('[').expect("a path");
        let step: i64 = step.trim().parse().expect("a number");
        let node = find(&tree, path.trim_end_matches(']'));
        clock += step;
        if clock < now {
            tree.alive.clone_from(&first);
            now = 0;
        }
        while now < clock && work < MAX_WORK {
            tree.alive = next(rule, &tree, &tree.alive);
            now += 1;
            work += tree.nodes.len();
        }
        println!("{}", if tree.alive[node] == 1 { "X" } else { "." });
    }
}
