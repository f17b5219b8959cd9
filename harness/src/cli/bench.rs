//! `rejudge bench`: measures solutions, and reports whether they got slower.
//!
//! This module turns arguments into settings and calls the stages one by one. The results go into a [`BenchReport`], which
//! the writers show.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, bail, ensure};
use clap::{Args, ValueEnum};
use rejudge_quantity::{self as quantity, QuantityError};
use rejudge_statistics::{Gate, Quantity};

use super::build_args::BuildArgs;
use super::exit::CommandExit;
use super::limits::LimitArgs;
use super::on_demand;
use super::opening::Opening;
use super::project::{Project, Selected};
use super::report_args::ColorArgs;
use super::sandbox::SandboxArgs;
use super::select::SelectArgs;
use super::session::Session;
use super::stream;
use crate::bench::report::{BenchReport, CaseId, Conclusion, LeftOut};
use crate::bench::sampling::ProgramCase;
use crate::bench::settings::{BenchSettings, CommandLineSettings};
use crate::bench::{Against, AgainstError, BenchRunner, startup_cost};
use crate::config::Bench;
use crate::notice::Code;
use crate::sandbox::SandboxError;
use crate::sequence::SubmissionEntry;

mod compare;
mod criterion;
mod judged;
mod measure;
mod output;
mod saved;

/// Measure solutions and detect regressions
#[derive(Debug, Args)]
pub(crate) struct BenchArgs {
    #[command(flatten)]
    pub(super) select: SelectArgs,
    /// Base of the comparison: a git revision (`main`, `HEAD~1`, or `main...` for the merge base), a file, or a
    /// folder. Write `git:REV` or `path:PATH` if the name could be either. `baseline:NAME` is a baseline that `--save`
    /// stored
    #[arg(long, value_name = "BASE", help_heading = "Measuring")]
    pub(super) against: Option<String>,
    /// Quantity to measure [default: cpu; with `--gate criterion`, wall time]
    #[arg(long, value_enum, value_name = "COUNTER", help_heading = "Measuring")]
    counter: Option<Counter>,
    /// Measure peak memory
    #[arg(long, conflicts_with = "counter", help_heading = "Measuring")]
    memory: bool,
    /// Number of runs of each case, without `--against` [default: 20]
    #[arg(long, value_name = "N", help_heading = "Measuring", hide_short_help = true, value_parser = quantity::whole(1_u16, 10_000))]
    runs: Option<u16>,
    /// Number of pairs of runs in each pass, with `--against` [default: 60]
    #[arg(long, value_name = "N", help_heading = "Measuring", hide_short_help = true, value_parser = quantity::whole(1_u16, 10_000))]
    pairs: Option<u16>,
    /// Ignore increases below PERCENT [default: 1; for instructions 0.1]
    #[arg(long, value_name = "PERCENT", help_heading = "Measuring", value_parser = amount, allow_negative_numbers = true)]
    threshold: Option<f64>,
    /// Ignore differences of CPU time below MS milliseconds [default: 0.1]
    #[arg(long, value_name = "MS", help_heading = "Measuring", hide_short_help = true, value_parser = amount, allow_negative_numbers = true)]
    floor: Option<f64>,
    /// Confidence level of each of the two passes, over all cases together [default: 0.95]
    #[arg(
        long,
        value_name = "LEVEL",
        help_heading = "Measuring",
        hide_short_help = true,
        allow_negative_numbers = true
    )]
    level: Option<f64>,
    /// Compare the newest results that `cargo bench` stored with the criterion baseline that `--against` names
    /// [default: base]
    #[arg(long, value_enum, value_name = "SOURCE", help_heading = "Measuring", hide_short_help = true, conflicts_with_all = ["save", "memory", "paths"])]
    gate: Option<GateOf>,
    /// Store the figures as baseline NAME, in `benches/baselines/NAME.json`
    #[arg(long, value_name = "NAME", help_heading = "Measuring", conflicts_with_all = ["against", "counter", "memory"])]
    save: Option<String>,
    #[command(flatten)]
    pub(super) limits: LimitArgs,
    #[command(flatten)]
    build: BuildArgs,
    #[command(flatten)]
    sandbox: SandboxArgs,
    #[command(flatten)]
    pub(super) output: output::OutputArgs,
    #[command(flatten)]
    color: ColorArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(super) enum Counter {
    /// CPU time
    Cpu,
    /// Instructions, from the processor's counter or from valgrind
    Instructions,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum GateOf {
    /// The results that criterion stored
    Criterion,
}

fn amount(text: &str) -> Result<f64, QuantityError> {
    quantity::number_from_zero(text, 1e6)
}

impl BenchArgs {
    fn quantity(&self) -> Quantity {
        match self.counter {
            _ if self.memory => Quantity::Memory,
            // Unless a project sets its own measurement, criterion measures wall time.
            None if self.gate.is_some() => Quantity::WallTime,
            None | Some(Counter::Cpu) => Quantity::CpuTime,
            Some(Counter::Instructions) => Quantity::Instructions,
        }
    }

    fn settings(&self, config: &Bench) -> Result<BenchSettings> {
        let from_command_line = CommandLineSettings {
            runs: self.runs.map(usize::from),
            pairs: self.pairs.map(usize::from),
            level: self.level,
            threshold: self.threshold,
            floor_ms: self.floor,
        };
        Ok(BenchSettings::new(self.quantity(), config, &from_command_line)?)
    }
}

/// The data that all stages need.
pub(super) struct BenchStage<'a> {
    pub(super) args: &'a BenchArgs,
    pub(super) session: &'a Session,
    pub(super) project: &'a Project,
    pub(super) settings: &'a BenchSettings,
    pub(super) quantity: Quantity,
}

