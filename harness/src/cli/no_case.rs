//! The warning that `--case` selects nothing, with the names that there are.

use super::stream;
use crate::notice::{few, nearest, visible};
use crate::problem::Problem;

/// The names of all cases, which are needed only if `--case` is given.
pub(super) fn names<'a>(
    globs: &[String],
    problems: impl IntoIterator<Item = &'a Problem>,
) -> Vec<String> {
    if globs.is_empty() {
        return Vec::new();
    }
    let cases = problems.into_iter().flat_map(|problem| &problem.cases);
    cases.map(|case| case.name().to_owned()).collect()
}

/// Warns that the globs select none of the cases with these names.
pub(super) fn warn(globs: &[String], names: &[String]) {
    stream::warn(format_args!("no case matches `--case {}`", globs.join(" ")));
    let meant = globs.iter().filter_map(|glob| meant(glob, names));
    let meant: Vec<String> = meant.map(|name| format!("`{}`", visible(name))).collect();
    if !meant.is_empty() {
        stream::help(format_args!("did you mean {}?", few(&meant)));
    } else if !names.is_empty() {
        let names: Vec<String> = names.iter().map(|name| format!("`{}`", visible(name))).collect();
        stream::help(format_args!("the cases are {}", few(&names)));
    }
}

/// The case that a word may mean: with another extension, without the zeros before its number, or misspelt.
fn meant<'a>(word: &str, names: &'a [String]) -> Option<&'a str> {
    let last = |name: &'a str| name.rsplit('/').next().unwrap_or(name);
    let bare = |word: &str| word.trim_start_matches('0').to_owned();
    let stem = word.rsplit_once('.').map_or(word, |(stem, _)| stem);
    let is_it = |name: &&'a str| {
        [word, stem].iter().any(|word| bare(last(name)) == bare(word) || **name == **word)
    };
    let mut all = names.iter().map(String::as_str);
    let found = all.clone().find(is_it);
    // Another number is another case.
    if found.is_some() || stem.bytes().all(|byte| byte.is_ascii_digit()) {
        return found;
    }
    found.or_else(|| {
        let near = nearest(word, all.clone().map(last))?;
        all.find(|name| last(name) == near)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_means_the_case_with_its_number_stem_or_spelling() {
        let names = ["01", "02", "secret/big", "10"].map(str::to_owned);
        for (word, expected) in [
            ("1", Some("01")),
            ("01.in", Some("01")),
            ("big.ans", Some("secret/big")),
            ("secret/big.in", Some("secret/big")),
            ("bgi", Some("secret/big")),
            ("secret/x", None),
            ("3", None),
            ("12", None),
            ("01.txt", Some("01")),
            ("worst", None),
        ] {
            assert_eq!(meant(word, &names), expected, "{word}");
        }
    }
}
