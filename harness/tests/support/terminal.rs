//! A pseudo-terminal.

use std::os::fd::OwnedFd;

use rustix::fs::{Mode, OFlags};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// Opens a terminal of this size: the user's side and the side of programs.
pub(crate) fn open(columns: u16, rows: u16) -> (OwnedFd, OwnedFd) {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let keys = openpt(flags).unwrap();
    grantpt(&keys).unwrap();
    unlockpt(&keys).unwrap();
    let name = ptsname(&keys, Vec::new()).unwrap();
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    let line = rustix::fs::open(&name, flags, Mode::empty()).unwrap();
    let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&line, size).unwrap();
    (keys, line)
}
