//! The pipes between two programs that talk to each other.

use std::io;
use std::os::fd::{AsFd, OwnedFd};

use rustix::event::{PollFd, PollFlags, Timespec, poll};

/// The number of bytes that one program can write before the other reads: 1 MiB, as other judges give.
const CAPACITY: usize = 1 << 20;

/// Creates a pipe and returns its reading and writing end. Programs inherit neither by accident.
pub fn wire() -> io::Result<(OwnedFd, OwnedFd)> {
    let (reader, writer) = io::pipe()?;
    // The kernel refuses this to users with many pipes; the usual capacity is enough.
    let _ = rustix::pipe::fcntl_setpipe_size(&reader, CAPACITY);
    Ok((reader.into(), writer.into()))
}

/// Whether nobody can write to this pipe any more. Bytes that were written before may still be unread.
pub fn is_hung_up(reader: &impl AsFd) -> bool {
    let mut fds = [PollFd::new(reader, PollFlags::IN)];
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    poll(&mut fds, Some(&now)).is_ok() && fds[0].revents().contains(PollFlags::HUP)
}

#[cfg(test)]
mod tests {
    use std::fs::File;
    use std::io::{Read, Write};

    use super::*;

    #[test]
    fn a_wire_hangs_up_with_its_last_writer() {
        let (reader, writer) = wire().unwrap();
        let second = writer.try_clone().unwrap();
        File::from(writer).write_all(b"left").unwrap();
        assert!(!is_hung_up(&reader));
        drop(second);
        assert!(is_hung_up(&reader));
        let mut text = String::new();
        File::from(reader).read_to_string(&mut text).unwrap();
        assert_eq!(text, "left");
    }
}
