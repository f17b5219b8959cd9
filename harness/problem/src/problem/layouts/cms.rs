//! CMS's `italy_yaml`: `task.yaml`, `input/inputN.txt`, `output/outputN.txt`, subtasks in `gen/GEN` or
//! `gen/cases.gen`, solutions in `sol/`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::archive;
use super::cms_gen;
use super::cms_scores::{self, ScoreType, ScoredSubtask};
use super::companion::mebibytes;
use super::fields::{Fields, TableFile};
use super::keys::Keys;
use super::points;
use super::scene::{CaseFileNames, ForeignSubmission, Gatherer, Scene, names_in};
use crate::checker_spec::{CheckerSpec, Convention, LineRule};
use crate::expectation::{Expectation, VerdictFolder};
use crate::name_text;
use crate::notice::{Code, Notices};
use crate::problem::yaml::Value;
use crate::problem::{Additions, Kind, LocalIncludes, Problem, ProblemLimits, Streams};

const FILE: &str = "task.yaml";

/// The keys of CMS's loader, of cmsMake and of task-maker.
const KEYS: Keys = Keys {
    known: &[
        "name",
        "nome_breve",
        "title",
        "nome",
        "time_limit",
        "timeout",
        "memory_limit",
        "memlimit",
        "infile",
        "outfile",
        "output_only",
        "n_input",
        "total_value",
        "score_type",
        "score_type_parameters",
        "num_processes",
        "user_io",
        // They concern contests, statements, and what contestants see.
        "version",
        "primary_language",
        "only_gen",
        "difficulty",
        "syllabuslevel",
        "feedback_level",
        "public_testcases",
        "risultati",
        "score_mode",
        "score_precision",
        "max_submission_number",
        "max_user_test_number",
        "min_submission_interval",
        "min_user_test_interval",
    ],
    known_starts: &["token_"],
    unused: &[
        "output_only_testcases",
        "output_optional_testcases",
        "controller_time_limit",
        "controller_wall_time_limit",
        "controller_memory_limit",
        "controller_process_limit",
        "interactive_concurrent",
    ],
    ..Keys::of("CMS")
};

/// The languages whose graders are compiled with solutions.
const LINKED: [&str; 2] = ["c", "cpp"];

/// Whether `dir` is a task of CMS.
pub(super) fn is_in(dir: &Path) -> bool {
    let has = |name: &str| dir.join(name).is_dir();
    dir.join(FILE).is_file() && (has("input") || has("gen") || has("sol") || is_of_terry(dir))
}

/// Whether the task is in the format of terry, CMS's companion for contests in which everyone gets an input of their own.
fn is_of_terry(dir: &Path) -> bool {
    dir.join("managers").is_dir() && dir.join("solutions").is_dir()
}

