//! The Linux back end.

mod cgroup;
mod cpu_timer;
mod greeting;
mod launcher;
mod protocol;
mod runner;
mod socket;
mod spawn;
mod tree;
mod watch;
mod work_dir;

pub use runner::Runner;
