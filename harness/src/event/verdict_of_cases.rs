//! The verdict of several cases.

use crate::verdict::Verdict;

/// The verdict of a submission after its next case: that of its first case that is not accepted, but a fault of ours
/// outweighs all others.
pub(crate) fn with_case(so_far: Verdict, next: Verdict) -> Verdict {
    if so_far == Verdict::Accepted || next == Verdict::JudgeError { next } else { so_far }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_failure_decides_a_submission_unless_the_judge_fails() {
        use Verdict::{Accepted, JudgeError, TimeLimit, WrongAnswer};
        let table: [(&[Verdict], Verdict); 5] = [
            (&[], Accepted),
            (&[Accepted, Accepted], Accepted),
            (&[Accepted, WrongAnswer, TimeLimit], WrongAnswer),
            (&[WrongAnswer, JudgeError, TimeLimit], JudgeError),
            (&[JudgeError, WrongAnswer], JudgeError),
        ];
        for (cases, expected) in table {
            let found = cases.iter().copied().fold(Accepted, with_case);
            assert_eq!(found, expected, "{cases:?}");
        }
    }
}
