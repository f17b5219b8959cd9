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
//! - If the interactor ends without accepting, nothing that the submission does afterwards counts, so we end it.
//! - If a limit ends the submission, nothing that the interactor does afterwards counts, so we end it: the pipe may hold
//!   messages for minutes.

use std::io;
use std::os::fd::OwnedFd;
use std::thread;
use std::time::Duration;

use super::end_order::{EndOrder, Partner};
use super::relay::{Relay, drain};
use super::transcript::{Recorder, Transcript};
use crate::checker::{CheckOutcome, Checked};
use crate::sandbox::{
    Execution, Exit, Interrupt, Job, Peer, Runner, SandboxError, Wires, idle_time_for, wire,
};

/// The two programs, and how to run them.
pub(super) struct Partners<'a> {
    pub(super) submission: &'a Job,
    pub(super) interactor: &'a Job,
    /// Reads the decision of the interactor after its end.
    pub(super) decision: &'a (dyn Fn(&Execution) -> Checked + Sync),
    /// Whether to record a transcript.
    pub(super) record: bool,
}

/// The result of both.
pub(super) struct Interaction {
    pub(super) submission: Execution,
    pub(super) interactor: Execution,
    /// The decision of the interactor.
    pub(super) checked: Checked,
    /// The program that ended first.
    pub(super) first: Partner,
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
            return Ok(Self { writer, reader, relay: None });
        }
        let (far_reader, far_writer) = wire()?;
        Ok(Self { writer, reader: far_reader, relay: Some(Relay::new(reader, far_writer)?) })
    }
}

/// Runs both programs until they end.
pub(super) fn interact(
    partners: &Partners<'_>,
    (first, second): (&mut Runner, &mut Runner),
) -> Result<Interaction, SandboxError> {
    let io = cannot_connect;
    let stop = Interrupt::new().map_err(io)?;
    let stop_interactor = Interrupt::new().map_err(io)?;
    let up = Channel::new(partners.record).map_err(io)?;
    let down = Channel::new(partners.record).map_err(io)?;
    let up_writer = up.writer.try_clone().map_err(io)?;
    let up_reader = up.reader.try_clone().map_err(io)?;
    let down_reader = down.reader.try_clone().map_err(io)?;
    let recorder = partners.record.then(Recorder::start);
    let order = EndOrder::default();
    let peer = Peer {
        cpu_reader: second.cpu_reader(),
        cpu_limit: partners.interactor.limits.cpu_kill,
        idle_time: Some(idle_time_for(partners.submission.limits.wall_time)),
    };
    let other_peer = peer_of_interactor(first);
    let (submission, interactor) = thread::scope(|scope| {
        let (order, recorder) = (&order, recorder.as_ref());
        let relays = [(Partner::Submission, up.relay), (Partner::Interactor, down.relay)];
        for (partner, relay) in relays {
            if let (Some(relay), Some(recorder)) = (relay, recorder) {
                scope.spawn(move || relay.run(order, |bytes| recorder.record(partner, bytes)));
            }
        }
        let wires = Wires {
            stdin: up.reader,
            stdout: down.writer,
            peer: Some(other_peer),
            stop: Some(stop_interactor.clone()),
        };
        let stop_submission = stop.clone();
        let interactor = scope.spawn(move || {
            let ended = second.run_wired(partners.interactor, wires);
            order.interactor_ended();
            record_end(recorder, Partner::Interactor, &ended);
            let decided = ended.map(|ended| ((partners.decision)(&ended), ended));
            if is_accepted(&decided) {
                drain(&up_reader, order);
            } else {
                stop_submission.trigger();
            }
            decided
        });
        let wires =
            Wires { stdin: down.reader, stdout: up.writer, peer: Some(peer), stop: Some(stop) };
        let submission = first.run_wired(partners.submission, wires);
        order.submission_ended(&down_reader);
        if is_killed(&submission) {
            stop_interactor.trigger();
        }
        record_end(recorder, Partner::Submission, &submission);
        drop(up_writer);
        drain(&down_reader, order);
        (submission, interactor.join())
    });
    let interactor = interactor.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    let (checked, interactor) = interactor?;
    Ok(Interaction {
        submission: submission?,
        interactor,
        checked,
        first: order.first(),
        transcript: recorder.map(Recorder::finish),
    })
}

/// What the interactor waits for. Its limit already includes the submission's CPU time.
fn peer_of_interactor(submission: &Runner) -> Peer {
    Peer { cpu_reader: submission.cpu_reader(), cpu_limit: Duration::ZERO, idle_time: None }
}

fn is_accepted(decided: &Result<(Checked, Execution), SandboxError>) -> bool {
    matches!(decided, Ok((checked, _)) if checked.outcome == CheckOutcome::Accepted)
}

fn is_killed(ended: &Result<Execution, SandboxError>) -> bool {
    matches!(ended, Ok(ended) if matches!(ended.exit, Exit::Killed(_)))
}

fn cannot_connect(source: io::Error) -> SandboxError {
    SandboxError::Io { action: "cannot connect the submission and the interactor".into(), source }
}

fn record_end(
    recorder: Option<&Recorder>,
    partner: Partner,
    ended: &Result<Execution, SandboxError>,
) {
    if let (Some(recorder), Ok(ended)) = (recorder, ended) {
        recorder.ended(partner, ended.exit);
    }
}
