//! Klotski: the fewest slides that bring a block to its goal.
//!
//! WRONG ANSWER: remembers only a hash of 32 bits for each position, so it misses a few positions.
//! Caught by `worst/colliding-hashes`, where every shortest path leads through such a position.
//! Time O(positions × blocks × cells), memory O(positions × blocks).

use std::collections::HashSet;

/// The corner of every block, as 9 × (row + 1) + column.
type State = Vec<u8>;
/// `false` for the target, which sorts first; the cells as bits from the corner on; corner; label.
type Block = (bool, u128, u8, String);

/// Reads the blocks (sorted), the cells around the board and the goal of the target.
fn read() -> (Vec<Block>, u128, u8) {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let mut words = text.split_whitespace();
    let mut next = || words.next().unwrap();
    let (rows, cols): (u8, u8) = (next().parse().unwrap(), next().parse().unwrap());
    let (mut walls, mut found): (u128, Vec<(&str, Vec<u8>)>) = (!0, Vec::new());
    for cell in (0..rows * cols).map(|place| 9 * (place / cols + 1) + place % cols) {
        walls &= !(1 << cell);
        let word = next();
        match found.iter_mut().find(|block| block.0 == word) {
            Some(block) => block.1.push(cell),
            None if word.bytes().all(|letter| letter == b'.') => {}
            None => found.push((word, vec![cell])),
        }
    }
    let target = next();
    let goal = 9 * (next().parse::<u8>().unwrap() + 1) + next().parse::<u8>().unwrap();
    let mut blocks: Vec<Block> = Vec::new();
    for (label, cells) in found {
        let left = cells.iter().map(|cell| cell % 9).min().unwrap();
        let corner = cells[0] / 9 * 9 + left;
        let bits = cells.iter().map(|cell| 1 << (cell - corner));
        let block = (label != target, bits.sum(), corner, label.to_string());
        let place = blocks.iter().filter(|other| **other < block).count();
        blocks.insert(place, block);
    }
    (blocks, walls, goal)
}

/// A key that is the same for positions that differ only by an exchange of blocks of one shape.
fn key(blocks: &[Block], state: &State) -> State {
    let mut key = state.clone();
    let like = |at: usize| (blocks[at - 1].0, blocks[at - 1].1) == (blocks[at].0, blocks[at].1);
    while let Some(at) = (1..key.len()).find(|&at| like(at) && key[at - 1] > key[at]) {
        key.swap(at - 1, at);
    }
    key
}

/// FNV-1a over the label and the corner of every block.
fn hash(blocks: &[Block], state: &State) -> u32 {
    let add = |hash: u32, byte: u8| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
    let named = blocks.iter().zip(key(blocks, state));
    named.fold(0x811c_9dc5, |hash, (block, corner)| add(block.3.bytes().fold(hash, add), corner))
}

/// The corners that a block can reach in one slide.
fn slides(blocks: &[Block], walls: u128, state: &State, block: usize) -> Vec<u8> {
    let cells = |other: usize| blocks[other].1 << state[other];
    let all = (0..state.len()).fold(walls, |all, other| all | cells(other));
    let taken = all ^ cells(block);
    let (mut reached, mut next) = (vec![state[block]], 0);
    while next < reached.len() {
        let at = reached[next];
        for to in [at - 9, at + 9, at - 1, at + 1] {
            if (blocks[block].1 << to) & taken == 0 && !reached.contains(&to) {
                reached.push(to);
            }
        }
        next += 1;
    }
    reached.split_off(1)
}

/// Prints the slides to a position.
fn print(blocks: &[Block], states: &[(State, usize, usize)], mut at: usize) {
    let place = |corner: u8| format!("({},{})", corner / 9 - 1, corner % 9);
    let mut lines = Vec::new();
    while at > 0 {
        let (after, before, block) = &states[at];
        let (from, to) = (states[*before].0[*block], after[*block]);
        let label = &blocks[*block].3;
        lines.push(format!("{label} {} {}", place(from), place(to)));
        at = *before;
    }
    println!("{}", lines.len());
    lines.iter().rev().for_each(|line| println!("{line}"));
}

fn main() {
    let (blocks, walls, goal) = read();
    let start: State = blocks.iter().map(|block| block.2).collect();
    let mut seen = HashSet::from([hash(&blocks, &start)]);
    // Each position, the index of the position before it, and the block that moved.
    let mut states = vec![(start, 0, 0)];
    let mut next = 0;
    while next < states.len() {
        let mut state = states[next].0.clone();
        if state[0] == goal {
            return print(&blocks, &states, next);
        }
        for block in 0..state.len() {
            for to in slides(&blocks, walls, &state, block) {
                let from = std::mem::replace(&mut state[block], to);
                if seen.insert(hash(&blocks, &state)) {
                    states.push((state.clone(), next, block));
                }
                state[block] = from;
            }
        }
        next += 1;
    }
    println!("-1");
}
