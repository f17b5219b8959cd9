//! The limits of a run.

use std::time::Duration;

use rejudge_quantity::Bytes;

/// Processes and threads. A Java or .NET runtime needs about thirty.
const PROCESSES: u32 = 256;

/// Standard output and standard error together.
const OUTPUT: Bytes = Bytes::mib(64);

/// The limits of one run. A run breaks a limit if its figure is above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// User plus system CPU time of the program and its descendants.
    pub cpu_time: Duration,
    /// The CPU time at which the run is killed: at least `cpu_time`.
    pub cpu_kill: Duration,
    /// Time on the monotonic clock, from exec.
    pub wall_time: Duration,
    /// Peak memory.
    pub memory: Bytes,
    /// Standard output and standard error together.
    pub output: Bytes,
    /// The stack of the main thread.
    pub stack: Bytes,
    /// Processes and threads at one time.
    pub processes: u32,
    /// The size of each written file. With a mount namespace, also the total size of the files in a fresh working folder
    /// and the folders for temporary files.
    pub file_size: Bytes,
    /// Whether all threads stay on one core, if the system can do that, so that no migration disturbs a figure.
    pub one_core: bool,
}

impl Limits {
    /// The length at which the kernel stops every file of the program: above the limit of a file, and above that of the
    /// output, which is a file too, so that the judge sees an output that is too long.
    pub(super) fn longest_file(&self) -> Bytes {
        let Bytes(output) = self.output;
        self.file_size.max(Bytes(output.saturating_add(1)))
    }

    /// Whether a run is killed only well above its CPU time limit, so that what other programs do cannot be the reason.
    #[must_use]
    pub fn is_ended_late(&self) -> bool {
        self.cpu_kill > self.cpu_time
    }

    /// Limits for a run of `cpu_time` and `memory`. The wall time limit is [`wall_time_for`] the CPU time, the stack may
    /// use all the memory, the output and each file may have 64 MiB, and 256 processes may exist at one time.
    #[must_use]
    pub fn new(cpu_time: Duration, memory: Bytes) -> Self {
        Self {
            cpu_time,
            cpu_kill: cpu_time,
            wall_time: wall_time_for(cpu_time),
            memory,
            output: OUTPUT,
            stack: memory,
            processes: PROCESSES,
            file_size: OUTPUT,
            one_core: false,
        }
    }
}

/// The usual time after which a dialogue of two programs ends if both wait, for a wall time limit: a third of it, but at
/// least two seconds.
#[must_use]
pub fn idle_time_for(wall_time: Duration) -> Duration {
    (wall_time / 3).max(Duration::from_secs(2))
}

/// The usual wall time limit for a CPU time limit: three times as long, but at least two seconds more.
#[must_use]
pub fn wall_time_for(cpu_time: Duration) -> Duration {
    (cpu_time * 3).max(cpu_time + Duration::from_secs(2))
}
