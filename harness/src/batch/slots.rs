//! The places for work: as many as workers, divided among the requests that are judged at the same time.

use std::sync::{Condvar, Mutex, PoisonError};

/// The free places.
#[derive(Debug)]
pub(super) struct Slots {
    free: Mutex<usize>,
    freed: Condvar,
}

/// Places that are held until this value is dropped.
#[derive(Debug)]
pub(super) struct HeldSlots<'a> {
    slots: &'a Slots,
    pub(super) count: usize,
}

impl Slots {
    pub(super) fn new(count: usize) -> Self {
        Self { free: Mutex::new(count), freed: Condvar::new() }
    }

    /// Waits for one place, and takes up to `more` of the others that are free.
    pub(super) fn take(&self, more: usize) -> HeldSlots<'_> {
        let mut free = self.free.lock().unwrap_or_else(PoisonError::into_inner);
        while *free == 0 {
            free = self.freed.wait(free).unwrap_or_else(PoisonError::into_inner);
        }
        let count = 1 + more.min(*free - 1);
        *free -= count;
        HeldSlots { slots: self, count }
    }
}

impl Drop for HeldSlots<'_> {
    fn drop(&mut self) {
        let mut free = self.slots.free.lock().unwrap_or_else(PoisonError::into_inner);
        *free += self.count;
        self.slots.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_divided_and_given_back() {
        let slots = Slots::new(4);
        let one = slots.take(0);
        let more = slots.take(10);
        assert_eq!((one.count, more.count), (1, 3));
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| slots.take(10).count);
            drop(more);
            assert_eq!(waiting.join().unwrap(), 3);
        });
        drop(one);
        assert_eq!(slots.take(10).count, 4);
    }
}
