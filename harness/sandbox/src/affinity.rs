//! The processors that a thread may use.

use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_setaffinity};

/// The set of this processor alone.
pub(crate) fn only(processor: usize) -> CpuSet {
    let mut only = CpuSet::new();
    only.set(processor);
    only
}

/// From now on, `thread` may use only these; `None` is the calling thread. Returns whether the kernel accepts them. It
/// refuses an empty set, and then everything stays as it is.
pub(crate) fn restrict(thread: Option<Pid>, processors: &CpuSet) -> bool {
    sched_setaffinity(thread, processors).is_ok()
}
