//! Checkers that are written for another judge.

/// The convention of a checker for another judge: the order of its arguments, its exit codes, and what it prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Convention {
    /// DMOJ's `default`: input, output, answer; exits with 0 or 1.
    Dmoj,
    /// DMOJ's `coci`: as testlib, and 7 with `partial A/B` on standard error.
    Coci,
    /// DMOJ's `testlib`: as testlib, but points are a whole number that is alone in a line `points N`.
    DmojTestlib,
    /// DMOJ's `peg`: answer, output, input; may print the points and the maximum on two lines.
    Peg,
    /// CMS: input, answer, output; prints a number from 0 to 1.
    Cms,
    /// sinol: input, output, answer; prints `OK` or `WRONG`, a comment, and a percentage.
    Sinol,
    /// BOCA, as rbx calls it: output, answer, input; exits with 4 to accept and 6 to reject, or as testlib, and with 43 if
    /// it fails.
    Boca,
    /// omegaUp: `data.in` and `data.out` in its folder, the output on standard input, and the name of the case; prints a
    /// number from 0 to 1. If it fails, it rejects.
    OmegaUp,
    /// HUSTOJ: input, answer, output; exits with 0 to accept, otherwise it rejects.
    Hustoj,
}

impl Convention {
    /// The conventions with their names.
    pub const ALL: [(&'static str, Self); 9] = [
        ("dmoj", Self::Dmoj),
        ("coci", Self::Coci),
        ("dmoj-testlib", Self::DmojTestlib),
        ("peg", Self::Peg),
        ("cms", Self::Cms),
        ("sinol", Self::Sinol),
        ("boca", Self::Boca),
        ("omegaup", Self::OmegaUp),
        ("hustoj", Self::Hustoj),
    ];

    /// The convention of that name.
    pub fn of_word(word: &str) -> Option<Self> {
        let found = Self::ALL.iter().find(|(known, _)| *known == word);
        found.map(|(_, convention)| *convention)
    }

    /// The name of the convention.
    #[must_use]
    pub fn word(self) -> &'static str {
        let found = Self::ALL.iter().find(|(_, one)| *one == self);
        found.map_or("dmoj", |(word, _)| word)
    }
}
