//! What a request says.

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;

use serde::de::{self, MapAccess, SeqAccess, Visitor, value};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;

/// A source and the cases that it is judged on. Times are numbers of seconds, or text with a unit such as `500ms`; sizes are
/// numbers of MiB, or text with a unit such as `256MiB`.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct BatchRequest {
    /// The version of the shape: 1.
    #[serde(default)]
    pub(super) schema: Option<u32>,
    /// Returned with the answer. Requests may share it.
    #[serde(default)]
    pub(crate) id: Option<RequestId>,
    /// The language: an id of `rejudge languages`, an extension, or a usual name such as `c++17`, `python3` or `nodejs`. Without
    /// it, the extension of `path` decides.
    #[serde(default)]
    pub(super) language: Option<LanguageName>,
    /// The text of the program.
    #[serde(default)]
    pub(super) source: Option<String>,
    /// The file of the program, instead of `source`.
    #[serde(default)]
    pub(super) path: Option<PathBuf>,
    /// What a model wrote, instead of `source`: the program is the block of code that `extract` names.
    #[serde(default)]
    pub(super) completion: Option<String>,
    /// Which part of `completion` is the program.
    #[serde(default)]
    pub(super) extract: Extract,
    /// Files that lie beside the source, by name.
    #[serde(default)]
    pub(super) files: BTreeMap<String, RequestedFile>,
    /// The cases: a list, two lists `inputs` and `outputs`, or the path of a problem or of a folder of cases.
    #[serde(default)]
    #[cfg_attr(test, schemars(with = "Option<CasesShape>"))]
    pub(super) cases: Option<RequestedCases>,
    /// The path or the name of a problem, instead of `cases`.
    #[serde(default)]
    pub(super) problem: Option<String>,
    /// Judge only this number of cases, the first ones.
    #[serde(default)]
    pub(super) limit_cases: Option<usize>,
    /// The program is a function in Python, which is called with the input of each case.
    #[serde(default)]
    pub(super) function: Option<RequestedFunction>,
    /// The program carries its own tests in Python, and has no cases, or cases that are only inputs.
    #[serde(default)]
    pub(super) check: Option<OwnTests>,
    /// How outputs are compared: a value of `--checker`, or a program. Without it, `numbers:1e-6`, or that of the problem.
    #[serde(default)]
    pub(super) checker: Option<RequestedChecker>,
    /// The limit of CPU time for each case.
    #[serde(default)]
    pub(super) time_limit: Option<RequestedAmount>,
    /// The limit of wall time for each case.
    #[serde(default)]
    pub(super) wall_limit: Option<RequestedAmount>,
    /// The limit of CPU time for the compiler.
    #[serde(default)]
    pub(super) compile_limit: Option<RequestedAmount>,
    /// The limit of memory for each case.
    #[serde(default)]
    pub(super) memory_limit: Option<RequestedAmount>,
    /// The limit of standard output and standard error together, for each case.
    #[serde(default)]
    pub(super) output_limit: Option<RequestedAmount>,
    /// When no more cases are run.
    #[serde(default)]
    pub(super) stop: StopRule,
    /// What `score` in the answer is.
    #[serde(default)]
    pub(super) score: ScoreRule,
    /// Return the whole output of each case, and not only its start.
    #[serde(default)]
    pub(super) return_output: bool,
}

/// A text or a whole number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(crate) enum RequestId {
    Number(i64),
    Text(String),
}

/// A file beside the source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(super) enum RequestedFile {
    /// A text.
    Text(String),
    Base64(EncodedFile),
}

/// A file in base64.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct EncodedFile {
    pub(super) base64: String,
}

/// A name, or a number of the data set `code_contests`: 2 for C++, 3 for Python 3, 4 for Java.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(super) enum LanguageName {
    Number(u8),
    Text(String),
}

/// A number, or a number with a unit.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(super) enum RequestedAmount {
    Number(f64),
    Text(String),
}

impl fmt::Display for RequestedAmount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Text(text) => f.write_str(text),
        }
    }
}

/// Which part of a completion is the program.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(super) enum Extract {
    /// The last block between fences of three or more backquotes.
    #[default]
    LastFence,
    /// The first one.
    FirstFence,
    /// All of it.
    None,
}

/// When no more cases are run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(super) enum StopRule {
    /// After the first case that is not accepted.
    #[default]
    First,
    /// All cases are run.
    All,
    /// After the first batch of this number of cases of which one is not accepted.
    Batch(std::num::NonZeroUsize),
}

/// What the score is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(super) enum ScoreRule {
    /// The accepted part of all cases.
    #[default]
    Fraction,
    /// 1 if all cases are accepted, otherwise 0.
    All,
    /// The part of the groups of which all cases are accepted.
    Groups,
}

