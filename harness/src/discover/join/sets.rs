//! The sets of cases of a tree: pairs that lie together, in one folder or in a folder of inputs and a folder of answers next
//! to each other.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::facts::CaseName;
use super::words::{self, FolderSide, Pair};
use super::{File, State, Tree, vocabulary};

/// A case, and where it lies.
#[derive(Debug, Clone)]
pub(super) struct PooledCase {
    pub(super) pair: Rc<Pair>,
    /// The folder of the input.
    pub(super) folder: usize,
    /// The folder of the answer.
    pub(super) answers: usize,
    /// The folders between the root, later between the place of the problem, and the case, without `in` and `out` of pairs.
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
            is_below: !self.between.is_empty(),
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
    for size in SIZES {
        if let Some(head) =
            rest.strip_suffix(size).filter(|head| head.ends_with(char::is_alphanumeric))
        {
            return Some(head);
        }
    }
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
pub(super) fn without_word(name: &str) -> Option<&str> {
    let (head, rest) = name.split_once(['_', '-', '.', ' '])?;
    (!head.is_empty() && vocabulary::says_nothing(head)).then_some(rest)
}

/// Cases that lie together.
#[derive(Debug, Clone)]
pub(super) struct PairedCases {
    /// The folder that holds them. For a folder of inputs and one of answers, it is the folder around both.
    pub(super) home: usize,
    pub(super) cases: Vec<PooledCase>,
    /// Cases that give way to better ones. Their files are stray too.
    pub(super) yielded: Vec<PooledCase>,
    /// Whether it is a folder of inputs, as its name says, that has no folder of answers.
    pub(super) is_guessed: bool,
    /// Sources beside it that bear other names than its cases.
    pub(super) refused: BTreeSet<File>,
}

impl PairedCases {
    pub(super) fn is_answered(&self) -> bool {
        self.cases.iter().any(PooledCase::is_answered)
    }

    /// Whether it is one case without a name of its own: often a scratch file.
    pub(super) fn is_scratch(&self) -> bool {
        matches!(&self.cases[..], [only] if only.pair.is_bare())
    }

