//! The commands for workers on a NATS server: `work` and `cluster`. A build without the feature `nats` says what it is
//! missing.

use anyhow::Result;

use super::exit::CommandExit;
#[cfg(feature = "nats")]
use super::farm;
#[cfg(feature = "nats")]
use super::nats_args::ClusterCommand;
use super::nats_args::{ClusterArgs, WorkArgs};

/// Judges what others submit until a signal ends it.
#[cfg(feature = "nats")]
pub(super) fn work(args: &WorkArgs) -> Result<CommandExit> {
    farm::work(args)
}

/// Lists the workers, the queue and the runs of a server, makes a key, or removes files.
#[cfg(feature = "nats")]
pub(super) fn cluster(args: &ClusterArgs) -> Result<CommandExit> {
    match &args.command {
        Some(ClusterCommand::Key(args)) => farm::make_key(args),
        Some(ClusterCommand::Clean(args)) => farm::clean(args),
        None => farm::list(args),
    }
}

/// Fails.
#[cfg(not(feature = "nats"))]
pub(super) fn work(_: &WorkArgs) -> Result<CommandExit> {
    Err(super::nats_args::missing("rejudge work"))
}

/// Fails.
#[cfg(not(feature = "nats"))]
pub(super) fn cluster(_: &ClusterArgs) -> Result<CommandExit> {
    Err(super::nats_args::missing("rejudge cluster"))
}
