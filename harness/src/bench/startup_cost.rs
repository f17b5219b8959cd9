//! The CPU time that starting a program costs. A case that takes less than ten times as long is not timed, because the
//! start-up would dominate the figure.

use std::time::Duration;

use rejudge_quantity::Bytes;

use crate::sandbox::{Exit, Input, Job, Limits, Runner, SandboxError, WorkDir};

/// A case must take this many times the start-up cost to be timed.
const TIMES: u32 = 10;
/// Number of runs; their median is the start-up cost.
const RUNS: usize = 11;
/// The assumed start-up cost if `/bin/true` cannot be run.
const USUAL: Duration = Duration::from_millis(1);

/// Limits of a program that does nothing.
pub(super) const LIMITS: Limits = Limits {
    cpu_time: Duration::from_secs(10),
    cpu_kill: Duration::from_secs(10),
    wall_time: Duration::from_secs(30),
    memory: Bytes::mib(256),
    output: Bytes::mib(1),
    stack: Bytes::mib(8),
    processes: 16,
    file_size: Bytes::mib(1),
    one_core: false,
};

/// The shortest CPU time that can be measured reliably.
pub fn shortest_cpu_time(runner: &mut Runner) -> Result<Duration, SandboxError> {
    let job = Job {
        argv: vec!["/bin/true".into()],
        env: Vec::new(),
        work_dir: WorkDir::Fresh,
        readable: Vec::new(),
        limits: LIMITS,
        preload: None,
    };
    let mut times = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        match runner.run(&job, Input::Empty) {
            Ok(execution) if execution.exit == Exit::Code(0) => times.push(execution.usage.cpu()),
            Ok(_) | Err(SandboxError::Setup { .. }) => return Ok(USUAL * TIMES),
            Err(error) => return Err(error),
        }
    }
    times.sort_unstable();
    Ok(times[RUNS / 2] * TIMES)
}