impl BenchStage<'_> {
    /// A runner for these programs.
    fn runner<'a>(
        &'a self,
        entries: &'a [SubmissionEntry<'a>],
    ) -> Result<BenchRunner<'a>, SandboxError> {
        let limits = (&self.args.limits).into();
        let runners = self.session.runners();
        BenchRunner::new(entries, self.project.tools(), limits, runners)
    }
}

/// Measures. The exit status shows whether anything got worse.
pub(crate) fn bench(args: &BenchArgs) -> Result<CommandExit> {
    args.color.apply();
    let measured_paths: Vec<&Path> = args.select.paths.iter().map(PathBuf::as_path).collect();
    args.output.check(&measured_paths)?;
    let session = Session::start(args.sandbox)?;
    let found = measured(args, &session);
    if let Some(exit) = session.signalled() {
        let report = found.as_ref().ok().and_then(|found| found.as_ref().ok());
        args.output.write_interrupted(report.map(|(report, _)| report))?;
        return Ok(exit);
    }
    match found? {
        Ok((report, faulty)) => {
            args.output.write(&report)?;
            Ok(exit_of(&report).or_fault(faulty))
        }
        Err(exit) => Ok(exit),
    }
}

/// The report, and whether a part of the selection is broken; or the exit if there is no report.
fn measured(
    args: &BenchArgs,
    session: &Session,
) -> Result<Result<(BenchReport, bool), CommandExit>> {
    let mut project = Opening::selected(&args.select, &args.build).open()?;
    session.accept(&project.languages)?;
    let root = project.repository.as_ref().map(|found| found.root.clone());
    let folder = match root {
        Some(root) => root,
        None => std::env::current_dir().context("cannot determine the current folder")?,
    };
    let config = project.repository.as_ref().map(|found| found.config.bench.clone());
    let settings = args.settings(&config.unwrap_or_default())?;
    if let Some(GateOf::Criterion) = args.gate {
        let found = criterion::gate(&settings, args.against.as_deref(), &folder)?;
        return Ok(found.map(|report| (report, false)));
    }
    let against = match &args.against {
        None => None,
        Some(word) => match against(word, &folder)? {
            Ok(against) => Some(against),
            Err(exit) => return Ok(Err(exit)),
        },
    };
    let gate = Gate::new(settings.options)?;
    let Some((selected, unsuitable)) = chosen(args, session, &mut project)? else {
        return Ok(Err(CommandExit::NothingSelected));
    };
    let faulty = selected.faulty;
    let stage = BenchStage {
        args,
        session,
        project: &project,
        settings: &settings,
        quantity: args.quantity(),
    };
    let mut report = match (against, &args.save) {
        (None, None) => measure::measure(&stage, selected)?,
        (None, Some(name)) => saved::save(&stage, selected, name, &folder)?,
        (Some(Against::Baseline(name)), _) => {
            match saved::compare(&stage, selected, &name, &gate, &folder)? {
                Ok(report) => report,
                Err(exit) => return Ok(Err(exit)),
            }
        }
        (Some(against), _) => compare::compare(&stage, selected, &against, &gate, &folder)?,
    };
    report.left_out.splice(0..0, unsuitable);
    Ok(Ok((report, faulty)))
}

