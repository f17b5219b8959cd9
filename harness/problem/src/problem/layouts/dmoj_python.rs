//! Checkers and graders in Python that are written for DMOJ's own judge: each becomes a program of its own, with the part
//! of DMOJ's interface that it needs.

use std::path::{Path, PathBuf};

use super::store::{self, StoreError};
use crate::problem::yaml::{Node, Value};

const API: &str = include_str!("dmoj_api.py");

/// What calls the program of the problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PythonRole {
    /// Called as a checker of CMS.
    Checker,
    /// Called as an interactor of testlib.
    Grader,
}

impl PythonRole {
    const fn main(self) -> &'static str {
        match self {
            Self::Checker => include_str!("dmoj_checker.py"),
            Self::Grader => include_str!("dmoj_grader.py"),
        }
    }
}

/// A program in Python, and the arguments that `init.yml` gives to it.
#[derive(Debug, Clone)]
pub(super) struct PythonProgram {
    pub(super) role: PythonRole,
    pub(super) name: String,
    pub(super) text: String,
    pub(super) args: serde_json::Value,
    /// Whether line ends in inputs and answers stay as they are.
    pub(super) is_binary: bool,
}

impl PythonProgram {
    /// The path of a program that calls it for cases with these points. `None`: the points differ.
    pub(super) fn for_points(&self, points: Option<f64>) -> Result<PathBuf, StoreError> {
        let points = points.map_or_else(|| "None".to_owned(), |points| format!("{points:?}"));
        // JSON texts are also texts in Python.
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        let whole = format!(
            "POINTS = {points}\nBINARY = {}\nNAME = {}\nARGUMENTS = __import__(\"json\").loads({})\nSOURCE = {}\n\n{API}{}",
            if self.is_binary { "True" } else { "False" },
            quoted(&self.name),
            quoted(&self.args.to_string()),
            quoted(&self.text),
            self.role.main(),
        );
        let key = blake3::hash(whole.as_bytes());
        let name = Path::new(&self.name).file_name().unwrap_or_default().to_string_lossy();
        let folder =
            store::materialise(&key, |root| store::write_new(root, &*name, whole.as_bytes()))?;
        Ok(folder.join(&*name))
    }
}

/// A grader of DMOJ whose interaction can be run outside of DMOJ.
pub(super) fn is_interactive(text: &str) -> bool {
    const INSIDE: [&str; 5] = [
        "_interact_with_process",
        "_launch_process",
        "_current_proc",
        "def grade(",
        "def check_result(",
    ];
    text.contains("InteractiveGrader") && !INSIDE.iter().any(|name| text.contains(name))
}

/// Whether a checker asks to be called also after a run that failed.
pub(super) fn runs_on_error(text: &str) -> bool {
    let is_set = |line: &str| {
        let (_, rest) = line.split_once(".run_on_error")?;
        let value = rest.trim_start().strip_prefix('=')?;
        Some(value.trim_start().starts_with("True"))
    };
    text.lines()
        .filter(|line| !line.trim_start().starts_with('#'))
        .any(|line| is_set(line) == Some(true))
}

/// The value of a setting as JSON.
pub(super) fn json(node: &Node) -> serde_json::Value {
    match &node.value {
        Value::Text(text) => text.as_str().into(),
        Value::Bool(flag) => (*flag).into(),
        #[expect(clippy::cast_possible_truncation, reason = "it is a whole number")]
        Value::Number(number) if number.fract() == 0.0 && number.abs() < 1e15 => {
            (*number as i64).into()
        }
        Value::Number(number) => (*number).into(),
        Value::List(items) => items.iter().map(json).collect(),
        Value::Map(entries) => {
            let pairs = entries.iter().map(|(key, node)| (key.name.clone(), json(node)));
            serde_json::Value::Object(pairs.collect())
        }
        Value::Null => serde_json::Value::Null,
    }
}
