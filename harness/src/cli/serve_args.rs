//! The options of `rejudge serve`.

use std::net::SocketAddr;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::Args;

use super::pool_args::PoolArgs;

/// Judge requests of programs over HTTP
///
/// `POST /v1/judge` takes and answers what `rejudge batch` does; `POST /run_code` runs a program once, as `SandboxFusion` has it. Only
/// clients of this machine are answered, unless there is a token.
#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Address and port to listen on; port 0 is any free one
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:8080")]
    pub(super) address: SocketAddr,
    /// Listen on a socket in the file system instead, which only this user can open
    #[arg(long, value_name = "FILE", conflicts_with = "address")]
    pub(super) unix: Option<PathBuf>,
    /// File with the token that clients must send as `Authorization: Bearer TOKEN`; without it, only this machine is answered
    #[arg(long, value_name = "FILE")]
    pub(super) token: Option<PathBuf>,
    /// Number of requests of a connection without an answer that was read [default: eight for each worker]
    #[arg(long, value_name = "N")]
    pub(super) waiting: Option<NonZeroUsize>,
    /// Number of requests of HTTP that are answered at the same time; further ones get the status 503
    #[arg(long, value_name = "N", default_value = "256")]
    pub(super) connections: NonZeroUsize,
    #[command(flatten)]
    pub(super) pool: PoolArgs,
}
