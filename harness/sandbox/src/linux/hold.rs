//! Holds a process between exec and the first instruction of the program.
//!
//! At exec, the kernel moves a process to the processor that seems to have the least load. If other programs keep all
//! processors busy, this is usually another one than the launcher's, and the program waits there for the rest of a time
//! slice, which takes longer than a short run. To prevent this, the process may use only the launcher's processor until
//! exec. The program must not see that.
//!
//! Therefore the launcher traces the process, so that it stops when exec is done. The launcher then lets it use all
//! processors again, and no longer traces it.

#![expect(unsafe_code, reason = "ptrace")]

use rustix::io::Errno;
use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};

use super::raw::{call, int};

/// As the kernel takes them: the types differ between C libraries.
const SEIZE: usize = libc::PTRACE_SEIZE as usize;
const DETACH: usize = libc::PTRACE_DETACH as usize;

/// Makes this process, a child of the caller, stop when it has called exec. Returns whether the kernel permits this. It
/// needs the capability to trace, because the launcher's memory, which the process shares, is protected from the launcher's
/// own user.
///
/// The caller must [let it go](let_go) before it waits for the end of any child: such a wait would find this process.
pub(super) fn hold(process: libc::pid_t) -> bool {
    ptrace(SEIZE, process, int(libc::PTRACE_O_TRACEEXEC)).is_ok()
}

/// Waits until a process that is held has called exec, or a signal comes first. Then calls `prepare`, and lets the process
/// go. `None` if it ends earlier.
pub(super) fn let_go<T>(process: libc::pid_t, prepare: impl FnOnce() -> T) -> Option<T> {
    let id = Pid::from_raw(process)?;
    // Somebody else reaps it if it has ended.
    let options = WaitIdOptions::EXITED | WaitIdOptions::STOPPED | WaitIdOptions::NOWAIT;
    let found = loop {
        match waitid(WaitId::Pid(id), options) {
            Err(Errno::INTR) => {}
            other => break other,
        }
    };
    let reason = found.ok().flatten()?.trapping_signal()?;
    let prepared = prepare();
    // The number of an event, such as exec, is above the lowest byte. Otherwise it is a signal for the process.
    let signal = if reason >> 8 == 0 { int(reason) } else { 0 };
    // If this fails, the process was killed meanwhile.
    let _ = ptrace(DETACH, process, signal);
    Some(prepared)
}

/// Only for requests without memory.
fn ptrace(request: usize, process: libc::pid_t, data: usize) -> Result<usize, Errno> {
    // SAFETY: a system call on numbers.
    unsafe { call(libc::SYS_ptrace, [request, int(process), 0, data]) }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::os::unix::process::ExitStatusExt as _;
    use std::process::{Child, Command, Stdio};
    use std::thread;
    use std::time::Duration;

    use rustix::process::{Signal, kill_process};
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    use super::*;

    /// A shell that is held, and runs this when it has read a line; `None`, said loudly, if the kernel does not permit it.
    fn held(script: &str) -> Option<(Child, libc::pid_t)> {
        let mut child = Command::new("sh")
            .args(["-c", &format!("echo; read line; {script}")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // Otherwise its own exec may still go on, which would be the first to stop it.
        let stdout = child.stdout.as_mut().unwrap();
        stdout.read_exact(&mut [0]).unwrap();
        let pid = child.id().cast_signed();
        if hold(pid) {
            return Some((child, pid));
        }
        println!("SKIPPED: the kernel does not permit to trace a process");
        child.kill().unwrap();
        child.wait().unwrap();
        None
    }

    fn said(child: &mut Child) -> String {
        let mut said = String::new();
        let stdout = child.stdout.as_mut().unwrap();
        stdout.read_to_string(&mut said).unwrap();
        said
    }

    #[test]
    fn what_is_prepared_is_done_before_the_first_instruction_of_the_program() {
        let script = "exec grep -E 'TracerPid|Cpus_allowed:' /proc/self/status";
        let plain = Command::new("sh").args(["-c", script]).output().unwrap();
        for _ in 0..20 {
            let Some((mut child, pid)) = held(script) else {
                return;
            };
            let process = Pid::from_raw(pid);
            let all = sched_getaffinity(process).unwrap();
            let first = (0..CpuSet::MAX_CPU).find(|&core| all.is_set(core));
            let mut only = CpuSet::new();
            only.set(first.unwrap());
            sched_setaffinity(process, &only).unwrap();
            child.stdin.take().unwrap().write_all(b"\n").unwrap();
            let prepared = let_go(pid, || {
                // A program that is not held would look meanwhile.
                thread::sleep(Duration::from_millis(20));
                sched_setaffinity(process, &all)
            });
            assert_eq!(prepared, Some(Ok(())));
            assert_eq!(said(&mut child).as_bytes(), plain.stdout);
            assert!(child.wait().unwrap().success());
        }
    }

    #[test]
    fn a_process_that_ends_instead_is_left_to_its_parent() {
        let Some((mut child, pid)) = held("exit 3") else {
            return;
        };
        drop(child.stdin.take());
        assert_eq!(let_go(pid, || ()), None);
        assert_eq!(child.wait().unwrap().code(), Some(3));
    }

    #[test]
    fn a_signal_that_comes_before_reaches_the_process() {
        let Some((mut child, pid)) = held("sleep 1000") else {
            return;
        };
        kill_process(Pid::from_raw(pid).unwrap(), Signal::USR1).unwrap();
        assert_eq!(let_go(pid, || ()), Some(()));
        assert_eq!(child.wait().unwrap().signal(), Some(Signal::USR1.as_raw()));
    }

    #[test]
    fn a_process_that_is_killed_is_not_waited_for() {
        let Some((mut child, pid)) = held("sleep 1000") else {
            return;
        };
        child.kill().unwrap();
        assert_eq!(let_go(pid, || ()), None);
        assert_eq!(child.wait().unwrap().signal(), Some(Signal::KILL.as_raw()));
    }
}
