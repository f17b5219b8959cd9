//! Mutants: accepted solutions with one change each, compiled.
//!
//! A sample is drawn with a seed. A mutant that does not compile, or that is the same program as a solution or as an
//! earlier mutant, is left out, and the next one of the sample takes its place.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use super::change::SourceChange;
use super::rules::changes;
use super::syntax::{ChangeKind, SourceSyntax, SyntaxTable};
use crate::attempts::run_fairly;
use crate::bench::RandomSource;
use crate::compile::{Artifact, Built, CompileError, Terms};
use crate::file_error::FileError;
use crate::judge::Tools;
use crate::language::Languages;
use crate::notice::Notice;
use crate::problem::{Additions, Problem};
use crate::sandbox::{Input, Job, Runner, RunnerSource, SandboxError};
use crate::submission::{Expectation, Submission};

/// Why no mutants can be made.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MutantError {
    /// A language names a family that does not exist.
    #[error("language `{language}`: {why}")]
    Syntax {
        /// The id of the language.
        language: String,
        /// What is wrong.
        why: Notice,
    },
    /// A source could not be compiled for a reason that is not its own.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// A file could not be read or written.
    #[error(transparent)]
    Io(#[from] FileError),
}

impl MutantError {
    /// Whether the user interrupted the work.
    pub(crate) fn is_interrupt(&self) -> bool {
        matches!(self, Self::Compile(CompileError::Sandbox(SandboxError::Interrupted)))
    }
}

fn io(action: &'static str, path: &Path) -> impl FnOnce(std::io::Error) -> MutantError {
    let named = FileError::on(action, path);
    move |source| named(source).into()
}

/// A solution that is changed.
#[derive(Debug)]
pub(crate) struct MutantParent {
    pub(crate) submission: Submission,
    pub(crate) text: String,
}

/// A mutant that is ready to be judged.
#[derive(Debug)]
pub(crate) struct Mutant {
    /// Its number in the report, from 1.
    pub(crate) number: usize,
    /// The index of the solution.
    pub(crate) parent: usize,
    pub(crate) change: SourceChange,
    /// Its source is in a temporary folder.
    pub(crate) submission: Submission,
}

/// The compiled mutants of a problem.
#[derive(Debug, Default)]
pub(crate) struct MutantSet {
    pub(crate) parents: Vec<MutantParent>,
    pub(crate) mutants: Vec<Mutant>,
    /// The additions of the problem, with which also mutants find the files that their solutions include.
    pub(crate) additions: Additions,
    /// The number of changes that the rules allow.
    pub(crate) possible: usize,
    pub(crate) not_compiled: usize,
    /// The number of mutants that are the same program as a solution or as another mutant.
    pub(crate) same: usize,
}

/// How to make mutants.
pub(crate) struct MutantPlan<'a> {
    pub(crate) problem: &'a Problem,
    /// The number of mutants.
    pub(crate) wanted: usize,
    pub(crate) seed: u64,
    pub(crate) tools: Tools<'a>,
    pub(crate) runners: &'a RunnerSource,
    /// The number of compilers that run at the same time.
    pub(crate) jobs: usize,
    /// A folder for the sources.
    pub(crate) folder: &'a Path,
}

/// The result of compiling a source.
enum CompiledSource {
    Failed,
    Ready(Option<blake3::Hash>),
}

/// Checks that the families of syntax exist which the languages of these submissions name.
pub(crate) fn check_families<'a>(
    languages: &Languages,
    submissions: impl Iterator<Item = &'a Submission>,
) -> Result<(), MutantError> {
    let used: BTreeSet<&str> = submissions.map(|one| one.language.as_str()).collect();
    used.into_iter().try_for_each(|id| syntax_of(languages, id).map(drop))
}

/// The syntax of the language with this id; `None`: there are no rules for it.
fn syntax_of(languages: &Languages, id: &str) -> Result<Option<SourceSyntax>, MutantError> {
    let language = languages.get(id);
    let family = language.and_then(|language| language.mutations.as_deref());
    let syntax = family.map(|family| SyntaxTable::load().get(family));
    syntax.transpose().map_err(|why| MutantError::Syntax { language: id.to_owned(), why })
}

