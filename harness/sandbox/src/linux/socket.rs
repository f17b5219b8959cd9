//! One end of the socket between judge and launcher, for whole messages with descriptors.
//!
//! A message that is too long for the socket is sent in an unlinked memory file, whose descriptor comes first.

use std::fs::File;
use std::io::{self, IoSlice, IoSliceMut, Read, Seek, SeekFrom, Write};
use std::mem::MaybeUninit;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use rustix::fs::{MemfdFlags, memfd_create};
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer,
    SendAncillaryMessage, SendFlags, SocketFlags, SocketType, recvmsg, sendmsg, socketpair,
};

/// Messages up to this size in bytes go through the socket itself.
const INLINE: usize = 16 << 10;
/// The maximum number of descriptors in a message: stdin, stdout, stderr, and the memory file.
const MAX_FDS: usize = 4;

/// The first byte: where the message is.
const HERE: u8 = 0;
const IN_FILE: u8 = 1;

#[derive(Debug)]
pub(super) struct Socket {
    fd: OwnedFd,
    /// Empty until something is received.
    buffer: Vec<u8>,
}

/// A message and its descriptors.
#[derive(Debug)]
pub(super) struct SocketMessage {
    pub(super) bytes: Vec<u8>,
    pub(super) fds: Vec<OwnedFd>,
}

impl Socket {
    pub(super) fn new(fd: OwnedFd) -> Self {
        let buffer = Vec::new();
        Self { fd, buffer }
    }

    /// Two connected ends: ours, and the descriptor for the launcher.
    pub(super) fn pair() -> io::Result<(Self, OwnedFd)> {
        let (ours, theirs) =
            socketpair(AddressFamily::UNIX, SocketType::SEQPACKET, SocketFlags::CLOEXEC, None)?;
        Ok((Self::new(ours), theirs))
    }

    pub(super) fn send(&self, message: &[u8], fds: &[BorrowedFd<'_>]) -> io::Result<()> {
        if message.len() <= INLINE {
            return self.send_parts(&[&[HERE], message], fds);
        }
        let mut file = File::from(memfd_create("rejudge-request", MemfdFlags::CLOEXEC)?);
        file.write_all(message)?;
        let with_file: Vec<_> = [file.as_fd()].iter().chain(fds).copied().collect();
        self.send_parts(&[&[IN_FILE]], &with_file)
    }

    fn send_parts(&self, parts: &[&[u8]], fds: &[BorrowedFd<'_>]) -> io::Result<()> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_FDS))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        if !fds.is_empty() && !control.push(SendAncillaryMessage::ScmRights(fds)) {
            return Err(io::Error::other("too many descriptors for one message"));
        }
        let parts: Vec<_> = parts.iter().map(|part| IoSlice::new(part)).collect();
        rustix::io::retry_on_intr(|| sendmsg(&self.fd, &parts, &mut control, SendFlags::NOSIGNAL))?;
        Ok(())
    }

    /// Waits for the next message; `None` if the other end is closed.
    pub(super) fn receive(&mut self) -> io::Result<Option<SocketMessage>> {
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(MAX_FDS))];
        let mut control = RecvAncillaryBuffer::new(&mut space);
        self.buffer.resize(INLINE + 1, 0);
        let received = loop {
            let mut parts = [IoSliceMut::new(&mut self.buffer)];
            match recvmsg(&self.fd, &mut parts, &mut control, RecvFlags::CMSG_CLOEXEC) {
                Err(rustix::io::Errno::INTR) => {}
                Err(rustix::io::Errno::CONNRESET) => return Ok(None),
                other => break other?,
            }
        };
        let mut fds = Vec::new();
        for message in control.drain() {
            if let RecvAncillaryMessage::ScmRights(received) = message {
                fds.extend(received);
            }
        }
        let Some((&place, bytes)) = self.buffer[..received.bytes].split_first() else {
            return Ok(None);
        };
        let bytes = match place {
            HERE => bytes.to_vec(),
            _ if fds.is_empty() => return Err(io::Error::other("a message lost its file")),
            _ => read_file(fds.remove(0))?,
        };
        Ok(Some(SocketMessage { bytes, fds }))
    }
}

fn read_file(fd: OwnedFd) -> io::Result<Vec<u8>> {
    let mut file = File::from(fd);
    file.seek(SeekFrom::Start(0))?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}
