//! `rejudge scale`: measures how a solution's CPU time and memory grow with the size of its input.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail, ensure};
use clap::Args;
use rejudge_quantity as quantity;

use super::build_args::BuildArgs;
use super::exit::CommandExit;
use super::interpreter::without_interpreter;
use super::json_output::JsonArgs;
use super::limits::LimitArgs;
use super::missing_path::unreadable_solution;
use super::named_solution::NamedSolution;
use super::on_demand;
use super::opening::Opening;
use super::page_args::PageArgs;
use super::project::{Project, Reported, Selected};
use super::report_args::ColorArgs;
use super::report_files;
use super::sandbox::SandboxArgs;
use super::session::Session;
use super::stream;
use crate::attempts::run_fairly;
use crate::limits::LimitOverrides;
use crate::notice::{Code, shown};
use crate::problem::Problem;
use crate::report::html::PlainPage;
use crate::sandbox::RunJob;
use crate::scale::{
    self, Asserted, Family, Generator, Held, MeasurementPlan, ScaleReport, SizeMeasurement, SizeOf,
    SizedInput, Sizes, json, measure, svg, text,
};
use crate::shell::shell_word;
use crate::show::json_line;
use crate::show::progress::Spinner;

// clap replaces `{n}` with a line break. An empty style inside the braces prevents that.
const GENERATOR: &str = "Generator of the inputs: a source or a program, with arguments. `{\u{1b}[0mn}` stands for the \
     size and `{seed}` for the seed; without `{\u{1b}[0mn}`, both are added at the end [default: the cases of the problem]";

/// Show how the CPU time and memory of a solution grow with the input
#[derive(Debug, Args)]
pub(crate) struct ScaleArgs {
    /// Source file of the solution
    #[arg(value_name = "SOLUTION")]
    solution: PathBuf,
    #[arg(long, value_name = "COMMAND", requires = "sizes", help = GENERATOR)]
    generator: Option<String>,
    /// Range of sizes, for example `1e3..1e6`
    #[arg(long, value_name = "FROM..TO")]
    sizes: Option<Sizes>,
    /// Number of sizes in the range
    #[arg(long, value_name = "N", default_value_t = 16, requires = "generator",
          value_parser = quantity::whole(6_u16, 200))]
    points: u16,
    /// Number of runs of each size
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = quantity::whole(1_u16, 1000))]
    runs: u16,
    /// Seed for the generator
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = quantity::whole(0, u64::MAX))]
    seed: u64,
    /// Size of a case
    #[arg(long, value_enum, default_value_t, value_name = "WHAT", conflicts_with = "generator")]
    size_of: SizeOf,
    /// Fail if CPU time grows faster than FAMILY, for example `n log n`
    #[arg(long, value_name = "FAMILY")]
    at_most: Option<Family>,
    /// Fail if peak memory grows faster than FAMILY, for example `n`
    #[arg(long, value_name = "FAMILY")]
    memory_at_most: Option<Family>,
    /// Write the curves to FILE in SVG
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    page: PageArgs,
    #[command(flatten)]
    json: JsonArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    build: BuildArgs,
    #[command(flatten)]
    sandbox: SandboxArgs,
    #[command(flatten)]
    color: ColorArgs,
}

/// Measures. The exit status shows whether the assertions hold.
pub(crate) fn scale(args: &ScaleArgs) -> Result<CommandExit> {
    args.color.apply();
    let written = [
        (report_files::JSON, args.json.path()),
        ("--svg", args.svg.as_deref()),
        ("--html", args.page.path()),
    ];
    report_files::check(&written, &[&args.solution])?;
    report_files::check_folders(&written)?;
    let page = args.page.open(PlainPage::open)?;
    let mut output = args.json.open()?;
    let session = Session::start(args.sandbox)?;
    let measured = args.measured(&session);
    if let Some(exit) = session.signalled() {
        if let Some(page) = page {
            let report = measured.as_ref().ok().map(|(report, _)| report);
            let name = args.solution.display().to_string();
            let headline = report.map_or(name, scale::headline);
            page.write(&headline, false, &scale::interrupted_page(report))
                .with_context(|| args.page.unwritten())?;
        }
        return Ok(exit);
    }
    let (report, ended) = measured?;
    ended?;
    output.write(
        |out| json_line::write(out, &json(&report, session.facts())),
        |out| out.write_all(text(&report).as_bytes()),
    )?;
    if report.too_few().is_some() && args.generator.is_none() {
        let solution = shell_word(&shown(&args.solution, None));
        stream::help(format_args!(
            "generate more sizes: `rejudge scale {solution} --sizes 1e2..1e5 --generator 'python3 gen.py {{n}}'`"
        ));
    }
    if let Some(page) = page {
        let is_good = report.held() != Held::No;
        page.write(&scale::headline(&report), is_good, &scale::page(&report))
            .with_context(|| args.page.unwritten())?;
    }
    if let Some(path) = &args.svg {
        match svg(&report) {
            Some(picture) => fs::write(path, picture)
                .with_context(|| format!("cannot write `{}`", path.display()))?,
            None => stream::warn(format_args!(
                "no curve was fitted, so `{}` is not written",
                path.display()
            )),
        }
    }
    Ok(exit_of(&report))
}

