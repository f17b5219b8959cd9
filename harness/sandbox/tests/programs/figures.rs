//! The figures against a second observer of the same run: the program itself.
//!
//! Never against a nominal time: a machine may be as busy as it likes. Of several runs the middle difference counts, for
//! an interrupt between two looks belongs to nobody; and of many such middles one that agrees is enough, for no machine
//! disturbs them all, and a clock that looks at the wrong thing is wrong every time.

use std::ops::Range;
use std::time::Duration;

use rejudge_sandbox::Bytes;
use rejudge_sandbox::{Clock, Exit, Input, Usage};

use crate::fixture::{Fixture, programs, scaled};
use crate::shape;

/// What the program saw of itself.
struct Own {
    cpu: Duration,
    /// Of that, what came before its first look. Some of it was used before exec, and is not the program's.
    cpu_before: Duration,
    wall: Duration,
    peak: Bytes,
}

/// What it is to do.
#[derive(Debug, Clone, Copy)]
struct BusyTask {
    burn_ms: u64,
    sleep_ms: u64,
    touch_mib: u64,
    children: u64,
}

const IDLE: BusyTask = BusyTask { burn_ms: 0, sleep_ms: 0, touch_mib: 0, children: 0 };

const RUNS: usize = 9;
/// How often a figure may be looked at until it agrees.
const TRIES: usize = 20;

/// Whether `figure` is within `bounds` at some time, and what it was all the times before.
fn agrees(bounds: &Range<i128>, mut figure: impl FnMut() -> i128) -> Result<(), Vec<i128>> {
    let mut seen = Vec::new();
    for _ in 0..TRIES {
        let figure = figure();
        if bounds.contains(&figure) {
            return Ok(());
        }
        seen.push(figure);
    }
    Err(seen)
}

fn observe(fixture: &mut Fixture, task: BusyTask) -> (Usage, Own) {
    let mut job = fixture.job("observer");
    let told = [task.burn_ms, task.sleep_ms, task.touch_mib, task.children];
    job.argv.extend(told.map(|n| n.to_string().into()));
    job.limits.cpu_time = scaled(Duration::from_secs(10));
    job.limits.cpu_kill = job.limits.cpu_time;
    job.limits.memory = Bytes::mib(256);
    let execution = fixture.run(&job, Input::Empty).unwrap();
    assert_eq!(execution.exit, Exit::Code(0), "{task:?}");
    let text = String::from_utf8(execution.stdout.as_slice().unwrap().to_vec()).unwrap();
    let own: Vec<u64> = text.split_whitespace().map(|n| n.parse().unwrap()).collect();
    let own = Own {
        cpu: Duration::from_nanos(own[0]),
        cpu_before: Duration::from_nanos(own[3]),
        wall: Duration::from_nanos(own[1]),
        peak: Bytes::kib(own[2]),
    };
    (execution.usage, own)
}

/// The middle one of the differences, in what unit they are.
fn middle(differences: impl Iterator<Item = i128>) -> i128 {
    let mut sorted: Vec<i128> = differences.collect();
    sorted.sort_unstable();
    sorted[sorted.len() / 2]
}

fn nanos(time: Duration) -> i128 {
    i128::try_from(time.as_nanos()).unwrap()
}

#[test]
fn cpu_time_agrees_to_a_millisecond() {
    if programs().is_none() {
        return;
    }
    let tasks = [
        IDLE,
        BusyTask { burn_ms: 40, touch_mib: 24, ..IDLE },
        BusyTask { burn_ms: 10, children: 3, ..IDLE },
    ];
    for shape in shape::all() {
        let mut fixture = Fixture::in_shape(&shape);
        for task in tasks {
            let mut difference = || {
                let (usage, own) = observe(&mut fixture, task);
                let cpu = usage.cpu();
                nanos(cpu) - nanos(cpu.clamp(own.cpu.saturating_sub(own.cpu_before), own.cpu))
            };
            // What it used after its last look is ours alone to see; a tick is what a clock may round by.
            let bounds = -10_000..nanos(scaled(Duration::from_millis(1)));
            let agreed = agrees(&bounds, || middle((0..RUNS).map(|_| difference())));
            assert_eq!(agreed, Ok(()), "{task:?} under {}, in ns", shape.name);
        }
    }
}

