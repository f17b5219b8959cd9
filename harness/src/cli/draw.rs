//! `rejudge draw`: draws an output with the problem's visualizer.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::Args;

use super::exit::CommandExit;
use super::sandbox::SandboxArgs;
use super::session::Session;
use super::stream;
use super::workshop::Workshop;
use crate::attempts::run_fairly;
use crate::compile::Terms;
use crate::draw::{self, DrawnCase, PAGE};
use crate::generate::{build, captured, materialise, words};
use crate::judge::{Solution, Tools};
use crate::left_behind::Temporary;
use crate::limits::{self, LimitOverrides};
use crate::notice::{Notices, nearest};
use crate::problem::{Problem, TestCase};
use crate::sandbox::{Captured, Input, RunJob};
use crate::submission::FileNames;

/// Draw the answer of a case, or the output of a solution
#[derive(Debug, Args)]
pub(crate) struct DrawArgs {
    /// Problem and case, for example `klotski/secret/known/pennant`; the last part of the case name is enough
    #[arg(value_name = "PROBLEM/CASE")]
    case: String,
    /// Draw the output of this solution [default: draw the answer]
    #[arg(long, value_name = "SOLUTION")]
    from: Option<PathBuf>,
    /// Folder for the images and for a page that shows them; rejudge creates it
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,
    /// Replace an earlier drawing in DIR
    #[arg(short, long)]
    force: bool,
    #[command(flatten)]
    sandbox: SandboxArgs,
}

/// Maximum number of case names in an error message.
const CANDIDATES: usize = 12;

/// Draws the output of a case.
pub(crate) fn draw(args: &DrawArgs) -> Result<CommandExit> {
    let session = Session::start(args.sandbox)?;
    let workshop = Workshop::open()?;
    session.accept(&workshop.languages)?;
    draw::may_write(&args.output, args.force)?;
    let (package, wanted) = split(&workshop, &args.case)?;
    let problem = load(&workshop, &package)?;
    let case = find(&problem, &wanted)?;
    let source = draw::visualizer(&problem.dir, &workshop.show(&problem.dir))?;
    let mut runner = session.runner()?;
    let mut run = |job: &_, input| run_fairly(&mut runner, job, input);
    let place = &session.runners().options().work_base;
    let done = args.draw(&workshop, &problem, case, (&source, place), &mut run);
    match session.signalled() {
        Some(exit) => Ok(exit),
        None => done,
    }
}

impl DrawArgs {
    fn draw(
        &self,
        workshop: &Workshop,
        problem: &Problem,
        case: &TestCase,
        (visualizer, place): (&Path, &Path),
        run: &mut RunJob<'_>,
    ) -> Result<CommandExit> {
        let (languages, compiler) = (&workshop.languages, &workshop.compiler);
        let mut one = problem.clone();
        one.cases.retain(|other| other.name() == case.name());
        materialise(&one, languages, compiler, run, &mut |_| {})?;
        let answer = case.answer().filter(|answer| answer.is_file());
        let (output, answer) = match (&self.from, answer) {
            (Some(solution), answer) => {
                let answer = answer.unwrap_or_else(|| PathBuf::from("/dev/null"));
                let tools = Tools {
                    compiler,
                    languages,
                };
                let shown = workshop.show(solution);
                (
                    printed(tools, (solution, &shown), problem, case, run)?,
                    answer,
                )
            }
            (None, Some(answer)) => (captured(&answer)?, answer),
            (None, None) => bail!(
                "`{}/{}` has no answer\nhelp: draw the output of a solution with `--from SOLUTION`",
                problem.id,
                case.name()
            ),
        };
        let terms = Terms::default();
        let visualizer = build(languages, compiler, visualizer, terms, run)?;
        let feedback = Temporary::new_in(place, "rejudge-draw-");
        let feedback = feedback.context("cannot create a temporary folder")?;
        let input = case.input();
        let scene = DrawnCase {
            input: &input,
            answer: &answer,
            output: &output,
            args: case.output_visualizer_args(),
        };
        let images = draw::draw(&visualizer, scene, &feedback, run)?;
        let title = format!("{}/{}", problem.id, case.name());
        draw::write(feedback.folder(), &images, &self.output, &title)?;
        let page = self.output.join(PAGE);
        let (count, plural) = (images.len(), if images.len() == 1 { "" } else { "s" });
        stream::print(|out| {
            writeln!(
                out,
                "{title}: {count} image{plural}, shown in {}",
                page.display()
            )
        })
    }
}