/// The solutions to measure, with all cases made, and the unsuitable ones with reasons; `None` if a filter leaves none.
fn chosen(
    args: &BenchArgs,
    session: &Session,
    project: &mut Project,
) -> Result<Option<(Selected, Vec<LeftOut>)>> {
    let Some(mut selected) = project.select(&args.select)? else {
        return Ok(None);
    };
    judged::keep_default_and_named(&mut selected, &args.select.paths);
    ensure!(
        !selected.submissions.is_empty(),
        Code::NoSolutions
            .says("no selected solution is expected to be accepted on all cases")
            .help("name a solution by its path to measure it")
    );
    let unsuitable = judged::remove_unmeasurable(&mut selected);
    if let (true, Some(first)) = (selected.submissions.is_empty(), unsuitable.first()) {
        bail!("no solution can be measured: `{}`: {}", first.submission, first.why);
    }
    on_demand::make(session, project.tools(), &mut selected)?;
    Ok(Some((selected, unsuitable)))
}

/// The base that `--against` names. A missing base has a separate exit status.
fn against(word: &str, root: &std::path::Path) -> Result<Result<Against, CommandExit>> {
    // Paths are relative to the current folder.
    let current = std::env::current_dir().context("cannot determine the current folder")?;
    match Against::parse(word, &current, root) {
        Ok(against) => Ok(Ok(against)),
        Err(error @ AgainstError::Unclear(_)) => Err(error.into()),
        Err(error) => {
            stream::report_error(&error.into());
            Ok(Err(CommandExit::NoBase))
        }
    }
}

fn exit_of(report: &BenchReport) -> CommandExit {
    match report.answer() {
        Conclusion::Pass => CommandExit::Expected,
        Conclusion::Regression => CommandExit::Unexpected,
        Conclusion::Inconclusive => CommandExit::Inconclusive,
        Conclusion::NoBase => CommandExit::NoBase,
    }
}

/// Sets the counter that was asked for.
fn set_meter(runner: &mut BenchRunner<'_>, quantity: Quantity) -> Result<()> {
    if quantity == Quantity::Instructions {
        runner.count_instructions()?;
    }
    Ok(())
}

/// Whether one of these programs starts other processes on the case, which the meter does not count. The case is then left
/// out.
fn leave_out_uncounted(
    runner: &mut BenchRunner<'_>,
    programs: &[ProgramCase],
    case_id: &CaseId,
    left_out: &mut Vec<LeftOut>,
) -> Result<bool, SandboxError> {
    for one in programs {
        if runner.has_uncounted_processes(one.program, one.case)? {
            left_out.push(LeftOut::uncounted(case_id));
            return Ok(true);
        }
    }
    Ok(false)
}

/// The least CPU time that is timed; nothing is too short to be counted.
fn shortest(runner: &mut BenchRunner<'_>, quantity: Quantity) -> Result<Duration, SandboxError> {
    match quantity {
        Quantity::CpuTime | Quantity::WallTime => startup_cost::shortest_cpu_time(runner.sandbox()),
        Quantity::Memory | Quantity::Instructions => Ok(Duration::ZERO),
    }
}

/// The path in a form for comparison with other paths.
fn canonical(path: &std::path::Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
