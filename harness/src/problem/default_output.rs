//! The output limit of a problem that sets none: the default of its layout, but at least twice the
//! size of the largest answer.
//!
//! Nobody chose the default, so it must not reject a right solution that prints more whitespace
//! than the answer contains.

use super::{OnDemand, Problem};
use crate::bytes::Bytes;

/// The default of ICPC packages, from the 2025-09 format.
pub(crate) const OF_PACKAGE: Bytes = Bytes::mib(8);

/// The default of layouts that define none.
pub(crate) const ELSEWHERE: Bytes = Bytes::mib(64);

/// The default of DMOJ. A problem's `init.yml` may set another one as `output_limit_length`.
pub(super) const OF_DMOJ: Bytes = Bytes(25_165_824);

/// The default of Hydro's judge, where it is called `stdio_size`.
pub(super) const OF_HYDRO: Bytes = Bytes::mib(32);

impl Problem {
    /// The default of the problem's layout, if an ICPC package would get a smaller one: whoever copies the problem to a
    /// package must state it.
    pub(crate) fn larger_default_output(&self) -> Option<Bytes> {
        (self.default_output > OF_PACKAGE).then_some(self.default_output)
    }

    /// Raises the default to twice the size of the largest answer. Call it before cases are
    /// selected, so that the limit does not depend on the selection.
    pub(super) fn raise_default_output(&mut self) {
        if self.limits.output.is_some() {
            return;
        }
        let lie = self.cases.iter().filter_map(|case| {
            let answer = std::fs::metadata(case.answer()?).ok()?;
            answer.is_file().then_some(answer.len())
        });
        let listed = self
            .on_demand
            .iter()
            .map(|case: &OnDemand| case.answer_bytes.get());
        let largest = lie.chain(listed).max().unwrap_or(0);
        let twice = Bytes(largest.saturating_mul(2));
        self.default_output = self.default_output.max(twice);
    }
}
