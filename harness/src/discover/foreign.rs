//! The expectations that foreign packages state of their submissions.

use crate::problem::Promise;
use crate::submission::glob::Glob;
use crate::submission::{Expectation, Rule};

/// The expectation that the promise describes.
pub(super) fn expectation(promise: &Promise) -> Expectation {
    let mut expected = Expectation::any_of_and(&promise.folders, &promise.also);
    if let Some(points) = promise.points {
        expected.rules.push(Rule { score: Some(points), ..Rule::default() });
    }
    for group in &promise.groups {
        let Ok(glob) = Glob::parse(&group.glob) else {
            continue;
        };
        let rules = Expectation::any_of_and(&group.folders, &[]).rules;
        let mut rule = rules.into_iter().next().unwrap_or_default();
        if group.folders != ["accepted"] {
            // The stated verdict is the worst one: other cases of the group may get others.
            rule.permitted = None;
        }
        expected.rules.push(Rule {
            cases: Some(glob),
            // The cases of a group are skipped if another group failed.
            if_judged: true,
            score: group.points,
            ..rule
        });
    }
    expected
}
