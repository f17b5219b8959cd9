//! A result of a case on which nothing was run.

use super::CaseResult;
use crate::sandbox::Usage;
use crate::submission::Submission;
use crate::verdict::Verdict;

impl CaseResult {
    /// The result on a case on which nothing was run, for this reason. The verdict is not permitted.
    pub(crate) fn without_run(
        submission: &Submission,
        case: &str,
        verdict: Verdict,
        reason: String,
    ) -> Self {
        Self {
            submission: submission.name.clone(),
            problem: submission.problem.clone(),
            case: case.to_owned(),
            verdict,
            permitted: false,
            exit: None,
            usage: Usage::default(),
            score: None,
            messages: Vec::new(),
            reason: Some(reason),
            input_path: None,
            answer_path: None,
            input: None,
            output: None,
            answer: None,
            diff: None,
            difference: None,
            stderr: None,
            transcript: None,
            nearness: None,
            disturbance: None,
            repeats: None,
            near_limit: false,
            is_of_machine: false,
        }
    }
}
