//! Sources elsewhere that bear the name of a problem that has its cases: contestants beside a tree of cases in which the
//! author's solutions lie, and solutions of packages that hold none.

use std::collections::{BTreeMap, BTreeSet};

use super::attempts::is_contest_id;
use super::division::{Group, Names, owners_of};
use super::facts::{is_generic, is_number};
use super::{File, JoinResult, Joined, Leaf, Source, State, vocabulary};

/// Shorter names may be those of other problems.
const LONG: usize = 3;

/// A problem that sources elsewhere may belong to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Offer {
    /// The index of a problem.
    Problem(usize),
    /// The folder of a package.
    Package(usize),
}

impl Offer {
    fn folder(self, outcome: &JoinResult) -> usize {
        match self {
            Self::Problem(at) => outcome.problems[at].folder,
            Self::Package(folder) => folder,
        }
    }
}

/// Takes the problems without any answers, whose sources may have better cases elsewhere.
pub(super) fn take_unanswered(outcome: &mut JoinResult) -> Vec<Joined> {
    let problems = std::mem::take(&mut outcome.problems);
    let is_answered = |one: &Joined| one.cases.iter().any(|case| case.answer.is_some());
    let (answered, unanswered) = problems.into_iter().partition(is_answered);
    outcome.problems = answered;
    unanswered
}

/// Gives sources to the problems whose names they bear, and returns the rest.
pub(super) fn join(state: &State<'_>, sources: Vec<File>, outcome: &mut JoinResult) -> Vec<File> {
    if sources.is_empty() || outcome.problems.is_empty() && outcome.leaves.is_empty() {
        return sources;
    }
    let names = Names::of(state, 0, &sources);
    let offers = offers(state, &names, outcome);
    let owners = owners_of(&names, &offers);
    let mut found: Vec<(File, Option<Offer>)> = Vec::new();
    for ((file, group), own) in sources.into_iter().zip(owners).zip(&names.of_source) {
        let name = group.as_ref().and_then(|group| group.keys.last().cloned()).unwrap_or_default();
        let same = group.and_then(|group| offers.get(&group).cloned()).unwrap_or_default();
        // `an/12/12.cpp` and `12/1.in`.
        let is_twice = is_number(&name) && own.iter().filter(|one| **one == name).count() > 1;
        let is_long = name.chars().count() >= LONG
            && !is_number(&name)
            && !is_contest_id(&name)
            && !is_generic(&name);
        let offer = match &same[..] {
            [only @ Offer::Problem(_)] => Some(*only).filter(|_| is_long || is_twice),
            [only] => Some(*only),
            _ => None,
        };
        let offer = offer.filter(|offer| !has_other_number(state, &file, &name, *offer, outcome));
        found.push((file, offer));
    }
    let sure = are_sure(state, &found, outcome);
    let found = found.into_iter().zip(sure);
    let mut rest = Vec::new();
    let mut joined: Vec<(Offer, Source)> = Vec::new();
    for ((file, offer), is_sure) in found {
        match offer.filter(|_| is_sure) {
            Some(offer) => {
                let place = state.tree.common([file.folder, offer.folder(outcome)].into_iter());
                let verdict = state.verdict_of(file.folder, place);
                joined.push((offer, Source { file, verdict, opens: false }));
            }
            None => rest.push(file),
        }
    }
    for (offer, source) in joined {
        match offer {
            Offer::Problem(at) => outcome.problems[at].sources.push(source),
            Offer::Package(folder) => outcome.of_packages.push((folder, source)),
        }
    }
    rest
}

