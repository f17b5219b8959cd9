//! `rejudge merge`: joins the reports of shards into the report of the whole run.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::Args;

use super::exit::CommandExit;
use super::project::Reported;
use super::report_args::{ColorArgs, TableArgs, VerbosityArgs};
use super::report_writers::{NamedReporter, ReportWriters};
use super::stream;
use crate::event::Event;
use crate::notice::Code;
use crate::report::rerun::Rerun;
use crate::report::stored::StoredError;
use crate::report::terminal::Terminal;
use crate::shard::merge::{Merge, ShardReport, choose};

/// Join the reports of shards into the report of the whole run
#[derive(Debug, Args)]
pub(crate) struct MergeArgs {
    /// Reports that `rejudge run --shard K/N --json FILE` wrote, one for each shard
    #[arg(value_name = "SHARD.jsonl", required = true)]
    shards: Vec<PathBuf>,
    /// Merge the shards that there are, although others are missing, interrupted, named twice or of another run; every
    /// report says so
    #[arg(long)]
    partial: bool,
    /// Write the report in JSON lines to FILE; `-` is standard output
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    json: Option<PathBuf>,
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Reports",
        help = "Write a report in JUnit XML to FILE"
    )]
    junit: Option<PathBuf>,
    /// Write a page in HTML to FILE
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    html: Option<PathBuf>,
    /// Append a summary in Markdown to FILE
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    markdown: Option<PathBuf>,
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    color: ColorArgs,
    #[command(flatten)]
    verbosity: VerbosityArgs,
}

/// Merges. The exit status is that of the whole run.
pub(crate) fn merge(args: &MergeArgs) -> Result<CommandExit> {
    args.color.apply();
    let read: Vec<&Path> = args.shards.iter().map(PathBuf::as_path).collect();
    args.writers().check(&read)?;
    let reports = args.shards.iter().map(|path| shard_report(path));
    let merge = choose(reports.collect::<Result<Vec<_>>>()?);
    if !args.partial && !merge.gaps.is_empty() {
        merge.gaps.iter().for_each(stream::error);
        stream::help("`--partial` merges the shards that there are");
        return Err(Reported.into());
    }
    let mut reporters = args.reporters(&merge)?;
    let mut broken = None;
    let replayed = merge.replay(&open, &mut |event: &Event<'_>| {
        for (name, reporter) in &mut reporters {
            reporter
                .event(event)
                .inspect_err(|_| broken = Some(name.clone()))?;
        }
        Ok(())
    });
    let summary = match (replayed, broken) {
        (Err(StoredError::Report(error)), Some(_)) if error.kind() == io::ErrorKind::BrokenPipe => {
            return Err(Reported.into());
        }
        (Err(StoredError::Report(error)), Some(name)) => {
            return Err(error).with_context(|| format!("cannot write the report to {name}"));
        }
        (replayed, _) => replayed?,
    };
    Ok(CommandExit::of(&summary).or_fault(merge.is_faulty()))
}

/// The report of a shard, which is read twice.
fn shard_report(path: &Path) -> Result<ShardReport> {
    let name = path.display().to_string();
    let file = File::open(path).with_context(|| format!("cannot read `{name}`"))?;
    let is_file = file.metadata().is_ok_and(|data| data.is_file());
    if !is_file {
        return Err(Code::NotAFile
            .says(format!("`{name}` is not a file"))
            .help("name files that `rejudge run --shard K/N --json FILE` wrote")
            .into());
    }
    Ok(ShardReport::read(&name, BufReader::new(file))?)
}

fn open(name: &str) -> Result<BufReader<File>, StoredError> {
    let file = File::open(name).map_err(|source| StoredError::Io {
        name: name.to_owned(),
        source,
    })?;
    Ok(BufReader::new(file))
}

impl MergeArgs {
    fn writers(&self) -> ReportWriters<'_> {
        ReportWriters {
            json: self.json.as_deref(),
            junit: self.junit.as_deref(),
            html: self.html.as_deref(),
            markdown: self.markdown.clone(),
        }
    }

    /// One reporter for the terminal and one for each requested file.
    fn reporters(&self, merge: &Merge) -> Result<Vec<NamedReporter>> {
        let to_stderr = self.writers().json_to_stdout();
        let (name, out): (&str, Box<dyn io::Write>) = if to_stderr {
            ("standard error", Box::new(stream::stderr()))
        } else {
            ("standard output", Box::new(stream::stdout()))
        };
        let verbosity = self.verbosity.verbosity();
        let terminal = Terminal::new(out, verbosity, false, Rerun::default())
            .with_table(self.table.table())
            .with_columns(stream::columns(to_stderr));
        let mut reporters: Vec<NamedReporter> = vec![(name.to_owned(), Box::new(terminal))];
        let (warnings, errors) = merge.notices();
        reporters.extend(self.writers().open(warnings, errors)?);
        Ok(reporters)
    }
}
