//! Waits until a new program can be executed.
//!
//! A process that another thread of ours creates has our open files until it executes its program. If one of them is open
//! for writing, the kernel refuses to execute that file (`ETXTBSY`, "Text file busy"), even after we have closed it. The
//! sandbox then tries again, but a shell does not. So whoever writes a program waits here.

#![expect(unsafe_code, reason = "leases of files")]

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd as _;
use std::time::Duration;

const TRIES: u32 = 1000;
const PAUSE: Duration = Duration::from_millis(2);

/// See `fcntl(2)`; the crate `libc` lacks it.
const F_SETSIG: libc::c_int = 10;

/// Waits until no process has this regular file open for writing; not longer than two seconds, and not at all where the
/// file system does not tell. `file` is open for reading.
pub(super) fn wait(file: &File) {
    for _ in 0..TRIES {
        match lease(file) {
            // A process has it open for writing.
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => std::thread::sleep(PAUSE),
            // A lease ends when the file is closed.
            _ => return,
        }
    }
}

/// Takes a lease for reading, which the kernel grants only if nobody has the file open for writing.
fn lease(file: &File) -> io::Result<()> {
    // A process that opens the file for writing sends a signal to the owner of the lease. This one is ignored.
    for (command, value) in [(F_SETSIG, libc::SIGURG), (libc::F_SETLEASE, libc::F_RDLCK)] {
        // SAFETY: both commands take a number, and the descriptor is open.
        if unsafe { libc::fcntl(file.as_raw_fd(), command, value) } == -1 {
            return Err(io::Error::last_os_error());
        }
    }
    Ok(())
}
