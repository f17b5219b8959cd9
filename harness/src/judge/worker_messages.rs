//! The channel from the workers to the thread that collects their results.
//!
//! To wake a thread for every message costs more than all other work of the judge on a short program. So messages are
//! collected for a while, except urgent ones.

use std::sync::mpsc::{self, Receiver, Sender, TryRecvError};
use std::thread::{self, Thread};
use std::time::Duration;

use crate::event::CaseResult;
use crate::sandbox::SandboxError;
use crate::sequence::BuildOutcome;
use crate::verdict::Verdict;

/// How long messages may wait. Users cannot see a display change faster.
const GATHER: Duration = Duration::from_millis(10);

/// A message from a worker to the receiving thread.
pub(super) enum WorkerMessage {
    Compiling(usize),
    Running(usize, usize),
    Built(usize, BuildOutcome),
    Case(usize, usize, Box<CaseResult>),
    Fault(SandboxError),
}

impl WorkerMessage {
    /// Whether the receiver must act at once: a failure may end the run.
    fn is_urgent(&self) -> bool {
        match self {
            Self::Fault(_) => true,
            Self::Compiling(_) | Self::Running(..) => false,
            Self::Built(_, built) => !matches!(built, BuildOutcome::Ready { .. }),
            Self::Case(_, _, result) => result.verdict != Verdict::Accepted,
        }
    }
}

/// A worker's end of the channel.
#[derive(Clone)]
pub(super) struct MessageSender {
    /// `None` only during `drop`.
    channel: Option<Sender<WorkerMessage>>,
    receiver: Thread,
}

impl MessageSender {
    /// Sends a message; never blocks.
    pub(super) fn send(&self, message: WorkerMessage) {
        let urgent = message.is_urgent();
        if let Some(channel) = &self.channel {
            // The receiver outlives the workers: it ends when the last worker has ended.
            let _ = channel.send(message);
        }
        if urgent {
            self.receiver.unpark();
        }
    }
}

impl Drop for MessageSender {
    fn drop(&mut self) {
        self.channel = None;
        self.receiver.unpark();
    }
}

/// The receiving thread's end of the channel.
pub(super) struct MessageReceiver(Receiver<WorkerMessage>);

/// A channel to the calling thread.
pub(super) fn channel() -> (MessageSender, MessageReceiver) {
    let (sender, received) = mpsc::channel();
    let sender = MessageSender { channel: Some(sender), receiver: thread::current() };
    (sender, MessageReceiver(received))
}

impl MessageReceiver {
    /// Passes every message to `on_message`, in order, until the last [`MessageSender`] is dropped; `None` before it waits
    /// for more.
    ///
    /// The first message waits as well: the sandbox may still need the processor of this thread, to start the first program.
    pub(super) fn receive_all(self, mut on_message: impl FnMut(Option<WorkerMessage>)) {
        let mut is_first = true;
        while let Ok(first) = self.0.recv() {
            if std::mem::take(&mut is_first) && !first.is_urgent() {
                thread::park_timeout(GATHER);
            }
            on_message(Some(first));
            loop {
                match self.0.try_recv() {
                    Ok(message) => on_message(Some(message)),
                    Err(TryRecvError::Empty) => break,
                    // No more messages will come.
                    Err(TryRecvError::Disconnected) => return,
                }
            }
            on_message(None);
            thread::park_timeout(GATHER);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::specimen;

    #[test]
    fn all_messages_arrive_in_order_and_the_last_sender_ends_the_loop() {
        let (sender, receiver) = channel();
        let mut arrived = Vec::new();
        thread::scope(|scope| {
            scope.spawn(move || {
                let sender = sender.clone();
                for case in 0..100 {
                    sender.send(WorkerMessage::Running(0, case));
                    let result = specimen::result("1", Verdict::Accepted);
                    sender.send(WorkerMessage::Case(0, case, Box::new(result)));
                }
            });
            receiver.receive_all(|message| match message {
                Some(WorkerMessage::Running(_, case)) => arrived.push((case, false)),
                Some(WorkerMessage::Case(_, case, _)) => arrived.push((case, true)),
                Some(_) => unreachable!("nothing else was sent"),
                None => {}
            });
        });
        let expected: Vec<_> = (0..100).flat_map(|case| [(case, false), (case, true)]).collect();
        assert_eq!(arrived, expected);
    }

    #[test]
    fn a_pause_is_told_while_a_sender_has_no_more_yet() {
        let (sender, receiver) = channel();
        let (pause, paused) = mpsc::channel();
        thread::scope(|scope| {
            scope.spawn(move || {
                sender.send(WorkerMessage::Running(0, 0));
                let told = paused.recv_timeout(Duration::from_secs(60));
                told.expect("the pause comes before the last sender is dropped");
            });
            receiver.receive_all(|message| {
                if message.is_none() {
                    // Only the first one is waited for.
                    let _ = pause.send(());
                }
            });
        });
    }
}