/// Reads the task.
pub(super) fn load(scene: &Scene<'_>, notices: &mut Notices) -> Option<Problem> {
    let root = scene.root;
    let path = root.join(FILE);
    let file = TableFile::read_of_python(&path, notices)?;
    let table = file.fields();
    if is_of_terry(root) && !root.join("sol").is_dir() {
        let shown = notices.show(&root.join("managers"));
        notices.error_help(
            Code::Unsupported.at(&shown, "tasks of terry, with `managers/`, are not supported"),
            "judge a folder of cases that its generator made: `rejudge SOLUTION --cases FOLDER`",
        );
        return None;
    }
    KEYS.name_unused(&table, notices);
    let output_only = is_output_only(&table);
    let limits = limits(&table, notices);
    let streams = streams(&table, notices)?;
    refuse_manager(scene, notices);
    let checker = checker(scene);
    if checker.is_none() {
        refuse_compiled_checker(scene, notices);
    }
    let plan = plan(root, &table, notices)?;
    let mut gatherer = Gatherer::new(*scene);
    for (group, number) in plan.cases() {
        let named = CaseFileNames {
            name: &format!("secret/{group}{number:03}"),
            input: &format!("input/input{number}.txt"),
            answer: Some(&format!("output/output{number}.txt")),
        };
        gatherer.add(&named, notices);
    }
    let help = if cms_gen::is_in(root) {
        "make the missing cases with `rejudge generate FOLDER`"
    } else {
        "generate the cases as the task's authors do: `cmsMake all`"
    };
    let cases = gatherer.finish(help, notices);
    let scoring = if let Some(scores) = &plan.scores {
        scores.warn_of_empty(&path, notices);
        scores.scoring(checker.is_some(), &cases)
    } else {
        let total = table.number("total_value", notices).unwrap_or(100.0);
        points::even_shares(total, &cases)
    };
    Some(Problem {
        kind: Kind { submit_answer: output_only, ..Kind::default() },
        title: table.text("title", notices).or_else(|| table.text("name", notices)),
        limits,
        checker: checker.unwrap_or(CheckerSpec::Lines(LineRule::Blanks)),
        streams,
        is_package: true,
        cases,
        scoring,
        additions: additions(scene),
        ..Problem::foreign(scene.root)
    })
}

/// Whether submissions are files of outputs. CMS's loader also reads a number.
fn is_output_only(table: &Fields<'_>) -> bool {
    let number = table.get("output_only").map(|node| &node.value);
    table.flag("output_only") || matches!(number, Some(Value::Number(number)) if *number != 0.0)
}

/// `infile` and `outfile`. CMS takes `input.txt` and `output.txt` for a missing key. If both are missing, solutions may
/// also use the standard streams, as with cmsMake: it connects them then, and older tasks use either.
pub(super) fn streams(table: &Fields<'_>, notices: &mut Notices) -> Option<Streams> {
    let names = ["infile", "outfile"].map(|key| table.text(key, notices));
    let [input, output] = names;
    let are_missing = input.is_none() && output.is_none();
    let input = input.or_else(|| Some("input.txt".to_owned()));
    let output = output.or_else(|| Some("output.txt".to_owned()));
    match table.stated_files(input, output, notices)? {
        Streams::Stated(files) if are_missing => Some(Streams::Either(files)),
        stated => Some(stated),
    }
}

fn limits(table: &Fields<'_>, notices: &mut Notices) -> ProblemLimits {
    let mut either = |keys: [&str; 2]| {
        let mut found = keys.iter().filter_map(|key| table.number(key, notices));
        found.next().filter(|number| *number > 0.0)
    };
    ProblemLimits {
        cpu_time: either(["time_limit", "timeout"])
            .map(|seconds| Duration::from_secs_f64(seconds.min(86_400.0))),
        memory: either(["memory_limit", "memlimit"]).map(mebibytes),
        ..ProblemLimits::default()
    }
}

/// Reports a manager, which talks with several processes of a solution.
fn refuse_manager(scene: &Scene<'_>, notices: &mut Notices) {
    for folder in ["check", "cor"] {
        let mut names = names_in(&scene.root.join(folder)).into_iter();
        if let Some(file) = names.find(|file| stem_of(file) == "manager") {
            let shown = notices.show(&scene.root.join(folder).join(file));
            scene.options.unless_checked(notices, |notices| {
                notices.error_help(
                    Code::Unsupported.at(&shown, "tasks with a manager are not supported"),
                    "choose another comparison: `--checker lines:blanks`, or `--checker PATH`",
                );
            });
        }
    }
}

/// Reports a checker that has no source in a known language.
fn refuse_compiled_checker(scene: &Scene<'_>, notices: &mut Notices) {
    for (folder, stem) in CHECKERS {
        let mut names = names_in(&scene.root.join(folder)).into_iter();
        if let Some(file) = names.find(|file| stem_of(file) == stem) {
            let shown = notices.show(&scene.root.join(folder).join(file));
            scene.options.unless_checked(notices, |notices| {
                notices.error_help(
                    Code::Unsupported.at(&shown, "the checker has no source in a known language"),
                    "choose another comparison: `--checker lines:blanks`, or `--checker PATH`",
                );
            });
        }
    }
}

