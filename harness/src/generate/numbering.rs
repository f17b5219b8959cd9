//! The names of cases in lists: a number with leading zeros, a dash, and the given name.
//!
//! The cases of all lists of a package are numbered together; the groups of a list are numbered within that list.

/// Counts up to a known total, so that all numbers have the same width.
#[derive(Debug)]
pub(super) struct Numbering {
    last: usize,
    width: usize,
}

impl Numbering {
    /// Numbers `total` cases or groups.
    pub(super) fn of(total: usize) -> Self {
        Self { last: 0, width: total.to_string().len() }
    }

    /// The next name: `07-given`, or `07` if no name is given.
    pub(super) fn next(&mut self, given: &str) -> String {
        self.last += 1;
        let Self { last, width } = self;
        let dash = if given.is_empty() { "" } else { "-" };
        format!("{last:0width$}{dash}{given}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_as_wide_as_the_total() {
        let mut cases = Numbering::of(10);
        assert_eq!([cases.next("a"), cases.next(""), cases.next("a")], ["01-a", "02", "03-a"]);
        assert_eq!(Numbering::of(9).next("x"), "1-x");
    }
}
