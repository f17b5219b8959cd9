//! The processes below the launcher: finds, measures and kills them.
//!
//! The launcher is a subreaper, so it adopts every process that the program starts and abandons (double forks, new
//! sessions).

#![expect(unsafe_code, reason = "wait4 and signals")]

use std::collections::HashMap;
use std::fs;
use std::io;
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

use super::raw::{at, call, int};

/// CPU time and peak memory of reaped processes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Reaped {
    pub(super) user: Duration,
    pub(super) system: Duration,
    /// The largest peak of one process, in bytes.
    pub(super) max_rss: u64,
}

impl Reaped {
    /// Adds the figures of another reaper.
    pub(super) fn join(&mut self, other: &Self) {
        self.user += other.user;
        self.system += other.system;
        self.max_rss = self.max_rss.max(other.max_rss);
    }

    /// Takes CPU time away that was not the program's. Most of what is done before exec is done by the kernel.
    pub(super) fn subtract(&mut self, cpu: Duration) {
        let user = cpu.saturating_sub(self.system);
        self.system = self.system.saturating_sub(cpu);
        self.user = self.user.saturating_sub(user);
    }

    fn add(&mut self, usage: &libc::rusage) {
        self.user += duration(usage.ru_utime);
        self.system += duration(usage.ru_stime);
        self.max_rss = self.max_rss.max(usage.ru_maxrss.cast_unsigned() << 10);
    }
}

fn duration(time: libc::timeval) -> Duration {
    Duration::from_secs(time.tv_sec.cast_unsigned())
        + Duration::from_micros(time.tv_usec.cast_unsigned())
}

/// The result of `wait4`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WaitOutcome {
    /// This process ended with this status and is reaped.
    Dead(libc::pid_t, i32),
    /// There are children, and all are alive.
    Alive,
    /// There is no child.
    Nobody,
}

/// Reaps one process (`-1`: any), and waits for it if `wait`. "Any" does not include processes whose end sends no
/// signal.
pub(super) fn reap(pid: libc::pid_t, wait: bool, into: &mut Reaped) -> io::Result<WaitOutcome> {
    let named = if pid > 0 { libc::__WALL } else { 0 };
    wait_for(pid, if wait { named } else { named | libc::WNOHANG }, into)
}

/// Waits for a process whose end sends no signal.
pub(super) fn reap_init(pid: libc::pid_t, into: &mut Reaped) -> io::Result<WaitOutcome> {
    wait_for(pid, libc::__WCLONE, into)
}

/// Reaps such a process if it has ended.
pub(super) fn reap_init_if_dead(pid: libc::pid_t, into: &mut Reaped) -> io::Result<WaitOutcome> {
    wait_for(pid, libc::__WCLONE | libc::WNOHANG, into)
}

