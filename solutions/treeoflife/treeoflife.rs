//! The Tree of Life (HackerRank): an automaton on a binary tree, whose rule maps the states of
//! a node's parent, its left child, the node itself and its right child to the node's next state.
//!
//! Idea: number the nodes breadth-first from 0, and pack the states of 64 nodes into a word. The
//! children of inner node j (counted from 0) are nodes 2j+1 and 2j+2, whatever the shape of the tree.
//! So the parents of the 64 nodes are at most 33 consecutive inner nodes: take their states from a
//! packed list and double each bit. The children of the 64 nodes are at most 128 consecutive nodes:
//! separate the left ones (odd numbers) from the right ones (even numbers), and move their bits to the
//! positions of the inner nodes. The rule becomes a sum of products of its four inputs, so that bit
//! operations apply it to 64 nodes at once. One sweep computes a generation in place: it has not yet
//! reached the children, and it saves the old states of the inner nodes for their children.
//!
//! The program reads all queries and answers them in the order of their clock, so it never computes a
//! generation again to go back in time. To find a repetition, it stores one earlier generation (Brent's
//! algorithm). After a repetition, it reduces the remaining clocks by the period.
//!
//! Time O(bytes + nodes × generations / 64), memory O(bytes); no recursion.

use std::io::{self, Read, Write};
use std::process::ExitCode;

const MAX_NODES: usize = 1_000_000;
const MAX_WORK: u64 = 2_000_000_000;
const EVEN: u64 = 0x5555_5555_5555_5555;

/// The shape of the tree. Nodes are numbered breadth-first.
pub struct Tree {
    nodes: usize,
    /// Bit i of word w: node 64w + i is an inner node.
    inner: Vec<u64>,
    /// The number of inner nodes before each word.
    before: Vec<u32>,
    /// For each word, the masks of `compress` and `expand` for its inner nodes.
    steps: Vec<[u64; 6]>,
}

/// A tree with the states of its nodes, 64 per word. Words at the end let the sweep read ahead.
pub struct Forest {
    tree: Tree,
    state: Vec<u64>,
    /// The old states of the inner nodes in order, from bit 1 on. Bit 0 is the root's missing parent.
    parents: Vec<u64>,
}

