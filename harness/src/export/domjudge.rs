//! `DOMjudge`: a package of the legacy format with `domjudge-problem.ini`, which every release imports.

use std::fmt::Write as _;

use super::bundle::Bundle;
use super::{ExportRequest, icpc, input_args, programs, samples, submissions};
use crate::checker_spec::CheckerSpec;
use crate::import::{DraftText, names, quoted};
use crate::notice::Notice;

/// The statements that the system shows, in its order, and their names in the archive.
const STATEMENTS: [(&str, &str); 6] = [
    ("statement/problem.pdf", "problem.pdf"),
    ("statement/problem.en.pdf", "problem.pdf"),
    ("problem_statement/problem.pdf", "problem.pdf"),
    ("problem_statement/problem.en.pdf", "problem.pdf"),
    ("problem.pdf", "problem.pdf"),
    ("problem.html", "problem.html"),
];

pub(super) fn fill(request: &ExportRequest<'_>, bundle: &mut Bundle) -> Result<(), Notice> {
    let problem = request.problem;
    let cases = request.cases(bundle)?;
    let given: Vec<&str> = cases.iter().map(|case| case.case.name()).collect();
    let case_names = names::cases(&given);
    for (case, name) in cases.into_iter().zip(case_names) {
        let talks = problem.kind.interactive || problem.kind.multi_pass;
        if !talks && samples::is_shown_otherwise(problem, case.case) {
            bundle.lose(format!("what is shown of `{}` in place of the case", case.case.name()));
        }
        bundle.put_text(&format!("data/{name}.in"), DraftText::In(case.input));
        bundle.put_text(&format!("data/{name}.ans"), case.answer);
        bundle.cases += 1;
    }
    request.lose_streams(bundle);
    if problem.scoring.is_some() {
        bundle.lose("the points: the first case that is not accepted decides");
    }
    request.lose_settings_of_cases(bundle);
    request.lose_included(bundle);
    let validation = validation(request, bundle);
    let yaml = format!(
        "problem_format_version: legacy\nname: {}\n{validation}limits:\n{}",
        quoted(request.title()),
        icpc::sizes(request)
    );
    bundle.put("problem.yaml", yaml.trim_end_matches("limits:\n"));
    let ini = ini(request, bundle);
    bundle.put("domjudge-problem.ini", ini);
    input_validator(request, bundle);
    statement(request, bundle);
    request.attachments(samples::ATTACHMENTS, bundle)?;
    samples::as_attachments(request, bundle);
    submissions::in_folders(request, None, bundle)
}

/// The lines of `domjudge-problem.ini`: the limit, and what the contest calls the problem.
fn ini(request: &ExportRequest<'_>, bundle: &mut Bundle) -> String {
    let mut text = format!("timelimit = {}\n", request.seconds(bundle));
    if let Some(entry) = request.entry {
        let _ = writeln!(text, "short-name = {}", quoted(&entry.label));
        if let Some(colour) = &entry.colour {
            let _ = writeln!(text, "color = {}", quoted(colour));
        }
    }
    text
}

/// The lines of `problem.yaml` about the output validator, which is added.
fn validation(request: &ExportRequest<'_>, bundle: &mut Bundle) -> String {
    let spec = request.checker(bundle).clone();
    let problem = request.problem;
    let mut text = String::new();
    let args = match &spec {
        CheckerSpec::Tokens(options) if problem.interactor.is_none() => {
            text.push_str("validation: default\n");
            programs::flags(options, bundle)
        }
        other => {
            let is_interactive =
                icpc::output_validator(request, other, "output_validators/validator", bundle);
            text.push_str("validation: custom");
            text.push_str(if is_interactive { " interactive" } else { "" });
            text.push_str(if problem.kind.multi_pass { " multi-pass\n" } else { "\n" });
            match other {
                CheckerSpec::Validator { args, .. } => args.clone(),
                _ => Vec::new(),
            }
        }
    };
    if !args.is_empty() {
        let _ = writeln!(text, "validator_flags: {}", quoted(&args.join(" ")));
    }
    text
}

/// Adds the input validator, if there is one: the system takes no more.
fn input_validator(request: &ExportRequest<'_>, bundle: &mut Bundle) {
    let problem = request.problem;
    input_args::lose(request, bundle);
    match programs::validators(problem, bundle).as_slice() {
        [] => {}
        [one] => programs::Adapted::input_validator(one).add("input_validators/validator", bundle),
        _ => bundle.lose("the input validators: this system takes one"),
    }
    let folder = problem.dir.join("input_validators");
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let own: Vec<_> = entries
        .map(|entry| entry.path())
        .filter(|path| {
            !crate::problem::is_ignored(&path.file_name().unwrap_or_default().to_string_lossy())
        })
        .collect();
    match own.as_slice() {
        [] => {}
        _ if !problem.is_package => {}
        [one] => programs::add_source("input_validators/validator", one, bundle),
        _ => bundle.lose("the input validators: this system takes one"),
    }
}

fn statement(request: &ExportRequest<'_>, bundle: &mut Bundle) {
    let dir = &request.problem.dir;
    let mut found = STATEMENTS.iter().filter(|(path, _)| dir.join(path).is_file());
    match found.next() {
        Some((path, name)) => bundle.copy(name, &dir.join(path)),
        None => {
            bundle.lose("a statement: the system shows PDF and HTML, and the problem has neither");
        }
    }
}
