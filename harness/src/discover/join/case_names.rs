//! The names of the cases of a problem.

use super::sets::PooledCase;
use super::{Case, State, vocabulary};
use crate::problem::natural_order;

/// The cases with their names, in natural order. `stem`: the text to remove from the beginning of
/// the names.
pub(super) fn named(state: &State<'_>, cases: &[&PooledCase], stem: Option<&str>) -> Vec<Case> {
    let first = cases.first().map(|found| folders_of(found));
    let same = |found: &&PooledCase| Some(folders_of(found)) == first;
    let prefixed = !cases.iter().all(same);
    let mut named: Vec<Case> = cases
        .iter()
        .map(|found| {
            let mut name = String::new();
            for at in folders_of(found).iter().filter(|_| prefixed) {
                name.push_str(&state.tree.folders[*at].name);
                name.push('/');
            }
            name.push_str(own_name(state, found, stem));
            Case { name, input: found.input(), answer: found.answer() }
        })
        .collect();
    named.sort_by(|a, b| natural_order(&a.name, &b.name).then_with(|| a.input.cmp(&b.input)));
    for at in 1..named.len() {
        let (before, rest) = named.split_at_mut(at);
        while before.iter().rev().take(8).any(|other| other.name == rest[0].name) {
            rest[0].name.push('\'');
        }
    }
    named
}

/// The name of a case in its folder.
fn own_name<'a>(state: &'a State<'_>, found: &'a PooledCase, stem: Option<&str>) -> &'a str {
    let key = found.pair.key();
    let key = stem.map_or(key, |stem| without_stem(key, stem));
    if !key.is_empty() {
        return key;
    }
    match found.between.last() {
        Some(at) => &state.tree.folders[*at].name,
        None => vocabulary::stem(&found.pair.input),
    }
}

/// The folders in the name of a case: those between the place and the case, without one that names the case.
fn folders_of(found: &PooledCase) -> &[usize] {
    let names_it = found.pair.is_bare() && !found.between.is_empty();
    &found.between[..found.between.len() - usize::from(names_it)]
}

/// A case's name without the source's name at its beginning; the whole name if nothing is left.
fn without_stem<'a>(key: &'a str, stem: &str) -> &'a str {
    let rest = key
        .to_lowercase()
        .starts_with(stem)
        .then(|| key.get(stem.len()..))
        .flatten()
        .unwrap_or(key)
        .trim_start_matches(['.', '_', '-', ' ']);
    if rest.is_empty() { key } else { rest }
}
