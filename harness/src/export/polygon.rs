//! Polygon: `problem.xml`, `tests/01` with `tests/01.a`, `check.cpp`, `solutions/`.

use std::fmt::Write as _;

use super::bundle::Bundle;
use super::programs::{self, Calling};
use super::{ExportRequest, input_args, submissions};
use crate::checker_spec::{CheckerSpec, Convention};
use crate::expectation::VerdictFolder;
use crate::import::DraftText;
use crate::notice::Notice;
use crate::problem::StatedFiles;
use crate::problem::Streams;
use crate::problem::scoring::{Aggregation, PointGroup, Points, Scoring};
use crate::submission::Submission;

/// The types of sources by language.
const TYPES: [(&str, &str); 8] = [
    ("c", "c.gcc"),
    ("cpp", "cpp.g++17"),
    ("java", "java21"),
    ("python3", "python.3"),
    ("kotlin", "kotlin19"),
    ("rust", "rust"),
    ("go", "go"),
    ("pascal", "pas.fpc"),
];

/// The files and folders of a problem's statement.
const STATEMENTS: [&str; 4] = ["statement", "problem_statement", "problem.pdf", "problem.html"];

/// The parts of `problem.xml`.
struct PolygonParts {
    tests: String,
    groups: String,
    assets: String,
}

pub(super) fn fill(request: &ExportRequest<'_>, bundle: &mut Bundle) -> Result<(), Notice> {
    let points = points(request, bundle);
    let tests = tests(request, points, bundle)?;
    let groups = points.map_or_else(String::new, groups);
    let mut assets = String::new();
    checker(request, &mut assets, bundle);
    validators(request, &mut assets, bundle);
    solutions(request, &mut assets, bundle);
    request.lose_settings_of_cases(bundle);
    request.lose_included(bundle);
    request.lose_attachments(bundle);
    request.lose_required_samples(bundle);
    lose_statement(request, bundle);
    let parts = PolygonParts { tests, groups, assets };
    let xml = xml(request, &parts, bundle);
    bundle.put("problem.xml", xml);
    Ok(())
}

/// The points that the format can state.
fn points<'a>(request: &ExportRequest<'a>, bundle: &mut Bundle) -> Option<&'a Points> {
    match &request.problem.scoring {
        None => None,
        Some(Scoring::Grading(_)) => {
            bundle.lose("the grading of groups");
            None
        }
        Some(Scoring::Points(points)) => {
            let groups = &points.groups;
            if groups
                .iter()
                .any(|group| !matches!(group.aggregation, Aggregation::PassFail | Aggregation::Sum))
            {
                bundle.lose("the minimum of the scores in a group: all cases must be accepted");
            }
            if groups.is_empty() && points.secret.aggregation != Aggregation::Sum {
                bundle.lose("the points without groups: all cases must be accepted");
            }
            if let Some(lost) = request.problem.lost_points() {
                bundle.lose(lost);
            }
            Some(points)
        }
    }
}

/// Lists the statement, which only a package of Polygon itself has as it needs it.
fn lose_statement(request: &ExportRequest<'_>, bundle: &mut Bundle) {
    let dir = &request.problem.dir;
    if STATEMENTS.iter().any(|name| dir.join(name).exists()) {
        bundle.lose("the statement: write it in Polygon");
    }
}

/// Adds the tests. Returns their elements.
fn tests(
    request: &ExportRequest<'_>,
    points: Option<&Points>,
    bundle: &mut Bundle,
) -> Result<String, Notice> {
    let mut text = String::new();
    for (case, number) in request.cases(bundle)?.into_iter().zip(1..) {
        let name = case.case.name();
        let mut element = "<test method=\"manual\"".to_owned();
        if name.starts_with("sample/") {
            element.push_str(" sample=\"true\"");
        }
        if let Some((points, group)) =
            points.and_then(|points| Some((points, points.group_of(name)?)))
        {
            if !points.groups.is_empty() {
                let _ = write!(element, " group=\"{}\"", escaped(short(group)));
            }
            let each = match group.aggregation {
                Aggregation::Sum => group.max_of_case().unwrap_or_default(),
                _ => 0.0,
            };
            let _ = write!(element, " points=\"{each}\"");
        }
        let _ = writeln!(text, "        {element}/>");
        bundle.put_text(&format!("tests/{number:02}"), DraftText::In(case.input));
        bundle.put_text(&format!("tests/{number:02}.a"), case.answer);
        bundle.cases += 1;
    }
    Ok(text)
}

