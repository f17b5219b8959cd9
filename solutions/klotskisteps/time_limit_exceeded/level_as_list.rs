//! Klotski, Step by Step: the fewest steps to the goal, and the figures of the whole puzzle.
//!
//! TIME LIMIT EXCEEDED: keeps the new positions of a level in a list, and searches this list from
//! end to end for each of them. This is fast only if the levels are narrow.
//! Caught by `worst/broad-levels`.
//!
//! Time O(positions × blocks × widest level), memory O(positions × blocks).

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

/// The corners that a block can reach in one step.
fn steps(blocks: &[Block], walls: u128, state: &State, block: usize) -> Vec<u8> {
    let cells = |other: usize| blocks[other].1 << state[other];
    let all = (0..state.len()).fold(walls, |all, other| all | cells(other));
    let (at, taken) = (state[block], all ^ cells(block));
    let mut reached = vec![at - 9, at + 9, at - 1, at + 1];
    reached.retain(|to| (blocks[block].1 << to) & taken == 0);
    reached
}

/// Prints the steps to the first position with the target at its goal.
fn print(blocks: &[Block], goal: u8, states: &[(State, usize, usize)], figures: &str) {
    let Some(mut at) = states.iter().position(|found| found.0[0] == goal) else {
        return println!("-1\n{figures}");
    };
    let mut lines = Vec::new();
    while at > 0 {
        let (after, before, block) = &states[at];
        let way = match after[*block] as i8 - states[*before].0[*block] as i8 {
            -9 => 'U',
            9 => 'D',
            -1 => 'L',
            _ => 'R',
        };
        lines.push(format!("{} {way}", blocks[*block].3));
        at = *before;
    }
    println!("{}\n{figures}", lines.len());
    lines.iter().rev().for_each(|line| println!("{line}"));
}

fn main() {
    let (blocks, walls, goal) = read();
    let start: State = blocks.iter().map(|block| block.2).collect();
    let mut seen = HashSet::from([key(&blocks, &start)]);
    // Each position, the index of the position before it, and the block that moved.
    let mut states = vec![(start, 0, 0)];
    let (mut next, mut deepest, mut widest) = (0, 0, 1);
    loop {
        let (end, mut level) = (states.len(), Vec::new());
        while next < end {
            let mut state = states[next].0.clone();
            for block in 0..state.len() {
                for to in steps(&blocks, walls, &state, block) {
                    let from = std::mem::replace(&mut state[block], to);
                    let key = key(&blocks, &state);
                    if !seen.contains(&key) && !level.contains(&key) {
                        level.push(key);
                        states.push((state.clone(), next, block));
                    }
                    state[block] = from;
                }
            }
            next += 1;
        }
        seen.extend(level);
        if states.len() == end {
            break;
        }
        deepest += 1;
        widest = widest.max(states.len() - end);
    }
    let figures = format!("{} {deepest} {widest}", states.len());
    print(&blocks, goal, &states, &figures);
}
