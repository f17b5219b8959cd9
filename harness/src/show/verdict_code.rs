//! Verdicts in JSON.

#[cfg(test)]
use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::verdict::Verdict;

/// A verdict as its code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "&'static str", try_from = "String")]
pub(crate) struct VerdictCode(pub(crate) Verdict);

impl From<VerdictCode> for &'static str {
    fn from(code: VerdictCode) -> Self {
        code.0.code()
    }
}

#[cfg(test)]
impl schemars::JsonSchema for VerdictCode {
    fn schema_name() -> Cow<'static, str> {
        "Verdict".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "enum": Verdict::ALL.map(Verdict::code) })
    }
}

/// A code that no verdict has.
#[derive(Debug, thiserror::Error)]
#[error("unknown verdict `{0}`")]
pub(crate) struct UnknownCode(String);

impl TryFrom<String> for VerdictCode {
    type Error = UnknownCode;

    fn try_from(code: String) -> Result<Self, UnknownCode> {
        let mut all = Verdict::ALL.into_iter();
        let known = all.find(|verdict| verdict.code() == code);
        known.map(Self).ok_or(UnknownCode(code))
    }
}
