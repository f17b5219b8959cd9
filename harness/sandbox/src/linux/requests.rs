//! The launcher's end of the socket to the judge. Requests are answered in order; the next one may arrive while a
//! program runs.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use super::encoding::Malformed;
use super::processors::Processors;
use super::protocol::{JudgeRequest, ProgramSpec, Reply};
use super::socket::Socket;

/// The requests of the judge.
#[derive(Debug)]
pub(super) struct Requests {
    socket: Socket,
    /// The request that arrived while the last program ran.
    next_request: Option<(JudgeRequest, Vec<OwnedFd>)>,
    /// The reply about that program, held back until the next one has started, and the thread that waits for it.
    held_reply: Option<(Vec<u8>, u32)>,
    /// The number of runs requested, including the current one.
    runs: u64,
}

/// A message of the judge about the current run.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum RunMessage {
    Nothing,
    /// It requests the next run: see [`Requests::next_run`].
    Next,
    Kill,
    Interrupt,
    /// The judge has closed the socket.
    HungUp,
}

impl Requests {
    pub(super) fn new(socket: Socket) -> Self {
        Self { socket, next_request: None, held_reply: None, runs: 0 }
    }

    /// Waits for the next request and its descriptors; `None` if the judge has closed the socket.
    #[expect(clippy::type_complexity, reason = "named nowhere else")]
    pub(super) fn next(
        &mut self,
    ) -> io::Result<Option<(Result<JudgeRequest, Malformed>, Vec<OwnedFd>)>> {
        let (request, fds) = match self.next_request.take() {
            Some((request, fds)) => (Ok(request), fds),
            None => match self.socket.receive()? {
                Some(message) => (JudgeRequest::decode(&message.bytes), message.fds),
                None => return Ok(None),
            },
        };
        self.runs += u64::from(matches!(request, Ok(JudgeRequest::Run { .. })));
        Ok(Some((request, fds)))
    }

    /// Reads a message while a program runs; waits for one if there is none.
    pub(super) fn receive_during_run(&mut self) -> io::Result<RunMessage> {
        let Some(message) = self.socket.receive()? else {
            return Ok(RunMessage::HungUp);
        };
        match JudgeRequest::decode(&message.bytes) {
            Ok(JudgeRequest::Kill(run)) if run == self.runs => Ok(RunMessage::Kill),
            Ok(JudgeRequest::Interrupt(run)) if run == self.runs => Ok(RunMessage::Interrupt),
            // The run has ended meanwhile.
            Ok(JudgeRequest::Kill(_) | JudgeRequest::Interrupt(_)) => Ok(RunMessage::Nothing),
            Ok(request @ JudgeRequest::Run { .. }) if self.next_request.is_none() => {
                self.next_request = Some((request, message.fds));
                Ok(RunMessage::Next)
            }
            Ok(request @ JudgeRequest::Quit) => {
                self.next_request = Some((request, message.fds));
                Ok(RunMessage::Kill)
            }
            _ => Err(io::Error::other("unexpected request")),
        }
    }

    /// The next run, if it was requested already, and its streams.
    pub(super) fn next_run(&self) -> Option<(&ProgramSpec, &[OwnedFd])> {
        match &self.next_request {
            Some((JudgeRequest::Run { program, .. }, fds)) => Some((program, fds)),
            _ => None,
        }
    }

    /// Answers a request. If the next run was requested already, the reply is held back until that run has started: see
    /// [`Requests::send_held_reply`].
    pub(super) fn answer(&mut self, reply: &Reply) -> io::Result<()> {
        if let Some((earlier, _)) = self.held_reply.take() {
            self.socket.send(&earlier, &[])?;
        }
        match &self.next_request {
            Some((JudgeRequest::Run { asker, .. }, _)) => {
                self.held_reply = Some((reply.encode(), *asker));
                Ok(())
            }
            Some(_) => Ok(()),
            None => self.socket.send(&reply.encode(), &[]),
        }
    }

    /// Sends the reply that was held back until the next run started. The thread that it wakes could take the processor
    /// of the program. With `processors`, that thread therefore wakes on our processor.
    pub(super) fn send_held_reply(&mut self, processors: Option<&Processors>) {
        if let Some((reply, asker)) = self.held_reply.take() {
            if let Some(processors) = processors {
                processors.bring_here(asker.cast_signed());
            }
            // If the judge is gone, the next poll shows it.
            let _ = self.socket.send(&reply, &[]);
        }
    }
}

