//! The stacks of processes that share the launcher's memory.

#![expect(unsafe_code, reason = "mmap")]

use std::cell::RefCell;
use std::ffi::c_void;
use std::io;

use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};

/// Enough for some dozens of shallow functions, even if not optimised.
const SIZE: usize = 128 << 10;
/// The largest page size.
const GUARD: usize = 64 << 10;

thread_local! {
    /// Free stacks, kept as long as the thread. A new mapping would fault in every page again, and every processor that
    /// runs one of our processes would have to be notified of the unmapping.
    static SPARE: RefCell<Vec<*mut c_void>> = const { RefCell::new(Vec::new()) };
}

/// The stack of one process. Drop it only when the process no longer uses it.
#[derive(Debug)]
pub(super) struct Stack(*mut c_void);

impl Stack {
    pub(super) fn new() -> io::Result<Self> {
        let spare = SPARE.with_borrow_mut(Vec::pop);
        Ok(Self(spare.map_or_else(map, Ok)?))
    }

    /// Its start: stacks grow downwards, and the end of a mapping is aligned as required.
    pub(super) fn top(&self) -> *mut c_void {
        self.0.wrapping_byte_add(SIZE)
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        // The thread ends together with the launcher.
        let _ = SPARE.try_with(|spare| spare.borrow_mut().push(self.0));
    }
}

/// New memory.
fn map() -> io::Result<*mut c_void> {
    // SAFETY: nothing has a pointer to this memory yet. A protected page below it ends a process whose stack is too
    // small, before it corrupts other memory.
    unsafe {
        let access = ProtFlags::READ | ProtFlags::WRITE;
        let flags = MapFlags::PRIVATE | MapFlags::NORESERVE;
        let start = mmap_anonymous(std::ptr::null_mut(), SIZE, access, flags)?;
        if let Err(error) = mprotect(start, GUARD, MprotectFlags::empty()) {
            munmap(start, SIZE)?;
            return Err(error.into());
        }
        Ok(start)
    }
}
