//! omegaUp: `cases/` with `settings.json` or `testplan` beside it.

use std::path::{Component, Path, PathBuf};

use super::fields::{Fields, TableFile};
use super::omegaup_cases::{OmegaUpCases, PLAN};
use super::omegaup_settings::{self, OmegaUpSettings, spelled};
use super::points;
use super::scene::{ForeignSubmission, Gatherer, Scene, inside, names_in};
use crate::checker_spec::{CheckerSpec, Convention, TokenOptions};
use crate::expectation::{Expectation, Rule, VerdictFolder};
use crate::name_text;
use crate::notice::{Code, Notices, few, visible};
use crate::plain_file;
use crate::problem::Problem;
use crate::problem::scoring::{Aggregation, PartRule, Scoring};
use crate::problem::yaml::Value;

pub(super) const SETTINGS: &str = "settings.json";
const TESTS: &str = "tests/tests.json";

/// Whether `dir` is a problem of omegaUp.
pub(super) fn is_in(dir: &Path) -> bool {
    let has_inputs =
        || names_in(&dir.join("cases")).iter().any(|name| name.strip_suffix(".in").is_some());
    let has_settings = || {
        let text = plain_file::read_text(&dir.join(SETTINGS)).unwrap_or_default();
        ["imits\"", "alidator\"", "\"Cases\""].iter().any(|key| text.contains(key))
    };
    let interactive = dir.join("interactive").is_dir();
    let described = || dir.join(PLAN).is_file() || has_settings();
    (has_inputs() || interactive && has_settings()) && described()
}

/// Reads the problem.
pub(super) fn load(scene: &Scene<'_>, notices: &mut Notices) -> Option<Problem> {
    let faults = notices.errors.len();
    let path = scene.root.join(SETTINGS);
    let file = if path.is_file() {
        TableFile::read_of_python(&path, notices)?
    } else {
        let shown = notices.show(scene.root);
        notices.warn_help(
            Code::MissingSettings
                .of_file(&shown, "has no settings.json; the limits are rejudge's own"),
            "state them with `--time-limit` and `--memory-limit`, or add settings.json",
        );
        TableFile::empty(&path)
    };
    let table = file.fields();
    let settings = omegaup_settings::read(&table, notices);
    if scene.root.join("interactive").is_dir() || table.has(spelled(&table, "interactive")) {
        let shown = notices.show(scene.root);
        notices.error_help(
            Code::Unsupported.of_file(&shown, "is an interactive problem of libinteractive; these are not supported"),
            "judge it on omegaUp: what libinteractive writes for each language is not in the package",
        );
        return None;
    }
    let checker = checker(scene, &settings, &table, notices);
    let cases_of = OmegaUpCases::read(scene.root, &table, notices);
    if notices.errors.len() > faults {
        return None;
    }
    let mut gatherer = Gatherer::new(*scene);
    cases_of.gather(scene.root, checker.is_program(), &mut gatherer, notices);
    let cases = gatherer.finish(
        "write missing answers with `rejudge answer FOLDER --from SOLUTION`, or correct `testplan`",
        notices,
    );
    let aggregation = match (checker.is_program(), settings.is_min) {
        (false, _) => Aggregation::PassFail,
        (true, true) => Aggregation::Min,
        (true, false) => Aggregation::SumIfAll,
    };
    let mut scoring = points::scoring(cases_of.shares(aggregation), &cases);
    if let Some(Scoring::Points(points)) = &mut scoring {
        points.parts = PartRule::OmegaUp;
    }
    Some(Problem {
        title: settings.title,
        limits: settings.limits,
        checker,
        is_package: true,
        scoring,
        cases,
        ..Problem::foreign(scene.root)
    })
}