struct Query {
    clock: u64,
    node: usize,
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

/// Computes one generation. `compress` and `expand` get the number of a word and use its inner nodes.
#[inline(always)]
fn sweep(
    forest: &mut Forest,
    terms: &[u64; 16],
    compress: impl Fn(&Tree, usize, u64) -> u64,
    expand: impl Fn(&Tree, usize, u64) -> u64,
    (halve, double): (impl Fn(u64) -> u64, impl Fn(u64) -> u64),
) {
    let Forest { tree, state, parents } = forest;
    parents[0] = 0;
    for (word, &before) in tree.before.iter().enumerate() {
        let cell = state[word];
        // Save the old states of this word's inner nodes, before a child in this word needs them.
        let (at, shift) = ((before as usize + 1) / 64, (before + 1) % 64);
        let kept = compress(tree, word, cell);
        parents[at] |= kept << shift;
        parents[at + 1] = (kept >> 1) >> (63 - shift);
        let low = parents[word / 2] >> (word % 2 * 32) & 0xFFFF_FFFF;
        let high = parents[word.div_ceil(2)] >> ((word + 1) % 2 * 32);
        let parent = double(low) >> 1 | high << 63;
        // The first child is node 2 × before + 1: an odd shift, never 0 or 64.
        let first = 2 * before as usize + 1;
        let (at, shift) = (first / 64, first % 64);
        let near = state[at] >> shift | state[at + 1] << (64 - shift);
        let far = state[at + 1] >> shift | state[at + 2] << (64 - shift);
        let left = expand(tree, word, halve(near) | halve(far) << 32);
        let right = expand(tree, word, halve(near >> 1) | halve(far >> 1) << 32);
        // The bits of a product's index: 8 parent, 4 left child, 2 the node itself, 1 right child.
        let pair = |k: usize| terms[k] ^ (terms[k + 1] & right);
        let four = |k: usize| pair(k) ^ (pair(k + 2) & cell);
        let eight = |k: usize| four(k) ^ (four(k + 4) & left);
        state[word] = eight(0) ^ (eight(8) & parent);
    }
    // The bits after the last node must stay 0, so that generations can be compared.
    let words = tree.before.len();
    state[words - 1] &= !0 >> (words * 64 - tree.nodes);
}

fn sweep_anywhere(forest: &mut Forest, terms: &[u64; 16]) {
    let small = |tree: &Tree, word: usize, x| compress(x, tree.inner[word], &tree.steps[word]);
    let large = |tree: &Tree, word: usize, x| expand(x, tree.inner[word], &tree.steps[word]);
    sweep(forest, terms, small, large, (halve, double));
}

/// The same with the processor's instructions PEXT and PDEP.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi2")]
fn sweep_bmi2(forest: &mut Forest, terms: &[u64; 16]) {
    use std::arch::x86_64::{_pdep_u64, _pext_u64};
    let small = |tree: &Tree, word: usize, x| _pext_u64(x, tree.inner[word]);
    let large = |tree: &Tree, word: usize, x| _pdep_u64(x, tree.inner[word]);
    sweep(forest, terms, small, large, (|x| _pext_u64(x, EVEN), |x| _pdep_u64(x, EVEN) * 3));
}

/// Whether this processor has PEXT and PDEP (BMI2).
pub fn has_instructions() -> bool {
    #[cfg(target_arch = "x86_64")]
    return std::arch::is_x86_feature_detected!("bmi2");
    #[cfg(not(target_arch = "x86_64"))]
    return false;
}

impl Forest {
    /// Builds the tree from its nodes in the order of the text (from left to right), each given as
    /// depth × 4 + inner × 2 + alive. A stable sort by depth makes the order breadth-first.
    fn new(text_order: &[u32], depths: usize) -> Forest {
        let nodes = text_order.len();
        let mut next = vec![0usize; depths + 1];
        for &node in text_order {
            next[node as usize / 4 + 1] += 1;
        }
        for depth in 0..depths {
            next[depth + 1] += next[depth];
        }
        let words = nodes.div_ceil(64);
        let (mut inner, mut state) = (vec![0u64; words], vec![0u64; words + 3]);
        for &node in text_order {
            let at = &mut next[node as usize / 4];
            inner[*at / 64] |= u64::from(node >> 1 & 1) << (*at % 64);
            state[*at / 64] |= u64::from(node & 1) << (*at % 64);
            *at += 1;
        }
        let mut before = vec![0; words];
        for word in 1..words {
            before[word] = before[word - 1] + inner[word - 1].count_ones();
        }
        let steps = inner.iter().map(|&word| steps(word)).collect();
        Forest {
            tree: Tree { nodes, inner, before, steps },
            state,
            parents: vec![0; words / 2 + 3],
        }
    }

    /// Advances by one generation, with PEXT and PDEP if `fast`.
    fn advance(&mut self, terms: &[u64; 16], fast: bool) {
        #[cfg(target_arch = "x86_64")]
        if fast {
            // SAFETY: `fast` is true only if `has_instructions` finds BMI2 on this processor.
            return unsafe { sweep_bmi2(self, terms) };
        }
        let _ = fast;
        sweep_anywhere(self, terms);
    }
}

impl Tree {
    /// The left child of an inner node, which the right child follows; `None` for a leaf.
    fn child(&self, node: usize) -> Option<usize> {
        let (word, bit) = (node / 64, node % 64);
        let below = self.inner[word] & ((1 << bit) - 1);
        let rank = self.before[word] as usize + below.count_ones() as usize;
        (self.inner[word] >> bit & 1 == 1).then_some(2 * rank + 1)
    }
}

/// What a byte does in the text of a tree.
#[derive(Clone, Copy)]
struct Token {
    /// Bit n is set if it may follow n complete parts of a parenthesis.
    follows: u8,
    /// 1 for a node that is alive.
    alive: u32,
    /// 1 for a node.
    nodes: usize,
    /// How the number of open parentheses changes.
    opens: isize,
    /// All ones if the parenthesis of the byte before stays the innermost open one, otherwise 0.
    same: u8,
    /// All ones if the parenthesis around it becomes the innermost open one, otherwise 0.
    outer: u8,
    /// The number of parts that it completes there.
    parts: u8,
}

const TOKENS: [Token; 256] = {
    let none = Token { follows: 0, alive: 0, nodes: 0, opens: 0, same: 0, outer: 0, parts: 0 };
    let blank = Token { follows: 0b1111, same: !0, ..none };
    let dead = Token { follows: 0b0111, nodes: 1, parts: 1, same: !0, ..none };
    let mut tokens = [none; 256];
    tokens[b'(' as usize] = Token { follows: 0b0101, opens: 1, ..none };
    tokens[b')' as usize] = Token { follows: 0b1000, opens: -1, outer: !0, parts: 1, ..none };
    tokens[b'.' as usize] = dead;
    tokens[b'X' as usize] = Token { alive: 1, ..dead };
    tokens[b' ' as usize] = blank;
    tokens[b'\n' as usize] = blank;
    tokens[b'\r' as usize] = blank;
    tokens[b'\t' as usize] = blank;
    tokens
};

struct Parser<'a> {
    text: &'a [u8],
    at: usize,
}

