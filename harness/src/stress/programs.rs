//! The programs of a search: generators, input validators, references, solutions and the checker, each built once.

use std::path::{Path, PathBuf};
use std::time::Duration;

use rejudge_checktestdata::Grammar;

use super::arguments::GeneratorTemplate;
use super::turns::GeneratorTurns;
use super::want::Want;
use super::{StressError, fault};
use crate::attempts::run_fairly;
use crate::compile::{Artifact, Built, Terms};

use crate::generate::{MakeError, ValidatorKind, grammar, program_limits};
use crate::judge::{Inspector, SingleSubmission, Tools};
use crate::language::Language;
use crate::limits::{self, LimitOverrides};
use crate::problem::{Problem, is_grammar};
use crate::sandbox::{Input, Job, Limits, Runner};
use crate::submission::{Expectation, FileNames, Submission};

/// The sources to build.
#[derive(Debug, Clone)]
pub(crate) struct StressSources {
    pub(crate) problem: Problem,
    pub(crate) generators: Vec<(PathBuf, GeneratorTemplate)>,
    /// Inputs to change, if there is no generator.
    pub(crate) cases: Vec<Vec<u8>>,
    pub(crate) validators: Vec<PathBuf>,
    /// The references come first.
    pub(crate) contestants: Vec<ContestantSource>,
    pub(crate) want: Option<WantOfPrograms>,
}

/// A condition on the results, and the index of the program of each of its names.
#[derive(Debug, Clone)]
pub(crate) struct WantOfPrograms {
    pub(crate) want: Want,
    pub(crate) programs: Vec<usize>,
}

/// A reference or a solution.
#[derive(Debug, Clone)]
pub(crate) struct ContestantSource {
    pub(crate) path: PathBuf,
    /// The name as it is shown.
    pub(crate) name: String,
    /// The id of its language; `None`: its name shows it.
    pub(crate) language: Option<String>,
    /// The file of a folder, or the class, that starts, if it is given.
    pub(crate) entrypoint: Option<String>,
    pub(crate) is_reference: bool,
    /// A reference that is known to be slow: a round in which it is too slow tells nothing.
    pub(crate) may_be_slow: bool,
}

impl ContestantSource {
    /// A program that is a single file.
    pub(crate) fn of_file(path: PathBuf, name: String) -> Self {
        Self {
            path,
            name,
            language: None,
            entrypoint: None,
            is_reference: false,
            may_be_slow: false,
        }
    }

    /// A submission, which may be a folder.
    pub(crate) fn of(submission: &Submission) -> Self {
        Self {
            language: Some(submission.language.clone()),
            entrypoint: submission.entrypoint.clone(),
            ..Self::of_file(submission.path.clone(), submission.name.clone())
        }
    }

    /// The same program as a reference.
    pub(crate) fn into_reference(self, may_be_slow: bool) -> Self {
        Self { is_reference: true, may_be_slow, ..self }
    }
}

/// The programs, built.
pub(crate) struct StressPrograms {
    pub(super) problem: Problem,
    pub(super) generators: Vec<StressGenerator>,
    pub(super) turns: GeneratorTurns,
    pub(super) cases: Vec<Vec<u8>>,
    pub(super) validators: Vec<InputValidator>,
    pub(super) contestants: Vec<Contestant>,
    pub(super) inspector: Inspector,
    pub(super) limits: Limits,
    pub(super) want: Option<WantOfPrograms>,
}

pub(super) struct StressGenerator {
    pub(super) template: GeneratorTemplate,
    source: PathBuf,
    pub(super) artifact: Artifact,
}

pub(super) struct InputValidator {
    pub(super) name: String,
    pub(super) check: ValidatorProgram,
    pub(super) kind: ValidatorKind,
}

/// What decides whether an input is valid.
pub(super) enum ValidatorProgram {
    Program(Box<Artifact>),
    Grammar(Grammar),
}

/// A reference or a solution, built.
pub(super) struct Contestant {
    pub(super) source: ContestantSource,
    pub(super) artifact: Artifact,
    pub(super) files: FileNames,
    pub(super) limits: Limits,
    /// The solution of a problem in which it talks with an interactor, or has several passes.
    pub(super) single: Option<SingleSubmission>,
}

