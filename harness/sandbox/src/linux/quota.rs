//! A quota of CPU time, as containers have it.
//!
//! With a quota, only the CPU time of everything together counts: to do two things at the same time on two processors takes
//! more of it, because each processor has to fetch the data of the other one. Therefore, if the programs that run at once
//! can use up the quota, judge, launcher and program take turns on one processor.

use std::sync::OnceLock;
use std::time::Duration;

use super::cgroup;

/// The CPU time that we may use in a second, at the first call; `None` without a quota.
pub(super) fn known() -> Option<Duration> {
    static KNOWN: OnceLock<Option<Duration>> = OnceLock::new();
    *KNOWN.get_or_init(cgroup::quota)
}

/// Whether this number of programs with one thread each can use up this quota.
pub(super) fn is_used_up(quota: Option<Duration>, programs: u32) -> bool {
    quota.is_some_and(|quota| Duration::from_secs(programs.into()) >= quota)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_use_up_a_quota_that_is_no_more_than_their_number() {
        let millis = |millis| Some(Duration::from_millis(millis));
        assert!(is_used_up(millis(500), 1));
        assert!(is_used_up(millis(1000), 1));
        assert!(!is_used_up(millis(1500), 1));
        assert!(is_used_up(millis(1500), 2));
        assert!(!is_used_up(None, 100));
    }
}
