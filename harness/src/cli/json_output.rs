//! `--json FILE` of the commands that print a result: the same option and the same meaning for each.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::Args;

use super::exit::CommandExit;
use super::stream;

/// Where JSON goes
#[derive(Debug, Clone, Default, Args)]
pub(crate) struct JsonArgs {
    /// Write JSON lines to FILE; `-` is standard output, instead of the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Where JSON goes, after the file was created.
#[derive(Debug)]
pub(crate) enum JsonOutput {
    /// Nowhere.
    None,
    /// Standard output, which has no text then.
    Stdout,
    /// This file, next to the text on standard output.
    File(PathBuf, BufWriter<File>),
}

impl JsonArgs {
    /// The file, if one is named.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.json.as_deref()
    }

    /// Creates the file: better an error now than after minutes of work.
    pub(crate) fn open(&self) -> Result<JsonOutput> {
        Ok(match &self.json {
            None => JsonOutput::None,
            Some(path) if path == Path::new("-") => JsonOutput::Stdout,
            Some(path) => {
                let file = File::create(path).with_context(|| unwritten(path))?;
                JsonOutput::File(path.clone(), BufWriter::new(file))
            }
        })
    }
}

impl JsonOutput {
    /// Writes a part of the result, as JSON, as text, or as both. If the file cannot be written, the text still appears.
    pub(crate) fn write(
        &mut self,
        json: impl FnOnce(&mut dyn Write) -> io::Result<()>,
        text: impl FnOnce(&mut dyn Write) -> io::Result<()>,
    ) -> Result<CommandExit> {
        match self {
            Self::None => stream::print(text),
            Self::Stdout => stream::print_unfitted(json),
            Self::File(path, file) => {
                let written = json(file).and_then(|()| file.flush());
                let printed = stream::print(text);
                written.with_context(|| unwritten(path))?;
                printed
            }
        }
    }
}

fn unwritten(path: &Path) -> String {
    format!("cannot write the JSON to `{}`", path.display())
}
