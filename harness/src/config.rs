//! `rejudge.toml` in the repository's root, and the search for that root.
//!
//! There is one schema. An unknown key is an error that names the line and the most similar known
//! key. The file only changes defaults; nothing requires it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::de::{Deserialize, Deserializer, Error as _};

use crate::bytes::Bytes;
use crate::checker_spec::CheckerSpec;
use crate::fail_fast::FailFast;
use crate::language::LanguageEntry;
use crate::notice::{Notice, Place, nearest, shown};
use crate::plain_file;
use crate::problem::{Problem, ProblemLimits};

mod bench;

pub use bench::{Bench, CaseOverride};

/// The file name.
pub const FILE_NAME: &str = "rejudge.toml";

/// The contents of `rejudge.toml`.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// Languages to add or override, by id.
    pub languages: BTreeMap<String, LanguageEntry>,
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
}

impl Config {
    /// Parses a configuration. Messages show `file` as its path.
    pub fn parse(text: &str, file: &str) -> Result<Self, ConfigError> {
        toml::from_str(text).map_err(|error| {
            let place = Place::in_text(text, error.span());
            let message = error.message().lines().next().unwrap_or_default();
            let (message, help) = explain(message);
            ConfigError(Notice {
                message: format!("{file}:{}:{}: {message}", place.line, place.column),
                help,
            })
        })
    }

