//! Two programs that talk: a submission and an interactor, wired by two pipes.
//!
//! No byte passes through us, unless a transcript is asked for. What each side may know of the other's end is
//! settled here, so that who ended first is never a matter of luck:
//!
//! - The interactor sees the end of its input only when we know that the submission has ended: we hold a
//!   writing end of that pipe until then.
//! - The submission sees the end of its input, and broken pipes, as soon as the interactor is gone. If it ends
//!   and nobody writes to it any more, the interactor has probably ended before; so we wait a moment for the
//!   news, which cannot be due to the submission's end, of which the interactor does not know yet.
//! - While the interactor runs, and after it has accepted, writing to it breaks no pipe; nor does writing to a
//!   submission that has ended. What nobody reads then, we read away.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::relay::{Relay, drain};
use super::transcript::{Recorder, Transcript};
use crate::sandbox::{Execution, Exit, Job, Peer, Runner, SandboxError, Wires, is_hung_up, wire};

/// How long the news of an interactor's end may be under way, on however busy a machine.
const GRACE: Duration = Duration::from_millis(500);

/// One of the two.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Submission,
    Interactor,
}

/// Who is to talk.
pub(super) struct Partners<'a> {
    pub(super) submission: &'a Job,
    pub(super) interactor: &'a Job,
    /// The exit code by which the interactor accepts.
    pub(super) accepts: i32,
    /// Whether to write down what they say.
    pub(super) record: bool,
}

/// What became of both.
pub(super) struct Talk {
    pub(super) submission: Execution,
    pub(super) interactor: Execution,
    /// Who ended first.
    pub(super) first: Side,
    pub(super) transcript: Option<Transcript>,
}

/// The way from one program to the other.
struct Channel {
    /// For the one that writes.
    writer: OwnedFd,
    /// For the one that reads.
    reader: OwnedFd,
    /// What joins the two, if it is not one pipe.
    relay: Option<Relay>,
}

impl Channel {
    fn new(record: bool) -> io::Result<Self> {
        let (reader, writer) = wire()?;
        if !record {
            return Ok(Self {
                writer,
                reader,
                relay: None,
            });
        }
        let (far_reader, far_writer) = wire()?;
        Ok(Self {
            writer,
            reader: far_reader,
            relay: Some(Relay::new(reader, far_writer)?),
        })
    }
}

/// Runs both to their ends.
pub(super) fn talk(
    partners: &Partners<'_>,
    (first, second): (&mut Runner, &mut Runner),
) -> Result<Talk, SandboxError> {
    let io = |source| SandboxError::Io {
        action: "joining two programs".into(),
        source,
    };
    let up = Channel::new(partners.record).map_err(io)?;
    let down = Channel::new(partners.record).map_err(io)?;
    let up_writer = up.writer.try_clone().map_err(io)?;
    let up_reader = up.reader.try_clone().map_err(io)?;
    let down_reader = down.reader.try_clone().map_err(io)?;
    let recorder = partners.record.then(Recorder::start);
    let order = Order::default();
    let peer = Peer {
        pulse: second.pulse(),
        cpu_limit: partners.interactor.limits.cpu_kill,
    };
    // What the submission may compute is part of the interactor's limit already.
    let other_peer = Peer {
        pulse: first.pulse(),
        cpu_limit: Duration::ZERO,
    };
    let (submission, interactor) = thread::scope(|scope| {
        let (order, recorder) = (&order, recorder.as_ref());
        for (side, relay) in [(Side::Submission, up.relay), (Side::Interactor, down.relay)] {
            if let (Some(relay), Some(recorder)) = (relay, recorder) {
                scope.spawn(move || relay.run(order, |bytes| recorder.heard(side, bytes)));
            }
        }
        let wires = Wires {
            stdin: up.reader,
            stdout: down.writer,
            peer: Some(other_peer),
        };
        let interactor = scope.spawn(move || {
            let ended = second.run_wired(partners.interactor, wires);
            order.interactor_ended();
            tell(recorder, Side::Interactor, &ended);
            let accepted = Exit::Code(partners.accepts);
            if ended.as_ref().is_ok_and(|ended| ended.exit == accepted) {
                drain(&up_reader, order);
            }
            ended
        });
        let wires = Wires {
            stdin: down.reader,
            stdout: up.writer,
            peer: Some(peer),
        };
        let submission = first.run_wired(partners.submission, wires);
        order.submission_ended(&down_reader);
        tell(recorder, Side::Submission, &submission);
        drop(up_writer);
        drain(&down_reader, order);
        (submission, interactor.join())
    });
    let interactor = interactor.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    Ok(Talk {
        submission: submission?,
        interactor: interactor?,
        first: order.first(),
        transcript: recorder.map(Recorder::finish),
    })
}

fn tell(recorder: Option<&Recorder>, side: Side, ended: &Result<Execution, SandboxError>) {
    if let (Some(recorder), Ok(ended)) = (recorder, ended) {
        recorder.ended(side, ended.exit);
    }
}

/// Who has ended, in their order.
#[derive(Debug, Default)]
pub(super) struct Order {
    ended: Mutex<Vec<Side>>,
    changed: Condvar,
}

impl Order {
    fn interactor_ended(&self) {
        self.lock().push(Side::Interactor);
        self.changed.notify_all();
    }

    /// `input` is the submission's.
    fn submission_ended(&self, input: &OwnedFd) {
        let mut ended = self.lock();
        if ended.is_empty() && is_hung_up(input) {
            let news = self
                .changed
                .wait_timeout_while(ended, GRACE, |ended| ended.is_empty());
            ended = news.unwrap_or_else(PoisonError::into_inner).0;
        }
        ended.push(Side::Submission);
        self.changed.notify_all();
    }

    /// Whether both have: then nobody reads or writes any more.
    pub(super) fn is_over(&self) -> bool {
        self.lock().len() == 2
    }

    fn first(&self) -> Side {
        let first = self.lock().first().copied();
        first.expect("both have ended")
    }

    fn lock(&self) -> MutexGuard<'_, Vec<Side>> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interactor_whose_end_is_heard_of_late_has_still_ended_first() {
        let (reader, writer) = wire().unwrap();
        drop(writer);
        let order = Order::default();
        thread::scope(|scope| {
            scope.spawn(|| order.submission_ended(&reader));
            thread::sleep(Duration::from_millis(20));
            order.interactor_ended();
        });
        assert_eq!(order.first(), Side::Interactor);
        assert!(order.is_over());
    }

    #[test]
    fn a_submission_ends_first_if_the_interactor_could_still_write_or_stays() {
        let (reader, writer) = wire().unwrap();
        let order = Order::default();
        order.submission_ended(&reader);
        assert!(!order.is_over());
        order.interactor_ended();
        assert_eq!(order.first(), Side::Submission);

        drop(writer);
        let order = Order::default();
        order.submission_ended(&reader);
        order.interactor_ended();
        assert_eq!(order.first(), Side::Submission);
    }
}