    /// Its first input, and how many cases there are.
    pub(super) fn summary(&self) -> (String, usize) {
        (self.cases[0].pair.input.clone(), self.cases.len())
    }
}

/// The sets of a tree by their homes, and the files of cases that belong to none.
#[derive(Debug, Default)]
pub(super) struct Sets {
    pub(super) by_home: Vec<Vec<PairedCases>>,
    pub(super) stray: Vec<File>,
}

/// All sets of a tree. `has_source`: by folder, whether it or a folder below it has a source.
pub(super) fn sets(tree: &Tree, has_source: &[bool]) -> Sets {
    let count = tree.folders.len();
    let mut found = Sets { by_home: vec![Vec::new(); count], stray: Vec::new() };
    let mut is_used = vec![false; count];
    for at in 0..count {
        is_used[at] |= at > 0 && is_used[tree.folders[at].parent];
        if tree.is_in_leaf(at) {
            continue;
        }
        // Inputs that a validator must refuse have no answers.
        if at > 0 && vocabulary::is_for_invalid_inputs(&tree.folders[at].name) {
            is_used[at] = true;
        }
        if !is_used[at] {
            own(tree, at, has_source[at], &mut found);
        }
        for (inputs, answers) in sides(tree, at, has_source) {
            if is_used[inputs] || is_used[answers] || is_used[at] {
                continue;
            }
            let name = &tree.folders[inputs].name;
            let mut path = tree.chain(at);
            if words::folder_side(name).is_some_and(|side| !side.frame.is_empty()) {
                path.push(inputs);
            }
            let mut cases = Vec::new();
            let mut stray = Vec::new();
            add_apart(tree, inputs, answers, &mut path, &mut cases, &mut stray);
            if cases.iter().any(PooledCase::is_answered) {
                is_used[inputs] = true;
                is_used[answers] = true;
                found.stray.extend(stray);
                let yielded = Vec::new();
                found.by_home[at].push(PairedCases {
                    home: at,
                    cases,
                    yielded,
                    is_guessed: false,
                    refused: BTreeSet::new(),
                });
            }
        }
    }
    found
}

/// The pair of files that a source names, beside which nothing looks like a case: the first is read, the second is written.
pub(super) fn named_pair(state: &State<'_>, at: usize) -> Option<PairedCases> {
    let folder = &state.tree.folders[at];
    // Texts are read only where there may be a pair.
    if folder.others.iter().filter(|name| !words::is_document(name)).count() < 2 {
        return None;
    }
    let mut cases: Vec<PooledCase> = Vec::new();
    let path: Rc<[usize]> = state.tree.chain(at).into();
    for file in state.sources_in(at) {
        let mut own: Vec<&String> = Vec::new();
        for name in (state.opened)(&file) {
            let same = folder.others.iter().find(|other| other.eq_ignore_ascii_case(&name));
            own.extend(same.filter(|same| !own.contains(same)));
        }
        let (written, read): (Vec<&String>, Vec<&String>) =
            own.into_iter().partition(|name| (state.writes)(&file, name));
        let (input, answer) = match (&read[..], &written[..]) {
            ([input], [answer]) => (*input, *answer),
            ([input, answer], []) if words::is_answer(answer) => (*input, *answer),
            _ => continue,
        };
        let pair = words::pair_of(input, answer);
        if cases.iter().all(|case| case.pair.input != *input) {
            let between = Rc::clone(&path);
            cases.push(PooledCase { pair, folder: at, answers: at, between });
        }
    }
    let is_any = !cases.is_empty();
    is_any.then(|| PairedCases {
        home: at,
        cases,
        yielded: Vec::new(),
        is_guessed: false,
        refused: BTreeSet::new(),
    })
}

/// The pairs in a folder. Of a folder that is one for inputs by its name, all files are inputs.
fn own(tree: &Tree, at: usize, has_source: bool, found: &mut Sets) {
    let folder = &tree.folders[at];
    let mut paired = words::pair(&folder.others);
    let path: Rc<[usize]> = tree.chain(at).into();
    let is_answered = paired.pairs.iter().any(|pair| pair.answer.is_some());
    if paired.pairs.is_empty() {
        paired.pairs = words::inputs_of(&folder.others, &folder.sources);
    }
    let is_guessed = !is_answered && !has_source && words::holds_inputs(&folder.name);
    if is_guessed {
        paired = words::pair_folders(&folder.others, &[]);
    }
    let pooled =
        |pair: Rc<Pair>| PooledCase { pair, folder: at, answers: at, between: Rc::clone(&path) };
    let file = |name| File { folder: at, name };
    found.stray.extend(paired.stray.into_iter().map(file));
    let cases: Vec<PooledCase> = paired.pairs.into_iter().map(pooled).collect();
    if !cases.is_empty() {
        let yielded = paired.yielded.into_iter().map(pooled).collect();
        found.by_home[at].push(PairedCases {
            home: at,
            cases,
            yielded,
            is_guessed,
            refused: BTreeSet::new(),
        });
    }
}

/// The folders of inputs directly in `at`, each with those of answers that may belong to it, the better ones first.
fn sides(tree: &Tree, at: usize, has_source: &[bool]) -> Vec<(usize, usize)> {
    let free = |inner: &&usize| !has_source[**inner] && tree.folders[**inner].leaf.is_none();
    let inner: Vec<(usize, FolderSide)> = tree.folders[at]
        .folders
        .iter()
        .filter(free)
        .filter_map(|inner| Some((*inner, words::folder_side(&tree.folders[*inner].name)?)))
        .collect();
    let inputs = inner.iter().filter(|(_, side)| side.is_input);
    let mut found = Vec::new();
    // `tests/1.in` beside `sols/1.sol`: the names of the files say what the name of their folder does not.
    let answers = inner.iter().filter(|(_, side)| !side.is_input && side.frame.is_empty());
    for (answers, _) in answers.filter(|_| inputs.clone().next().is_none()) {
        let others = tree.folders[at].folders.iter().filter(free);
        let others = others.filter(|other| *other != answers);
        found.extend(
            others
                .filter(|other| are_twins(tree, **other, *answers))
                .map(|other| (*other, *answers)),
        );
    }
    for (input, side) in inputs {
        let mut answers: Vec<_> = inner
            .iter()
            .filter(|(_, other)| !other.is_input && other.frame == side.frame)
            .collect();
        answers.sort_by_key(|(_, side)| side.rank);
        found.extend(answers.into_iter().map(|(answer, _)| (*input, *answer)));
    }
    found
}

/// Whether most files of two folders have the same names but for their sides, and those of the first are no pairs.
fn are_twins(tree: &Tree, inputs: usize, answers: usize) -> bool {
    let (from, to) = (&tree.folders[inputs].others, &tree.folders[answers].others);
    let paired = words::pair_folders(from, to);
    let answered = paired.pairs.iter().filter(|pair| pair.answer.is_some()).count();
    answered > 0
        && answered * 5 >= from.len().max(to.len()) * 4
        && words::pair(from).pairs.iter().all(|pair| pair.answer.is_none())
}

/// Adds the cases whose inputs are in one folder and whose answers are in another, with the same folders below both.
fn add_apart(
    tree: &Tree,
    inputs: usize,
    answers: usize,
    path: &mut Vec<usize>,
    cases: &mut Vec<PooledCase>,
    stray: &mut Vec<File>,
) {
    let (from, to) = (&tree.folders[inputs], &tree.folders[answers]);
    let paired = words::pair_folders(&from.others, &to.others);
    let between: Rc<[usize]> = path.as_slice().into();
    cases.extend(paired.pairs.into_iter().map(|pair| PooledCase {
        pair,
        folder: inputs,
        answers,
        between: Rc::clone(&between),
    }));
    stray.extend(paired.stray.into_iter().map(|name| File { folder: answers, name }));
    for inner in &from.folders {
        let same = |at: &&usize| tree.folders[**at].name == tree.folders[*inner].name;
        if let Some(other) = to.folders.iter().find(same) {
            path.push(*inner);
            add_apart(tree, *inner, *other, path, cases, stray);
            path.pop();
        }
    }
}
