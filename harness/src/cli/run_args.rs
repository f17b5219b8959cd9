//! The arguments of `rejudge run`, and what follows from them: options, reporters, the command that repeats a case.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, Result};
use clap::Args;
#[cfg(feature = "nats")]
use clap::ValueEnum as _;
use rejudge_quantity as quantity;

use super::build_args::BuildArgs;
use super::limits::LimitArgs;
use super::nats_args::RunOnWorkersArgs;
use super::opening::Opening;
use super::project::Project;
use super::report_args::{ColorArgs, CsvArgs, TableArgs, VerbosityArgs};
use super::report_writers::{NamedReporter, ReportWriters, Reporters};
use super::sandbox::SandboxArgs;
use super::select::SelectArgs;
use super::session::Session;
use super::shard_args::ShardArgs;
use super::stream;
use crate::discover::Found;
use crate::fail_fast::FailFast;
use crate::judge::{Options, OutputFolder, OutputKeeper, Peers};
use crate::notice::Code;
use crate::report::annotations::Annotations;
use crate::report::rerun::Rerun;
use crate::report::terminal::Terminal;
use crate::show::progress::PrintProgress;
use crate::show::{annotation, markdown};

/// Judge solutions on their test cases
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct RunArgs {
    #[command(flatten)]
    select: SelectArgs,
    /// Language of the source from standard input, which the path `-` stands for
    #[arg(long, value_name = "LANGUAGE", help_heading = "Selection", hide_short_help = true)]
    language: Option<String>,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    build: BuildArgs,
    #[command(flatten)]
    sandbox: SandboxArgs,
    #[command(flatten)]
    shard: ShardArgs,
    #[command(flatten)]
    nats: RunOnWorkersArgs,
    /// Number of cases to run in parallel [default: physical cores minus one, at least one]
    #[arg(short, long, value_name = "N", help_heading = "Running", value_parser = quantity::whole(1_u16, 1024))]
    jobs: Option<u16>,
    /// Judge again after each change of a file, until Ctrl-C
    #[arg(short, long, help_heading = "Running",
        conflicts_with_all = ["failed", "keep", "json", "junit", "html", "markdown", "csv"])]
    watch: bool,
    /// Judge only what failed last time
    #[arg(long, help_heading = "Running")]
    failed: bool,
    /// Treat cases without an answer as passed
    #[arg(long, help_heading = "Running", hide_short_help = true)]
    no_check: bool,
    /// Stop a solution at its first case that is not accepted; `run` also stops the run at the first solution with an
    /// unexpected verdict
    #[arg(long, help_heading = "Running", value_name = "WHAT", value_enum, num_args = 0..=1, require_equals = true,
        default_missing_value = "submission")]
    fail_fast: Option<FailFast>,
    /// Number of runs of each case; the worst verdict counts, and the spread is reported
    #[arg(long, value_name = "N", help_heading = "Running", hide_short_help = true, default_value_t = 1,
        value_parser = quantity::whole(1_u16, 10_000))]
    repeat: u16,
    /// Store every output as DIR/SOLUTION/CASE.out, and the end of standard error as CASE.err
    #[arg(long, value_name = "DIR", help_heading = "Running", hide_short_help = true)]
    keep: Option<PathBuf>,
    /// Print the whole input of a solution's first failing case, and not only the first lines of a long one
    #[arg(long, help_heading = "Running", hide_short_help = true)]
    print_input: bool,
    /// Print the dialogue of solution and interactor, with times
    #[arg(long, help_heading = "Running", hide_short_help = true)]
    transcript: bool,
    /// Write a report in JSON lines to FILE; `-` is standard output
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    json: Option<PathBuf>,
    #[arg(
        long,
        value_name = "FILE",
        help_heading = "Reports",
        help = "Write a report in JUnit XML to FILE"
    )]
    junit: Option<PathBuf>,
    /// Write a page in HTML to FILE: the matrix of all cases, failures, margins
    #[arg(long, value_name = "FILE", help_heading = "Reports")]
    html: Option<PathBuf>,
    /// Draw the first wrong answers of each solution in the page, if the problem has an output visualizer
    #[arg(long, requires = "html", help_heading = "Reports", hide_short_help = true)]
    drawings: bool,
    /// Append a summary in Markdown to FILE [default: the file that `GITHUB_STEP_SUMMARY` names, if any]
    #[arg(long, value_name = "FILE", help_heading = "Reports", hide_short_help = true)]
    markdown: Option<PathBuf>,
    #[command(flatten)]
    csv: CsvArgs,
    #[command(flatten)]
    table: TableArgs,
    #[command(flatten)]
    color: ColorArgs,
    #[command(flatten)]
    verbosity: VerbosityArgs,
}

