//! The commands for workers on a NATS server: `run --nats`, `batch --nats`, `work` and `cluster`.

mod cleaning;
mod connecting;
mod key;
mod listing;
mod opened;
mod opened_batch;
mod submit;
mod submitted_batch;
mod worker;
mod working;

pub(super) use listing::cluster;
pub(super) use submit::{check, judge, unset_limits};
pub(super) use submitted_batch::with_batch;
pub(super) use working::work;
