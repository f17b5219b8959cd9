//! The cases of a place: those in its folder, and those in the folders of cases below it.

use std::rc::Rc;

use super::facts::CaseName;
use super::vocabulary;
use super::words::{self, Pair};
use super::{File, State};

/// A case in a pool.
#[derive(Debug, Clone)]
pub(super) struct PooledCase {
    pub(super) pair: Rc<Pair>,
    /// The folder of the input.
    pub(super) folder: usize,
    /// The folder of the answer.
    answers: usize,
    /// The folders between the place and the case, without `in` and `out` of pairs.
    pub(super) between: Rc<[usize]>,
}

impl PooledCase {
    /// Its input.
    pub(super) fn input(&self) -> File {
        File { folder: self.folder, name: self.pair.input.clone() }
    }

    /// Its answer, if it has one.
    pub(super) fn answer(&self) -> Option<File> {
        let name = self.pair.answer.clone()?;
        Some(File { folder: self.answers, name })
    }

    pub(super) fn is_answered(&self) -> bool {
        self.pair.answer.is_some()
    }

    /// The names that a source may open.
    pub(super) fn case_name(&self) -> CaseName<'_> {
        CaseName {
            key: self.pair.lower_key(),
            file: words::in_lower_case(&self.pair.input),
            is_answered: self.is_answered(),
        }
    }

    /// The names that may begin with a source's name, in lower case: the folders' and the case's.
    pub(super) fn names<'a>(&'a self, state: &'a State<'_>) -> Vec<&'a str> {
        let mut names = Vec::with_capacity(self.between.len() + 2);
        names.extend(self.between.iter().map(|at| state.lower[*at].as_str()));
        names.push(self.pair.lower_key());
        for at in 0..names.len() {
            names.extend(without_word(names[at]));
        }
        names.extend(without_size(self.pair.lower_key()));
        names
    }
}

/// The rest of a name that ends with the words of Code Jam: the `a` of `a-small-attempt0`.
fn without_size(name: &str) -> Option<&str> {
    const SIZES: [&str; 4] = ["small", "large", "practice", "attempt"];
    let mut rest = name;
    let mut is_sized = false;
    while let Some((head, tail)) = rest.rsplit_once(['_', '-', '.', ' ']) {
        let word = tail.trim_end_matches(|c: char| c.is_ascii_digit());
        if !word.is_empty() && !SIZES.contains(&word) {
            break;
        }
        is_sized |= !word.is_empty();
        rest = head;
    }
    (is_sized && !rest.is_empty()).then_some(rest)
}

/// The rest of a name that begins with a word for cases: the `a` of `tests_a`.
fn without_word(name: &str) -> Option<&str> {
    let (head, rest) = name.split_once(['_', '-', '.', ' '])?;
    (!head.is_empty() && vocabulary::says_nothing(head)).then_some(rest)
}

/// Cases, and the folders that hold them.
#[derive(Debug, Default)]
pub(super) struct Pool {
    pub(super) cases: Vec<PooledCase>,
    pub(super) folders: Vec<usize>,
    pub(super) stray: Vec<File>,
    /// Cases that give way to better ones. Their files are stray too.
    pub(super) yielded: Vec<PooledCase>,
}

/// The pool of a place whose sources have these stems. A folder below it belongs to it if no
/// source is in it, and if its name is one for cases or begins with one of the stems.
pub(super) fn pool(state: &State<'_>, place: usize, stems: &[String]) -> Pool {
    let mut pool = Pool::default();
    add(state, place, &mut Vec::new(), Below::Of(stems), &mut pool);
    if !pool.cases.iter().any(PooledCase::is_answered) {
        add_inputs(state, &mut pool);
    }
    pool
}

/// The cases in and below a folder that holds the cases of the sources above it.
pub(super) fn pool_below(state: &State<'_>, folder: usize) -> Pool {
    let mut pool = Pool::default();
    add(state, folder, &mut vec![folder], Below::Of(&[]), &mut pool);
    pool
}

/// Adds the files of folders of inputs that have no folder of answers, if nothing has an answer.
fn add_inputs(state: &State<'_>, pool: &mut Pool) {
    let tree = state.tree;
    let inner: Vec<usize> = pool.folders.clone();
    for folder in inner {
        if !words::holds_inputs(&tree.folders[folder].name) || state.has_source[folder] {
            continue;
        }
        pool.cases.retain(|case| case.folder != folder);
        let paired = words::pair_folders(&tree.folders[folder].others, &[]);
        pool.cases.extend(paired.pairs.into_iter().map(|pair| PooledCase {
            pair,
            folder,
            answers: folder,
            between: Rc::default(),
        }));
    }
}

/// The cases of a single folder, whose answers may be in another folder next to it.
pub(super) fn alone(state: &State<'_>, folder: usize, between: &[usize]) -> Pool {
    let mut pool = Pool::default();
    add(state, folder, &mut between.to_vec(), Below::Nothing, &mut pool);
    pool
}

