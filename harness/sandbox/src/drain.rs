//! Reads the output of a program: standard output up to the limit, and the end of standard error. Counts both.

use std::collections::VecDeque;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::io::Errno;

use crate::bytes::Bytes;
use crate::execution::STDERR_TAIL;
use crate::output::Captured;

/// The capacity of a pipe, so that one read empties it.
const CHUNK: usize = 64 << 10;

/// A buffer for reading, shared by all runs of a worker.
#[derive(Debug)]
pub(super) struct Buffer(Box<[u8]>);

impl Buffer {
    pub(super) fn new() -> Self {
        Self(vec![0; CHUNK].into())
    }
}

/// The reading ends of a program's pipes, and the bytes read from them.
#[derive(Debug)]
pub(super) struct Drain {
    stdout: Option<OwnedFd>,
    stderr: Option<OwnedFd>,
    limit: u64,
    total: u64,
    captured: Captured,
    tail: VecDeque<u8>,
}

impl Drain {
    /// Neither reader may block. Without a reader for standard output, that stream goes elsewhere and is not counted.
    pub(super) fn new(stdout: Option<OwnedFd>, stderr: OwnedFd, limit: Bytes) -> Self {
        Self {
            stdout,
            stderr: Some(stderr),
            limit: limit.get(),
            total: 0,
            captured: Captured::default(),
            tail: VecDeque::new(),
        }
    }

    /// The readers that have not reached the end of their stream.
    pub(super) fn open(&self) -> impl Iterator<Item = BorrowedFd<'_>> {
        [&self.stdout, &self.stderr]
            .into_iter()
            .flatten()
            .map(AsFd::as_fd)
    }

    /// Reads the available bytes. Above the limit, reads little and keeps nothing.
    pub(super) fn read(&mut self, buffer: &mut Buffer) -> io::Result<()> {
        let buffer = &mut buffer.0;
        while let Some(n) = read_some(&mut self.stdout, buffer)? {
            self.total += n as u64;
            let room = self.limit.saturating_sub(self.captured.len());
            let keep = n.min(usize::try_from(room).unwrap_or(usize::MAX));
            self.captured.append(&buffer[..keep])?;
            if n < CHUNK || self.over_limit() {
                break;
            }
        }
        while let Some(n) = read_some(&mut self.stderr, buffer)? {
            self.total += n as u64;
            self.tail.extend(&buffer[..n]);
            let excess = self.tail.len().saturating_sub(STDERR_TAIL);
            self.tail.drain(..excess);
            if n < CHUNK || self.over_limit() {
                break;
            }
        }
        Ok(())
    }

    /// Bytes written to both streams.
    pub(super) fn total(&self) -> u64 {
        self.total
    }

    pub(super) fn over_limit(&self) -> bool {
        self.total > self.limit
    }

    /// Standard output, and the end of standard error.
    pub(super) fn finish(self) -> (Captured, Vec<u8>) {
        (self.captured, self.tail.into())
    }
}

/// `None` if nothing is available. Closes the reader at the end of the stream.
fn read_some(reader: &mut Option<OwnedFd>, buffer: &mut [u8]) -> io::Result<Option<usize>> {
    loop {
        let Some(fd) = reader else { return Ok(None) };
        match rustix::io::read(fd, &mut *buffer) {
            Ok(0) => *reader = None,
            Ok(n) => return Ok(Some(n)),
            Err(Errno::AGAIN) => return Ok(None),
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
