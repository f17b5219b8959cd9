//! Saved figures: small files of text in the repository, read by people when they change.
//!
//! Counts of instructions hold on any machine with the same compiler, C library and counter; those are the key, and
//! where it differs nothing is compared. Times and sizes hold on the machine that made them, and the file says which.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde::{Deserialize, Serialize};

use crate::cache::Cache;
use crate::language::Language;
use crate::machine::Machine;
use crate::{plain_file, whole_file};

/// The version of the format.
const SCHEMA: u32 = 1;

/// A baseline.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    schema: u32,
    /// What counts hold for.
    pub key: Key,
    /// What times hold for.
    pub machine: MadeOn,
    /// Samples by solution and case.
    pub solutions: BTreeMap<String, BTreeMap<String, Samples>>,
}

/// What makes counts of instructions comparable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Key {
    /// The processor's architecture.
    pub arch: String,
    /// The C library, with its version.
    pub libc: String,
    /// The counter, with its version.
    pub counter: String,
    /// The compilers, with version and command line, by language.
    pub compilers: BTreeMap<String, String>,
}

/// The machine that made a baseline.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MadeOn {
    /// The system.
    pub os: String,
    /// The processor's model, if it is known.
    pub cpu: Option<String>,
    /// The kernel's release, if it is known.
    pub kernel: Option<String>,
    /// Physical cores.
    pub cores: usize,
}

/// Raw samples of one solution on one case.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Samples {
    /// Counts.
    pub instructions: Vec<u64>,
    /// CPU times in microseconds.
    pub cpu_us: Vec<u64>,
    /// Peaks of memory.
    pub memory_bytes: Vec<u64>,
}

/// Why a baseline cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum BaselineError {
    /// A name that is no plain file name.
    #[error("`{0}` is no name for a baseline: use letters, digits, `-`, `_` and `.`")]
    Name(String),
    /// There is none.
    #[error(
        "there is no baseline `{name}` ({path})\nhelp: make it with `rejudge bench --save {name}`"
    )]
    Missing {
        /// Its name.
        name: String,
        /// Where it was looked for.
        path: String,
    },
    /// It cannot be read or written.
    #[error("cannot {action} the baseline `{path}`")]
    Io {
        /// What was being done.
        action: &'static str,
        /// The file.
        path: String,
        /// The system's error.
        #[source]
        source: io::Error,
    },
    /// It is no baseline of ours.
    #[error("`{path}` is no baseline: {reason}")]
    Format {
        /// The file.
        path: String,
        /// What is wrong with it.
        reason: String,
    },
}

/// The file of a baseline, below the root of a repository.
pub fn path_of(root: &Path, name: &str) -> Result<PathBuf, BaselineError> {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    if name.is_empty() || name.starts_with('.') || name.len() > 100 || !name.chars().all(plain) {
        return Err(BaselineError::Name(name.to_owned()));
    }
    Ok(root.join("benches/baselines").join(format!("{name}.json")))
}

impl Baseline {
    /// An empty one.
    #[must_use]
    pub fn new(key: Key) -> Self {
        Self {
            schema: SCHEMA,
            key,
            machine: MadeOn::here(),
            solutions: BTreeMap::new(),
        }
    }

    /// Reads one; `None` if there is none.
    pub fn read(path: &Path) -> Result<Option<Self>, BaselineError> {
        let shown = || path.display().to_string();
        let text = match plain_file::read_text(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(source) => {
                return Err(BaselineError::Io {
                    action: "read",
                    path: shown(),
                    source,
                });
            }
        };
        let format = |reason: String| BaselineError::Format {
            path: shown(),
            reason,
        };
        // The version first: what a later version added is no error of this file.
        let version: serde_json::Value =
            serde_json::from_str(&text).map_err(|error| format(error.to_string()))?;
        match version.get("schema").and_then(serde_json::Value::as_u64) {
            Some(found) if found == u64::from(SCHEMA) => {}
            Some(found) => return Err(format(format!("its schema is {found}, not {SCHEMA}"))),
            None => return Err(format(String::from("it has no `schema`"))),
        }
        let found = serde_json::from_str(&text).map_err(|error| format(error.to_string()))?;
        Ok(Some(found))
    }

    /// Writes it, whole or not at all.
    pub fn write(&self, path: &Path) -> Result<(), BaselineError> {
        let written = whole_file::write(path, &mut self.text().as_bytes());
        written.map_err(|source| BaselineError::Io {
            action: "write",
            path: path.display().to_string(),
            source,
        })
    }

    /// The file's text: sorted, a line for each case, so that a change is a changed line.
    #[must_use]
    pub fn text(&self) -> String {
        let json = |value: &dyn Line| value.line();
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

/// A value as JSON in one line.
trait Line {
    fn line(&self) -> String;
}

impl<T: Serialize> Line for T {
    fn line(&self) -> String {
        serde_json::to_string(self).expect("texts, numbers and tables with texts for keys")
    }
}

impl Key {
    /// What holds here, with this counter and these languages.
    pub fn here<'a>(
        counter: String,
        languages: impl IntoIterator<Item = &'a Language>,
        cache: &Cache,
    ) -> Self {
        let compilers = languages.into_iter().filter_map(|language| {
            let toolchain = language.toolchain(cache).ok()?;
            let words = language.compile_argv(crate::language::Profile::Judge);
            let words: Vec<&str> = words
                .iter()
                .map(crate::language::Template::as_str)
                .collect();
            let line = format!("{}: {}", toolchain.version, words.join(" "));
            Some((language.id.clone(), line))
        });
        Self {
            arch: std::env::consts::ARCH.to_owned(),
            libc: libc(),
            counter,
            compilers: compilers.collect(),
        }
    }

    /// What differs, each as `the C library: `A` then, `B` now`. A language that only one of them has is no difference.
    #[must_use]
    pub fn differences(&self, now: &Self) -> Vec<String> {
        let mut found = Vec::new();
        let mut compare = |what: &str, then: &str, now: &str| {
            if then != now {
                found.push(format!("{what}: `{then}` then, `{now}` now"));
            }
        };
        compare("the architecture", &self.arch, &now.arch);
        compare("the C library", &self.libc, &now.libc);
        compare("the counter", &self.counter, &now.counter);
        for (language, then) in &self.compilers {
            if let Some(now) = now.compilers.get(language) {
                compare(&format!("the compiler of `{language}`"), then, now);
            }
        }
        found
    }
}

impl MadeOn {
    /// This machine.
    #[must_use]
    pub fn here() -> Self {
        let machine = Machine::this();
        Self {
            os: machine.os.to_owned(),
            cpu: machine.cpu,
            kernel: machine.kernel,
            cores: machine.cores,
        }
    }

