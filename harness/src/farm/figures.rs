//! How fast a machine is, in four figures. A worker measures them once, when it starts, and publishes them.

use std::hint::black_box;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

/// Number of measurements; the fastest counts, because others only slow a machine down.
const TIMES: usize = 3;

/// How long a machine takes for fixed work, in milliseconds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[expect(clippy::struct_field_names, reason = "the unit, as in every JSON of rejudge")]
pub(crate) struct WorkerFigures {
    /// Compiled arithmetic: 10 million steps of a generator of random numbers.
    pub(crate) arithmetic_ms: f64,
    /// Memory: 500,000 jumps through 32 MiB.
    pub(crate) memory_ms: f64,
    /// System calls: 100,000 of the cheapest ones.
    pub(crate) system_calls_ms: f64,
    /// The start of Python, if it is installed.
    pub(crate) python_ms: Option<f64>,
}

impl WorkerFigures {
    /// Measures this machine, in less than a second.
    pub(crate) fn measure() -> Self {
        let jumps = jump_table();
        Self {
            arithmetic_ms: fastest(|| black_box(arithmetic())),
            memory_ms: fastest(|| black_box(follow(&jumps))),
            system_calls_ms: fastest(|| {
                for _ in 0..100_000 {
                    black_box(rustix::process::getppid());
                }
            }),
            python_ms: starts_python().then(|| fastest(starts_python)),
        }
    }
}

impl std::fmt::Display for WorkerFigures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { arithmetic_ms, memory_ms, system_calls_ms, python_ms } = self;
        write!(
            f,
            "arithmetic {arithmetic_ms:.1} ms, memory {memory_ms:.1} ms, system calls {system_calls_ms:.1} ms"
        )?;
        match python_ms {
            Some(python_ms) => write!(f, ", Python {python_ms:.1} ms"),
            None => f.write_str(", no Python"),
        }
    }
}

fn fastest<T>(mut work: impl FnMut() -> T) -> f64 {
    let times = (0..TIMES).map(|_| {
        let started = Instant::now();
        black_box(work());
        started.elapsed()
    });
    let least = times.min().unwrap_or(Duration::ZERO);
    (least.as_secs_f64() * 1e4).round() / 10.0
}

/// `xorshift64` (Marsaglia, "Xorshift RNGs", 2003).
fn next(mut state: u64) -> u64 {
    state ^= state << 13;
    state ^= state >> 7;
    state ^ (state << 17)
}

fn arithmetic() -> u64 {
    (0..10_000_000).fold(88_172_645_463_325_252, |state, _| next(state))
}

/// One circle through all places (Sattolo's algorithm), so that no jump can be foreseen.
fn jump_table() -> Vec<u32> {
    const PLACES: u32 = 8 << 20;
    let mut table: Vec<u32> = (0..PLACES).collect();
    let mut state = 1;
    for last in (1..table.len()).rev() {
        state = next(state);
        let other = usize::try_from(state % last as u64).expect("it is less than a length");
        table.swap(last, other);
    }
    table
}

fn follow(table: &[u32]) -> u32 {
    (0..500_000).fold(0, |place, _| table[place as usize])
}

/// Starts Python. Whether it ran.
fn starts_python() -> bool {
    let status = Command::new("python3")
        .args(["-I", "-S", "-c", ""])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}