/// May be called in a process that shares the launcher's memory.
fn wait_for(pid: libc::pid_t, options: libc::c_int, into: &mut Reaped) -> io::Result<WaitOutcome> {
    let mut status = 0_i32;
    loop {
        // SAFETY: all bytes zero is a valid rusage.
        let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
        let (to, usage_to) = (at(&raw mut status), at(&raw mut usage));
        // SAFETY: both pointers are to live values.
        match unsafe { call(libc::SYS_wait4, [int(pid), to, int(options), usage_to]) } {
            Ok(0) => return Ok(WaitOutcome::Alive),
            Ok(found) => {
                into.add(&usage);
                let found = libc::pid_t::try_from(found).map_err(|_| Errno::RANGE)?;
                return Ok(WaitOutcome::Dead(found, status));
            }
            Err(Errno::CHILD) => return Ok(WaitOutcome::Nobody),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// The children of the calling thread, dead ones that are not reaped among them. Only some kernels tell: see
/// `CONFIG_PROC_CHILDREN` in `proc_tid_children(5)`.
pub(super) fn children() -> io::Result<Vec<libc::pid_t>> {
    let text = fs::read_to_string("/proc/thread-self/children")?;
    let numbers = text.split_ascii_whitespace().map(str::parse);
    numbers.collect::<Result<_, _>>().map_err(io::Error::other)
}

/// The resident memory of process `pid` that is no page of a file, in bytes; see `proc_pid_statm(5)`.
pub(super) fn own_memory(pid: libc::pid_t) -> io::Result<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/statm"))?;
    let pages: Vec<u64> =
        text.split_ascii_whitespace().map_while(|word| word.parse().ok()).collect();
    let [_, resident, of_files, ..] = pages[..] else {
        return Err(io::Error::other("the kernel's word on a process is not understood"));
    };
    Ok(resident.saturating_sub(of_files) * rustix::param::page_size() as u64)
}

/// The CPU time that this process of ours, which is not reaped, has used itself so far.
pub(super) fn cpu_of(pid: libc::pid_t) -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the pointer is to a live value. The call does not change it if the clock no longer exists.
    unsafe { libc::clock_gettime(cpu_clock_of(pid), &raw mut time) };
    Duration::from_secs(time.tv_sec.cast_unsigned())
        + Duration::from_nanos(time.tv_nsec.cast_unsigned())
}

/// The number of a process's CPU clock, as the kernel defines it. The C library computes the same, but makes a system
/// call first.
fn cpu_clock_of(pid: libc::pid_t) -> libc::clockid_t {
    const SCHEDULED: libc::clockid_t = 2;
    (!pid << 3) | SCHEDULED
}

/// A process as `/proc/<pid>/stat` describes it.
#[derive(Debug, Clone, Copy)]
struct Process {
    parent: i32,
    cpu_ticks: u64,
    threads: u32,
    rss_pages: u64,
}

/// The usage of all processes below us.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Snapshot {
    /// CPU time, rounded down to ticks, of the living processes and of those that they waited for.
    pub(super) cpu: Duration,
    /// Resident memory in bytes.
    pub(super) rss: u64,
    /// The number of threads; a process has at least one.
    pub(super) processes: u32,
}

/// Measures every process below us. Of `inits`, only the processes that they reaped count.
pub(super) fn snapshot(inits: &[i32]) -> io::Result<Snapshot> {
    snapshot_below(std::process::id().cast_signed(), inits)
}

/// Measures every process below `root`.
pub(super) fn snapshot_below(root: i32, inits: &[i32]) -> io::Result<Snapshot> {
    let processes = all_processes()?;
    let mut total = Snapshot::default();
    for pid in descendants(&processes, root) {
        let process = &processes[&pid];
        total.cpu += Duration::from_millis(process.cpu_ticks * 1000 / ticks_per_second());
        if inits.contains(&pid) {
            continue;
        }
        total.rss += process.rss_pages * rustix::param::page_size() as u64;
        total.processes += process.threads;
    }
    Ok(total)
}

/// Kills and reaps every process below us, until none is left.
pub(super) fn kill_all(reaped: &mut Reaped, main: libc::pid_t) -> io::Result<Option<i32>> {
    let mut main_status = None;
    loop {
        let processes = all_processes()?;
        for pid in descendants(&processes, std::process::id().cast_signed()) {
            kill_if_still(pid, processes[&pid].parent);
        }
        // If there are children, at least one is now dying; its orphans are now ours.
        let mut wait = true;
        loop {
            match reap(-1, wait, reaped)? {
                WaitOutcome::Dead(pid, status) if pid == main => main_status = Some(status),
                WaitOutcome::Dead(..) => {}
                WaitOutcome::Alive => break,
                WaitOutcome::Nobody => return Ok(main_status),
            }
            wait = false;
        }
    }
}

