//! Sources and cases whose names are a word and a number, of which the word may differ: `day01` and `01`, `problem24` and
//! `prob24-1`.

use std::collections::BTreeSet;

use super::facts::{Groups, assign, is_generic};
use super::vocabulary::says_nothing;

/// A word and the number after it, without its zeros.
pub(super) fn word_and_number(name: &str) -> Option<(&str, &str)> {
    let word = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let number = &name[word.len()..];
    (!number.is_empty()).then(|| (word, number.trim_start_matches('0')))
}

/// The groups of numbered problems whose cases have another word before the number: `day01` and
/// `01`, `1` and `bai1`. Every case must have its source.
pub(super) fn by_number(stems: &[String], cases: &[Vec<&str>]) -> Option<Groups> {
    const ENOUGH: usize = 3;
    let numbered: Vec<Option<(&str, &str)>> =
        stems.iter().map(|stem| word_and_number(stem)).collect();
    let (word, _) = (*numbered.iter().flatten().next()?).to_owned();
    let same = |found: &&(&str, &str)| found.0 == word;
    if numbered.iter().flatten().filter(same).count() < ENOUGH {
        return None;
    }
    let case_of = |names: &Vec<&str>| {
        let mut found = names.iter().rev().filter_map(|name| word_and_number(name));
        found.next().map(|(word, number)| (word.to_owned(), number.to_owned()))
    };
    let found: Vec<(String, String)> = cases.iter().map(case_of).collect::<Option<_>>()?;
    let of_cases = &found.first()?.0;
    let is_generic_word = |word: &str| word.is_empty() || is_generic(word);
    let distinct: BTreeSet<&String> = found.iter().map(|(_, number)| number).collect();
    if found.iter().any(|(word, _)| word != of_cases)
        || is_generic_word(word) && is_generic_word(of_cases)
        || distinct.len() < ENOUGH
    {
        return None;
    }
    let source = |number: &str| numbered.iter().position(|one| *one == Some((word, number)));
    let of_case: Vec<Option<usize>> = found.iter().map(|(_, number)| source(number)).collect();
    let of_stem = (0..stems.len()).map(|at| of_case.contains(&Some(at)).then_some(at));
    of_case.iter().all(Option::is_some).then(|| Groups {
        of_stem: of_stem.collect(),
        of_case: of_case.clone(),
        told: BTreeSet::new(),
    })
}

/// The stems, of which those that write the word before the number of the cases in a longer or a shorter form have theirs
/// (`problem24` beside the case `prob24-1`), and the owners by them.
pub(super) fn with_words_of_cases(
    stems: &[String],
    cases: &[Vec<&str>],
    found: &[Option<usize>],
) -> Option<(Vec<String>, Vec<Option<usize>>)> {
    const ENOUGH: usize = 3;
    let name_of = |name: &&str| {
        let from = name.find(|c: char| c.is_ascii_digit())?;
        let rest = &name[from..];
        let end = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        (from >= ENOUGH).then(|| name[..from + end].to_owned())
    };
    // `sub1` is an attempt beside the cases of `subtask1`.
    let says = |name: &&&str| !says_nothing(name) && !is_generic(name);
    let names = cases.iter().flatten().filter(says);
    let numbered: BTreeSet<String> = names.filter_map(name_of).collect();
    let bears_own: BTreeSet<usize> = found.iter().flatten().copied().collect();
    let effective = |(at, stem): (usize, &String)| {
        let own = word_and_number(stem).filter(|(word, _)| word.len() >= ENOUGH);
        let Some((word, number)) = own.filter(|_| !bears_own.contains(&at)) else {
            return stem.clone();
        };
        let is_form = |name: &&String| {
            word_and_number(name).is_some_and(|(other, same)| {
                same == number && (word.starts_with(other) || other.starts_with(word))
            })
        };
        let mut forms = numbered.iter().filter(is_form);
        match (forms.next(), forms.next()) {
            (Some(only), None) => only.clone(),
            _ => stem.clone(),
        }
    };
    let effective: Vec<String> = stems.iter().enumerate().map(effective).collect();
    if effective == stems {
        return None;
    }
    let owners = assign(&effective, cases);
    let owned = |found: &[Option<usize>]| found.iter().flatten().count();
    // Attempts `ruler1` and `ruler2` do not divide ten cases called `rul01` to `rul10`.
    let is_most = owned(&owners) * 2 > cases.len();
    (is_most && owned(&owners) >= owned(found)).then_some((effective, owners))
}
