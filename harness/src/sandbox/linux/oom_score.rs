//! Whom the kernel ends first when memory is short: the program, not the launcher.
//!
//! A child is born with its parent's score, so the launcher has the highest one for as long as a program starts. The
//! program cannot set its own: until exec it is as little dumpable as the launcher, whose files in `/proc` then belong
//! to root, which in a user namespace is nobody.

use std::fs::{File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::FileExt as _;

/// Our own score; see `proc_pid_oom_score_adj(5)`.
#[derive(Debug)]
pub(super) struct OomScore {
    file: File,
    usual: String,
}

impl OomScore {
    /// To be called while we are dumpable, and the mounted `/proc` knows us.
    pub(super) fn open() -> io::Result<Self> {
        let path = "/proc/self/oom_score_adj";
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        let mut usual = String::new();
        file.read_to_string(&mut usual)?;
        Ok(Self { file, usual })
    }

    /// Does what starts a program, with the highest score.
    pub(super) fn lend<T>(&self, start: impl FnOnce() -> T) -> io::Result<T> {
        self.set("1000")?;
        let started = start();
        // What runs already must be watched, whatever this says.
        let _ = self.set(&self.usual);
        Ok(started)
    }

    fn set(&self, score: &str) -> io::Result<()> {
        self.file.write_at(score.as_bytes(), 0).map(drop)
    }
}