/// Kills `pid`, unless the number now belongs to a process that is not ours.
fn kill_if_still(pid: i32, parent: i32) {
    let Some(handle) = Pid::from_raw(pid).and_then(|pid| pidfd_open(pid, PidfdFlags::empty()).ok())
    else {
        return;
    };
    let us = std::process::id().cast_signed();
    if read_process(pid).is_some_and(|now| now.parent == parent || now.parent == us) {
        // If it has ended meanwhile, there is nothing to kill.
        let _ = pidfd_send_signal(handle, Signal::KILL);
    }
}

fn all_processes() -> io::Result<HashMap<i32, Process>> {
    let mut processes = HashMap::new();
    for entry in fs::read_dir("/proc")? {
        let name = entry?.file_name();
        let pid = name.to_str().and_then(|name| name.parse().ok());
        if let Some((pid, process)) = pid.and_then(|pid| Some((pid, read_process(pid)?))) {
            processes.insert(pid, process);
        }
    }
    Ok(processes)
}

/// Whether process `pid` has called exec since its creation.
pub(super) fn has_executed(pid: i32) -> io::Result<bool> {
    /// See `include/linux/sched.h`: "forked but didn't exec".
    const FORKED_ONLY: u64 = 0x40;
    let stat = fs::read(format!("/proc/{pid}/stat"))?;
    let flags = fields(&stat).and_then(|fields| fields.get(9 - 3)?.parse::<u64>().ok());
    flags
        .map(|flags| flags & FORKED_ONLY == 0)
        .ok_or_else(|| io::Error::other("the kernel's word on a process is not understood"))
}

fn read_process(pid: i32) -> Option<Process> {
    parse_stat(&fs::read(format!("/proc/{pid}/stat")).ok()?)
}

/// The fields from number 3, the state, on. The name before it is in parentheses and can contain anything, so the
/// search starts from the last parenthesis. See `proc_pid_stat(5)`.
fn fields(stat: &[u8]) -> Option<Vec<&str>> {
    let after_name = stat.iter().rposition(|&byte| byte == b')')? + 1;
    let text = std::str::from_utf8(&stat[after_name..]).ok()?;
    Some(text.split_ascii_whitespace().collect())
}

fn parse_stat(stat: &[u8]) -> Option<Process> {
    let fields = fields(stat)?;
    let number = |field: usize| fields.get(field - 3)?.parse::<u64>().ok();
    Some(Process {
        parent: fields.get(1)?.parse().ok()?,
        cpu_ticks: number(14)? + number(15)? + number(16)? + number(17)?,
        threads: u32::try_from(number(20)?).ok()?,
        rss_pages: number(24)?,
    })
}

fn descendants(processes: &HashMap<i32, Process>, root: i32) -> Vec<i32> {
    let below = |&pid: &i32| {
        let mut ancestor = pid;
        // A chain is no longer than the number of processes, even if numbers were reused meanwhile.
        for _ in 0..processes.len() {
            let Some(process) = processes.get(&ancestor) else {
                return false;
            };
            if process.parent == root {
                return true;
            }
            ancestor = process.parent;
        }
        false
    };
    processes.keys().copied().filter(below).collect()
}

fn ticks_per_second() -> u64 {
    rustix::param::clock_ticks_per_second().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_before_exec_is_taken_from_that_in_the_kernel_first() {
        let micros = Duration::from_micros;
        for (before, [user, system]) in
            [(0, [30, 70]), (50, [30, 20]), (80, [20, 0]), (500, [0, 0])]
        {
            let mut reaped = Reaped { user: micros(30), system: micros(70), max_rss: 0 };
            reaped.subtract(micros(before));
            assert_eq!((reaped.user, reaped.system), (micros(user), micros(system)));
        }
    }

    #[test]
    fn a_process_name_cannot_forge_its_own_figures() {
        let stat = b"12 (a) S 1 2 3) R 7 0 0 0 0 0 0 0 0 0 5 6 7 8 0 0 0 0 0 0 99 0\n";
        let process = parse_stat(stat).unwrap();
        assert_eq!((process.parent, process.cpu_ticks, process.rss_pages), (7, 26, 99));
    }
}
