//! Converts names from elsewhere into names that the package format allows.

use std::collections::BTreeSet;

/// The longest id.
const MOST: usize = 40;

/// The id of a problem: lower-case ASCII letters and digits, of limited length.
pub(crate) fn id(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    let id: String = letters.take(MOST).collect();
    if id.is_empty() { "problem".to_owned() } else { id.to_ascii_lowercase() }
}

/// The id of a problem that keeps the words of its title: lower-case ASCII letters and digits, with `-` between the words.
pub(crate) fn with_words(title: &str) -> String {
    let words: Vec<&str> =
        title.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty()).collect();
    let mut id = words.join("-").to_ascii_lowercase();
    if id.len() > MOST {
        // Whole words, unless the first one is too long.
        let end = id[..=MOST].rfind('-').unwrap_or(MOST);
        id.truncate(end);
    }
    if id.is_empty() { "problem".to_owned() } else { id }
}

/// Whether `word` can be the id of a problem: letters, digits, `_` and `-`, not `-` first, of limited length.
pub(crate) fn is_id(word: &str) -> bool {
    let known = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
    !word.is_empty() && word.len() <= MOST && !word.starts_with('-') && word.chars().all(known)
}

/// The id in the address of a problem: `abc400_a` of `…/tasks/abc400_a`, `1850A` of `…/contest/1850/problem/A`.
pub(crate) fn of_address(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let path = rest.split(['?', '#']).next()?;
    let parts: Vec<&str> = path.split('/').skip(1).filter(|part| !part.is_empty()).collect();
    let is_number = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    let id = match parts.as_slice() {
        [.., contest, "problem", letter] | [.., "problem", contest, letter]
            if is_number(contest) =>
        {
            format!("{contest}{letter}")
        }
        [.., last] => (*last).to_owned(),
        [] => return None,
    };
    is_id(&id).then_some(id)
}

/// The first of `id`, `id2`, `id3`, … that is not `taken`.
pub(crate) fn free(id: &str, taken: impl Fn(&str) -> bool) -> String {
    if !taken(id) {
        return id.to_owned();
    }
    let others = (2_u32..).map(|number| format!("{id}{number}"));
    let mut free = others.filter(|id| !taken(id));
    free.next().expect("some number is free")
}

/// One part of a case's name: letters, digits, `_`, `.` and `-`, starting with a letter, a digit or
/// `_`.
pub(super) fn part(name: &str) -> String {
    let clean: String = name
        .chars()
        .map(|c| match c {
            '_' | '.' | '-' => c,
            c if c.is_ascii_alphanumeric() => c,
            _ => '_',
        })
        .take(200)
        .collect();
    if clean.starts_with(['.', '-']) || clean.is_empty() { format!("_{clean}") } else { clean }
}

/// Names of cases in `data/` for names in judging order: in `sample/` or `secret/`, at most one
/// group deep, distinct even if case is ignored, and sorted by bytes in the given order.
pub(crate) fn cases(names: &[&str]) -> Vec<String> {
    let split: Vec<(String, String)> = names.iter().map(|name| folder_and_name(name)).collect();
    let mut taken = BTreeSet::new();
    let all: Vec<String> = split
        .iter()
        .map(|(folder, name)| {
            let mut full = format!("{folder}/{name}");
            while !taken.insert(full.to_ascii_lowercase()) {
                full.push('_');
            }
            full
        })
        .collect();
    let in_order = |names: &[String]| {
        // Samples and secret cases are in separate folders, so only the order within a folder
        // matters.
        split.iter().enumerate().all(|(later, (folder, _))| {
            let before = split[..later].iter().rposition(|(other, _)| other == folder);
            before.is_none_or(|before| names[before] < names[later])
        })
    };
    if in_order(&all) {
        return all;
    }
    let width = names.len().to_string().len();
    let numbered = split.iter().zip(1..);
    numbered
        .map(|((folder, name), number): (_, usize)| format!("{folder}/{number:0width$}-{name}"))
        .collect()
}

fn folder_and_name(name: &str) -> (String, String) {
    let parts: Vec<String> = name.split('/').map(part).collect();
    let (top, rest) = match parts.as_slice() {
        [top, rest @ ..] if !rest.is_empty() && matches!(top.as_str(), "sample" | "secret") => {
            (top.as_str(), rest)
        }
        all => ("secret", all),
    };
    match rest {
        [group, name @ ..] if !name.is_empty() && top == "secret" => {
            (format!("{top}/{group}"), name.join("-"))
        }
        name => (top.to_owned(), name.join("-")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_keep_words() {
        for (title, id) in [
            ("A. My Problem", "a-my-problem"),
            ("my-problem", "my-problem"),
            ("../../Evil\u{1b}[31m", "evil-31m"),
            ("問題", "problem"),
            (
                "Way too long words in the title of a problem",
                "way-too-long-words-in-the-title-of-a",
            ),
        ] {
            assert_eq!(with_words(title), id);
            assert!(is_id(&with_words(title)), "{title}");
        }
        assert_eq!(with_words(&"x".repeat(99)).len(), MOST);
    }
    use proptest::prelude::*;

    #[test]
    fn ids_are_letters_and_digits() {
        for (name, expected) in [
            ("G. Castle Defense", "gcastledefense"),
            ("../../etc", "etc"),
            ("Сумма", "problem"),
            ("", "problem"),
            ("CON", "con"),
        ] {
            assert_eq!(id(name), expected, "{name}");
        }
        assert_eq!(free("a", |id| id == "a" || id == "a2"), "a3");
    }

    #[test]
    fn addresses_give_ids_and_nothing_else() {
        for (url, expected) in [
            ("https://atcoder.jp/contests/abc400/tasks/abc400_a", Some("abc400_a")),
            ("https://codeforces.com/contest/1850/problem/A1", Some("1850A1")),
            ("https://codeforces.com/problemset/problem/4/A", Some("4A")),
            ("https://codeforces.com/gym/104/problem/A#x", Some("104A")),
            ("https://open.kattis.com/problems/hello", Some("hello")),
            ("https://cses.fi/problemset/task/1068/", Some("1068")),
            ("https://example.org/a/..", None),
            ("https://example.org/", None),
            ("https://example.org/%2e%2e", None),
            ("https://example.org/-rf", None),
            ("nothing", None),
        ] {
            assert_eq!(of_address(url).as_deref(), expected, "{url}");
        }
        assert!(is_id("my-problem") && is_id("abc400_a") && is_id("1850A"));
        assert!(!is_id("") && !is_id("../x") && !is_id("a b") && !is_id("é"));
    }

    #[test]
    fn case_names_keep_their_order() {
        let table: [(&[&str], &[&str]); 4] = [
            (&["sample/01", "secret/02"], &["sample/01", "secret/02"]),
            (&["2", "10"], &["secret/1-2", "secret/2-10"]),
            (&["a b/ü", "../x"], &["secret/a_b/_", "secret/_../x"]),
            (&["a", "A"], &["secret/1-a", "secret/2-A"]),
        ];
        for (names, expected) in table {
            assert_eq!(cases(names), expected, "{names:?}");
        }
    }

    proptest! {
        #[test]
        fn every_name_is_allowed_by_the_format(names in proptest::collection::vec("[ -~/ü]{0,8}", 0..12)) {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let made = cases(&names);
            let lower: BTreeSet<String> = made.iter().map(|name| name.to_ascii_lowercase()).collect();
            prop_assert_eq!(lower.len(), names.len());
            for name in &made {
                for part in name.split('/') {
                    prop_assert!(crate::problem::is_case_name(part), "{}", name);
                }
            }
        }
    }
}
