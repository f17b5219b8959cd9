//! The system call filter of a program, which denies what no solution, compiler or runtime needs.
//!
//! [`policy`] lists the denied calls with their errors; [`bpf`] turns the list into a program for the kernel. A
//! [`Filter`] is prepared once, and every run installs it between clone and exec: [`Filter::install`] is one system
//! call. The filter kills only for output that is too long ([`far_output`]): a denied call fails with an error that programs know from other machines, so a runtime
//! that tries something new continues without it.
//!
//! The kernel translates a filter whenever it is installed, which takes time in every run. Therefore the launcher installs
//! once what it can bear itself ([`Filter::confine_launcher`]). Programs inherit that filter, and install only the rest.
//!
//! This module knows nothing of processes or runs, and `install` allocates nothing.

#![expect(unsafe_code, reason = "installing a filter")]

use rustix::io::Errno;

use super::raw::{at, call};
use bpf::{CallAction, CallRule};

mod bpf;
mod calls;
mod far_output;
mod policy;
#[cfg(test)]
mod tests;

/// What differs between back ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FilterPolicy {
    /// Whether a program may have memory that no process maps, which a control group counts but nothing else does.
    pub(super) unmapped_memory: bool,
    /// Whether it may change modes, owners and times of files. Landlock does not watch over these, so a program that
    /// shares its user and its view of files with the judge changes them in vain.
    pub(super) attributes: bool,
    /// Whether it may signal whomever it can name. Else it may only signal itself and its process group, and what it
    /// starts may signal nobody: for where nothing else keeps it from the judge.
    pub(super) signals: bool,
}

/// A filter, ready to be installed any number of times.
#[derive(Debug)]
pub(super) struct Filter(Vec<libc::sock_filter>);

/// Stands for the number of the process that installs the filter, in its instructions; no process has it.
const ITSELF: u32 = u32::MAX - 1;
/// No filter of ours has more instructions.
const MOST: usize = 768;

impl FilterPolicy {
    /// The policy that allows most.
    const OPEN: Self = Self { unmapped_memory: true, attributes: true, signals: true };
}

impl Filter {
    /// Makes the filter for the whole of `policy`.
    #[cfg(test)]
    fn new(policy: FilterPolicy) -> Self {
        Self::of(&policy::rules(policy), policy::UNKNOWN)
    }

    fn of(rules: &[(u32, CallRule)], others: CallAction) -> Self {
        Self(bpf::compile(policy::ARCHITECTURE, rules, others))
    }

    /// Puts the calling launcher behind a filter for the rules that all policies share. Returns the filter for the other
    /// rules of `policy`.
    pub(super) fn confine_launcher(policy: FilterPolicy) -> Result<Self, Errno> {
        let [common, rest] = Self::parts(policy);
        common.install()?;
        Ok(rest)
    }

    /// The filter for the rules that all policies share, and that for the other rules of `policy`.
    fn parts(policy: FilterPolicy) -> [Self; 2] {
        let common = policy::common_rules();
        let further = policy::further_rules(policy, &common);
        [Self::of(&common, policy::UNKNOWN), Self::of(&further, CallAction::Allow)]
    }

    /// Puts the calling thread, and all that it starts or executes from now on, behind this filter. Needs
    /// `PR_SET_NO_NEW_PRIVS` to be set before, and to be the last step before exec, for it refuses mounts and the like.
    /// May be called in a child that shares its parent's memory.
    ///
    /// No file of a program may become longer than `longest`. If its standard output would, it is killed by SIGSYS.
    pub(super) fn install_for_program(&self, longest: u64) -> Result<(), Errno> {
        self.install_after(&far_output::program(policy::ARCHITECTURE, longest))
    }

    /// The same for a launcher.
    fn install(&self) -> Result<(), Errno> {
        self.install_after(&[])
    }

    /// The instructions for a program, as bytes, for a process that installs them itself.
    pub(super) fn for_program(&self, longest: u64) -> Vec<u8> {
        let first = far_output::program(policy::ARCHITECTURE, longest);
        let mut bytes = Vec::with_capacity((first.len() + self.0.len()) * 8);
        for one in first.iter().chain(&self.0) {
            bytes.extend(one.code.to_ne_bytes());
            bytes.extend([one.jt, one.jf]);
            bytes.extend(one.k.to_ne_bytes());
        }
        bytes
    }

    /// Puts these instructions in front of those of the filter.
    fn install_after(&self, first: &[libc::sock_filter]) -> Result<(), Errno> {
        let none = libc::sock_filter { code: 0, jt: 0, jf: 0, k: 0 };
        // On our own stack, for others share the filter.
        let mut own = [none; MOST];
        let all = first.len() + self.0.len();
        let own = own.get_mut(..all).ok_or(Errno::TOOBIG)?;
        let (front, rest) = own.split_at_mut(first.len());
        front.copy_from_slice(first);
        rest.copy_from_slice(&self.0);
        // SAFETY: a system call without arguments.
        let itself = unsafe { call(libc::SYS_getpid, [])? };
        for instruction in rest.iter_mut().filter(|one| one.k == ITSELF) {
            instruction.k = u32::try_from(itself).unwrap_or(ITSELF);
        }
        let program = libc::sock_fprog {
            len: u16::try_from(own.len()).unwrap_or(u16::MAX),
            filter: own.as_mut_ptr(),
        };
        let mode = libc::SECCOMP_SET_MODE_FILTER as usize;
        // Without this flag older kernels slow a filtered program down for the sake of speculation, and its times
        // would not be those of a bare run.
        let unslowed = usize::try_from(libc::SECCOMP_FILTER_FLAG_SPEC_ALLOW).unwrap_or(0);
        // SAFETY: system calls that read a live structure, which points to as many instructions as its length says.
        let install =
            |flags| unsafe { call(libc::SYS_seccomp, [mode, flags, at(&raw const program)]) };
        // Kernels before 4.17 do not know the flag.
        install(unslowed).or_else(|_| install(0)).map(drop)
    }
}