impl AsFd for Requests {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use std::ffi::CString;

    use rejudge_quantity::Bytes;

    use super::*;
    use crate::Limits;
    use crate::execution::Exit;

    fn connected() -> (Socket, Requests) {
        let (judge, launcher) = Socket::pair().unwrap();
        (judge, Requests::new(Socket::new(launcher)))
    }

    fn send(judge: &Socket, request: &JudgeRequest) {
        judge.send(&request.encode(), &[]).unwrap();
    }

    fn run(program: &str) -> JudgeRequest {
        let program = ProgramSpec {
            argv: vec![CString::new(program).unwrap()],
            env: Vec::new(),
            work_dir: None,
            readable: Vec::new(),
            limits: Limits::new(std::time::Duration::from_secs(10), Bytes::mib(2048)),
            preload: None,
        };
        JudgeRequest::Run {
            program: Box::new(program),
            asker: 0,
            at_once: 1,
            own_processor: None,
            alike: false,
        }
    }

    fn ended(code: i32) -> Reply {
        Reply::Ended { exit: Exit::Code(code), usage: Box::default() }
    }

    fn received(judge: &mut Socket) -> Reply {
        Reply::decode(&judge.receive().unwrap().unwrap().bytes).unwrap()
    }

    fn next(requests: &mut Requests) -> JudgeRequest {
        requests.next().unwrap().unwrap().0.unwrap()
    }

    #[test]
    fn a_kill_ends_only_the_run_that_it_names() {
        let (judge, mut requests) = connected();
        send(&judge, &run("first"));
        assert_eq!(next(&mut requests), run("first"));
        send(&judge, &run("second"));
        assert_eq!(requests.receive_during_run().unwrap(), RunMessage::Next);
        send(&judge, &JudgeRequest::Kill(2));
        assert_eq!(requests.receive_during_run().unwrap(), RunMessage::Nothing);
        send(&judge, &JudgeRequest::Kill(1));
        assert_eq!(requests.receive_during_run().unwrap(), RunMessage::Kill);
        send(&judge, &JudgeRequest::Interrupt(2));
        assert_eq!(requests.receive_during_run().unwrap(), RunMessage::Nothing);
        send(&judge, &JudgeRequest::Interrupt(1));
        assert_eq!(requests.receive_during_run().unwrap(), RunMessage::Interrupt);
        assert_eq!(next(&mut requests), run("second"));
        send(&judge, &JudgeRequest::Kill(1));
        assert_eq!(requests.receive_during_run().unwrap(), RunMessage::Nothing);
        send(&judge, &JudgeRequest::Kill(2));
        assert_eq!(requests.receive_during_run().unwrap(), RunMessage::Kill);
        drop(judge);
        assert_eq!(requests.receive_during_run().unwrap(), RunMessage::HungUp);
    }

    #[test]
    fn replies_keep_their_order_although_one_is_held_back() {
        let (mut judge, mut requests) = connected();
        for program in ["first", "second"] {
            send(&judge, &run(program));
        }
        next(&mut requests);
        requests.receive_during_run().unwrap();
        requests.answer(&ended(1)).unwrap();
        next(&mut requests);
        // The second one could not even be started.
        requests.answer(&ended(2)).unwrap();
        assert_eq!(received(&mut judge), ended(1));
        assert_eq!(received(&mut judge), ended(2));
    }

    #[test]
    fn only_one_run_waits_and_a_judge_that_quits_gets_no_more_replies() {
        let (judge, mut requests) = connected();
        for program in ["first", "second", "third"] {
            send(&judge, &run(program));
        }
        next(&mut requests);
        requests.receive_during_run().unwrap();
        let error = requests.receive_during_run().unwrap_err();
        assert_eq!(error.to_string(), "unexpected request");

        let (judge, mut requests) = connected();
        send(&judge, &run("first"));
        next(&mut requests);
        send(&judge, &JudgeRequest::Quit);
        assert_eq!(requests.receive_during_run().unwrap(), RunMessage::Kill);
        drop(judge);
        requests.answer(&ended(1)).unwrap();
        assert_eq!(next(&mut requests), JudgeRequest::Quit);
    }
}
