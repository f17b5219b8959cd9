//! Captured standard output: in memory while it is small, in an unlinked temporary file beyond.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

use crate::input::Input;

/// Outputs up to this size never touch the disk.
const IN_MEMORY: usize = 256 << 10;

/// What a program wrote, readable again and again.
#[derive(Debug, Default)]
pub struct Captured {
    head: Vec<u8>,
    spilled: Option<File>,
    len: u64,
}

impl Captured {
    /// Takes `bytes` as the whole output.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        let len = bytes.len() as u64;
        Self {
            head: bytes,
            spilled: None,
            len,
        }
    }

    /// Adds `bytes` at the end; past 256 KiB everything moves to a temporary file.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.len += bytes.len() as u64;
        if let Some(file) = &mut self.spilled {
            return file.write_all(bytes);
        }
        if self.head.len() + bytes.len() <= IN_MEMORY {
            self.head.extend_from_slice(bytes);
            return Ok(());
        }
        let mut file = tempfile::tempfile()?;
        file.write_all(&self.head)?;
        file.write_all(bytes)?;
        self.head = Vec::new();
        self.spilled = Some(file);
        Ok(())
    }

    /// How many bytes there are.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether nothing was written.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The whole output as a slice, if it is small enough to be in memory.
    pub fn as_slice(&self) -> Option<&[u8]> {
        self.spilled.is_none().then_some(&self.head)
    }

    /// A reader from the start. One at a time: it shares the file's position.
    pub fn reader(&self) -> io::Result<CapturedReader<'_>> {
        match &self.spilled {
            None => Ok(CapturedReader::Memory(Cursor::new(&self.head))),
            Some(file) => {
                let mut reader: &File = file;
                reader.seek(SeekFrom::Start(0))?;
                Ok(CapturedReader::File(reader))
            }
        }
    }

    /// The output, to be another program's standard input.
    pub fn to_input(&self) -> io::Result<Input> {
        match &self.spilled {
            None => Ok(Input::Bytes(self.head.clone())),
            Some(file) => {
                let mut file = file.try_clone()?;
                file.seek(SeekFrom::Start(0))?;
                Ok(Input::File(file))
            }
        }
    }
}

/// Reads a [`Captured`] from its start.
#[derive(Debug)]
pub enum CapturedReader<'a> {
    /// From memory.
    Memory(Cursor<&'a Vec<u8>>),
    /// From the temporary file.
    File(&'a File),
}

impl Read for CapturedReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Memory(cursor) => cursor.read(buffer),
            Self::File(file) => file.read(buffer),
        }
    }
}
