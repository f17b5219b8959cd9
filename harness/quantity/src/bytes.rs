//! A number of bytes as a type, so that the unit of a figure is never in doubt.

use std::fmt;

/// A number of bytes. The display is human-readable: `512 B`, `1.5 KiB`, `256 MiB`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Bytes(pub u64);

impl Bytes {
    /// `n` KiB (1,024 bytes each), saturating.
    #[must_use]
    pub const fn kib(n: u64) -> Self {
        Self(n.saturating_mul(1 << 10))
    }

    /// `n` MiB (1,048,576 bytes each), saturating.
    #[must_use]
    pub const fn mib(n: u64) -> Self {
        Self(n.saturating_mul(1 << 20))
    }

    /// The number of bytes.
    #[must_use]
    pub const fn get(self) -> u64 {
        self.0
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(&str, u64); 3] = [("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)];
        for (name, size) in UNITS {
            if self.0 >= size {
                let whole = self.0 / size;
                let tenth = self.0 % size * 10 / size;
                return if whole >= 100 || tenth == 0 {
                    write!(f, "{whole} {name}")
                } else {
                    write!(f, "{whole}.{tenth} {name}")
                };
            }
        }
        write!(f, "{} B", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn displays_the_largest_unit_that_fits() {
        let table = [
            (0, "0 B"),
            (1023, "1023 B"),
            (1024, "1 KiB"),
            (1536, "1.5 KiB"),
            (256 << 20, "256 MiB"),
            ((256 << 20) + (1 << 19), "256 MiB"),
            (u64::MAX, "17179869183 GiB"),
        ];
        for (bytes, shown) in table {
            assert_eq!(Bytes(bytes).to_string(), shown);
        }
    }
}
