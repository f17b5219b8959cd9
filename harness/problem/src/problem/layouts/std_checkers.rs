//! The standard checkers of testlib that rejudge replaces by built-in ones with the same verdicts.
//!
//! All others are compiled from the package's own source. The tolerances of testlib are larger than
//! rejudge's by 1e-15, which should make no difference for real outputs.

use crate::checker_spec::{AnswerWords, CheckerSpec, TokenOptions};

/// The built-in checker that replaces `std::NAME.cpp` or `NAME`.
pub(super) fn find(name: &str) -> Option<CheckerSpec> {
    let name = name.strip_prefix("std::").unwrap_or(name);
    let name = name.strip_suffix(".cpp").unwrap_or(name);
    let exact = TokenOptions { case_sensitive: true, ..TokenOptions::default() };
    let answers = |answers| TokenOptions { answers, ..exact };
    let either = |epsilon| TokenOptions {
        answers: AnswerWords::Real,
        float_absolute: Some(epsilon),
        float_relative: Some(epsilon),
        ..exact
    };
    let absolute = |epsilon| TokenOptions {
        answers: AnswerWords::Real,
        float_absolute: Some(epsilon),
        ..exact
    };
    let options = match name {
        // Tokens; or integers, which testlib reads in one notation only.
        "wcmp" => exact,
        "icmp" => answers(AnswerWords::Int32),
        "ncmp" => answers(AnswerWords::Int64),
        "hcmp" => answers(AnswerWords::Integer),
        "yesno" | "nyesno" => {
            TokenOptions { answers: AnswerWords::YesNo, ..TokenOptions::default() }
        }
        "rcmp4" => either(1e-4),
        "rcmp6" | "dcmp" => either(1e-6),
        "rcmp9" => either(1e-9),
        "rcmp" | "acmp" => absolute(1.5e-6),
        "rncmp" => absolute(1.5e-5),
        _ => return None,
    };
    Some(CheckerSpec::Tokens(options))
}
