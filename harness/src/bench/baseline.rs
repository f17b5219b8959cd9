//! Baselines: figures saved in small text files in the repository, so that a reviewer can read every change.
//!
//! Counts of instructions are valid on every machine with the same compilers, C library and counter. These form the
//! key; if it differs, nothing is compared. Times and sizes are valid only on the machine that the file names.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::notice::{Code, Notice};
use crate::{plain_file, whole_file};

mod changes;
mod key;

pub use changes::changes;
pub use key::{BaselineKey, BaselineMachine};

/// The version of the format.
const SCHEMA: u32 = 1;

/// Saved figures of solutions.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    schema: u32,
    /// The conditions under which the counts are valid.
    pub key: BaselineKey,
    /// The machine on which the times and sizes are valid.
    pub machine: BaselineMachine,
    /// Samples by solution and case.
    pub solutions: BTreeMap<String, BTreeMap<String, BaselineSamples>>,
}

/// Raw samples of one solution on one case.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BaselineSamples {
    /// Counts of instructions.
    pub instructions: Vec<u64>,
    /// CPU times in microseconds.
    pub cpu_us: Vec<u64>,
    /// Peak memory in bytes.
    pub memory_bytes: Vec<u64>,
}

/// Why a baseline cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// The name is not a plain file name.
    #[error(transparent)]
    Name(Notice),
    /// The file cannot be read or written.
    #[error("cannot {action} the baseline `{path}`")]
    Io {
        /// The action that failed.
        action: &'static str,
        /// The file.
        path: String,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// The file is not a valid baseline.
    #[error("`{path}` is not a valid baseline: {reason}")]
    Format {
        /// The file.
        path: String,
        /// What is wrong.
        reason: String,
    },
}

/// The folder of the baselines in a repository.
pub(crate) const FOLDER: &str = "benches/baselines";

/// The path of a baseline file in the repository at `root`.
pub fn path_of(root: &Path, name: &str) -> Result<PathBuf, BaselineError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.is_empty() || name.starts_with('.') || name.len() > 100 || !name.chars().all(plain) {
        return Err(BaselineError::Name(
            Code::InvalidName
                .says(format!("invalid baseline name `{name}`"))
                .help("use letters, digits, `-`, `_` and `.`"),
        ));
    }
    Ok(root.join(FOLDER).join(format!("{name}.json")))
}

/// The names of the baselines in the repository at `root`.
pub(crate) fn baseline_names(root: &Path) -> Vec<String> {
    let entries = root.join(FOLDER).read_dir().into_iter().flatten().flatten();
    let files = entries.map(|entry| entry.path());
    files
        .filter(|file| file.extension().is_some_and(|end| end == "json"))
        .filter_map(|file| Some(file.file_stem()?.to_str()?.to_owned()))
        .collect()
}

impl Baseline {
    /// An empty baseline.
    #[must_use]
    pub fn new(key: BaselineKey) -> Self {
        Self { schema: SCHEMA, key, machine: BaselineMachine::here(), solutions: BTreeMap::new() }
    }

    /// Copies the cases from `old` that were not measured again. Copies nothing if `old` was created under other
    /// conditions, because one file describes one machine and one compiler of each language.
    pub fn keep_unmeasured(&mut self, old: &Self) {
        if old.machine != self.machine || !old.key.differences(&self.key).is_empty() {
            return;
        }
        for (language, compiler) in &old.key.compilers {
            let compilers = &mut self.key.compilers;
            compilers.entry(language.clone()).or_insert_with(|| compiler.clone());
        }
        for (solution, cases) in &old.solutions {
            let kept_cases = self.solutions.entry(solution.clone()).or_default();
            for (case, samples) in cases {
                kept_cases.entry(case.clone()).or_insert_with(|| samples.clone());
            }
        }
    }

    /// Reads a baseline; `None` if the file does not exist.
    pub fn read(path: &Path) -> Result<Option<Self>, BaselineError> {
        let shown = || path.display().to_string();
        let text = match plain_file::read_text(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => {
                return Err(BaselineError::Io { action: "read", path: shown(), source });
            }
        };
        Self::parse(&shown(), &text).map(Some)
    }

    /// Reads the text of a baseline, which messages call `name`.
    pub(crate) fn parse(name: &str, text: &str) -> Result<Self, BaselineError> {
        let format = |reason: String| BaselineError::Format { path: name.to_owned(), reason };
        // The version first: a newer schema must be reported as such, not as an unknown field.
        let version: serde_json::Value =
            serde_json::from_str(text).map_err(|error| format(error.to_string()))?;
        match version.get("schema").and_then(serde_json::Value::as_u64) {
            Some(found) if found == u64::from(SCHEMA) => {}
            Some(found) => return Err(format(format!("its schema is {found}, not {SCHEMA}"))),
            None => return Err(format(String::from("it has no `schema`"))),
        }
        serde_json::from_str(text).map_err(|error| format(error.to_string()))
    }

