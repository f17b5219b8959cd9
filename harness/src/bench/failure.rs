//! Why a program could not be measured.

use std::fmt;

use rejudge_statistics::Version;

use crate::verdict::Verdict;

/// Why a program has no figure on a case, as human-readable text. Never a fault of rejudge.
pub type FailureText = String;

/// `wrong answer: token 3 …`.
pub(super) fn failure_text(verdict: Verdict, evidence: &str) -> FailureText {
    if evidence.is_empty() {
        verdict.words().to_owned()
    } else {
        format!("{}: {evidence}", verdict.words())
    }
}

/// Why a pair of programs has no figures on a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PairFailure {
    /// The program that failed.
    pub version: Version,
    /// Its failure.
    pub why: FailureText,
}

impl fmt::Display for PairFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the {}: {}", self.version, self.why)
    }
}
