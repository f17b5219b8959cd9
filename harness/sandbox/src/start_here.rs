//! Starts a thread on the processor of the thread that starts it.
//!
//! The kernel gives a new thread to the processor that seems to have the least to do. On a machine with two processors
//! that is often one that is busy, because the thread that starts the other one counts as work, too, even if it waits from
//! then on. The new thread then waits for a time slice, while a processor is idle.

use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

/// The processors of a thread that started another one; see [`start_here`].
#[derive(Debug)]
pub struct AllProcessors(Option<CpuSet>);

impl AllProcessors {
    /// The calling thread, the new one, may use them all again. It calls this first.
    pub fn take(self) {
        if let Self(Some(all)) = self {
            set(&all);
        }
    }
}

/// Calls `start`, which starts one thread, so that the thread begins on the processor of the caller: when the caller waits.
pub fn start_here<T>(start: impl FnOnce(AllProcessors) -> T) -> T {
    let all = sched_getaffinity(None).ok();
    let Some(all) = all.filter(|all| all.count() > 1) else {
        return start(AllProcessors(None));
    };
    let mut here = CpuSet::new();
    here.set(sched_getcpu());
    set(&here);
    let started = start(AllProcessors(Some(all)));
    set(&all);
    started
}

/// It is for speed and may fail.
fn set(processors: &CpuSet) {
    let _ = sched_setaffinity(None, processors);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_thread_begins_here_and_then_may_use_all_processors() {
        let all = sched_getaffinity(None).unwrap();
        let thread = start_here(|processors| {
            std::thread::spawn(move || {
                let first = sched_getaffinity(None).unwrap();
                processors.take();
                (first, sched_getaffinity(None).unwrap())
            })
        });
        let (first, later) = thread.join().unwrap();
        assert_eq!(first.count(), 1);
        assert!(later == all);
        assert!(sched_getaffinity(None).unwrap() == all);
    }
}
