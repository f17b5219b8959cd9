//! The problem package format.

use std::fmt::Write as _;

use super::bundle::Bundle;
use super::programs::{self, Adapted, Calling};
use super::{ExportRequest, input_args, submissions};
use crate::checker_spec::{CheckerSpec, Convention};
use crate::import::{draft, names, points, quoted, time_limit_lines};
use crate::notice::Notice;
use crate::problem::scoring::Scoring;
use crate::problem::{Format, Problem};

/// The folders of a package that a package made from the facts has too.
const OTHER_FOLDERS: [&str; 11] = [
    "statement",
    "problem_statement",
    "solution",
    "attachments",
    "generators",
    "input_validators",
    "input_format_validators",
    "answer_validators",
    "include",
    "input_visualizer",
    "output_visualizer",
];

/// Collects a package: a package as it is, with the submissions that are elsewhere; other problems as 2025-09.
pub(super) fn fill(request: &ExportRequest<'_>, bundle: &mut Bundle) -> Result<(), Notice> {
    let problem = request.problem;
    let mut copied = None;
    request.lose_streams(bundle);
    if is_whole_package(problem) {
        let cases = problem.cases.iter();
        bundle.cases = cases.filter(|case| !case.is_static()).count();
        if request.is_configured {
            bundle.lose(format!(
                "the settings of `[problems.{}]` in rejudge.toml: the package is copied as it is",
                problem.id
            ));
        }
        bundle.tree("", &problem.dir, request.place)?;
        copied = Some(problem.dir.join("submissions"));
        put_on_demand(problem, bundle);
        programs::lose_outside_testlib(&problem.dir, bundle);
    } else {
        made(request, bundle)?;
    }
    submissions::in_folders(request, copied.as_deref(), bundle)
}

/// Whether everything about the problem is in its package, and nothing in `rejudge.toml`.
pub(super) fn is_whole_package(problem: &Problem) -> bool {
    let is_of_format = |checker: &CheckerSpec| {
        matches!(
            checker,
            CheckerSpec::Tokens(_)
                | CheckerSpec::Validator { .. }
                | CheckerSpec::Validators { .. }
                | CheckerSpec::Static { .. }
        )
    };
    problem.is_package
        && problem.dir.is_dir()
        && problem.interactor.is_none()
        && is_of_format(&problem.checker)
}

/// Adds the cases that are not in the repository.
fn put_on_demand(problem: &Problem, bundle: &mut Bundle) {
    for case in &problem.on_demand {
        bundle.copy(&format!("data/{}.in", case.name), &case.input);
        bundle.copy(&format!("data/{}.ans", case.name), &case.answer);
    }
}

/// A package made from the facts about the problem.
fn made(request: &ExportRequest<'_>, bundle: &mut Bundle) -> Result<(), Notice> {
    let problem = request.problem;
    let cases = request.cases(bundle)?;
    let given: Vec<&str> = cases.iter().map(|case| case.case.name()).collect();
    let (mut case_names, mut groups) = (names::cases(&given), Vec::new());
    if let Some(lost) = problem.lost_points() {
        bundle.lose(lost);
    }
    match &problem.scoring {
        None => {}
        Some(Scoring::Points(all)) => match points::of(all, &given) {
            Ok(scored) => {
                let scored_names: Vec<&str> = scored.names.iter().map(String::as_str).collect();
                (case_names, groups) = (names::cases(&scored_names), scored.groups);
            }
            Err(why) => bundle.lose(format!("the points: a package cannot have {why}")),
        },
        Some(Scoring::Grading(_)) => bundle.lose("the grading of groups"),
    }
    let validators = input_args::names(problem);
    for (case, name) in cases.into_iter().zip(case_names) {
        if let Some(text) = input_args::yaml(case.case, &validators) {
            bundle.put(&format!("data/{name}.yaml"), text);
        }
        bundle.put_text(&format!("data/{name}.in"), crate::import::DraftText::In(case.input));
        bundle.put_text(&format!("data/{name}.ans"), case.answer);
        bundle.cases += 1;
    }
    let is_scored = !groups.is_empty();
    for (folder, text) in groups {
        bundle.put(&format!("data/{folder}/test_group.yaml"), text);
    }
    if problem.is_package {
        for folder in OTHER_FOLDERS {
            let path = problem.dir.join(folder);
            if path.is_dir() {
                bundle.tree(folder, &path, request.place)?;
            }
        }
    }
    let is_interactive = checker(request, "output_validator", bundle);
    input_validators(problem, bundle);
    request.lose_settings_of_cases(bundle);
    bundle.put("problem.yaml", yaml(request, is_scored, is_interactive));
    Ok(())
}

/// Adds the validator, or the arguments of the default one. Returns whether it is interactive.
fn checker(request: &ExportRequest<'_>, folder: &str, bundle: &mut Bundle) -> bool {
    let spec = request.checker(bundle).clone();
    if let CheckerSpec::Tokens(options) = &spec
        && request.problem.interactor.is_none()
    {
        let flags = programs::flags(options, bundle);
        let words: Vec<String> = flags.iter().map(|word| quoted(word)).collect();
        if !words.is_empty() {
            let text = format!("output_validator_args: [{}]\n", words.join(", "));
            bundle.put("data/test_group.yaml", text);
        }
        return request.problem.kind.interactive;
    }
    output_validator(request, &spec, folder, bundle)
}

