//! The commands for workers on a NATS server: `run --nats`, `work` and `cluster`.

mod listing;
mod opened;
mod submit;
mod worker;
mod working;

pub(super) use listing::list;
pub(super) use submit::{SubmittedRun, judge, unset_limits};
pub(super) use working::work;
