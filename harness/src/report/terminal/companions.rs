//! The files next to a source that are compiled with it.

use super::lines::name;
use crate::event::{FilesBeside, SubmissionReport};
use crate::notice::few;
use crate::show::style::DIM;

/// `      a.cpp: compiled with one.hpp`, if its source names files next to it.
pub(super) fn companions(report: &SubmissionReport) -> String {
    let FilesBeside { with, without } = &*report.build.beside;
    let list = |names: &[String]| name(&few(names));
    let with = Some(with).filter(|names| !names.is_empty());
    let with = with.map(|names| format!("compiled with {}", list(names)));
    let without = Some(without).filter(|names| !names.is_empty());
    let without = without.map(|names| {
        let why = "a solution contains no other program";
        format!("compiled without {}: {why}", list(names))
    });
    let parts: Vec<String> = with.into_iter().chain(without).collect();
    if parts.is_empty() {
        return String::new();
    }
    let of = name(&report.submission);
    format!("      {DIM}{of}: {}{DIM:#}\n", parts.join("; "))
}
