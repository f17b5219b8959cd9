//! Captured standard output: small outputs are in a buffer, larger ones in a file without a name.

use std::fs::File;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt as _;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::input::Input;
use crate::output_file::OutputFile;

/// Outputs up to this size in bytes are in a buffer.
const IN_BUFFER: usize = 256 << 10;

/// The most, in bytes, that the files of all outputs of this process hold in memory. Others are on disk.
const MOST_IN_MEMORY: u64 = 256 << 20;

/// What they hold.
static IN_MEMORY: AtomicU64 = AtomicU64::new(0);

/// The output of a program, which can be read several times.
#[derive(Debug, Default)]
pub struct Captured {
    store: OutputStore,
    len: u64,
}

/// Where the bytes are.
#[derive(Debug)]
enum OutputStore {
    Buffer(Vec<u8>),
    File(StoredFile),
}

/// A file without a name.
#[derive(Debug)]
enum StoredFile {
    /// A temporary file.
    Spilled(File),
    /// The file that the program wrote.
    Written { file: OutputFile, _share: MemoryShare },
}

/// This many bytes of [`MOST_IN_MEMORY`].
#[derive(Debug)]
struct MemoryShare(u64);

impl MemoryShare {
    fn take(bytes: u64) -> Option<Self> {
        let share = Self(bytes);
        let before = IN_MEMORY.fetch_add(bytes, Ordering::Relaxed);
        (before.saturating_add(bytes) <= MOST_IN_MEMORY).then_some(share)
    }
}

impl Drop for MemoryShare {
    fn drop(&mut self) {
        IN_MEMORY.fetch_sub(self.0, Ordering::Relaxed);
    }
}

impl Default for OutputStore {
    fn default() -> Self {
        Self::Buffer(Vec::new())
    }
}

impl StoredFile {
    fn file(&self) -> &File {
        match self {
            Self::Spilled(file) => file,
            Self::Written { file, .. } => file.file(),
        }
    }
}

impl Captured {
    /// An output that consists of `bytes`.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        let len = bytes.len() as u64;
        Self { store: OutputStore::Buffer(bytes), len }
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

    /// The first `most` bytes of a file that nobody writes to any more.
    pub(super) fn of_file(file: OutputFile, most: u64) -> io::Result<Self> {
        let len = file.length()?;
        if len > most {
            file.cut(most)?;
        }
        let len = len.min(most);
        if len > IN_BUFFER as u64 {
            let in_memory = if file.is_on_disk() { 0 } else { len };
            let Some(share) = MemoryShare::take(in_memory) else {
                return Self::read_from(&mut file.file());
            };
            let store = OutputStore::File(StoredFile::Written { file, _share: share });
            return Ok(Self { store, len });
        }
        let mut bytes = vec![0; usize::try_from(len).unwrap_or(IN_BUFFER)];
        file.file().read_exact_at(&mut bytes, 0)?;
        Ok(Self::from_bytes(bytes))
    }

    /// Appends `bytes`. Above 256 KiB, the output moves to a temporary file.
    pub fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.len += bytes.len() as u64;
        match &mut self.store {
            OutputStore::Buffer(head) if head.len() + bytes.len() <= IN_BUFFER => {
                head.extend_from_slice(bytes);
            }
            OutputStore::Buffer(head) => {
                let mut file = tempfile::tempfile()?;
                file.write_all(head)?;
                file.write_all(bytes)?;
                self.store = OutputStore::File(StoredFile::Spilled(file));
            }
            OutputStore::File(file) => {
                let mut file = file.file();
                file.seek(SeekFrom::End(0))?;
                file.write_all(bytes)?;
            }
        }
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

    /// The output as a slice, if it is in a buffer.
    pub fn as_slice(&self) -> Option<&[u8]> {
        match &self.store {
            OutputStore::Buffer(bytes) => Some(bytes),
            OutputStore::File(_) => None,
        }
    }

