//! Writes a random tree with queries: `tree RULE SHAPE NODES LIFE QUERIES JOURNEY SEED`.
//!
//! - SHAPE: `full` (level by level), `left` or `right` (a chain whose inner children are all on that
//!   side), `zigzag` (a chain whose inner children are on both sides in turn), `random` (a random leaf
//!   branches next), `comb` (a chain with random side branches).
//! - LIFE: the number of nodes in a thousand that are alive at the start, or `root` for the root only.
//! - JOURNEY: how the clock moves. `N`: by N each time; `N/M`: forwards by N and back by M in turn;
//!   `?N`: to random generations from 0 to N, by at most 1000 each time.

use std::fmt::Write as _;
use std::io::Write as _;

/// SplitMix64 (Steele, Lea and Flood): small, and with the same numbers on every machine.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}

/// Each node's children; node 0 is the root.
type Tree = Vec<Option<[usize; 2]>>;

fn grow(shape: &str, nodes: usize, random: &mut Random) -> Result<Tree, String> {
    let mut tree: Tree = vec![None];
    let mut leaves = std::collections::VecDeque::from([0]);
    while tree.len() + 2 <= nodes {
        let turn = tree.len() / 2;
        let at = match shape {
            "full" => 0,
            "left" => leaves.len().saturating_sub(2),
            "right" => leaves.len() - 1,
            "zigzag" => leaves.len().saturating_sub(1 + turn % 2),
            "comb" => {
                if turn.is_multiple_of(7) {
                    random.below(leaves.len())
                } else {
                    leaves.len() - 1
                }
            }
            "random" => random.below(leaves.len()),
            _ => return Err(format!("no such shape: `{shape}`")),
        };
        // Swapping with the last leaf keeps this O(1); otherwise, a chain would take quadratic time.
        let node = if at == 0 { leaves.pop_front() } else { leaves.swap_remove_back(at) }
            .ok_or("no leaf is left")?;
        let children = [tree.len(), tree.len() + 1];
        tree[node] = Some(children);
        tree.extend([None, None]);
        leaves.extend(children);
    }
    Ok(tree)
}

fn write_tree(tree: &Tree, alive: impl Fn(usize) -> char) -> String {
    enum Part {
        Node(usize),
        Text(char),
    }
    let mut text = String::new();
    let mut parts = vec![Part::Node(0)];
    while let Some(part) = parts.pop() {
        match part {
            Part::Text(c) => text.push(c),
            Part::Node(node) => match tree[node] {
                None => text.push(alive(node)),
                Some([left, right]) => {
                    text.push('(');
                    let middle = [Part::Text(' '), Part::Text(alive(node)), Part::Text(' ')];
                    parts.extend([Part::Text(')'), Part::Node(right)]);
                    parts.extend(middle);
                    parts.push(Part::Node(left));
                }
            },
        }
    }
    text
}

/// A random path from the root. It prefers inner nodes, so that it gets deep in chains too.
fn path(tree: &Tree, longest: usize, random: &mut Random) -> String {
    let (mut node, mut path) = (0, String::new());
    let length = random.below(longest + 1);
    while let (Some(children), true) = (tree[node], path.len() < length) {
        let mut side = random.below(2);
        if tree[children[side]].is_none() && random.below(1000) > 0 {
            side = 1 - side;
        }
        path.push(if side == 0 { '<' } else { '>' });
        node = children[side];
    }
    path
}

/// The moves of the clock, one per query.
fn journey(plan: &str, queries: usize, random: &mut Random) -> Result<Vec<i64>, String> {
    let number = |text: &str| text.parse::<i64>().map_err(|error| format!("`{text}`: {error}"));
    if let Some(latest) = plan.strip_prefix('?') {
        let (latest, mut clock) = (number(latest)?, 0);
        let mut step = || {
            let (low, high) = ((clock - 1000).max(0), (clock + 1000).min(latest));
            let to = low + random.below((high - low + 1) as usize) as i64;
            let step = to - clock;
            clock = to;
            step
        };
        return Ok((0..queries).map(|_| step()).collect());
    }
    let (there, back) = match plan.split_once('/') {
        Some((there, back)) => (number(there)?, -number(back)?),
        None => (number(plan)?, number(plan)?),
    };
    Ok((0..queries).map(|query| if query % 2 == 0 { there } else { back }).collect())
}

fn make(arguments: &[String]) -> Result<String, String> {
    let [rule, shape, nodes, life, queries, plan, seed] = arguments else {
        return Err("usage: tree RULE SHAPE NODES LIFE QUERIES JOURNEY SEED".into());
    };
    let number = |text: &String| text.parse::<u64>().map_err(|error| format!("`{text}`: {error}"));
    let mut random = Random(number(seed)?);
    let tree = grow(shape, number(nodes)? as usize, &mut random)?;
    let alive: Vec<bool> = match life.as_str() {
        "root" => (0..tree.len()).map(|node| node == 0).collect(),
        _ => {
            let share = number(life)? as usize;
            tree.iter().map(|_| random.below(1000) < share).collect()
        }
    };
    let queries = number(queries)? as usize;
    let mut text = format!(
        "{rule}\n{}\n{queries}\n",
        write_tree(&tree, |node| if alive[node] { 'X' } else { '.' })
    );
    let longest = 900_000 / queries;
    for step in journey(plan, queries, &mut random)? {
        writeln!(text, "{step} [{}]", path(&tree, longest, &mut random))
            .map_err(|error| error.to_string())?;
    }
    Ok(text)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let made = make(&arguments).and_then(|text| {
        std::io::stdout().write_all(text.as_bytes()).map_err(|error| error.to_string())
    });
    if let Err(message) = made {
        eprintln!("error: {message}");
        std::process::exit(1);
    }
}
