//! The figures of the repeated runs of a case.

use serde::{Deserialize, Serialize};

use super::{VerdictCode, duration, milliseconds};
use crate::event::Repeats;

#[derive(Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct RepeatFigures {
    verdicts: Vec<VerdictCode>,
    flaky: bool,
    cpu_min_ms: f64,
    cpu_median_ms: f64,
    cpu_max_ms: f64,
}

impl From<&Repeats> for RepeatFigures {
    fn from(repeats: &Repeats) -> Self {
        Self {
            verdicts: repeats.verdicts.iter().copied().map(VerdictCode).collect(),
            flaky: repeats.flaky(),
            cpu_min_ms: milliseconds(repeats.cpu_min),
            cpu_median_ms: milliseconds(repeats.cpu_median),
            cpu_max_ms: milliseconds(repeats.cpu_max),
        }
    }
}

impl From<RepeatFigures> for Repeats {
    fn from(spread: RepeatFigures) -> Self {
        Self {
            verdicts: spread.verdicts.into_iter().map(|code| code.0).collect(),
            cpu_min: duration(spread.cpu_min_ms),
            cpu_median: duration(spread.cpu_median_ms),
            cpu_max: duration(spread.cpu_max_ms),
        }
    }
}
