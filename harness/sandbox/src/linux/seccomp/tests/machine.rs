//! Runs classic BPF as the kernel does for seccomp: enough of it for our programs and for those of the oracle.

use libc::{BPF_ABS, BPF_ALU, BPF_AND, BPF_JA, BPF_JEQ, BPF_JGE, BPF_JGT, BPF_JMP, BPF_JSET};
use libc::{BPF_K, BPF_LD, BPF_RET, BPF_W, sock_filter};

/// What `struct seccomp_data` holds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Call {
    pub(super) number: u32,
    pub(super) architecture: u32,
    pub(super) arguments: [u64; 6],
}

impl Call {
    fn word(self, offset: u32) -> u32 {
        assert_eq!(offset % 4, 0);
        match offset {
            0 => self.number,
            4 => self.architecture,
            // The instruction's address, which no filter here looks at.
            8 | 12 => 0,
            16..64 => {
                let argument = self.arguments[(offset as usize - 16) / 8];
                (argument >> (offset % 8 * 8)) as u32
            }
            _ => panic!("a load at {offset}"),
        }
    }
}

/// What `program` returns for `call`, and how many instructions that took.
pub(super) fn run(program: &[sock_filter], call: Call) -> (u32, usize) {
    let (mut next, mut accumulator) = (0, 0_u32);
    for steps in 1.. {
        let instruction = program[next];
        let k = instruction.k;
        next += 1;
        let jump = |holds: bool| usize::from(if holds { instruction.jt } else { instruction.jf });
        match u32::from(instruction.code) {
            c if c == BPF_LD | BPF_W | BPF_ABS => accumulator = call.word(k),
            c if c == BPF_ALU | BPF_AND | BPF_K => accumulator &= k,
            c if c == BPF_JMP | BPF_JA => next += k as usize,
            c if c == BPF_JMP | BPF_JEQ | BPF_K => next += jump(accumulator == k),
            c if c == BPF_JMP | BPF_JGE | BPF_K => next += jump(accumulator >= k),
            c if c == BPF_JMP | BPF_JGT | BPF_K => next += jump(accumulator > k),
            c if c == BPF_JMP | BPF_JSET | BPF_K => next += jump(accumulator & k != 0),
            c if c == BPF_RET | BPF_K => return (k, steps),
            code => panic!("instruction {code:#x} at {}", next - 1),
        }
    }
    unreachable!("every jump goes forward")
}
