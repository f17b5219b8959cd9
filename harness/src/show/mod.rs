//! What every room needs to show results: words, columns, styles, safe text, JSON lines, the frame of a page.
//!
//! Nothing here knows what a run is; the reports of runs are in [`report`](crate::report).

pub(crate) mod annotation;
pub(crate) mod columns;
pub(crate) mod destination;
pub(crate) mod facts;
pub(crate) mod fit;
#[cfg(test)]
pub(crate) mod hostile;
pub(crate) mod inert;
pub(crate) mod json_line;
pub(crate) mod markdown;
pub(crate) mod notice_line;
pub(crate) mod page;
pub(crate) mod progress;
#[cfg(test)]
pub(crate) mod schema;
pub(crate) mod style;
pub(crate) mod ticker;
pub(crate) mod verdict_code;
pub(crate) mod words;
