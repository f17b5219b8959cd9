//! Programs that are written with testlib: what they are, by the function with which they begin.

use std::path::Path;

use super::included::IncludedName;
use super::{Syntax, is_source};
use crate::submission::comments;

/// The header of testlib.
const HEADER: &str = "testlib.h";

/// What a program that is written with testlib does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TestlibRole {
    /// Decides whether an output is right.
    Checker,
    /// Talks with a solution.
    Interactor,
    /// Checks inputs.
    Validator,
    /// Makes inputs.
    Generator,
}

/// The functions with which the programs begin.
const BEGINNINGS: [(&str, TestlibRole); 5] = [
    ("registerTestlibCmd", TestlibRole::Checker),
    ("registerTestlib", TestlibRole::Checker),
    ("registerInteraction", TestlibRole::Interactor),
    ("registerValidation", TestlibRole::Validator),
    ("registerGen", TestlibRole::Generator),
];

impl TestlibRole {
    /// That of a source file; `None`: it is not a program that is written with testlib.
    pub(crate) fn of(path: &Path, text: &[u8]) -> Option<Self> {
        if Syntax::of(path) != Some(Syntax::C) || !is_source(path) {
            return None;
        }
        memchr::memmem::find(text, HEADER.as_bytes())?;
        let text = comments::blanked(&String::from_utf8_lossy(text), path);
        let is_header = |name: &str| name.rsplit('/').next() == Some(HEADER);
        let mut included = text.lines().map(str::as_bytes).filter_map(IncludedName::of);
        if !included.any(|included| is_header(included.name)) {
            return None;
        }
        let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        words.find_map(|word| {
            let mut known = BEGINNINGS.iter();
            known.find(|(name, _)| *name == word).map(|(_, role)| *role)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_function_tells_what_a_program_does() {
        let program = |call: &str| {
            format!("#include \"testlib.h\"\nint main(int argc, char **argv) {{\n  {call}\n}}\n")
        };
        for (name, text, expected) in [
            ("c.cpp", program("registerTestlibCmd(argc, argv);"), Some(TestlibRole::Checker)),
            (
                "c.cc",
                program("registerTestlib(3, \"a\", \"b\", \"c\");"),
                Some(TestlibRole::Checker),
            ),
            ("c.cpp", program("registerInteraction(argc, argv);"), Some(TestlibRole::Interactor)),
            ("c.cpp", program("registerValidation(argc, argv);"), Some(TestlibRole::Validator)),
            (
                "c.cpp",
                program("// registerTestlibCmd\n registerGen(argc, argv, 1);"),
                Some(TestlibRole::Generator),
            ),
            ("c.cpp", program("").replace("\"testlib.h\"", "<../testlib.h>"), None),
            ("c.cpp", "int registerTestlibCmd; // testlib.h".to_owned(), None),
            ("c.py", program("registerTestlibCmd(argc, argv);"), None),
            ("testlib.h", program("registerTestlibCmd(argc, argv);"), None),
        ] {
            assert_eq!(
                TestlibRole::of(Path::new(name), text.as_bytes()),
                expected,
                "{name}: {text}"
            );
        }
    }
}
