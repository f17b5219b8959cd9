//! The wall time limit of a program that waits for another one. The CPU time of the other program does not count, and
//! neither does time in which others on the machine starved one of the two.
//!
//! The launcher only knows the highest possible limit, and nothing of the other program. The judge checks, once the plain
//! limit has passed.

use std::time::{Duration, Instant};

use rustix::event::Timespec;

use super::observe::Observer;
use super::pulse::Pulse;
use crate::contention::hard;
use crate::limits::Limits;
use crate::peer::Peer;

/// The guard of one run, from its start to its end.
pub(super) struct Guard {
    peer: Peer,
    /// This program and the other one.
    both: [(Pulse, Observer); 2],
    limit: Duration,
    started: Instant,
    /// The time of the next check; unused once the limit is broken.
    next: Duration,
    over: bool,
}

impl Guard {
    /// Create it before the program of `own` starts.
    pub(super) fn new(own: &Pulse, peer: Peer, limits: &Limits) -> Self {
        let both = [own, &peer.pulse].map(|pulse| (pulse.clone(), pulse.observer()));
        Self {
            peer,
            both,
            limit: limits.wall_time,
            started: Instant::now(),
            next: limits.wall_time,
            over: false,
        }
    }

    pub(super) fn utmost(&self) -> Duration {
        hard(self.limit).saturating_add(self.peer.cpu_limit)
    }

    /// The time until the next check.
    pub(super) fn patience(&self) -> Option<Timespec> {
        let left = self.next.saturating_sub(self.started.elapsed());
        Timespec::try_from(left).ok().filter(|_| !self.over)
    }

    /// Whether the limit is broken now; true only once.
    pub(super) fn is_over(&mut self) -> bool {
        let elapsed = self.started.elapsed();
        if self.over || elapsed < self.next {
            return false;
        }
        let computed = self.peer.pulse.cpu().min(self.peer.cpu_limit);
        let starved: Duration = self.both.iter_mut().map(starved).sum();
        let extended = self.limit.saturating_add(computed + starved);
        self.next = extended.min(self.utmost());
        self.over = elapsed >= self.next;
        self.over
    }

    /// Whether the limit was broken.
    pub(super) fn was_over(&self) -> bool {
        self.over
    }
}

fn starved((pulse, observer): &mut (Pulse, Observer)) -> Duration {
    pulse.look(observer);
    observer.contention().starved
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::super::Pulse;
    use super::*;
    use crate::bytes::Bytes;

    #[test]
    fn what_the_other_program_computes_is_taken_off_up_to_its_limit() {
        let mut limits = Limits::new(Duration::from_secs(10), Bytes::mib(2048));
        limits.wall_time = Duration::ZERO;
        let pulse = Pulse::default();
        let guard = |cpu_limit| {
            let pulse = pulse.clone();
            Guard::new(&Pulse::default(), Peer { pulse, cpu_limit }, &limits)
        };
        let mut alone = guard(Duration::MAX);
        assert!(alone.is_over(), "nothing computes");
        assert!(!alone.is_over(), "it is said once");
        assert!(alone.was_over());
        assert_eq!(alone.patience(), None);

        let mut spinner = Command::new("sh")
            .args(["-c", "while :; do :; done"])
            .spawn()
            .unwrap();
        pulse.follow(std::process::id());
        while pulse.cpu() < Duration::from_millis(300) {
            std::thread::sleep(Duration::from_millis(10));
        }
        let mut patient = guard(Duration::MAX);
        assert!(!patient.is_over(), "the other one has computed for longer");
        assert!(patient.patience().is_some());
        let mut stingy = guard(Duration::ZERO);
        // The utmost limit is none, too.
        assert!(stingy.is_over(), "no more is taken off than its limit");
        spinner.kill().unwrap();
        spinner.wait().unwrap();
    }
}
