//! Pairs of files in whose names only some words are the same: `A-large-practice.in` and `large_out.txt`.

use std::collections::BTreeSet;
use std::rc::Rc;

use super::pair::{ByFrame, Pair, Paired};
use super::{SEPARATORS, apart, position};

/// The words and the numbers of a name, in lower case, without those that are a side.
fn words(name: &str) -> BTreeSet<String> {
    let lower = apart(name).unwrap_or_else(|| name.to_lowercase());
    let body = lower.strip_suffix(".txt").unwrap_or(&lower);
    let mut words = BTreeSet::new();
    for part in body.split(SEPARATORS) {
        let mut from = 0;
        let ends = part.char_indices().zip(part.chars().skip(1));
        let ends = ends.filter(|((_, c), next)| c.is_ascii_digit() != next.is_ascii_digit());
        for end in ends.map(|((at, c), _)| at + c.len_utf8()).chain([part.len()]) {
            words.insert(part[from..end].to_owned());
            from = end;
        }
    }
    words.retain(|word| !word.is_empty() && position(word).is_none());
    words
}

/// Pairs an answer with the only input in whose name all of its words stand, those with the most words first. One of the words
/// must tell the input from another one.
pub(super) fn add_sharing(answers: &mut ByFrame<'_>, paired: &mut Paired) {
    let is_free = |pair: &Rc<Pair>| pair.answer.is_none();
    if answers.is_empty() || paired.pairs.iter().filter(|pair| is_free(pair)).count() < 2 {
        return;
    }
    let inputs: Vec<BTreeSet<String>> =
        paired.pairs.iter().map(|pair| words(&pair.input)).collect();
    let mut free: Vec<(BTreeSet<String>, String)> = answers
        .values()
        .map(|same| (words(same[0].1), same[0].1.clone()))
        .filter(|(own, _)| own.iter().any(|word| !super::is_number(word)))
        .collect();
    free.sort_by_key(|(own, _)| std::cmp::Reverse(own.len()));
    let mut used: BTreeSet<String> = BTreeSet::new();
    for (own, answer) in &free {
        let is_alike = |(other, name): &&(BTreeSet<String>, String)| other == own && name != answer;
        if free.iter().any(|one| is_alike(&one)) {
            continue;
        }
        let fits = |at: &usize| is_free(&paired.pairs[*at]) && own.is_subset(&inputs[*at]);
        let mut fitting = (0..inputs.len()).filter(fits);
        if let (Some(at), None) = (fitting.next(), fitting.next()) {
            Rc::make_mut(&mut paired.pairs[at]).answer = Some(answer.clone());
            used.insert(answer.clone());
        }
    }
    free.retain(|(_, answer)| !used.contains(answer));
    if let [(own, answer)] = &free[..]
        && let Some(at) = the_other(own, &inputs, paired)
    {
        Rc::make_mut(&mut paired.pairs[at]).answer = Some(answer.clone());
        used.insert(answer.clone());
    }
    answers.retain(|_, same| !used.contains(same[0].1));
}

/// The only input without an answer, if it differs from another one in one word, as the answers do: `result_big.out` to
/// `A-large.in` beside `result_small.out` of `A-small.in`.
fn the_other(
    own: &BTreeSet<String>,
    inputs: &[BTreeSet<String>],
    paired: &Paired,
) -> Option<usize> {
    let differ = |a: &BTreeSet<String>, b: &BTreeSet<String>| {
        a.difference(b).count() == 1 && b.difference(a).count() == 1
    };
    let mut free = (0..inputs.len()).filter(|at| paired.pairs[*at].answer.is_none());
    let (Some(at), None) = (free.next(), free.next()) else { return None };
    let mut answered = paired.pairs.iter().zip(inputs);
    let is_pair = answered.any(|(pair, input)| {
        let answer = pair.answer.as_ref();
        differ(input, &inputs[at]) && answer.is_some_and(|answer| differ(&words(answer), own))
    });
    is_pair.then_some(at)
}
