//! The Linux back end.

mod cgroup;
mod cpu_timer;
mod greeting;
mod guard;
#[cfg_attr(not(test), expect(dead_code, reason = "laid on by the spawner"))]
mod landlock;
mod launcher;
mod perf;
mod protocol;
mod pulse;
mod runner;
#[cfg_attr(not(test), expect(dead_code, reason = "installed by the spawner"))]
mod seccomp;
mod socket;
mod spawn;
mod tree;
mod watch;
mod work_dir;

pub use perf::InstructionCounter;
pub use pulse::Pulse;
pub use runner::Runner;