impl MutantPlan<'_> {
    /// Makes mutants of these solutions. `on_step` gets the number of mutants that are ready.
    pub(crate) fn make(
        &self,
        solutions: &[Submission],
        on_step: &(dyn Fn(usize) + Sync),
    ) -> Result<MutantSet, MutantError> {
        let mut set = MutantSet::default();
        let mut candidates = Vec::new();
        for submission in solutions {
            if let Some((parent, changes)) = self.changes_of(submission)? {
                let index = set.parents.len();
                candidates.extend(changes.into_iter().map(|change| (index, change)));
                set.parents.push(parent);
            }
        }
        set.possible = candidates.len();
        let mut left = self.in_random_order(candidates).into_iter();
        let mut known = self.digests_of(&set.parents)?;
        let mut problem = self.problem.clone();
        let mut drawn = 0;
        while set.mutants.len() < self.wanted {
            let missing = self.wanted - set.mutants.len();
            let wave: Vec<Mutant> = left
                .by_ref()
                .take(missing)
                .map(|(parent, change)| {
                    drawn += 1;
                    self.written(drawn, &set.parents[parent], parent, change)
                })
                .collect::<Result<_, _>>()?;
            if wave.is_empty() {
                break;
            }
            let sources: Vec<&Submission> = wave.iter().map(|one| &one.submission).collect();
            for mutant in &wave {
                let place = &set.parents[mutant.parent].submission.path;
                problem.additions.compile_as(&mutant.submission.path, place);
            }
            let ready = set.mutants.len();
            let compiled = self.compiled(&problem, &sources, &|done| on_step(ready + done))?;
            for (mut mutant, compiled) in wave.into_iter().zip(compiled) {
                match compiled {
                    CompiledSource::Failed => set.not_compiled += 1,
                    CompiledSource::Ready(Some(digest)) if !known.insert(*digest.as_bytes()) => {
                        set.same += 1;
                    }
                    CompiledSource::Ready(_) => {
                        mutant.number = set.mutants.len() + 1;
                        set.mutants.push(mutant);
                    }
                }
            }
        }
        set.additions = problem.additions;
        Ok(set)
    }

    /// The changes of a solution; `None` if it is a folder, or if there are no rules for its language.
    fn changes_of(
        &self,
        submission: &Submission,
    ) -> Result<Option<(MutantParent, Vec<SourceChange>)>, MutantError> {
        let syntax = syntax_of(self.tools.languages, &submission.language)?;
        let Some(syntax) = syntax.filter(|_| submission.path.is_file()) else {
            return Ok(None);
        };
        let bytes = fs::read(&submission.path).map_err(io("read", &submission.path))?;
        let Ok(text) = String::from_utf8(bytes) else {
            return Ok(None);
        };
        let found = changes(&text, &syntax);
        let parent = MutantParent { submission: submission.clone(), text };
        Ok(Some((parent, found)))
    }

    /// The candidates in random order, so that all kinds are equally frequent at its start.
    fn in_random_order(
        &self,
        candidates: Vec<(usize, SourceChange)>,
    ) -> Vec<(usize, SourceChange)> {
        let mut random = RandomSource::new(self.seed);
        let mut kinds: BTreeMap<ChangeKind, Vec<(usize, SourceChange)>> = BTreeMap::new();
        for candidate in candidates {
            kinds.entry(candidate.1.kind).or_default().push(candidate);
        }
        for candidates in kinds.values_mut() {
            random.shuffle(candidates);
        }
        let mut order = Vec::new();
        while !kinds.is_empty() {
            kinds.retain(|_, candidates| {
                order.extend(candidates.pop());
                !candidates.is_empty()
            });
        }
        order
    }

    /// The compiled solutions themselves.
    fn digests_of(&self, parents: &[MutantParent]) -> Result<BTreeSet<[u8; 32]>, MutantError> {
        let sources: Vec<&Submission> = parents.iter().map(|one| &one.submission).collect();
        let compiled = self.compiled(self.problem, &sources, &|_| ())?.into_iter();
        Ok(compiled
            .filter_map(|one| match one {
                CompiledSource::Ready(digest) => digest.map(|digest| *digest.as_bytes()),
                CompiledSource::Failed => None,
            })
            .collect())
    }

    /// Writes the source of a mutant, under the name of the solution.
    fn written(
        &self,
        drawn: usize,
        parent: &MutantParent,
        index: usize,
        change: SourceChange,
    ) -> Result<Mutant, MutantError> {
        let folder = self.folder.join(drawn.to_string());
        fs::create_dir(&folder).map_err(io("create", &folder))?;
        let name = parent.submission.path.file_name().unwrap_or_default();
        let path = folder.join(name);
        fs::write(&path, change.apply(&parent.text)).map_err(io("write", &path))?;
        Ok(Mutant {
            number: 0,
            parent: index,
            submission: Submission {
                name: format!("{} mutant {drawn}", parent.submission.name),
                path,
                expected: Expectation::bare("any verdict"),
                ..parent.submission.clone()
            },
            change,
        })
    }

    /// Compiles the sources, several at the same time. The results have the order of the sources.
    fn compiled(
        &self,
        problem: &Problem,
        sources: &[&Submission],
        on_step: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<CompiledSource>, MutantError> {
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let results: Mutex<BTreeMap<usize, CompiledSource>> = Mutex::default();
        let work = || -> Result<(), CompileError> {
            let mut runner = self.runners.runner().map_err(CompileError::Sandbox)?;
            loop {
                let index = next.fetch_add(1, Ordering::Relaxed);
                let Some(source) = sources.get(index) else {
                    return Ok(());
                };
                let result = self.compile(problem, source, &mut runner)?;
                let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                results.insert(index, result);
                drop(results);
                on_step(done.fetch_add(1, Ordering::Relaxed) + 1);
            }
        };
        std::thread::scope(|scope| {
            let threads = self.jobs.clamp(1, sources.len().max(1));
            let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
            let ends = threads.into_iter().map(|thread| match thread.join() {
                Ok(end) => end,
                Err(panic) => std::panic::resume_unwind(panic),
            });
            ends.collect::<Result<Vec<()>, CompileError>>()
        })?;
        let results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(results.into_values().collect())
    }

    fn compile(
        &self,
        problem: &Problem,
        submission: &Submission,
        runner: &mut Runner,
    ) -> Result<CompiledSource, CompileError> {
        let languages = self.tools.languages;
        let language = languages.get(&submission.language).expect("discovery knows the language");
        let run = &mut |job: &Job, input: Input| run_fairly(runner, job, input);
        let built = self.tools.compiler.compile_from(
            &submission.path,
            submission.entrypoint.as_deref(),
            language,
            Terms::of_submission(problem),
            run,
        )?;
        Ok(match built {
            Built::Ready(Artifact { program_digest, .. }) => CompiledSource::Ready(program_digest),
            Built::Failed(_) => CompiledSource::Failed,
        })
    }
}