    /// Writes the file atomically.
    pub fn write(&self, path: &Path) -> Result<(), BaselineError> {
        let written = whole_file::write(path, &mut self.text().as_bytes());
        written.map_err(|source| BaselineError::Io {
            action: "write",
            path: path.display().to_string(),
            source,
        })
    }

    /// The text of the file: sorted, with one line for each case, so that a diff shows one line for each changed case.
    #[must_use]
    pub fn text(&self) -> String {
        let json = |value: &dyn JsonLine| value.line();
        let mut text = format!(
            "{{\n  \"schema\": {},\n  \"key\": {},\n  \"machine\": {},\n  \"solutions\": {{",
            self.schema,
            json(&self.key),
            json(&self.machine)
        );
        for (index, (solution, cases)) in self.solutions.iter().enumerate() {
            let comma = if index == 0 { "" } else { "," };
            let _ = write!(text, "{comma}\n    {}: {{", json(solution));
            for (index, (case, samples)) in cases.iter().enumerate() {
                let comma = if index == 0 { "" } else { "," };
                let _ = write!(text, "{comma}\n      {}: {}", json(case), json(samples));
            }
            text.push_str("\n    }");
        }
        text.push_str("\n  }\n}\n");
        text
    }
}

/// A value that is written as one line of JSON.
trait JsonLine {
    fn line(&self) -> String;
}

impl<T: Serialize> JsonLine for T {
    fn line(&self) -> String {
        serde_json::to_string(self).expect("strings, numbers and maps with string keys")
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::show::hostile;

    pub(super) fn baseline(counts: &[(&str, u64)]) -> Baseline {
        let key = BaselineKey {
            arch: "x86_64".into(),
            libc: "glibc 2.36".into(),
            counter: "callgrind".into(),
            compilers: [("rust".to_owned(), "rustc 1.88".to_owned())].into(),
        };
        let mut baseline = Baseline::new(key);
        for (case, count) in counts {
            let samples = BaselineSamples {
                instructions: vec![*count; 2],
                cpu_us: vec![5, 6],
                memory_bytes: vec![4096],
            };
            let cases = baseline.solutions.entry("a.rs".into()).or_default();
            cases.insert((*case).to_owned(), samples);
        }
        baseline
    }

    #[test]
    fn a_written_baseline_reads_back_and_has_one_line_for_each_case() {
        let folder = tempfile::tempdir().unwrap();
        let path = path_of(folder.path(), "main").unwrap();
        assert!(Baseline::read(&path).unwrap().is_none());
        let written = baseline(&[("secret/2", 7), ("secret/1", 9)]);
        written.write(&path).unwrap();
        assert_eq!(Baseline::read(&path).unwrap().unwrap(), written);
        let text = written.text();
        let line = "      \"secret/1\": {\"instructions\":[9,9],\"cpu_us\":[5,6],\"memory_bytes\":[4096]},\n";
        assert!(text.contains(line), "{text}");
        std::fs::write(&path, text.replace("\"schema\": 1", "\"schema\": 2")).unwrap();
        let error = Baseline::read(&path).unwrap_err().to_string();
        assert!(error.ends_with("its schema is 2, not 1"), "{error}");
    }

    #[test]
    fn cases_that_were_not_measured_again_are_kept_if_they_are_still_valid() {
        let mut old = baseline(&[("1", 10), ("2", 20)]);
        old.key.compilers.insert("cpp".to_owned(), "g++ 12".to_owned());
        let counts = |new: &Baseline| -> Vec<u64> {
            let cases = new.solutions["a.rs"].values();
            cases.map(|samples| samples.instructions[0]).collect()
        };
        // The new baseline measures a solution in only one of the languages.
        let mut new = baseline(&[("2", 21)]);
        new.keep_unmeasured(&old);
        assert_eq!(counts(&new), [10, 21]);
        assert_eq!(new.key.compilers, old.key.compilers);
        let mut elsewhere = baseline(&[("2", 21)]);
        elsewhere.machine.kernel = Some("another".to_owned());
        elsewhere.keep_unmeasured(&old);
        assert_eq!(counts(&elsewhere), [21]);
        let mut newer = baseline(&[("2", 21)]);
        newer.key.libc = "glibc 2.41".into();
        newer.keep_unmeasured(&old);
        assert_eq!(counts(&newer), [21]);
    }

    #[test]
    fn names_cannot_leave_the_folder() {
        let root = Path::new("/r");
        assert!(path_of(root, "v1.2-main_x").is_ok());
        for bad in ["", ".x", "../x", "a/b", "a b", "ü"] {
            assert!(path_of(root, bad).is_err(), "{bad}");
        }
    }

    proptest! {
        #[test]
        fn no_baseline_makes_the_reader_panic(
            bytes in hostile::spliced(baseline(&[("secret/1", 9)]).text()),
        ) {
            let _ = Baseline::parse("b.json", &String::from_utf8_lossy(&bytes));
        }

        #[test]
        fn every_baseline_reads_back(case in hostile::text(), count in any::<u64>()) {
            let written = baseline(&[(&case, count)]);
            let read = Baseline::parse("b.json", &written.text()).unwrap();
            prop_assert_eq!(read, written);
        }
    }
}
