//! One thing that is expected of a submission, on all of its cases or on some of them.

use super::glob::Glob;
use crate::verdict::Verdict;

/// A rule of a folder or of `submissions.yaml`; what it leaves open is left open.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rule {
    /// Where it stands, as `submissions/submissions.yaml:3`; `None`: the folder's name says it.
    pub origin: Option<String>,
    /// The cases that it is about; `None`: all.
    pub cases: Option<Glob>,
    /// Every case's verdict must be one of these; `None`: any.
    pub permitted: Option<Vec<Verdict>>,
    /// At least one case's verdict must be one of these; empty: nothing is required.
    pub required: Vec<Verdict>,
    /// The least and the greatest score; of the submission, or of the group that `cases` names.
    pub score: Option<(f64, f64)>,
    /// A text that the checker must say of at least one case.
    pub message: Option<String>,
    /// What its running time says of the time limit, where that is not left to the verdicts.
    pub bound: Option<Bound>,
}

/// What a submission's running time says of the time limit (`use_for_time_limit`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// Nothing.
    Neither,
    /// The limit must be well above it.
    Lower,
    /// The limit must be well below it.
    Upper,
}

impl Rule {
    /// Whether it is about this case.
    #[must_use]
    pub fn covers(&self, case: &str) -> bool {
        self.cases.as_ref().is_none_or(|glob| glob.covers(case))
    }

    /// Whether a case that it is about may have this verdict.
    #[must_use]
    pub fn permits(&self, verdict: Verdict) -> bool {
        self.permitted
            .as_ref()
            .is_none_or(|permitted| permitted.contains(&verdict))
    }

    /// What the running time says of the time limit: as it is told, else a submission that may not
    /// be too slow bounds it from below, and one that must be from above.
    #[must_use]
    pub fn time_bound(&self) -> Bound {
        match (self.bound, &self.permitted) {
            (Some(bound), _) => bound,
            (None, _) if self.required == [Verdict::TimeLimit] => Bound::Upper,
            (None, Some(permitted)) if !permitted.contains(&Verdict::TimeLimit) => Bound::Lower,
            (None, _) => Bound::Neither,
        }
    }
}

/// A verdict with those that the formats do not tell from it: of a crash they know no more than
/// that it is one.
pub(crate) fn with_kin(verdict: Verdict) -> impl Iterator<Item = Verdict> {
    let kin: &[Verdict] = match verdict {
        Verdict::RunTimeError => &[Verdict::MemoryLimit, Verdict::OutputLimit],
        _ => &[],
    };
    std::iter::once(verdict).chain(kin.iter().copied())
}
