//! Builds what the first case needs: the submission, and the problem's own checkers.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicUsize;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::Tools;
use super::checker_programs::{CheckerPrograms, output_grammar, programs_of, ready_checker, unfit};
use super::in_sandbox::InSandbox;
use crate::attempts::{Confirmations, run_fairly};
use crate::checker::{Checker, CheckerProgram, Protocol};
use crate::checker_spec::CheckerSpec;
use crate::compile::{self, Artifact, Built, CompileError, CompileFailure, Terms};
use crate::event::Build;
use crate::limits::{self, CaseLimits, LimitOverrides};
use crate::notice::{Code, Notice};
use crate::problem::archive::StoreError;
use crate::problem::scoring::Scoring;
use crate::problem::{Problem, TestCase, archive, code_of, is_grammar};
use crate::sandbox::{self, Input, Job, Runner, SandboxError, WorkDir};
use crate::sequence::{BuildOutcome, SubmissionEntry};
use crate::submission::{Submission, UNKNOWN};

/// The language of a submission.
pub(crate) struct SourceLanguage {
    pub(crate) id: String,
    /// Its code, for static validators.
    pub(crate) code: String,
}

/// A submission that can be run.
#[expect(
    clippy::struct_excessive_bools,
    reason = "facts about the problem, which go with any other"
)]
pub(crate) struct ReadySubmission {
    pub(crate) artifact: Artifact,
    pub(crate) limits: CaseLimits,
    pub(crate) language: SourceLanguage,
    /// The results of runs that were repeated.
    pub(super) confirmations: Confirmations,
    /// The smallest index of a case whose difference was rendered.
    pub(crate) earliest_difference: AtomicUsize,
    /// The smallest index of a case whose whole input was read to be shown.
    pub(crate) earliest_input: AtomicUsize,
    /// The number of differences that were rendered.
    pub(crate) differences: AtomicUsize,
    /// Whether the submission talks to an interactor: `interactor`, or otherwise the checker's program.
    pub(crate) interactive: bool,
    pub(crate) interactor: Option<CheckerProgram>,
    /// Whether a run above half of its time limit loses points.
    pub(crate) falls_with_time: bool,
    /// Whether the checker decides, based on the output of `interactor` for it.
    pub(crate) then_check: bool,
    /// Whether the checker may request further passes, and the problem's limit for their number.
    pub(crate) multi_pass: bool,
    pub(crate) passes: Option<u32>,
    /// The folder of an archive of answers.
    pub(super) unpacked: Option<Result<PathBuf, StoreError>>,
    checker: CheckerSpec,
    programs: CheckerPrograms,
}

impl ReadySubmission {
    fn new(
        problem: &Problem,
        artifact: Artifact,
        limits: CaseLimits,
        language: SourceLanguage,
        programs: CheckerPrograms,
    ) -> Self {
        let interactor = problem.interactor.as_ref();
        Self {
            artifact,
            limits,
            language,
            confirmations: Confirmations::default(),
            earliest_difference: AtomicUsize::new(usize::MAX),
            earliest_input: AtomicUsize::new(usize::MAX),
            differences: AtomicUsize::new(0),
            interactive: problem.is_interactive(),
            interactor: interactor.map(|interactor| CheckerProgram {
                call: interactor.call.clone(),
                convention: interactor.convention,
                ..programs.program(&interactor.source)
            }),
            then_check: interactor.is_some_and(|interactor| interactor.then_check),
            multi_pass: problem.kind.multi_pass,
            falls_with_time: problem.scoring.as_ref().is_some_and(Scoring::falls_with_time),
            passes: problem.limits.validation_passes,
            unpacked: None,
            checker: problem.checker.clone(),
            programs,
        }
    }
}

/// The builds of all submissions, filled by the workers.
pub(crate) struct Builds<'a> {
    entries: &'a [SubmissionEntry<'a>],
    tools: Tools<'a>,
    limits: LimitOverrides,
    ready: Vec<OnceLock<ReadySubmission>>,
    programs: Mutex<HashMap<PathBuf, Result<Arc<CheckerProgram>, Notice>>>,
}