fn checker(
    scene: &Scene<'_>,
    settings: &OmegaUpSettings,
    table: &Fields<'_>,
    notices: &mut Notices,
) -> CheckerSpec {
    // As on omegaUp's pages, nothing is compared with regard to case unless the settings say so.
    let name = settings.validator.as_deref().unwrap_or("token-caseless");
    let exact = TokenOptions { case_sensitive: true, ..TokenOptions::default() };
    let what = match name {
        "token" => return CheckerSpec::Tokens(exact),
        "token-caseless" => return CheckerSpec::default(),
        "token-numeric" => {
            let tolerance = settings.tolerance.unwrap_or(1e-6);
            return CheckerSpec::Tokens(TokenOptions {
                float_absolute: Some(1.5 * tolerance),
                float_relative: Some(tolerance),
                ..exact
            });
        }
        "custom" => match validator(scene, settings.language.as_deref()) {
            Some(source) => {
                let convention = Convention::OmegaUp;
                return CheckerSpec::Foreign { source, convention, call: Vec::new() };
            }
            None => "`custom` needs a source `validator.cpp` or `validator.py`".to_owned(),
        },
        "literal" => "`literal` takes the output as the score; this is not supported".to_owned(),
        other => format!("unknown validator `{}`", visible(other)),
    };
    scene.options.unless_checked(notices, |notices| {
        let at = table.place_at(spelled(table, "validator"), notices);
        notices.error_help(
            Code::Unsupported.at(at, what),
            "choose one with `--checker`, for example `--checker tokens`",
        );
    });
    CheckerSpec::default()
}

/// The source of the validator. `language` is that of the settings, such as `py3` or `cpp17-gcc`.
fn validator(scene: &Scene<'_>, language: Option<&str>) -> Option<PathBuf> {
    let is_one =
        |path: &PathBuf| path.is_file() && path.file_stem().is_some_and(|stem| stem == "validator");
    let names = names_in(scene.root).into_iter();
    let mut found: Vec<PathBuf> =
        names.map(|name| scene.root.join(name_text::path(&name))).filter(is_one).collect();
    found.retain(|path| scene.is_source(path));
    let extension =
        |path: &Path| path.extension().unwrap_or_default().to_string_lossy().into_owned();
    let stated = language.unwrap_or_default();
    let place = found.iter().position(|path| {
        let own = extension(path);
        !own.is_empty() && stated.starts_with(own.trim_end_matches(|c: char| c.is_ascii_digit()))
    });
    (!found.is_empty()).then(|| found.swap_remove(place.unwrap_or_default()))
}

/// The solutions that `tests/tests.json` lists, and the others in `solutions/`, which must be accepted.
pub(super) fn submissions(scene: &Scene<'_>, notices: &mut Notices) -> Vec<ForeignSubmission> {
    let path = scene.root.join(TESTS);
    let file = path.is_file().then(|| TableFile::read_of_python(&path, notices)).flatten();
    let mut found =
        file.as_ref().map_or_else(Vec::new, |file| listed(scene, &file.fields(), notices));
    for folder in ["solutions", "solution"] {
        let folder = scene.root.join(folder);
        for name in names_in(&folder) {
            let path = folder.join(name_text::path(&name));
            let is_new = found.iter().all(|one: &ForeignSubmission| one.path != path);
            if is_new && path.is_file() && scene.is_source(&path) {
                found.push(ForeignSubmission::new(path, Expectation::accepted()));
            }
        }
    }
    report_others(scene, notices);
    found
}

/// Reports the sources beside the folder of solutions: they are helpers, such as generators.
fn report_others(scene: &Scene<'_>, notices: &mut Notices) {
    let is_other = |name: &String| {
        let path = scene.root.join(name_text::path(name));
        path.is_file()
            && scene.is_source(&path)
            && path.file_stem().is_some_and(|stem| stem != "validator")
    };
    let others: Vec<String> = names_in(scene.root).into_iter().filter(is_other).collect();
    if others.is_empty() {
        return;
    }
    let shown = notices.show(scene.root);
    let names: Vec<String> = others.iter().map(|name| visible(name)).collect();
    let names = few(&names);
    notices.warn_help(
        Code::NotJudged.says(format!("sources in {shown} are not judged: {names}")).about(&shown),
        "move a solution to `solutions/`",
    );
}

