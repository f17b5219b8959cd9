//! The output limit of a problem that sets none: the default of its layout, but at least twice the
//! size of the largest answer.
//!
//! Nobody chose the default, so it must not reject a right solution that prints more whitespace
//! than the answer contains.

use std::sync::OnceLock;

use rejudge_quantity::Bytes;

use super::{OnDemand, Problem, TestCase};

/// The default of ICPC packages, from the 2025-09 format.
pub const OF_PACKAGE: Bytes = Bytes::mib(8);

/// The default of layouts that define none.
pub const ELSEWHERE: Bytes = Bytes::mib(64);

/// The default of DMOJ. A problem's `init.yml` may set another one as `output_limit_length`.
pub(super) const OF_DMOJ: Bytes = Bytes(25_165_824);

/// The default of Hydro's judge, where it is called `stdio_size`.
pub(super) const OF_HYDRO: Bytes = Bytes::mib(32);

/// The default of QDUOJ's judge.
pub(super) const OF_QDUOJ: Bytes = Bytes::mib(16);

/// The default of a layout, and that of the problem once its answers were measured. Most of the problems that discovery
/// finds are never judged, so their answers are measured when somebody needs the limit.
#[derive(Debug, Clone)]
pub struct DefaultOutput {
    of_layout: Bytes,
    of_problem: OnceLock<Bytes>,
}

impl DefaultOutput {
    /// The default of a layout.
    pub const fn of_layout(of_layout: Bytes) -> Self {
        Self { of_layout, of_problem: OnceLock::new() }
    }
}

impl Problem {
    /// The output limit if nothing else sets one: that of the layout, but at least twice the size of the largest answer.
    #[must_use]
    pub fn default_output(&self) -> Bytes {
        let DefaultOutput { of_layout, of_problem } = &self.default_output;
        *of_problem.get_or_init(|| {
            if self.limits.output.is_some() {
                return *of_layout;
            }
            let twice = Bytes(self.largest_answer().saturating_mul(2));
            twice.max(*of_layout)
        })
    }

    /// The default of the problem's layout, if an ICPC package would get a smaller one: whoever copies the problem to a
    /// package must state it.
    pub fn larger_default_output(&self) -> Option<Bytes> {
        let default = self.default_output();
        (default > OF_PACKAGE).then_some(default)
    }

    /// Removes all other cases. The output limit does not depend on the selection.
    pub fn retain_cases(&mut self, keep: impl FnMut(&TestCase) -> bool) {
        let _ = self.default_output();
        self.cases.retain(keep);
    }

    /// The same problem with some of its cases, perhaps in another order. The output limit stays the same.
    #[must_use]
    pub fn with_cases(&self, cases: Vec<TestCase>) -> Self {
        let _ = self.default_output();
        let mut part = self.clone();
        part.cases = cases;
        part
    }

    /// The size of the largest answer, in bytes.
    fn largest_answer(&self) -> u64 {
        let lie = self.cases.iter().filter_map(|case| {
            let answer = std::fs::metadata(case.answer()?).ok()?;
            answer.is_file().then_some(answer.len())
        });
        let listed = self.on_demand.iter().map(|case: &OnDemand| case.answer_bytes.get());
        lie.chain(listed).max().unwrap_or(0)
    }
}
