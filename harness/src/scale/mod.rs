//! Estimates how the CPU time and memory of a program grow with the size of its input.
//!
//! This module is separate from judging: [`measure`] runs a compiled solution on inputs of increasing size, [`fit`] finds
//! the families of growth that explain the figures, and [`chart`], [`svg`] and [`page`] draw them. It does not check outputs. If
//! several families explain the figures, the report names the range ("between n and n log n").

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "sizes are only drawn and fitted, so rounding above 2^53 does not matter"
)]

mod chart;
mod family;
mod fit;
mod input;
mod json;
mod measure;
mod page;
mod report;
mod sizes;
mod svg;
mod text;

pub(crate) use family::Family;
pub(crate) use fit::{Growth, SizeSample};
pub(crate) use input::{Generator, SizeOf, SizedInput};
pub(crate) use json::json;
pub(crate) use measure::{MeasurementPlan, SizeMeasurement, measure};
pub(crate) use page::{headline, interrupted_page, page};
pub(crate) use report::{Asserted, GrowthBound, Held, ScaleReport};
pub(crate) use sizes::Sizes;
pub(crate) use svg::svg;
pub(crate) use text::text;
