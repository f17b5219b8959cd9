//! The commands for workers on a NATS server: `run --nats`, `work` and `cluster`.

mod cleaning;
mod cluster_lines;
mod cluster_state;
mod key;
mod listing;
mod opened;
mod submit;
mod worker;
mod working;

pub(super) use cleaning::clean;
pub(super) use key::make_key;
pub(super) use listing::list;
pub(super) use submit::{SubmittedRun, judge, unset_limits};
pub(super) use working::work;
