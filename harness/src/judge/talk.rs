//! Runs two programs that talk to each other: a submission and an interactor, connected by two pipes.
//!
//! Unless a transcript is requested, no byte passes through rejudge. This module controls what each program can see of
//! the other's end, so that the order in which they end does not depend on chance:
//!
//! - The interactor sees the end of its input only after we know that the submission has ended: until then we hold a
//!   writing end of that pipe open.
//! - The submission sees the end of its input, and broken pipes, as soon as the interactor has ended. If the submission
//!   ends and the writing end of its input is closed, the interactor has probably ended before. So we wait a moment for
//!   the notice of its end. The submission's end cannot have caused that, because the interactor cannot see it yet.
//! - Writing to the interactor never breaks a pipe while it runs and after it has accepted. Writing to a submission
//!   that has ended never does either. We read and discard what is written then.

use std::io;
use std::os::fd::OwnedFd;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use super::relay::{Relay, drain};
use super::transcript::{Recorder, Transcript};
use crate::sandbox::{Execution, Exit, Job, Peer, Runner, SandboxError, Wires, is_hung_up, wire};

/// How long the notice of an interactor's end may take, even on a busy machine.
const GRACE: Duration = Duration::from_millis(500);

/// One of the two programs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Submission,
    Interactor,
}

/// The two programs, and how to run them.
pub(super) struct Partners<'a> {
    pub(super) submission: &'a Job,
    pub(super) interactor: &'a Job,
    /// The exit code by which the interactor accepts.
    pub(super) accepts: i32,
    /// Whether to record a transcript.
    pub(super) record: bool,
}

/// The result of both.
pub(super) struct Interaction {
    pub(super) submission: Execution,
    pub(super) interactor: Execution,
    /// The program that ended first.
    pub(super) first: Side,
    pub(super) transcript: Option<Transcript>,
}

/// The connection from one program to the other.
struct Channel {
    /// For the writing program.
    writer: OwnedFd,
    /// For the reading program.
    reader: OwnedFd,
    /// Copies from `writer`'s pipe to `reader`'s, if these are two pipes.
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

/// Runs both programs until they end.
pub(super) fn interact(
    partners: &Partners<'_>,
    (first, second): (&mut Runner, &mut Runner),
) -> Result<Interaction, SandboxError> {
    let io = |source| SandboxError::Io {
        action: "cannot connect the submission and the interactor".into(),
        source,
    };
    let up = Channel::new(partners.record).map_err(io)?;
    let down = Channel::new(partners.record).map_err(io)?;
    let up_writer = up.writer.try_clone().map_err(io)?;
    let up_reader = up.reader.try_clone().map_err(io)?;
    let down_reader = down.reader.try_clone().map_err(io)?;
    let recorder = partners.record.then(Recorder::start);
    let order = EndOrder::default();
    let peer = Peer {
        pulse: second.pulse(),
        cpu_limit: partners.interactor.limits.cpu_kill,
    };
    // The interactor's limit already includes the submission's CPU time.
    let other_peer = Peer {
        pulse: first.pulse(),
        cpu_limit: Duration::ZERO,
    };
    let (submission, interactor) = thread::scope(|scope| {
        let (order, recorder) = (&order, recorder.as_ref());
        for (side, relay) in [(Side::Submission, up.relay), (Side::Interactor, down.relay)] {
            if let (Some(relay), Some(recorder)) = (relay, recorder) {
                scope.spawn(move || relay.run(order, |bytes| recorder.record(side, bytes)));
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
            record_end(recorder, Side::Interactor, &ended);
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
        record_end(recorder, Side::Submission, &submission);
        drop(up_writer);
        drain(&down_reader, order);
        (submission, interactor.join())
    });
    let interactor = interactor.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    Ok(Interaction {
        submission: submission?,
        interactor: interactor?,
        first: order.first(),
        transcript: recorder.map(Recorder::finish),
    })
}

fn record_end(recorder: Option<&Recorder>, side: Side, ended: &Result<Execution, SandboxError>) {
    if let (Some(recorder), Ok(ended)) = (recorder, ended) {
        recorder.ended(side, ended.exit);
    }
}

/// The programs that have ended, in the order in which they ended.
#[derive(Debug, Default)]
pub(super) struct EndOrder {
    ended: Mutex<Vec<Side>>,
    changed: Condvar,
}

impl EndOrder {
    fn interactor_ended(&self) {
        self.lock().push(Side::Interactor);
        self.changed.notify_all();
    }

    /// Notes the end of the submission. `input` is the reading end of its input.
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

    /// Whether both have ended, so that neither reads or writes any more.
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
    fn an_interactor_whose_end_is_noticed_late_has_still_ended_first() {
        let (reader, writer) = wire().unwrap();
        drop(writer);
        let order = EndOrder::default();
        thread::scope(|scope| {
            scope.spawn(|| order.submission_ended(&reader));
            thread::sleep(Duration::from_millis(20));
            order.interactor_ended();
        });
        assert_eq!(order.first(), Side::Interactor);
        assert!(order.is_over());
    }

    #[test]
    fn a_submission_ends_first_if_the_interactor_can_still_write_or_still_runs() {
        let (reader, writer) = wire().unwrap();
        let order = EndOrder::default();
        order.submission_ended(&reader);
        assert!(!order.is_over());
        order.interactor_ended();
        assert_eq!(order.first(), Side::Submission);

        drop(writer);
        let order = EndOrder::default();
        order.submission_ended(&reader);
        order.interactor_ended();
        assert_eq!(order.first(), Side::Submission);
    }
}