#[test]
fn wall_time_agrees_to_a_millisecond() {
    if programs().is_none() {
        return;
    }
    let busy = BusyTask { burn_ms: 20, sleep_ms: 30, ..IDLE };
    for shape in shape::all() {
        let mut fixture = Fixture::in_shape(&shape);
        // It is executed before it looks for the first time, and ends after it has looked for the last time.
        let mut least_above = |task| {
            let differences = (0..RUNS).map(|_| {
                let (usage, own) = observe(&mut fixture, task);
                nanos(usage.wall) - nanos(own.wall)
            });
            // Below 0 only where the whole machine stood still meanwhile, which does not count.
            differences.min().filter(|least| *least >= 0)
        };
        // What a start takes is in both; a busy machine only ever adds to it.
        let bound = nanos(scaled(Duration::from_millis(1)));
        let agreed = agrees(&(-bound..bound), || match (least_above(busy), least_above(IDLE)) {
            (Some(busy), Some(idle)) => busy - idle,
            _ => i128::MIN,
        });
        assert_eq!(agreed, Ok(()), "under {}, in ns", shape.name);
    }
}

#[test]
fn the_peak_of_one_process_agrees_to_64_kib() {
    if programs().is_none() {
        return;
    }
    let task = BusyTask { touch_mib: 24, ..IDLE };
    for shape in shape::all() {
        let mut fixture = Fixture::in_shape(&shape);
        let mut difference = || {
            let (usage, own) = observe(&mut fixture, task);
            i128::from(usage.peak_memory.get()) - i128::from(own.peak.get())
        };
        let difference = middle((0..RUNS).map(|_| difference()));
        // Before Linux 6.2 a thread keeps up to 64 pages of each kind to itself before the kernel counts them.
        let bound = if kernel() >= (6, 2) { 64 << 10 } else { 768 << 10 };
        assert!((0..=bound).contains(&difference), "under {}: {difference} bytes", shape.name);
    }
}

#[test]
fn the_peak_of_several_processes_agrees_to_256_kib_a_core_and_a_hundredth() {
    if programs().is_none() {
        return;
    }
    let task = BusyTask { touch_mib: 16, children: 4, ..IDLE };
    for shape in shape::all() {
        let mut fixture = Fixture::in_shape(&shape);
        let mut bound = 0;
        let mut difference = || {
            let (usage, own) = observe(&mut fixture, task);
            let cores = i128::try_from(std::thread::available_parallelism().unwrap().get());
            bound = cores.unwrap() * (256 << 10) + i128::from(own.peak.get()) / 100;
            let counted = usage.memory_clock == Clock::Cgroup;
            counted.then_some(i128::from(usage.peak_memory.get()) - i128::from(own.peak.get()))
        };
        // Where memory is not counted for all together, the largest process is all that is known.
        let differences: Option<Vec<i128>> = (0..RUNS).map(|_| difference()).collect();
        let Some(differences) = differences else {
            shape.tell_weak("the peak of several processes");
            continue;
        };
        let difference = middle(differences.into_iter());
        assert!(
            difference.abs() <= bound,
            "under {}: {difference} bytes, {bound} allowed",
            shape.name
        );
    }
}

fn kernel() -> (u32, u32) {
    let release = rustix::system::uname().release().to_str().unwrap().to_owned();
    let mut numbers = release.split(['.', '-']).map(|n| n.parse().unwrap());
    (numbers.next().unwrap(), numbers.next().unwrap())
}

#[test]
fn memory_of_the_judge_does_not_count_for_the_program() {
    if programs().is_none() {
        return;
    }
    let held = std::hint::black_box(vec![1_u8; 400 << 20]);
    let mut fixture = Fixture::new();
    let (usage, own) = observe(&mut fixture, IDLE);
    drop(held);
    let most = Bytes(own.peak.get() + (1 << 20));
    assert!(usage.peak_memory < most, "{usage:?}");
}
