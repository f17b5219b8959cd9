//! Copies the output of one program to the input of another one, and records it.

use std::io;
use std::os::fd::OwnedFd;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio, read, write};

use super::end_order::EndOrder;

/// How often we check whether both programs have ended. Usually the stream ends first.
const CHECK_INTERVAL: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

const CHUNK: usize = 64 << 10;

/// A copy loop from one pipe to another.
pub(super) struct Relay {
    from: OwnedFd,
    to: OwnedFd,
}

impl Relay {
    pub(super) fn new(from: OwnedFd, to: OwnedFd) -> io::Result<Self> {
        // A slow reader must not prevent us from noticing that both programs have ended.
        ioctl_fionbio(&to, true)?;
        Ok(Self { from, to })
    }

    /// Copies until the end of the stream, or until the reading end is closed, and passes everything that was written
    /// to `record`. Closes both pipes at the end.
    pub(super) fn run(self, order: &EndOrder, mut record: impl FnMut(&[u8])) {
        let mut buffer = vec![0; CHUNK];
        while let Some(n) = next(&self.from, &mut buffer, order) {
            record(&buffer[..n]);
            if !self.pass_on(&buffer[..n], order) {
                return;
            }
        }
    }

    /// Writes `bytes`. Returns false if nothing more can be written.
    fn pass_on(&self, mut bytes: &[u8], order: &EndOrder) -> bool {
        while !bytes.is_empty() {
            match write(&self.to, bytes) {
                Ok(n) => bytes = &bytes[n..],
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) if !order.is_over() => wait(&self.to, PollFlags::OUT),
                Err(_) => return false,
            }
        }
        true
    }
}

/// Reads and discards until the end of the stream or of both programs.
pub(super) fn drain(from: &OwnedFd, order: &EndOrder) {
    let mut buffer = vec![0; CHUNK];
    while next(from, &mut buffer, order).is_some() {}
}

/// Reads the next bytes; `None` at the end.
fn next(from: &OwnedFd, buffer: &mut [u8], order: &EndOrder) -> Option<usize> {
    loop {
        let over = order.is_over();
        let mut fds = [PollFd::new(from, PollFlags::IN)];
        let timeout =
            Timespec { tv_sec: 0, tv_nsec: if over { 0 } else { CHECK_INTERVAL.tv_nsec } };
        match poll(&mut fds, Some(&timeout)) {
            Ok(0) if over => return None,
            Ok(0) | Err(Errno::INTR) => continue,
            Ok(_) => {}
            Err(_) => return None,
        }
        match read(from, &mut *buffer) {
            Ok(0) => return None,
            Ok(n) => return Some(n),
            Err(Errno::INTR) => {}
            Err(_) => return None,
        }
    }
}

fn wait(fd: &OwnedFd, flags: PollFlags) {
    let mut fds = [PollFd::new(fd, flags)];
    // The result does not matter: the next write reports any error.
    let _ = poll(&mut fds, Some(&CHECK_INTERVAL));
}
