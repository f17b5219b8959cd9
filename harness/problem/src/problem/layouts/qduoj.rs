//! A problem in an export of QDUOJ: `problem.json` next to `testcase/`.
//!
//! The problems in a file of HUSTOJ (`fps`) are unpacked to such folders too, and say so.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use super::companion::mebibytes;
use super::json;
use super::json_cases::{CaseText, written};
use super::points::{self, Share};
use super::qduoj_answers;
use super::qduoj_json::{CASES, FILE, HUSTOJ, QduojProblem};
use super::scene::{CaseFileNames, EMPTY, ForeignSubmission, Gatherer, Scene, names_in};
use crate::checker_spec::{CheckerSpec, LineRule};
use crate::name_text;
use crate::notice::{Code, Notice, Notices, visible};
use crate::plain_file;
use crate::problem::scoring::Aggregation;
use crate::problem::{Problem, ProblemLimits, natural_order};

/// The keys of an export that say nothing about judging.
const OTHER_KEYS: [&str; 12] = [
    "_id",
    "description",
    "difficulty",
    "display_id",
    "hint",
    "input_description",
    "io_mode",
    "languages",
    "output_description",
    "source",
    "tags",
    "test_case_id",
];

/// Whether `dir` is a problem of QDUOJ.
pub(super) fn is_in(dir: &Path) -> bool {
    dir.join(FILE).is_file() && dir.join(CASES).is_dir()
}

/// Reads `problem.json`.
fn read(dir: &Path, notices: &mut Notices) -> Option<QduojProblem> {
    let path = dir.join(FILE);
    let shown = notices.show(&path);
    let text = plain_file::read_text(&path).map_err(|error| Notice::unreadable(&shown, &error));
    match text.and_then(|text| json::parse(&text, &shown)) {
        Ok(problem) => Some(problem),
        Err(fault) => {
            notices.error(fault);
            None
        }
    }
}

/// Reads the problem.
pub(super) fn load(scene: &Scene<'_>, notices: &mut Notices) -> Option<Problem> {
    let read = read(scene.root, notices)?;
    let shown = notices.show(&scene.root.join(FILE));
    for key in read.others.keys().filter(|key| !OTHER_KEYS.contains(&key.as_str())) {
        let what =
            format!("has the key `{}`, which QDUOJ does not know; it is ignored", visible(key));
        notices.warn(Code::UnknownKey.of_file(&shown, what));
    }
    let templates = read.template.iter().flat_map(BTreeMap::values);
    if templates
        .into_iter()
        .any(|one| !(one.prepend.trim().is_empty() && one.append.trim().is_empty()))
    {
        notices.warn_help(
            Code::Unsupported
                .of_file(&shown, "has a `template` with code around solutions, which is added only to its own `answers`"),
            "judge solutions that are whole programs",
        );
    }
    let checker = checker(scene, &read, &shown, notices);
    let mut cases = samples(scene, &read, notices);
    let mut gatherer = Gatherer::new(*scene);
    let shares = gather(&read, scene.root, &mut gatherer, notices);
    let is_bare = shares.is_empty() && !cases.is_empty();
    if !is_bare {
        let help = "add the files to `testcase/`, or correct `test_case_score` in problem.json";
        cases.extend(gatherer.finish(help, notices));
    }
    let scored = read.rule_type.as_deref() == Some("OI");
    let positive = |limit: Option<f64>| limit.filter(|limit| limit.is_finite() && *limit > 0.0);
    Some(Problem {
        title: Some(read.title).filter(|title| !title.is_empty()),
        limits: ProblemLimits {
            cpu_time: positive(read.time_limit)
                .map(|limit| Duration::from_secs_f64((limit / 1000.0).min(86_400.0))),
            memory: positive(read.memory_limit).map(mebibytes),
            ..ProblemLimits::default()
        },
        checker,
        is_package: true,
        scoring: if scored { points::scoring(shares, &cases) } else { None },
        cases,
        ..Problem::foreign(scene.root)
    })
}

