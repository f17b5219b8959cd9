//! How much the rest of the machine disturbed a run: arithmetic on figures that the kernel counts.
//!
//! A thread that is *ready* wants a processor; the kernel counts how long it had one (CPU time) and how long it waited
//! for one (run delay). A thread that is not ready sleeps or waits for something else, and nobody is to blame for that.
//! Run delay alone blames nobody either: threads of one run wait for each other. So it counts only as far as the run had
//! fewer processors than it could use, and only as far as somebody else had them.
//!
//! Nothing here reads anything, so that tables and a simulated scheduler can test it.

use std::collections::BTreeMap;
use std::time::Duration;

/// A run may take this many times its wall limit, if others keep it from the processors for the rest.
const MOST_WALL: u32 = 10;
/// What the kernel counts in ticks of its clock is exact to about this much.
const TICKS: Duration = Duration::from_millis(20);
/// A run that was ready without a processor for a twentieth of its time was disturbed, and so was one from which the
/// hypervisor took that much of a processor.
const PART: u32 = 20;
/// Scheduling alone costs a run about this much.
const SLIGHT: Duration = Duration::from_millis(2);
/// Others slow a run down through caches, memory and frequency also where it has a processor of its own: from a fifth of
/// a processor on that counts, or from a twentieth of all processors.
const OTHERS: u32 = 5;

/// How much the rest of the machine disturbed a run. All zero: nothing is known, as of a run that was over at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Contention {
    /// How long the run was observed, from a little after its start.
    pub observed: Duration,
    /// Time in which the run was ready and others had the processors that it could have used.
    pub starved: Duration,
    /// Time that its threads waited for a processor, summed up, also when its own threads had them all.
    pub run_delay: Duration,
    /// CPU time of everything else on these processors.
    pub others: Duration,
    /// Time that the hypervisor gave to other machines.
    pub steal: Duration,
    /// Time in which a quota of CPU time kept a group that the run is in from the processors.
    pub throttled: Duration,
    /// The number of processors that the run could use.
    pub processors: u32,
}

impl Contention {
    /// Whether the run was kept from the processors for a part of its time that matters.
    pub fn starves(&self) -> bool {
        self.starved >= (self.observed / PART).max(SLIGHT)
    }

    /// Whether the CPU time of the run may be due to others, of whom this many workers of ours are none: each of those may
    /// keep one processor busy.
    pub fn disturbs(&self, workers: u32) -> bool {
        let outside = self.others.saturating_sub(self.observed * workers);
        let many = (self.observed / OTHERS).max(self.observed * self.processors / PART);
        let stolen = self.steal >= (self.observed / PART).max(TICKS);
        self.starves() || stolen || outside >= many.max(TICKS * 2)
    }
}

/// How long a run with this wall limit may take after being starved for so long.
pub(super) fn extended(wall_limit: Duration, starved: Duration) -> Duration {
    wall_limit.saturating_add(starved).min(hard(wall_limit))
}

/// The limit of wall time that nothing extends.
pub fn hard(wall_limit: Duration) -> Duration {
    wall_limit.saturating_mul(MOST_WALL)
}

/// What the kernel has counted for a thread since its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Thread {
    pub(super) cpu: Duration,
    pub(super) delay: Duration,
}

/// A look at a run.
#[derive(Debug, Clone, Default)]
pub(super) struct Sample {
    /// When, on any clock.
    pub(super) at: Duration,
    /// CPU time of the whole run so far, its ended processes included; `None` if only its threads tell.
    pub(super) cpu: Option<Duration>,
    /// The threads that there are, by their numbers.
    pub(super) threads: BTreeMap<i32, Thread>,
}

/// What the processors did since the machine's start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Machine {
    /// CPU time of everybody.
    pub(super) busy: Duration,
    pub(super) steal: Duration,
    /// Summed up over the groups with a quota that the run is in.
    pub(super) throttled: Duration,
}

/// A run that is observed, sample by sample.
#[derive(Debug)]
pub(super) struct Observation {
    processors: u32,
    begun: Option<Machine>,
    last: Sample,
    observed: Duration,
    own: Duration,
    delay: Duration,
    /// Processor time that the run could have used and did not get.
    missed: Duration,
    /// How much longer the run took for that.
    starved: Duration,
    /// Time in which it seemed to want no processor; it may turn out that it waited for one.
    idle: Duration,
}

impl Observation {
    /// Of a run that began at time zero; `machine` is known soon after that.
    pub(super) fn new(machine: Option<Machine>, processors: u32) -> Self {
        Self {
            processors: processors.max(1),
            begun: machine,
            last: Sample::default(),
            observed: Duration::ZERO,
            own: Duration::ZERO,
            delay: Duration::ZERO,
            missed: Duration::ZERO,
            starved: Duration::ZERO,
            idle: Duration::ZERO,
        }
    }

    /// Takes in the next look.
    pub(super) fn add(&mut self, sample: Sample) {
        let time = sample.at.saturating_sub(self.last.at);
        if time.is_zero() {
            return;
        }
        let Gained {
            cpu: seen,
            delay,
            late,
        } = gained(&self.last.threads, &sample.threads, time);
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

    /// What it all comes to; `machine` at this moment.
    pub(super) fn contention(&self, machine: Option<Machine>) -> Contention {
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
