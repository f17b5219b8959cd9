//! The `problem.json` of QDUOJ as data, with what problems of HUSTOJ need more.

use std::collections::BTreeMap;

use serde_json::Value;

/// The file that describes a problem.
pub(super) const FILE: &str = "problem.json";

/// The folder of the cases.
pub(super) const CASES: &str = "testcase";

/// The judge of files that are unpacked to such folders.
pub(super) const HUSTOJ: &str = "hustoj";

/// A `problem.json`.
#[derive(Debug, Default, serde::Deserialize, serde::Serialize)]
#[serde(default)]
pub(super) struct QduojProblem {
    pub(super) title: String,
    /// In milliseconds.
    pub(super) time_limit: Option<f64>,
    /// In mebibytes.
    pub(super) memory_limit: Option<f64>,
    pub(super) rule_type: Option<String>,
    pub(super) samples: Vec<QduojSample>,
    pub(super) test_case_score: Option<Vec<QduojCase>>,
    pub(super) spj: Option<QduojSource>,
    pub(super) answers: Vec<QduojSource>,
    pub(super) template: Option<BTreeMap<String, QduojTemplate>>,
    /// The judge that the problem is from, if it is not QDUOJ.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) judge: Option<String>,
    #[serde(flatten)]
    pub(super) others: BTreeMap<String, Value>,
}

#[derive(Debug, Default, serde::Deserialize, serde::Serialize)]
#[serde(default)]
pub(super) struct QduojSample {
    pub(super) input: String,
    pub(super) output: String,
}

/// A case, and its points in a contest with points.
#[derive(Debug, Default, serde::Deserialize, serde::Serialize)]
#[serde(default)]
pub(super) struct QduojCase {
    pub(super) score: f64,
    pub(super) input_name: String,
    pub(super) output_name: Option<String>,
    /// The name of the case, if it is not that of the input.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) name: Option<String>,
}

#[derive(Debug, Default, serde::Deserialize, serde::Serialize)]
#[serde(default)]
pub(super) struct QduojSource {
    pub(super) code: String,
    pub(super) language: String,
    /// Whether it is a checker of testlib, which only HUSTOJ has.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) testlib: bool,
}

/// The code around submissions in a language.
#[derive(Debug, Default, Clone, serde::Deserialize, serde::Serialize)]
#[serde(default)]
pub(super) struct QduojTemplate {
    pub(super) prepend: String,
    pub(super) template: String,
    pub(super) append: String,
}
