//! `rejudge cluster`: the workers, the queue, the files and the runs of a server.

use std::time::Duration;

use anyhow::Result;

use super::super::exit::CommandExit;
use super::super::nats_args::{ClusterArgs, ClusterCommand};
use super::super::signals::SignalWatch;
use super::cleaning::clean;
use super::connecting::{SUBMITTER, of_cluster};
use super::key::make_key;
use crate::farm::{cluster_state, write_cluster, write_cluster_json};

/// Lists the workers, the queue and the runs of a server, makes a key, or removes files.
pub(in crate::cli) fn cluster(args: &ClusterArgs) -> Result<CommandExit> {
    match &args.command {
        Some(ClusterCommand::Key(args)) => make_key(args),
        Some(ClusterCommand::Clean(args)) => clean(args),
        None => list(args),
    }
}

fn list(args: &ClusterArgs) -> Result<CommandExit> {
    let mut json = args.json.open()?;
    let signals = SignalWatch::start()?;
    let who = ("rejudge cluster", SUBMITTER);
    let cluster = args.server.connect(who, &signals.interrupt)?;
    let state = if args.prepare { cluster.prepare() } else { cluster.check() };
    let state = state.and_then(|()| match args.keep_files {
        Some(days) => cluster.set_blob_lifetime(Duration::from_secs(u64::from(days) * 86_400)),
        None => Ok(()),
    });
    let state = state.and_then(|()| cluster_state(&cluster));
    if let Some(exit) = signals.exit() {
        return Ok(exit);
    }
    let state = state.map_err(|error| of_cluster(&error))?;
    json.write(|out| write_cluster_json(out, &state), |out| write_cluster(out, &state))
}
