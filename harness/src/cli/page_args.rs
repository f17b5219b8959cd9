//! `--html FILE` of the commands that show what they found as a page: the same option and the same meaning for each.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
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
    /// The file, if one is named.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.html.as_deref()
    }

    /// Opens the page with `open`: better an error now than after minutes of work.
    pub(crate) fn open<T>(
        &self,
        open: impl FnOnce(&Path) -> std::io::Result<T>,
    ) -> Result<Option<T>> {
        let opened = self.path().map(open).transpose();
        opened.with_context(|| self.unwritten())
    }

    /// The message for a page that cannot be written.
    pub(crate) fn unwritten(&self) -> String {
        let path = self.html.as_deref().unwrap_or(Path::new("-"));
        format!("cannot write the page to `{}`", shown(path, None))
    }
}
