//! Hydro: `ID/problem.yaml`, the statement, and `ID/testdata/` with its `config.yaml`.

use std::fmt::Write as _;

use super::bundle::Bundle;
use super::programs::{self, Calling};
use super::{ExportRequest, submissions};
use crate::checker_spec::{CheckerSpec, Convention, LineRule};
use crate::expectation::VerdictFolder;
use crate::import::{DraftText, quoted};
use crate::notice::Notice;
use crate::problem::Streams;
use crate::problem::scoring::{Aggregation, PointGroup, Points, Scoring};

/// The texts of statements that the system shows, and their names there.
const STATEMENTS: [(&str, &str); 4] = [
    ("statement/problem.en.md", "problem.md"),
    ("statement/problem.md", "problem.md"),
    ("problem_statement/problem.en.md", "problem.md"),
    ("problem_statement/problem.md", "problem.md"),
];

/// The cases of a subtask.
#[derive(Default)]
struct HydroSubtask {
    /// The lines of its settings.
    head: String,
    /// The lines of its cases.
    cases: String,
}

pub(super) fn fill(request: &ExportRequest<'_>, bundle: &mut Bundle) -> Result<(), Notice> {
    let root = request.id();
    let mut config = config(request, &root, bundle);
    config.push_str(&subtasks(request, &root, bundle)?);
    bundle.put(&format!("{root}/testdata/config.yaml"), config);
    let yaml = format!("pid: {}\ntitle: {}\ntag: []\n", quoted(&root), quoted(request.title()));
    bundle.put(&format!("{root}/problem.yaml"), yaml);
    let dir = &request.problem.dir;
    let mut found = STATEMENTS.iter().filter(|(path, _)| dir.join(path).is_file());
    if let Some((path, name)) = found.next() {
        bundle.copy(&format!("{root}/{name}"), &dir.join(path));
    } else {
        // The system imports no problem without a text.
        bundle.put(&format!("{root}/problem.md"), format!("# {}\n", request.title()));
        bundle.lose("a statement: the system shows Markdown, and the problem has none");
    }
    request.attachments(&format!("{root}/additional_file"), bundle)?;
    for submission in submissions::single_files(request, bundle) {
        // The system submits every file in these folders, whatever their names.
        let folder = submission.expected.one_folder().map_or("mixed", VerdictFolder::name);
        let file = submissions::file_name(&submission.path);
        let name = bundle.free(&format!("{root}/submissions/{folder}/{file}"));
        bundle.put_submission(&name, &submission.path);
        bundle.submissions += 1;
    }
    bundle.lose("the expectations of submissions: the system runs them and compares nothing");
    request.lose_settings_of_cases(bundle);
    request.lose_included(bundle);
    request.lose_required_samples(bundle);
    Ok(())
}

/// The limits, the checker and the interactor.
fn config(request: &ExportRequest<'_>, root: &str, bundle: &mut Bundle) -> String {
    let problem = request.problem;
    let data = format!("{root}/testdata");
    let mut text = String::new();
    if let Some(interactor) = programs::interactor(problem, bundle) {
        if interactor.then_check {
            bundle.lose("the check of the interactor's output: the interactor decides");
        }
        bundle.put_program(&data, "interactor.cc", &interactor.source);
        text.push_str("type: interactive\ninteractor: interactor.cc\n");
    } else {
        text.push_str("type: default\n");
        if problem.kind.interactive {
            bundle.lose_decisive("the interactive output validator, which this system cannot call");
        }
    }
    request.lose_further_passes(bundle);
    let milliseconds = (request.seconds(bundle) * 1000.0).round();
    let _ = writeln!(text, "time: {milliseconds}ms\nmemory: {}m", request.mebibytes());
    if let Streams::Stated(files) = &problem.streams {
        let stem =
            |name: &Option<String>, end: &str| name.as_ref()?.strip_suffix(end).map(str::to_owned);
        match (stem(&files.input, ".in"), stem(&files.output, ".out")) {
            (Some(input), Some(output)) if input == output => {
                let _ = writeln!(text, "filename: {}", quoted(&input));
            }
            _ if *files == crate::problem::StatedFiles::default() => {}
            _ => bundle.lose("the names of the files that solutions read and write"),
        }
    }
    checker(request, &data, &mut text, bundle);
    request.lose_input_validators(bundle);
    text
}

