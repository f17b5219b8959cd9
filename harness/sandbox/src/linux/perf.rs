//! Counts the instructions of every program that one launcher starts, with the processor's own counter.
//!
//! The counter is on the launcher, disabled, and inherited: it starts at a program's exec, so it excludes the launcher
//! and the setup, and it includes everything that the program starts. Counts of ended processes are added to it, and no
//! run ends before all its processes have ended. So the difference of two readings is the count of one run. See
//! `perf_event_open(2)`.
//!
//! A waiting process or a fork server that was there before the counter is not counted, nor are the processes of that
//! fork server. So run something else first after creating a counter: another program, or one with another environment.
//! A launcher that replaces a lost one is not counted at all: a run then seems to take no instructions, which is never
//! true.

#![expect(unsafe_code, reason = "a system call without a safe wrapper")]

use std::io;
use std::os::fd::{AsFd, FromRawFd, OwnedFd};

use super::runner::Runner;

/// `struct perf_event_attr` in its first version, which every kernel accepts.
#[repr(C)]
#[derive(Default)]
struct PerfAttributes {
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

/// The counted event.
#[derive(Debug, Clone, Copy)]
struct PerfEvent {
    kind: u32,
    config: u64,
}

/// `PERF_TYPE_HARDWARE`, `PERF_COUNT_HW_INSTRUCTIONS`.
const INSTRUCTIONS: PerfEvent = PerfEvent { kind: 0, config: 1 };

/// `PERF_TYPE_SOFTWARE`, `PERF_COUNT_SW_DUMMY`: nothing.
///
/// Between two tasks whose events are all copies of each other, the kernel swaps the events instead of switching them.
/// A program would then run with the event of the launcher, and its exec would use up what enables that event and every
/// later copy. An additional event that is not inherited prevents this.
const NOTHING: PerfEvent = PerfEvent { kind: 1, config: 9 };

/// Of [`PerfAttributes`].
const SIZE: u32 = 64;
/// A reading has three numbers: the count, and the times for which it was enabled and running.
const TOTAL_TIMES: u64 = 1 | 2;
const DISABLED: u64 = 1 << 0;
const INHERIT: u64 = 1 << 1;
const EXCLUDE_KERNEL: u64 = 1 << 5;
const EXCLUDE_HYPERVISOR: u64 = 1 << 6;
const ENABLE_ON_EXEC: u64 = 1 << 12;
const CLOSE_ON_EXEC: libc::c_ulong = 1 << 3;

/// Counts the instructions in user mode of the programs of one [`Runner`], up to a failure of its launcher.
#[derive(Debug)]
pub struct InstructionCounter {
    counter: OwnedFd,
    /// [`NOTHING`].
    _unlike: OwnedFd,
}

impl Runner {
    /// A counter of instructions, if the machine has one and permits its use.
    pub fn instruction_counter(&self) -> io::Result<InstructionCounter> {
        open(self.launcher(), INSTRUCTIONS)
    }
}

/// A counter of `event` for `launcher` and everything that it starts.
fn open(launcher: libc::pid_t, event: PerfEvent) -> io::Result<InstructionCounter> {
    let never = DISABLED | EXCLUDE_KERNEL | EXCLUDE_HYPERVISOR;
    Ok(InstructionCounter {
        _unlike: open_one(launcher, NOTHING, never)?,
        counter: open_one(launcher, event, never | INHERIT | ENABLE_ON_EXEC)?,
    })
}

fn open_one(launcher: libc::pid_t, event: PerfEvent, flags: u64) -> io::Result<OwnedFd> {
    let attributes = PerfAttributes {
        kind: event.kind,
        size: SIZE,
        config: event.config,
        read_format: TOTAL_TIMES,
        flags,
        ..PerfAttributes::default()
    };
    let any_cpu: libc::c_int = -1;
    let no_group: libc::c_int = -1;
    // SAFETY: a valid pointer to a structure that contains its own size. The kernel does not keep the pointer.
    let fd = unsafe {
        libc::syscall(
            libc::SYS_perf_event_open,
            &raw const attributes,
            launcher,
            any_cpu,
            no_group,
            CLOSE_ON_EXEC,
        )
    };
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    let fd = i32::try_from(fd).map_err(io::Error::other)?;
    // SAFETY: the kernel has just created this descriptor, and nothing else owns it.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

impl InstructionCounter {
    /// Instructions so far. Also fails if others used the counter, so that this one was off for a while.
    pub fn read(&self) -> io::Result<u64> {
        let mut bytes = [0; 24];
        let read = rustix::io::read(self.counter.as_fd(), &mut bytes)?;
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
    use std::time::Duration;

    use rejudge_quantity::Bytes;
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    use super::*;
    use crate::execution::Exit;
    use crate::input::Input;
    use crate::interrupt::Interrupt;
    use crate::job::{Job, WorkDir};
    use crate::limits::Limits;
    use crate::options::RunnerOptions;
    use crate::work_base::work_base;

    /// `PERF_TYPE_SOFTWARE`, `PERF_COUNT_SW_TASK_CLOCK`: nanoseconds on a processor. Virtual machines have it too, and it
    /// goes the way of the processor's own.
    const TASK_CLOCK: PerfEvent = PerfEvent { kind: 1, config: 1 };

    #[test]
    fn the_attributes_are_those_of_the_first_version() {
        assert_eq!(size_of::<PerfAttributes>(), 64);
        assert_eq!(SIZE, 64);
    }

    fn sh(script: &str) -> Job {
        Job {
            argv: ["/bin/sh", "-c", script].map(Into::into).to_vec(),
            env: Vec::new(),
            work_dir: WorkDir::Fresh,
            readable: Vec::new(),
            limits: Limits::new(Duration::from_secs(30), Bytes::mib(2048)),
            preload: None,
        }
    }

    const SPIN: &str = "i=0; while [ $i -lt 50000 ]; do i=$((i+1)); done";

    #[test]
    fn a_run_is_counted_from_its_exec_with_all_that_it_starts() {
        let base = work_base().unwrap();
        let options = RunnerOptions::new(base.path(), Interrupt::new().unwrap());
        // On a single processor, the launcher always uses fork servers.
        let all = sched_getaffinity(None).unwrap();
        let mut one = CpuSet::new();
        one.set((0..CpuSet::MAX_CPU).find(|&one| all.is_set(one)).unwrap());
        sched_setaffinity(None, &one).unwrap();
        let mut runner = Runner::start(&options).unwrap();
        let alone = sh(SPIN);
        let three = sh(&format!("({SPIN}) & ({SPIN}) & ({SPIN}) & wait"));
        // Then a process waits for the next run, and a fork server is there.
        for _ in 0..8 {
            runner.run(&alone, Input::Empty).unwrap();
        }
        let counter = match open(runner.launcher(), TASK_CLOCK) {
            Ok(counter) => counter,
            // Some containers refuse every counter.
            Err(error) => {
                println!("SKIPPED: no counter of any kind: {error}");
                return;
            }
        };
        let mut other = sh("exit 0");
        other.env = vec![("OTHER".into(), "1".into())];
        runner.run(&other, Input::Empty).unwrap();
        let all = [[&alone; 8], [&three; 8], [&alone; 8]];
        for job in all.into_iter().flatten() {
            let before = counter.read().unwrap();
            let execution = runner.run(job, Input::Empty).unwrap();
            assert_eq!(execution.exit, Exit::Code(0));
            let ran = counter.read().unwrap() - before;
            let nanos = u64::try_from(execution.usage.cpu().as_nanos()).unwrap();
            // Two observers of one run.
            assert!((nanos / 2..nanos * 2).contains(&ran), "{ran} of {nanos} ns, {job:?}");
        }
    }
}