    /// A reader from the start. Use one at a time: readers share the position in the file.
    pub fn reader(&self) -> io::Result<CapturedReader<'_>> {
        match &self.store {
            OutputStore::Buffer(bytes) => Ok(CapturedReader::Memory(Cursor::new(bytes))),
            OutputStore::File(file) => {
                let mut reader = file.file();
                reader.seek(SeekFrom::Start(0))?;
                Ok(CapturedReader::File(reader))
            }
        }
    }

    /// The output as the standard input of another program.
    pub fn to_input(&self) -> io::Result<Input> {
        match &self.store {
            OutputStore::Buffer(bytes) => Ok(Input::Bytes(bytes.clone())),
            OutputStore::File(file) => {
                if let StoredFile::Written { file, .. } = file {
                    file.keep();
                }
                let mut file = file.file().try_clone()?;
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
    /// From the file.
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

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, MutexGuard, PoisonError};

    use super::*;
    use crate::output_file::OutputPlace;

    fn text(len: usize) -> Vec<u8> {
        (0..=250).cycle().take(len).collect()
    }

    /// What stays in memory is shared by all outputs of a process, and so by these tests.
    fn alone() -> MutexGuard<'static, ()> {
        static ALONE: Mutex<()> = Mutex::new(());
        ALONE.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// An output of this many bytes.
    fn written(place: OutputPlace, len: usize, most: u64) -> Captured {
        let (file, program) = OutputFile::new(place).unwrap();
        File::from(program).write_all(&text(len)).unwrap();
        Captured::of_file(file, most).unwrap()
    }

    fn read(output: &Captured) -> Vec<u8> {
        let mut text = Vec::new();
        output.reader().unwrap().read_to_end(&mut text).unwrap();
        text
    }

    #[test]
    fn outputs_of_every_length_are_read_up_to_the_limit() {
        for place in [OutputPlace::Memory, OutputPlace::Disk] {
            for len in [0, 1, IN_BUFFER - 1, IN_BUFFER, IN_BUFFER + 1] {
                for most in [len / 2, len, 2 * len] {
                    let mut output = written(place, len, most as u64);
                    let kept = len.min(most);
                    let expected = text(kept);
                    assert_eq!(output.len(), kept as u64);
                    assert!(read(&output) == expected && read(&output) == expected);
                    output.append(b"end").unwrap();
                    assert!(read(&output) == [&expected[..], b"end"].concat());
                }
            }
        }
    }

    #[test]
    fn a_file_in_memory_is_emptied_with_the_last_output_unless_it_is_an_input() {
        let _alone = alone();
        let (file, program) = OutputFile::new(OutputPlace::Memory).unwrap();
        let mut program = File::from(program);
        program.write_all(&vec![b'x'; IN_BUFFER + 1]).unwrap();
        let output = Captured::of_file(file, u64::MAX).unwrap();
        assert_eq!(program.metadata().unwrap().len(), output.len());
        let input = output.to_input().unwrap();
        drop(output);
        assert_eq!(program.metadata().unwrap().len(), IN_BUFFER as u64 + 1);
        drop(input);

        let (file, program) = OutputFile::new(OutputPlace::Memory).unwrap();
        let mut program = File::from(program);
        program.write_all(b"text").unwrap();
        let output = Captured::of_file(file, u64::MAX).unwrap();
        assert_eq!(program.metadata().unwrap().len(), 0);
        assert_eq!(output.as_slice(), Some(&b"text"[..]));
    }

    #[test]
    fn only_so_much_stays_in_memory() {
        let _alone = alone();
        let mut outputs = Vec::new();
        for _ in 0..6 {
            let (file, program) = OutputFile::new(OutputPlace::Memory).unwrap();
            File::from(program).set_len(64 << 20).unwrap();
            outputs.push(Captured::of_file(file, u64::MAX).unwrap());
        }
        let spilled =
            |output: &&Captured| matches!(output.store, OutputStore::File(StoredFile::Spilled(_)));
        assert!(outputs.iter().filter(spilled).count() >= 2);
        assert!(outputs.iter().all(|output| output.len() == 64 << 20));
    }
}
