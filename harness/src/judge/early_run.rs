//! Starts the run of the next case while the output of the current one is compared.
//!
//! This happens only if it cannot influence any figure: no other thread at work, plain cases of one submission, a built-in
//! comparison that ends long before the next program could block because its output is not read, and an input that is
//! copied quickly (which the runner sees to).

use std::fs;
use std::path::PathBuf;

use super::WorkerPool;
use super::launch::Launch;
use super::run::Subject;
use crate::checker::Checker;
use crate::fail_fast::FailFast;
use crate::problem::TestCase;
use crate::sandbox::{Job, Runner, WorkDir};

/// Maximum size of an answer that is compared meanwhile, in bytes.
const SMALL: u64 = 64 << 10;

/// A run that may start early, before its turn.
pub(super) struct EarlyRun {
    /// The case's index.
    pub(super) case: usize,
    pub(super) job: Job,
    pub(super) input: PathBuf,
}

impl WorkerPool<'_> {
    /// The run that follows that of `subject`, if it may start as soon as that one ends.
    pub(super) fn early_run(&self, subject: &Subject<'_>) -> Option<EarlyRun> {
        let (options, ready) = (self.options, subject.ready);
        // In parallel with other threads some runs must be alone. With fail-fast the next run may not be needed.
        let one_at_a_time =
            self.others() == 0 && options.repeat <= 1 && options.fail_fast == FailFast::Never;
        let keeps_quickly = options.keep.as_ref().is_none_or(|keeper| keeper.is_quick());
        let plain = !ready.interactive && !ready.multi_pass && keeps_quickly;
        let may_start = one_at_a_time && plain && Runner::runs_ahead();
        if !may_start || !is_quick(&ready.checker_of(subject.case), subject.case) {
            return None;
        }
        let case = subject.index + 1;
        let next = subject.problem.cases.get(case)?;
        let has_folder = next.beside().is_some()
            || !subject.submission.files.is_empty()
            || !ready.artifact.opened.is_empty();
        if next.is_static() || has_folder {
            return None;
        }
        let launch =
            Launch::with_args(&ready.artifact, next.args(), None, ready.limits.on(next)).ok()?;
        debug_assert_eq!(launch.job.work_dir, WorkDir::Fresh, "no folder to keep alive");
        Some(EarlyRun { case, job: launch.job, input: next.input() })
    }
}

/// Whether the output for `case` is compared quickly.
fn is_quick(checker: &Checker, case: &TestCase) -> bool {
    match checker {
        Checker::Exact
        | Checker::Tokens(_)
        | Checker::Lines(_)
        | Checker::FloatLines(_)
        | Checker::Json(_) => case
            .answer()
            .and_then(|answer| fs::metadata(answer).ok())
            .is_some_and(|answer| answer.len() <= SMALL),
        // A checker program may take any time.
        Checker::Program(_) | Checker::Programs(_) | Checker::Grammar(_) => false,
    }
}
