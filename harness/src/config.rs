//! `rejudge.toml` in the repository's root, and the search for that root.
//!
//! There is one schema. An unknown key is an error that names the line and the most similar known
//! key. The file only changes defaults; nothing requires it.

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::Duration;

use rejudge_quantity as quantity;
use rejudge_quantity::Bytes;
use serde::de::{Deserialize, Deserializer, Error as _};
use toml::de::DeTable;

use crate::checker_spec::CheckerSpec;
use crate::fail_fast::FailFast;
use crate::language::LanguageEntry;
use crate::notice::{Code, Location, Notice, Place, shown};
use crate::plain_file;
use crate::problem::{Problem, ProblemLimits, StatedFiles, Streams, is_file_name};

mod bench;
mod compile;
mod inside;
mod named;
mod schema;

pub use bench::{Bench, CaseOverride};
pub use compile::CompileSettings;

/// The file name.
pub const FILE_NAME: &str = crate::problem::SETTINGS_FILE;

/// The contents of `rejudge.toml`.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Languages to add or override, by id.
    pub languages: BTreeMap<String, LanguageEntry>,
    /// Folders to judge besides `solutions/` and `cases/`, relative to the repository. An empty list: no others, and
    /// none are mentioned.
    pub folders: Option<Vec<PathBuf>>,
    /// Folders of contest libraries, relative to the repository.
    pub include: Vec<PathBuf>,
    /// The source file that new solutions are copied from, relative to the repository.
    pub template: Option<PathBuf>,
    /// Settings for problems that do not have their own.
    pub defaults: Defaults,
    /// Settings of single problems, which override the problem's own files.
    pub problems: BTreeMap<String, Overrides>,
    /// Settings of benchmarks: what to measure, and what counts as slower.
    pub bench: Bench,
    /// Settings of compilations.
    pub compile: CompileSettings,
}

/// `[defaults]`.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Defaults {
    /// CPU time, in seconds.
    #[serde(deserialize_with = "seconds")]
    pub time_limit: Option<Duration>,
    /// Wall time, in seconds.
    #[serde(deserialize_with = "seconds")]
    pub wall_limit: Option<Duration>,
    /// Memory, in MiB.
    #[serde(deserialize_with = "mebibytes")]
    pub memory_limit: Option<Bytes>,
    /// Output, in MiB.
    #[serde(deserialize_with = "mebibytes")]
    pub output_limit: Option<Bytes>,
    /// The number of cases to run in parallel.
    #[serde(deserialize_with = "count")]
    pub jobs: Option<usize>,
    /// What ends at a failure.
    pub fail_fast: FailFast,
    /// Whether solutions are compiled with the flags of online judges in problem packages too.
    pub online_judge: bool,
    /// The checker, written as for `--checker`.
    pub checker: Option<String>,
}

/// `[problems.<id>]`.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Overrides {
    /// CPU time, in seconds.
    #[serde(deserialize_with = "seconds")]
    pub time_limit: Option<Duration>,
    /// Wall time, in seconds.
    #[serde(deserialize_with = "seconds")]
    pub wall_limit: Option<Duration>,
    /// Memory, in MiB.
    #[serde(deserialize_with = "mebibytes")]
    pub memory_limit: Option<Bytes>,
    /// Output, in MiB.
    #[serde(deserialize_with = "mebibytes")]
    pub output_limit: Option<Bytes>,
    /// The checker, written as for `--checker`.
    pub checker: Option<String>,
    /// The source of a testlib interactor, relative to the repository.
    pub interactor: Option<PathBuf>,
    /// The file that solutions read their input from, in their working folder.
    #[serde(deserialize_with = "file_name")]
    pub input_file: Option<String>,
    /// The file that solutions write their output to, in their working folder.
    #[serde(deserialize_with = "file_name")]
    pub output_file: Option<String>,
}

impl Config {
    /// Parses a configuration. Messages show `file` as its path.
    pub fn parse(text: &str, file: &str) -> Result<Self, ConfigError> {
        let fault = |span: Option<Range<usize>>, notice: Notice| {
            let location = Location { file: file.to_owned(), place: Place::in_text(text, span) };
            ConfigError(Notice { help: notice.help, ..notice.code.at(&location, notice.message) })
        };
        let unreadable = |code: Code, error: toml::de::Error| {
            let message = error.message().lines().next().unwrap_or_default();
            fault(error.span(), code.says(message))
        };
        let table = DeTable::parse(text).map_err(|error| unreadable(Code::InvalidSyntax, error))?;
        schema::check(table.get_ref()).map_err(|(span, notice)| fault(Some(span), notice))?;
        toml::from_str(text).map_err(|error| unreadable(Code::InvalidValue, error))
    }

