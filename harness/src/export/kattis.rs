//! The legacy version of the package format, as problemtools reads it: `problem_statement/`, `output_validators/`,
//! `testdata.yaml`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use super::bundle::Bundle;
use super::kattis_facts::{PackageFacts, statements};
use super::kattis_points as points;
use super::{BundledCase, ExportRequest, icpc, input_args, programs, samples, submissions};
use crate::checker_spec::CheckerSpec;
use crate::expectation::VerdictFolder;
use crate::import::{DraftText, names, points as converted, quoted};
use crate::notice::{Notice, Notices};
use crate::problem::scoring::{Points, Scoring};
use crate::problem::yaml::Value;
use crate::problem::{Format, Problem, TestCase, read_yaml};

/// The folders that both versions have.
const SAME_FOLDERS: [&str; 2] = ["attachments", "include"];

/// The folders that only 2025-09 or tools have.
const OTHER_FOLDERS: [&str; 10] = [
    "generators",
    "solution",
    "answer_validators",
    "static_validator",
    "input_visualizer",
    "output_visualizer",
    "data/invalid_input",
    "data/invalid_answer",
    "data/invalid_output",
    "data/valid_output",
];

/// Files of a case that both versions have.
const SAME_ENDS: [&str; 5] = ["interaction", "png", "jpg", "jpeg", "svg"];

/// The folders of submissions that problemtools reads.
const FOLDERS: [VerdictFolder; 5] = [
    VerdictFolder::Accepted,
    VerdictFolder::PartiallyAccepted,
    VerdictFolder::WrongAnswer,
    VerdictFolder::RunTimeError,
    VerdictFolder::TimeLimit,
];

pub(super) fn fill(request: &ExportRequest<'_>, bundle: &mut Bundle) -> Result<(), Notice> {
    let problem = request.problem;
    if is_copied(problem) {
        return icpc::fill(request, bundle);
    }
    request.lose_streams(bundle);
    if problem.kind.submit_answer {
        bundle.lose_decisive("submissions that are answers");
    }
    let cases = request.cases(bundle)?;
    let given: Vec<&str> = cases.iter().map(|case| case.case.name()).collect();
    let (case_names, folders) = case_names(problem, &given);
    let mut settings = scores(problem, &folders, bundle);
    arguments(request, &cases, &case_names, &mut settings, bundle);
    for (case, name) in cases.into_iter().zip(&case_names) {
        own_files(problem, case.case, name, bundle);
        bundle.put_text(&format!("data/{name}.in"), DraftText::In(case.input));
        bundle.put_text(&format!("data/{name}.ans"), case.answer);
        bundle.cases += 1;
    }
    for (folder, text) in settings {
        let folder = if folder.is_empty() { folder } else { format!("{folder}/") };
        bundle.put(&format!("data/{folder}testdata.yaml"), text);
    }
    other_files(request, bundle)?;
    let yaml = yaml(request, bundle);
    bundle.put("problem.yaml", yaml);
    submissions::in_folders(request, None, bundle)?;
    lose_folders(request, bundle);
    Ok(())
}

/// Whether the problem is a legacy package already.
pub(super) fn is_copied(problem: &Problem) -> bool {
    problem.format == Format::Legacy && icpc::is_whole_package(problem)
}

/// The names of the cases below `data/`, and the folders of the groups with points.
fn case_names(problem: &Problem, given: &[&str]) -> (Vec<String>, Vec<String>) {
    let own = |points: &Points| points.groups.iter().map(|group| group.name.clone()).collect();
    match &problem.scoring {
        Some(Scoring::Points(all)) if problem.is_package => {
            (given.iter().map(|&name| name.to_owned()).collect(), own(all))
        }
        Some(Scoring::Points(all)) => match converted::of(all, given) {
            Ok(scored) => {
                let names: Vec<&str> = scored.names.iter().map(String::as_str).collect();
                let folders = scored.groups.into_iter().skip(1).map(|(folder, _)| folder);
                (names::cases(&names), folders.collect())
            }
            Err(_) => (names::cases(given), own(all)),
        },
        _ if problem.is_package => {
            (given.iter().map(|&name| name.to_owned()).collect(), Vec::new())
        }
        _ => (names::cases(given), Vec::new()),
    }
}