/// `solutions` of `tests.json`.
fn listed(scene: &Scene<'_>, table: &Fields<'_>, notices: &mut Notices) -> Vec<ForeignSubmission> {
    let mut found = Vec::new();
    for node in table.list("solutions", notices) {
        let Some(solution) = Fields::of(table.path(), node, notices) else {
            continue;
        };
        let Some(name) = solution.text("filename", notices) else {
            solution.fault("the solution has no `filename`", notices);
            continue;
        };
        let path = below_tests(&name).and_then(|name| inside(scene.root, &name).ok());
        let Some(path) = path.filter(|path| path.is_file()) else {
            let what = format!("`{}` does not exist in the package", visible(&name));
            let at = solution.place_at("filename", notices);
            notices.warn_help(
                Code::MissingFile.at(at, what),
                "name the file relative to `tests/`: `../solutions/NAME`",
            );
            continue;
        };
        found.push(ForeignSubmission::new(path, expected(&solution, notices)));
    }
    found
}

/// A name relative to `tests/`, as one relative to the package. `None`: it leads out of it.
fn below_tests(name: &str) -> Option<String> {
    let mut parts = vec!["tests".to_owned()];
    for part in Path::new(name).components() {
        match part {
            Component::Normal(part) => parts.push(part.to_string_lossy().into_owned()),
            Component::CurDir => {}
            Component::ParentDir => drop(parts.pop()?),
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(parts.join("/"))
}

/// What is expected of a solution. omegaUp reports the worst verdict of all cases, so other cases may have better ones.
fn expected(solution: &Fields<'_>, notices: &mut Notices) -> Expectation {
    use VerdictFolder::{
        Accepted, CompileError, OutputLimit, RunTimeError, TimeLimit, WrongAnswer,
    };
    let verdict = solution.text("verdict", notices);
    let (worst, better): (&[_], &[_]) = match verdict.as_deref() {
        Some("AC" | "OK") => (&[Accepted], &[]),
        Some("PA" | "WA") => (&[WrongAnswer], &[]),
        Some("OLE") => (&[OutputLimit], &[WrongAnswer]),
        Some("TLE") => (&[TimeLimit], &[OutputLimit, WrongAnswer]),
        Some("RTE" | "MLE") => (&[RunTimeError], &[TimeLimit, OutputLimit, WrongAnswer]),
        Some("CE") => (&[CompileError], &[]),
        None | Some("JE" | "VE" | "RFE") => (&[], &[]),
        Some(other) => {
            let what = format!("unknown verdict `{}`", visible(other));
            solution.fault_at(
                "verdict",
                &what,
                "write AC, PA, WA, TLE, RTE, MLE, OLE or CE",
                notices,
            );
            (&[], &[])
        }
    };
    let mut expected = Expectation::of_any(worst, better);
    let bounds = solution.list("score_range", notices);
    let bounds = bounds.iter().filter_map(|node| match node.value {
        // 0.29 times 100 is less than 29.
        Value::Number(number) => Some((number * 1e8).round() / 1e6),
        _ => None,
    });
    match bounds.collect::<Vec<f64>>().as_slice() {
        [] => {}
        [least, most] if 0.0 <= *least && least <= most && *most <= 100.0 => {
            expected.rules.push(Rule::of_score((*least, *most)));
        }
        _ => solution.fault_at(
            "score_range",
            "`score_range` must be two numbers from 0 to 1, the lower one first",
            "write for example `[0.3, 0.3]`",
            notices,
        ),
    }
    expected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_solutions_are_relative_to_the_tests() {
        for (name, expected) in [
            ("a.cpp", Some("tests/a.cpp")),
            ("../solutions/a.cpp", Some("solutions/a.cpp")),
            ("./x/../a.cpp", Some("tests/a.cpp")),
            ("../../a.cpp", None),
            ("/etc/passwd", None),
        ] {
            assert_eq!(below_tests(name).as_deref(), expected, "{name}");
        }
    }
}
