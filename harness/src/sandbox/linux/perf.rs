//! The processor's own count of instructions, of every program that one launcher starts.
//!
//! The counter sits on the launcher, disabled, and is inherited: it starts at a program's exec (so the launcher and the
//! setting up are not in it) and covers everything that the program starts. Counts of processes that have ended are
//! added to it, and no run ends before all its processes are gone; so the difference of two readings is one run's.
//! See `perf_event_open(2)`.

#![expect(unsafe_code, reason = "a system call without a safe wrapper")]

use std::io;
use std::os::fd::{AsFd, FromRawFd, OwnedFd};

use super::runner::Runner;

/// `struct perf_event_attr` as of its first version, which every kernel takes.
#[repr(C)]
#[derive(Default)]
struct Attributes {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup_events: u32,
    breakpoint_kind: u32,
    config1: u64,
}

/// Of [`Attributes`].
const SIZE: u32 = 64;
const HARDWARE: u32 = 0;
const INSTRUCTIONS: u64 = 1;
/// A reading is three numbers: the count, and how long it was wanted and on.
const TOTAL_TIMES: u64 = 1 | 2;
const DISABLED: u64 = 1 << 0;
const INHERIT: u64 = 1 << 1;
const EXCLUDE_KERNEL: u64 = 1 << 5;
const EXCLUDE_HYPERVISOR: u64 = 1 << 6;
const ENABLE_ON_EXEC: u64 = 1 << 12;
const CLOSE_ON_EXEC: libc::c_ulong = 1 << 3;

/// Counts the instructions in user mode of what one [`Runner`] starts; not of what it started before a fault.
#[derive(Debug)]
pub struct InstructionCounter(OwnedFd);

impl Runner {
    /// A counter of instructions, if the machine has one and lets us use it.
    pub fn instruction_counter(&self) -> io::Result<InstructionCounter> {
        let attributes = Attributes {
            kind: HARDWARE,
            size: SIZE,
            config: INSTRUCTIONS,
            read_format: TOTAL_TIMES,
            flags: DISABLED | INHERIT | EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR | ENABLE_ON_EXEC,
            ..Attributes::default()
        };
        let any_cpu: libc::c_int = -1;
        let no_group: libc::c_int = -1;
        // SAFETY: a valid pointer to a structure of the size that is in it; the kernel keeps no pointer.
        let fd = unsafe {
            libc::syscall(
                libc::SYS_perf_event_open,
                &raw const attributes,
                self.launcher(),
                any_cpu,
                no_group,
                CLOSE_ON_EXEC,
            )
        };
        if fd < 0 {
            return Err(io::Error::last_os_error());
        }
        let fd = i32::try_from(fd).map_err(io::Error::other)?;
        // SAFETY: the kernel just made this descriptor, and nobody else owns it.
        Ok(InstructionCounter(unsafe { OwnedFd::from_raw_fd(fd) }))
    }
}

impl InstructionCounter {
    /// Instructions so far. An error, too, if others used the counter and this one was off for a while.
    pub fn read(&self) -> io::Result<u64> {
        let mut bytes = [0; 24];
        let read = rustix::io::read(self.0.as_fd(), &mut bytes)?;
        if read != bytes.len() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let (numbers, _) = bytes.as_chunks::<8>();
        let [count, wanted, on] = [0, 1, 2].map(|at| u64::from_ne_bytes(numbers[at]));
        if wanted != on {
            return Err(io::Error::other("other programs use the counter too"));
        }
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_attributes_are_those_of_the_first_version() {
        assert_eq!(size_of::<Attributes>(), 64);
        assert_eq!(SIZE, 64);
    }
}
