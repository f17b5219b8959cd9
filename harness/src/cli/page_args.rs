//! `--html FILE` of the commands that show what they found as a page: the same option and the same meaning for each.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use clap::Args;

use crate::notice::shown;

/// Where the page goes
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct PageArgs {
    /// Write a page in HTML to FILE
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
}

impl PageArgs {
    /// Opens the page with `open`: better an error now than after minutes of work. `others` are the options of the other
    /// files that the command writes.
    pub(crate) fn open<T>(
        &self,
        others: &[(&str, Option<&Path>)],
        open: impl FnOnce(&Path) -> std::io::Result<T>,
    ) -> Result<Option<T>> {
        let Some(path) = self.html.as_deref() else {
            return Ok(None);
        };
        ensure!(
            path != Path::new("-"),
            "`--html -`: only `--json` goes to standard output; name a file"
        );
        for (option, other) in others {
            ensure!(
                *other != Some(path),
                "`{option}` and `--html` name the same file `{}`",
                shown(path, None)
            );
        }
        open(path).map(Some).with_context(|| self.unwritten())
    }

    /// The message for a page that cannot be written.
    pub(crate) fn unwritten(&self) -> String {
        let path = self.html.as_deref().unwrap_or(Path::new("-"));
        format!("cannot write the page to `{}`", shown(path, None))
    }
}
