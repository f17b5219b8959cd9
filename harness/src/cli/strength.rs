//! `rejudge strength`: shows how strong the cases of problems are.

use std::fs::File;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use clap::Args;

mod mutants;
mod survivors;

use mutants::MutantArgs;
use rejudge_quantity as quantity;

use super::build_args::BuildArgs;
use super::exit::CommandExit;
use super::json_output::{JsonArgs, JsonOutput};
use super::on_demand;
use super::opening::Opening;
use super::project::Project;
use super::report_args::ColorArgs;
use super::report_files;
use super::sandbox::SandboxArgs;
use super::session::Session;
use super::stream;
use super::time_limits;
use crate::disagreement::Disagreements;
use crate::event::Event;
use crate::fail_fast::FailFast;
use crate::judge::{self, Options};
use crate::machine::processors;
use crate::notice::Code;
use crate::problem::Problem;
use crate::report::stored::ReportReader;
use crate::show::json_line;
use crate::show::progress::Progress;
use crate::strength::{
    MatrixCollector, MutantReview, ResultMatrix, StrengthReview, bounds, close_catches,
    decide_by_runs, json_of, text_of,
};
use crate::submission::{Submission, SubmissionsByProblem};

/// Show how strong the cases of problems are
#[derive(Debug, Args)]
pub(crate) struct StrengthArgs {
    /// Names or folders of the problems [default: all problems of the repository], or reports that `rejudge run --json
    /// FILE.jsonl` wrote
    #[arg(value_name = "PROBLEM")]
    problems: Vec<PathBuf>,
    /// Number of cases to run in parallel [default: physical cores minus one, at least one]
    #[arg(short, long, value_name = "N", value_parser = quantity::whole(1_u16, 1024))]
    jobs: Option<u16>,
    #[command(flatten)]
    mutants: MutantArgs,
    #[command(flatten)]
    json: JsonArgs,
    #[command(flatten)]
    color: ColorArgs,
    #[command(flatten)]
    build: BuildArgs,
    #[command(flatten)]
    sandbox: SandboxArgs,
}

/// Shows the strength of each problem. The exit status is 1 if no case catches a submission that must be rejected, or if
/// an input kills a mutant that all cases accept.
pub(crate) fn strength(args: &StrengthArgs) -> Result<CommandExit> {
    args.color.apply();
    let stored = args.problems.iter().filter(|path| is_report(path)).count();
    if stored == 0 {
        return of_problems(args);
    }
    ensure!(
        stored == args.problems.len(),
        Code::InvalidOption
            .says("reports and problems cannot be mixed")
            .help("name either problems, or reports of `rejudge run --json`")
    );
    of_reports(args)
}

/// Whether a path names a stored report, and not a problem.
fn is_report(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "jsonl") && !path.is_dir()
}

/// Evaluates reports without running anything.
fn of_reports(args: &StrengthArgs) -> Result<CommandExit> {
    let read: Vec<&Path> = args.problems.iter().map(PathBuf::as_path).collect();
    let written = [(report_files::JSON, args.json.path())];
    report_files::check(&written, &read)?;
    report_files::check_folders(&written)?;
    let mut output = args.json.open()?;
    let mut collector = MatrixCollector::default();
    let mut reader = ReportReader::default();
    let mut hear = |event: &Event<'_>| -> io::Result<()> {
        collector.hear(event);
        Ok(())
    };
    for path in &args.problems {
        let file = File::open(path).with_context(|| format!("cannot read `{}`", path.display()))?;
        reader.read(&path.display().to_string(), BufReader::new(file), &mut hear)?;
    }
    for missing in reader.finish(&mut hear)?.missing {
        stream::warn(missing);
    }
    let mut exit = warn_of_not_judged(&collector);
    for matrix in collector.finish() {
        let close = close_catches(&matrix);
        exit = exit.worse(report(&StrengthReview::of(matrix, close), &mut output)?);
    }
    Ok(exit)
}

fn of_problems(args: &StrengthArgs) -> Result<CommandExit> {
    let mut output = args.json.open()?;
    let session = Session::start(args.sandbox)?;
    let mut project = Opening::of(&args.problems).to_run(&args.build).open()?;
    session.accept(&project.languages)?;
    let mut selected = project.select_problems()?;
    args.mutants.check(&project.languages, &selected)?;
    on_demand::make(&session, project.tools(), &mut selected)?;
    let mut exit = CommandExit::Expected;
    let options = Options {
        jobs: args.jobs.map_or_else(|| project.jobs(), usize::from),
        // Every case counts, also for a submission that is already rejected.
        fail_fast: FailFast::Never,
        ..Options::new(session.runners().clone())
    };
    let inferred = time_limits::infer(&session, &project, &options, &mut selected);
    if let (Err(_), Some(exit)) = (&inferred, session.signalled()) {
        return Ok(exit);
    }
    inferred?.report();
    let strength = Strength { args, session: &session, project: &project, options };
    let by_problem = SubmissionsByProblem::of(&selected.submissions);
    for problem in &selected.problems {
        let mut own = by_problem.copied(&problem.id);
        own.retain(|one| !one.is_answers());
        let done = strength.problem(problem, &own, &mut output);
        if let Some(exit) = session.signalled() {
            return Ok(exit);
        }
        exit = exit.worse(done?);
    }
    Ok(exit.or_fault(selected.faulty))
}

