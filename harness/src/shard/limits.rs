//! Time limits that were inferred once, for runs that take them from a file: JSON lines.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};

use crate::limits::DEFAULT_CPU_TIME;
use crate::notice::{Code, Notice};
use crate::show::facts::MachineFacts;
use crate::show::json_line;
use crate::whole_file;

/// The limit of a problem that sets none.
#[derive(Debug, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct SavedLimit {
    pub(crate) problem: String,
    /// `None`: no submission bounds it, so the default applies.
    pub(crate) limit_ms: Option<f64>,
    /// How it was computed.
    pub(crate) reason: Option<String>,
}

/// The limits by the ids of the problems.
#[derive(Debug, Default)]
pub(crate) struct SavedLimits(BTreeMap<String, Duration>);

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LimitsStartLine {
    r#type: &'static str,
    version: &'static str,
    machine: MachineFacts,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct LimitLine<'a> {
    r#type: &'static str,
    #[serde(flatten)]
    limit: &'a SavedLimit,
}

#[derive(Deserialize)]
struct LimitsHead {
    r#type: String,
    schema: u32,
}

impl SavedLimits {
    /// Reads the file at `path`. Without one, there are none.
    pub(crate) fn of_file(path: Option<&Path>) -> Result<Self> {
        let Some(path) = path else {
            return Ok(Self::default());
        };
        let name = path.display().to_string();
        let text = std::fs::read(path).with_context(|| format!("cannot read `{name}`"))?;
        // The error about another file names its line.
        Ok(Self::read(&name, &String::from_utf8_lossy(&text))?)
    }

    /// Reads the text of the file that messages call `name`.
    fn read(name: &str, text: &str) -> Result<Self, Notice> {
        let mut limits = BTreeMap::new();
        let bad = |line: usize, why: String| {
            let why = crate::printable::one_line(why.as_bytes(), 200);
            Code::InvalidReport
                .says(format!("`{name}` is not a file of time limits: line {line}: {why}"))
                .help("make it with `rejudge time --save FILE`")
        };
        let mut started = false;
        for (index, line) in text.lines().enumerate() {
            let number = index + 1;
            let fault = |error: serde_json::Error| bad(number, error.to_string());
            let head: LimitsHead = serde_json::from_str(line).map_err(fault)?;
            if head.schema != json_line::SCHEMA {
                return Err(bad(number, format!("it has schema {}", head.schema)));
            }
            match (head.r#type.as_str(), number) {
                ("limits", 1) => started = true,
                ("limit", 2..) if started => {
                    let saved: SavedLimit = serde_json::from_str(line).map_err(fault)?;
                    let limit = saved.limit_ms.map_or(Some(DEFAULT_CPU_TIME), duration);
                    let limit = limit
                        .ok_or_else(|| bad(number, "`limit_ms` is not a time limit".to_owned()))?;
                    limits.insert(saved.problem, limit);
                }
                (kind, _) => return Err(bad(number, format!("it has the type `{kind}`"))),
            }
        }
        if started { Ok(Self(limits)) } else { Err(bad(1, "the file is empty".to_owned())) }
    }

    /// The limit of a problem.
    pub(crate) fn of(&self, problem: &str) -> Option<Duration> {
        self.0.get(problem).copied()
    }

    /// Writes the limits to `path`.
    pub(crate) fn write(path: &Path, limits: &[SavedLimit]) -> io::Result<()> {
        whole_file::write_with(path, |file| {
            let mut out = io::BufWriter::new(file);
            let start = LimitsStartLine {
                r#type: "limits",
                version: env!("CARGO_PKG_VERSION"),
                machine: MachineFacts::here(),
            };
            json_line::write(&mut out, &start)?;
            for limit in limits {
                let line = LimitLine { r#type: "limit", limit };
                json_line::write(&mut out, &line)?;
            }
            out.flush()
        })
    }
}

/// The time limit of this number of milliseconds.
fn duration(milliseconds: f64) -> Option<Duration> {
    let limit = Duration::try_from_secs_f64(milliseconds / 1e3).ok()?;
    (limit > Duration::ZERO).then_some(limit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::schema;

    #[test]
    fn saved_limits_are_read_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("limits.jsonl");
        let limit = |problem: &str, limit_ms| SavedLimit {
            problem: problem.to_owned(),
            limit_ms,
            reason: None,
        };
        SavedLimits::write(&path, &[limit("a", Some(1500.0)), limit("b", None)]).unwrap();
        let text = std::fs::read_to_string(&path).unwrap();
        let read = SavedLimits::read("limits.jsonl", &text).unwrap();
        assert_eq!(read.of("a"), Some(Duration::from_millis(1500)));
        assert_eq!(read.of("b"), Some(DEFAULT_CPU_TIME));
        assert_eq!(read.of("c"), None);
    }

    #[test]
    fn another_file_is_an_error_with_its_line() {
        let first = r#"{"type":"limits","schema":1}"#;
        for (text, shown) in [
            (String::new(), "line 1: the file is empty"),
            ("hello".to_owned(), "line 1: expected value"),
            (r#"{"type":"start","schema":1}"#.to_owned(), "line 1: it has the type `start`"),
            (r#"{"type":"limits","schema":2}"#.to_owned(), "line 1: it has schema 2"),
            (format!("{first}\n{{\"type\":\"lim"), "line 2"),
            (
                format!(
                    "{first}\n{{\"type\":\"limit\",\"schema\":1,\"problem\":\"a\",\"limit_ms\":-1}}"
                ),
                "line 2: `limit_ms` is not a time limit",
            ),
        ] {
            let error = SavedLimits::read("x", &text).unwrap_err().to_string();
            assert!(error.contains(shown), "{error}");
            assert!(error.contains("\nhelp: "), "{error}");
        }
    }

    #[test]
    fn the_schema_of_saved_limits_is_up_to_date() {
        let lines = vec![
            schema::of_line_called::<LimitsStartLine>("limits"),
            schema::of_line_called::<LimitLine<'static>>("limit"),
        ];
        schema::is_of_option_up_to_date("time", "save", lines);
    }
}
