//! Limits how much is copied of the files that a program left.

use rustix::fs::Stat;

use super::size_of;

/// The remaining space.
#[derive(Debug, Clone, Copy)]
pub struct Space {
    /// In bytes; a file takes whole pages.
    pub bytes: u64,
    /// Files, folders and links.
    pub entries: u64,
}

impl Space {
    /// Whether the entry fits; if it does, its size is subtracted.
    pub(super) fn takes(&mut self, stat: &Stat) -> bool {
        // A small file takes a whole page.
        let size = size_of(stat).next_multiple_of(4096);
        let takes = self.entries > 0 && size <= self.bytes;
        if takes {
            self.entries -= 1;
            self.bytes -= size;
        }
        takes
    }
}
