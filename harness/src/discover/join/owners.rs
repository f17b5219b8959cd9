//! Which of the sources in a folder a case belongs to, by their names.

/// What the names say about the sources and the cases of one folder.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Owners {
    /// All sources are attempts at one problem.
    All,
    /// For each case, the index of the stem it belongs to.
    Each(Vec<Option<usize>>),
    /// The sources are different problems, and nothing joins the cases to one of them.
    Unknown,
}

/// Stems that say nothing about the problem.
const GENERIC: [&str; 22] = [
    "sol",
    "solution",
    "solutions",
    "main",
    "code",
    "program",
    "v",
    "test",
    "tests",
    "sample",
    "samples",
    "example",
    "input",
    "output",
    "in",
    "out",
    "data",
    "case",
    "a.out",
    "answer",
    "index",
    "attempt",
];

/// Whether a stem, without a number at its end, says nothing about the problem.
pub(super) fn is_generic(stem: &str) -> bool {
    let word = stem.trim_end_matches(|c: char| c.is_ascii_digit() || is_separator(c));
    GENERIC.contains(&word.to_lowercase().as_str())
}

fn is_separator(c: char) -> bool {
    matches!(c, '.' | '_' | '-' | ' ')
}

/// Whether the name of a case begins with `stem`: after it comes nothing, a separator, or a number
/// unless the stem ends in one. Both are in lower case.
fn bears(stem: &str, name: &str) -> bool {
    let Some(rest) = name.strip_prefix(stem) else {
        return false;
    };
    let rest = if stem.ends_with(|c: char| c.is_ascii_digit()) {
        rest
    } else {
        rest.trim_start_matches(|c: char| c.is_ascii_digit())
    };
    rest.chars().next().is_none_or(is_separator)
}

/// A stem that names a problem of a contest: a letter, `1850A`, `abc300_a`.
fn is_contest_id(stem: &str) -> bool {
    let mut chars = stem.chars();
    let letter = chars.next().is_some_and(char::is_alphabetic);
    let number = chars.as_str();
    if letter && number.len() < 2 && number.bytes().all(|byte| byte.is_ascii_digit()) {
        return true;
    }
    let tail = stem.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let id = tail.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = tail.len() - id.len();
    let id = id.trim_start_matches(is_separator);
    let mut id = id.chars();
    digits >= 2 && id.next().is_some_and(char::is_alphabetic) && id.as_str().len() < 2
}

/// The cases of a folder called `folder`, whose sources have these `stems`. Each case is the list
/// of its names: those of its folders and its own. All names are in lower case, without duplicates
/// among the stems. `attempts`: the sources are in a folder for solutions.
pub(super) fn owners(
    stems: &[String],
    cases: &[Vec<String>],
    folder: &str,
    attempts: bool,
) -> Owners {
    let direct = |stem: &str, name: &str| bears(stem, name);
    let found = assign(stems, cases, direct);
    let owned = found.iter().flatten().count();
    let distinct: std::collections::BTreeSet<usize> = found.iter().flatten().copied().collect();
    let numbers = stems
        .iter()
        .all(|stem| stem.bytes().all(|byte| byte.is_ascii_digit()));
    let numbered_attempts = numbers && owned < cases.len();
    let only_the_folder = distinct.len() == 1
        && folder.chars().count() > 1
        && distinct.iter().all(|stem| stems[*stem] == folder)
        && are_attempts(stems, folder);
    if owned > 0 && !numbered_attempts && !only_the_folder {
        return Owners::Each(found);
    }
    if owned == 0 && !numbers {
        for part in [tail, head] {
            if let Some(found) = one_to_one(stems, cases, part) {
                return Owners::Each(found);
            }
        }
    }
    if attempts || are_attempts(stems, folder) {
        Owners::All
    } else {
        Owners::Unknown
    }
}

/// The stem of each case: the longest that one of its names bears.
fn assign(
    stems: &[String],
    cases: &[Vec<String>],
    bears: impl Fn(&str, &str) -> bool,
) -> Vec<Option<usize>> {
    let owner = |names: &Vec<String>| {
        let known = stems.iter().enumerate();
        let known = known.filter(|(_, stem)| !stem.is_empty() && !is_generic(stem));
        known
            .filter(|(_, stem)| names.iter().any(|name| bears(stem, name)))
            .max_by_key(|(_, stem)| stem.len())
            .map(|(at, _)| at)
    };
    cases.iter().map(owner).collect()
}