    /// Sets a problem's limits: from `[problems.<id>]`, otherwise from its own files, otherwise
    /// from `[defaults]`.
    pub fn apply_limits(&self, problem: &mut Problem) {
        let overrides = self.problems.get(&problem.id);
        let overrides = overrides.map_or_else(ProblemLimits::default, |over| ProblemLimits {
            cpu_time: over.time_limit,
            wall_time: over.wall_limit,
            memory: over.memory_limit,
            output: over.output_limit,
            ..ProblemLimits::default()
        });
        let defaults = &self.defaults;
        let limits = &mut problem.limits;
        limits.cpu_time = overrides
            .cpu_time
            .or(limits.cpu_time)
            .or(defaults.time_limit);
        limits.wall_time = overrides
            .wall_time
            .or(limits.wall_time)
            .or(defaults.wall_limit);
        limits.memory = overrides.memory.or(limits.memory).or(defaults.memory_limit);
        limits.output = overrides.output.or(limits.output).or(defaults.output_limit);
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
    /// with `.git` and one of the two.
    pub fn locate(start: &Path) -> Result<Option<Self>, ConfigError> {
        let start = std::path::absolute(start).unwrap_or_else(|_| start.to_path_buf());
        let has = |dir: &Path, name: &str| dir.join(name).exists();
        let signs: [&dyn Fn(&Path) -> bool; 3] = [
            &|dir| dir.join(FILE_NAME).is_file(),
            &|dir| has(dir, "solutions") && has(dir, "cases"),
            &|dir| has(dir, ".git") && (has(dir, "solutions") || has(dir, "cases")),
        ];
        let found = signs
            .iter()
            .find_map(|sign| start.ancestors().find(|dir| sign(dir)));
        found.map(Self::open).transpose()
    }

    /// The repository whose root is `root`.
    pub fn open(root: &Path) -> Result<Self, ConfigError> {
        let path = root.join(FILE_NAME);
        let config = match plain_file::read_text(&path) {
            Ok(text) => Config::parse(&text, &shown(&path, Some(root)))?,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Config::default(),
            Err(error) => {
                return Err(ConfigError(Notice {
                    message: format!("cannot read {}: {error}", path.display()),
                    help: None,
                }));
            }
        };
        Ok(Self {
            root: root.to_path_buf(),
            config,
        })
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
            .map_err(|error| Notice {
                message: format!("{FILE_NAME}: `{table}.checker`: {error}"),
                help: None,
            })
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

/// The checker with the path of its source resolved against `root`.
fn below(root: &Path, mut checker: CheckerSpec) -> CheckerSpec {
    match &mut checker {
        CheckerSpec::Validator { source, .. }
        | CheckerSpec::Testlib { source }
        | CheckerSpec::Static { source, .. } => {
            *source = root.join(&*source);
        }
        CheckerSpec::Validators { sources, .. } => {
            for source in sources {
                *source = root.join(&*source);
            }
        }
        CheckerSpec::Exact | CheckerSpec::Tokens(_) | CheckerSpec::Lines(_) => {}
    }
    checker
}

/// Converts serde's "unknown field" message into ours, and suggests the most similar known key.
fn explain(message: &str) -> (String, Option<String>) {
    let Some(rest) = message.strip_prefix("unknown field `") else {
        return (message.to_owned(), None);
    };
    // Names are between back-quotes: first the unknown one, then the known ones.
    let mut names = rest.split('`').step_by(2);
    let word = names.next().unwrap_or_default();
    let known: Vec<&str> = names.collect();
    let help = match nearest(word, known.iter().copied()) {
        Some(name) => format!("did you mean `{name}`?"),
        None => format!("known keys: `{}`", known.join("`, `")),
    };
    (format!("unknown key `{word}`"), Some(help))
}

fn positive(number: f64, most: f64) -> Result<f64, String> {
    if number.is_nan() || number <= 0.0 {
        Err(format!("a limit must be greater than zero, got `{number}`"))
    } else if number > most {
        Err(format!("a limit must be at most {most}, got `{number}`"))
    } else {
        Ok(number)
    }
}

fn seconds<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Duration>, D::Error> {
    let seconds = positive(f64::deserialize(from)?, 86_400.0).map_err(D::Error::custom)?;
    Ok(Some(
        Duration::from_secs_f64(seconds).max(Duration::from_nanos(1)),
    ))
}

fn mebibytes<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Bytes>, D::Error> {
    let number = i64::deserialize(from)?;
    match u64::try_from(number) {
        Ok(mib @ 1..=1_048_576) => Ok(Some(Bytes::mib(mib))),
        _ => Err(D::Error::custom(format!(
            "a limit must be a whole number of MiB from 1 to 1048576, got `{number}`"
        ))),
    }
}

fn count<'de, D: Deserializer<'de>>(from: D) -> Result<Option<usize>, D::Error> {
    let number = i64::deserialize(from)?;
    match usize::try_from(number) {
        Ok(jobs @ 1..=4096) => Ok(Some(jobs)),
        _ => Err(D::Error::custom(format!(
            "`jobs` must be from 1 to 4096, got `{number}`"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_every_key() {
        let config = Config::parse(
            "include = [\"lib\"]\n[defaults]\ntime_limit = 2\nwall_limit = 4.5\nmemory_limit = 256\n\
             output_limit = 16\njobs = 3\nfail_fast = \"submission\"\nchecker = \"exact\"\n[problems.a]\ntime_limit = 1\n\
             [languages.zig]\nextensions = [\"zig\"]\n",
            FILE_NAME,
        )
        .unwrap();
        assert_eq!(config.include, [PathBuf::from("lib")]);
        assert_eq!(config.defaults.time_limit, Some(Duration::from_secs(2)));
        assert_eq!(
            config.defaults.wall_limit,
            Some(Duration::from_millis(4500))
        );
        assert_eq!(config.defaults.memory_limit, Some(Bytes::mib(256)));
        assert_eq!(config.defaults.output_limit, Some(Bytes::mib(16)));
        assert_eq!(config.defaults.jobs, Some(3));
        assert_eq!(config.defaults.fail_fast, FailFast::Submission);
        assert_eq!(
            config.problems["a"].time_limit,
            Some(Duration::from_secs(1))
        );
        assert!(config.languages.contains_key("zig"));
        assert!(Config::parse("", FILE_NAME).is_ok());
    }

    #[test]
    fn every_fault_names_its_line() {
        let table = [
            (
                "\ninclud = []",
                "rejudge.toml:2:1: unknown key `includ`\nhelp: did you mean `include`?",
            ),
            (
                "[defaults]\ntime_limt = 1",
                "rejudge.toml:2:1: unknown key `time_limt`\nhelp: did you mean `time_limit`?",
            ),
            (
                "[problems.a]\nxyz = 1",
                "rejudge.toml:2:1: unknown key `xyz`\nhelp: known keys: `time_limit`, `wall_limit`, \
                 `memory_limit`, `output_limit`, `checker`, `interactor`",
            ),
            (
                "[defaults]\ntime_limit = -1",
                "rejudge.toml:2:14: a limit must be greater than zero, got `-1`",
            ),
            (
                "[defaults]\njobs = 0",
                "rejudge.toml:2:8: `jobs` must be from 1 to 4096, got `0`",
            ),
            (
                "[defaults]\nmemory_limit = 0",
                "rejudge.toml:2:16: a limit must be a whole number of MiB from 1 to 1048576, got `0`",
            ),
        ];
        for (text, expected) in table {
            assert_eq!(
                Config::parse(text, FILE_NAME).unwrap_err().to_string(),
                expected
            );
        }
    }

    #[test]
    fn the_nearest_sign_of_a_repository_counts() {
        let dir = tempfile::tempdir().unwrap();
        let deep = dir.path().join("a/solutions/p");
        std::fs::create_dir_all(&deep).unwrap();
        std::fs::create_dir_all(dir.path().join("a/cases")).unwrap();
        let root = |start: &Path| Repository::locate(start).unwrap().map(|found| found.root);
        assert_eq!(root(&deep), Some(dir.path().join("a")));
        std::fs::write(dir.path().join(FILE_NAME), "").unwrap();
        assert_eq!(root(&deep), Some(dir.path().to_path_buf()));
    }
}
