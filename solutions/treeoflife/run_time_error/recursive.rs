//! The Tree of Life (HackerRank): an automaton on a binary tree, whose rule maps the states of
//! a node's parent, its left child, the node itself and its right child to the node's next state.
//!
//! RUN-TIME ERROR: reads the tree with a recursive function, on a stack of 8 MiB, which is a usual
//! size. A deep chain overflows this stack. The rest is fast and right: nodes in breadth-first
//! order, 64 nodes per word, queries in the order of time.
//! Caught by `worst/deepest`, a chain half a million nodes deep.
//!
//! Time O(bytes + nodes × generations / 64), memory O(nodes + queries), stack O(depth).

use std::io::Read;

const EVEN: u64 = 0x5555_5555_5555_5555;

/// The rest of the text, and the nodes so far from left to right: depth, inner, alive.
struct Reader<'a> {
    text: &'a [u8],
    nodes: Vec<(usize, bool, bool)>,
}

impl Reader<'_> {
    fn next(&mut self) -> u8 {
        let blanks = self.text.iter().take_while(|cell| cell.is_ascii_whitespace()).count();
        let cell = self.text[blanks];
        self.text = &self.text[blanks + 1..];
        cell
    }

    fn tree(&mut self, depth: usize) {
        match self.next() {
            b'(' => {
                self.tree(depth + 1);
                let cell = self.next();
                self.nodes.push((depth, true, cell == b'X'));
                self.tree(depth + 1);
                assert_eq!(self.next(), b')');
            }
            cell => self.nodes.push((depth, false, cell == b'X')),
        }
    }
}

/// Moves the bits at the even positions into the low half, without gaps.
fn halve(x: u64) -> u64 {
    let x = x & EVEN;
    let x = (x | x >> 1) & 0x3333_3333_3333_3333;
    let x = (x | x >> 2) & 0x0F0F_0F0F_0F0F_0F0F;
    let x = (x | x >> 4) & 0x00FF_00FF_00FF_00FF;
    let x = (x | x >> 8) & 0x0000_FFFF_0000_FFFF;
    (x | x >> 16) & 0x0000_0000_FFFF_FFFF
}

/// Writes each bit of the low half twice.
fn double(x: u64) -> u64 {
    let x = (x | x << 16) & 0x0000_FFFF_0000_FFFF;
    let x = (x | x << 8) & 0x00FF_00FF_00FF_00FF;
    let x = (x | x << 4) & 0x0F0F_0F0F_0F0F_0F0F;
    let x = (x | x << 2) & 0x3333_3333_3333_3333;
    let x = (x | x << 1) & EVEN;
    x | x << 1
}

/// The masks for `compress` and `expand` (Warren, Hacker's Delight, section 7-4). A bit moves right by
/// the number of zeros of `mask` below it; step i moves it by 2^i if this number has the binary digit i.
fn steps(mask: u64) -> [u64; 6] {
    let mut left = mask;
    let mut zeros = !mask << 1;
    let mut steps = [0; 6];
    for (i, step) in steps.iter_mut().enumerate() {
        let mut odd = zeros;
        for shift in [1, 2, 4, 8, 16, 32] {
            odd ^= odd << shift;
        }
        *step = odd & left;
        left = (left ^ *step) | *step >> (1 << i);
        zeros &= !odd;
    }
    steps
}

/// Moves the bits of `x` under `mask` to the low end, without gaps.
fn compress(x: u64, mask: u64, steps: &[u64; 6]) -> u64 {
    steps.iter().enumerate().fold(x & mask, |x, (i, step)| {
        let moved = x & step;
        (x ^ moved) | moved >> (1 << i)
    })
}

/// Moves the low bits of `x` to the positions of `mask`: the reverse of `compress`.
fn expand(x: u64, mask: u64, steps: &[u64; 6]) -> u64 {
    let spread = steps
        .iter()
        .enumerate()
        .rev()
        .fold(x, |x, (i, step)| (x & !step) | ((x << (1 << i)) & step));
    spread & mask
}

/// The rule as a sum (XOR) of products (AND) of its inputs. The bits of an index select the inputs of a
/// product; the element is all ones if the product is part of the sum, and 0 otherwise.
fn products(rule: u16) -> [u64; 16] {
    let mut terms: [u64; 16] = std::array::from_fn(|k| if rule >> k & 1 == 1 { !0 } else { 0 });
    for bit in [1, 2, 4, 8] {
        for k in 0..16 {
            if k & bit != 0 {
                terms[k] ^= terms[k ^ bit];
            }
        }
    }
    terms
}

