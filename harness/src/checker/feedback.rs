//! The folder that one case's validator writes to, and what is read back from it.
//!
//! Whatever a validator leaves behind is not trusted: only plain files are read, to a bound, and nothing
//! of them is shown raw. The folder lasts over the passes of a case, and is gone with the value.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::ScoreFiles;
use super::printable::paragraph;
use crate::sandbox::{Captured, Execution, SandboxError};

/// How much of a message is shown.
pub(super) const MESSAGE_BYTES: usize = 4096;
/// How much of a message is read.
const FILE_BYTES: u64 = 1 << 20;

/// What a validator asks for the next pass by.
const NEXT_PASS: &str = "nextpass.in";
/// What an interactor writes for the checker.
const TOUT: &str = "tout";

/// One case's feedback folder, with a place beside it that the validator cannot write to.
#[derive(Debug)]
pub struct Feedback {
    scratch: TempDir,
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
        let scratch = tempfile::Builder::new()
            .prefix("rejudge-check-")
            .tempdir_in(place)
            .map_err(failed)?;
        fs::create_dir(scratch.path().join(name)).map_err(failed)?;
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

    /// The folder as validators get it: with a slash behind it, for they put names right after it.
    pub(super) fn argument(&self) -> OsString {
        let mut folder = self.folder().into_os_string();
        folder.push("/");
        folder
    }

    /// The folder itself.
    pub(super) fn folder(&self) -> PathBuf {
        self.scratch.path().join(self.name)
    }

    /// Where an interactor writes what the checker is to see.
    pub(super) fn tout(&self) -> PathBuf {
        self.folder().join(TOUT)
    }

    /// Takes what an interactor wrote for the checker; nothing if it wrote nothing.
    pub(crate) fn take_tout(&self) -> io::Result<Captured> {
        let mut captured = Captured::default();
        if !is_plain_file(&self.folder(), TOUT) {
            return Ok(captured);
        }
        let mut file = File::open(self.tout())?;
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
        let path = self.scratch.path().join(format!("output-{}", self.passes));
        let mut file = File::create(&path)?;
        io::copy(&mut output.reader()?, &mut file)?;
        file.flush()?;
        Ok(path)
    }

    /// The scores that the validator left.
    pub(super) fn scores(&self) -> ScoreFiles {
        ScoreFiles {
            score: read_plain_file(&self.folder(), "score.txt"),
            multiplier: read_plain_file(&self.folder(), "score_multiplier.txt"),
            points: false,
            partly: None,
        }
    }

    /// Whether the validator asks for another pass; what it left may still be no input.
    pub(crate) fn asks_for_a_pass(&self) -> bool {
        self.folder().join(NEXT_PASS).symlink_metadata().is_ok()
    }

    /// Takes the input of the next pass out of the folder; the error is in words.
    pub(crate) fn take_next_input(&mut self) -> Result<PathBuf, String> {
        if !is_plain_file(&self.folder(), NEXT_PASS) {
            return Err(format!("`{NEXT_PASS}` is no plain file"));
        }
        self.passes += 1;
        let input = self.scratch.path().join(format!("pass-{}.in", self.passes));
        fs::rename(self.folder().join(NEXT_PASS), &input)
            .map_err(|error| format!("cannot take `{NEXT_PASS}`: {error}"))?;
        Ok(input)
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
    pub(super) fn read(feedback: &Path, execution: &Execution) -> Self {
        let read = |name| read_plain_file(feedback, name).unwrap_or_default();
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

/// Whether the checker left a plain file of this name. The checker has ended, so nothing changes under
/// our eyes: a link, a FIFO, a device or a folder is told apart before opening.
fn is_plain_file(folder: &Path, name: &str) -> bool {
    let is = |path: &Path, right: fn(&fs::Metadata) -> bool| {
        fs::symlink_metadata(path).is_ok_and(|found| right(&found))
    };
    is(folder, fs::Metadata::is_dir) && is(&folder.join(name), fs::Metadata::is_file)
}

/// The beginning of a file that the checker may have left.
fn read_plain_file(folder: &Path, name: &str) -> Option<Vec<u8>> {
    if !is_plain_file(folder, name) {
        return None;
    }
    let mut text = Vec::new();
    let file = File::open(folder.join(name)).ok()?;
    file.take(FILE_BYTES).read_to_end(&mut text).ok()?;
    Some(text)
}

#[cfg(test)]
mod laws;
