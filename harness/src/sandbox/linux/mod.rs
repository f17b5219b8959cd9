//! The Linux back end.

mod carry;
mod cgroup;
mod cpu_timer;
mod entry;
mod found;
mod greeting;
mod guard;
mod identity;
mod init;
mod landlock;
mod launcher;
mod lent;
mod mounts;
mod namespaces;
mod oom_score;
mod perf;
mod place;
mod plan;
mod protocol;
mod pulse;
mod raw;
mod ready;
mod runner;
mod seccomp;
mod settle;
mod socket;
mod spawn;
mod stack;
mod step;
mod tree;
mod walls;
mod watch;
mod work_dir;

pub use perf::InstructionCounter;
pub use pulse::Pulse;
pub use runner::Runner;
