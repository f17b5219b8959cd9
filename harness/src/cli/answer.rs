//! `rejudge answer`: writes the missing answers of a problem from a solution's output.
//!
//! Every verdict depends on the answers. So an answer is written only from a successful run, an existing answer is
//! replaced only on request, and in CI nothing is written.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Error, Result, bail};
use clap::Args;

use super::build_args::BuildArgs;
use super::exit::CommandExit;
use super::limits::LimitArgs;
use super::missing_path::unreadable_solution;
use super::named_solution::NamedSolution;
use super::opening::Opening;

use super::sandbox::SandboxArgs;
use super::select::CaseFilter;
use super::session::Session;
use super::{no_case, stream};
use crate::attempts::run_fairly;
use crate::checker::exact;
use crate::judge::Solution;
use crate::left_behind::write_beneath;
use crate::limits::LimitOverrides;
use crate::notice::{Code, shown};
use crate::plain_file;
use crate::problem::{Problem, ReadOptions, TestCase};
use crate::sandbox::{Captured, Input, Job, RunJob};
use crate::shell::shell_word;
use crate::show::words::Count;
use crate::verdict::Verdict;

/// Write missing answers from the output of a solution
#[derive(Debug, Args)]
pub(crate) struct AnswerArgs {
    /// Name or folder of the problem
    #[arg(value_name = "PROBLEM")]
    problem: PathBuf,
    /// Solution whose output becomes the answer; it must be named
    #[arg(long, value_name = "SOLUTION")]
    from: Option<PathBuf>,
    /// Write only the answers of cases whose name, or last part of the name, matches GLOB; repeatable
    #[arg(long, value_name = "GLOB")]
    case: Vec<String>,
    /// Replace answers that differ
    #[arg(long)]
    overwrite: bool,
    /// Write answers even in CI (if the environment variable `CI` is set)
    #[arg(long)]
    in_ci: bool,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    build: BuildArgs,
    #[command(flatten)]
    sandbox: SandboxArgs,
}

/// The number of answers by result.
#[derive(Debug, Default)]
struct WrittenAnswers {
    written: usize,
    replaced: usize,
    unchanged: usize,
    refused: usize,
}

/// Writes the answers. The exit status is 1 if a run was not successful.
pub(crate) fn answer(args: &AnswerArgs) -> Result<CommandExit> {
    let from = solution_of(args)?;
    let session = Session::start(args.sandbox)?;
    let read_options = ReadOptions { answering: true, ..ReadOptions::default() };
    let others = std::slice::from_ref(from);
    let (project, mut problem) = Opening::of(std::slice::from_ref(&args.problem))
        .beside(others)
        .read_as(read_options)
        .to_run(&args.build)
        .open_problem()?;
    session.accept(&project.languages)?;
    let filter = CaseFilter::new(&args.case)?;
    let names = no_case::names(&args.case, [&problem]);
    filter.retain(&mut problem);
    if problem.cases.is_empty() {
        no_case::warn(&args.case, &names);
        return Ok(CommandExit::NothingSelected);
    }
    let mut runner = session.runner()?;
    let mut run_job = |job: &Job, input: Input| run_fairly(&mut runner, job, input);
    let over = LimitOverrides::from(&args.limits);
    let tools = project.tools();
    let solution = NamedSolution::compile(tools, from, Some(&problem), &over, &mut run_job)??;
    let mut tally = WrittenAnswers::default();
    for case in &problem.cases {
        let Some(path) = case.answer() else { continue };
        if path.exists() && !args.overwrite {
            tally.unchanged += 1;
            continue;
        }
        match run(solution.ready(), case, &mut run_job)? {
            Ok(output) => tally.keep(&problem.dir, &path, &output)?,
            Err(why) => {
                tally.refused += 1;
                stream::error(format_args!(
                    "{} was not written: {why}",
                    shown(&path, project.root())
                ));
            }
        }
        if let Some(exit) = session.signalled() {
            return Ok(exit);
        }
    }
    tally.report(&problem.id)
}

