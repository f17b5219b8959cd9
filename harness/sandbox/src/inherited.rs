//! What this process inherits of its parent: limits (`ulimit`), which every program of ours has too, and blocked signals.
//!
//! A soft limit that is too low is raised as far as the hard one allows. A hard one that is too low is an error that
//! names it: a run under less than its limits would get a wrong verdict.

#![expect(unsafe_code, reason = "the set of blocked signals")]

use std::sync::OnceLock;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

use crate::bytes::Bytes;
use crate::error::SandboxError;
use crate::limits::Limits;

/// The least stack of our own main thread.
const OWN_STACK: u64 = 1 << 20;
/// The stack that our own main thread is given if it may have it: the usual one.
const USUAL_STACK: u64 = 8 << 20;
/// The least number of files that we must be able to open.
const OWN_FILES: u64 = 128;
/// The number of files that we want to be able to open: each worker needs some.
const USUAL_FILES: u64 = 4096;
/// The least address space and data of our own.
const OWN_MEMORY: u64 = 256 << 20;
/// The least size of a file: of one in the cache, or of an output that is kept.
const OWN_FILE_SIZE: u64 = 16 << 20;

/// A limit, and how it is called.
struct Known {
    resource: Resource,
    name: &'static str,
    /// What a shell shows it by.
    shown_by: &'static str,
}

const STACK: Known = Known {
    resource: Resource::Stack,
    name: "stack size",
    shown_by: "ulimit -Hs",
};
const FILES: Known = Known {
    resource: Resource::Nofile,
    name: "open files",
    shown_by: "ulimit -Hn",
};
const FILE_SIZE: Known = Known {
    resource: Resource::Fsize,
    name: "file size",
    shown_by: "ulimit -Hf",
};
const ADDRESS_SPACE: Known = Known {
    resource: Resource::As,
    name: "address space",
    shown_by: "ulimit -Hv",
};
const DATA: Known = Known {
    resource: Resource::Data,
    name: "data size",
    shown_by: "ulimit -Hd",
};
const CPU: Known = Known {
    resource: Resource::Cpu,
    name: "CPU time",
    shown_by: "ulimit -Ht",
};

/// Raises the soft limits that are lower than this process and its programs need, and checks the hard ones: to be called
/// at the start of a process, before other threads are there.
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

/// Lets every signal through that a parent blocked, so that this process can be told to end; to be called at the start of
/// a process, before other threads are there.
pub fn unblock_signals() {
    // SAFETY: an empty set is made, then installed; no old set is asked for.
    unsafe {
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, std::ptr::null_mut());
    }
}

/// Raises the soft limit to `wanted`, or as far as it may be.
fn raise(resource: Resource, wanted: u64) {
    let now = getrlimit(resource);
    if now.current.is_none_or(|soft| soft >= wanted) {
        return;
    }
    let unlimited = |limit: u64| (limit < u64::MAX).then_some(limit);
    let hard = now.maximum.unwrap_or(u64::MAX);
    // Root may raise the hard one too; who may not gets what there is.
    let higher = Rlimit {
        current: unlimited(wanted),
        maximum: unlimited(wanted.max(hard)),
    };
    if setrlimit(resource, higher).is_err() {
        let highest = Rlimit {
            current: unlimited(wanted.min(hard)),
            maximum: now.maximum,
        };
        // What is still too low is said by whoever needs more.
        let _ = setrlimit(resource, highest);
    }
}

/// Whether a program can be given these limits here; the error names the inherited one that is lower.
pub fn allow(limits: &Limits) -> Result<(), SandboxError> {
    static HIGHEST: OnceLock<[u64; 5]> = OnceLock::new();
    let known = [&STACK, &FILE_SIZE, &ADDRESS_SPACE, &DATA, &CPU];
    let highest = HIGHEST.get_or_init(|| known.map(|known| highest(known.resource)));
    let cpu = limits.cpu_kill + Duration::from_secs(1);
    let memory = limits.memory.get();
    let needed = [
        limits.stack.get(),
        limits.file_size.get(),
        memory,
        memory,
        cpu.as_secs(),
    ];
    for ((known, highest), needed) in known.into_iter().zip(highest).zip(needed) {
        if *highest < needed {
            return Err(known.too_low_for_program(*highest, needed));
        }
    }
    Ok(())
}

/// The highest that the hard limit of a program may be.
fn highest(resource: Resource) -> u64 {
    let now = getrlimit(resource);
    let Some(hard) = now.maximum else {
        return u64::MAX;
    };
    let unlimited = Rlimit {
        current: now.current,
        maximum: None,
    };
    if setrlimit(resource, unlimited).is_err() {
        return hard;
    }
    // Only tried: the launcher does it for itself, with the right that we have.
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