    /// Sets a problem's limits and the files that its solutions use: from `[problems.<id>]`, otherwise from its own
    /// files, otherwise from `[defaults]`.
    pub fn apply_to(&self, problem: &mut Problem) {
        let overrides = self.problems.get(&problem.id);
        if let Some(over) = overrides {
            over.apply_files(&mut problem.streams);
        }
        let overrides = overrides.map_or_else(ProblemLimits::default, |over| ProblemLimits {
            cpu_time: over.time_limit,
            wall_time: over.wall_limit,
            memory: over.memory_limit,
            output: over.output_limit,
            ..ProblemLimits::default()
        });
        let of_extensions = problem.limits_of_extensions.iter_mut();
        let of_cases = problem.limits_of_cases.values_mut();
        for own in of_extensions.map(|(_, own)| own).chain(of_cases) {
            own.cpu_time = own.cpu_time.filter(|_| overrides.cpu_time.is_none());
            own.memory = own.memory.filter(|_| overrides.memory.is_none());
            own.output = own.output.filter(|_| overrides.output.is_none());
        }
        let defaults = &self.defaults;
        let limits = &mut problem.limits;
        limits.cpu_time = overrides.cpu_time.or(limits.cpu_time).or(defaults.time_limit);
        limits.wall_time = overrides.wall_time.or(limits.wall_time).or(defaults.wall_limit);
        limits.memory = overrides.memory.or(limits.memory).or(defaults.memory_limit);
        limits.output = overrides.output.or(limits.output).or(defaults.output_limit);
    }
}

impl Overrides {
    /// Sets the files that solutions use, where they are set here.
    fn apply_files(&self, streams: &mut Streams) {
        if self.input_file.is_none() && self.output_file.is_none() {
            return;
        }
        let own = match std::mem::take(streams) {
            Streams::Stated(files) => files,
            Streams::Unstated | Streams::Either(_) => StatedFiles::default(),
        };
        *streams = Streams::Stated(StatedFiles {
            input: self.input_file.clone().or(own.input),
            output: self.output_file.clone().or(own.output),
            missing_is_failure: own.missing_is_failure,
        });
    }
}

/// A `rejudge.toml` that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct ConfigError(pub Notice);

/// A repository with `solutions/` and `cases/`.
#[derive(Debug, Default)]
pub struct Repository {
    /// The root as an absolute path.
    pub root: PathBuf,
    /// The contents of its `rejudge.toml`.
    pub config: Config,
}

impl Repository {
    /// The repository around `start`: the nearest folder (`start` or a parent) with a
    /// `rejudge.toml`; otherwise the nearest with `solutions/` and `cases/`; otherwise the nearest
    /// with `.git` and one of the two; otherwise `start`, or the folder of the `cases/` around it, if
    /// these hold problems.
    pub fn locate(start: &Path) -> Result<Option<Self>, ConfigError> {
        let start = std::path::absolute(start).unwrap_or_else(|_| start.to_path_buf());
        let has = |dir: &Path, name: &str| dir.join(name).exists();
        let signs: [&dyn Fn(&Path) -> bool; 4] = [
            &|dir| dir.join(FILE_NAME).is_file(),
            &|dir| has(dir, "solutions") && has(dir, "cases"),
            &|dir| has(dir, ".git") && (has(dir, "solutions") || has(dir, "cases")),
            &|dir| {
                let is_near = dir == start || start.starts_with(dir.join("cases"));
                is_near && has(dir, "cases") && Self::has_only_problems(dir)
            },
        ];
        let found = signs.iter().find_map(|sign| start.ancestors().find(|dir| sign(dir)));
        found.map(Self::open).transpose()
    }

