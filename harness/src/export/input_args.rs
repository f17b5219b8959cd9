//! The arguments of input validators, which a case or its group states.

use super::ExportRequest;
use super::bundle::Bundle;
use super::programs;
use super::sources::shown_name;
use crate::import::quoted;
use crate::problem::{Problem, TestCase, is_ignored};

/// The names of the input validators: in the archive, and in the problem.
pub(super) fn names(problem: &Problem) -> Vec<(String, String)> {
    let sources = problem.validators.iter();
    let numbered = sources.filter(|source| programs::is_cpp(source)).zip(1..);
    let mut names: Vec<(String, String)> = numbered
        .map(|(source, number)| (format!("validator{number}"), shown_name(source)))
        .collect();
    if problem.is_package {
        let folder = problem.dir.join("input_validators").read_dir();
        let own = folder.into_iter().flatten().flatten().map(|entry| shown_name(&entry.path()));
        let mut own: Vec<String> = own.filter(|name| !is_ignored(name)).collect();
        own.sort();
        names.extend(own.into_iter().map(|name| (name.clone(), name)));
    }
    names
}

/// The arguments of a validator on a case, without those of submissions, which the format adds.
pub(super) fn of_case(case: &TestCase, name: &str) -> Vec<String> {
    let mut args = case.input_validator_args(name);
    args.truncate(args.len() - case.args().len());
    args
}

/// The text of `NAME.yaml` for a case; `None`: no validator has arguments.
pub(super) fn yaml(case: &TestCase, names: &[(String, String)]) -> Option<String> {
    let list = |args: &[String]| {
        let words: Vec<String> = args.iter().map(|word| quoted(word)).collect();
        format!("[{}]", words.join(", "))
    };
    let all: Vec<Vec<String>> = names.iter().map(|(_, own)| of_case(case, own)).collect();
    let first = all.first()?;
    if all.iter().all(Vec::is_empty) {
        return None;
    }
    if all.iter().all(|args| args == first) {
        return Some(format!("input_validator_args: {}\n", list(first)));
    }
    let lines = names
        .iter()
        .zip(&all)
        .map(|((name, _), args)| format!("  {}: {}\n", quoted(name), list(args)));
    Some(format!("input_validator_args:\n{}", lines.collect::<String>()))
}

/// Lists the arguments, for a system that gives a validator at most its own: the test set and the group.
pub(super) fn lose(request: &ExportRequest<'_>, bundle: &mut Bundle) {
    let names = names(request.problem);
    let is_lost = |case: &&TestCase| {
        names.iter().any(|(_, name)| {
            let args = of_case(case, name);
            let mut words = args.chunks(2);
            !words.all(|pair| matches!(pair[0].as_str(), "--testset" | "--group"))
        })
    };
    if let Some(case) = request.problem.cases.iter().find(is_lost) {
        bundle.lose(format!(
            "the arguments of the input validators, such as those for `{}`",
            case.name()
        ));
    }
}
