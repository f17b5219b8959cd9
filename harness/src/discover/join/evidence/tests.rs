//! Tables of names and of the files that sources open.

use super::super::facts::CaseName;
use super::*;

/// `sources`: stems, each with the files that it opens: `main=a.in,b.in`.
fn of(sources: &str, cases: &str) -> Owners {
    let sources: BTreeMap<String, Vec<String>> = sources
        .split_whitespace()
        .map(|source| {
            let (stem, opened) = source.split_once('=').unwrap_or((source, ""));
            let opened = opened.split(',').filter(|name| !name.is_empty());
            (stem.to_owned(), opened.map(str::to_owned).collect())
        })
        .collect();
    let stems: Vec<String> = sources.keys().cloned().collect();
    let keys: Vec<String> =
        cases.split_whitespace().map(|file| words::input_key(file).unwrap()).collect();
    let files: Vec<CaseName<'_>> = cases
        .split_whitespace()
        .zip(&keys)
        .map(|(file, key)| CaseName { key, file: file.into(), is_answered: true, is_below: false })
        .collect();
    let names: Vec<Vec<&str>> = files.iter().map(|case| vec![case.key]).collect();
    super::super::owners::owners(&FolderFacts {
        stems: &stems,
        opened: &|stem| sources[stem].clone(),
        files: &files,
        cases: &names,
        folder: "folder",
        attempts: false,
        scratch: false,
    })
}

#[test]
fn a_source_takes_the_cases_that_it_opens() {
    type Indices = &'static [Option<usize>];
    // Sources in the order of their names; the groups of the sources, those of the cases.
    let table: [(&str, &str, Indices, Indices); 11] = [
        ("main=b.in", "a.in b.in", &[Some(0)], &[None, Some(0)]),
        ("main=xor.in", "xor.in data.in", &[Some(0)], &[Some(0), None]),
        ("main=data.in", "xor.in data.in", &[Some(0)], &[None, Some(0)]),
        // The official cases have a number.
        ("main=fence.in", "fence.in fence.in.1 milk.in", &[Some(0)], &[Some(0), Some(0), None]),
        ("1=bai2.inp 2=bai1.inp", "bai1.inp bai2.inp", &[Some(0), Some(1)], &[Some(1), Some(0)]),
        // Next to the source that bears the name.
        ("cow=cow.in simulation=COW.in x", "cow.in", &[Some(0), Some(0), None], &[Some(0)]),
        (
            "dec_br_mixmilk=mixmilk.in dec_si_back=back.in",
            "mixmilk.in back.in",
            &[Some(0), Some(1)],
            &[Some(0), Some(1)],
        ),
        ("main=sum2.in", "sum.in sum2.in", &[Some(0)], &[None, Some(0)]),
        (
            "fd2=dining.in fd3=dining.in fd4=dining.in fd5=dining.in",
            "dining.in lamb.in",
            &[Some(0), Some(0), Some(0), Some(0)],
            &[Some(0), None],
        ),
        // A longer name belongs to whoever opens it.
        (
            "x=dist.in y=dist1.in z=dist2.in",
            "dist.in dist1.in dist2.in",
            &[Some(0), Some(1), Some(2)],
            &[Some(0), Some(1), Some(2)],
        ),
        (
            "shell_game=shell.in typo=data.in",
            "shell.in data.in",
            &[Some(0), Some(1)],
            &[Some(0), Some(1)],
        ),
    ];
    for (sources, cases, of_stem, of_case) in table {
        let Owners::Each(groups) = of(sources, cases) else { panic!("{sources} | {cases}") };
        assert_eq!(groups.of_stem, of_stem, "{sources} | {cases}");
        assert_eq!(groups.of_case, of_case, "{sources} | {cases}");
    }
}

#[test]
fn other_names_say_nothing() {
    // Several names, numbers, words for every problem, files that do not exist.
    for (sources, cases) in [
        ("main=a.in,b.in", "a.in b.in"),
        ("main=1.in", "1.in 2.in"),
        ("main=sample.in", "sample.in 1.in 2.in"),
        ("main=xor.in", "xor.in 1.in 2.in"),
        ("main=xor.in", "0-xor.in 1-xor.in xor.in"),
        ("main=c.in", "a.in b.in"),
        ("main=input.txt,input_opt.txt", "input.txt input_opt.txt"),
        ("main=abc1.in", "abc1.in abc2.in abc3.in"),
        ("main=a.out", "a.in b.in"),
    ] {
        assert_eq!(of(sources, cases), Owners::All, "{sources} | {cases}");
    }
    // The scratch file of everybody.
    for (sources, cases) in [
        ("ant=a.in bee=a.in cow=x dog=y eel fox gnu hen ibis", "a.in z.in"),
        ("ant=data.in bee=data.in cow=data.in dog=data.in eel=data.in", "data.in"),
        ("ant=big.in bee=big.in cow=big.in dog=big.in eel=big.in", "big.in"),
    ] {
        assert_eq!(of(sources, cases), Owners::Unknown, "{sources} | {cases}");
    }
}
