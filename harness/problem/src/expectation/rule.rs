//! A single expectation of a submission, on all of its cases or on some of them.

use super::glob::Glob;
use super::{Meaning, VerdictFolder};
use crate::verdict::Verdict;

/// A rule of a folder or of `submissions.yaml`. What it does not set is not restricted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rule {
    /// The place of the rule, for example `submissions/submissions.yaml:3`; `None`: the folder's
    /// name.
    pub origin: Option<String>,
    /// The cases that the rule concerns; `None`: all.
    pub cases: Option<Glob>,
    /// Every case's verdict must be one of these; `None`: any.
    pub permitted: Option<Vec<Verdict>>,
    /// At least one case's verdict must be one of these; empty: nothing is required.
    pub required: Vec<Verdict>,
    /// Whether nothing is required if no case that the rule concerns was judged.
    pub if_judged: bool,
    /// The lowest and the highest score, of the submission or of the group that `cases` names.
    pub score: Option<(f64, f64)>,
    /// A text that the checker's message must contain for at least one case.
    pub message: Option<String>,
    /// How its running time bounds the time limit; `None`: the verdicts decide.
    pub bound: Option<Bound>,
}

/// How a submission's running time bounds the time limit (`use_for_time_limit`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// It does not bound the time limit.
    Neither,
    /// The time limit must be well above the running time.
    Lower,
    /// The time limit must be well below the running time.
    Upper,
}

impl Rule {
    /// The score of the whole submission.
    #[must_use]
    pub fn of_score(score: (f64, f64)) -> Self {
        Self { score: Some(score), ..Self::default() }
    }

    /// The rule of a package for a group of cases: its worst verdict, and its points. Other cases of the group may get other
    /// verdicts. The cases of a group are skipped if another group failed.
    #[must_use]
    pub fn of_group(cases: Glob, worst: Meaning, score: Option<(f64, f64)>) -> Self {
        let accepted = VerdictFolder::Accepted;
        let required = worst.any_of.iter().flat_map(|folder| folder.required());
        Self {
            cases: Some(cases),
            permitted: (worst.any_of == [accepted]).then(|| accepted.permitted().to_vec()),
            required: required.copied().collect(),
            if_judged: true,
            score,
            ..Self::default()
        }
    }

    /// Whether the rule concerns this case.
    #[must_use]
    pub fn covers(&self, case: &str) -> bool {
        self.cases.as_ref().is_none_or(|glob| glob.covers(case))
    }

    /// Whether a case that the rule concerns may get this verdict.
    #[must_use]
    pub fn permits(&self, verdict: Verdict) -> bool {
        self.permitted.as_ref().is_none_or(|permitted| permitted.contains(&verdict))
    }

    /// How the running time bounds the time limit: as set. Otherwise a submission that may not
    /// exceed the limit is a lower bound, and one that must exceed it is an upper bound.
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

/// A verdict and the others that the package formats do not distinguish from it: they have a single
/// verdict for crashes.
pub fn with_kin(verdict: Verdict) -> impl Iterator<Item = Verdict> {
    let kin: &[Verdict] = match verdict {
        Verdict::RunTimeError => &[Verdict::MemoryLimit, Verdict::OutputLimit],
        _ => &[],
    };
    std::iter::once(verdict).chain(kin.iter().copied())
}
