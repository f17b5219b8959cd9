//! Settings that a process inherits from its parent: resource limits (`ulimit`), which all programs would inherit too,
//! and blocked signals.
//!
//! A soft limit that is too low is raised as far as the hard limit permits. A hard limit that is too low is an error
//! that names it, because a run under lower limits could get a wrong verdict.

#![expect(unsafe_code, reason = "the set of blocked signals")]

use std::sync::OnceLock;
use std::time::Duration;

use rejudge_quantity::Bytes;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::error::SandboxError;
use crate::limits::Limits;

/// The minimum stack of our main thread, in bytes.
const OWN_STACK: u64 = 1 << 20;
/// The usual stack of a main thread, which ours gets if possible.
const USUAL_STACK: u64 = 8 << 20;
/// The minimum number of open files.
const OWN_FILES: u64 = 128;
/// The wanted number of open files: each worker needs some.
const USUAL_FILES: u64 = 4096;
/// The minimum address space and data size of our own.
const OWN_MEMORY: u64 = 256 << 20;
/// The minimum file size: a file in the cache, or an output that is kept.
const OWN_FILE_SIZE: u64 = 16 << 20;

/// A resource limit and its names.
struct Known {
    resource: Resource,
    name: &'static str,
    /// The command that shows it.
    shown_by: &'static str,
}

const STACK: Known =
    Known { resource: Resource::Stack, name: "stack size", shown_by: "ulimit -Hs" };
const FILES: Known =
    Known { resource: Resource::Nofile, name: "open files", shown_by: "ulimit -Hn" };
const FILE_SIZE: Known =
    Known { resource: Resource::Fsize, name: "file size", shown_by: "ulimit -Hf" };
const ADDRESS_SPACE: Known =
    Known { resource: Resource::As, name: "address space", shown_by: "ulimit -Hv" };
const DATA: Known = Known { resource: Resource::Data, name: "data size", shown_by: "ulimit -Hd" };
const CPU: Known = Known { resource: Resource::Cpu, name: "CPU time", shown_by: "ulimit -Ht" };

/// Raises soft limits that are too low for this process and its programs, and checks the hard ones. Call it at the
/// start of a process, before there are other threads.
pub fn raise_inherited_limits() -> Result<(), SandboxError> {
    let wanted = [
        (&STACK, USUAL_STACK, OWN_STACK),
        (&FILES, USUAL_FILES, OWN_FILES),
        (&FILE_SIZE, u64::MAX, OWN_FILE_SIZE),
        (&ADDRESS_SPACE, u64::MAX, OWN_MEMORY),
        (&DATA, u64::MAX, OWN_MEMORY),
        (&CPU, u64::MAX, 1),
    ];
    for (known, wanted, least) in wanted {
        raise(known.resource, wanted);
        let soft = getrlimit(known.resource).current.unwrap_or(u64::MAX);
        if soft < least {
            return Err(known.too_low(soft, least, "rejudge"));
        }
    }
    Ok(())
}

/// Unblocks the signals that a parent blocked, so that signals can end this process. Call it at the start of a process,
/// before there are other threads.
pub fn unblock_signals() {
    // SAFETY: a valid pointer to a set that is initialised first. The old set is not requested.
    unsafe {
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
    }
}

/// Raises the soft limit to `wanted`, or as far as permitted.
fn raise(resource: Resource, wanted: u64) {
    let now = getrlimit(resource);
    if now.current.is_none_or(|soft| soft >= wanted) {
        return;
    }
    let unlimited = |limit: u64| (limit < u64::MAX).then_some(limit);
    let hard = now.maximum.unwrap_or(u64::MAX);
    // Root may raise the hard limit too; others get the hard limit.
    let higher = Rlimit { current: unlimited(wanted), maximum: unlimited(wanted.max(hard)) };
    if setrlimit(resource, higher).is_err() {
        let highest = Rlimit { current: unlimited(wanted.min(hard)), maximum: now.maximum };
        // The callers report a limit that is still too low.
        let _ = setrlimit(resource, highest);
    }
}

/// Checks that a program can get these limits; the error names the inherited limit that is too low.
pub fn allow(limits: &Limits) -> Result<(), SandboxError> {
    static HIGHEST: OnceLock<[u64; 5]> = OnceLock::new();
    let known = [&STACK, &FILE_SIZE, &ADDRESS_SPACE, &DATA, &CPU];
    let highest = HIGHEST.get_or_init(|| known.map(|known| highest(known.resource)));
    let cpu = limits.cpu_kill + Duration::from_secs(1);
    let memory = limits.memory.get();
    let needed = [limits.stack.get(), limits.longest_file().get(), memory, memory, cpu.as_secs()];
    for ((known, highest), needed) in known.into_iter().zip(highest).zip(needed) {
        if *highest < needed {
            return Err(known.too_low_for_program(*highest, needed));
        }
    }
    Ok(())
}

/// The highest possible hard limit of a program.
fn highest(resource: Resource) -> u64 {
    let now = getrlimit(resource);
    let Some(hard) = now.maximum else {
        return u64::MAX;
    };
    let unlimited = Rlimit { current: now.current, maximum: None };
    if setrlimit(resource, unlimited).is_err() {
        return hard;
    }
    // This only tests the right: the launcher has the same one, and raises its own limit.
    let _ = setrlimit(resource, now);
    u64::MAX
}

impl Known {
    /// Like [`Self::too_low`], for a limit that follows from one that the user can lower.
    fn too_low_for_program(&self, is: u64, needed: u64) -> SandboxError {
        let remedy = match self.resource {
            Resource::Cpu => format!(", or a lower time limit: `-t {}`", (is / 3).max(1)),
            Resource::Fsize => String::new(),
            _ => format!(", or a lower memory limit: `-m {}`", (is >> 20).max(1)),
        };
        self.message(is, needed, "the program", &remedy)
    }

    fn too_low(&self, is: u64, needed: u64, who: &str) -> SandboxError {
        self.message(is, needed, who, "")
    }

    fn message(&self, is: u64, needed: u64, who: &str, remedy: &str) -> SandboxError {
        let shown = |n: u64| match self.resource {
            Resource::Nofile => n.to_string(),
            Resource::Cpu => format!("{n} s"),
            _ => Bytes(n).to_string(),
        };
        let (name, shown_by, is, needed) = (self.name, self.shown_by, shown(is), shown(needed));
        SandboxError::Inherited(format!(
            "the inherited limit of {name} (`{shown_by}`) is {is}, but {who} needs {needed}: start rejudge with a higher \
             limit{remedy}"
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_that_follows_from_an_option_names_the_option() {
        let mib = |count: u64| count << 20;
        let message = STACK.too_low_for_program(mib(64), mib(256)).to_string();
        assert!(
            message.ends_with(
                "stack size (`ulimit -Hs`) is 64 MiB, but the program needs 256 MiB: start rejudge with a higher limit, or \
                 a lower memory limit: `-m 64`"
            ),
            "{message}"
        );
        let message = CPU.too_low_for_program(9, 31).to_string();
        assert!(message.ends_with("a lower time limit: `-t 3`"), "{message}");
        let message = FILE_SIZE.too_low_for_program(1, 2).to_string();
        assert!(message.ends_with("with a higher limit"), "{message}");
    }
}
