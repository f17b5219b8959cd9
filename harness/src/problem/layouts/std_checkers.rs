//! The standard checkers of testlib that ours stand for, with the same verdicts for every output.
//!
//! Others are compiled from the package's own source. The tolerances of testlib are wider than ours
//! by 1e-15, which no output is meant to reach.

use crate::checker::{CheckerSpec, TokenOptions};

/// The checker that stands for `std::NAME.cpp`, or for `NAME`.
pub(super) fn find(name: &str) -> Option<CheckerSpec> {
    let name = name.strip_prefix("std::").unwrap_or(name);
    let name = name.strip_suffix(".cpp").unwrap_or(name);
    let exact = TokenOptions {
        case_sensitive: true,
        ..TokenOptions::default()
    };
    let either = |epsilon| TokenOptions {
        float_absolute: Some(epsilon),
        float_relative: Some(epsilon),
        ..exact
    };
    let absolute = |epsilon| TokenOptions {
        float_absolute: Some(epsilon),
        ..exact
    };
    let options = match name {
        // Words; or integers, which testlib reads in one form only.
        "wcmp" | "ncmp" | "icmp" | "hcmp" => exact,
        "yesno" | "nyesno" => TokenOptions::default(),
        "rcmp4" => either(1e-4),
        "rcmp6" | "dcmp" => either(1e-6),
        "rcmp9" => either(1e-9),
        "rcmp" | "acmp" => absolute(1.5e-6),
        "rncmp" => absolute(1.5e-5),
        _ => return None,
    };
    Some(CheckerSpec::Tokens(options))
}
