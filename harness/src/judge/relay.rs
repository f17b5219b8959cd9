//! Moves what one program writes to another one, to write it down on its way.

use std::io;
use std::os::fd::OwnedFd;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{Errno, ioctl_fionbio, read, write};

use super::talk::Order;

/// How often we look whether both programs have ended. The usual end is that of the stream.
const LOOK: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 100_000_000,
};

const CHUNK: usize = 64 << 10;

/// From one pipe into another.
pub(super) struct Relay {
    from: OwnedFd,
    to: OwnedFd,
}

impl Relay {
    pub(super) fn new(from: OwnedFd, to: OwnedFd) -> io::Result<Self> {
        // A reader that is slow must not keep us from seeing that all is over.
        ioctl_fionbio(&to, true)?;
        Ok(Self { from, to })
    }

    /// Until the end of the stream, or until nobody reads it any more; `heard` gets everything that was written.
    /// Both pipes are closed at the end.
    pub(super) fn run(self, order: &Order, mut heard: impl FnMut(&[u8])) {
        let mut buffer = vec![0; CHUNK];
        while let Some(n) = next(&self.from, &mut buffer, order) {
            heard(&buffer[..n]);
            if !self.pass_on(&buffer[..n], order) {
                return;
            }
        }
    }

    /// Whether there may be more to pass on.
    fn pass_on(&self, mut bytes: &[u8], order: &Order) -> bool {
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

/// Reads away what is written, until the end of the stream or of both programs.
pub(super) fn drain(from: &OwnedFd, order: &Order) {
    let mut buffer = vec![0; CHUNK];
    while next(from, &mut buffer, order).is_some() {}
}

/// The next bytes; `None` at the end.
fn next(from: &OwnedFd, buffer: &mut [u8], order: &Order) -> Option<usize> {
    loop {
        let over = order.is_over();
        let mut fds = [PollFd::new(from, PollFlags::IN)];
        let patience = Timespec {
            tv_sec: 0,
            tv_nsec: if over { 0 } else { LOOK.tv_nsec },
        };
        match poll(&mut fds, Some(&patience)) {
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
    // Whatever it says, the next write tells.
    let _ = poll(&mut fds, Some(&LOOK));
}
