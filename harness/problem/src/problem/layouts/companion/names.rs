//! Names of files that a regular expression describes: contests with inputs to download have a pattern for their names.

use regex_syntax::hir::{Class, Hir, HirKind};

/// Longer names are of no use.
const LONGEST: usize = 64;

/// A simple name that the pattern matches: the first of several alternatives, as often as it must be repeated.
pub(super) fn simplest(pattern: &str) -> Option<String> {
    let hir = regex_syntax::parse(pattern).ok()?;
    let mut name = String::new();
    add(&hir, &mut name)?;
    // Of a pattern such as `a^b`, no name is found, because it matches nothing.
    let pattern = fancy_regex::Regex::new(pattern).ok()?;
    pattern.is_match(&name).ok()?.then_some(name)
}

/// Adds the simplest text for a part of a pattern; `None`: there is none, or it is too long.
fn add(part: &Hir, name: &mut String) -> Option<()> {
    match part.kind() {
        HirKind::Empty | HirKind::Look(_) => {}
        HirKind::Literal(literal) => name.push_str(std::str::from_utf8(&literal.0).ok()?),
        HirKind::Class(class) => name.push(first_of(class)?),
        HirKind::Repetition(repetition) => {
            for _ in 0..repetition.min {
                let before = name.len();
                add(&repetition.sub, name)?;
                if name.len() == before {
                    break;
                }
            }
        }
        HirKind::Capture(capture) => add(&capture.sub, name)?,
        HirKind::Concat(parts) => parts.iter().try_for_each(|part| add(part, name))?,
        HirKind::Alternation(parts) => add(parts.first()?, name)?,
    }
    (name.len() <= LONGEST).then_some(())
}

/// A character of a class: a digit or a letter if there is one.
fn first_of(class: &Class) -> Option<char> {
    let Class::Unicode(class) = class else {
        return None;
    };
    let has = |c: &char| {
        let mut ranges = class.iter();
        ranges.any(|range| (range.start()..=range.end()).contains(c))
    };
    let mut usual = ('1'..='9').chain('a'..='z').chain('A'..='Z').chain(['0', '_', '-', '.']);
    usual.find(has).or_else(|| Some(class.iter().next()?.start()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_name_is_short_and_matches_its_pattern(
            pattern in prop_oneof!["[a-c0-2.*+?(){},|^$\\\\bBdwpL-]{0,24}", "\\PC{0,24}"],
        ) {
            if let Some(name) = simplest(&pattern) {
                prop_assert!(name.len() <= LONGEST, "{}", name);
                let regex = fancy_regex::Regex::new(&pattern).unwrap();
                prop_assert!(regex.is_match(&name).unwrap(), "{}", name);
            }
        }
    }

    #[test]
    fn the_simplest_name_matches_the_pattern() {
        for (pattern, name) in [
            (r"A-(small|large).*\.in", Some("A-small.in")),
            (r"^.*-sample\.in$", Some("-sample.in")),
            (r"[A-Z][a-z]{2}\d+[.]txt", Some("Aaa1.txt")),
            (r"x{1000000}", None),
            (r"(x?){50}a", Some("a")),
            (r"(", None),
            (r"a^b", None),
            (r"a\bb", None),
            (r"[^\s\S]", None),
        ] {
            assert_eq!(simplest(pattern).as_deref(), name, "{pattern}");
            if let Some(name) = name {
                assert!(fancy_regex::Regex::new(pattern).unwrap().is_match(name).unwrap());
            }
        }
    }
}
