//! Kills a program whose standard output would become longer than the kernel permits any file: at once, far beyond its end.
//!
//! Such a call would fail, and leave no trace in the file from which the judge could learn that there was too much output.
//! The limit is that of the kernel for the process, so no other call on any file is affected. Only the descriptor with the
//! number of standard output is watched.

use libc::{
    BPF_ABS, BPF_ADD, BPF_ALU, BPF_JEQ, BPF_JGT, BPF_JMP, BPF_JSET, BPF_K, BPF_LD, BPF_MISC,
    BPF_RET, BPF_TAX, BPF_W, BPF_X, c_long, sock_filter,
};

/// The number of instructions.
pub(super) const LENGTH: usize = 40;

/// Offsets in `struct seccomp_data`.
const NUMBER: u32 = 0;
const ARCHITECTURE: u32 = 4;
const ARGUMENTS: u32 = 16;

/// The descriptor of standard output.
const STDOUT: u32 = 1;
/// The upper half of a number below zero has this bit.
const NEGATIVE: u32 = 1 << 31;

/// The instructions where the parts of the program start.
const SECOND_ARGUMENT: usize = 9;
const FOURTH_ARGUMENT: usize = 17;
const BOTH: usize = 25;
const KILL: usize = LENGTH - 1;
/// The program that follows this one.
const PASS: usize = LENGTH;

/// Instructions in front of a filter for calls of this `architecture`, of a process whose files have at most `longest`
/// bytes.
///
/// The number of the call comes first: the kernel remembers calls whose arguments a filter does not read, and no filter
/// runs for them.
pub(super) fn program(architecture: u32, longest: u64) -> [sock_filter; LENGTH] {
    let [high, low] = halves(longest);
    let last = halves(longest.saturating_sub(1));
    // The sum of two lower halves says nothing about such a limit.
    let sum = if high == 0 { low } else { u32::MAX };
    let is_call = |at, number: c_long, yes| {
        let number = u32::try_from(number).unwrap_or(u32::MAX);
        jump(at, BPF_JEQ, number, yes, at + 1)
    };
    let mut all = [statement(BPF_RET | BPF_K, libc::SECCOMP_RET_KILL_PROCESS); LENGTH];
    all[..SECOND_ARGUMENT].copy_from_slice(&[
        load(ARCHITECTURE),
        jump(1, BPF_JEQ, architecture, 2, PASS),
        load(NUMBER),
        is_call(3, libc::SYS_ftruncate, SECOND_ARGUMENT),
        is_call(4, libc::SYS_lseek, SECOND_ARGUMENT),
        is_call(5, libc::SYS_pwrite64, FOURTH_ARGUMENT),
        is_call(6, libc::SYS_pwritev, FOURTH_ARGUMENT),
        is_call(7, libc::SYS_pwritev2, FOURTH_ARGUMENT),
        jump(8, BPF_JEQ, fallocate(), BOTH, PASS),
    ]);
    let second = above(SECOND_ARGUMENT, 1, [high, low]);
    all[SECOND_ARGUMENT..FOURTH_ARGUMENT].copy_from_slice(&second);
    all[FOURTH_ARGUMENT..BOTH].copy_from_slice(&above(FOURTH_ARGUMENT, 3, last));
    all[BOTH..KILL].copy_from_slice(&[
        load(lower(0)),
        jump(BOTH + 1, BPF_JEQ, STDOUT, BOTH + 2, PASS),
        load(upper(2)),
        jump(BOTH + 3, BPF_JSET, NEGATIVE, PASS, BOTH + 4),
        jump(BOTH + 4, BPF_JGT, high, KILL, BOTH + 5),
        load(upper(3)),
        jump(BOTH + 6, BPF_JSET, NEGATIVE, PASS, BOTH + 7),
        jump(BOTH + 7, BPF_JGT, high, KILL, BOTH + 8),
        load(lower(2)),
        jump(BOTH + 9, BPF_JGT, sum, KILL, BOTH + 10),
        statement(BPF_MISC | BPF_TAX, 0),
        load(lower(3)),
        statement(BPF_ALU | BPF_ADD | BPF_X, 0),
        jump(BOTH + 13, BPF_JGT, sum, KILL, PASS),
    ]);
    all
}

/// The instructions from `at` on that kill if this argument of a call on standard output is above the limit.
fn above(at: usize, argument: u32, [high, low]: [u32; 2]) -> [sock_filter; 8] {
    [
        load(lower(0)),
        jump(at + 1, BPF_JEQ, STDOUT, at + 2, PASS),
        load(upper(argument)),
        jump(at + 3, BPF_JSET, NEGATIVE, PASS, at + 4),
        jump(at + 4, BPF_JGT, high, KILL, at + 5),
        jump(at + 5, BPF_JEQ, high, at + 6, PASS),
        load(lower(argument)),
        jump(at + 7, BPF_JGT, low, KILL, PASS),
    ]
}

fn fallocate() -> u32 {
    u32::try_from(libc::SYS_fallocate).unwrap_or(u32::MAX)
}

/// The upper and the lower half.
fn halves(number: u64) -> [u32; 2] {
    [number >> 32, number & u64::from(u32::MAX)].map(|half| u32::try_from(half).unwrap_or(u32::MAX))
}

/// The offset of the lower half of an argument; both architectures store it first.
fn lower(argument: u32) -> u32 {
    ARGUMENTS + 8 * argument
}

fn upper(argument: u32) -> u32 {
    lower(argument) + 4
}

/// The instruction `at` that jumps to one of two others.
fn jump(at: usize, kind: u32, value: u32, if_true: usize, if_false: usize) -> sock_filter {
    let distance = |to: usize| u8::try_from(to.saturating_sub(at + 1)).unwrap_or(u8::MAX);
    sock_filter {
        jt: distance(if_true),
        jf: distance(if_false),
        ..statement(BPF_JMP | kind | BPF_K, value)
    }
}

fn load(offset: u32) -> sock_filter {
    statement(BPF_LD | BPF_W | BPF_ABS, offset)
}

fn statement(code: u32, k: u32) -> sock_filter {
    sock_filter { code: u16::try_from(code).unwrap_or(u16::MAX), jt: 0, jf: 0, k }
}
