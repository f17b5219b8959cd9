//! Warnings and errors: the same keys in the report of a run and in the list of problems.

use serde::Serialize;

use crate::notice::Notice;

/// A warning or an error.
#[derive(Debug, Serialize)]
pub(crate) struct NoticeLine<'a> {
    code: &'static str,
    file: Option<&'a str>,
    line: Option<u64>,
    column: Option<u64>,
    message: &'a str,
    help: Option<&'a str>,
}

impl<'a> From<&'a Notice> for NoticeLine<'a> {
    fn from(notice: &'a Notice) -> Self {
        let location = notice.location.as_ref();
        let place = location
            .map(|location| location.place)
            .filter(|place| place.line > 0);
        Self {
            code: notice.code.name(),
            file: location.map(|location| location.file.as_str()),
            line: place.map(|place| place.line),
            column: place.map(|place| place.column.max(1)),
            message: &notice.message,
            help: notice.help.as_deref(),
        }
    }
}
