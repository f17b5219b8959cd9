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
pub(crate) struct CompanionProblem {
    pub(crate) name: String,
    #[serde(default)]
    pub(crate) group: String,
    #[serde(default)]
    pub(crate) url: String,
    #[serde(default)]
    pub(crate) interactive: bool,
    /// MiB.
    #[serde(default)]
    pub(crate) memory_limit: Option<f64>,
    /// Milliseconds.
    #[serde(default)]
    pub(crate) time_limit: Option<f64>,
    #[serde(default)]
    pub(crate) tests: Vec<CompanionTest>,
    #[serde(default)]
    pub(crate) input: Option<CompanionStream>,
    #[serde(default)]
    pub(crate) output: Option<CompanionStream>,
    #[serde(default)]
    pub(crate) batch: Option<CompanionBatch>,
    /// CPH: the path of the source that the problem belongs to.
    #[serde(default)]
    pub(crate) src_path: Option<String>,
}

/// A test, usually a sample.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct CompanionTest {
    #[serde(default)]
    pub(crate) input: String,
    #[serde(default)]
    pub(crate) output: String,
}

/// Where a program reads its input or writes its output.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CompanionStream {
    #[serde(rename = "type", default)]
    pub(crate) kind: String,
    #[serde(default)]
    pub(crate) file_name: Option<String>,
    /// For the type `regex`.
    #[serde(default)]
    pub(crate) pattern: Option<String>,
}

impl CompanionStream {
    /// The name of the file. A pattern stands for a simple name that matches it.
    pub(crate) fn file(&self) -> Option<String> {
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
pub(crate) struct CompanionBatch {
    pub(crate) id: String,
    #[serde(default)]
    pub(crate) size: usize,
}

impl CompanionProblem {
    /// The limits, if their values are valid.
    pub(crate) fn limits(&self) -> ProblemLimits {
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
    pub(crate) fn streams(&self) -> Streams {
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
pub(crate) fn mebibytes(number: f64) -> Bytes {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "bounded from both sides"
    )]
    let whole = number.round().clamp(1.0, 1_048_576.0) as u64;
    Bytes::mib(whole)
}
