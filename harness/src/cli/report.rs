//! `rejudge report`: makes reports of a stored run.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;

use super::exit::CommandExit;
use super::report_args::StoredReportArgs;
use super::report_writers::ReportWriters;
use super::stream;
use crate::bench::baseline::FOLDER;
use crate::bench::history::History;
use crate::notice::Code;
use crate::report::Reporter as _;
use crate::report::html::Earlier;
use crate::report::stored::{ReportKind, ReportReader, Sink, kind};

/// Make reports of a stored run
#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Reports that `rejudge run --json FILE` wrote, read as one run; `-` is standard input
    #[arg(value_name = "RUN.jsonl", required_unless_present = "history")]
    runs: Vec<PathBuf>,
    /// Draw the history of the baselines in PATH, a file or a folder, at each commit that changed them
    /// [default: `benches/baselines`]
    #[arg(long, value_name = "PATH", requires = "html", conflicts_with_all = ["runs", "junit", "markdown", "csv", "against"],
          help_heading = "Reports")]
    #[expect(clippy::option_option, reason = "an option with an optional value")]
    history: Option<Option<PathBuf>>,
    #[command(flatten)]
    reports: StoredReportArgs,
    /// Compare the page with this earlier report
    #[arg(long, value_name = "OLD.jsonl", requires = "html")]
    against: Option<PathBuf>,
}

/// Makes the requested reports. The exit status is 0 even if a stored verdict is unexpected.
pub(crate) fn report(args: &ReportArgs) -> Result<CommandExit> {
    args.reports.prepare();
    let history = args.history.clone().map(|path| path.unwrap_or_else(baselines));
    args.check_files(history.as_deref())?;
    if let Some(path) = &history {
        return args.of_baselines(path);
    }
    match args.kind()? {
        ReportKind::Run => args.of_run(),
        ReportKind::Bench => args.of_bench(),
    }
}

impl ReportArgs {
    /// Rejects reports that would corrupt each other, or a report or baseline that is read.
    fn check_files(&self, history: Option<&Path>) -> Result<()> {
        let runs = self.runs.iter().map(PathBuf::as_path);
        let read: Vec<&Path> = runs.chain(self.against.as_deref()).chain(history).collect();
        Ok(self.writers().check(&read)?)
    }

    fn writers(&self) -> ReportWriters<'_> {
        self.reports.writers(None)
    }

    fn of_run(&self) -> Result<CommandExit> {
        let old = self.against.as_deref().map(earlier).transpose()?;
        let mut reporters = self.reports.reporters(&self.writers(), (&[], &[]), old)?;
        let replayed = self.replay(&mut |event| reporters.tell(event));
        // It has the name of the report, which the error of the reader does not have.
        reporters.result()?;
        replayed?;
        Ok(CommandExit::Expected)
    }

    /// Passes the events of the stored runs on.
    fn replay(&self, sink: Sink<'_>) -> Result<()> {
        let mut reader = ReportReader::default();
        for path in &self.runs {
            read(&mut reader, path, sink)?;
        }
        reader.finish(sink)?;
        Ok(())
    }

    /// Draws the history of benchmarks.
    fn of_bench(&self) -> Result<CommandExit> {
        let Some(path) = self.reports.html() else {
            bail!(
                Code::InvalidOption
                    .says("reports of `rejudge bench` can only be drawn as a page")
                    .help("add `--html FILE`")
            );
        };
        ensure!(
            self.against.is_none() && self.reports.is_only_page(),
            "`--against`, `--junit`, `--markdown` and `--csv` work only with reports of `rejudge run`"
        );
        let mut history = History::default();
        for run in &self.runs {
            let label = run.file_stem().unwrap_or(run.as_os_str()).to_string_lossy();
            history.add(&label, &run.display().to_string(), opened(run)?)?;
        }
        write_history(&history, path)
    }

    /// Draws the history of committed baselines.
    fn of_baselines(&self, path: &Path) -> Result<CommandExit> {
        let page = self.reports.html().expect("clap requires `--html`");
        write_history(&History::of_baselines(path)?, page)
    }

    /// The kind of all reports.
    fn kind(&self) -> Result<ReportKind> {
        let mut kinds =
            self.runs.iter().filter(|path| *path != Path::new("-") && !is_stream(path)).map(
                |path| {
                    let mut line = String::new();
                    let mut file = opened(path)?;
                    // The reader reports invalid text later, with its line.
                    let _ = file.read_line(&mut line);
                    Ok::<_, anyhow::Error>(kind(&path.display().to_string(), &line)?)
                },
            );
        let first = kinds.next().unwrap_or(Ok(ReportKind::Run))?;
        for other in kinds {
            ensure!(
                other? == first,
                "cannot read reports of `rejudge run` and of `rejudge bench` together"
            );
        }
        Ok(first)
    }
}

/// The folder of the baselines of the repository around the current folder.
fn baselines() -> PathBuf {
    let current = std::env::current_dir().unwrap_or_default();
    let mut folders = current.ancestors().map(|folder| folder.join(FOLDER));
    folders.find(|folder| folder.is_dir()).unwrap_or_else(|| FOLDER.into())
}

fn write_history(history: &History, path: &Path) -> Result<CommandExit> {
    history.missing().iter().for_each(stream::warn);
    history
        .write(path)
        .with_context(|| format!("cannot write the page to `{}`", path.display()))?;
    Ok(CommandExit::Expected)
}

fn opened(path: &Path) -> Result<BufReader<File>> {
    let file = File::open(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    Ok(BufReader::new(file))
}

/// The run to compare with.
fn earlier(path: &Path) -> Result<Earlier> {
    let mut old = Earlier::default();
    let mut reader = ReportReader::default();
    read(&mut reader, path, &mut |event| old.event(event))?;
    let sum = reader.finish(&mut |event| old.event(event))?;
    sum.missing.iter().for_each(stream::warn);
    Ok(old)
}

fn read(reader: &mut ReportReader, path: &Path, sink: Sink<'_>) -> Result<()> {
    let name = path.display().to_string();
    if path == Path::new("-") {
        return Ok(reader.read("standard input", io::stdin().lock(), sink)?);
    }
    Ok(reader.read(&name, opened(path)?, sink)?)
}

/// Whether the file can be read only once, for example a pipe.
fn is_stream(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|file| !file.is_file())
}
