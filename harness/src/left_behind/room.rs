//! How much may be taken of what a program left.

use rustix::fs::Stat;

use super::size_of;

/// What there is room for.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Room {
    pub(crate) bytes: u64,
    pub(crate) entries: u64,
}

impl Room {
    /// Whether there is room for this; then there is less.
    pub(super) fn takes(&mut self, stat: &Stat) -> bool {
        // Files that are small take a page.
        let size = size_of(stat).next_multiple_of(4096);
        let takes = self.entries > 0 && size <= self.bytes;
        if takes {
            self.entries -= 1;
            self.bytes -= size;
        }
        takes
    }
}
