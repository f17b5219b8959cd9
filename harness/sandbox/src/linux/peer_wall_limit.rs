//! The wall time limit of a program that waits for another one. The CPU time of the other program does not count, and
//! neither does time in which others on the machine starved one of the two.
//!
//! The launcher only knows the highest possible limit, and nothing of the other program. The judge checks, once the plain
//! limit has passed.

use std::time::{Duration, Instant};

use rustix::event::Timespec;

use super::observe::Observer;
use crate::contention::hard;
use crate::cpu_reader::CpuReader;
use crate::limits::Limits;
use crate::peer::Peer;

/// The wall time limit of one run, from its start to its end.
pub(super) struct PeerWallLimit {
    peer: Peer,
    /// This program and the other one.
    both: [(CpuReader, Observer); 2],
    limit: Duration,
    started: Instant,
    /// The time of the next check; unused once the limit is exceeded.
    next: Duration,
    over: bool,
}

impl PeerWallLimit {
    /// Create it before the program of `own` starts.
    pub(super) fn new(own: &CpuReader, peer: Peer, limits: &Limits) -> Self {
        let both =
            [own, &peer.cpu_reader].map(|cpu_reader| (cpu_reader.clone(), cpu_reader.observer()));
        Self {
            peer,
            both,
            limit: limits.wall_time,
            started: Instant::now(),
            next: limits.wall_time,
            over: false,
        }
    }

    /// The highest possible limit.
    pub(super) fn highest(&self) -> Duration {
        hard(self.limit).saturating_add(self.peer.cpu_limit)
    }

    /// The time until the next check.
    pub(super) fn time_until_check(&self) -> Option<Timespec> {
        let left = self.next.saturating_sub(self.started.elapsed());
        Timespec::try_from(left).ok().filter(|_| !self.over)
    }

    /// Whether the limit is exceeded now; true only once.
    pub(super) fn is_over(&mut self) -> bool {
        let elapsed = self.started.elapsed();
        if self.over || elapsed < self.next {
            return false;
        }
        let computed = self.peer.cpu_reader.cpu().min(self.peer.cpu_limit);
        let starved: Duration = self.both.iter_mut().map(starved).sum();
        let extended = self.limit.saturating_add(computed + starved);
        self.next = extended.min(self.highest());
        self.over = elapsed >= self.next;
        self.over
    }

    /// Whether the limit was exceeded.
    pub(super) fn was_over(&self) -> bool {
        self.over
    }
}

fn starved((cpu_reader, observer): &mut (CpuReader, Observer)) -> Duration {
    cpu_reader.look(observer);
    observer.contention().starved
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;
    use crate::bytes::Bytes;

    #[test]
    fn the_cpu_time_of_the_other_program_is_subtracted_up_to_its_limit() {
        let mut limits = Limits::new(Duration::from_secs(10), Bytes::mib(2048));
        limits.wall_time = Duration::ZERO;
        let cpu_reader = CpuReader::default();
        let with_peer_limit = |cpu_limit| {
            let cpu_reader = cpu_reader.clone();
            PeerWallLimit::new(
                &CpuReader::default(),
                Peer {
                    cpu_reader,
                    cpu_limit,
                },
                &limits,
            )
        };
        let mut alone = with_peer_limit(Duration::MAX);
        assert!(alone.is_over(), "no CPU time is subtracted");
        assert!(!alone.is_over(), "it is reported once");
        assert!(alone.was_over());
        assert_eq!(alone.time_until_check(), None);

        let mut spinner = Command::new("sh")
            .args(["-c", "while :; do :; done"])
            .spawn()
            .unwrap();
        cpu_reader.follow(std::process::id());
        while cpu_reader.cpu() < Duration::from_millis(300) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let mut extended = with_peer_limit(Duration::MAX);
        assert!(
            !extended.is_over(),
            "the other program has used more CPU time"
        );
        assert!(extended.time_until_check().is_some());
        let mut bounded = with_peer_limit(Duration::ZERO);
        // The highest limit is zero, too.
        assert!(bounded.is_over(), "no more than its limit is subtracted");
        spinner.kill().unwrap();
        spinner.wait().unwrap();
    }
}