fn tail(stem: &str) -> &str {
    stem.rsplit(is_separator).next().unwrap_or(stem)
}

fn head(stem: &str) -> &str {
    stem.split(is_separator).next().unwrap_or(stem)
}

/// The owners by a part of each stem, such as the `a` of `prob_a`: only if every source has its own
/// cases and every case its source.
fn one_to_one(
    stems: &[String],
    cases: &[Vec<String>],
    part: fn(&str) -> &str,
) -> Option<Vec<Option<usize>>> {
    let parts: Vec<String> = stems.iter().map(|stem| part(stem).to_owned()).collect();
    let shortened = parts.iter().zip(stems).any(|(part, stem)| part != stem);
    let found = assign(&parts, cases, bears);
    let used: std::collections::BTreeSet<usize> = found.iter().flatten().copied().collect();
    let complete = found.iter().all(Option::is_some) && used.len() == stems.len();
    (shortened && stems.len() > 1 && complete).then_some(found)
}

/// Whether sources with these stems are attempts at one problem, as far as their names say.
fn are_attempts(stems: &[String], folder: &str) -> bool {
    let ids = stems
        .iter()
        .filter(|stem| is_contest_id(stem) && !is_generic(stem))
        .count();
    if ids > 1 {
        return false;
    }
    let word = |stem: &String| {
        let of_folder = folder.chars().count() > 1 && bears(&folder.to_lowercase(), stem);
        let first = head(stem);
        of_folder || is_generic(stem) || is_generic(first)
    };
    let others: Vec<&String> = stems.iter().filter(|stem| !word(stem)).collect();
    let families = others.len() + usize::from(others.len() < stems.len());
    let digits = |stem: &&String| stem.bytes().all(|byte| byte.is_ascii_digit());
    families < 4
        || others.iter().all(digits)
        || common_prefix(&others) > 0 && families == others.len()
}

fn common_prefix(stems: &[&String]) -> usize {
    let Some(first) = stems.first() else { return 0 };
    let common = |stem: &&String| {
        let pairs = stem.bytes().zip(first.bytes());
        pairs.take_while(|(a, b)| a == b).count()
    };
    stems.iter().map(common).min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn of(stems: &str, cases: &str) -> Owners {
        let cases: Vec<Vec<String>> = words(cases).into_iter().map(|name| vec![name]).collect();
        owners(&words(stems), &cases, "beer", false)
    }

    #[test]
    fn the_longest_stem_wins() {
        let table: [(&str, &str, &[Option<usize>]); 9] = [
            ("a b c", "a b1 c-1", &[Some(0), Some(1), Some(2)]),
            ("a ab", "a_1 ab_1 abc", &[Some(0), Some(1), None]),
            ("1 10", "1 10", &[Some(0), Some(1)]),
            ("a1 a10", "a1-1 a10.2", &[Some(0), Some(1)]),
            ("a b", "a1 100", &[Some(0), None]),
            ("a b", "a1x a1", &[None, Some(0)]),
            ("prob_a prob_b", "a b2", &[Some(0), Some(1)]),
            ("1850a-sum 1850b-max", "1850a 1850b", &[Some(0), Some(1)]),
            ("wine beer2-x", "wine beer", &[Some(0), None]),
        ];
        for (stems, cases, expected) in table {
            assert_eq!(of(stems, cases), Owners::Each(expected.to_vec()), "{stems}");
        }
    }

    #[test]
    fn attempts_get_all_cases() {
        for stems in [
            "sum",
            "1 2",
            "sol1 sol2",
            "main sol brute",
            "v1 v2 v3 v4 v5",
            "beer beer2 foo bar",
            "test_a",
            "sum_a sum_b sum_c sum_d",
            "a beer",
            "1 2 3 4 5",
        ] {
            assert_eq!(of(stems, "sample1 sample2"), Owners::All, "{stems}");
        }
        assert_eq!(of("beer slow", "beer.1 beer.2"), Owners::All);
        assert_eq!(of("1 2", "1 2 3"), Owners::All);
    }

    #[test]
    fn different_problems_get_nothing() {
        for stems in [
            "a b",
            "a1 b",
            "1850a 1851b",
            "w x_1 y z",
            "one two three four",
            "abc300_a abc301_b",
        ] {
            assert_eq!(of(stems, "sample1 sample2"), Owners::Unknown, "{stems}");
        }
        let cases = [vec!["sample".to_owned()]];
        let authors = words("alice bob carol dave");
        assert_eq!(owners(&authors, &cases, "beer", true), Owners::All);
    }
}
