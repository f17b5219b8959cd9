//! How a problem is read.

use crate::notice::Notices;

/// How the user wants a problem to be read.
#[derive(Debug, Clone, Copy, Default)]
pub struct ReadOptions<'a> {
    /// The name of the layout to use, if there are several readings.
    pub layout: Option<&'a str>,
    /// Whether another checker replaces the problem's own, which then need not be supported.
    pub checked: bool,
    /// Whether missing answers will be written: a case without an answer is valid, and has the path of its answer.
    pub answering: bool,
}

impl ReadOptions<'_> {
    /// Reports that the problem's checker is not supported, unless another checker replaces it.
    pub(super) fn unless_checked(self, notices: &mut Notices, report: impl FnOnce(&mut Notices)) {
        if !self.checked {
            report(notices);
        }
    }
}
