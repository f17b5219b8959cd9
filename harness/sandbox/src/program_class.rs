//! The class of a program: that of the kernel's own architecture, or an older one of 32 bits.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

/// Whether the file is a program of 32 bits. The filter knows no system call of those; not even their end is one.
pub(super) fn has_32_bits(program: &Path) -> bool {
    /// The magic number and the value of `EI_CLASS` of such a program; see `elf(5)`.
    const START: &[u8] = b"\x7fELF\x01";
    let mut start = [0; START.len()];
    let read = File::open(program).and_then(|mut file| file.read_exact(&mut start));
    read.is_ok() && start == START
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_class_decides() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("program");
        for (text, expected) in [
            (&b"\x7fELF\x01\x01\x01"[..], true),
            (b"\x7fELF\x02\x01\x01", false),
            (b"\x7fELF", false),
            (b"#!/bin/sh\n", false),
            (b"", false),
        ] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(has_32_bits(&path), expected, "{text:?}");
        }
        assert!(!has_32_bits(dir.path()));
        assert!(!has_32_bits(&dir.path().join("missing")));
    }
}