/// The folders and the stems of checkers.
const CHECKERS: [(&str, &str); 2] = [("check", "checker"), ("cor", "correttore")];

fn stem_of(file: &str) -> String {
    let stem = Path::new(file).file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

/// The checker's source: `check/checker.*`, or `cor/correttore.*`.
fn checker(scene: &Scene<'_>) -> Option<CheckerSpec> {
    let source = CHECKERS.into_iter().find_map(|(folder, stem)| {
        let folder = scene.root.join(folder);
        let mut sources = names_in(&folder).into_iter().map(|name| folder.join(name));
        sources.find(|path| {
            let known = scene.language(path);
            known.is_some() && path.file_stem().is_some_and(|own| own == stem)
        })
    })?;
    if needs_testlib(scene.root, &source) {
        return Some(CheckerSpec::Testlib { source });
    }
    Some(CheckerSpec::Foreign { source, convention: Convention::Cms, call: Vec::new() })
}

/// Whether a checker is written with testlib, and the task has no header: those of the olympiads print points as CMS reads them,
/// the one that rejudge brings along does not.
fn needs_testlib(root: &Path, source: &Path) -> bool {
    const HEADER: &str = "testlib.h";
    let folder = source.parent().unwrap_or(root);
    let text = crate::plain_file::read(source).unwrap_or_default();
    let is_included = text.split(|byte| *byte == b'\n').any(|line| {
        let line = line.trim_ascii();
        line.starts_with(b"#") && memchr::memmem::find(line, HEADER.as_bytes()).is_some()
    });
    let mut places =
        [folder, root, Path::new("/usr/include"), Path::new("/usr/local/include")].into_iter();
    is_included && !places.any(|place| place.join(HEADER).exists())
}

/// `sol/grader.*` or `sol/stub.*`, which is compiled with the solutions of its language.
fn graders(scene: &Scene<'_>) -> Vec<(String, PathBuf)> {
    let folder = scene.root.join("sol");
    let graders = names_in(&folder).into_iter().filter_map(|name| {
        let path = folder.join(name_text::path(&name));
        let language = (scene.language_of)(path.extension()?)?;
        matches!(stem_of(&name).as_str(), "grader" | "stub").then_some((language, path))
    });
    graders.collect()
}

pub(super) fn additions(scene: &Scene<'_>) -> Additions {
    let mut local = LocalIncludes::within(scene.root);
    local.linked = graders(scene);
    Additions { local: Some(local), ..Additions::default() }
}

/// The cases of a task.
struct CasePlan {
    count: usize,
    /// `None`: all cases have the same share of the points.
    scores: Option<ScoreType>,
}

impl CasePlan {
    /// The folder and the number of each case. A case of several subtasks is judged in each of them; cases of none come last.
    fn cases(&self) -> Vec<(String, usize)> {
        let subtasks = match &self.scores {
            Some(ScoreType::Subtasks(subtasks)) => subtasks.as_slice(),
            Some(ScoreType::Sum(_)) | None => &[],
        };
        let mut all = Vec::new();
        let mut is_in_none = vec![true; self.count];
        for (subtask, number) in subtasks.iter().zip(1..) {
            for &case in &subtask.cases {
                all.push((format!("{number}/"), case));
                is_in_none[case] = false;
            }
        }
        let rest = (0..self.count).filter(|case| is_in_none[*case]);
        all.extend(rest.map(|case| (String::new(), case)));
        all
    }
}

/// The cases and their points: as `task.yaml` states them, otherwise as the list of generated cases does. `None`: one of them
/// is faulty.
fn plan(root: &Path, table: &Fields<'_>, notices: &mut Notices) -> Option<CasePlan> {
    let count = table.number(cms_scores::COUNT, notices).unwrap_or_default();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "bounded, and not negative"
    )]
    let count = count.min(1e6) as usize;
    if cms_scores::is_stated(table, notices) {
        let scores = Some(cms_scores::read(table, count, notices)?);
        return Some(CasePlan { count, scores });
    }
    let described = cms_gen::read(root, notices)?;
    let count = match (described.tests.len(), count) {
        (0, 0) => count_inputs(root),
        (0, count) => count,
        (listed, _) => listed,
    };
    let scores = (!described.subtasks.is_empty())
        .then(|| ScoreType::Subtasks(ScoredSubtask::consecutive(&described.subtasks)));
    Some(CasePlan { count, scores })
}

