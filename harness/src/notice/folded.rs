//! Folds many notices of one kind into a few and a count.

use std::collections::BTreeMap;

use super::{Code, ENOUGH, Notice};

/// More than this many notices of one kind are folded.
const MANY: usize = 8;

/// The notices in their order. Of many with the same code, only the first few are left, and the last says how many others there
/// are.
pub(crate) fn folded(notices: &[Notice]) -> Vec<Notice> {
    let mut count: BTreeMap<Code, usize> = BTreeMap::new();
    for notice in notices {
        *count.entry(notice.code).or_default() += 1;
    }
    let mut seen: BTreeMap<Code, usize> = BTreeMap::new();
    let mut left = Vec::new();
    for notice in notices {
        let code = notice.code;
        let (all, at) = (count[&code], seen.entry(code).or_default());
        *at += 1;
        if all <= MANY || *at <= ENOUGH {
            left.push(notice.clone());
        }
        if all > MANY && *at == ENOUGH {
            let more = all - ENOUGH;
            left.push(code.says(format!("… and {more} more of this kind")));
        }
    }
    left
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_many_of_one_kind_are_folded() {
        let of = |code: Code, count: usize| (0..count).map(move |at| code.says(at.to_string()));
        let few = of(Code::NoCases, MANY).chain(of(Code::MissingAnswer, 1));
        assert_eq!(folded(&few.collect::<Vec<_>>()).len(), MANY + 1);
        let many = of(Code::NoCases, 20).chain(of(Code::MissingAnswer, 1));
        let left = folded(&many.collect::<Vec<_>>());
        let texts: Vec<&str> = left.iter().map(|notice| notice.message.as_str()).collect();
        assert_eq!(
            texts,
            ["0", "1", "2", "3", "4", "… and 15 more of this kind", "0"]
        );
    }
}
