//! Headers that rejudge brings along. The compiler finds them after all others, so one of the package or of the system wins.
//!
//! They are unchanged, each with its licence next to it.

use crate::language::Language;

/// A header that is brought along.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct BroughtHeader {
    pub(crate) name: &'static str,
    /// Its released version; of one without releases, the date of the commit.
    pub(crate) version: &'static str,
    /// The name of its licence.
    pub(crate) licence: &'static str,
    pub(crate) text: &'static [u8],
}

/// All of them: <https://github.com/MikeMirzayanov/testlib> at its tag, and <https://github.com/ifsmirnov/jngen> at the commit
/// 8d1e33be29d6.
pub(crate) const BROUGHT: [BroughtHeader; 2] = [
    BroughtHeader {
        name: "testlib.h",
        version: "0.9.41",
        licence: "MIT",
        text: include_bytes!("headers/testlib/testlib.h"),
    },
    BroughtHeader {
        name: "jngen.h",
        version: "0.1 of 2022-11-21",
        licence: "MIT",
        text: include_bytes!("headers/jngen/jngen.h"),
    },
];

impl BroughtHeader {
    pub(crate) fn testlib() -> &'static Self {
        &BROUGHT[0]
    }

    /// The header with this name.
    pub(super) fn of_name(name: &str) -> Option<&'static Self> {
        BROUGHT.iter().find(|header| header.name == name)
    }
}

/// The option of compilers of C++ for a folder that is searched last.
pub(super) const SEARCHED_LAST: &str = "-idirafter";

/// The header with this name, for a language whose compiler can search a folder last.
pub(super) fn header_for(language: &Language, name: &str) -> Option<&'static BroughtHeader> {
    let is_cpp = language.extensions.iter().any(|extension| extension == "cpp");
    BroughtHeader::of_name(name).filter(|_| is_cpp)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_header_has_the_version_and_the_licence_that_are_shown() {
        let licences =
            [include_str!("headers/testlib/LICENSE"), include_str!("headers/jngen/LICENSE")];
        let versions = ["#define VERSION \"0.9.41\"", "#define JNGEN_VERSION 0.1\n"];
        for ((header, licence), version) in BROUGHT.iter().zip(licences).zip(versions) {
            assert!(String::from_utf8_lossy(header.text).contains(version), "{}", header.name);
            assert!(licence.contains(&format!("{} License", header.licence)), "{licence}");
        }
    }
}