/// Which folders below a folder to add.
#[derive(Clone, Copy)]
enum Below<'a> {
    /// None.
    Nothing,
    /// Those for sources with these stems.
    Of(&'a [String]),
}

fn add(
    state: &State<'_>,
    folder: usize,
    between: &mut Vec<usize>,
    below: Below<'_>,
    pool: &mut Pool,
) {
    let file = |name: &String| File { folder, name: name.clone() };
    pool.folders.push(folder);
    let own = &state.paired[folder];
    let path: Rc<[usize]> = between.as_slice().into();
    let pooled = |pair: &Rc<Pair>| PooledCase {
        pair: Rc::clone(pair),
        folder,
        answers: folder,
        between: Rc::clone(&path),
    };
    pool.cases.extend(own.pairs.iter().map(pooled));
    pool.yielded.extend(own.yielded.iter().map(pooled));
    pool.stray.extend(own.stray.iter().map(file));
    let tree = state.tree;
    let free = |at: &usize| {
        !state.has_source[*at] && tree.folders[*at].leaf.is_none() && !state.taken.contains(at)
    };
    let inner: Vec<usize> = tree.folders[folder].folders.iter().copied().filter(free).collect();
    let named = |is: fn(&str) -> bool| inner.iter().copied().find(|at| is(&tree.folders[*at].name));
    let apart = named(words::holds_inputs).zip(named(words::holds_answers));
    let mut used = Vec::new();
    if let Some((inputs, answers)) = apart {
        let before = pool.cases.len();
        add_apart(state, inputs, answers, between, pool);
        if pool.cases[before..].iter().any(PooledCase::is_answered) {
            used = vec![inputs, answers];
        } else {
            pool.cases.truncate(before);
        }
    }
    let Below::Of(stems) = below else { return };
    for at in inner {
        if used.contains(&at) || !belongs(state, at, stems, between.is_empty()) {
            continue;
        }
        between.push(at);
        add(state, at, between, below, pool);
        between.pop();
    }
}

/// Whether a folder without sources belongs to the place above it. Below a folder of cases, all
/// folders do, except those that are named after other sources.
fn belongs(state: &State<'_>, folder: usize, stems: &[String], is_top: bool) -> bool {
    let name = &state.tree.folders[folder].name;
    if vocabulary::says_nothing(name) {
        return true;
    }
    let lower = name.to_lowercase();
    if stems.iter().any(|stem| lower.starts_with(stem.as_str())) {
        return true;
    }
    if !is_top {
        return !state.claims.contains(&lower);
    }
    if vocabulary::is_for_cases(name) {
        return true;
    }
    let pairs = &state.paired[folder].pairs;
    let all = |is: fn(&Pair) -> bool| !pairs.is_empty() && pairs.iter().all(|pair| is(pair));
    all(|pair| pair.is_bare() && pair.answer.is_some())
        || all(|pair| pair.answer.is_some()) && is_named_after_cases(state, folder)
}

/// Whether a folder's name continues the name of a case next to it: `lostcow_bronze_open17` next to `lostcow.in`.
fn is_named_after_cases(state: &State<'_>, folder: usize) -> bool {
    const ENOUGH: usize = 4;
    let own = &state.tree.folders[folder];
    let name = own.name.to_lowercase();
    state.paired[own.parent].pairs.iter().any(|pair| {
        let key = pair.lower_key();
        let rest = name.strip_prefix(key).filter(|_| key.len() >= ENOUGH);
        rest.is_some_and(|rest| rest.starts_with(['_', '-', '.', ' ']))
    })
}

/// Adds the cases whose inputs are in one folder and whose answers are in another, with the same
/// folders below both.
fn add_apart(
    state: &State<'_>,
    inputs: usize,
    answers: usize,
    between: &mut Vec<usize>,
    pool: &mut Pool,
) {
    let tree = state.tree;
    let (from, to) = (&tree.folders[inputs], &tree.folders[answers]);
    let paired = words::pair_folders(&from.others, &to.others);
    pool.folders.extend([inputs, answers]);
    let path: Rc<[usize]> = between.as_slice().into();
    let pairs = paired.pairs.into_iter();
    pool.cases.extend(pairs.map(|pair| PooledCase {
        pair,
        folder: inputs,
        answers,
        between: Rc::clone(&path),
    }));
    pool.stray.extend(paired.stray.into_iter().map(|name| File { folder: answers, name }));
    for inner in &from.folders {
        let same = |at: &&usize| tree.folders[**at].name == tree.folders[*inner].name;
        if let Some(other) = to.folders.iter().find(same) {
            between.push(*inner);
            add_apart(state, *inner, *other, between, pool);
            between.pop();
        }
    }
}
