//! The programs and grammars with which the cases of a problem are checked.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::checker::{Checker, CheckerProgram, OutputGrammar, Protocol};
use crate::checker_spec::CheckerSpec;
use crate::limits;
use crate::notice::{Code, Notice};
use crate::problem::{Problem, is_grammar, open_grammar};

/// What the checkers of a problem need, by their sources.
#[derive(Default)]
pub(crate) struct CheckerPrograms {
    pub(super) programs: HashMap<PathBuf, Arc<CheckerProgram>>,
    pub(super) grammars: HashMap<PathBuf, OutputGrammar>,
}

impl CheckerPrograms {
    /// A program that was built beforehand.
    pub(super) fn program(&self, source: &Path) -> CheckerProgram {
        let program = self.programs.get(source);
        CheckerProgram::clone(program.expect("every checker was built beforehand"))
    }
}

/// The checker that `spec` asks for, its program taken from `programs`.
pub(crate) fn ready_checker(spec: &CheckerSpec, programs: &CheckerPrograms) -> Checker {
    let program = |source: &Path| programs.program(source);
    let with_args =
        |source: &Path, args: &[String]| CheckerProgram { args: args.to_vec(), ..program(source) };
    match spec {
        CheckerSpec::Exact => Checker::Exact,
        CheckerSpec::Tokens(options) => Checker::Tokens(*options),
        CheckerSpec::Lines(rule) => Checker::Lines(*rule),
        CheckerSpec::FloatLines(rule) => Checker::FloatLines(*rule),
        CheckerSpec::Json(rule) => Checker::Json(*rule),
        CheckerSpec::Validator { source, .. } if programs.grammars.contains_key(source) => {
            Checker::Grammar(programs.grammars[source].clone())
        }
        CheckerSpec::Validator { source, args } | CheckerSpec::Static { source, args } => {
            Checker::Program(with_args(source, args))
        }
        CheckerSpec::Validators { sources, args } => Checker::Programs(
            sources
                .iter()
                .map(|source| {
                    let name = source.file_name().unwrap_or_default().to_string_lossy();
                    (name.into_owned(), with_args(source, args))
                })
                .collect(),
        ),
        CheckerSpec::Testlib { source } => Checker::Program(program(source)),
        CheckerSpec::Foreign { source, call, .. } => {
            Checker::Program(CheckerProgram { call: call.clone(), ..program(source) })
        }
    }
}

/// The sources of a checker's programs, and their protocol. A built-in checker has no programs.
pub(super) fn programs_of(spec: &CheckerSpec) -> (&[PathBuf], Protocol) {
    let protocol = match spec {
        CheckerSpec::Testlib { .. } => Protocol::Testlib,
        CheckerSpec::Static { .. } => Protocol::Static,
        CheckerSpec::Foreign { convention, .. } => Protocol::Foreign(*convention),
        _ => Protocol::Icpc,
    };
    (spec.sources(), protocol)
}

/// The grammar of outputs in a file.
pub(super) fn output_grammar(source: &Path, problem: &Problem) -> Result<OutputGrammar, Notice> {
    let time = limits::of_validator(&problem.limits).cpu_time;
    let grammar = open_grammar(source, &problem.additions).map_err(|fault| {
        let shown = source.display();
        Code::BrokenProgram.says(format!("the output validator `{shown}` {fault}"))
    })?;
    Ok(OutputGrammar::new(grammar, time))
}

/// Why a problem of this kind cannot be judged by this checker.
pub(super) fn unfit(problem: &Problem, sources: &[PathBuf]) -> Option<&'static str> {
    let talks = problem.is_interactive() && problem.interactor.is_none();
    match sources {
        [one] if is_grammar(one) && (talks || problem.kind.multi_pass) => Some(
            "an interactive or multi-pass problem needs an output validator that is a program, not a grammar",
        ),
        [_, _, ..] if sources.iter().any(|one| is_grammar(one)) => Some(
            "an output validator in Checktestdata must be the only one: write all of them as programs",
        ),
        [] if talks => Some("the problem is interactive but has no output validator"),
        [_, _, ..] if talks || problem.kind.multi_pass => Some(
            "an interactive or multi-pass problem must have exactly one output validator: merge them into one",
        ),
        _ => None,
    }
}
