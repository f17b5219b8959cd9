//! Problems in the form that the browser extension Competitive Companion sends. CPH stores them as
//! `.prob`.

use std::time::Duration;

use serde::Deserialize;

mod names;

use rejudge_quantity::Bytes;

use crate::problem::{ProblemLimits, StatedFiles, Streams, is_file_name};

/// A problem. Unknown keys are ignored; optional keys have a default.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompanionProblem {
    /// The title.
    pub name: String,
    /// The judge and the contest.
    #[serde(default)]
    pub group: String,
    /// The address of the problem.
    #[serde(default)]
    pub url: String,
    /// Whether solutions talk to an interactor.
    #[serde(default)]
    pub interactive: bool,
    /// The memory limit, in MiB.
    #[serde(default)]
    pub memory_limit: Option<f64>,
    /// The time limit, in milliseconds.
    #[serde(default)]
    pub time_limit: Option<f64>,
    /// The samples.
    #[serde(default)]
    pub tests: Vec<CompanionTest>,
    /// Where programs read; `None`: standard input.
    #[serde(default)]
    pub input: Option<CompanionStream>,
    /// Where programs write; `None`: standard output.
    #[serde(default)]
    pub output: Option<CompanionStream>,
    /// The contest with which it was sent.
    #[serde(default)]
    pub batch: Option<CompanionBatch>,
    /// CPH: the path of the source that the problem belongs to.
    #[serde(default)]
    pub src_path: Option<String>,
}

/// A test, usually a sample.
#[derive(Debug, Clone, Deserialize)]
pub struct CompanionTest {
    /// The text of the input.
    #[serde(default)]
    pub input: String,
    /// The text of the expected output.
    #[serde(default)]
    pub output: String,
}

/// Where a program reads its input or writes its output.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct CompanionStream {
    /// `stdin`, `stdout`, `file` or `regex`.
    #[serde(rename = "type", default)]
    pub kind: String,
    /// For the type `file`: the name.
    #[serde(default)]
    pub file_name: Option<String>,
    /// For the type `regex`: the pattern of the name.
    #[serde(default)]
    pub pattern: Option<String>,
}

impl CompanionStream {
    /// The name of the file. A pattern stands for a simple name that matches it.
    pub fn file(&self) -> Option<String> {
        let name = match self.kind.as_str() {
            "file" => self.file_name.clone(),
            "regex" => names::simplest(self.pattern.as_deref()?),
            _ => None,
        };
        name.filter(|name| is_file_name(name))
    }
}

/// The contest with which a problem was sent.
#[derive(Debug, Clone, Deserialize)]
pub struct CompanionBatch {
    /// The same for all problems of the contest.
    pub id: String,
    /// The number of problems.
    #[serde(default)]
    pub size: usize,
}

impl CompanionProblem {
    /// The limits, if their values are valid.
    pub fn limits(&self) -> ProblemLimits {
        let real = |number: &f64| number.is_finite() && *number > 0.0;
        ProblemLimits {
            cpu_time: self
                .time_limit
                .filter(real)
                .map(|ms| Duration::from_secs_f64(ms.min(86_400_000.0) / 1000.0)),
            memory: self.memory_limit.filter(real).map(mebibytes),
            ..ProblemLimits::default()
        }
    }

    /// The files that solutions must use, if the site prescribes them by name or by a pattern for names.
    pub fn streams(&self) -> Streams {
        let name = |stream: &Option<CompanionStream>| stream.as_ref()?.file();
        let files = StatedFiles {
            input: name(&self.input),
            output: name(&self.output),
            ..StatedFiles::default()
        };
        if files == StatedFiles::default() { Streams::default() } else { Streams::Stated(files) }
    }
}

/// Rounded to whole MiB, at least one.
pub fn mebibytes(number: f64) -> Bytes {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "bounded from both sides"
    )]
    let whole = number.round().clamp(1.0, 1_048_576.0) as u64;
    Bytes::mib(whole)
}