impl<'a> Builds<'a> {
    /// A state in which nothing is built yet. `limits` override those of the problems.
    pub(crate) fn new(
        entries: &'a [SubmissionEntry<'a>],
        tools: Tools<'a>,
        limits: LimitOverrides,
    ) -> Self {
        let ready = entries.iter().map(|_| OnceLock::new()).collect();
        Self { entries, tools, limits, ready, programs: Mutex::new(HashMap::new()) }
    }

    /// The built submission with this index. Only valid after `build` has succeeded.
    pub(crate) fn ready(&self, submission: usize) -> &ReadySubmission {
        self.ready[submission].get().expect("only built submissions have cases in the queue")
    }

    /// The built submission with this index, for itself. Only valid after `build` has succeeded.
    pub(crate) fn into_ready(mut self, submission: usize) -> ReadySubmission {
        let ready = self.ready.swap_remove(submission).into_inner();
        ready.expect("it was built")
    }

    /// Builds a submission and the checkers of its problem.
    pub(crate) fn build(
        &self,
        submission: usize,
        runner: &mut Runner,
    ) -> Result<BuildOutcome, SandboxError> {
        let (entry, problem) = self.entries[submission];
        let language = self.tools.languages.get(&entry.language);
        let of_cases = CaseLimits::new(problem, language, &self.limits);
        let limits = of_cases.common;
        let factor = language.and_then(|language| language.time_factor);
        let over = self.limits.for_language(factor);
        let impossible = |why| Ok(BuildOutcome::Impossible { limits, why });
        if let Err(error) = of_cases.all().try_for_each(sandbox::allow) {
            return impossible(Code::InvalidValue.says(error.to_string()));
        }
        let programs = match self.checkers(problem, runner)? {
            Ok(programs) => programs,
            Err(fault) => return impossible(fault),
        };
        let source_blake3 = compile::source_blake3(&entry.path);
        let compiled = if entry.is_answers() {
            Ok(Built::Ready(Artifact::none()))
        } else {
            self.compile(entry, problem, runner)
        };
        let artifact = match unless_interrupted(compiled)? {
            Ok(Built::Ready(artifact)) => artifact,
            Ok(Built::Failed(failure)) => {
                let build = Build {
                    source_blake3,
                    time_factor: over.time_factor,
                    error: Some(words(&failure.reason, &failure.message)),
                    colored: failure.colored.map(|text| words(&failure.reason, &text)),
                    beside: Box::new(failure.beside),
                    ..Build::default()
                };
                return Ok(BuildOutcome::Refused { limits, build });
            }
            Err(error) => return impossible(error.notice()),
        };
        let build = Build {
            cached: artifact.cached,
            time: (!artifact.cached).then_some(artifact.build_time),
            source_blake3,
            time_factor: over.time_factor,
            warnings: artifact.warnings().map(str::to_owned),
            colored: artifact.message.colored.clone(),
            beside: Box::new(artifact.beside.clone()),
            error: None,
        };
        let code = code_of(&entry.language, &|extension| {
            let language = self.tools.languages.by_extension(extension.to_str()?)?;
            Some(language.id.clone())
        });
        let language = SourceLanguage { id: entry.language.clone(), code };
        // It cannot be set already: the queue hands out each build once.
        let mut ready = ReadySubmission::new(problem, artifact, of_cases, language, programs);
        if entry.is_answers() && archive::is_at(&entry.path) {
            ready.unpacked = Some(archive::unpack(&entry.path));
        }
        let _ = self.ready[submission].set(ready);
        Ok(BuildOutcome::Ready { limits, build })
    }

    fn compile(
        &self,
        entry: &Submission,
        problem: &Problem,
        runner: &mut Runner,
    ) -> Result<Built, CompileError> {
        if entry.language == UNKNOWN {
            let why = match entry.path.extension() {
                Some(end) if ["in", "ans", "out"].iter().any(|part| end == *part) => {
                    let case = entry.path.file_stem().unwrap_or_default().display();
                    let why =
                        format!("it is a file of a test case; to judge on that: `--case {case}`");
                    return Ok(Built::Failed(CompileFailure::without_compiler(why)));
                }
                Some(end) => format!("`.{}` is the extension of no known language", end.display()),
                None => "without an extension, its language is not known".to_owned(),
            };
            let why = format!("{why}; `rejudge languages` lists them");
            return Ok(Built::Failed(CompileFailure::without_compiler(why)));
        }
        let languages = self.tools.languages;
        let language = languages.get(&entry.language).expect("discovery knows the language");
        // A package has its submissions on purpose, and some languages have programs without text.
        if !problem.is_in_submissions(&entry.path) && is_blank(&entry.path) {
            let why = "the source is empty".to_owned();
            return Ok(Built::Failed(CompileFailure::without_compiler(why)));
        }
        let run = &mut |job: &Job, input: Input| run_fairly(runner, job, input);
        let entrypoint = entry.entrypoint.as_deref();
        let terms = Terms::of_submission(problem);
        self.tools.compiler.compile_from(&entry.path, entrypoint, language, terms, run)
    }

    /// All checker programs that cases of `problem` may need.
    pub(crate) fn checkers(
        &self,
        problem: &Problem,
        runner: &mut Runner,
    ) -> InSandbox<CheckerPrograms, Notice> {
        let mut found = CheckerPrograms::default();
        let groups = problem.cases.iter().filter_map(TestCase::checker);
        let checkers = std::iter::once(&problem.checker).chain(groups).map(programs_of);
        let interactor = problem.interactor.iter();
        let interactor =
            interactor.map(|one| (std::slice::from_ref(&one.source), Protocol::Interactor));
        for (sources, protocol) in interactor.chain(checkers) {
            if let Some(why) = unfit(problem, sources) {
                return Ok(Err(Code::Conflict.says(why)));
            }
            for source in sources {
                if is_grammar(source) {
                    match output_grammar(source, problem) {
                        Ok(grammar) => found.grammars.insert(source.clone(), grammar),
                        Err(fault) => return Ok(Err(fault)),
                    };
                } else if !found.programs.contains_key(source) {
                    match self.checker_program(source, protocol, problem, runner)? {
                        Ok(program) => found.programs.insert(source.clone(), program),
                        Err(fault) => return Ok(Err(fault)),
                    };
                }
            }
        }
        Ok(Ok(found))
    }

    /// The program of a checker. Each program is built once in the whole run.
    fn checker_program(
        &self,
        source: &Path,
        protocol: Protocol,
        problem: &Problem,
        runner: &mut Runner,
    ) -> InSandbox<Arc<CheckerProgram>, Notice> {
        // The lock is held during the compilation: the next worker usually needs the same program.
        let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = programs.get(source) {
            return Ok(known.clone());
        }
        let built = self.build_checker(source, protocol, problem, runner)?;
        programs.insert(source.to_owned(), built.clone());
        Ok(built)
    }

    /// The program of a package's grader.
    pub(crate) fn grader(
        &self,
        source: &Path,
        problem: &Problem,
        runner: &mut Runner,
    ) -> InSandbox<Arc<CheckerProgram>, Notice> {
        self.checker_program(source, Protocol::Icpc, problem, runner)
    }

    fn build_checker(
        &self,
        source: &Path,
        protocol: Protocol,
        problem: &Problem,
        runner: &mut Runner,
    ) -> InSandbox<Arc<CheckerProgram>, Notice> {
        let shown = source.display();
        let run = &mut |job: &Job, input: Input| run_fairly(runner, job, input);
        let Tools { compiler, languages } = self.tools;
        let built = compiler.compile_program(source, languages, Terms::of_program(problem), run);
        Ok(match unless_interrupted(built)? {
            Ok(Built::Ready(artifact)) => {
                let limits = limits::of_validator(&problem.limits);
                let job = artifact.job(&limits, &[], WorkDir::Fresh);
                Ok(Arc::new(CheckerProgram {
                    protocol,
                    argv: job.argv,
                    args: Vec::new(),
                    call: Vec::new(),
                    convention: None,
                    env: job.env,
                    readable: job.readable,
                    own_paths: artifact.own_paths.clone(),
                    limits: job.limits,
                }))
            }
            Ok(Built::Failed(failure)) => Err(Code::BrokenProgram.says(format!(
                "the checker `{shown}` does not compile: {}",
                words(&failure.reason, &failure.message)
            ))),
            Err(error) => {
                Err(error.notice().of(format_args!("cannot build the checker `{shown}`")))
            }
        })
    }
}

impl ReadySubmission {
    /// The checker of a case.
    pub(crate) fn checker_of(&self, case: &TestCase) -> Checker {
        ready_checker(case.checker().unwrap_or(&self.checker), &self.programs)
    }
}

/// Separates errors that end the run (outer) from errors that only prevent judging one submission (inner).
fn unless_interrupted(compiled: Result<Built, CompileError>) -> InSandbox<Built, CompileError> {
    match compiled {
        Ok(compiled) => Ok(Ok(compiled)),
        Err(CompileError::Sandbox(error @ SandboxError::Interrupted)) => Err(error),
        Err(error) => Ok(Err(error)),
    }
}

/// Whether a source has no text. Whatever cannot be read has a fault of another kind.
fn is_blank(source: &Path) -> bool {
    let text = source.is_file().then(|| std::fs::read(source).ok()).flatten();
    text.is_some_and(|text| text.iter().all(u8::is_ascii_whitespace))
}

fn words(reason: &str, message: &str) -> String {
    if message.is_empty() { reason.to_owned() } else { format!("{reason}\n{message}") }
}