/// Everything that the problems have in common.
struct Strength<'a> {
    args: &'a StrengthArgs,
    session: &'a Session,
    project: &'a Project,
    options: Options,
}

impl Strength<'_> {
    /// The number of compilers that run at the same time: as many as cases, or as there are processors.
    fn compilers(&self) -> usize {
        self.args.jobs.map_or_else(processors, usize::from)
    }

    fn problem(
        &self,
        problem: &Problem,
        submissions: &[Submission],
        output: &mut JsonOutput,
    ) -> Result<CommandExit> {
        let problem = &on_every_case(problem);
        let (matrix, exit) = self.judged(problem, submissions)?;
        let close = close_catches(&matrix);
        let mut review = StrengthReview::of(matrix, close);
        let completed = match self.session.signalled() {
            Some(_) => Ok(()),
            None => self.complete(&mut review, problem, submissions),
        };
        // What is known when the user ends it is reported.
        if self.session.signalled().is_none() {
            completed?;
        }
        Ok(exit.worse(report(&review, output)?))
    }

    /// Adds what needs more runs.
    fn complete(
        &self,
        review: &mut StrengthReview,
        problem: &Problem,
        submissions: &[Submission],
    ) -> Result<()> {
        let tools = self.project.tools();
        let close = review.close.clone();
        review.close = decide_by_runs(close, problem, submissions, tools, &self.options)?;
        review.bounds = bounds(problem, tools, self.session.runners())?;
        review.mutants = mutants::review(self, problem, submissions, review)?;
        Ok(())
    }

    /// Judges every submission on every case.
    fn judged(
        &self,
        problem: &Problem,
        submissions: &[Submission],
    ) -> Result<(ResultMatrix, CommandExit)> {
        let mut collector = MatrixCollector::default();
        let names = problem.cases.iter().map(|case| case.name().to_owned());
        collector.expect(&problem.id, names);
        let entries: Vec<_> = submissions.iter().map(|one| (one, problem)).collect();
        let mut disagreements = Disagreements::new(entries.iter().copied());
        let mut progress = Progress::new(stream::note_of_work);
        let summary =
            judge::judge_entries(&entries, self.project.tools(), &self.options, &mut |event| {
                match event {
                    Event::Started(outline) => progress.expect(outline.cases),
                    Event::Working(work) => progress.work(*work),
                    _ => {}
                }
                collector.hear(event);
                disagreements.hear(event);
            });
        progress.finish();
        summary?;
        disagreements.notices().iter().for_each(stream::warn);
        let exit = warn_of_not_judged(&collector);
        let matrix = collector.finish().into_iter().next();
        Ok((matrix.unwrap_or_default(), exit))
    }
}

/// The problem without groups, which would end at their first case that is not accepted, and without the runs of static
/// validators, which are no cases.
fn on_every_case(problem: &Problem) -> Problem {
    let mut whole = problem.clone();
    whole.scoring = None;
    whole.retain_cases(|case| !case.is_static());
    whole
}

fn warn_of_not_judged(collector: &MatrixCollector) -> CommandExit {
    for (submission, why) in &collector.not_judged {
        stream::warn(format_args!("`{submission}` could not be judged: {why}"));
    }
    CommandExit::Expected.or_fault(!collector.not_judged.is_empty())
}

fn report(review: &StrengthReview, output: &mut JsonOutput) -> Result<CommandExit> {
    output.write(
        |out| {
            for line in json_of(review) {
                json_line::write(&mut *out, &line)?;
            }
            Ok(())
        },
        |out| out.write_all(text_of(review).as_bytes()),
    )?;
    let is_weak = |found: &MutantReview| found.killed_by_search() > 0;
    let exit = if review.uncaught().next().is_some() || review.mutants.as_ref().is_some_and(is_weak)
    {
        CommandExit::Unexpected
    } else {
        CommandExit::Expected
    };
    let is_faulty = |found: &MutantReview| found.is_faulty;
    Ok(exit.or_fault(review.mutants.as_ref().is_some_and(is_faulty)))
}
