//! How many wrong submissions the cases of a problem catch.

use std::fmt::Write as _;

use crate::show::words::Count;

/// How many wrong submissions are caught, by how many cases.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct CatchCounts {
    pub(crate) wrong: usize,
    pub(crate) caught: usize,
    /// Those that no case catches. Of the others, not every case was run.
    pub(crate) uncaught: usize,
    /// The number of cases in the minimal set.
    pub(crate) minimal: usize,
    pub(crate) cases: usize,
}

/// `2 of 12 cases catch all 9 wrong submissions`.
pub(crate) fn caught_words(counts: &CatchCounts) -> String {
    let CatchCounts { wrong, caught, uncaught, minimal, cases } = *counts;
    let cases = Count(cases, "case");
    let all = Count(wrong, "wrong submission");
    let catch = if minimal == 1 { "catches" } else { "catch" };
    let mut words = match caught {
        0 => format!("no case catches any of {all}"),
        1 if wrong == 1 => format!("{minimal} of {cases} {catch} the wrong submission"),
        caught if caught == wrong => format!("{minimal} of {cases} {catch} all {all}"),
        caught => format!("{minimal} of {cases} {catch} {caught} of {all}"),
    };
    let are = |count| if count == 1 { "is" } else { "are" };
    if uncaught > 0 && caught > 0 {
        let _ = write!(words, ", and {uncaught} {} not caught", are(uncaught));
    }
    let unknown = wrong - caught - uncaught;
    if unknown > 0 {
        let _ = write!(words, "; of {unknown}, not every case was run");
    }
    words
}
