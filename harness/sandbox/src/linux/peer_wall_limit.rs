//! The time limits of a program that talks to another one.
//!
//! Towards its wall time limit, the CPU time of the other program does not count, and neither does time in which others
//! on the machine starved the two, or in which the judge stood still. If one of the two has the processor that the other
//! one wants, nobody starves them. If both wait, the limit for that ends it long before: see [`idle`](super::idle).
//!
//! The launcher only knows the highest possible limit, and nothing of the other program. The judge checks, once the plain
//! limit has passed.

use std::time::{Duration, Instant};

use rustix::event::Timespec;

use super::idle::IdleWatch;
use super::observe::Observer;
use super::processors;
use crate::contention::{Contention, hard};
use crate::cpu_reader::CpuReader;
use crate::execution::LimitKind;
use crate::limits::Limits;
use crate::peer::Peer;
use crate::standstill::Standstill;

/// The limits of one run, from its start to its end.
pub(super) struct PeerWallLimit {
    peer: Peer,
    /// This program and the other one, observed as one run.
    both: [CpuReader; 2],
    observer: Observer,
    limit: Duration,
    started: Instant,
    /// When the judge wakes at the latest.
    wake: Instant,
    standstill: Standstill,
    /// The time of the next check of the wall time; unused once a limit is exceeded.
    next: Duration,
    idle: Option<IdleWatch>,
    /// The limit that was exceeded, and how much others disturbed both programs until then.
    exceeded: Option<(LimitKind, Contention)>,
}

/// The longest time between two looks at the clock: a standstill shows as a longer one.
const LONGEST: Duration = Duration::from_secs(1);

impl PeerWallLimit {
    /// Create it before the program of `own` starts.
    pub(super) fn new(own: &CpuReader, peer: Peer, limits: &Limits) -> Self {
        let both = [own.clone(), peer.cpu_reader.clone()];
        let idle = peer.idle_time.map(|limit| IdleWatch::new(both.clone(), limit));
        let mut observer = Observer::new(own.launcher(), processors::count());
        observer.look(&launchers(&both), None);
        let started = Instant::now();
        Self {
            peer,
            both,
            observer,
            limit: limits.wall_time,
            started,
            wake: started,
            standstill: Standstill::default(),
            next: limits.wall_time,
            idle,
            exceeded: None,
        }
    }

    /// The highest possible limit of wall time.
    pub(super) fn highest(&self) -> Duration {
        hard(self.limit).saturating_add(self.peer.cpu_limit)
    }

    /// The time until the next check.
    pub(super) fn time_until_check(&mut self) -> Option<Timespec> {
        let left = self.next.saturating_sub(self.elapsed()).min(LONGEST);
        let checks = self.idle.iter().map(IdleWatch::time_until_check);
        let left = checks.fold(left, Duration::min);
        self.wake = Instant::now() + left;
        Timespec::try_from(left).ok().filter(|_| self.exceeded.is_none())
    }

    fn elapsed(&self) -> Duration {
        self.standstill.subtract_from(self.started.elapsed())
    }

    /// Whether a limit is exceeded now; true only once.
    pub(super) fn is_over(&mut self) -> bool {
        self.standstill.note(self.wake);
        if self.exceeded.is_some() {
            return false;
        }
        let limit = if self.is_over_wall_time() {
            LimitKind::Wall
        } else if self.idle.as_mut().is_some_and(IdleWatch::is_over) {
            LimitKind::Idle
        } else {
            return false;
        };
        self.exceeded = Some((limit, self.observer.contention()));
        true
    }

    fn is_over_wall_time(&mut self) -> bool {
        let elapsed = self.elapsed();
        if elapsed < self.next {
            return false;
        }
        let computed = self.peer.cpu_reader.cpu().min(self.peer.cpu_limit);
        self.observer.look(&launchers(&self.both), None);
        let starved = self.observer.contention().starved;
        let extended = self.limit.saturating_add(computed + starved);
        self.next = extended.min(self.highest());
        elapsed >= self.next
    }

    /// The limit that was exceeded, and how much others disturbed both programs until then.
    pub(super) fn exceeded(&self) -> Option<(LimitKind, Contention)> {
        self.exceeded
    }
}

/// The launchers of both programs, where there are some.
fn launchers(both: &[CpuReader]) -> Vec<i32> {
    let all = both.iter().map(CpuReader::launcher);
    all.filter(|&launcher| launcher != 0).collect()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use rejudge_quantity::Bytes;

    use super::*;

    #[test]
    fn the_cpu_time_of_the_other_program_is_subtracted_up_to_its_limit() {
        let mut limits = Limits::new(Duration::from_secs(10), Bytes::mib(2048));
        limits.wall_time = Duration::ZERO;
        let cpu_reader = CpuReader::default();
        let with_peer_limit = |cpu_limit| {
            let cpu_reader = cpu_reader.clone();
            PeerWallLimit::new(
                &CpuReader::default(),
                Peer { cpu_reader, cpu_limit, idle_time: None },
                &limits,
            )
        };
        let mut alone = with_peer_limit(Duration::MAX);
        assert!(alone.is_over(), "no CPU time is subtracted");
        assert!(!alone.is_over(), "it is reported once");
        assert!(matches!(alone.exceeded(), Some((LimitKind::Wall, _))));
        assert_eq!(alone.time_until_check(), None);

        let mut spinner = Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        cpu_reader.follow(std::process::id());
        while cpu_reader.cpu() < Duration::from_millis(300) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let mut extended = with_peer_limit(Duration::MAX);
        assert!(!extended.is_over(), "the other program has used more CPU time");
        assert!(extended.time_until_check().is_some());
        let mut bounded = with_peer_limit(Duration::ZERO);
        // The highest limit is zero, too.
        assert!(bounded.is_over(), "no more than its limit is subtracted");
        spinner.kill().unwrap();
        spinner.wait().unwrap();
    }
}
