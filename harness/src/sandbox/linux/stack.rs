//! Stacks of processes that share the launcher's memory.

#![expect(unsafe_code, reason = "mmap")]

use std::ffi::c_void;
use std::io;

use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};

/// Some dozens of shallow functions run on it, also when they are not optimised.
const SIZE: usize = 128 << 10;
/// No page is larger.
const GUARD: usize = 64 << 10;

/// Memory for the stack of one process; whoever drops it knows that the process does not use it any more.
#[derive(Debug)]
pub(super) struct Stack(*mut c_void);

impl Stack {
    pub(super) fn new() -> io::Result<Self> {
        // SAFETY: new memory, of which nobody has a pointer yet; below it is a part that cannot be touched, so that a
        // stack that is too small ends its process, and spoils nothing.
        unsafe {
            let access = ProtFlags::READ | ProtFlags::WRITE;
            let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
            let stack = Self(mmap_anonymous(std::ptr::null_mut(), SIZE, access, flags)?);
            mprotect(stack.0, GUARD, MprotectFlags::empty())?;
            Ok(stack)
        }
    }

    /// Where it begins: stacks grow downwards, and the end of a mapping is aligned as they want it.
    pub(super) fn top(&self) -> *mut c_void {
        self.0.wrapping_byte_add(SIZE)
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        // SAFETY: mapped by us, and used by nobody any more. What cannot be unmapped stays.
        let _ = unsafe { munmap(self.0, SIZE) };
    }
}