fn checker(request: &ExportRequest<'_>, data: &str, text: &mut String, bundle: &mut Bundle) {
    match request.checker(bundle) {
        CheckerSpec::Exact | CheckerSpec::Lines(LineRule::HydroStrict) => {
            text.push_str("checker_type: strict\n");
        }
        CheckerSpec::Lines(LineRule::Hydro) => text.push_str("checker_type: default\n"),
        CheckerSpec::Testlib { source }
        | CheckerSpec::Foreign { source, convention: Convention::DmojTestlib, .. }
            if programs::is_cpp(source) =>
        {
            bundle.put_program(data, "check.cc", source);
            text.push_str("checker_type: testlib\nchecker: check.cc\n");
        }
        CheckerSpec::Validator { source, args } if source.is_file() => {
            let end = source.extension().unwrap_or_default().to_string_lossy();
            let name = format!("validator.{}", if end == "cpp" { "cc" } else { &*end });
            bundle.put_program(data, &name, source);
            if !args.is_empty() {
                bundle.lose("the arguments of the output validator");
            }
            let _ = write!(text, "checker_type: kattis\nchecker: {name}\n");
        }
        other => {
            if let Some(source) = programs::comparison_or_fallback(other, Calling::Testlib, bundle)
            {
                bundle.put(&format!("{data}/check.cc"), source);
            }
            text.push_str("checker_type: testlib\nchecker: check.cc\n");
        }
    }
}

/// Adds the cases. Returns the list of subtasks.
fn subtasks(
    request: &ExportRequest<'_>,
    root: &str,
    bundle: &mut Bundle,
) -> Result<String, Notice> {
    let points = match &request.problem.scoring {
        Some(Scoring::Points(points)) => Some(points),
        Some(Scoring::Grading(_)) => {
            bundle.lose("the grading of groups");
            None
        }
        _ => None,
    };
    let mut subtasks: Vec<HydroSubtask> = points.map_or_else(
        || {
            vec![HydroSubtask {
                head: "  - id: 1\n    type: min\n    score: 100\n".to_owned(),
                ..HydroSubtask::default()
            }]
        },
        heads,
    );
    let is_other = |group: &PointGroup| {
        matches!(
            group.aggregation,
            Aggregation::Product | Aggregation::SumIfAll | Aggregation::Threshold(_)
        )
    };
    if points.is_some_and(|points| scored_groups(points).iter().any(is_other)) {
        bundle.lose("the score type of the task: the worst case of a subtask counts");
    }
    let cases = request.cases(bundle)?;
    let width = cases.len().to_string().len();
    for (case, number) in cases.into_iter().zip(1..) {
        let group = points.and_then(|points| {
            let name = &points.group_of(case.case.name())?.name;
            scored_groups(points).iter().position(|group| group.name == *name)
        });
        // A sample of a problem with points belongs to no subtask.
        if points.is_some() && group.is_none() {
            bundle.lose(format!("the sample `{}`, which has no points", case.case.name()));
            continue;
        }
        let name = format!("{number:0width$}");
        let subtask = &mut subtasks[group.unwrap_or(0)];
        let _ = writeln!(subtask.cases, "      - input: {name}.in\n        output: {name}.out");
        bundle.put_text(&format!("{root}/testdata/{name}.in"), DraftText::In(case.input));
        bundle.put_text(&format!("{root}/testdata/{name}.out"), case.answer);
        bundle.cases += 1;
    }
    let mut text = "subtasks:\n".to_owned();
    for HydroSubtask { head, cases } in subtasks {
        let _ = write!(text, "{head}    cases:\n{cases}");
    }
    Ok(text)
}

/// The groups with points: `secret` itself, if it has no groups.
fn scored_groups(points: &Points) -> &[PointGroup] {
    if points.groups.is_empty() { std::slice::from_ref(&points.secret) } else { &points.groups }
}

/// The settings of the subtasks of a problem with points.
fn heads(points: &Points) -> Vec<HydroSubtask> {
    let groups = scored_groups(points);
    let place = |name: &String| groups.iter().position(|group| group.name == *name);
    let heads = groups.iter().zip(1..).map(|(group, number)| {
        let kind = match group.aggregation {
            Aggregation::Sum => "sum",
            Aggregation::PassFail
            | Aggregation::Min
            | Aggregation::MinRoundedUp
            | Aggregation::SumIfAll
            | Aggregation::Product
            | Aggregation::Threshold(_) => "min",
            Aggregation::Max => "max",
        };
        let score = group.max.unwrap_or_default();
        let mut head = format!("  - id: {number}\n    type: {kind}\n    score: {score}\n");
        let required = group.require_pass.iter().filter_map(place);
        let required: Vec<String> = required.map(|place| (place + 1).to_string()).collect();
        if !required.is_empty() {
            let _ = writeln!(head, "    if: [{}]", required.join(", "));
        }
        HydroSubtask { head, ..HydroSubtask::default() }
    });
    heads.collect()
}
