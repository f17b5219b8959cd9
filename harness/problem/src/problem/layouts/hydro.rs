//! Hydro: `testdata/`, with or without `config.yaml`, next to `problem.yaml`; or only the files of
//! `testdata/` with their `config.yaml`.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::companion::mebibytes;
use super::fields::{Fields, TableFile};
use super::hydro_cases::HydroSubtasks;
use super::hydro_limits::stated_limits;
use super::keys::Keys;
use super::scene::{Gatherer, Scene, inside};
use super::{hydro_names, hydro_points, std_checkers};
use crate::checker_spec::{CheckerSpec, LineRule};
use crate::notice::{Code, Notices};
use crate::plain_file;
use crate::problem::yaml::{self, Value};
use crate::problem::{Interactor, Problem, ProblemLimits, Streams, TestCase};

/// Keys that identify Hydro's `config.yaml` among other files with this name.
const SIGNS: [&str; 6] = ["subtasks", "cases", "checker_type", "time", "memory", "checker"];

/// The keys of `config.yaml`, as Hydro's `packages/common/types.ts` has them.
const KEYS: Keys = Keys {
    known: &[
        "type",
        "subType",
        "target",
        "score",
        "time",
        "memory",
        "filename",
        "checker_type",
        "checker",
        "interactor",
        "manager",
        "num_processes",
        "multi_pass",
        "answers",
        "user_extra_files",
        "judge_extra_files",
        "subtasks",
        "cases",
        "detail",
        "langs",
    ],
    unused: &["time_limit_rate", "memory_limit_rate", "validator", "redirect"],
    ..Keys::of("Hydro")
};

/// Whether `dir` is a problem of Hydro.
pub(super) fn is_in(dir: &Path) -> bool {
    let data = dir.join("testdata");
    if data.is_dir() {
        let described = dir.join("problem.yaml").is_file() && !dir.join("data").is_dir();
        return described || config_in(&data).is_some();
    }
    config_in(dir).is_some()
}

/// Hydro's `config.yaml` in a folder of cases, if there is one.
fn config_in(dir: &Path) -> Option<PathBuf> {
    let names = ["config.yaml", "config.yml", "Config.yaml"];
    let mut paths = names.iter().map(|name| dir.join(name));
    paths.find(|path| {
        let text = plain_file::read_text(path).unwrap_or_default();
        let has_key = |line: &str| {
            SIGNS.iter().any(|key| line.strip_prefix(key).is_some_and(|rest| rest.starts_with(':')))
        };
        text.lines().any(has_key)
    })
}

/// Reads the problem.
pub(super) fn load(scene: &Scene<'_>, notices: &mut Notices) -> Option<Problem> {
    let data = scene.root.join("testdata");
    let data = if data.is_dir() { data } else { scene.root.to_path_buf() };
    let inner = Scene { root: &data, ..*scene };
    let title = title(&inner.root.join("../problem.yaml"));
    let config = config_in(&data);
    let file = match &config {
        Some(path) => TableFile::read(path, notices)?,
        None => TableFile::empty(&data),
    };
    let table = file.fields();
    let path = config.unwrap_or_else(|| data.clone());
    KEYS.name_unused(&table, notices);
    if table.number("multi_pass", notices).is_some_and(|passes| passes > 1.0) {
        table.fault("`multi_pass` is not supported in this layout", notices);
    }
    let reader = HydroReader { scene: inner, path: &path };
    let interactor = reader.kind(&table, notices);
    let streams = streams(&table, notices)?;
    let usual = ProblemLimits {
        cpu_time: Some(Duration::from_secs(1)),
        memory: Some(mebibytes(256.0)),
        ..ProblemLimits::default()
    };
    let limits = usual.replaced_by(&stated_limits(&table, notices));
    let checker = reader.checker(&table, notices);
    let (subtasks, cases) = reader.cases(&table, notices)?;
    let partial = checker.is_program() || interactor.is_some();
    Some(Problem {
        title,
        limits,
        limits_of_cases: subtasks.limits_of_cases(),
        checker,
        interactor,
        streams,
        is_package: true,
        scoring: hydro_points::scoring(&subtasks, &cases, partial),
        cases,
        ..Problem::foreign(scene.root)
    })
}

