//! The output limit of a problem that states none: the default of its layout, and at least twice the largest answer.
//!
//! A default is nobody's wish, so it must not reject a right solution that prints some blanks more than the answer.

use super::{OnDemand, Problem};
use crate::bytes::Bytes;

/// Of an ICPC package: the 2025-09 format's.
pub(crate) const OF_PACKAGE: Bytes = Bytes::mib(8);

/// Where the layout has none.
pub(crate) const ELSEWHERE: Bytes = Bytes::mib(64);

/// Of DMOJ, whose `init.yml` may state another as `output_limit_length`.
pub(super) const OF_DMOJ: Bytes = Bytes(25_165_824);

/// Of Hydro's judge, which calls it `stdio_size`.
pub(super) const OF_HYDRO: Bytes = Bytes::mib(32);

impl Problem {
    /// Raises the default to twice the largest answer; to be called while all cases are there, so that it does not depend
    /// on which of them are judged.
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
