//! Warnings and errors: the same keys in the report of a run and in the list of problems.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::notice::{Code, Location, Notice, Place};

/// A warning or an error.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct NoticeLine<'a> {
    code: Cow<'a, str>,
    file: Option<Cow<'a, str>>,
    line: Option<u64>,
    column: Option<u64>,
    message: Cow<'a, str>,
    help: Option<Cow<'a, str>>,
}

#[cfg(feature = "nats")]
impl NoticeLine<'_> {
    /// The line with its own texts.
    pub(crate) fn into_owned(self) -> NoticeLine<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        NoticeLine {
            code: owned(self.code),
            file: self.file.map(owned),
            line: self.line,
            column: self.column,
            message: owned(self.message),
            help: self.help.map(owned),
        }
    }
}

impl<'a> From<&'a Notice> for NoticeLine<'a> {
    fn from(notice: &'a Notice) -> Self {
        let location = notice.location.as_ref();
        let place = location.map(|location| location.place).filter(|place| place.line > 0);
        Self {
            code: notice.code.name().into(),
            file: location.map(|location| location.file.as_str().into()),
            line: place.map(|place| place.line),
            column: place.map(|place| place.column.max(1)),
            message: notice.message.as_str().into(),
            help: notice.help.as_deref().map(Cow::Borrowed),
        }
    }
}

impl From<NoticeLine<'_>> for Notice {
    fn from(line: NoticeLine<'_>) -> Self {
        let place =
            Place { line: line.line.unwrap_or_default(), column: line.column.unwrap_or_default() };
        let location = line.file.map(|file| Location { file: file.into_owned(), place });
        // A later version may have further codes.
        let code = Code::of_name(&line.code).unwrap_or(Code::InvalidReport);
        Self {
            code,
            location,
            message: line.message.into_owned(),
            help: line.help.map(Cow::into_owned),
        }
    }
}
