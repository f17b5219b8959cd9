//! How much the rest of the machine disturbed a run, computed from figures of the kernel.
//!
//! A *ready* thread wants a processor. The kernel counts how long it had one (CPU time) and how long it waited for one
//! (run delay). A thread that is not ready sleeps, or waits for something else, which is its own matter. Run delay
//! alone proves nothing, because the threads of one run also wait for each other. Therefore it counts only while the
//! run had fewer processors than it could use, and others had them.
//!
//! Nothing here reads files, so tables and a simulated scheduler can test it.

use std::collections::BTreeMap;
use std::time::Duration;

/// A run may take up to this multiple of its wall time limit if others have the processors meanwhile.
const MOST_WALL: u32 = 10;
/// The precision of figures that the kernel counts in clock ticks.
const TICKS: Duration = Duration::from_millis(20);
/// A run was disturbed if it was ready without a processor for this fraction of its time, or if the hypervisor took
/// this fraction of a processor.
const PART: u32 = 20;
/// The run delay that scheduling alone causes.
const SLIGHT: Duration = Duration::from_millis(2);
/// Others slow a run down through caches, memory and frequency, even if it has its own processor. This counts from a
/// fifth of a processor on, or a twentieth of all processors.
const OTHERS: u32 = 5;

/// How much the rest of the machine disturbed a run. All zero: unknown, as for a very short run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Contention {
    /// How long the run was observed, from a little after its start.
    pub observed: Duration,
    /// Time in which the run was ready and others had processors that it could have used.
    pub starved: Duration,
    /// The sum of the times that its threads waited for a processor, even if only for each other.
    pub run_delay: Duration,
    /// CPU time of all others on these processors.
    pub others: Duration,
    /// Time that the hypervisor gave to other machines.
    pub steal: Duration,
    /// Time in which a CPU quota of one of its groups stopped the run.
    pub throttled: Duration,
    /// The number of processors that the run could use.
    pub processors: u32,
}

impl Contention {
    /// Whether the run missed the processors for a significant part of its time.
    pub fn starves(&self) -> bool {
        self.starved >= (self.observed / PART).max(SLIGHT)
    }

    /// Whether others can have increased the CPU time of the run. This many workers are our own and do not count: each
    /// may keep one processor busy.
    pub fn disturbs(&self, workers: u32) -> bool {
        let outside = self.others.saturating_sub(self.observed * workers);
        let many = (self.observed / OTHERS).max(self.observed * self.processors / PART);
        let stolen = self.steal >= (self.observed / PART).max(TICKS);
        self.starves() || stolen || outside >= many.max(TICKS * 2)
    }
}

/// The wall time that a run with this limit may take after it was starved for `starved`.
pub(super) fn extended(wall_limit: Duration, starved: Duration) -> Duration {
    wall_limit.saturating_add(starved).min(hard(wall_limit))
}

/// The highest wall time, which nothing extends.
pub fn hard(wall_limit: Duration) -> Duration {
    wall_limit.saturating_mul(MOST_WALL)
}

/// The kernel's figures of a thread since its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Thread {
    pub(super) cpu: Duration,
    pub(super) delay: Duration,
}

/// The figures of a run at one moment.
#[derive(Debug, Clone, Default)]
pub(super) struct ContentionSample {
    /// The time, on any clock.
    pub(super) at: Duration,
    /// CPU time of the run so far, with its ended processes; `None` if only the threads are known.
    pub(super) cpu: Option<Duration>,
    /// The living threads by their numbers.
    pub(super) threads: BTreeMap<i32, Thread>,
}

/// The use of the processors since the machine started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct MachineLoad {
    /// CPU time of all processes.
    pub(super) busy: Duration,
    pub(super) steal: Duration,
    /// The sum for all groups of the run that have a quota.
    pub(super) throttled: Duration,
}

/// The observation of a run, sample by sample.
#[derive(Debug)]
pub(super) struct Observation {
    processors: u32,
    begun: Option<MachineLoad>,
    last: ContentionSample,
    observed: Duration,
    own: Duration,
    delay: Duration,
    /// Processor time that the run could have used and did not get.
    missed: Duration,
    /// How much longer the run took because of this.
    starved: Duration,
    /// Time in which it seemed to need no processor; later samples may show that it waited for one.
    idle: Duration,
}