/// The settings of folders that state the points.
fn scores(problem: &Problem, folders: &[String], bundle: &mut Bundle) -> BTreeMap<String, String> {
    if let Some(lost) = problem.lost_points() {
        bundle.lose(lost);
    }
    match &problem.scoring {
        None => BTreeMap::new(),
        Some(Scoring::Grading(_)) => {
            bundle.lose_decisive("the grading of groups");
            BTreeMap::new()
        }
        Some(Scoring::Points(all)) => points::settings(all, folders).unwrap_or_else(|why| {
            bundle.lose_decisive(format!("the points: {why}"));
            BTreeMap::new()
        }),
    }
}

/// Adds the arguments of validators to the settings of folders. Those of single cases are lost.
fn arguments(
    request: &ExportRequest<'_>,
    cases: &[BundledCase<'_>],
    names: &[String],
    settings: &mut BTreeMap<String, String>,
    bundle: &mut Bundle,
) {
    let problem = request.problem;
    let validators = input_args::names(problem);
    let mut by_folder: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for (case, name) in cases.iter().zip(names) {
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let lines = lines_of(problem, case.case, &validators, bundle);
        by_folder.entry(folder).or_default().insert(lines);
    }
    for (folder, lines) in by_folder {
        let mut lines = lines.into_iter();
        if let (Some(one), None) = (lines.next(), lines.next()) {
            if !one.is_empty() {
                settings.entry(folder.to_owned()).or_default().push_str(&one);
            }
        } else {
            bundle
                .lose_decisive(format!("the different arguments of validators in `data/{folder}`"));
        }
    }
}

/// The lines of `testdata.yaml` for one case.
fn lines_of(
    problem: &Problem,
    case: &TestCase,
    validators: &[(String, String)],
    bundle: &mut Bundle,
) -> String {
    let mut text = String::new();
    let all: Vec<Vec<String>> =
        validators.iter().map(|(_, own)| input_args::of_case(case, own)).collect();
    if let Some(first) = all.first().filter(|first| !first.is_empty()) {
        if all.iter().any(|other| other != first) {
            bundle.lose("that input validators have different arguments: all get the same");
        }
        let _ = writeln!(text, "input_validator_flags: {}", quoted(&first.join(" ")));
    }
    let spec = case.checker().unwrap_or(&problem.checker);
    let flags = match spec {
        CheckerSpec::Tokens(options) if problem.interactor.is_none() => {
            programs::flags(options, bundle)
        }
        CheckerSpec::Validator { args, .. } => args.clone(),
        _ => Vec::new(),
    };
    if flags.iter().any(|flag| flag.contains(char::is_whitespace)) {
        bundle.lose_decisive("an argument of the output validator with a blank");
    }
    if !flags.is_empty() {
        let _ = writeln!(text, "output_validator_flags: {}", quoted(&flags.join(" ")));
    }
    text
}

/// The other files of a case of a package.
fn own_files(problem: &Problem, case: &TestCase, name: &str, bundle: &mut Bundle) {
    if !problem.is_package {
        return;
    }
    let file = |end: &str| problem.dir.join(format!("data/{}.{end}", case.name()));
    for end in SAME_ENDS {
        if file(end).is_file() {
            bundle.copy(&format!("data/{name}.{end}"), &file(end));
        }
    }
    let is_conversation = file("interaction").is_file();
    if !is_conversation && samples::is_shown_otherwise(problem, case) {
        bundle.lose(format!("what is shown of `{}` in place of the case", case.name()));
    }
    let settings = file("yaml");
    if !settings.is_file() {
        return;
    }
    let Some(Value::Map(keys)) =
        read_yaml(&settings, &mut Notices::default()).map(|node| node.value)
    else {
        return;
    };
    for (key, node) in keys {
        match (key.name.as_str(), node.value) {
            ("hint", Value::Text(text)) => bundle.put(&format!("data/{name}.hint"), text + "\n"),
            ("description", Value::Text(text)) => {
                bundle.put(&format!("data/{name}.desc"), text + "\n");
            }
            ("full_feedback", _) => bundle.lose("`full_feedback`"),
            _ => {}
        }
    }
}

/// The statement, the validators, and the folders that both versions have.
fn other_files(request: &ExportRequest<'_>, bundle: &mut Bundle) -> Result<(), Notice> {
    let problem = request.problem;
    request.lose_settings_of_cases(bundle);
    for (source, number) in programs::validators(problem, bundle).into_iter().zip(1..) {
        let folder = format!("input_validators/validator{number}");
        programs::Adapted::input_validator(source).add(&folder, bundle);
    }
    if !problem.is_package {
        return Ok(());
    }
    for folder in SAME_FOLDERS {
        let path = problem.dir.join(folder);
        if path.is_dir() {
            bundle.tree(folder, &path, request.place)?;
            bundle.fill_in(folder);
        }
    }
    samples::as_attachments(request, bundle);
    let validators = problem.dir.join("input_validators");
    if validators.is_dir() {
        bundle.tree("input_validators", &validators, request.place)?;
        bundle.fill_in("input_validators");
    }
    statements(request, bundle)?;
    for folder in OTHER_FOLDERS {
        if problem.dir.join(folder).is_dir() {
            bundle.lose(format!("`{folder}/`, which the legacy format does not have"));
        }
    }
    Ok(())
}

fn yaml(request: &ExportRequest<'_>, bundle: &mut Bundle) -> String {
    let problem = request.problem;
    let mut text = "problem_format_version: legacy\n".to_owned();
    if problem.kind.scoring {
        text.push_str("type: scoring\n");
    }
    // Without a value, problemtools warns and hides the results of groups, which 85 of 90 real packages show.
    if matches!(&problem.scoring, Some(Scoring::Points(all)) if !all.groups.is_empty()) {
        text.push_str("grading:\n  show_test_data_groups: true\n");
    }
    let _ = writeln!(text, "name: {}", quoted(request.title()));
    text.push_str(&PackageFacts::of(problem).lines(bundle));
    let spec = request.checker(bundle).clone();
    let is_default = matches!(&spec, CheckerSpec::Tokens(_)) && problem.interactor.is_none();
    if !is_default {
        let folder = "output_validators/validator";
        let is_interactive = icpc::output_validator(request, &spec, folder, bundle);
        let scores = problem.kind.scoring && points::validator_scores(problem);
        text.push_str("validation: custom");
        text.push_str(if is_interactive { " interactive" } else { "" });
        text.push_str(if scores { " score\n" } else { "\n" });
    }
    request.lose_further_passes(bundle);
    let mut limits = icpc::sizes(request);
    let margins = problem.margins;
    let _ = write!(
        limits,
        "  time_multiplier: {}\n  time_safety_margin: {}\n",
        margins.below, margins.above
    );
    if let Some(limit) = problem.limits.cpu_time {
        bundle.put(".timelimit", format!("{}\n", limit.as_secs_f64()));
        bundle.lose(format!(
            "the time limit of {} s: problemtools infers one, and only others read `.timelimit`",
            limit.as_secs_f64()
        ));
    }
    let _ = write!(text, "limits:\n{limits}");
    text
}

/// Lists the submissions in folders that problemtools does not read.
fn lose_folders(request: &ExportRequest<'_>, bundle: &mut Bundle) {
    for submission in request.submissions {
        let folder = submission.expected.one_folder();
        if folder.is_none_or(|folder| !FOLDERS.contains(&folder)) {
            let name = &submission.name;
            bundle.lose(format!("`{name}`, whose folder problemtools does not read"));
        }
    }
    let settings = Path::new("submissions/submissions.yaml");
    if request.problem.is_package && request.problem.dir.join(settings).is_file() {
        bundle.lose("`submissions/submissions.yaml`: only the folders state what is expected");
    }
}
