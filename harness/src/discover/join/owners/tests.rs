//! Tables of the names of sources and cases.

use super::super::facts::CaseName;
use super::*;

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

fn of(stems: &str, cases: &str) -> Owners {
    let (stems, scratch) = (words(stems), cases.is_empty());
    let mut cases: Vec<Vec<&str>> = cases.split_whitespace().map(|name| vec![name]).collect();
    if scratch {
        cases.push(vec![""]);
    }
    let files = cases.iter().map(|names| CaseName {
        key: names[0],
        file: format!("{}.in", names[0]).into(),
        is_answered: true,
        is_below: false,
    });
    owners(&FolderFacts {
        stems: &stems,
        opened: &|_| Vec::new(),
        files: &files.collect::<Vec<_>>(),
        cases: &cases,
        folder: "beer",
        attempts: false,
        scratch,
    })
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
        let Owners::Each(groups) = of(stems, cases) else { panic!("{stems}") };
        assert_eq!(groups.of_case, expected, "{stems}");
    }
}

#[test]
fn attempts_join_the_cases_whose_name_they_continue() {
    let table: [(&str, &str, &[Option<usize>]); 5] = [
        ("a.std a.mle b", "a b", &[Some(0), Some(0), Some(2)]),
        ("sum sum_tle sum_max", "sum", &[Some(0), Some(0), None]),
        ("snow2 rain", "snow rain", &[Some(0), Some(1)]),
        ("prob_a prob_b prob_b1", "a b", &[Some(0), Some(1), None]),
        ("beer2-x wine", "beer wine", &[None, Some(1)]),
    ];
    for (stems, cases, expected) in table {
        let Owners::Each(groups) = of(stems, cases) else { panic!("{stems}") };
        assert_eq!(groups.of_stem, expected, "{stems}");
    }
}

#[test]
fn numbers_join_what_different_words_do_not() {
    let table: [(&str, &str, &[Option<usize>]); 2] = [
        ("day01 day02 day03", "01 03 2", &[Some(0), Some(2), Some(1)]),
        ("1 10 2 3", "bai1 bai10 bai2", &[Some(0), Some(1), Some(2)]),
    ];
    for (stems, cases, expected) in table {
        let Owners::Each(groups) = of(stems, cases) else { panic!("{stems}") };
        assert_eq!(groups.of_case, expected, "{stems}");
    }
    assert_eq!(of("sol1 sol2 sol3", "1 2 3"), Owners::All);
    assert_eq!(of("1 2 3", "1 2 3 4"), Owners::All);
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
        "one two three four five six seven eight nine",
        "abc300_a abc301_b",
    ] {
        assert_eq!(of(stems, "sample1 sample2"), Owners::Unknown, "{stems}");
    }
    assert_eq!(of("alice bob", ""), Owners::Unknown);
    assert_eq!(of("1823 2212", ""), Owners::Unknown);
    assert_eq!(of("part1 part2", ""), Owners::All);
}

#[test]
fn a_lone_source_takes_no_case_of_another_problem() {
    let another = [
        ("beer2-x", "beer"),
        ("beer2-x", "beer beer-1"),
        ("a", "b"),
        ("1850a", "1850b"),
        ("a", "b c"),
    ];
    for (stem, cases) in another {
        let Owners::Each(groups) = of(stem, cases) else { panic!("{stem}") };
        assert_eq!(groups.of_stem, [None], "{stem}, {cases}");
    }
    let own = [
        ("beer2", "beer"),
        ("beer-x", "beer"),
        ("main", "b"),
        ("1850a", "a"),
        ("a", "1"),
        ("wine", "beer"),
        ("a", "b sum"),
    ];
    for (stem, cases) in own {
        let is_none = matches!(of(stem, cases), Owners::Each(groups) if groups.of_stem == [None]);
        assert!(!is_none, "{stem}, {cases}");
    }
}
