//! Creates those cases of a problem that belong in the cache and are missing from it.
//!
//! It runs before a problem is judged. The cases must have the checksums in `large.toml`; processes
//! that do this at the same time write the same files.

use std::path::Path;

use super::before_judging;
use super::maker::Maker;
use super::plan::GenerationPlan;
use super::programs::MakeError;
use super::store;
use crate::compile::Compiler;
use crate::file_error::FileError;
use crate::language::Languages;
use crate::notice::{Code, Notice, Notices};
use crate::problem::{GeneratedCase, OnDemand, Problem};
use crate::sandbox::RunJob;

/// Why a case could not be created on demand.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum MaterialiseError {
    /// The plan cannot be read; holds the notices, joined.
    #[error("{0}")]
    Plan(String),
    /// The case could not be created.
    #[error("cannot create the case `{case}`")]
    Make {
        /// The case.
        case: String,
        /// The reason.
        source: MakeError,
    },
    /// `large.toml` does not fit `generators.yaml`, or its checksums are not those of the case.
    #[error(transparent)]
    Notice(#[from] Notice),
    /// The case cannot be written to the cache.
    #[error(transparent)]
    Store(#[from] FileError),
}

/// Creates the cases of `problem` that are missing from the cache and returns their number. Calls
/// `on_case` with the name of each case first. Skips cases that were filtered out.
pub(crate) fn materialise(
    problem: &Problem,
    languages: &Languages,
    compiler: &Compiler,
    run: &mut RunJob<'_>,
    on_case: &mut dyn FnMut(&str),
) -> Result<usize, MaterialiseError> {
    let made = make_generated(problem, (languages, compiler), run, on_case)?;
    let missing: Vec<&OnDemand> = missing(problem).collect();
    if missing.is_empty() {
        return Ok(made);
    }
    let plan = plan(&problem.dir)?;
    let mut maker = Maker::new(languages, compiler, run, &problem.dir);
    for one in &missing {
        let case = plan.cases.iter().find(|case| case.name == one.name).ok_or_else(|| {
            let what = "is listed in generators/large.toml, but not in generators/generators.yaml";
            Code::Conflict.says(format!("`{}` {what}", one.name)).help("run `rejudge generate`")
        })?;
        on_case(&one.name);
        let made = maker
            .make(&plan, case)
            .map_err(|source| MaterialiseError::Make { case: one.name.clone(), source })?;
        let sums = |one: &OnDemand| (one.input_blake3.clone(), one.answer_blake3.clone());
        let pair = made.pair();
        let entry = pair.map(|pair| store::entry(&one.name, pair)).transpose()?;
        if entry.as_ref().map(sums) != Some(sums(one)) {
            let what = "the generated case does not match its checksums in generators/large.toml";
            return Err(Code::Conflict
                .says(format!("`{}`: {what}", one.name))
                .help("run `rejudge generate --check` to compare, or `rejudge generate` to accept the new case")
                .into());
        }
        if let Some((input, answer)) = pair {
            store::write_if_missing(&one.input, input)?;
            store::write_if_missing(&one.answer, answer)?;
        }
    }
    Ok(made + missing.len())
}

/// Whether a case of `problem` that belongs in the cache is missing from it.
pub(crate) fn has_unmade(problem: &Problem) -> bool {
    missing(problem).next().is_some() || missing_generated(problem).next().is_some()
}

/// The large cases that are missing.
fn missing(problem: &Problem) -> impl Iterator<Item = &OnDemand> {
    let missing = problem.on_demand.iter().filter(|one| !is_there(one));
    missing.filter(|one| is_wanted(problem, &one.name))
}

/// The cases that generators make before they are judged, and that are missing.
fn missing_generated(problem: &Problem) -> impl Iterator<Item = &GeneratedCase> {
    let all = problem.generated.iter();
    let missing = all.filter(|one| !before_judging::is_there(one));
    missing.filter(|one| is_wanted(problem, &one.name))
}

/// Whether the case was not filtered out.
fn is_wanted(problem: &Problem, name: &str) -> bool {
    problem.cases.iter().any(|case| case.name() == name)
}

/// Makes the cases that generators of the package make before they are judged.
fn make_generated(
    problem: &Problem,
    tools: (&Languages, &Compiler),
    run: &mut RunJob<'_>,
    on_case: &mut dyn FnMut(&str),
) -> Result<usize, MaterialiseError> {
    let mut made = 0;
    for one in missing_generated(problem) {
        on_case(&one.name);
        let result = before_judging::make(problem, one, tools, run);
        result.map_err(|source| MaterialiseError::Make { case: one.name.clone(), source })?;
        made += 1;
    }
    Ok(made)
}

fn is_there(one: &OnDemand) -> bool {
    store::has_size(&one.input, one.input_bytes) && store::has_size(&one.answer, one.answer_bytes)
}

fn plan(dir: &Path) -> Result<GenerationPlan, MaterialiseError> {
    let mut notices = Notices::relative_to(None);
    let plan = GenerationPlan::read(dir, &mut notices).map(|mut plan| {
        plan.read_settings(&mut notices);
        plan
    });
    plan.filter(|_| notices.errors.is_empty()).ok_or_else(|| {
        let errors: Vec<String> = notices.errors.iter().map(ToString::to_string).collect();
        MaterialiseError::Plan(errors.join("\n"))
    })
}
