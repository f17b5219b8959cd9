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
    If {
        all: &'static [ArgumentTest],
        then: CallAction,
        otherwise: CallAction,
    },
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
    let mut program = vec![
        load(ARCHITECTURE),
        jump(BPF_JEQ, architecture, 1, 0),
        finish(unknown),
        load(NUMBER),
    ];
    program.extend(tree(&segments(rules, unknown)));
    program
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

/// Halves the list of pieces until one is left.
fn tree(segments: &[(u32, CallRule)]) -> Vec<sock_filter> {
    if let [(_, rule)] = segments {
        return leaf(*rule);
    }
    let (low, high) = segments.split_at(segments.len() / 2);
    let (from, low, high) = (high[0].0, tree(low), tree(high));
    let mut program = match u8::try_from(low.len()) {
        Ok(over) => vec![jump(BPF_JGE, from, over, 0)],
        Err(_) => vec![jump(BPF_JGE, from, 0, 1), jump_far(low.len())],
    };
    program.extend(low);
    program.extend(high);
    program
}

fn leaf(rule: CallRule) -> Vec<sock_filter> {
    let (all, then, otherwise) = match rule {
        CallRule::Always(action) => return vec![finish(action)],
        CallRule::If {
            all,
            then,
            otherwise,
        } => (all, then, otherwise),
    };
    let mut program = Vec::new();
    for test in all {
        program.push(load(ARGUMENTS + 8 * u32::from(test.argument)));
        if test.mask != u32::MAX {
            program.push(statement(BPF_ALU | BPF_AND | BPF_K, test.mask));
        }
        // Each matching value jumps over the others and over the denial.
        let count = u8::try_from(test.values.len()).expect("a handful of values");
        for (left, &value) in (1..=count).rev().zip(test.values) {
            program.push(jump(BPF_JEQ, value, left, 0));
        }
        program.push(finish(otherwise));
    }
    program.push(finish(then));
    program
}

fn load(offset: u32) -> sock_filter {
    statement(BPF_LD | BPF_W | BPF_ABS, offset)
}

fn finish(action: CallAction) -> sock_filter {
    statement(BPF_RET | BPF_K, action.code())
}

fn jump_far(over: usize) -> sock_filter {
    let over = u32::try_from(over).expect("the kernel takes 4096 instructions at most");
    statement(BPF_JMP | BPF_JA, over)
}

fn jump(kind: u32, k: u32, if_true: u8, if_false: u8) -> sock_filter {
    sock_filter {
        jt: if_true,
        jf: if_false,
        ..statement(BPF_JMP | kind | BPF_K, k)
    }
}

fn statement(code: u32, k: u32) -> sock_filter {
    let code = u16::try_from(code).expect("codes have 16 bits");
    sock_filter {
        code,
        jt: 0,
        jf: 0,
        k,
    }
}
