//! What a process that shares our memory uses beside us.

#![expect(unsafe_code, reason = "another process has a pointer to it")]

use std::ffi::c_void;
use std::ops::Deref;
use std::ptr::NonNull;

/// Stays where it is, and is not given back but by [`SharedMemory::free`]: who forgets that loses memory, no more. Both
/// sides change it by atomic operations only.
#[derive(Debug)]
pub(super) struct SharedMemory<T>(NonNull<T>);

impl<T> SharedMemory<T> {
    pub(super) fn new(value: T) -> Self {
        Self(NonNull::from(Box::leak(Box::new(value))))
    }

    /// What to tell the process.
    pub(super) fn pointer(&self) -> *mut c_void {
        self.0.as_ptr().cast()
    }

    /// To be called once the process is reaped, or never came to be.
    pub(super) fn free(self) {
        // SAFETY: made of a box, and used by nobody any more.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

impl<T> Deref for SharedMemory<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: it lives as long as we do.
        unsafe { self.0.as_ref() }
    }
}