/// `filename`: solutions read `NAME.in` and write `NAME.out`.
fn streams(table: &Fields<'_>, notices: &mut Notices) -> Option<Streams> {
    let name = table.text("filename", notices);
    let Some(name) = name.filter(|name| !name.is_empty()) else {
        return Some(Streams::default());
    };
    let [input, output] = ["in", "out"].map(|end| Some(format!("{name}.{end}")));
    let mut streams = table.stated_files(input, output, notices)?;
    if let Streams::Stated(files) = &mut streams {
        files.missing_is_failure = true;
    }
    Some(streams)
}

/// The title in `problem.yaml`. Nothing else in that file is used.
fn title(path: &Path) -> Option<String> {
    let text = plain_file::read_text(path).ok()?;
    let Value::Map(entries) = yaml::parse(&text).ok()?.value else {
        return None;
    };
    let (_, node) = entries.into_iter().find(|(key, _)| key.name == "title")?;
    match node.value {
        Value::Text(title) => Some(title),
        _ => None,
    }
}

struct HydroReader<'a> {
    scene: Scene<'a>,
    path: &'a Path,
}

impl HydroReader<'_> {
    /// `type`, and the interactor of an interactive problem. The interactor's verdict is final.
    fn kind(&self, table: &Fields<'_>, notices: &mut Notices) -> Option<Interactor> {
        let kind = table.text("type", notices).unwrap_or_default();
        match kind.as_str() {
            "" | "default" => None,
            "interactive" => {
                let source = self.source("interactor", table, notices);
                let source = source.and_then(|name| inside(self.scene.root, &name).ok());
                let Some(source) = source.filter(|source| source.is_file()) else {
                    table.fault("`interactor` must name an existing source", notices);
                    return None;
                };
                Some(Interactor { source, then_check: false, call: Vec::new(), convention: None })
            }
            _ => {
                let message = format!("`type: {kind}` is not supported in this layout");
                table.fault(&message, notices);
                None
            }
        }
    }

    /// The file name of a program: a text, or a table with `file`.
    fn source(&self, key: &str, table: &Fields<'_>, notices: &mut Notices) -> Option<String> {
        match table.get(key).map(|node| (&node.value, node)) {
            Some((Value::Map(_), node)) => {
                Fields::of(self.path, node, notices)?.text("file", notices)
            }
            _ => table.text(key, notices),
        }
    }

    fn checker(&self, table: &Fields<'_>, notices: &mut Notices) -> CheckerSpec {
        let kind = table.text("checker_type", notices);
        let source = self.source("checker", table, notices);
        match (kind.as_deref().unwrap_or("default"), source) {
            ("default", _) => return CheckerSpec::Lines(LineRule::Hydro),
            ("strict", _) => return CheckerSpec::Lines(LineRule::HydroStrict),
            ("testlib", Some(name)) => {
                if let Some(known) = std_checkers::find(&name).filter(|_| !name.contains('.')) {
                    return known;
                }
                match inside(self.scene.root, &name) {
                    Ok(source) if source.is_file() => return CheckerSpec::Testlib { source },
                    Ok(_) => {}
                    Err(why) => table.fault(&format!("`checker: {name}` {why}"), notices),
                }
            }
            ("kattis", Some(name)) => match inside(self.scene.root, &name) {
                Ok(source) if source.is_file() => {
                    return CheckerSpec::Validator { source, args: Vec::new() };
                }
                Ok(_) => {}
                Err(why) => table.fault(&format!("`checker: {name}` {why}"), notices),
            },
            _ => {}
        }
        self.scene.options.unless_checked(notices, |notices| {
            let at = notices.show(self.path);
            let kind = kind.unwrap_or_default();
            notices.error_help(
                Code::Unsupported.at(&at, format!("checkers of type `{kind}` are not supported")),
                "choose another comparison: `--checker lines:hydro`, or `--checker PATH`",
            );
        });
        CheckerSpec::default()
    }

    fn cases(
        &self,
        table: &Fields<'_>,
        notices: &mut Notices,
    ) -> Option<(HydroSubtasks, Vec<TestCase>)> {
        let faults = notices.errors.len();
        let listed = HydroSubtasks::listed_in(table, notices);
        let subtasks =
            listed.unwrap_or_else(|| HydroSubtasks::of_names(hydro_names::find(self.scene.root)));
        let mut gatherer = Gatherer::new(self.scene);
        subtasks.gather(&mut gatherer, notices);
        if notices.errors.len() > faults {
            return None;
        }
        let help = "add the files, or correct `subtasks` in config.yaml";
        let cases = gatherer.finish(help, notices);
        Some((subtasks, cases))
    }
}