impl StressPrograms {
    /// Builds the programs.
    pub(crate) fn build(
        sources: StressSources,
        over: &LimitOverrides,
        tools: Tools<'_>,
        runner: &mut Runner,
    ) -> Result<Self, StressError> {
        let StressSources { problem, cases, want, .. } = sources;
        let terms = Terms::of_program(&problem);
        let mut program = |path: &Path, terms: Terms<'_>| {
            let run = &mut |job: &Job, input: Input| run_fairly(runner, job, input);
            let (languages, compiler) = (tools.languages, tools.compiler);
            ValidatorKind::of(path).build(languages, compiler, path, terms, run)
        };
        let mut generators = Vec::new();
        for (path, template) in sources.generators {
            let artifact = program(&path, Terms::default())?;
            generators.push(StressGenerator { template, source: path, artifact });
        }
        let mut validators = Vec::new();
        for path in sources.validators {
            let check = if is_grammar(&path) {
                ValidatorProgram::Grammar(grammar(&path, &problem.additions)?)
            } else {
                ValidatorProgram::Program(Box::new(program(&path, terms)?))
            };
            validators.push(InputValidator {
                name: file_name(&path),
                check,
                kind: ValidatorKind::in_problem(&path, &problem),
            });
        }
        let inspector = Inspector::new(&problem, tools, runner)??;
        let mut contestants = Vec::new();
        for source in sources.contestants {
            contestants.push(Contestant::build(source, &problem, over, tools, runner)?);
        }
        Ok(Self {
            problem,
            turns: GeneratorTurns::new(generators.iter().map(|one| &one.template)),
            generators,
            cases,
            validators,
            contestants,
            inspector,
            want,
            limits: Limits {
                output: LARGEST_INPUT,
                cpu_time: LONGEST,
                cpu_kill: LONGEST,
                wall_time: 3 * LONGEST,
                ..program_limits()
            },
        })
    }

    /// Gives the generators their turns, which depend on their arguments.
    pub(super) fn take_turns(&mut self) {
        self.turns = GeneratorTurns::new(self.generators.iter().map(|one| &one.template));
    }

    /// Whether programs of the problem decide which inputs are valid.
    pub(crate) fn has_validator(&self) -> bool {
        !self.validators.is_empty()
    }

    /// The name of a reference or a solution.
    pub(crate) fn name(&self, contestant: usize) -> &str {
        &self.contestants[contestant].source.name
    }

    /// The source of the generator in a command.
    pub(crate) fn source_of(&self, command: &str) -> Option<&Path> {
        let program = command.split(' ').next();
        let mut all = self.generators.iter();
        let found = all.find(|one| Some(one.template.program.as_str()) == program);
        found.map(|one| one.source.as_path())
    }

    pub(crate) fn is_reference(&self, contestant: usize) -> bool {
        self.contestants[contestant].source.is_reference
    }

    pub(crate) fn problem(&self) -> &Problem {
        &self.problem
    }

    pub(crate) fn references(&self) -> usize {
        let all = self.contestants.iter();
        all.filter(|one| one.source.is_reference).count()
    }
}

/// The largest output of a generator.
const LARGEST_INPUT: rejudge_quantity::Bytes = rejudge_quantity::Bytes::mib(64);

/// The CPU time of a generator or validator, so that one that never ends does not use up the budget.
const LONGEST: Duration = Duration::from_secs(5);

impl Contestant {
    fn build(
        source: ContestantSource,
        problem: &Problem,
        over: &LimitOverrides,
        tools: Tools<'_>,
        runner: &mut Runner,
    ) -> Result<Self, StressError> {
        let path = &source.path;
        let language = match &source.language {
            Some(id) => tools.languages.get(id),
            None => tools.languages.of_file(path),
        };
        let Some(known) = language else {
            return Err(fault::of_language(&source.name).into());
        };
        let run = &mut |job: &Job, input: Input| run_fairly(runner, job, input);
        let terms = Terms::of_submission(problem);
        let entrypoint = source.entrypoint.as_deref();
        match tools.compiler.compile_from(path, entrypoint, known, terms, run)? {
            Built::Ready(artifact) => Ok(Self {
                single: Self::single(&source, known, problem, over, tools, runner)?,
                artifact,
                files: FileNames::of_solution(Some(problem), path).map_err(|error| {
                    StressError::Unreadable { path: path.clone(), source: error }
                })?,
                limits: limits::of_solution(Some(problem), language, over),
                source,
            }),
            Built::Failed(failure) => Err(MakeError::DoesNotCompile {
                program: source.name,
                reason: failure.reason,
                message: failure.message.trim_end().to_owned(),
            }
            .into()),
        }
    }
}

impl Contestant {
    /// The solution with the interactor of the problem, if it has one.
    fn single(
        source: &ContestantSource,
        language: &Language,
        problem: &Problem,
        over: &LimitOverrides,
        tools: Tools<'_>,
        runner: &mut Runner,
    ) -> Result<Option<SingleSubmission>, StressError> {
        if !problem.is_interactive() && !problem.kind.multi_pass {
            return Ok(None);
        }
        let submission = Submission {
            path: source.path.clone(),
            name: source.name.clone(),
            problem: problem.id.clone(),
            language: language.id.clone(),
            entrypoint: source.entrypoint.clone(),
            expected: Expectation::accepted(),
            files: FileNames::default(),
        };
        let built = SingleSubmission::build(&submission, problem, *over, tools, runner)?;
        Ok(Some(built?))
    }
}

pub(super) fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}
