//! `rejudge draw`: draws an output with the problem's visualizer.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use clap::Args;

use super::build_args::BuildArgs;
use super::exit::CommandExit;
use super::named_solution::NamedSolution;
use super::opening::Opening;

use super::sandbox::SandboxArgs;
use super::session::Session;
use super::stream;
use crate::attempts::run_fairly;
use crate::compile::Terms;
use crate::draw::{self, DrawnCase, PAGE};
use crate::generate::{build, captured, materialise, words};
use crate::judge::Tools;
use crate::left_behind::Temporary;
use crate::limits::LimitOverrides;
use crate::notice::{Code, nearest, shown};
use crate::problem::{Problem, TestCase};
use crate::sandbox::{Captured, Input, RunJob};

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
    draw::may_write(&args.output, args.force)?;
    let (named, wanted) = split(&args.case)?;
    let build = BuildArgs::default();
    let (project, problem) =
        Opening::of(std::slice::from_ref(&named)).to_run(&build).open_problem()?;
    session.accept(&project.languages)?;
    let case = find(&problem, &wanted)?;
    let source = draw::visualizer(&problem.dir, &shown(&problem.dir, project.root()))?;
    let mut runner = session.runner()?;
    let mut run = |job: &_, input| run_fairly(&mut runner, job, input);
    let place = &session.runners().options().work_base;
    let done = args.draw(project.tools(), &problem, case, (&source, place), &mut run);
    match session.signalled() {
        Some(exit) => Ok(exit),
        None => done,
    }
}

impl DrawArgs {
    fn draw(
        &self,
        tools: Tools<'_>,
        problem: &Problem,
        case: &TestCase,
        (visualizer, place): (&Path, &Path),
        run: &mut RunJob<'_>,
    ) -> Result<CommandExit> {
        let Tools { languages, compiler } = tools;
        let mut one = problem.clone();
        one.retain_cases(|other| other.name() == case.name());
        materialise(&one, languages, compiler, run, &mut |_| {})?;
        let answer = case.answer().filter(|answer| answer.is_file());
        let (output, answer) = match (&self.from, answer) {
            (Some(solution), answer) => {
                let answer = answer.unwrap_or_else(|| PathBuf::from("/dev/null"));
                let shown = solution.display().to_string();
                (printed(tools, (solution, &shown), problem, case, run)?, answer)
            }
            (None, Some(answer)) => (captured(&answer)?, answer),
            (None, None) => bail!(
                Code::MissingAnswer
                    .says(format!("`{}/{}` has no answer", problem.id, case.name()))
                    .help("draw the output of a solution with `--from SOLUTION`")
            ),
        };
        let terms = Terms::default();
        let visualizer = build(languages, compiler, visualizer, terms, run)?;
        let feedback = Temporary::new_in(place, "rejudge-draw-")
            .context("cannot create a temporary folder")?;
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
            writeln!(out, "{title}: {count} image{plural}, shown in {}", page.display())
        })
    }
}

/// Splits `PROBLEM/CASE` into the name or the folder of the problem, and the name of the case.
fn split(words: &str) -> Result<(PathBuf, String)> {
    let stem = words.strip_suffix(".in").or_else(|| words.strip_suffix(".ans")).unwrap_or(words);
    // The longest prefix that is the folder of a package comes first: `cases/klotski/data/secret/1`.
    for (at, _) in stem.match_indices('/').rev() {
        let folder = PathBuf::from(&stem[..at]);
        if at > 0 && folder.join("data").is_dir() {
            let case = &stem[at + 1..];
            return Ok((folder, case.strip_prefix("data/").unwrap_or(case).to_owned()));
        }
    }
    let Some((problem, case)) = stem.split_once('/') else {
        return Err(Code::UnknownPath
            .says(format!("`{words}` does not name a case"))
            .help(format!("write PROBLEM/CASE, for example `{words}/sample/1`"))
            .into());
    };
    Ok((PathBuf::from(problem), case.to_owned()))
}

/// The case with this name, or the only case whose name ends in it.
fn find<'a>(problem: &'a Problem, wanted: &str) -> Result<&'a TestCase> {
    if let Some(case) = problem.cases.iter().find(|case| case.name() == wanted) {
        return Ok(case);
    }
    let ending = format!("/{wanted}");
    let ends: Vec<&TestCase> =
        problem.cases.iter().filter(|case| case.name().ends_with(&ending)).collect();
    let (what, candidates) = match ends.as_slice() {
        [case] => return Ok(case),
        [] => ("no case is called", similar(problem, wanted)),
        more => ("more than one case is called", more.iter().map(|case| case.name()).collect()),
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
        Code::UnknownPath
            .says(format!("{what} `{wanted}` in `{}`", problem.id))
            .help(format!("did you mean{shown}{more}"))
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
    tools: Tools<'_>,
    (solution, shown): (&Path, &str),
    problem: &Problem,
    case: &TestCase,
    run: &mut RunJob<'_>,
) -> Result<Captured> {
    let over = LimitOverrides::default();
    let compiled = NamedSolution::compile(tools, solution, Some(problem), &over, run)??;
    let input = case.input();
    let launch = compiled.ready().launch(case, &input)?;
    let file = File::open(launch.standard_input(&input))
        .with_context(|| format!("cannot open `{}`", input.display()))?;
    let execution = launch.run(Input::File(file), run)?;
    if let Some((verdict, evidence)) = launch.decide(&execution, &compiled.limits) {
        let words = words(&execution.stderr_tail);
        bail!("`{shown}` gets {verdict} on `{}`: {evidence}{words}", case.name());
    }
    Ok(execution.stdout)
}
