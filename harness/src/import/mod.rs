//! Turns what was read of a foreign problem, or sent by a browser, into a package under `cases/`.
//!
//! Beside the flow: it writes files and judges nothing. A package appears whole or not at all, and
//! nothing that is there is replaced.

pub(crate) mod checker;
pub(crate) mod draft;
pub(crate) mod names;
pub(crate) mod points;
pub(crate) mod stage;

pub(crate) use draft::{Draft, DraftCase, Text};