impl Parser<'_> {
    /// Skips blanks and returns the next byte, without consuming it.
    fn peek(&mut self) -> Option<u8> {
        while matches!(self.text.get(self.at), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.at += 1;
        }
        self.text.get(self.at).copied()
    }

    fn error(&self, what: &str) -> String {
        let at = self.at.min(self.text.len());
        let line = 1 + self.text[..at].iter().filter(|&&b| b == b'\n').count();
        let column = 1 + self.text[..at].iter().rev().take_while(|&&b| b != b'\n').count();
        match self.text.get(at) {
            Some(byte) => format!(
                "line {line}, column {column}: found `{}` instead of {what}",
                byte.escape_ascii()
            ),
            None => format!("line {line}: the input ends before {what}"),
        }
    }

    fn number(&mut self, what: &str, low: i64, high: i64) -> Result<i64, String> {
        self.peek();
        let start = self.at;
        let rest = &self.text[start..];
        let sign = usize::from(rest.first() == Some(&b'-'));
        let digits = rest[sign..].iter().take_while(|b| b.is_ascii_digit()).count();
        let value = std::str::from_utf8(&rest[..sign + digits])
            .ok()
            .and_then(|word| word.parse::<i64>().ok());
        match value {
            Some(value) if (low..=high).contains(&value) => {
                self.at = start + sign + digits;
                Ok(value)
            }
            _ => Err(self.error(&format!("{what} from {low} to {high}"))),
        }
    }

    /// Reads the tree. Returns its nodes in the form that `Forest::new` expects, and the number of
    /// levels.
    ///
    /// In a random tree, the processor cannot guess a byte from those before it. Therefore no branch of
    /// the loop depends on which byte it is, except at errors and at the end.
    fn tree(&mut self) -> Result<(Vec<u32>, usize), String> {
        let text = &self.text[self.at..];
        // One node or parenthesis too many is found only after it was written, one place ahead.
        let room = text.len().min(MAX_NODES) + 3;
        let (mut nodes, mut count) = (vec![0; room], 0);
        // The number of complete parts in the innermost open parenthesis, and in those around it.
        let (mut part, mut around) = (0, vec![0; room]);
        let (mut read, mut open, mut depths) = (0, 0, 0);
        for &byte in text {
            let token = &TOKENS[byte as usize];
            if token.follows >> part & 1 == 0 {
                break;
            }
            let inner = usize::from(part & 1);
            // If this byte is no node, the next node overwrites it.
            nodes[count] = ((open - inner) * 4 + inner * 2) as u32 + token.alive;
            count += token.nodes;
            around[open + 1] = part;
            part = (part & token.same) + (around[open] & token.outer) + token.parts;
            open = open.wrapping_add_signed(token.opens);
            depths = depths.max(open);
            if count.max(open) > MAX_NODES {
                break;
            }
            read += 1;
            if open == 0 && part == 1 {
                break;
            }
        }
        self.at += read;
        if count.max(open) > MAX_NODES {
            return Err(self.error(&format!("a tree of at most {MAX_NODES} nodes")));
        }
        if open > 0 || part == 0 {
            return Err(self.error(match part {
                1 => "the branch's own `X` or `.`",
                3 => "`)`",
                _ => "a tree: `X`, `.` or `(`",
            }));
        }
        nodes.truncate(count);
        Ok((nodes, depths + 1))
    }

    fn queries(&mut self, tree: &Tree) -> Result<Vec<Query>, String> {
        if matches!(self.peek(), Some(b'X' | b'.' | b'(' | b')')) {
            return Err(self.error(
                "the number of queries: the tree is complete, or lacks its outer parentheses",
            ));
        }
        let count = self.number("the number of queries", 1, 1100)?;
        let mut clock = 0;
        let mut queries = Vec::new();
        for _ in 0..count {
            clock += self.number("a query's steps in time", -1000, 1000)?;
            if clock < 0 {
                return Err(self.error("a clock that is not below 0"));
            }
            if self.peek() != Some(b'[') {
                return Err(self.error("`[`"));
            }
            self.at += 1;
            queries.push(Query { clock: clock as u64, node: self.path(tree)? });
        }
        match self.peek() {
            None => Ok(queries),
            Some(_) => Err(self.error("the end of the input")),
        }
    }

    /// Reads a path and returns the node at its end, or the leaf at which it stops.
    fn path(&mut self, tree: &Tree) -> Result<usize, String> {
        let mut node = 0;
        loop {
            let right = match self.peek() {
                Some(b'<') => 0,
                Some(b'>') => 1,
                Some(b']') => {
                    self.at += 1;
                    return Ok(node);
                }
                _ => return Err(self.error("`<`, `>` or `]`")),
            };
            self.at += 1;
            node = tree.child(node).map_or(node, |left| left + right);
        }
    }
}

