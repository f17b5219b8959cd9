//! The next case's run, which may begin while the last one's output is compared.
//!
//! Only where that can be seen by nobody: one worker, plain cases of one submission, a comparison of our own that is
//! over long before a program could feel that nobody reads what it writes, and an input that is copied in no time, for
//! that is done while another program runs.

use std::fs;
use std::path::{Path, PathBuf};

use super::Bench;
use super::case::Subject;
use super::launch::launch;
use crate::checker::Checker;
use crate::problem::TestCase;
use crate::sandbox::{Job, Limits, WorkDir};

/// No answer that is compared meanwhile is larger, in bytes.
const SMALL: u64 = 64 << 10;
/// No input that is copied meanwhile is larger.
const SMALL_INPUT: u64 = 1 << 20;

/// A run that may begin before its turn.
pub(super) struct Ahead {
    /// The case's index.
    pub(super) case: usize,
    pub(super) job: Job,
    pub(super) input: PathBuf,
}

impl Bench<'_> {
    /// The run after that of `subject`, if it may begin at once when that ends.
    pub(super) fn ahead(&self, subject: &Subject<'_>, limits: &Limits) -> Option<Ahead> {
        let (options, ready) = (self.options, subject.ready);
        // With more workers some runs must be alone, and with fail-fast the next one may be the last for nothing.
        let in_a_row = options.jobs <= 1 && options.repeat <= 1 && !options.fail_fast;
        let plain = !ready.interactive && !ready.multi_pass && options.keep.is_none();
        if !in_a_row || !plain || !is_quick(&ready.checker_of(subject.case), subject.case) {
            return None;
        }
        let case = subject.index + 1;
        let next = subject.problem.cases.get(case)?;
        if next.is_static() || next.beside().is_some() || !is_at_most(&next.input(), SMALL_INPUT) {
            return None;
        }
        let launch = launch(&ready.artifact, next, limits).ok()?;
        debug_assert_eq!(launch.job.work_dir, WorkDir::Fresh, "nothing to keep");
        Some(Ahead {
            case,
            job: launch.job,
            input: next.input(),
        })
    }
}

fn is_at_most(file: &Path, bytes: u64) -> bool {
    fs::metadata(file).is_ok_and(|file| file.len() <= bytes)
}

/// Whether its output is compared in no time.
fn is_quick(checker: &Checker, case: &TestCase) -> bool {
    match checker {
        Checker::Exact | Checker::Tokens(_) | Checker::Lines(_) => case
            .answer()
            .is_some_and(|answer| is_at_most(&answer, SMALL)),
        // What another program has to say takes as long as it likes.
        Checker::Program(_) | Checker::Programs(_) => false,
    }
}
