//! The Linux back end.

mod cgroup;
mod cpu_timer;
mod greeting;
mod guard;
mod launcher;
mod protocol;
mod pulse;
mod runner;
mod socket;
mod spawn;
mod tree;
mod watch;
mod work_dir;

pub use pulse::Pulse;
pub use runner::Runner;
