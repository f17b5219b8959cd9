//! The folder that one case's validator writes to, and what is read back from it.
//!
//! Whatever a validator leaves behind is not trusted: only plain files are read, to a bound, and nothing
//! of them is shown raw. The folder lasts over the passes of a case, and is gone with the value.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::ScoreFiles;
use super::printable::paragraph;
use crate::left_behind::{Folder, Temporary};
use crate::sandbox::{Captured, Execution, SandboxError};

/// How much of a message is shown.
pub(super) const MESSAGE_BYTES: usize = 4096;
/// How much of a message is read.
const FILE_BYTES: u64 = 1 << 20;
/// How much of an input or an output is taken.
const MOST_TAKEN: u64 = 1 << 30;

/// What a validator asks for the next pass by.
const NEXT_PASS: &str = "nextpass.in";
/// What an interactor writes for the checker.
const TOUT: &str = "tout";

/// One case's feedback folder, with a place beside it that the validator cannot write to.
#[derive(Debug)]
pub struct Feedback {
    scratch: Temporary,
    /// The folder's name in it.
    name: &'static str,
    passes: u32,
}

impl Feedback {
    /// An empty one among the temporary files.
    pub fn new() -> Result<Self, SandboxError> {
        Self::new_in(&tempfile::env::temp_dir())
    }

    /// An empty one in `place`.
    pub fn new_in(place: &Path) -> Result<Self, SandboxError> {
        Self::called("feedback", place)
    }

    /// An empty one in `place` that can have files around it: no file of a program begins with a dot.
    pub(crate) fn among_files(place: &Path) -> Result<Self, SandboxError> {
        Self::called(".feedback", place)
    }

    fn called(name: &'static str, place: &Path) -> Result<Self, SandboxError> {
        let failed = |source| SandboxError::Io {
            action: "cannot make a feedback folder".into(),
            source,
        };
        let scratch = Temporary::new_in(place, "rejudge-check-").map_err(failed)?;
        scratch.folder().make_folder(name).map_err(failed)?;
        Ok(Self {
            scratch,
            name,
            passes: 1,
        })
    }

    /// The folder that it lies in.
    pub(crate) fn around(&self) -> &Path {
        self.scratch.path()
    }

    /// Copies what is in the folder `from` to the folder that it lies in.
    pub(crate) fn put_around(&self, from: &Path) -> io::Result<()> {
        Folder::open(from)?.copy_to(self.scratch.folder())
    }

    /// The folder as validators get it: with a slash behind it, for they put names right after it.
    pub(super) fn argument(&self) -> OsString {
        let mut folder = self.folder().into_os_string();
        folder.push("/");
        folder
    }

    /// Where the folder is.
    pub(super) fn folder(&self) -> PathBuf {
        self.scratch.path().join(self.name)
    }

    /// The folder itself as it is now; the validator may have put something else in its place.
    fn opened(&self) -> Option<Folder> {
        self.scratch.folder().folder(self.name).ok()
    }

    /// The beginning of a file that the validator may have left.
    pub(super) fn read(&self, name: &str) -> Option<Vec<u8>> {
        self.opened()?.start_of(name, FILE_BYTES)
    }

    /// Where an interactor writes what the checker is to see.
    pub(super) fn tout(&self) -> PathBuf {
        self.folder().join(TOUT)
    }

    /// Takes what an interactor wrote for the checker; nothing if it wrote nothing.
    pub(crate) fn take_tout(&self) -> io::Result<Captured> {
        let mut captured = Captured::default();
        let file = self.opened().map(|folder| folder.file(Path::new(TOUT)));
        let Some(Ok(file)) = file else {
            return Ok(captured);
        };
        let mut file = file.take(MOST_TAKEN);
        let mut buffer = vec![0; 64 << 10];
        loop {
            match file.read(&mut buffer)? {
                0 => return Ok(captured),
                n => captured.append(&buffer[..n])?,
            }
        }
    }

    /// Writes `output` where a checker can read it by name.
    pub(super) fn write_output(&self, output: &Captured) -> io::Result<PathBuf> {
        let name = format!("output-{}", self.passes);
        self.put(&name, &mut output.reader()?)
    }

    /// The scores that the validator left.
    pub(super) fn scores(&self) -> ScoreFiles {
        ScoreFiles {
            score: self.read("score.txt"),
            multiplier: self.read("score_multiplier.txt"),
            points: false,
            partly: None,
        }
    }

    /// Whether the validator asks for another pass; what it left may still be no input.
    pub(crate) fn asks_for_a_pass(&self) -> bool {
        self.opened().is_some_and(|folder| folder.has(NEXT_PASS))
    }

    /// Takes the input of the next pass out of the folder; the error is in words.
    pub(crate) fn take_next_input(&mut self) -> Result<PathBuf, String> {
        let no_file = || format!("`{NEXT_PASS}` is no plain file");
        let folder = self.opened().ok_or_else(no_file)?;
        let file = folder.file(Path::new(NEXT_PASS)).map_err(|_| no_file())?;
        self.passes += 1;
        // A copy: the file may have other names, and its modes are the validator's.
        let name = format!("pass-{}.in", self.passes);
        self.put(&name, &mut file.take(MOST_TAKEN))
            .and_then(|input| folder.remove(NEXT_PASS).map(|()| input))
            .map_err(|error| format!("cannot take `{NEXT_PASS}`: {error}"))
    }

    /// Makes a file beside the folder.
    fn put(&self, name: &str, from: &mut impl Read) -> io::Result<PathBuf> {
        let mut file = self.scratch.folder().create(Path::new(name), 0o644)?;
        io::copy(from, &mut file)?;
        Ok(self.scratch.path().join(name))
    }
}

/// What the checker said, made safe to show; `None` where it said nothing.
pub(super) struct Messages {
    pub(super) judge: Option<String>,
    pub(super) team: Option<String>,
    pub(super) stderr: Option<String>,
    pub(super) judge_bytes: Vec<u8>,
}

impl Messages {
    pub(super) fn read(feedback: &Feedback, execution: &Execution) -> Self {
        let read = |name| feedback.read(name).unwrap_or_default();
        let judge_bytes = read("judgemessage.txt");
        let tail = &execution.stderr_tail;
        let kept = &tail[tail.len().saturating_sub(MESSAGE_BYTES)..];
        Self {
            judge: safe_text(&judge_bytes, MESSAGE_BYTES),
            team: safe_text(&read("teammessage.txt"), MESSAGE_BYTES),
            stderr: safe_text(kept, MESSAGE_BYTES),
            judge_bytes,
        }
    }
}

fn safe_text(bytes: &[u8], limit: usize) -> Option<String> {
    let text = paragraph(bytes, limit);
    (!text.trim().is_empty()).then_some(text)
}

#[cfg(test)]
mod laws;