impl RunArgs {
    /// The first path, if there is one.
    pub(crate) fn first_path(&self) -> Option<&Path> {
        self.select.paths.first().map(PathBuf::as_path)
    }

    /// The first path, if it names nothing.
    pub(super) fn unknown_word(&self, found: &Found) -> Option<&str> {
        let word = self.first_path()?;
        let is_unknown = found.errors.iter().any(|error| error.code == Code::UnknownPath);
        let is_problem = |id: &str| Path::new(id).ends_with(word);
        let is_known =
            word.exists() || found.problems.iter().any(|problem| is_problem(&problem.id));
        word.to_str().filter(|_| is_unknown && !is_known)
    }

    /// Discovers what the arguments select.
    pub(super) fn open(&self) -> Result<Project> {
        Opening::selected(&self.select, &self.build).open()
    }

    /// The selection of problems, solutions and cases.
    pub(super) fn selection(&self) -> &SelectArgs {
        &self.select
    }

    /// `--language`.
    pub(super) fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }

    /// How sources are compiled.
    pub(super) fn build(&self) -> &BuildArgs {
        &self.build
    }

    /// Whether the sources must be files that stay.
    pub(super) fn needs_files(&self) -> bool {
        self.watch || self.failed || self.nats.nats.is_some()
    }

    /// How to judge.
    pub(super) fn options(&self, session: &Session, project: &Project) -> Options {
        Options {
            jobs: self.jobs.map_or_else(|| project.jobs(), usize::from),
            limits: (&self.limits).into(),
            fail_fast: self.fail_fast.unwrap_or_else(|| project.fail_fast()),
            allow_unchecked: self.no_check,
            repeat: usize::from(self.repeat),
            look: stream::look(),
            print_input: self.print_input,
            keep: self
                .keep
                .clone()
                .map(|path| Arc::new(OutputFolder { path }) as Arc<dyn OutputKeeper>),
            measures: false,
            transcript: self.transcript,
            root: project.root().map(Path::to_owned),
            arguments: self.arguments_of_rerun(project),
            shard: None,
            peers: Peers::default(),
            runners: session.runners().clone(),
        }
    }

    /// Applies the colours, and rejects arguments that contradict each other.
    pub(super) fn prepare(&self) -> Result<()> {
        self.color.apply();
        self.check_reports()
    }

    /// How programs are isolated.
    pub(super) fn sandbox(&self) -> SandboxArgs {
        self.sandbox
    }

    /// `--drawings`.
    pub(super) fn has_drawings(&self) -> bool {
        self.drawings
    }

    /// The part of the run, and the limits that were measured before.
    pub(super) fn shard(&self) -> &ShardArgs {
        &self.shard
    }

    /// Where the run is judged, if it is judged elsewhere.
    pub(super) fn nats(&self) -> &RunOnWorkersArgs {
        &self.nats
    }

    /// The options that decide how workers judge, each with its value.
    #[cfg(feature = "nats")]
    pub(super) fn decisive_options(&self, project: &Project) -> Vec<(String, Option<String>)> {
        let mut words = self.limits.words();
        words.extend(self.select.words(project.cases.as_deref()));
        words.extend(self.build.words());
        let pairs = words.chunks_exact(2);
        let mut options: Vec<_> =
            pairs.map(|pair| (pair[0].clone(), Some(pair[1].clone()))).collect();
        let mut add = |name: &str, value: Option<String>| options.push((name.to_owned(), value));
        for glob in &self.select.case {
            add("--case", Some(glob.clone()));
        }
        if let Some(word) = self.fail_fast.and_then(|one| one.to_possible_value()) {
            add("--fail-fast", Some(word.get_name().to_owned()));
        }
        if self.repeat > 1 {
            add("--repeat", Some(self.repeat.to_string()));
        }
        let flags = [
            ("--no-check", self.no_check),
            ("--print-input", self.print_input),
            ("--transcript", self.transcript),
        ];
        for (name, _) in flags.into_iter().filter(|(_, is_set)| *is_set) {
            add(name, None);
        }
        options
    }

    /// `--watch`.
    pub(super) fn is_watching(&self) -> bool {
        self.watch
    }

    /// `--failed`.
    pub(super) fn is_of_failed(&self) -> bool {
        self.failed
    }

    /// Rejects reports that would corrupt each other, or a file that is judged.
    fn check_reports(&self) -> Result<()> {
        let judged: Vec<&Path> =
            self.select.paths.iter().map(PathBuf::as_path).chain(self.shard.files()).collect();
        let written = ReportWriters { markdown: self.markdown.clone(), ..self.writers() };
        Ok(written.check(&judged)?)
    }

    /// The command that repeats a case with the options of this run.
    fn rerun(&self, project: &Project) -> Result<Rerun> {
        let current = std::env::current_dir().context("cannot determine the current folder")?;
        Ok(Rerun::new(
            self.arguments_of_rerun(project),
            project.root().unwrap_or(&current),
            &current,
        ))
    }

    /// The arguments with which a command judges one case again in the same way.
    fn arguments_of_rerun(&self, project: &Project) -> Vec<String> {
        let mut words = self.limits.words();
        words.extend(self.select.words(project.cases.as_deref()));
        words.extend(self.build.words());
        words.extend(self.sandbox.words());
        if let Some(language) = &self.language {
            words.extend(["--language".to_owned(), language.clone()]);
        }
        words
    }

    /// The annotations, if a CI asks for them; on standard error if standard output is the JSON report.
    fn annotations(&self, project: &Project) -> Result<Option<NamedReporter>> {
        if !annotation::wanted() {
            return Ok(None);
        }
        let current = std::env::current_dir().context("cannot determine the current folder")?;
        let base = project.root().unwrap_or(&current);
        let base = base.canonicalize().unwrap_or_else(|_| base.to_owned());
        let out: Box<dyn Write> = if self.writers().json_to_stdout() {
            Box::new(io::stderr())
        } else {
            Box::new(io::stdout())
        };
        let reporter = Annotations::new(out, base, annotation::workspace());
        Ok(Some(("the log".to_owned(), Box::new(reporter))))
    }

    /// A report on the terminal, one in each requested file, and the annotations of a CI. If JSON goes to standard output,
    /// the terminal report goes to standard error.
    pub(super) fn reporters(&self, project: &Project) -> Result<Reporters> {
        let stream = self.writers().stream();
        let terminal = Terminal::new(
            stream.out,
            self.verbosity.verbosity(),
            (!self.verbosity.is_quiet()).then_some(super::stream::note_of_work as PrintProgress),
            self.rerun(project)?,
        )
        .with_transcripts(self.transcript)
        .with_table(self.table.table())
        .with_warnings(self.build.is_debug())
        .with_columns(stream.columns);
        let mut reporters: Vec<NamedReporter> = vec![(stream.name.to_owned(), Box::new(terminal))];
        let Found { warnings, errors, .. } = &project.found;
        reporters.extend(self.writers().open(warnings, errors, None)?);
        reporters.extend(self.annotations(project)?);
        Ok(Reporters::new(reporters))
    }

    /// Writes the JSON report of a run that judges nothing: the warnings and errors.
    pub(super) fn report_notices(&self, found: &Found) -> Result<()> {
        let json = self.writers().json_report(&found.warnings, &found.errors)?;
        match json {
            Some((_, mut json)) => Ok(json.write_notices()?),
            None => Ok(()),
        }
    }

    /// The files of the reports.
    fn writers(&self) -> ReportWriters<'_> {
        ReportWriters {
            json: self.json.as_deref(),
            junit: self.junit.as_deref(),
            html: self.html.as_deref(),
            markdown: markdown::file(self.markdown.as_deref()).filter(|_| !self.watch),
            csv: self.csv.file(),
        }
    }
}
