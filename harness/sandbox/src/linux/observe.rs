//! Reads the kernel's figures of the threads of a run and of the machine: see [`contention`](crate::contention).
//!
//! A run that ends before the first reading costs nothing. A longer run costs a few small files of `/proc` at
//! intervals. Unreadable figures count as zero.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_getaffinity};

use super::cgroup;
use crate::contention::{Contention, ContentionSample, MachineLoad, Observation, Thread};

/// The minimum time between two readings.
const APART: Duration = Duration::from_millis(20);

/// Observes one run.
#[derive(Debug)]
pub(super) struct Observer {
    started: Instant,
    looked: Instant,
    program: libc::pid_t,
    /// The number of processors that the run can use, and their set; `None`: all.
    processors: u32,
    set: Option<CpuSet>,
    /// The files in which the kernel counts how long a CPU quota stopped a group of the run.
    quotas: Vec<PathBuf>,
    observation: Option<Observation>,
}

impl Observer {
    /// Create it when `program` starts.
    pub(super) fn new(program: libc::pid_t, processors: u32) -> Self {
        let now = Instant::now();
        Self {
            started: now,
            looked: now,
            program,
            processors,
            set: None,
            quotas: Vec::new(),
            observation: None,
        }
    }

    /// Reads the threads of all processes below `roots`, whose account shows `cpu`, unless the last reading was just
    /// now.
    pub(super) fn look_again(&mut self, roots: &[i32], cpu: Option<Duration>) {
        if self.observation.is_none() || self.looked.elapsed() >= APART {
            self.look(roots, cpu);
        }
    }

    /// Reads at once.
    pub(super) fn look(&mut self, roots: &[i32], cpu: Option<Duration>) {
        let sample =
            ContentionSample { at: self.started.elapsed(), cpu, threads: threads_of(roots) };
        self.looked = Instant::now();
        if self.observation.is_none() {
            self.set = sched_getaffinity(Pid::from_raw(self.program)).ok();
            self.quotas = cgroup::quotas();
            self.observation = Some(Observation::new(self.machine(), self.processors));
        }
        if let Some(observation) = &mut self.observation {
            observation.add(sample);
        }
    }

    /// Whether there was a reading.
    pub(super) fn has_begun(&self) -> bool {
        self.observation.is_some()
    }

    /// The result of the readings.
    pub(super) fn contention(&self) -> Contention {
        let known = self.observation.as_ref();
        known.map_or_else(Contention::default, |observation| observation.contention(self.machine()))
    }

    /// The use of these processors since the machine started.
    fn machine(&self) -> Option<MachineLoad> {
        let text = fs::read_to_string("/proc/stat").ok()?;
        let mut machine =
            done_by(&text, |processor| self.set.is_none_or(|set| set.is_set(processor)));
        let counted = self.quotas.iter().filter_map(fs_text);
        machine.throttled = counted.map(|text| throttled(&text)).sum();
        Some(machine)
    }
}

fn fs_text(path: &PathBuf) -> Option<String> {
    fs::read_to_string(path).ok()
}

/// How long a group was throttled, from the text of its `cpu.stat`: microseconds in cgroup v2, nanoseconds in v1.
fn throttled(stat: &str) -> Duration {
    let number = |line: &str, key| line.strip_prefix(key)?.trim().parse().ok();
    stat.lines()
        .find_map(|line| {
            let micros = number(line, "throttled_usec ").map(Duration::from_micros);
            micros.or_else(|| number(line, "throttled_time ").map(Duration::from_nanos))
        })
        .unwrap_or_default()
}

/// What the processors that count have done, from the text of `/proc/stat`; see `proc_stat(5)`.
fn done_by(stat: &str, counts: impl Fn(usize) -> bool) -> MachineLoad {
    let mut machine = MachineLoad::default();
    for line in stat.lines() {
        let mut fields = line.split_ascii_whitespace();
        let processor = fields.next().and_then(|name| name.strip_prefix("cpu"));
        let Some(processor) = processor else { break };
        // The first line is the sum.
        if !processor.parse().is_ok_and(&counts) {
            continue;
        }
        let ticks: Vec<u64> = fields.map_while(|field| field.parse().ok()).collect();
        let [user, nice, system, _idle, _wait, irq, softirq, steal, ..] = ticks[..] else {
            continue;
        };
        machine.busy += time(user + nice + system + irq + softirq);
        machine.steal += time(steal);
    }
    machine
}

