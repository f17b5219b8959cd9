//! The sockets between the launcher and the processes that wait to become programs.
//!
//! Every such process needs one, and a later process uses it again. They are opened before anything else, so their numbers
//! are low: a new process shares the table of descriptors with the launcher at first, and copies it only up to its socket.

use std::io;
use std::os::fd::OwnedFd;
use std::rc::Rc;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::socket::Socket;

/// Two connected ends.
#[derive(Debug)]
pub(super) struct StandbyLine {
    pub(super) ours: Socket,
    pub(super) theirs: OwnedFd,
}

impl StandbyLine {
    pub(super) fn new() -> io::Result<Rc<Self>> {
        let (ours, theirs) = Socket::pair()?;
        Ok(Rc::new(Self { ours, theirs }))
    }

    /// Whether everything that was sent was read: a process that ended early may have left something.
    fn is_empty(&self) -> bool {
        let mut ends =
            [PollFd::new(&self.ours, PollFlags::IN), PollFd::new(&self.theirs, PollFlags::IN)];
        matches!(poll(&mut ends, Some(&Timespec::default())), Ok(0))
    }
}

/// The sockets of the current program's process and of the next one's.
#[derive(Debug)]
pub(super) struct StandbyLines([Rc<StandbyLine>; 2]);

impl StandbyLines {
    pub(super) fn open() -> io::Result<Self> {
        Ok(Self([StandbyLine::new()?, StandbyLine::new()?]))
    }

    /// One that no living process uses: it is held until its process is reaped.
    pub(super) fn free(&mut self) -> io::Result<Rc<StandbyLine>> {
        let [first, second] = &mut self.0;
        let line = if Rc::strong_count(first) == 1 { first } else { second };
        if Rc::strong_count(line) > 1 || !line.is_empty() {
            *line = StandbyLine::new()?;
        }
        Ok(Rc::clone(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_used_again_when_its_process_is_gone_and_has_read_everything() {
        let mut lines = StandbyLines::open().unwrap();
        let one = lines.free().unwrap();
        let two = lines.free().unwrap();
        assert!(!Rc::ptr_eq(&one, &two));
        // Both are in use.
        let three = lines.free().unwrap();
        assert!(!Rc::ptr_eq(&one, &three) && !Rc::ptr_eq(&two, &three));
        let first = Rc::as_ptr(&one);
        drop(one);
        let again = lines.free().unwrap();
        assert_eq!(Rc::as_ptr(&again), first);
        // A message stays unread, in either direction.
        again.ours.send(b"order", &[]).unwrap();
        drop(again);
        let fresh = lines.free().unwrap();
        assert!(fresh.is_empty());
        rustix::net::send(&fresh.theirs, b"u", rustix::net::SendFlags::empty()).unwrap();
        drop(fresh);
        assert!(lines.free().unwrap().is_empty());
    }
}
