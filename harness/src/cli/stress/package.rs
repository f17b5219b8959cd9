//! The programs of a problem: its generators, validators and submissions.

use std::path::{Path, PathBuf};
use std::slice;

use anyhow::{Result, bail};

use super::StressArgs;
use super::lone::generators_of;
use crate::cli::opening::Opening;
use crate::cli::project::{self, Project, Reported};
use crate::cli::stream;
use crate::expectation::VerdictFolder;
use crate::generate::{GenerationPlan, VALIDATORS, files_in, lacks_viva};
use crate::notice::few;
use crate::notice::{Code, Notice, Notices};
use crate::plain_file;
use crate::problem::{Problem, TestCase};
use crate::stress::{ContestantSource, GeneratorTemplate, StressSources, varied};
use crate::submission::Submission;
use crate::verdict::Verdict;

/// The largest number of references: each runs in every round.
const REFERENCES: usize = 3;

/// Larger inputs are not mutated.
const SMALL: u64 = 64 << 10;

/// The programs of the problem that the arguments name.
pub(super) fn sources(args: &StressArgs, project: &mut Project) -> Result<StressSources> {
    let found = std::mem::take(&mut project.found);
    stream::warn_of_all(&found.warnings);
    let has_cases = |error: &Notice| error.code != Code::NoCases;
    if found.problems.is_empty() && !found.errors.iter().any(has_cases) {
        bail!(
            Code::NothingToJudge
                .says("there is no problem here, and no generator")
                .help(
                    "write `brute.*`, a slow but simple reference, next to the solution, and a generator `gen.*`, of which \
                     `rejudge new --generator` writes a first one; or name a problem: `rejudge stress PROBLEM`"
                )
        );
    }
    found.errors.iter().for_each(stream::error);
    let problem = match found.problems.as_slice() {
        [problem] => problem.clone(),
        [] => return Err(Reported.into()),
        several => {
            let ids: Vec<&str> = several.iter().map(|one| one.id.as_str()).collect();
            bail!(
                Code::UnknownPath
                    .says(format!("there are several problems: {}", few(&ids)))
                    .help(format!("name one: `rejudge stress {}`", ids[0]))
            );
        }
    };
    if problem.kind.submit_answer {
        bail!(Code::Unsupported.says(format!(
            "cannot test solutions of `{}`: they are answers, and not programs",
            problem.id
        )));
    }
    let jury = jury(&problem)?;
    let tested = tested(args, project, &found.submissions, &jury)?;
    if tested.is_empty() {
        bail!(
            Code::NoSolutions
                .says(format!("`{}` has no solution that must fail", problem.id))
                .help("name the solution to test: `rejudge stress SOLUTION`")
        );
    }
    let mut contestants = references(args, project, &jury, &tested)?;
    contestants.extend(tested.into_iter().map(|one| one.source));
    let validators = validators(&args.validator, &problem)?;
    let generators = generators(&args.generator, project, &problem)?;
    let cases = if generators.is_empty() { mutable(&problem, &validators)? } else { Vec::new() };
    let mut problem = problem;
    if let Some(word) = &args.checker {
        problem.set_checker(project::checker(word)?);
    }
    Ok(StressSources { problem, generators, cases, validators, contestants, want: None })
}

/// The programs of the problem, to find an input on which a mutant and its solution differ.
pub(in crate::cli) fn of_mutant(
    project: &Project,
    problem: &Problem,
    mutant: &Submission,
    name: String,
    solution: &Submission,
) -> Result<StressSources> {
    let validators = validators(&[], problem)?;
    let generators = generators(&[], project, problem)?;
    let cases = if generators.is_empty() { mutable(problem, &validators)? } else { Vec::new() };
    let mutant = ContestantSource { name, ..ContestantSource::of(mutant) };
    Ok(StressSources {
        problem: problem.clone(),
        generators,
        cases,
        validators,
        contestants: vec![ContestantSource::of(solution).into_reference(false), mutant],
        want: None,
    })
}

/// A solution that is tested.
struct Tested {
    source: ContestantSource,
    /// Whether its outputs must be compared with those of a reference.
    needs_reference: bool,
}

impl Tested {
    fn of(submission: &Submission) -> Self {
        Self {
            source: ContestantSource::of(submission),
            needs_reference: submission.expected.requires_rejection(),
        }
    }
}

/// The solutions that are named, otherwise the submissions of the problem that must fail. `named` are the submissions that
/// the paths name.
fn tested(
    args: &StressArgs,
    project: &Project,
    named: &[Submission],
    jury: &[Submission],
) -> Result<Vec<Tested>> {
    let is_solution = |path: &PathBuf| path.is_file() || submission_at(jury, path).is_some();
    if let Some((problem, solutions)) = args.problem_and_solutions() {
        // A submission may be a folder, too.
        let first = Some(problem).filter(|path| is_solution(path));
        let all = first.into_iter().chain(solutions).map(|path| {
            Ok(Tested { source: solution_at(project, jury, path)?, needs_reference: true })
        });
        return all.collect();
    }
    let is_named = !args.solutions.is_empty() && args.solutions.iter().all(is_solution);
    Ok(if is_named {
        named.iter().map(Tested::of).collect()
    } else {
        let caught = jury.iter().filter(|one| must_be_caught(one));
        caught.map(Tested::of).collect()
    })
}