fn count_inputs(root: &Path) -> usize {
    let folder = root.join("input");
    (0..1_000_000).take_while(|number| folder.join(format!("input{number}.txt")).is_file()).count()
}

/// The sources in `sol/`. Only the model solutions have an expected verdict, by their names.
pub(super) fn submissions(scene: &Scene<'_>, notices: &mut Notices) -> Vec<ForeignSubmission> {
    let folder = scene.root.join("sol");
    let path = scene.root.join(FILE);
    let file = TableFile::read_of_python(&path, &mut Notices::default());
    if file.is_some_and(|file| is_output_only(&file.fields())) {
        return outputs(&folder, scene, notices);
    }
    let graders = graders(scene);
    let mut submissions = Vec::new();
    for path in sources_below(&folder) {
        let Some(language) = scene.language(&path) else {
            continue;
        };
        let stem = stem_of(&name_text::text(path.file_name().unwrap_or_default()));
        if !path.is_file() || ["grader", "stub", "template"].contains(&stem.as_str()) {
            continue;
        }
        let linked =
            graders.iter().any(|(id, _)| *id == language) && LINKED.contains(&language.as_str());
        if !graders.is_empty() && !linked {
            let shown = notices.show(&path);
            notices.warn(Code::Unsupported.at(
                &shown,
                "a grader for this language is missing or not supported; the solution is not judged",
            ));
            continue;
        }
        submissions.push(ForeignSubmission::new(path, expected_of(&stem)));
    }
    submissions
}

/// The files in `sol/` and in its folders, such as `sol/wrong/`.
fn sources_below(folder: &Path) -> Vec<PathBuf> {
    let below = |folder: &Path| -> Vec<PathBuf> {
        let names = names_in(folder).into_iter();
        names.map(|name| folder.join(name_text::path(&name))).collect()
    };
    let (folders, mut files): (Vec<PathBuf>, Vec<PathBuf>) =
        below(folder).into_iter().partition(|path| path.is_dir() && !path.is_symlink());
    files.extend(folders.iter().flat_map(|folder| below(folder)));
    files
}

/// What is expected of a submission with this stem.
fn expected_of(stem: &str) -> Expectation {
    match stem {
        "solution" | "soluzione" => Expectation::accepted(),
        _ => Expectation::of_any(&[VerdictFolder::Accepted, VerdictFolder::Rejected], &[]),
    }
}

/// The folders and archives of outputs in `sol/` of a task without programs.
fn outputs(folder: &Path, scene: &Scene<'_>, notices: &mut Notices) -> Vec<ForeignSubmission> {
    let mut submissions = Vec::new();
    for name in names_in(folder) {
        let path = folder.join(name_text::path(&name));
        let is_program = scene.is_source(&path);
        if path.is_dir() || archive::is_at(&path) {
            submissions.push(ForeignSubmission::new(path, expected_of(&stem_of(&name))));
        } else if is_program {
            let shown = notices.show(&path);
            let why = "submissions to this task are files of outputs; the program is not judged";
            notices.warn(Code::NotJudged.at(&shown, why));
        }
    }
    submissions
}
