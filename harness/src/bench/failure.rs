//! Why a program could not be measured.

use crate::verdict::Verdict;

/// Why a program has no figure on a case, as human-readable text. Never a fault of rejudge.
pub type Failure = String;

/// `wrong answer: token 3 …`.
pub(super) fn failure_text(verdict: Verdict, evidence: &str) -> Failure {
    if evidence.is_empty() {
        verdict.words().to_owned()
    } else {
        format!("{}: {evidence}", verdict.words())
    }
}
