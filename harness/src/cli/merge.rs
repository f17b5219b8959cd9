//! `rejudge merge`: joins the reports of shards into the report of the whole run.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::Result;
use clap::Args;

use super::exit::CommandExit;
use super::project::Reported;
use super::report_args::StoredReportArgs;
use super::report_writers::ReportWriters;
use super::stream;
use crate::notice::Code;
use crate::report::stored::StoredError;
use crate::shard::ShardReport;
use crate::shard::merge::choose;

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
    #[command(flatten)]
    reports: StoredReportArgs,
}

/// Merges. The exit status is that of the whole run.
pub(crate) fn merge(args: &MergeArgs) -> Result<CommandExit> {
    args.reports.prepare();
    let read: Vec<&Path> = args.shards.iter().map(PathBuf::as_path).collect();
    args.writers().check(&read)?;
    let reports = args.shards.iter().map(|path| shard_report(path));
    let merge = choose(reports.collect::<Result<Vec<_>>>()?);
    if !args.partial && !merge.gaps.is_empty() {
        merge.gaps.iter().for_each(stream::error);
        stream::help("`--partial` merges the shards that there are");
        return Err(Reported.into());
    }
    let (warnings, errors) = merge.notices();
    stream::warn_of_all(&warnings);
    errors.iter().for_each(stream::error);
    let mut reporters = args.reports.reporters(&args.writers(), (&warnings, &errors), None)?;
    let replayed = merge.replay(&open, &mut |event| reporters.tell(event));
    // It has the name of the report, which the error of the replay does not have.
    reporters.result()?;
    Ok(CommandExit::of(&replayed?).or_fault(merge.is_faulty()))
}

/// The report of a shard, which is read twice.
fn shard_report(path: &Path) -> Result<ShardReport> {
    const HELP: &str = "name files that `rejudge run --shard K/N --json FILE` wrote";
    let name = path.display().to_string();
    // Before it is opened: that would wait for the writer of a pipe.
    let metadata = std::fs::metadata(path).map_err(|error| {
        let notice = Code::UnreadableFile.says(format!("cannot read `{name}`: {error}"));
        notice.help(HELP)
    })?;
    if !metadata.is_file() {
        let notice = Code::NotAFile.says(format!("`{name}` is not a file"));
        return Err(notice.help(HELP).into());
    }
    if metadata.len() == 0 {
        let notice =
            Code::InvalidReport.says(format!("`{name}` is not a report: the file is empty"));
        return Err(notice
            .help("its shard was interrupted at once: run it again, or omit the file and add `--partial`")
            .into());
    }
    let file = open(&name)?;
    Ok(ShardReport::read(&name, file)?)
}

fn open(name: &str) -> Result<BufReader<File>, StoredError> {
    let file =
        File::open(name).map_err(|source| StoredError::Io { name: name.to_owned(), source })?;
    Ok(BufReader::new(file))
}

impl MergeArgs {
    fn writers(&self) -> ReportWriters<'_> {
        self.reports.writers(self.json.as_deref())
    }
}