    /// For people.
    #[must_use]
    pub fn words(&self) -> String {
        let unknown = || String::from("unknown");
        format!(
            "processor {}, kernel {}",
            self.cpu.clone().unwrap_or_else(unknown),
            self.kernel.clone().unwrap_or_else(unknown)
        )
    }
}

/// The C library's name and version, as the system tells them.
fn libc() -> String {
    let first_line = |program: &str, argument: &str| {
        let output = Command::new(program)
            .arg(argument)
            .env("LC_ALL", "C")
            .output()
            .ok()?;
        // musl's prints on standard error.
        let said = if output.stdout.is_empty() {
            output.stderr
        } else {
            output.stdout
        };
        let text = String::from_utf8_lossy(&said);
        let line: Vec<&str> = text.lines().take(2).map(str::trim).collect();
        Some(line.join(" ")).filter(|line| !line.is_empty())
    };
    let glibc = first_line("getconf", "GNU_LIBC_VERSION");
    glibc
        .filter(|line| line.starts_with("glibc"))
        .or_else(|| first_line("ldd", "--version"))
        .unwrap_or_else(|| String::from("unknown"))
}

/// What changed between two baselines, a line for each case: `sum.rs secret/1: 84.3 M → 96.9 M (+15.0 %)`.
#[must_use]
pub fn changes(old: &Baseline, new: &Baseline) -> Vec<String> {
    let mut lines = old.key.differences(&new.key);
    let places = |of: &Baseline| -> Vec<(String, String)> {
        let solutions = of.solutions.iter();
        solutions
            .flat_map(|(solution, cases)| cases.keys().map(|case| (solution.clone(), case.clone())))
            .collect()
    };
    let mut all = places(old);
    all.extend(places(new));
    all.sort();
    all.dedup();
    for (solution, case) in all {
        let of = |of: &Baseline| {
            let samples = of.solutions.get(&solution)?.get(&case)?;
            let mut counts = samples.instructions.clone();
            counts.sort_unstable();
            counts.get(counts.len() / 2).copied()
        };
        let line = match (of(old), of(new)) {
            (Some(then), Some(now)) if then != now => {
                #[expect(clippy::cast_precision_loss, reason = "for people to read")]
                let change = 100.0 * (now as f64 / (then as f64).max(1.0) - 1.0);
                format!("{then} → {now} instructions ({change:+.2} %)")
            }
            (None, Some(now)) => format!("new, {now} instructions"),
            (Some(then), None) => format!("gone, {then} instructions"),
            _ => continue,
        };
        lines.push(format!("{solution} {case}: {line}"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn baseline(counts: &[(&str, u64)]) -> Baseline {
        let key = Key {
            arch: "x86_64".into(),
            libc: "glibc 2.36".into(),
            counter: "callgrind".into(),
            compilers: [("rust".to_owned(), "rustc 1.88".to_owned())].into(),
        };
        let mut baseline = Baseline::new(key);
        for (case, count) in counts {
            let samples = Samples {
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
    fn what_is_written_is_read_again_and_a_case_is_a_line() {
        let folder = tempfile::tempdir().unwrap();
        let path = path_of(folder.path(), "main").unwrap();
        assert!(Baseline::read(&path).unwrap().is_none());
        let own = baseline(&[("secret/2", 7), ("secret/1", 9)]);
        own.write(&path).unwrap();
        assert_eq!(Baseline::read(&path).unwrap().unwrap(), own);
        let text = own.text();
        let line = "      \"secret/1\": {\"instructions\":[9,9],\"cpu_us\":[5,6],\"memory_bytes\":[4096]},\n";
        assert!(text.contains(line), "{text}");
        std::fs::write(&path, text.replace("\"schema\": 1", "\"schema\": 2")).unwrap();
        let error = Baseline::read(&path).unwrap_err().to_string();
        assert!(error.ends_with("its schema is 2, not 1"), "{error}");
    }

    #[test]
    fn names_stay_in_their_folder() {
        let root = Path::new("/r");
        assert!(path_of(root, "v1.2-main_x").is_ok());
        for bad in ["", ".x", "../x", "a/b", "a b", "ü"] {
            assert!(path_of(root, bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_change_shows_old_and_new() {
        let old = baseline(&[("1", 1000), ("2", 5), ("3", 7)]);
        let mut new = baseline(&[("1", 1100), ("2", 5), ("4", 8)]);
        new.key.libc = "glibc 2.41".into();
        assert_eq!(
            changes(&old, &new),
            [
                "the C library: `glibc 2.36` then, `glibc 2.41` now",
                "a.rs 1: 1000 → 1100 instructions (+10.00 %)",
                "a.rs 3: gone, 7 instructions",
                "a.rs 4: new, 8 instructions",
            ]
        );
    }
}
