//! The error for a machine without a writable folder for temporary files.

use std::env;
use std::io;

use anyhow::Error;

use crate::notice::Code;

/// Says what works all the same, because this is often the first command on a new machine.
const HELP: &str = "set `TMPDIR` to a writable folder, or mount one: `mount -t tmpfs none /tmp`, or `--tmpfs /tmp:exec` for \
     a container; `rejudge report` and `merge` need none";

/// The error for a temporary folder that cannot be created.
pub(super) fn no_temporary_folder(error: &io::Error) -> Error {
    let folder = env::temp_dir();
    let what = format!("cannot create a folder in `{}`: {error}", folder.display());
    Code::UnusableFolder.says(what).help(HELP).into()
}
