//! The folder that the validator of one case writes to, and the files that are read back from it.
//!
//! The files of a validator are not trusted: only regular files are read, up to a limit, and their
//! bytes are never shown raw. The folder is kept across the passes of a case and removed when the
//! value is dropped.

use std::ffi::OsString;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use super::ScoreFiles;
use crate::OwnPaths;
use rejudge_problem::printable::paragraph;
use rejudge_sandbox::left_behind::{Folder, Temporary};
use rejudge_sandbox::{Captured, Execution, SandboxError};

/// The maximum number of bytes of a message that are shown.
pub(super) const MESSAGE_BYTES: usize = 4096;
/// The maximum number of bytes of a message that are read.
const FILE_BYTES: u64 = 1 << 20;
/// The maximum number of bytes of an input or an output that are read.
const MOST_TAKEN: u64 = 1 << 30;

/// The file by which a validator requests the next pass.
const NEXT_PASS: &str = "nextpass.in";
/// The file that an interactor writes for the checker.
const TOUT: &str = "tout";

/// Why the input of the next pass cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum NextPassError {
    #[error("`{NEXT_PASS}` is not a regular file")]
    NotAFile,
    #[error("cannot read `{NEXT_PASS}`: {0}")]
    Io(#[from] io::Error),
}

/// The feedback folder of one case, next to a place that the validator cannot write to.
#[derive(Debug)]
pub struct Feedback {
    scratch: Temporary,
    /// The feedback folder's name in that place.
    name: &'static str,
    passes: u32,
}

impl Feedback {
    /// Creates an empty feedback folder in the system's temporary folder.
    pub fn new() -> Result<Self, SandboxError> {
        Self::new_in(&tempfile::env::temp_dir())
    }

    /// Creates an empty feedback folder in `place`.
    pub fn new_in(place: &Path) -> Result<Self, SandboxError> {
        Self::called("feedback", place)
    }

    /// Creates an empty feedback folder in `place` that other files can lie next to. Its name
    /// starts with a dot, as no file of a submission does.
    pub fn among_files(place: &Path) -> Result<Self, SandboxError> {
        Self::called(".feedback", place)
    }

    fn called(name: &'static str, place: &Path) -> Result<Self, SandboxError> {
        let failed =
            |source| SandboxError::Io { action: "cannot create a feedback folder".into(), source };
        let scratch = Temporary::new_in(place, "rejudge-check-").map_err(failed)?;
        scratch.folder().make_folder(name).map_err(failed)?;
        Ok(Self { scratch, name, passes: 1 })
    }

    /// The folder that contains the feedback folder.
    pub fn around(&self) -> &Path {
        self.scratch.path()
    }

    /// Copies the contents of the folder `from` to the folder that contains the feedback folder.
    pub fn put_around(&self, from: &Path) -> io::Result<()> {
        Folder::open(from)?.copy_to(self.scratch.folder())
    }

    /// The folder as an argument for validators: with a trailing slash, because they append file
    /// names directly.
    pub(super) fn argument(&self) -> OsString {
        let mut folder = self.folder().into_os_string();
        folder.push("/");
        folder
    }

    /// Where the folder is.
    pub(super) fn folder(&self) -> PathBuf {
        self.scratch.path().join(self.name)
    }

    /// Opens the folder. The validator may have put something else in its place.
    fn opened(&self) -> Option<Folder> {
        self.scratch.folder().folder(self.name).ok()
    }

    /// The start of a file that the validator may have written.
    pub(super) fn read(&self, name: &str) -> Option<Vec<u8>> {
        self.opened()?.start_of(name, FILE_BYTES)
    }

    /// The file that an interactor writes for the checker.
    pub(super) fn tout(&self) -> PathBuf {
        self.folder().join(TOUT)
    }

    /// Reads the file that an interactor wrote for the checker; empty if there is none.
    pub fn take_tout(&self) -> io::Result<Captured> {
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

    /// Lets a checker open the file at `path` as `name` in its folder. One of an earlier pass may have left something there.
    pub(super) fn link(&self, name: &str, path: &Path) -> io::Result<()> {
        self.opened().ok_or(io::ErrorKind::NotFound)?.link(name, path)
    }

    /// Writes `output` to a file that a checker can open by name.
    pub(super) fn write_output(&self, output: &Captured) -> io::Result<PathBuf> {
        let name = format!("output-{}", self.passes);
        self.put(&name, &mut output.reader()?)
    }

    /// The score files that the validator wrote.
    pub(super) fn scores(&self) -> ScoreFiles {
        ScoreFiles {
            score: self.read("score.txt"),
            multiplier: self.read("score_multiplier.txt"),
            points: false,
            partly: None,
        }
    }

    /// Whether the validator requests another pass; its file may still be invalid as an input.
    pub fn asks_for_a_pass(&self) -> bool {
        self.opened().is_some_and(|folder| folder.has(NEXT_PASS))
    }

    /// Moves the input of the next pass out of the folder.
    pub fn take_next_input(&mut self) -> Result<PathBuf, NextPassError> {
        let folder = self.opened().ok_or(NextPassError::NotAFile)?;
        let file = folder.file(Path::new(NEXT_PASS)).map_err(|_| NextPassError::NotAFile)?;
        self.passes += 1;
        // A copy, because the file may have other hard links, and its modes are chosen by the
        // validator.
        let name = format!("pass-{}.in", self.passes);
        let input = self.put(&name, &mut file.take(MOST_TAKEN))?;
        folder.remove(NEXT_PASS)?;
        Ok(input)
    }

    /// Writes a file next to the folder.
    fn put(&self, name: &str, from: &mut impl Read) -> io::Result<PathBuf> {
        let mut file = self.scratch.folder().create(Path::new(name), 0o644)?;
        io::copy(from, &mut file)?;
        Ok(self.scratch.path().join(name))
    }
}

/// The messages of the checker, safe to show; `None` if there are none.
pub(super) struct Messages {
    pub(super) judge: Option<String>,
    pub(super) team: Option<String>,
    pub(super) stderr: Option<String>,
    pub(super) judge_bytes: Vec<u8>,
}

impl Messages {
    pub(super) fn read(feedback: &Feedback, execution: &Execution, names: &OwnPaths) -> Self {
        let read = |name| feedback.read(name).unwrap_or_default();
        let judge_bytes = read("judgemessage.txt");
        let tail = names.in_message(execution.stderr_tail.clone());
        let kept = &tail[tail.len().saturating_sub(MESSAGE_BYTES)..];
        Self {
            judge: safe_text(&names.in_message(judge_bytes.clone()), MESSAGE_BYTES),
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