    /// Whether `dir` is a repository by its layout, or has a `rejudge.toml`. `cases/` with test cases
    /// directly in it is a plain folder of cases; otherwise its folders are problems. Without
    /// `solutions/`, one of them must be readable as a problem.
    pub(crate) fn is_at(dir: &Path) -> bool {
        if dir.join(FILE_NAME).is_file() {
            return true;
        }
        let cases = dir.join("cases");
        let Ok(entries) = std::fs::read_dir(&cases) else {
            return false;
        };
        let paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) =
            paths.into_iter().partition(|path| path.is_dir());
        if folders.is_empty() {
            return files.is_empty();
        }
        if files.iter().any(|file| is_of_a_case(file)) {
            return false;
        }
        dir.join("solutions").is_dir() || folders.iter().any(|folder| Problem::is_in(folder))
    }

    /// Whether `cases/` in `dir` holds problems, and not the cases of a source next to it.
    fn has_only_problems(dir: &Path) -> bool {
        const TEXTS: [&str; 6] = ["md", "txt", "toml", "yaml", "yml", "json"];
        let entries = |dir: &Path| {
            let entries = dir.read_dir().into_iter().flatten().flatten();
            entries.map(|entry| entry.path()).collect::<Vec<PathBuf>>()
        };
        let is_text = |path: &Path| {
            let end = path.extension().and_then(|end| end.to_str());
            end.is_none_or(|end| TEXTS.contains(&end))
        };
        let is_source = |path: &PathBuf| path.is_file() && !is_text(path);
        let folders = entries(&dir.join("cases"));
        let is_described = folders.iter().any(|folder| Problem::is_described_in(folder));
        (is_described || !entries(dir).iter().any(is_source)) && Self::is_at(dir)
    }

    /// Whether it has any of the folders of the layout.
    pub(crate) fn has_layout(&self) -> bool {
        self.cases().is_dir() || self.solutions().is_dir()
    }

    /// The repository whose root is `root`.
    pub fn open(root: &Path) -> Result<Self, ConfigError> {
        let path = root.join(FILE_NAME);
        let config = match plain_file::read_text(&path) {
            Ok(text) => {
                let config = Config::parse(&text, &shown(&path, Some(root)))?;
                config.stay_inside(root, &text)?;
                config
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Config::default(),
            Err(error) => {
                let file = path.display().to_string();
                return Err(ConfigError(Notice::unreadable(&file, &error)));
            }
        };
        Ok(Self { root: root.to_path_buf(), config })
    }

    /// The checker that `rejudge.toml` sets: in `[problems.<id>]`, or in `[defaults]` for problems
    /// that are not packages, because a package always defines its checker.
    pub fn checker_for(&self, problem: &Problem) -> Result<Option<CheckerSpec>, Notice> {
        let overrides = self.config.problems.get(&problem.id);
        let (table, word) = match overrides.and_then(|overrides| overrides.checker.as_ref()) {
            Some(word) => (format!("problems.{}", problem.id), word),
            None => match &self.config.defaults.checker {
                Some(word) if !problem.is_package => ("defaults".to_owned(), word),
                _ => return Ok(None),
            },
        };
        CheckerSpec::parse(word)
            .map(|checker| Some(below(&self.root, checker)))
            .map_err(|fault| fault.of(format_args!("`{table}.checker`")).at(&FILE_NAME.to_owned()))
    }

    /// The absolute path of the interactor that `rejudge.toml` sets for the problem `id`.
    pub(crate) fn interactor_for(&self, id: &str) -> Option<PathBuf> {
        let interactor = self.config.problems.get(id)?.interactor.as_ref()?;
        Some(self.root.join(interactor))
    }

    /// The folder of the problems.
    pub fn cases(&self) -> PathBuf {
        self.root.join("cases")
    }

    /// The folder of the solutions.
    pub fn solutions(&self) -> PathBuf {
        self.root.join("solutions")
    }
}

/// Whether a file has the usual name of an input or an answer.
fn is_of_a_case(file: &Path) -> bool {
    const ENDS: [&str; 5] = ["in", "inp", "ans", "out", "ok"];
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let end = file.extension().and_then(|end| end.to_str());
    end.is_some_and(|end| ENDS.contains(&end))
        || name.starts_with("input")
        || name.starts_with("output")
}

/// The checker with the path of its source resolved against `root`.
fn below(root: &Path, mut checker: CheckerSpec) -> CheckerSpec {
    match &mut checker {
        CheckerSpec::Validator { source, .. }
        | CheckerSpec::Testlib { source }
        | CheckerSpec::Foreign { source, .. }
        | CheckerSpec::Static { source, .. } => {
            *source = root.join(&*source);
        }
        CheckerSpec::Validators { sources, .. } => {
            for source in sources {
                *source = root.join(&*source);
            }
        }
        CheckerSpec::Exact
        | CheckerSpec::Tokens(_)
        | CheckerSpec::Lines(_)
        | CheckerSpec::FloatLines(_)
        | CheckerSpec::Json(_) => {}
    }
    checker
}

/// A number, or a text with a unit. The schema allows nothing else here.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Amount<N> {
    Number(N),
    Text(String),
}

fn seconds<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
    match Amount::<f64>::deserialize(from)? {
        Amount::Number(number) if number.is_nan() || number <= 0.0 => {
            Err(D::Error::custom(format!("a limit must be greater than zero, got `{number}`")))
        }
        Amount::Number(number) => quantity::time(&number.to_string())
            .map(Some)
            .map_err(|why| D::Error::custom(format!("a limit {why}, got `{number}`"))),
        Amount::Text(text) => quantity::time(&text).map(Some).map_err(D::Error::custom),
    }
}

fn mebibytes<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Bytes>, D::Error> {
    let number = match Amount::<i64>::deserialize(from)? {
        Amount::Number(number) => number,
        Amount::Text(text) => {
            return quantity::size(&text).map(Some).map_err(D::Error::custom);
        }
    };
    match u64::try_from(number) {
        Ok(mib @ 1..=1_048_576) => Ok(Some(Bytes::mib(mib))),
        _ => Err(D::Error::custom(format!(
            "a limit must be a whole number of MiB from 1 to 1048576, got `{number}`"
        ))),
    }
}

fn file_name<'de, D: Deserializer<'de>>(from: D) -> Result<Option<String>, D::Error> {
    let name = String::deserialize(from)?;
    if is_file_name(&name) {
        return Ok(Some(name));
    }
    let name = crate::notice::visible(&name);
    Err(D::Error::custom(format!("`{name}` is not a valid file name; write for example `sum.in`")))
}

fn count<'de, D: Deserializer<'de>>(from: D) -> Result<Option<usize>, D::Error> {
    let number = i64::deserialize(from)?;
    match usize::try_from(number) {
        Ok(jobs @ 1..=4096) => Ok(Some(jobs)),
        _ => Err(D::Error::custom(format!("`jobs` must be from 1 to 4096, got `{number}`"))),
    }
}

#[cfg(test)]
mod tests;
