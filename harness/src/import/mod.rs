//! Writes a package under `cases/` from a problem in another format or from a browser.
//!
//! It stands next to the flow: it writes files and judges nothing. A package appears whole or not
//! at all, and existing files are not replaced.

pub(crate) mod carried;
pub(crate) mod checker;
pub(crate) mod draft;
pub(crate) mod names;
pub(crate) mod points;
mod quote;
mod resolution;
pub(crate) mod stage;

pub(crate) use draft::{Draft, DraftCase, DraftText};
pub(crate) use quote::quoted;
pub(crate) use resolution::{resolution_of, time_limit_lines};
