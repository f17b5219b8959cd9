//! Data that a process uses which shares our memory.

#![expect(unsafe_code, reason = "another process has a pointer to it")]

use std::ffi::c_void;
use std::ops::Deref;
use std::ptr::NonNull;

/// It stays in place until [`SharedMemory::free`]; without that call, the memory leaks and nothing else happens. Both
/// sides change it by atomic operations only.
#[derive(Debug)]
pub(super) struct SharedMemory<T>(NonNull<T>);

impl<T> SharedMemory<T> {
    pub(super) fn new(value: T) -> Self {
        Self(NonNull::from(Box::leak(Box::new(value))))
    }

    /// The address to pass to the process.
    pub(super) fn pointer(&self) -> *mut c_void {
        self.0.as_ptr().cast()
    }

    /// Call it once the process is reaped, or was never created.
    pub(super) fn free(self) {
        // SAFETY: the pointer comes from a box, and nothing uses it any more.
        drop(unsafe { Box::from_raw(self.0.as_ptr()) });
    }
}

impl<T> Deref for SharedMemory<T> {
    type Target = T;

    fn deref(&self) -> &T {
        // SAFETY: the memory lives until `free`, which takes `self`.
        unsafe { self.0.as_ref() }
    }
}