/// Whether the name of a source and that of a problem, or the folders in which their ways part, differ in a number only:
/// `03-sort` and `01-sort`, `week1/sort.c` and `week2/sort/`.
fn has_other_number(
    state: &State<'_>,
    file: &File,
    name: &str,
    offer: Offer,
    outcome: &JoinResult,
) -> bool {
    let parts = |text: &str| -> (String, String) {
        text.chars().filter(|c| c.is_alphanumeric()).partition(char::is_ascii_digit)
    };
    let differ = |a: &str, b: &str| {
        let ((number, words), (other, same)) = (parts(a), parts(b));
        !number.is_empty()
            && !other.is_empty()
            && number.trim_start_matches('0') != other.trim_start_matches('0')
            && words == same
            && !words.is_empty()
    };
    let place = offer.folder(outcome);
    let common = state.tree.common([file.folder, place].into_iter());
    let branch = |folder: usize| {
        state.tree.between(common, folder).first().map_or("", |at| state.lower[*at].as_str())
    };
    let stem = match offer {
        Offer::Problem(at) => outcome.problems[at].stem.as_ref().map(|stem| stem.to_lowercase()),
        Offer::Package(_) => None,
    };
    let own = stem.as_deref().unwrap_or(&state.lower[place]);
    differ(branch(file.folder), branch(place)) || differ(name, own)
}

/// Whether each source surely belongs to what its name offers.
fn are_sure(state: &State<'_>, found: &[(File, Option<Offer>)], outcome: &JoinResult) -> Vec<bool> {
    // One name alone may be that of another problem. A tree of problems beside a tree of sources is none.
    let sides = |file: &File, offer: Offer| {
        let place = offer.folder(outcome);
        let common = state.tree.common([file.folder, place].into_iter());
        let branch = |folder: usize| state.tree.between(common, folder).first().copied();
        [(common, branch(place), true), (common, branch(file.folder), false)]
    };
    let mut of_side: BTreeMap<_, BTreeSet<Offer>> = BTreeMap::new();
    for (file, offer) in found {
        if let Some(offer) = offer {
            for side in sides(file, *offer) {
                of_side.entry(side).or_default().insert(*offer);
            }
        }
    }
    // The tree of the sources holds no cases.
    let mut has_cases = vec![false; state.tree.folders.len()];
    for problem in &outcome.problems {
        let folders = problem.cases.iter().map(|case| case.input.folder);
        for folder in folders.chain([problem.folder]) {
            let mut at = folder;
            while !has_cases[at] {
                has_cases[at] = true;
                at = state.tree.folders[at].parent;
            }
        }
    }
    let is_sure = |file: &File, offer: Offer| {
        let sides = sides(file, offer);
        if sides[1].1.is_some_and(|branch| has_cases[branch]) {
            return false;
        }
        sides[0].1.is_some() && sides.iter().any(|side| of_side[side].len() > 1)
    };
    found.iter().map(|(file, offer)| offer.is_some_and(|offer| is_sure(file, offer))).collect()
}

/// The problems by the names that they share with sources.
fn offers(state: &State<'_>, names: &Names, outcome: &JoinResult) -> BTreeMap<Group, Vec<Offer>> {
    let packages = outcome.leaves.iter().filter(|(at, leaf)| *at != 0 && *leaf == Leaf::Package);
    let packages = packages.map(|(folder, _)| (Offer::Package(*folder), *folder, None));
    let problems = outcome.problems.iter().enumerate();
    let problems = problems.map(|(at, one)| (Offer::Problem(at), one.folder, one.stem.as_ref()));
    let mut offers: BTreeMap<Group, Vec<Offer>> = BTreeMap::new();
    for (offer, folder, stem) in problems.chain(packages) {
        let chain = state.tree.chain(folder);
        let own = chain.iter().map(|at| state.lower[*at].clone());
        let parts: Vec<String> = own.chain(stem.map(|stem| stem.to_lowercase())).collect();
        let Some(last) = parts.last() else { continue };
        let Some(key) = names.key_of(last) else { continue };
        let mut group: Vec<String> = Vec::new();
        for part in &parts[..parts.len() - 1] {
            let says = !vocabulary::is_for_cases(part) || is_number(part);
            let known = names.key_of(part).filter(|key| says && !group.contains(key));
            group.extend(known);
        }
        group.retain(|known| *known != key);
        group.push(key);
        offers.entry(Group { keys: group, above: Vec::new() }).or_default().push(offer);
    }
    offers
}
