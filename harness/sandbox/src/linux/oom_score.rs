//! Whom the kernel ends first when memory is short: the program, never the launcher.
//!
//! A program is in the launcher's control group, and may hold the group's memory where no process maps it, so what a
//! process maps must not decide. The program cannot lower its score: where it has a `/proc` it may not write to it.

use std::fs;
use std::io;

use super::tree;

/// Gives process `pid` the highest score; `false` if it is too early: until it has executed, it shares our memory, and
/// the kernel would give us that score too. See `proc_pid_oom_score_adj(5)`.
pub(super) fn raise(pid: libc::pid_t) -> io::Result<bool> {
    let executed = tree::has_executed(pid)?;
    if executed {
        fs::write(format!("/proc/{pid}/oom_score_adj"), "1000")?;
    }
    Ok(executed)
}