/// Splits `PROBLEM/CASE` into the folder of the package and the name of the case.
fn split(workshop: &Workshop, words: &str) -> Result<(PathBuf, String)> {
    let stem = words
        .strip_suffix(".in")
        .or_else(|| words.strip_suffix(".ans"))
        .unwrap_or(words);
    // The longest prefix that is the folder of a package comes first: `cases/klotski/data/secret/1`.
    for (at, _) in stem.match_indices('/').rev() {
        let folder = workshop.current.join(&stem[..at]);
        if at > 0 && folder.join("data").is_dir() {
            let case = &stem[at + 1..];
            return Ok((
                folder,
                case.strip_prefix("data/").unwrap_or(case).to_owned(),
            ));
        }
    }
    let Some((problem, case)) = stem.split_once('/') else {
        bail!(
            "`{words}` does not name a case\nhelp: write PROBLEM/CASE, for example `{words}/sample/1`"
        );
    };
    Ok((workshop.package(problem)?, case.to_owned()))
}

fn load(workshop: &Workshop, package: &Path) -> Result<Problem> {
    let mut notices = Notices::relative_to(Some(workshop.base()));
    let problem = Problem::load(
        package,
        &|extension| workshop.language_of(extension),
        &mut notices,
    );
    let Some(mut problem) = problem else {
        let errors: Vec<String> = notices.errors.iter().map(ToString::to_string).collect();
        bail!("{}", errors.join("\n"));
    };
    if let Some(repository) = &workshop.repository {
        repository.config.apply_to(&mut problem);
    }
    Ok(problem)
}

/// The case with this name, or the only case whose name ends in it.
fn find<'a>(problem: &'a Problem, wanted: &str) -> Result<&'a TestCase> {
    if let Some(case) = problem.cases.iter().find(|case| case.name() == wanted) {
        return Ok(case);
    }
    let ending = format!("/{wanted}");
    let ends = problem
        .cases
        .iter()
        .filter(|case| case.name().ends_with(&ending));
    let ends: Vec<&TestCase> = ends.collect();
    let (what, candidates) = match ends.as_slice() {
        [case] => return Ok(case),
        [] => ("no case is called", similar(problem, wanted)),
        more => (
            "more than one case is called",
            more.iter().map(|case| case.name()).collect(),
        ),
    };
    let mut shown = String::new();
    for name in candidates.iter().take(CANDIDATES) {
        shown.push_str("\n  ");
        shown.push_str(name);
    }
    let more = match candidates.len().saturating_sub(CANDIDATES) {
        0 => String::new(),
        more => format!("\n  … and {more} more"),
    };
    bail!(
        "{what} `{wanted}` in `{}`\nhelp: did you mean{shown}{more}",
        problem.id
    )
}

/// The case whose name, or its last part, is most similar to `wanted`; all cases if none is similar.
fn similar<'a>(problem: &'a Problem, wanted: &str) -> Vec<&'a str> {
    let tail = |name: &'a str| name.rsplit('/').next().unwrap_or(name);
    let all = || problem.cases.iter().map(TestCase::name);
    let best = nearest(wanted, all()).or_else(|| {
        let short = nearest(wanted.rsplit('/').next().unwrap_or(wanted), all().map(tail))?;
        all().find(|name| tail(name) == short)
    });
    best.map_or_else(|| all().collect(), |best| vec![best])
}

/// The output of a solution for the case. The run must be successful.
pub(super) fn printed(
    Tools {
        compiler,
        languages,
    }: Tools<'_>,
    (solution, shown): (&Path, &str),
    problem: &Problem,
    case: &TestCase,
    run: &mut RunJob<'_>,
) -> Result<Captured> {
    let terms = Terms::of_submission(problem);
    let program = build(languages, compiler, solution, terms, run)?;
    let language = languages.of_file(solution);
    let limits = limits::of_solution(Some(problem), language, &LimitOverrides::default());
    let files = FileNames::of_solution(Some(problem), solution)
        .with_context(|| format!("cannot read `{}`", solution.display()))?;
    let ready = Solution {
        artifact: &program,
        files: &files,
        limits: &limits,
    };
    let input = case.input();
    let launch = ready.launch(case, &input)?;
    let file = File::open(launch.standard_input(&input))
        .with_context(|| format!("cannot open `{}`", input.display()))?;
    let execution = launch.run(Input::File(file), run)?;
    if let Some((verdict, evidence)) = launch.decide(&execution, &limits) {
        let words = words(&execution.stderr_tail);
        bail!(
            "`{shown}` gets {verdict} on `{}`: {evidence}{words}",
            case.name()
        );
    }
    Ok(execution.stdout)
}
