//! Folds many notices of one kind into a few and a count.

use std::collections::BTreeMap;

use super::{Code, ENOUGH, Notice};

/// More than this many notices of one kind are folded.
const MANY: usize = 4;

/// What a list says of a notice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fold {
    /// The notice.
    Shown,
    /// The notice, and that it has so many more of its kind.
    Last(usize),
    /// Nothing.
    Hidden,
}

/// Of many notices with the same code, only the first few are shown.
pub fn folds(notices: &[Notice]) -> Vec<Fold> {
    let mut count: BTreeMap<Code, usize> = BTreeMap::new();
    for notice in notices {
        *count.entry(notice.code).or_default() += 1;
    }
    let mut seen: BTreeMap<Code, usize> = BTreeMap::new();
    let of = |notice: &Notice| {
        let (all, at) = (count[&notice.code], seen.entry(notice.code).or_default());
        *at += 1;
        match *at {
            _ if all <= MANY => Fold::Shown,
            ENOUGH => Fold::Last(all - ENOUGH),
            at if at < ENOUGH => Fold::Shown,
            _ => Fold::Hidden,
        }
    };
    notices.iter().map(of).collect()
}

/// The line about the notices that are not shown.
pub fn more(count: usize) -> String {
    format!("… and {count} more of this kind")
}

/// The notices in their order. Of many with the same code, only the first few are left, and the last says how many others there
/// are.
pub fn folded(notices: &[Notice]) -> Vec<Notice> {
    let mut left = Vec::new();
    for (notice, fold) in notices.iter().zip(folds(notices)) {
        if fold != Fold::Hidden {
            left.push(notice.clone());
        }
        if let Fold::Last(count) = fold {
            left.push(notice.code.says(more(count)));
        }
    }
    left
}

/// The first names of a list and the number of the others: `a, b, c and 4 more`.
pub fn few(names: &[impl AsRef<str>]) -> String {
    const FEW: usize = 3;
    // A single further name is as short as `and 1 more`.
    let shown = if names.len() <= FEW + 1 { names.len() } else { FEW };
    let first: Vec<&str> = names[..shown].iter().map(AsRef::as_ref).collect();
    match names.len() - shown {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_list_ends_with_a_number() {
        assert_eq!(few(&["a", "b", "c", "d"]), "a, b, c, d");
        assert_eq!(few(&["a", "b", "c", "d", "e"]), "a, b, c and 2 more");
    }

    #[test]
    fn only_many_of_one_kind_are_folded() {
        let of = |code: Code, count: usize| (0..count).map(move |at| code.says(at.to_string()));
        let few = of(Code::NoCases, MANY).chain(of(Code::MissingAnswer, 1));
        assert_eq!(folded(&few.collect::<Vec<_>>()).len(), MANY + 1);
        let many = of(Code::NoCases, 20).chain(of(Code::MissingAnswer, 1));
        let left = folded(&many.collect::<Vec<_>>());
        let texts: Vec<&str> = left.iter().map(|notice| notice.message.as_str()).collect();
        assert_eq!(texts, ["0", "1", "2", "… and 17 more of this kind", "0"]);
    }
}
