//! Notices that two programs which talk to each other both wait, for example because each expects the other to begin.
//!
//! A program waits if, from one check to the next, it read and wrote nothing, used next to no CPU time, and each of its
//! threads sleeps. Threads that are ready, or wait for a disk, are not asleep, so a busy machine never makes a program
//! look idle. Virtual machines wake now and then without doing anything: hence "next to no CPU time".
//!
//! The kernel hides the reads and writes of the sandbox's own processes from some users. A program's are not hidden, and
//! if they were, each message would still show in those of its partner.
//!
//! Time counts by checks that were made: while this process is stopped, nothing counts.

use std::fs;
use std::time::{Duration, Instant};

use super::observe::{children, parse, threads};
use crate::cpu_reader::CpuReader;

/// The number of checks during the limit.
const CHECKS: u32 = 8;
/// A program that uses a larger fraction of a processor than one in this many computes something.
const NEXT_TO_NO_CPU: u32 = 50;

/// Watches both programs.
#[derive(Debug)]
pub(super) struct IdleWatch {
    both: [CpuReader; 2],
    limit: Duration,
    checked: Instant,
    last: Option<Activity>,
    /// How long both have waited by now.
    idle: Duration,
}

/// What both have done so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Activity {
    cpu: Duration,
    /// The number of calls that read or write.
    calls: u64,
}

impl IdleWatch {
    pub(super) fn new(both: [CpuReader; 2], limit: Duration) -> Self {
        Self { both, limit, checked: Instant::now(), last: None, idle: Duration::ZERO }
    }

    fn interval(&self) -> Duration {
        self.limit / CHECKS
    }

    /// The time until the next check.
    pub(super) fn time_until_check(&self) -> Duration {
        self.interval().saturating_sub(self.checked.elapsed())
    }

    /// Whether both have waited for as long as the limit.
    pub(super) fn is_over(&mut self) -> bool {
        let elapsed = self.checked.elapsed();
        if elapsed < self.interval() {
            return false;
        }
        self.checked = Instant::now();
        let now = self.both.iter().map(|one| asleep(one.launcher())).sum();
        self.add(now, elapsed)
    }

    /// Adds what a check found after this time. `None`: one of them does something, or nobody knows.
    fn add(&mut self, now: Option<Activity>, elapsed: Duration) -> bool {
        let waited = match (self.last, now) {
            (Some(last), Some(now)) => {
                let cpu = now.cpu.saturating_sub(last.cpu);
                now.calls == last.calls && cpu <= elapsed / NEXT_TO_NO_CPU
            }
            _ => false,
        };
        self.last = now;
        self.idle =
            if waited { self.idle + elapsed.min(self.interval() * 2) } else { Duration::ZERO };
        self.idle >= self.limit
    }
}

impl std::iter::Sum for Activity {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |sum, one| Self {
            cpu: sum.cpu + one.cpu,
            calls: sum.calls.wrapping_add(one.calls),
        })
    }
}

/// What the processes below this launcher have done; `None` if there are none, if a thread does not sleep or cannot be
/// read, or if no calls can be counted.
fn asleep(launcher: i32) -> Option<Activity> {
    let mut below: Vec<i32> = children_of(launcher).collect();
    if below.is_empty() {
        return None;
    }
    let (mut sum, mut is_known) = (Activity::default(), false);
    while let Some(process) = below.pop() {
        let calls =
            fs::read_to_string(format!("/proc/{process}/io")).ok().as_deref().and_then(calls_of);
        // Those whose calls are hidden are the sandbox's own, which watch the program.
        let counted = if calls.is_some() { threads(process) } else { Vec::new() };
        for thread in counted {
            let task = format!("/proc/{process}/task/{thread}");
            if !is_asleep(&fs::read_to_string(format!("{task}/stat")).ok()?) {
                return None;
            }
            let figures = fs::read_to_string(format!("{task}/schedstat")).ok()?;
            sum.cpu += parse(&figures)?.cpu;
        }
        is_known |= calls.is_some();
        sum.calls = sum.calls.wrapping_add(calls.unwrap_or_default());
        below.extend(children_of(process));
    }
    is_known.then_some(sum)
}

fn children_of(process: i32) -> impl Iterator<Item = i32> {
    let threads = threads(process).into_iter();
    threads.flat_map(move |thread| children(process, thread))
}

/// Whether a thread sleeps, was stopped or has ended, from its `stat`; see `proc_pid_stat(5)`.
fn is_asleep(stat: &str) -> bool {
    let state = stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next());
    matches!(state, Some('S' | 'T' | 't' | 'Z' | 'X'))
}

/// The number of calls that read or write, from a process's `io`.
fn calls_of(io: &str) -> Option<u64> {
    let number = |key: &str| {
        let mut lines = io.lines();
        lines.find_map(|line| line.strip_prefix(key)?.trim().parse::<u64>().ok())
    };
    Some(number("syscr:")?.wrapping_add(number("syscw:")?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHECK: Duration = Duration::from_millis(100);

    fn watch() -> IdleWatch {
        IdleWatch::new(Default::default(), CHECK * CHECKS)
    }

    fn after(cpu_ms: u64, calls: u64) -> Activity {
        let cpu = Duration::from_millis(cpu_ms);
        Activity { cpu, calls }
    }

    /// The number of the check at which the watch is over, if there is one.
    fn over(mut found: impl FnMut(u64) -> Option<Activity>) -> Option<u64> {
        let mut watch = watch();
        (0..100).find(|&number| watch.add(found(number), CHECK))
    }

    #[test]
    fn both_have_to_wait_for_as_long_as_the_limit() {
        assert_eq!(over(|_| Some(after(5, 7))), Some(8));
        assert_eq!(over(|n| Some(after(5 + 2 * n, 7))), Some(8), "timers of a machine");
        assert_eq!(over(|n| Some(after(5 + 3 * n, 7))), None, "it computes");
        assert_eq!(over(|n| Some(after(5, 7 + n))), None, "it reads or writes");
        assert_eq!(over(|n| Some(after(5, 7 + n / 5))), None, "now and then");
        assert_eq!(over(|n| Some(after(5, 7)).filter(|_| n % 5 > 0)), None, "not asleep");
        assert_eq!(over(|_| None), None, "unknown");
    }

    #[test]
    fn time_in_which_nobody_checked_does_not_count() {
        let mut watch = watch();
        assert!(!watch.add(Some(after(5, 7)), CHECK));
        assert!(!watch.add(Some(after(5, 7)), CHECK * 1000));
        assert_eq!(watch.idle, CHECK * 2);
    }

    #[test]
    fn figures_of_the_kernel_are_read() {
        assert!(is_asleep("12 (a) S) S 1 12"));
        assert!(!is_asleep("12 (S) R 1 12"));
        assert!(!is_asleep("12 (S) D 1 12"), "it waits for a disk");
        assert!(!is_asleep(""));
        let io = "rchar: 9\nwchar: 9\nsyscr: 4\nsyscw: 3\nread_bytes: 9\n";
        assert_eq!(calls_of(io), Some(7));
        assert_eq!(calls_of("rchar: 9\n"), None);
        assert_eq!(asleep(0), None);
    }
}