/// The solution at `path`, which need not be a submission of the problem.
fn solution_at(project: &Project, jury: &[Submission], path: &Path) -> Result<ContestantSource> {
    if let Some(submission) = submission_at(jury, path) {
        return Ok(ContestantSource::of(submission));
    }
    let full = std::path::absolute(path)?;
    if full.is_dir() {
        bail!(
            Code::UnknownPath
                .says(format!("the folder `{}` is not a submission of the problem", path.display()))
                .help("name a file, or a folder among the submissions")
        );
    }
    if !full.is_file() {
        bail!(Code::UnknownPath.says(format!("no such solution: `{}`", path.display())));
    }
    let name = shown_name(project, &full);
    Ok(ContestantSource::of_file(full, name))
}

/// The submission that lies at `path`: a file or a folder.
fn submission_at<'a>(jury: &'a [Submission], path: &Path) -> Option<&'a Submission> {
    let real = path.canonicalize().ok()?;
    let mut all = jury.iter();
    all.find(|one| one.path.canonicalize().is_ok_and(|other| other == real))
}

/// All submissions of the problem.
fn jury(problem: &Problem) -> Result<Vec<Submission>> {
    let all =
        Opening::of(slice::from_ref(&problem.dir)).to_run(&super::BuildArgs::default()).open()?;
    let mut submissions = all.found.submissions;
    submissions.retain(|one| one.problem == problem.id && !one.is_answers());
    Ok(submissions)
}

/// Whether a test must find an input on which the submission fails.
fn must_be_caught(submission: &Submission) -> bool {
    let expected = &submission.expected;
    let compiles = expected.permits_somewhere(Verdict::Accepted);
    expected.requires_rejection()
        && compiles
        && expected.folder() != Some(VerdictFolder::BruteForce)
}

/// The references that are named, otherwise the accepted solutions that are not tested, otherwise those that are right but
/// too slow.
fn references(
    args: &StressArgs,
    project: &Project,
    jury: &[Submission],
    tested: &[Tested],
) -> Result<Vec<ContestantSource>> {
    if !args.against.is_empty() {
        let named = args.against.iter();
        let named = named.map(|path| Ok(solution_at(project, jury, path)?.into_reference(true)));
        return named.collect();
    }
    let others =
        || jury.iter().filter(|one| tested.iter().all(|tested| tested.source.path != one.path));
    let of = |one: &Submission, slow| ContestantSource::of(one).into_reference(slow);
    let accepted = others().filter(|one| one.expected.is_all_accepted());
    let mut all: Vec<ContestantSource> =
        accepted.map(|one| of(one, false)).take(REFERENCES).collect();
    if all.is_empty() {
        let slow = others().filter(|one| one.expected.folder() == Some(VerdictFolder::BruteForce));
        all = slow.map(|one| of(one, true)).take(REFERENCES).collect();
    }
    if all.is_empty() && tested.iter().any(|one| one.needs_reference) {
        bail!(
            Code::MissingReference
                .says("there is no accepted solution to compare with")
                .help("name a reference: `--against REFERENCE`")
        );
    }
    Ok(all)
}

fn shown_name(project: &Project, path: &Path) -> String {
    let current = std::env::current_dir().unwrap_or_default();
    let base = project.root().unwrap_or(&current);
    path.strip_prefix(base).unwrap_or(path).to_string_lossy().into_owned()
}

fn validators(named: &[PathBuf], problem: &Problem) -> Result<Vec<PathBuf>> {
    if !named.is_empty() {
        let named = named.iter().map(|path| Ok(std::path::absolute(path)?));
        return named.collect();
    }
    let mut all = problem.validators.clone();
    for folder in VALIDATORS.map(|name| problem.dir.join(name)) {
        all.extend(files_in(&folder)?);
    }
    all.retain(|validator| !lacks_viva(validator));
    Ok(all)
}

/// The generators that are named, otherwise those of `generators.yaml`.
fn generators(
    commands: &[String],
    project: &Project,
    problem: &Problem,
) -> Result<Vec<(PathBuf, GeneratorTemplate)>> {
    let folder = problem.dir.join("generators");
    if !commands.is_empty() {
        let current = std::env::current_dir()?;
        return generators_of(commands, &[&current, &folder]);
    }
    if !GenerationPlan::is_in(&problem.dir) {
        return Ok(Vec::new());
    }
    let mut notices = Notices::relative_to(project.root());
    let Some(plan) = GenerationPlan::read(&problem.dir, &mut notices) else {
        notices.errors.iter().for_each(stream::error);
        return Err(Reported.into());
    };
    let templates = varied(plan.commands()).into_iter();
    Ok(templates.map(|template| (folder.join(&template.program), template)).collect())
}

/// The inputs that can be mutated.
fn mutable(problem: &Problem, validators: &[PathBuf]) -> Result<Vec<Vec<u8>>> {
    if validators.is_empty() {
        let id = &problem.id;
        bail!(
            Code::MissingGenerator
                .says(format!("`{id}` has no generator, and no validator for changed inputs"))
                .help(format!(
                    "`rejudge new {id} --generator` writes a first one, which prints a random input for the seed and \
                     the size in its arguments; name it: `--generator 'gen.rs {{seed}} {{n:1..50}}'`"
                ))
        );
    }
    let is_small = |case: &&TestCase| {
        let file = std::fs::metadata(case.input());
        !case.is_static() && file.is_ok_and(|file| (1..=SMALL).contains(&file.len()))
    };
    let inputs = problem.cases.iter().filter(is_small);
    let mut inputs: Vec<Vec<u8>> =
        inputs.filter_map(|case| plain_file::read(&case.input()).ok()).collect();
    if inputs.is_empty() {
        bail!(
            Code::MissingGenerator
                .says(format!("`{}` has no generator, and no small case to change", problem.id))
                .help("add a small case, or name a generator: `--generator COMMAND`")
        );
    }
    inputs.sort_by_key(Vec::len);
    Ok(inputs)
}