fn short(group: &PointGroup) -> &str {
    group.name.strip_prefix("secret/").unwrap_or(&group.name)
}

fn groups(points: &Points) -> String {
    let mut text = String::new();
    for group in &points.groups {
        let policy = match group.aggregation {
            Aggregation::Sum => "each-test",
            Aggregation::PassFail
            | Aggregation::Min
            | Aggregation::MinRoundedUp
            | Aggregation::SumIfAll
            | Aggregation::Max
            | Aggregation::Product
            | Aggregation::Threshold(_) => "complete-group",
        };
        let _ = write!(
            text,
            "        <group name=\"{}\" points=\"{}\" points-policy=\"{policy}\"",
            escaped(short(group)),
            group.max.unwrap_or_default()
        );
        let required: Vec<&str> =
            group.require_pass.iter().filter_map(|name| name.strip_prefix("secret/")).collect();
        if required.is_empty() {
            text.push_str("/>\n");
            continue;
        }
        text.push_str(">\n          <dependencies>\n");
        for name in required {
            let _ = writeln!(text, "            <dependency group=\"{}\"/>", escaped(name));
        }
        text.push_str("          </dependencies>\n        </group>\n");
    }
    text
}

fn source_element(path: &str, kind: &str) -> String {
    format!("<source path=\"{}\" type=\"{kind}\"/>", escaped(path))
}

/// Adds the checker and the interactor.
fn checker(request: &ExportRequest<'_>, assets: &mut String, bundle: &mut Bundle) {
    let spec = request.checker(bundle).clone();
    let problem = request.problem;
    if problem.kind.interactive && problem.interactor.is_none() {
        bundle.lose_decisive("the interactive output validator, which this system cannot call");
    }
    request.lose_further_passes(bundle);
    match &spec {
        CheckerSpec::Testlib { source }
        | CheckerSpec::Foreign { source, convention: Convention::DmojTestlib, .. }
            if programs::is_cpp(source) =>
        {
            bundle.put_program("files", "check.cpp", source);
        }
        other => {
            if let Some(source) = programs::comparison_or_fallback(other, Calling::Testlib, bundle)
            {
                bundle.put("files/check.cpp", source);
            }
        }
    }
    let source = source_element("files/check.cpp", "cpp.g++17");
    let _ = writeln!(assets, "    <checker type=\"testlib\">\n      {source}\n    </checker>");
    if let Some(interactor) = programs::interactor(problem, bundle) {
        if !interactor.then_check {
            bundle.lose("the final verdict of the interactor: in Polygon, the checker also reads its output and decides");
        }
        bundle.put_program("files", "interactor.cpp", &interactor.source);
        let source = source_element("files/interactor.cpp", "cpp.g++17");
        let _ = writeln!(assets, "    <interactor>\n      {source}\n    </interactor>");
    }
}

fn validators(request: &ExportRequest<'_>, assets: &mut String, bundle: &mut Bundle) {
    let problem = request.problem;
    if problem.validators.is_empty() {
        request.lose_input_validators(bundle);
        return;
    }
    input_args::lose(request, bundle);
    assets.push_str("    <validators>\n");
    for source in programs::validators(problem, bundle) {
        let name = bundle.free(&format!("files/{}", submissions::file_name(source)));
        let last = name.strip_prefix("files/").unwrap_or(&name);
        bundle.put_program("files", last, source);
        let source = source_element(&name, "cpp.g++17");
        let _ = writeln!(assets, "      <validator>\n        {source}\n      </validator>");
    }
    assets.push_str("    </validators>\n");
}

