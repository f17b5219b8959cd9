//! The commands for workers on a NATS server: `run --nats`, `work` and `cluster`.

mod cleaning;
mod connecting;
mod key;
mod listing;
mod opened;
mod submit;
mod worker;
mod working;

pub(super) use listing::cluster;
pub(super) use submit::{check, judge, unset_limits};
pub(super) use working::work;