fn time(ticks: u64) -> Duration {
    Duration::from_millis(ticks * 1000 / rustix::param::clock_ticks_per_second().max(1))
}

/// The figures of all threads of the processes below `roots`, without these processes themselves.
pub(super) fn threads_of(roots: &[i32]) -> BTreeMap<i32, Thread> {
    let mut found = BTreeMap::new();
    let mut below: Vec<i32> = roots.iter().flat_map(|&root| children_of(root)).collect();
    below.retain(|process| !roots.contains(process));
    // A list that changes while it is read can name a process twice; known processes are not followed again.
    while let Some(process) = below.pop() {
        for thread in threads(process) {
            let path = format!("/proc/{process}/task/{thread}/schedstat");
            let Some(figures) = read(&path).as_deref().and_then(parse) else {
                continue;
            };
            if found.insert(thread, figures).is_none() {
                below.extend(children(process, thread));
            }
        }
    }
    found
}

fn children_of(process: i32) -> Vec<i32> {
    let threads = threads(process).into_iter();
    threads.flat_map(|thread| children(process, thread)).collect()
}

pub(super) fn threads(process: i32) -> Vec<i32> {
    let entries = fs::read_dir(format!("/proc/{process}/task"));
    let names = entries.into_iter().flatten().flatten();
    names.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

/// Not every kernel has this file.
pub(super) fn children(process: i32, thread: i32) -> Vec<i32> {
    let list = read(&format!("/proc/{process}/task/{thread}/children"));
    let numbers = list.as_deref().unwrap_or_default().split_ascii_whitespace();
    numbers.filter_map(|number| number.parse().ok()).collect()
}

/// CPU time and run delay in nanoseconds; see the kernel's `Documentation/scheduler/sched-stats.rst`.
pub(super) fn parse(schedstat: &str) -> Option<Thread> {
    let mut fields = schedstat.split_ascii_whitespace();
    let mut next = || Some(Duration::from_nanos(fields.next()?.parse().ok()?));
    let (cpu, delay) = (next()?, next()?);
    Some(Thread { cpu, delay })
}

fn read(path: &str) -> Option<String> {
    let mut text = String::new();
    fs::File::open(path).ok()?.read_to_string(&mut text).ok()?;
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_processors_that_count_are_summed_up() {
        let hertz = rustix::param::clock_ticks_per_second();
        let stat = format!(
            "cpu  9 9 9 9 9 9 9 9 0 0\ncpu0 {hertz} 0 {hertz} 77 3 0 0 {hertz} 0 0\n\
             cpu1 {hertz} 0 0 77 3 {hertz} {hertz} 0 0 0\nintr 1 2 3\n"
        );
        let of = |counts: &[usize]| {
            let machine = done_by(&stat, |processor| counts.contains(&processor));
            (machine.busy.as_secs(), machine.steal.as_secs())
        };
        assert_eq!(of(&[0]), (2, 1));
        assert_eq!(of(&[1]), (3, 0));
        assert_eq!(of(&[0, 1]), (5, 1));
        assert_eq!(done_by("nonsense", |_| true), MachineLoad::default());
        let second = "nr_periods 5\nnr_throttled 2\nthrottled_usec 1500\n";
        assert_eq!(throttled(second), Duration::from_micros(1500));
        let first = "nr_periods 5\nnr_throttled 2\nthrottled_time 1500\n";
        assert_eq!(throttled(first), Duration::from_nanos(1500));
        assert_eq!(throttled("usage_usec 7\n"), Duration::ZERO);
    }

    #[test]
    fn the_threads_of_a_child_are_found_and_ours_are_not() {
        let us = std::process::id().cast_signed();
        let mut sleeper = std::process::Command::new("sleep").arg("60").spawn().unwrap();
        let found = threads_of(&[us]);
        let listed = read("/proc/thread-self/children").is_some();
        sleeper.kill().unwrap();
        sleeper.wait().unwrap();
        assert_eq!(found.contains_key(&sleeper.id().cast_signed()), listed);
        assert!(!found.contains_key(&us));
        assert_eq!(
            parse("12 34 5\n"),
            Some(Thread { cpu: Duration::from_nanos(12), delay: Duration::from_nanos(34) })
        );
        assert_eq!(parse(""), None);
    }
}
