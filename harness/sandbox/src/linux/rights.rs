//! The capabilities that a process of the launcher keeps.

use rustix::thread::CapabilitySet;

use super::caller::{Argument, Caller};
use super::step::{SetupError, Step};

/// The right that a thread keeps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum KeptRight {
    Nothing,
    /// `CAP_CHECKPOINT_RESTORE`, since Linux 5.9: to set the counter of process numbers.
    SetCounter,
}

impl KeptRight {
    /// As a set of the kernel: the lower and the upper half.
    fn capabilities(self) -> [u32; 2] {
        match self {
            Self::Nothing => [0, 0],
            Self::SetCounter => [0, 1 << (40 - 32)],
        }
    }
}

/// What a [preloaded interpreter](super::preload) needs to set up its copies: to change group and user, to enter namespaces,
/// and to enter the working folder of that user.
pub(super) const OF_INTERPRETERS: CapabilitySet = CapabilitySet::SETGID
    .union(CapabilitySet::SETUID)
    .union(CapabilitySet::DAC_READ_SEARCH)
    .union(CapabilitySet::SYS_CHROOT)
    .union(CapabilitySet::SYS_ADMIN);

/// Keeps these capabilities, and no others, when the calling process executes a program.
pub(super) fn keep_at_exec(
    caller: &mut impl Caller,
    kept: CapabilitySet,
) -> Result<(), SetupError> {
    let halves = [kept.bits() & u64::from(u32::MAX), kept.bits() >> 32];
    let [low, high] = halves.map(|half| u32::try_from(half).unwrap_or(0));
    set_capabilities(caller, [low, low, low, high, high, high])?;
    for right in (0..64).filter(|right| kept.bits() >> right & 1 == 1) {
        let raise = [libc::PR_CAP_AMBIENT, libc::PR_CAP_AMBIENT_RAISE, right, 0, 0];
        caller.must(Step::DropCapabilities, libc::SYS_prctl, raise.map(Argument::int))?;
    }
    Ok(())
}

/// Drops every capability of the calling thread but those `kept`.
pub(super) fn keep_only(caller: &mut impl Caller, kept: KeptRight) -> Result<(), SetupError> {
    let [low, high] = kept.capabilities();
    set_capabilities(caller, [low, low, 0, high, high, 0])
}

/// Sets the effective, permitted and inheritable capabilities, first those of the lower half: see `capset(2)`.
fn set_capabilities(caller: &mut impl Caller, wanted: [u32; 6]) -> Result<(), SetupError> {
    const VERSION_3: u32 = 0x2008_0522;
    let mut header = [0; 8];
    header[..4].copy_from_slice(&VERSION_3.to_ne_bytes());
    let mut sets = [0; 24];
    for (place, set) in sets.chunks_exact_mut(4).zip(wanted) {
        place.copy_from_slice(&set.to_ne_bytes());
    }
    let capset = [Argument::Bytes(&header), Argument::Bytes(&sets)];
    caller.must(Step::DropCapabilities, libc::SYS_capset, capset)
}
