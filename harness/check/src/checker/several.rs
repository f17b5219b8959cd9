//! Several output validators of one problem, as in the legacy format: each must accept.

use std::path::Path;

use super::external::CheckerProgram;
use super::{CheckOutcome, Checked, CheckerFiles, Feedback, ScoreFiles};
use rejudge_sandbox::{Captured, RunJob, SandboxError};

/// Runs `programs`, each with its name, on the output in order, until one does not accept it. Each
/// has its own feedback folder in `place`. The scores are those of the last program that wrote any.
pub(super) fn check(
    programs: &[(String, CheckerProgram)],
    case: CheckerFiles<'_>,
    output: &Captured,
    place: &Path,
    run: &mut RunJob<'_>,
) -> Result<Checked, SandboxError> {
    let mut joined_outcome = Checked::from(CheckOutcome::Accepted);
    for (name, program) in programs {
        let mut next = program.check(case, output, &Feedback::new_in(place)?, run)?;
        if let CheckOutcome::Fault(words) = &mut next.outcome {
            words.insert_str(0, &format!("`{name}`: "));
        }
        joined_outcome = next.after(joined_outcome);
        if joined_outcome.outcome != CheckOutcome::Accepted {
            break;
        }
    }
    Ok(joined_outcome)
}

impl Checked {
    /// Joins the messages of the validators so far with those of this one, whose outcome counts.
    fn after(self, before: Self) -> Self {
        let mut judge_bytes = before.judge_bytes;
        judge_bytes.extend(self.judge_bytes);
        Self {
            outcome: self.outcome,
            judge_message: joined(before.judge_message, self.judge_message),
            team_message: joined(before.team_message, self.team_message),
            judge_bytes,
            timed_out: self.timed_out || before.timed_out,
            score_files: if self.score_files == ScoreFiles::default() {
                before.score_files
            } else {
                self.score_files
            },
        }
    }
}

fn joined(first: Option<String>, second: Option<String>) -> Option<String> {
    match (first, second) {
        (Some(first), Some(second)) => Some(format!("{first}\n{second}")),
        (first, second) => first.or(second),
    }
}