fn solutions(request: &ExportRequest<'_>, assets: &mut String, bundle: &mut Bundle) {
    assets.push_str("    <solutions>\n");
    let mut main = false;
    for submission in submissions::single_files(request, bundle) {
        let Some(mut tag) = tag(submission) else {
            let (name, label) = (&submission.name, &submission.expected.label);
            bundle.lose(format!("`{name}`: no tag of a solution means `{label}`"));
            continue;
        };
        if tag == "accepted" && !std::mem::replace(&mut main, true) {
            tag = "main";
        }
        let mut types = TYPES.iter();
        let kind = types.find(|(language, _)| *language == submission.language);
        let Some((_, kind)) = kind else {
            bundle.lose(format!("`{}`, whose language this system does not have", submission.name));
            continue;
        };
        let name = bundle.free(&format!("solutions/{}", submissions::file_name(&submission.path)));
        bundle.put_submission(&name, &submission.path);
        bundle.submissions += 1;
        let source = source_element(&name, kind);
        let _ =
            writeln!(assets, "      <solution tag=\"{tag}\">\n        {source}\n      </solution>");
    }
    assets.push_str("    </solutions>\n");
}

/// The tag of a solution; `None`: no tag means what is expected of it.
fn tag(submission: &Submission) -> Option<&'static str> {
    Some(match submission.expected.one_folder()? {
        VerdictFolder::Accepted => "accepted",
        VerdictFolder::SlowAccepted => "time-limit-exceeded-or-accepted",
        VerdictFolder::WrongAnswer => "wrong-answer",
        VerdictFolder::TimeLimit => "time-limit-exceeded",
        VerdictFolder::MemoryLimit => "memory-limit-exceeded",
        VerdictFolder::RunTimeError
        | VerdictFolder::Rejected
        | VerdictFolder::PartiallyAccepted
        | VerdictFolder::OutputLimit => "rejected",
        VerdictFolder::BruteForce => "time-limit-exceeded-or-memory-limit-exceeded",
        VerdictFolder::CompileError => return None,
    })
}

fn xml(request: &ExportRequest<'_>, parts: &PolygonParts, bundle: &mut Bundle) -> String {
    let milliseconds = (request.seconds(bundle) * 1000.0).round();
    let memory = request.mebibytes() << 20;
    let files = match &request.problem.streams {
        Streams::Stated(files) => files.clone(),
        Streams::Unstated | Streams::Either(_) => StatedFiles::default(),
    };
    let [input, output] =
        [files.input, files.output].map(|name| escaped(&name.unwrap_or_default()));
    let groups = if parts.groups.is_empty() {
        String::new()
    } else {
        format!("      <groups>\n{}      </groups>\n", parts.groups)
    };
    format!(
        "<?xml version=\"1.0\" encoding=\"utf-8\" standalone=\"no\"?>\n\
         <problem revision=\"1\" short-name=\"{}\">\n\
         \x20 <names>\n    <name language=\"english\" value=\"{}\"/>\n  </names>\n\
         \x20 <judging cpu-name=\"\" cpu-speed=\"\" input-file=\"{input}\" output-file=\"{output}\">\n\
         \x20   <testset name=\"tests\">\n\
         \x20     <time-limit>{milliseconds}</time-limit>\n\
         \x20     <memory-limit>{memory}</memory-limit>\n\
         \x20     <test-count>{}</test-count>\n\
         \x20     <input-path-pattern>tests/%02d</input-path-pattern>\n\
         \x20     <answer-path-pattern>tests/%02d.a</answer-path-pattern>\n\
         \x20     <tests>\n{}      </tests>\n{groups}\
         \x20   </testset>\n  </judging>\n  <assets>\n{}  </assets>\n</problem>\n",
        request.id(),
        escaped(request.title()),
        bundle.cases,
        parts.tests,
        parts.assets
    )
}

/// A text as the value of an attribute.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}
