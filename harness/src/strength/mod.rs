//! How strong the cases of a problem are: which wrong submissions they catch, and which wrong programs they would not.
//!
//! It stands next to the judge: it runs submissions, and accepted solutions with one change each (*mutants*), with the
//! judge's own stages. The killing matrix itself is in [`killing`](crate::killing). It prints nothing, and changes
//! nothing on disk except for the caches.

mod json;
mod margin;
mod matrix;
mod order;
mod review;
mod text;

pub(crate) use json::json_of;
pub(crate) use margin::{close_catches, decide_by_runs};
pub(crate) use matrix::{MatrixCollector, ResultMatrix};
pub(crate) use review::StrengthReview;
pub(crate) use text::text_of;
