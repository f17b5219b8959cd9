//! What `farm` is in a build without the feature `nats`: it says what this build is missing.

use anyhow::Result;

use super::exit::CommandExit;
use super::nats_args::{BatchOnWorkersArgs, ClusterArgs, RunOnWorkersArgs, WorkArgs};
use super::project::Selected;
use super::session::Session;
use super::submitted_run::SubmittedRun;
use crate::batch::RequestJudge;
use crate::event::{Event, Summary};
use crate::judge::Options;
use crate::notice::Code;

/// Fails.
pub(super) fn work(_: &WorkArgs) -> Result<CommandExit> {
    Err(missing("rejudge work"))
}

/// Fails.
pub(super) fn cluster(_: &ClusterArgs) -> Result<CommandExit> {
    Err(missing("rejudge cluster"))
}

/// Fails if the run is to be judged elsewhere.
pub(super) fn check(args: &RunOnWorkersArgs) -> Result<()> {
    if args.nats.is_some() { Err(missing("--nats")) } else { Ok(()) }
}

/// Nobody needs them.
pub(super) fn unset_limits(_: &Options, _: &Selected) -> Vec<String> {
    Vec::new()
}

/// `None`: the run is judged here.
pub(super) fn judge(
    _: &SubmittedRun<'_>,
    _: &mut dyn FnMut(&Event<'_>),
) -> Result<Option<Summary>> {
    Ok(None)
}

/// Fails.
pub(super) fn with_batch<R>(
    _: &BatchOnWorkersArgs,
    _: (&str, Option<usize>),
    _: Vec<(String, Option<String>)>,
    _: &Session,
    _: impl FnOnce(&dyn RequestJudge) -> R,
) -> Result<R> {
    Err(missing("--nats"))
}

fn missing(what: &str) -> anyhow::Error {
    Code::InvalidOption
        .says(format!("`{what}` needs a rejudge with NATS, and this one was built without it"))
        .help("build rejudge with `cargo build --release --features nats`")
        .into()
}