/// Simulates the tree and answers each query in its generation.
fn answer(forest: &mut Forest, rule: u16, fast: bool, queries: &[Query]) -> Vec<u8> {
    let terms = products(rule);
    let mut order: Vec<usize> = (0..queries.len()).collect();
    order.sort_by_key(|&i| queries[i].clock);
    let mut answers = vec![b'.'; queries.len()];
    let mut due = order.as_slice();
    let (mut clock, mut anchor, mut anchor_clock) = (0, forest.state.clone(), 0);
    let mut later: Vec<(u64, usize)> = Vec::new();
    let mut show = |forest: &Forest, i: usize| {
        let node = queries[i].node;
        answers[i] = if forest.state[node / 64] >> (node % 64) & 1 == 1 { b'X' } else { b'.' };
    };
    while let Some((&i, rest)) = due.split_first() {
        if queries[i].clock == clock {
            show(forest, i);
            due = rest;
            continue;
        }
        forest.advance(&terms, fast);
        clock += 1;
        if forest.state == anchor {
            let period = clock - anchor_clock;
            later.extend(due.iter().map(|&i| ((queries[i].clock - clock) % period, i)));
            break;
        }
        if clock == 2 * anchor_clock + 1 {
            anchor.copy_from_slice(&forest.state);
            anchor_clock = clock;
        }
    }
    later.sort_unstable();
    let mut lived = 0;
    for (rest, i) in later {
        while lived < rest {
            forest.advance(&terms, fast);
            lived += 1;
        }
        show(forest, i);
    }
    answers
}

/// Reads the rule, the tree and the queries. Returns the answers, one per line.
pub fn solve(input: &[u8]) -> Result<Vec<u8>, String> {
    solve_with(input, has_instructions())
}

/// The same, with PEXT and PDEP if `fast`. The answers are the same in both cases.
pub fn solve_with(input: &[u8], fast: bool) -> Result<Vec<u8>, String> {
    let mut parser = Parser { text: input, at: 0 };
    let rule = parser.number("a rule", 0, 65535)? as u16;
    let (nodes, depths) = parser.tree()?;
    let mut forest = Forest::new(&nodes, depths);
    drop(nodes);
    let queries = parser.queries(&forest.tree)?;
    let generations = queries.iter().map(|query| query.clock).max().unwrap_or(0);
    if forest.tree.nodes as u64 * generations > MAX_WORK {
        return Err(format!(
            "{} nodes over {generations} generations are more than {MAX_WORK}",
            forest.tree.nodes
        ));
    }
    let answers = answer(&mut forest, rule, fast, &queries);
    Ok(answers.iter().flat_map(|&answer| [answer, b'\n']).collect())
}

fn main() -> ExitCode {
    let mut input = Vec::new();
    let read = io::stdin()
        .lock()
        .read_to_end(&mut input)
        .map_err(|error| format!("reading the input: {error}"));
    let answer = read.and_then(|_| solve(&input));
    match answer.and_then(|text| {
        io::stdout().write_all(&text).map_err(|error| format!("writing the answer: {error}"))
    }) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}