/// Computes one generation in place, 64 nodes at a time. `kept` receives the old states of inner nodes.
fn sweep(
    inner: &[u64],
    before: &[usize],
    steps: &[[u64; 6]],
    terms: &[u64; 16],
    state: &mut [u64],
    kept: &mut [u64],
) {
    kept[0] = 0;
    for (word, &mask) in inner.iter().enumerate() {
        let cell = state[word];
        let old = compress(cell, mask, &steps[word]);
        let (at, shift) = ((before[word] + 1) / 64, (before[word] + 1) % 64);
        kept[at] |= old << shift;
        kept[at + 1] = (old >> 1) >> (63 - shift);
        let low = kept[word / 2] >> (word % 2 * 32) & 0xFFFF_FFFF;
        let high = kept[word.div_ceil(2)] >> ((word + 1) % 2 * 32);
        let parent = double(low) >> 1 | high << 63;
        let (at, shift) = ((2 * before[word] + 1) / 64, (2 * before[word] + 1) % 64);
        let near = state[at] >> shift | state[at + 1] << (64 - shift);
        let far = state[at + 1] >> shift | state[at + 2] << (64 - shift);
        let left = expand(halve(near) | halve(far) << 32, mask, &steps[word]);
        let right = expand(halve(near >> 1) | halve(far >> 1) << 32, mask, &steps[word]);
        let pair = |k: usize| terms[k] ^ (terms[k + 1] & right);
        let four = |k: usize| pair(k) ^ (pair(k + 2) & cell);
        let eight = |k: usize| four(k) ^ (four(k + 4) & left);
        state[word] = eight(0) ^ (eight(8) & parent);
    }
}

/// The left child of an inner node.
fn child(inner: &[u64], before: &[usize], node: usize) -> Option<usize> {
    let (word, bit) = (node / 64, node % 64);
    let rank = before[word] + (inner[word] & ((1 << bit) - 1)).count_ones() as usize;
    (inner[word] >> bit & 1 == 1).then_some(2 * rank + 1)
}

fn run() {
    let mut input = String::new();
    std::io::stdin().read_to_string(&mut input).expect("text");
    let mut lines = input.lines();
    let mut line = || lines.next().expect("a line").trim();
    let terms = products(line().parse().expect("a rule"));
    let mut reader = Reader { text: line().as_bytes(), nodes: Vec::new() };
    reader.tree(0);
    reader.nodes.sort_by_key(|node| node.0);
    let words = reader.nodes.len().div_ceil(64);
    let (mut inner, mut state, mut before) = (vec![0; words], vec![0; words + 3], vec![0; words]);
    for (node, &(_, branch, alive)) in reader.nodes.iter().enumerate() {
        inner[node / 64] |= u64::from(branch) << (node % 64);
        state[node / 64] |= u64::from(alive) << (node % 64);
    }
    for word in 1..words {
        before[word] = before[word - 1] + inner[word - 1].count_ones() as usize;
    }
    let steps: Vec<_> = inner.iter().map(|&mask| steps(mask)).collect();
    let count: usize = line().parse().expect("a number");
    let (mut clock, mut queries) = (0, Vec::new());
    for number in 0..count {
        let (step, path) = line().split_once('[').expect("a path");
        clock += step.trim().parse::<i64>().expect("a number");
        let turns = path.bytes().filter(|turn| matches!(turn, b'<' | b'>'));
        let right = |turn| usize::from(turn == b'>');
        let node = turns.fold(0, |node, turn| {
            child(&inner, &before, node).map_or(node, |left| left + right(turn))
        });
        queries.push((clock, number, node));
    }
    queries.sort_unstable();
    let (mut now, mut answers, mut kept) = (0, vec!["."; count], vec![0; words / 2 + 3]);
    for (clock, number, node) in queries {
        while now < clock {
            sweep(&inner, &before, &steps, &terms, &mut state, &mut kept);
            now += 1;
        }
        if state[node / 64] >> (node % 64) & 1 == 1 {
            answers[number] = "X";
        }
    }
    println!("{}", answers.join("\n"));
}

fn main() {
    let thread = std::thread::Builder::new().stack_size(8 << 20).spawn(run);
    thread.expect("a thread").join().expect("an answer");
}