/// Adds a program that decides like the problem's checker and interactor. Returns whether it is interactive.
pub(super) fn output_validator(
    request: &ExportRequest<'_>,
    spec: &CheckerSpec,
    folder: &str,
    bundle: &mut Bundle,
) -> bool {
    let problem = request.problem;
    if let Some(interactor) = programs::interactor(problem, bundle) {
        let is_testlib = matches!(spec, CheckerSpec::Testlib { source } | CheckerSpec::Foreign { source, convention: Convention::DmojTestlib, .. } if programs::is_cpp(source));
        let fallen = (interactor.then_check && spec.is_program() && !is_testlib)
            .then(|| programs::fallback(spec, bundle));
        let spec = fallen.as_ref().unwrap_or(spec);
        let checker = match spec {
            CheckerSpec::Testlib { source }
            | CheckerSpec::Foreign { source, convention: Convention::DmojTestlib, .. }
                if interactor.then_check && is_testlib =>
            {
                Some(source.as_path())
            }
            _ => None,
        };
        Adapted::interactor(&interactor.source, checker).add(folder, bundle);
        if interactor.then_check
            && checker.is_none()
            && let Some(source) = programs::comparison(spec, Calling::Testlib, bundle)
        {
            bundle.put(&format!("{folder}/compare.cpp"), source);
            let build = "#!/bin/sh\n# Compiles the programs.\nset -e\ncd \"$(dirname \"$0\")\"\n\
                         g++ -O2 -std=c++17 -o checker compare.cpp\n";
            let build = format!("{build}g++ -O2 -std=c++17 -o interactor interactor.cpp\n");
            bundle.put_script(&format!("{folder}/build"), build);
        }
        return true;
    }
    match spec {
        CheckerSpec::Testlib { source }
        | CheckerSpec::Foreign { source, convention: Convention::DmojTestlib, .. }
            if programs::is_cpp(source) =>
        {
            Adapted::checker(source).add(folder, bundle);
        }
        CheckerSpec::Validator { source, args } => {
            programs::add_source(folder, source, bundle);
            if !args.is_empty() && problem.format == Format::V2025 {
                let words: Vec<String> = args.iter().map(|word| quoted(word)).collect();
                let text = format!("output_validator_args: [{}]\n", words.join(", "));
                bundle.put("data/test_group.yaml", text);
            }
        }
        other => {
            if let Some(source) =
                programs::comparison_or_fallback(other, Calling::Validator, bundle)
            {
                bundle.put(&format!("{folder}/compare.cpp"), source);
            }
        }
    }
    problem.kind.interactive
}

/// Adds the validators of inputs that are written with testlib. A package has its own in a folder.
fn input_validators(problem: &Problem, bundle: &mut Bundle) {
    for (source, number) in programs::validators(problem, bundle).into_iter().zip(1..) {
        Adapted::input_validator(source)
            .add(&format!("input_validators/validator{number}"), bundle);
    }
}

fn yaml(request: &ExportRequest<'_>, is_scored: bool, is_interactive: bool) -> String {
    let problem = request.problem;
    let mut kinds = vec![if is_scored { "scoring" } else { "pass-fail" }];
    kinds.extend(is_interactive.then_some("interactive"));
    kinds.extend(problem.kind.multi_pass.then_some("multi-pass"));
    kinds.extend(problem.kind.submit_answer.then_some("submit-answer"));
    let (id, title) = (request.id(), request.title());
    let mut text = format!(
        "problem_format_version: 2025-09\ntype: [{}]\nname: {}\nuuid: {}\n",
        kinds.join(", "),
        quoted(title),
        draft::uuid(&[title, &id])
    );
    text.push_str(&constants(&problem.additions.constants));
    let limits = limits(request);
    if !limits.is_empty() {
        let _ = write!(text, "limits:\n{limits}");
    }
    text
}

/// The lines of `constants`. A constant without variants is not a table, which the text of the format does not know.
fn constants(all: &[(String, String)]) -> String {
    let mut text = String::new();
    let variants: Vec<_> =
        all.iter().filter_map(|(name, value)| Some((name.split_once('.')?, value))).collect();
    for one in variants.chunk_by(|((left, _), _), ((right, _), _)| left == right) {
        let name = quoted(one[0].0.0);
        if let [((_, "value"), value)] = one {
            let _ = writeln!(text, "  {name}: {}", quoted(value));
            continue;
        }
        let _ = writeln!(text, "  {name}:");
        for ((_, variant), value) in one {
            let _ = writeln!(text, "    {}: {}", quoted(variant), quoted(value));
        }
    }
    if text.is_empty() {
        return text;
    }
    format!("constants:\n{text}")
}

/// The lines of `limits` that the problem states.
fn limits(request: &ExportRequest<'_>) -> String {
    let limits = &request.problem.limits;
    let mut text = String::new();
    if let Some(time) = limits.cpu_time {
        text.push_str(&time_limit_lines(time));
    }
    text.push_str(&sizes(request));
    if let Some(passes) = limits.validation_passes {
        let _ = writeln!(text, "  validation_passes: {passes}");
    }
    text
}

/// The lines of `limits` for memory and output, which both versions of the format have.
pub(super) fn sizes(request: &ExportRequest<'_>) -> String {
    let limits = &request.problem.limits;
    let mut text = String::new();
    if limits.memory.is_some() {
        let _ = writeln!(text, "  memory: {}", request.mebibytes());
    }
    let output = limits.output.or_else(|| request.problem.larger_default_output());
    if let Some(output) = output {
        let _ = writeln!(text, "  output: {}", output.get().div_ceil(1 << 20).max(1));
    }
    text
}