/// The named solution, unless nothing can be written.
fn solution_of(args: &AnswerArgs) -> Result<&PathBuf> {
    if std::env::var_os("CI").is_some_and(|value| !value.is_empty()) && !args.in_ci {
        bail!(
            Code::NotInCi
                .says("refusing to write answers in CI, where nobody reviews them")
                .help("write them on your own machine and commit them, or add `--in-ci`")
        );
    }
    let Some(from) = &args.from else {
        return Err(without_solution(&args.problem));
    };
    if let Err(error) = plain_file::open(from) {
        return Err(unreadable_solution(from, error));
    }
    if Problem::is_file(&args.problem) {
        return Err(Code::UnknownPath
            .says(format!("cannot write answers to `{}`", args.problem.display()))
            .help("unpack it, and name the folder")
            .into());
    }
    Ok(from)
}

/// The error for a command without a solution, with one that must be accepted. The choice is left to the user, because every
/// verdict will depend on it.
fn without_solution(path: &Path) -> Error {
    let read_options = ReadOptions { answering: true, ..ReadOptions::default() };
    let paths = [path.to_owned()];
    let project = match Opening::of(&paths).read_as(read_options).open() {
        Ok(project) => project,
        Err(error) => return error,
    };
    if let Some(error) = project.found.errors.first().filter(|_| project.found.problems.is_empty())
    {
        return error.clone().into();
    }
    let submissions = project.found.submissions;
    let accepted = submissions.iter().find(|one| one.expected.is_all_accepted());
    let accepted = accepted.or_else(|| submissions.first().filter(|_| submissions.len() == 1));
    let here = std::env::current_dir().unwrap_or_default();
    let solution = accepted.map(|one| shell_word(&shown(&one.path, Some(&here))));
    let solution = solution.unwrap_or_else(|| "SOLUTION".to_owned());
    let problem = shell_word(&path.to_string_lossy());
    Code::InvalidOption
        .says("a solution is missing: its output becomes the answers")
        .help(format!("name it: `rejudge answer {problem} --from {solution}`"))
        .into()
}

/// The end of a run whose output is not an answer.
#[derive(Debug, thiserror::Error)]
#[error("{}: {evidence}", .verdict.words())]
struct Unsuccessful {
    verdict: Verdict,
    evidence: String,
}

/// The output of a successful run.
fn run(
    solution: Solution<'_>,
    case: &TestCase,
    run: &mut RunJob<'_>,
) -> Result<Result<Captured, Unsuccessful>> {
    let input = case.input();
    let launch = solution.launch(case, &input)?;
    let file = File::open(launch.standard_input(&input))
        .with_context(|| format!("cannot read `{}`", input.display()))?;
    let execution = launch.run(Input::File(file), run)?;
    Ok(match launch.decide(&execution, solution.limits) {
        Some((verdict, evidence)) => Err(Unsuccessful { verdict, evidence }),
        None => Ok(execution.stdout),
    })
}

impl WrittenAnswers {
    fn keep(&mut self, root: &Path, path: &Path, output: &Captured) -> Result<()> {
        let there = match plain_file::open(path) {
            Ok(mut file) => Some(exact::compare(&mut output.reader()?, &mut file)?.is_none()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                return Err(error).with_context(|| format!("cannot read `{}`", path.display()));
            }
        };
        match there {
            Some(true) => {
                self.unchanged += 1;
                return Ok(());
            }
            Some(false) => self.replaced += 1,
            None => self.written += 1,
        }
        // An answer outside the problem's folder: its folder was configured explicitly.
        let (root, below) = match (path.strip_prefix(root), path.parent(), path.file_name()) {
            (Ok(below), ..) => (root, below),
            (Err(_), Some(folder), Some(name)) => (folder, Path::new(name)),
            (Err(_), ..) => (path, Path::new("")),
        };
        write_beneath(root, below, &mut output.reader()?)
            .with_context(|| format!("cannot write `{}`", path.display()))
    }

    fn report(&self, problem: &str) -> Result<CommandExit> {
        let exit = stream::print(|out| {
            write!(out, "{problem}: {} written", Count(self.written, "answer"))?;
            for (count, words) in [
                (self.replaced, "replaced"),
                (self.unchanged, "unchanged"),
                (self.refused, "refused"),
            ] {
                if count > 0 {
                    write!(out, ", {count} {words}")?;
                }
            }
            writeln!(out)
        })?;
        Ok(if self.refused > 0 { CommandExit::Unexpected } else { exit })
    }
}
