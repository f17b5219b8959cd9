//! Starts a thread on the processor of the thread that starts it.
//!
//! The kernel puts a new thread on the processor with the least work. That of its creator counts as busy, although the
//! creator often waits from then on. So with two processors, the new thread may have to wait behind another process, while
//! the processor of its creator is idle.

use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu};

use crate::affinity::{only, restrict};

/// The processors of a thread that started another one; see [`start_here`].
#[derive(Debug)]
pub struct AllProcessors(Option<CpuSet>);

impl AllProcessors {
    /// The calling thread, the new one, may use them all again. It calls this first.
    pub fn take(self) {
        if let Self(Some(all)) = self {
            restrict(None, &all);
        }
    }
}

/// Calls `start`, which starts one thread. The thread begins on the processor of the caller, as soon as the caller waits.
pub fn start_here<T>(start: impl FnOnce(AllProcessors) -> T) -> T {
    let all = sched_getaffinity(None).ok();
    let Some(all) = all.filter(|all| all.count() > 1) else {
        return start(AllProcessors(None));
    };
    restrict(None, &only(sched_getcpu()));
    let started = start(AllProcessors(Some(all)));
    restrict(None, &all);
    started
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
