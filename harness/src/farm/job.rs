//! What a worker must know of a run, and of a unit.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::FarmError;
use super::paths::stays_inside;
use crate::checker_spec::CheckerSpec;

/// The options that a run on workers may have, and whether their value is a path.
const OPTIONS: [(&str, bool); 17] = [
    ("--time-limit", false),
    ("--wall-limit", false),
    ("--memory-limit", false),
    ("--output-limit", false),
    ("--time-factor", false),
    ("--layout", false),
    ("--case", false),
    ("--cases", true),
    ("--checker", true),
    ("--interactor", true),
    ("--profile", false),
    ("--no-compile-cache", false),
    ("--fail-fast", false),
    ("--no-check", false),
    ("--repeat", false),
    ("--print-input", false),
    ("--transcript", false),
];

/// An option of the command line, and its value if it has one.
pub(crate) type JobOption = (String, Option<String>);

/// What a worker must know of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct FarmJob {
    /// The version of rejudge that submits it. Only the same version judges it.
    pub(crate) version: String,
    /// The digest of the plan.
    pub(crate) plan: String,
    /// The name of the list of files.
    pub(crate) tree: String,
    /// The options.
    pub(crate) options: Vec<JobOption>,
    /// The paths that are judged, relative to the root of the files.
    pub(crate) paths: Vec<String>,
    /// The time limits that the submitter inferred, by problem.
    pub(crate) limits: BTreeMap<String, Duration>,
    /// The columns and colours of differences.
    pub(crate) look: (usize, bool),
    /// The class of machines whose times count.
    pub(crate) reference: String,
}

impl FarmJob {
    /// Reads what was received.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, FarmError> {
        let invalid = |why: String| FarmError::Invalid {
            what: "the run",
            why,
        };
        let job: Self =
            serde_json::from_slice(bytes).map_err(|error| invalid(error.to_string()))?;
        for (name, value) in &job.options {
            let known = OPTIONS.iter().find(|(known, _)| known == name);
            let Some((_, is_path)) = known else {
                return Err(invalid(format!("it has the option `{name}`")));
            };
            let word = value.as_deref().unwrap_or_default();
            let (prefix, path) = match name.as_str() {
                "--checker" => CheckerSpec::split(word),
                _ => ("", word),
            };
            let is_built_in = path.is_empty() && !prefix.is_empty();
            if *is_path && !is_built_in && !stays_inside(path) {
                return Err(invalid(format!("`{name}` leads out of the project")));
            }
        }
        match job.paths.iter().find(|path| !stays_inside(path)) {
            Some(path) => Err(invalid(format!(
                "the path `{path}` leads out of the project"
            ))),
            None => Ok(job),
        }
    }

    /// The arguments of the command that judges the same.
    pub(crate) fn words(&self) -> Vec<String> {
        let options = self.options.iter().map(|(name, value)| match value {
            Some(value) => format!("{name}={value}"),
            None => name.clone(),
        });
        let start = ["rejudge", "run"].map(str::to_owned);
        let paths = self.paths.iter().cloned();
        start
            .into_iter()
            .chain(options)
            .chain(["--".to_owned()])
            .chain(paths)
            .collect()
    }
}

/// What a worker must know of a unit: a submission on some of its cases.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct UnitOrder {
    /// The name of the run's [`FarmJob`].
    pub(crate) job: String,
    /// The index of the submission in the plan.
    pub(crate) entry: usize,
    /// The index of its first case.
    pub(crate) first: usize,
    /// The index after its last case.
    pub(crate) end: usize,
    /// Whether times close to a limit are only marked, because no machine of the reference class is there.
    pub(crate) is_final: bool,
}

impl UnitOrder {
    /// Reads what was received.
    pub(crate) fn read(bytes: &[u8]) -> Result<Self, FarmError> {
        let invalid = |why: String| FarmError::Invalid {
            what: "the unit",
            why,
        };
        let order: Self =
            serde_json::from_slice(bytes).map_err(|error| invalid(error.to_string()))?;
        let is_name = order.job.len() == 64 && order.job.bytes().all(|b| b.is_ascii_hexdigit());
        if !is_name || order.first > order.end {
            return Err(invalid("its numbers do not fit together".to_owned()));
        }
        Ok(order)
    }

    /// As it travels.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        serde_json::to_vec(self).expect("a unit is always JSON")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn job() -> FarmJob {
        FarmJob {
            version: "1".to_owned(),
            plan: "p".to_owned(),
            tree: "t".to_owned(),
            options: vec![
                ("--checker".to_owned(), Some("testlib:check.cpp".to_owned())),
                ("--no-check".to_owned(), None),
            ],
            paths: vec!["--json".to_owned()],
            limits: BTreeMap::new(),
            look: (80, false),
            reference: String::new(),
        }
    }

    fn read(job: &FarmJob) -> Result<FarmJob, FarmError> {
        FarmJob::read(&serde_json::to_vec(job).unwrap())
    }

    #[test]
    fn a_path_is_never_an_option() {
        let job = read(&job()).unwrap();
        assert_eq!(
            job.words(),
            [
                "rejudge",
                "run",
                "--checker=testlib:check.cpp",
                "--no-check",
                "--",
                "--json"
            ]
        );
    }

    #[test]
    fn options_that_write_files_and_paths_that_lead_out_are_rejected() {
        for (name, value) in [
            ("--json", "report.json"),
            ("--keep", "x"),
            ("--sandbox", "off"),
            ("--checker", "testlib:/etc/passwd"),
            ("--checker", "../check.py"),
            ("--checker", "boca:/etc/passwd"),
            ("--checker", "cms:../check"),
            ("--checker", "dmoj:/x.py"),
            ("--checker", "coci:/x"),
            ("--checker", "peg:../../x"),
            ("--checker", "sinol:/x"),
            ("--checker", ""),
            ("--cases", "/"),
        ] {
            let mut job = job();
            job.options = vec![(name.to_owned(), Some(value.to_owned()))];
            assert!(read(&job).is_err(), "{name} {value}");
        }
        for word in ["float:1e-6", "tokens", "lines", "boca:check.sh", "check.py"] {
            let mut job = job();
            job.options = vec![("--checker".to_owned(), Some(word.to_owned()))];
            assert!(read(&job).is_ok(), "{word}");
        }
        let mut job = job();
        job.paths = vec!["../x".to_owned()];
        assert!(read(&job).is_err());
    }

    #[test]
    fn a_unit_with_numbers_that_do_not_fit_is_rejected() {
        let order = UnitOrder {
            job: "0".repeat(64),
            entry: 0,
            first: 1,
            end: 2,
            is_final: false,
        };
        assert_eq!(UnitOrder::read(&order.bytes()).unwrap(), order);
        for bad in [
            UnitOrder {
                first: 3,
                ..order.clone()
            },
            UnitOrder {
                job: "../../x".to_owned(),
                ..order.clone()
            },
        ] {
            assert!(UnitOrder::read(&bad.bytes()).is_err(), "{bad:?}");
        }
        assert!(UnitOrder::read(b"{").is_err());
    }
}
