//! What workers need to know of a run.

use super::project::Project;
use super::run_args::RunArgs;
use super::session::Session;
use crate::sequence::SubmissionEntry;
use crate::shard::PlanContext;

/// A run that may be judged elsewhere.
#[cfg_attr(not(feature = "nats"), expect(dead_code, reason = "only workers read it"))]
pub(super) struct SubmittedRun<'a> {
    pub(super) args: &'a RunArgs,
    pub(super) session: &'a Session,
    pub(super) project: &'a Project,
    pub(super) entries: &'a [SubmissionEntry<'a>],
    /// The problems whose limits were inferred.
    pub(super) unset: &'a [String],
    pub(super) plan: PlanContext<'a>,
}
