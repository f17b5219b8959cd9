//! Builds a filter program from rules: a balanced decision tree over the numbers of calls. A call passes a number of
//! instructions that is logarithmic in the number of rules.
//!
//! The kernel runs classic BPF over `struct seccomp_data` (`seccomp(2)`): one accumulator, loads at fixed offsets, and
//! forward jumps only. Conditional jumps reach 255 instructions; longer ones use an unconditional jump.

use libc::{BPF_ABS, BPF_ALU, BPF_AND, BPF_JA, BPF_JEQ, BPF_JGE, BPF_JMP, BPF_K, BPF_LD, BPF_RET};
use libc::{BPF_W, sock_filter};

/// Offsets in `struct seccomp_data`.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const ARGUMENTS: u32 = 16;

/// The result of a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallAction {
    /// The kernel executes it.
    Allow,
    /// It fails with this error. With 0, it succeeds without effect.
    Errno(i32),
}

/// The rule for the calls of one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CallRule {
    /// The same result for all.
    Always(CallAction),
    /// One result if `all` tests hold, otherwise another.
    If { all: &'static [ArgumentTest], then: CallAction, otherwise: CallAction },
}

/// Holds if the lower half of an argument, masked, is one of `values`. The kernel itself reads only 32 bits of process
/// numbers, commands, flags of clone and the like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ArgumentTest {
    pub(super) argument: u8,
    pub(super) mask: u32,
    pub(super) values: &'static [u32],
}

impl CallAction {
    /// What the filter returns for it.
    pub(super) fn code(self) -> u32 {
        match self {
            Self::Allow => libc::SECCOMP_RET_ALLOW,
            Self::Errno(errno) => {
                libc::SECCOMP_RET_ERRNO | (errno.cast_unsigned() & libc::SECCOMP_RET_DATA)
            }
        }
    }
}

/// The filter for processors of this `architecture` (`AUDIT_ARCH_*`). Calls of another architecture get `unknown`, and
/// so does every number without a rule. The first of several rules for a number counts.
pub(super) fn compile(
    architecture: u32,
    rules: &[(u32, CallRule)],
    unknown: CallAction,
) -> Vec<sock_filter> {
    let mut program = BackwardProgram::default();
    let root = program.tree(&segments(rules, unknown));
    program.reach(root);
    let numbers = program.push(load(NUMBER));
    let foreign = program.finish(unknown);
    program.branch(BPF_JEQ, architecture, numbers, foreign);
    program.push(load(ARCHITECTURE));
    program.reversed.reverse();
    program.reversed
}

/// The whole range of numbers in pieces: each reaches from its number to that of the next piece.
pub(super) fn segments(rules: &[(u32, CallRule)], unknown: CallAction) -> Vec<(u32, CallRule)> {
    let mut sorted = rules.to_vec();
    sorted.sort_by_key(|&(number, _)| number);
    sorted.dedup_by_key(|&mut (number, _)| number);
    let unknown = CallRule::Always(unknown);
    let mut segments: Vec<(u32, CallRule)> = Vec::new();
    let mut add = |from, rule| {
        if segments.last().is_none_or(|&(_, last)| last != rule) {
            segments.push((from, rule));
        }
    };
    let mut next = 0;
    for (number, rule) in sorted {
        if number > next {
            add(next, unknown);
        }
        add(number, rule);
        next = number.saturating_add(1);
    }
    add(next, unknown);
    segments
}

/// The greatest distance of a conditional jump.
const FARTHEST: usize = 255;

/// A program that is written from its end to its start, because jumps only go forward: the target of a jump is written
/// before the jump. Jumps share the instructions that end the program. The kernel translates the whole filter at the
/// start of each run, so its length counts.
#[derive(Debug, Default)]
struct BackwardProgram {
    reversed: Vec<sock_filter>,
    /// The last instruction for each action, as an index into `reversed`.
    ends: Vec<(CallAction, usize)>,
}

impl BackwardProgram {
    /// Returns the index of the instruction.
    fn push(&mut self, instruction: sock_filter) -> usize {
        self.reversed.push(instruction);
        self.reversed.len() - 1
    }

    /// The distance of a jump to `target` after `more` further instructions.
    fn distance(&self, target: usize, more: usize) -> usize {
        self.reversed.len() + more - target - 1
    }

    /// Makes sure that a conditional jump can reach `target` after `more` further instructions.
    fn near(&mut self, target: usize, more: usize) -> usize {
        if self.distance(target, more) <= FARTHEST {
            return target;
        }
        self.reach_by_jump(target)
    }

    fn reach_by_jump(&mut self, target: usize) -> usize {
        let over = u32::try_from(self.distance(target, 0))
            .expect("the kernel takes 4096 instructions at most");
        self.push(statement(BPF_JMP | BPF_JA, over))
    }

    /// Makes sure that the instruction written next is followed by `target`.
    fn reach(&mut self, target: usize) {
        if self.distance(target, 0) > 0 {
            self.reach_by_jump(target);
        }
    }

    /// The instruction that ends the program with `action`. It is near enough for a jump that follows at once.
    fn finish(&mut self, action: CallAction) -> usize {
        let known = self.ends.iter().find(|&&(one, _)| one == action);
        if let Some(&(_, index)) = known.filter(|&&(_, index)| self.distance(index, 2) <= FARTHEST)
        {
            return index;
        }
        self.ends.retain(|&(one, _)| one != action);
        let index = self.push(statement(BPF_RET | BPF_K, action.code()));
        self.ends.push((action, index));
        index
    }

    /// Compares the accumulator with `value`.
    fn branch(&mut self, kind: u32, value: u32, if_true: usize, if_false: usize) -> usize {
        let if_true = self.near(if_true, 1);
        let if_false = self.near(if_false, 0);
        let near = |distance| u8::try_from(distance).expect("it is near");
        let (jt, jf) = (self.distance(if_true, 0), self.distance(if_false, 0));
        self.push(sock_filter {
            jt: near(jt),
            jf: near(jf),
            ..statement(BPF_JMP | kind | BPF_K, value)
        })
    }

    /// Halves the list of pieces until one is left.
    fn tree(&mut self, segments: &[(u32, CallRule)]) -> usize {
        if let [(_, rule)] = segments {
            return self.leaf(*rule);
        }
        let (low, high) = segments.split_at(segments.len() / 2);
        let (from, high) = (high[0].0, self.tree(high));
        let low = self.tree(low);
        self.branch(BPF_JGE, from, high, low)
    }

    fn leaf(&mut self, rule: CallRule) -> usize {
        let (all, then, otherwise) = match rule {
            CallRule::Always(action) => return self.finish(action),
            CallRule::If { all, then, otherwise } => (all, then, otherwise),
        };
        let mut next = self.finish(then);
        for test in all.iter().rev() {
            let mut fails = self.finish(otherwise);
            for &value in test.values.iter().rev() {
                fails = self.branch(BPF_JEQ, value, next, fails);
            }
            self.reach(fails);
            if test.mask != u32::MAX {
                self.push(statement(BPF_ALU | BPF_AND | BPF_K, test.mask));
            }
            next = self.push(load(ARGUMENTS + 8 * u32::from(test.argument)));
        }
        next
    }
}

fn load(offset: u32) -> sock_filter {
    statement(BPF_LD | BPF_W | BPF_ABS, offset)
}

fn statement(code: u32, k: u32) -> sock_filter {
    let code = u16::try_from(code).expect("codes have 16 bits");
    sock_filter { code, jt: 0, jf: 0, k }
}
