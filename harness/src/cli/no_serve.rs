//! What `serve` is in a build without the feature `serve`: it says what this build is missing.

use anyhow::Result;

use super::exit::CommandExit;
use super::serve_args::ServeArgs;
use crate::notice::Code;

/// Fails.
pub(super) fn serve(_: &ServeArgs) -> Result<CommandExit> {
    Err(Code::InvalidOption
        .says("`rejudge serve` needs a rejudge with the server, and this one was built without it")
        .help("build rejudge with `cargo build --release --features serve`")
        .into())
}