fn exit_of(report: &ScaleReport) -> CommandExit {
    match report.held() {
        Held::Yes => CommandExit::Expected,
        Held::No => CommandExit::Unexpected,
        Held::Unknown => CommandExit::Inconclusive,
    }
}

impl ScaleArgs {
    /// The report, and the error that ended the measurement, if there was one.
    fn measured(&self, session: &Session) -> Result<(ScaleReport, Result<()>)> {
        let solution = &self.solution;
        fs::File::open(solution).map_err(|error| unreadable_solution(solution, error))?;
        let project = Opening::of(std::slice::from_ref(solution)).to_run(&self.build).open()?;
        session.accept(&project.languages)?;
        let problem = project.problem_of_solution().cloned();
        if let Some(problem) = &problem {
            ensure!(
                !problem.is_interactive() && !problem.kind.multi_pass,
                "cannot measure solutions of `{}`: the problem is interactive or multi-pass, so the running time depends on the validator too",
                problem.id
            );
        }
        let mut runner = session.runner()?;
        let mut run = |job: &_, input| run_fairly(&mut runner, job, input);
        let over = LimitOverrides::from(&self.limits);
        let tools = project.tools();
        let compiled = NamedSolution::compile(tools, solution, problem.as_ref(), &over, &mut run)??;
        let limits = compiled.limits;
        let plan = MeasurementPlan {
            artifact: &compiled.artifact,
            files: &compiled.files,
            limits,
            runs: usize::from(self.runs),
            seed: self.seed,
        };
        let (series, ended) = if let (Some(command), Some(sizes)) = (&self.generator, self.sizes) {
            let tools = (&project.languages, &project.compiler);
            let command = without_interpreter(command, &[Path::new(".")]);
            let generator = Generator::new(command, self.seed, tools, &mut run)?;
            let sizes = sizes.spread(usize::from(self.points));
            let next = |index: usize, run: &mut RunJob<'_>| -> Result<SizedInput> {
                Ok(SizedInput::Made(generator.make(sizes[index], run)?))
            };
            measure(&plan, &sizes, next, &mut run, &mut shown_progress())
        } else {
            let (sizes, mut sources) = self.cases(session, &project, problem)?;
            // The sources are used in order, so the next one is always the first that remains.
            let next =
                |_: usize, _: &mut RunJob<'_>| -> Result<SizedInput> { Ok(sources.remove(0)) };
            measure(&plan, &sizes, next, &mut run, &mut shown_progress())
        };
        let asserted = Asserted { cpu: self.at_most, memory: self.memory_at_most };
        let name = solution.display().to_string();
        let report = ScaleReport::new(name, series, limits.cpu_time, asserted);
        Ok((report, ended))
    }

    /// The sizes and the inputs of the cases, in growing order.
    fn cases(
        &self,
        session: &Session,
        project: &Project,
        problem: Option<Problem>,
    ) -> Result<(Vec<u64>, Vec<SizedInput>)> {
        let Some(problem) = problem else {
            // In a repository the reason is a broken problem.
            let errors = &project.found.errors;
            if project.repository.is_some() && !errors.is_empty() {
                errors.iter().for_each(stream::error);
                return Err(Reported.into());
            }
            let solution = self.solution.display();
            bail!(
                Code::NoCases
                    .says(format!(
                        "`{solution}` belongs to no problem, so it has no cases to run on"
                    ))
                    .help("generate inputs with `--generator COMMAND --sizes FROM..TO`")
            );
        };
        let submissions = project.found.submissions.iter();
        let mut selected = Selected {
            submissions: submissions
                .filter(|submission| submission.problem == problem.id)
                .cloned()
                .collect(),
            problems: vec![problem],
            faulty: false,
        };
        on_demand::make(session, project.tools(), &mut selected)?;
        let mut sized = Vec::new();
        let cases = selected.problems.iter().flat_map(|problem| &problem.cases);
        for case in cases.filter(|case| !case.is_static()) {
            let file = case.input();
            // The work of a case with further files does not depend on the size of its input alone.
            if let (Some(n), None) = (self.size(&file)?, case.beside()) {
                let args = case.args().to_vec();
                sized.push((n, SizedInput::Case(file, args)));
            }
        }
        sized.sort_by_key(|(n, _)| *n);
        ensure!(
            !sized.is_empty(),
            "no case has a size{}",
            if self.sizes.is_some() { " within the range" } else { "" }
        );
        Ok(sized.into_iter().unzip())
    }

    /// The size of a case, if it is within the requested range.
    fn size(&self, file: &Path) -> Result<Option<u64>> {
        let size = self.size_of.measure(file);
        let size = size.with_context(|| format!("cannot read `{}`", file.display()))?;
        Ok(size.filter(|n| self.sizes.is_none_or(|sizes| sizes.contains(*n))))
    }
}

/// Shows the sizes that are measured, until this is dropped.
fn shown_progress() -> impl FnMut(&SizeMeasurement) {
    let spinner = Spinner::start(stream::note_of_work);
    move |one| spinner.say(&format!("measured size {}", one.n))
}