/// A function that is called.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct RequestedFunction {
    /// Its name. If there is a class `Solution` with this method, it is that method.
    pub(super) name: String,
    /// How inputs hold the arguments.
    #[serde(default)]
    pub(super) arguments: ArgumentsRule,
}

/// How inputs hold the arguments of a function.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub(super) enum ArgumentsRule {
    /// An input is a text, and an answer too: each line of the input is one argument, as JSON.
    #[default]
    JsonLines,
    /// An input is a list of values, and an answer is a value.
    Values,
}

/// Tests that a program carries.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub(super) enum OwnTests {
    /// It must come to its end without an exception.
    Exit,
    /// All tests of its `unittest.TestCase` classes must pass, and there must be one.
    Unittest,
}

/// How outputs are compared.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(untagged)]
pub(super) enum RequestedChecker {
    /// A value of `--checker`.
    Word(String),
    Program(CheckerSource),
}

/// A program that checks outputs.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct CheckerSource {
    /// What `--checker` has before the colon: `testlib`, `cms`, … Without it, the program is an output validator.
    #[serde(default)]
    pub(super) convention: Option<String>,
    /// Its language.
    pub(super) language: String,
    /// Its text.
    pub(super) source: String,
}

/// The cases of a request.
#[derive(Debug)]
pub(super) enum RequestedCases {
    List(Vec<RequestedCase>),
    Parallel(ParallelCases),
    Path(String),
}

/// A case.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct RequestedCase {
    /// Text, or a list of lines; the arguments of a function.
    #[cfg_attr(test, schemars(with = "serde_json::Value"))]
    pub(super) input: Box<RawValue>,
    /// The same. Without it, the case is only run.
    #[serde(default, alias = "output")]
    #[cfg_attr(test, schemars(with = "Option<serde_json::Value>"))]
    pub(super) answer: Option<Box<RawValue>>,
    /// Its group, for scores.
    #[serde(default)]
    pub(super) group: Option<String>,
    /// Its limit of CPU time, instead of that of the request.
    #[serde(default)]
    pub(super) time_limit: Option<RequestedAmount>,
}

/// Inputs and answers as two lists.
#[derive(Debug, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(super) struct ParallelCases {
    #[cfg_attr(test, schemars(with = "Vec<serde_json::Value>"))]
    pub(super) inputs: Vec<Box<RawValue>>,
    #[serde(alias = "answers")]
    #[cfg_attr(test, schemars(with = "Vec<serde_json::Value>"))]
    pub(super) outputs: Vec<Box<RawValue>>,
}

impl<'de> Deserialize<'de> for RequestedCases {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(CasesVisitor)
    }
}

/// By the type of the value, so that the messages are those of the right shape.
struct CasesVisitor;

impl<'de> Visitor<'de> for CasesVisitor {
    type Value = RequestedCases;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of cases, an object with `inputs` and `outputs`, or a path")
    }

    fn visit_str<E: de::Error>(self, path: &str) -> Result<Self::Value, E> {
        Ok(RequestedCases::Path(path.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<Self::Value, A::Error> {
        Deserialize::deserialize(value::SeqAccessDeserializer::new(list)).map(RequestedCases::List)
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Self::Value, A::Error> {
        let lists = Deserialize::deserialize(value::MapAccessDeserializer::new(map));
        lists.map(RequestedCases::Parallel)
    }
}

/// The shapes of [`RequestedCases`], for the schema.
#[cfg(test)]
#[derive(schemars::JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum CasesShape {
    List(Vec<RequestedCase>),
    Parallel(ParallelCases),
    Path(String),
}

impl BatchRequest {
    /// The digest of all but the id.
    pub(super) fn digest(&self) -> blake3::Hash {
        let mut digest = blake3::Hasher::new();
        let mut add = |text: &str| {
            digest.update(&(text.len() as u64).to_le_bytes());
            digest.update(text.as_bytes());
        };
        match &self.cases {
            Some(RequestedCases::List(cases)) => {
                for case in cases {
                    add(case.input.get());
                    add(case.answer.as_ref().map_or("", |answer| answer.get()));
                    add(&format!("{:?} {:?}", case.group, case.time_limit));
                }
            }
            Some(RequestedCases::Parallel(lists)) => {
                lists.inputs.iter().chain(&lists.outputs).for_each(|value| add(value.get()));
                add(&lists.inputs.len().to_string());
            }
            Some(RequestedCases::Path(path)) => add(path),
            None => add(""),
        }
        let Self { id: _, cases: _, schema: _, return_output: _, .. } = self;
        add(&format!(
            "{:?}",
            (
                (&self.language, &self.source, &self.path, &self.completion, self.extract),
                (&self.files, &self.problem, self.limit_cases, &self.function, self.check),
                (&self.checker, &self.time_limit, &self.wall_limit, &self.compile_limit),
                (&self.memory_limit, &self.output_limit, self.stop, self.score),
            )
        ));
        digest.finalize()
    }
}