/// The samples that are not empty.
fn samples(
    scene: &Scene<'_>,
    read: &QduojProblem,
    notices: &mut Notices,
) -> Vec<crate::problem::TestCase> {
    let texts = read.samples.iter().zip(1..).map(|(sample, number)| CaseText {
        name: format!("sample/{number}"),
        input: sample.input.clone(),
        answer: Some(sample.output.clone()),
        checker: None,
    });
    let is_case = |text: &CaseText| {
        let answer = text.answer.as_deref().unwrap_or_default();
        !answer.trim().is_empty()
    };
    let texts: Vec<CaseText> = texts.filter(is_case).collect();
    if texts.is_empty() {
        return Vec::new();
    }
    written(&texts, &scene.root.join(FILE), notices).unwrap_or_default()
}

/// Adds the cases of `testcase/`. Returns their points.
fn gather(
    read: &QduojProblem,
    root: &Path,
    gatherer: &mut Gatherer<'_>,
    notices: &Notices,
) -> Vec<Share> {
    let mut listed: Vec<(String, String, Option<String>, f64)> = Vec::new();
    for case in read.test_case_score.iter().flatten() {
        let stem = case.input_name.strip_suffix(".in").unwrap_or(&case.input_name);
        let name = case.name.as_deref().unwrap_or(stem).to_owned();
        listed.push((name, case.input_name.clone(), case.output_name.clone(), case.score));
    }
    if listed.is_empty() {
        let names = names_in(&root.join(CASES));
        let stems = names.iter().filter_map(|name| name.strip_suffix(".in"));
        listed = stems.map(|stem| (stem.to_owned(), format!("{stem}.in"), None, 0.0)).collect();
        listed.sort_by(|a, b| natural_order(&a.0, &b.0));
    }
    let mut shares = Vec::new();
    for (name, input, output, points) in listed {
        let output = output
            .unwrap_or_else(|| format!("{}.out", input.strip_suffix(".in").unwrap_or(&input)));
        let answer = format!("{CASES}/{output}");
        // An export of a problem with a checker has no outputs.
        let is_empty = read.spj.is_some() && !root.join(name_text::path(&answer)).is_file();
        let name = name.replace(['/', '\\'], "-");
        let case = CaseFileNames {
            name: &format!("secret/{name}"),
            input: &format!("{CASES}/{input}"),
            answer: Some(if is_empty { EMPTY } else { &answer }),
        };
        gatherer.add(&case, notices);
        shares.push(Share { aggregation: Aggregation::Sum, ..Share::whole(name, points) });
    }
    shares
}

/// The comparison of the judge, or the checker of the problem.
fn checker(
    scene: &Scene<'_>,
    read: &QduojProblem,
    shown: &str,
    notices: &mut Notices,
) -> CheckerSpec {
    let is_hustoj = read.judge.as_deref() == Some(HUSTOJ);
    let usual = if is_hustoj { LineRule::Trimmed } else { LineRule::Stripped };
    let Some(spj) = &read.spj else {
        return CheckerSpec::Lines(usual);
    };
    match qduoj_answers::checker(scene, spj, is_hustoj) {
        Ok(Some(checker)) => return checker,
        Ok(None) => scene.options.unless_checked(notices, |notices| {
            let language = visible(&spj.language);
            notices.error_help(
                Code::Unsupported.of_file(
                    shown,
                    format!("has a checker in the language `{language}`; this is not supported"),
                ),
                "choose one with `--checker`",
            );
        }),
        Err(error) => notices.error(error.notice(&format!("the checker of {shown}"))),
    }
    CheckerSpec::default()
}

/// The answers, which were accepted, and the sources next to `problem.json`.
pub(super) fn submissions(scene: &Scene<'_>, notices: &mut Notices) -> Vec<ForeignSubmission> {
    // What is wrong with the file was reported when the problem was read.
    let Some(read) = read(scene.root, &mut Notices::default()) else {
        return Vec::new();
    };
    let shown = notices.show(&scene.root.join(FILE));
    qduoj_answers::submissions(scene, &read, &shown, notices)
}
