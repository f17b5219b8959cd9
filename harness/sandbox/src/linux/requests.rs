//! The launcher's end of the socket to the judge. Requests are answered in order; the next one may arrive while a
//! program runs.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use super::processors::Processors;
use super::protocol::{Malformed, Reply, Request};
use super::socket::Socket;

/// The requests of the judge.
#[derive(Debug)]
pub(super) struct Requests {
    socket: Socket,
    /// The request that arrived while the last program ran.
    ahead: Option<(Request, Vec<OwnedFd>)>,
    /// The reply about that program, held back until the next one has started, and the thread that waits for it.
    owed: Option<(Vec<u8>, u32)>,
    /// The number of runs requested, including the current one.
    runs: u64,
}

/// A message of the judge about the current run.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Word {
    Nothing,
    Kill,
    /// The judge has closed the socket.
    HungUp,
}

impl Requests {
    pub(super) fn new(socket: Socket) -> Self {
        Self {
            socket,
            ahead: None,
            owed: None,
            runs: 0,
        }
    }

    /// Waits for the next request and its descriptors; `None` if the judge has closed the socket.
    #[expect(clippy::type_complexity, reason = "named nowhere else")]
    pub(super) fn next(
        &mut self,
    ) -> io::Result<Option<(Result<Request, Malformed>, Vec<OwnedFd>)>> {
        let (request, fds) = match self.ahead.take() {
            Some((request, fds)) => (Ok(request), fds),
            None => match self.socket.receive()? {
                Some(message) => (Request::decode(&message.bytes), message.fds),
                None => return Ok(None),
            },
        };
        self.runs += u64::from(matches!(request, Ok(Request::Run { .. })));
        Ok(Some((request, fds)))
    }

    /// Reads a message while a program runs; waits for one if there is none.
    pub(super) fn hear(&mut self) -> io::Result<Word> {
        let Some(message) = self.socket.receive()? else {
            return Ok(Word::HungUp);
        };
        match Request::decode(&message.bytes) {
            Ok(Request::Kill(run)) if run == self.runs => Ok(Word::Kill),
            // The run to kill has ended meanwhile.
            Ok(Request::Kill(_)) => Ok(Word::Nothing),
            Ok(request @ Request::Run { .. }) if self.ahead.is_none() => {
                self.ahead = Some((request, message.fds));
                Ok(Word::Nothing)
            }
            Ok(request @ Request::Quit) => {
                self.ahead = Some((request, message.fds));
                Ok(Word::Kill)
            }
            _ => Err(io::Error::other("unexpected request")),
        }
    }

    /// Answers a request; if the next run waits already, when that has begun: see [`Requests::pay`].
    pub(super) fn answer(&mut self, reply: &Reply) -> io::Result<()> {
        if let Some((earlier, _)) = self.owed.take() {
            self.socket.send(&earlier, &[])?;
        }
        match &self.ahead {
            Some((Request::Run { asker, .. }, _)) => {
                self.owed = Some((reply.encode(), *asker));
                Ok(())
            }
            Some(_) => Ok(()),
            None => self.socket.send(&reply.encode(), &[]),
        }
    }

    /// Sends the answer that waited for another run to begin. Whom it wakes might take the program's processor, so with
    /// `processors` it is made to wake where we are.
    pub(super) fn pay(&mut self, processors: Option<&Processors>) {
        if let Some((reply, asker)) = self.owed.take() {
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

    use super::super::protocol::Program;
    use super::*;
    use crate::Limits;
    use crate::bytes::Bytes;
    use crate::execution::Exit;

    fn line() -> (Socket, Requests) {
        let (judge, launcher) = Socket::pair().unwrap();
        (judge, Requests::new(Socket::new(launcher)))
    }

    fn ask(judge: &Socket, request: &Request) {
        judge.send(&request.encode(), &[]).unwrap();
    }

    fn run(program: &str) -> Request {
        let program = Program {
            argv: vec![CString::new(program).unwrap()],
            env: Vec::new(),
            work_dir: None,
            readable: Vec::new(),
            limits: Limits::new(std::time::Duration::from_secs(10), Bytes::mib(2048)),
        };
        Request::Run {
            program: Box::new(program),
            asker: 0,
        }
    }

    fn ended(code: i32) -> Reply {
        Reply::Ended {
            exit: Exit::Code(code),
            usage: Box::default(),
        }
    }

    fn heard(judge: &mut Socket) -> Reply {
        Reply::decode(&judge.receive().unwrap().unwrap().bytes).unwrap()
    }

    fn next(orders: &mut Requests) -> Request {
        orders.next().unwrap().unwrap().0.unwrap()
    }

    #[test]
    fn a_kill_means_one_run_and_no_other() {
        let (judge, mut orders) = line();
        ask(&judge, &run("first"));
        assert_eq!(next(&mut orders), run("first"));
        ask(&judge, &run("second"));
        assert_eq!(orders.hear().unwrap(), Word::Nothing);
        ask(&judge, &Request::Kill(2));
        assert_eq!(orders.hear().unwrap(), Word::Nothing);
        ask(&judge, &Request::Kill(1));
        assert_eq!(orders.hear().unwrap(), Word::Kill);
        assert_eq!(next(&mut orders), run("second"));
        ask(&judge, &Request::Kill(1));
        assert_eq!(orders.hear().unwrap(), Word::Nothing);
        ask(&judge, &Request::Kill(2));
        assert_eq!(orders.hear().unwrap(), Word::Kill);
        drop(judge);
        assert_eq!(orders.hear().unwrap(), Word::HungUp);
    }

    #[test]
    fn answers_keep_their_order_though_one_waits() {
        let (mut judge, mut orders) = line();
        for program in ["first", "second"] {
            ask(&judge, &run(program));
        }
        next(&mut orders);
        orders.hear().unwrap();
        orders.answer(&ended(1)).unwrap();
        next(&mut orders);
        // The second one could not even be started.
        orders.answer(&ended(2)).unwrap();
        assert_eq!(heard(&mut judge), ended(1));
        assert_eq!(heard(&mut judge), ended(2));
    }

    #[test]
    fn only_one_run_waits_and_who_quits_hears_nothing_more() {
        let (judge, mut orders) = line();
        for program in ["first", "second", "third"] {
            ask(&judge, &run(program));
        }
        next(&mut orders);
        orders.hear().unwrap();
        let error = orders.hear().unwrap_err();
        assert_eq!(error.to_string(), "unexpected request");

        let (judge, mut orders) = line();
        ask(&judge, &run("first"));
        next(&mut orders);
        ask(&judge, &Request::Quit);
        assert_eq!(orders.hear().unwrap(), Word::Kill);
        drop(judge);
        orders.answer(&ended(1)).unwrap();
        assert_eq!(next(&mut orders), Request::Quit);
    }
}
