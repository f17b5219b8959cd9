//! How strong the cases of a problem are: which wrong submissions they catch, and which wrong programs they would not.
//!
//! It stands next to the judge: it runs submissions, and accepted solutions with one change each (*mutants*), with the
//! judge's own stages. The killing matrix itself is in [`killing`](crate::killing). It prints nothing.

mod bounds;
mod brackets;
mod change;
mod difference;
mod json;
mod kill;
mod lexer;
mod margin;
mod matrix;
mod mutant_review;
mod mutant_text;
mod mutants;
mod order;
mod overview;
mod positions;
mod review;
mod rules;
mod structure;
mod syntax;
mod text;
mod token;

pub(crate) use bounds::bounds;
pub(crate) use json::json_of;
pub(crate) use kill::fates;
pub(crate) use margin::{close_catches, decide_by_runs};
pub(crate) use matrix::{MatrixCollector, ResultMatrix};
pub(crate) use mutant_review::{MutantReview, SurvivorSearch};
pub(crate) use mutants::{MutantPlan, check_families};
pub(crate) use review::StrengthReview;
pub(crate) use text::text_of;
