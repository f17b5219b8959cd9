//! Whom the kernel ends first when memory is short: the program, not the launcher.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _};
use std::os::unix::fs::FileExt as _;

/// Our own score; see `proc_pid_oom_score_adj(5)`.
#[derive(Debug)]
pub(super) struct OomScore {
    file: File,
    usual: String,
}

const HIGHEST: &str = "1000";

impl OomScore {
    /// To be called while we are dumpable, and the mounted `/proc` knows us.
    pub(super) fn open() -> io::Result<Self> {
        let path = "/proc/self/oom_score_adj";
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        let mut usual = String::new();
        file.read_to_string(&mut usual)?;
        Ok(Self { file, usual })
    }

    /// Gives process `pid` the highest score; whether it has it now. As long as it has not come to exec, it has our
    /// memory, and by that our score: then nothing changes.
    pub(super) fn raise(&self, pid: libc::pid_t) -> io::Result<bool> {
        fs::write(format!("/proc/{pid}/oom_score_adj"), HIGHEST)?;
        let mut ours = [0; HIGHEST.len()];
        if self.usual.trim_end() == HIGHEST {
            return Ok(true);
        }
        let shared = self.file.read_at(&mut ours, 0)? == ours.len() && ours == *HIGHEST.as_bytes();
        if shared {
            self.file.write_at(self.usual.as_bytes(), 0)?;
        }
        Ok(!shared)
    }
}
