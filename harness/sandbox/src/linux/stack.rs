//! The stacks of processes that share the launcher's memory.

#![expect(unsafe_code, reason = "mmap")]

use std::cell::RefCell;
use std::ffi::c_void;
use std::io;

use rustix::mm::{MapFlags, MprotectFlags, ProtFlags, mmap_anonymous, mprotect, munmap};

/// Some dozens of shallow functions run on it, also when they are not optimised.
const SIZE: usize = 128 << 10;
/// No page is larger.
const GUARD: usize = 64 << 10;

thread_local! {
    /// Those that are free again, kept as long as the thread: with another in its place every page would have to be had
    /// anew, and every processor that runs one of us be told of what went.
    static SPARE: RefCell<Vec<*mut c_void>> = const { RefCell::new(Vec::new()) };
}

/// Memory for the stack of one process; whoever drops it knows that the process does not use it any more.
#[derive(Debug)]
pub(super) struct Stack(*mut c_void);

impl Stack {
    pub(super) fn new() -> io::Result<Self> {
        let spare = SPARE.with_borrow_mut(Vec::pop);
        Ok(Self(spare.map_or_else(map, Ok)?))
    }

    /// Where it begins: stacks grow downwards, and the end of a mapping is aligned as they want it.
    pub(super) fn top(&self) -> *mut c_void {
        self.0.wrapping_byte_add(SIZE)
    }
}

impl Drop for Stack {
    fn drop(&mut self) {
        // When the thread ends, so does the launcher.
        let _ = SPARE.try_with(|spare| spare.borrow_mut().push(self.0));
    }
}

/// New memory.
fn map() -> io::Result<*mut c_void> {
    // SAFETY: nobody has a pointer to it yet; below it is a part that cannot be touched, so that a stack that is too small
    // ends its process, and spoils nothing.
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
