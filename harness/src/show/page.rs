//! The parts of a page of HTML that needs no network: its frame, foreign text in it, and packed data.

pub(crate) mod clean;
mod frame;
pub(crate) mod packed;

pub(crate) use frame::{Assets, Frame};
