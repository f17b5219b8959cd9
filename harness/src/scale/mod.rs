//! How a program's CPU time and memory grow with the size of its input.
//!
//! Beside the flow: [`measure`] runs a compiled solution over inputs of growing size, [`fit`] finds the families of
//! growth that explain the figures, [`chart`] and [`svg`] draw them. It does not check outputs, and it decides nothing
//! that the figures leave open: where several families explain them, it says "between".

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes are drawn and fitted, where 2^53 is as good as its neighbour"
)]

mod chart;
mod family;
mod fit;
mod input;
mod json;
mod measure;
mod report;
mod sizes;
mod svg;
mod text;

pub(crate) use family::Family;
pub(crate) use fit::{Growth, Sample};
pub(crate) use input::{Generator, SizeOf, Source};
pub(crate) use json::json;
pub(crate) use measure::{Measured, Plan, measure};
pub(crate) use report::{Asserted, Bound, Held, Report};
pub(crate) use sizes::Sizes;
pub(crate) use svg::svg;
pub(crate) use text::text;
