//! Makes the kernel kill the program first when memory is short, and never the launcher.
//!
//! The program is in the launcher's control group, and can hold the memory of the group without mapping it, so the size of
//! a process must not decide. The program cannot lower its score: it must not write to its `/proc`.

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
