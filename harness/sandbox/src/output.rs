//! Captured standard output: small outputs stay in memory, larger ones go to an unlinked temporary file.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

use crate::input::Input;

/// Outputs up to this size in bytes stay in memory.
const IN_MEMORY: usize = 256 << 10;

/// The output of a program, which can be read several times.
#[derive(Debug, Default)]
pub struct Captured {
    head: Vec<u8>,
    spilled: Option<File>,
    len: u64,
}

impl Captured {
    /// An output that consists of `bytes`.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        let len = bytes.len() as u64;
        Self {
            head: bytes,
            spilled: None,
            len,
        }
    }

    /// Everything that `reader` has.
    pub fn read_from(reader: &mut impl Read) -> io::Result<Self> {
        let mut all = Self::default();
        let mut buffer = vec![0; 64 << 10];
        loop {
            match reader.read(&mut buffer)? {
                0 => return Ok(all),
                length => all.append(&buffer[..length])?,
            }
        }
    }

    /// Appends `bytes`. Above 256 KiB, the output moves to a temporary file.
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

    /// The length in bytes.
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether the output is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The output as a slice, if it is in memory.
    pub fn as_slice(&self) -> Option<&[u8]> {
        self.spilled.is_none().then_some(&self.head)
    }

    /// A reader from the start. Use one at a time: readers share the position in the file.
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

    /// The output as the standard input of another program.
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
