//! `rejudge cluster key`: a key for those who submit.

use anyhow::Result;
use rejudge_cluster::SigningKey;

use super::super::exit::CommandExit;
use super::super::nats_args::ClusterKeyArgs;
use super::super::stream;
use super::connecting::of_cluster;

/// Makes a key, and prints its public part.
pub(super) fn make_key(args: &ClusterKeyArgs) -> Result<CommandExit> {
    let key = SigningKey::create(&args.file).map_err(|error| of_cluster(&error))?;
    stream::note(format_args!(
        "`{}` signs runs: `rejudge run --nats URL --sign-key {0}`. Workers judge them with `--trust` and this public part:",
        args.file.display()
    ));
    stream::print(|out| writeln!(out, "{}", key.public()))
}