impl Observation {
    /// Starts at time zero of a run; `machine` is measured soon after that.
    pub(super) fn new(machine: Option<MachineLoad>, processors: u32) -> Self {
        Self {
            processors: processors.max(1),
            begun: machine,
            last: ContentionSample::default(),
            observed: Duration::ZERO,
            own: Duration::ZERO,
            delay: Duration::ZERO,
            missed: Duration::ZERO,
            starved: Duration::ZERO,
            idle: Duration::ZERO,
        }
    }

    /// Adds a sample.
    pub(super) fn add(&mut self, sample: ContentionSample) {
        let time = sample.at.saturating_sub(self.last.at);
        if time.is_zero() {
            return;
        }
        let Gained { cpu: seen, delay, late } = gained(&self.last.threads, &sample.threads, time);
        let own = match (self.last.cpu, sample.cpu) {
            (Some(before), Some(now)) => now.saturating_sub(before).max(seen),
            _ => seen,
        };
        let delay = delay.mul_f64(unseen_factor(own, seen));
        // The average demand is at most what it was at any moment with fewer threads than processors; with more, others
        // have to have had the processors: see `contention`.
        let wanted = (own + delay).min(time * self.processors);
        let missed = wanted.saturating_sub(own);
        self.observed += time;
        self.own += own;
        self.delay += delay;
        self.missed += missed;
        self.starved += missed.mul_f64(ratio(time, time.max(wanted)));
        let late = late.min(self.idle);
        self.idle = self.idle.saturating_sub(late) + time.saturating_sub(wanted);
        self.delay += late;
        self.missed += late;
        self.starved += late;
        self.last = sample;
    }

    /// The result; `machine` is measured now.
    pub(super) fn contention(&self, machine: Option<MachineLoad>) -> Contention {
        let mut contention = Contention {
            observed: self.observed,
            starved: self.starved,
            run_delay: self.delay,
            processors: self.processors,
            ..Contention::default()
        };
        if let (Some(begun), Some(now)) = (self.begun, machine) {
            let busy = now.busy.saturating_sub(begun.busy);
            let others = busy.saturating_sub(self.own);
            let steal = now.steal.saturating_sub(begun.steal);
            let throttled = now.throttled.saturating_sub(begun.throttled);
            // Others had what was missed, or a quota kept it from everybody. A group that is throttled may miss every
            // processor.
            let taken = others + steal + throttled * self.processors + TICKS;
            let possible = ratio(taken, self.missed).min(1.0);
            // Of a stolen processor the run feels as much as it used of the rest.
            let felt = steal.mul_f64(ratio(self.own, self.own + others).min(1.0));
            contention.starved = self.starved.mul_f64(possible) + felt;
            (contention.others, contention.steal) = (others, steal);
            contention.throttled = throttled;
        }
        let used = self.own / self.processors;
        contention.starved = contention.starved.min(self.observed.saturating_sub(used));
        contention
    }
}

/// What threads gained between two looks.
#[derive(Debug, Clone, Copy, Default)]
struct Gained {
    cpu: Duration,
    delay: Duration,
    /// Run delay of the time before: the kernel counts it when the thread gets its processor.
    late: Duration,
}

/// Of the threads in the second of two looks with so much time between them.
fn gained(before: &BTreeMap<i32, Thread>, now: &BTreeMap<i32, Thread>, time: Duration) -> Gained {
    let mut sum = Gained::default();
    for (number, thread) in now {
        // A figure that went down is of another thread, which got the number of one that ended.
        let then = before.get(number).copied().unwrap_or_default();
        let same = then.cpu <= thread.cpu && then.delay <= thread.delay;
        let then = if same { then } else { Thread::default() };
        let cpu = thread.cpu.saturating_sub(then.cpu);
        let delay = thread.delay.saturating_sub(then.delay);
        let possible = delay.min(time.saturating_sub(cpu));
        sum.cpu += cpu;
        sum.delay += possible;
        sum.late += delay.saturating_sub(possible);
    }
    sum
}

/// Threads that ended between two looks took their figures along, save their part of the run's CPU time: they waited as
/// much for theirs as the others did, but nobody can tell from few what many did.
fn unseen_factor(own: Duration, seen: Duration) -> f64 {
    const MOST: f64 = 10.0;
    if seen.is_zero() {
        return 1.0;
    }
    ratio(own, seen).clamp(1.0, MOST)
}

/// Infinite if there is nothing to divide by.
fn ratio(part: Duration, whole: Duration) -> f64 {
    if whole.is_zero() {
        return f64::INFINITY;
    }
    part.as_secs_f64() / whole.as_secs_f64()
}

#[cfg(test)]
mod tests;
