//! The names of cases in lists: a number with leading zeros, a dash, and the given name.
//!
//! The cases of `sample` and of `secret` are numbered separately, each across all lists below; the
//! groups of a list are numbered within that list, with a `g` before the number.

/// Counts up to a known total, so that all numbers have the same width.
#[derive(Debug)]
pub(super) struct Numbering {
    prefix: &'static str,
    last: usize,
    width: usize,
}

impl Numbering {
    /// Numbers `total` cases.
    pub(super) fn of_cases(total: usize) -> Self {
        Self::new("", total)
    }

    /// Numbers `total` groups.
    pub(super) fn of_groups(total: usize) -> Self {
        Self::new("g", total)
    }

    fn new(prefix: &'static str, total: usize) -> Self {
        Self {
            prefix,
            last: 0,
            width: total.to_string().len(),
        }
    }

    /// The next name: `07-given`, or `07` if no name is given.
    pub(super) fn next(&mut self, given: &str) -> String {
        self.last += 1;
        let Self {
            prefix,
            last,
            width,
        } = self;
        let dash = if given.is_empty() { "" } else { "-" };
        format!("{prefix}{last:0width$}{dash}{given}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_wide_as_the_total() {
        let mut cases = Numbering::of_cases(10);
        assert_eq!(
            [cases.next("a"), cases.next(""), cases.next("a")],
            ["01-a", "02", "03-a"]
        );
        assert_eq!(Numbering::of_cases(9).next("x"), "1-x");
        assert_eq!(Numbering::of_groups(2).next("x"), "g1-x");
    }
}
