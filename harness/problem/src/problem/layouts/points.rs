//! The points that foreign layouts give to groups and cases, in the terms of the package format:
//! each entry of `secret/`, a folder or a single case, is a group.

use std::collections::HashMap;

use crate::problem::TestCase;
use crate::problem::scoring::{Aggregation, PartRule, PointGroup, Points, Scoring};

/// The points of one group in a layout.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Share {
    /// The folder or the case, without `secret/`.
    pub(super) name: String,
    pub(super) points: f64,
    pub(super) aggregation: Aggregation,
    /// Groups (without `secret/`), or `sample`, that must be accepted first.
    pub(super) requires: Vec<String>,
}

impl Share {
    /// All points or none, without required groups.
    pub(super) fn whole(name: impl Into<String>, points: f64) -> Self {
        Self { name: name.into(), points, aggregation: Aggregation::PassFail, requires: Vec::new() }
    }
}

/// The scoring of a problem with these shares. `None`: no share has any points.
pub(super) fn scoring(shares: Vec<Share>, cases: &[TestCase]) -> Option<Scoring> {
    let total: f64 = shares.iter().map(|share| share.points).sum();
    if total <= 0.0 {
        return None;
    }
    let mut counts: HashMap<&str, usize> = HashMap::new();
    for part in cases.iter().filter_map(part) {
        *counts.entry(part).or_default() += 1;
    }
    let count = |name: &str| counts.get(name).copied().unwrap_or_default();
    let groups: Vec<PointGroup> = shares
        .into_iter()
        .map(|share| PointGroup {
            cases: count(&share.name),
            name: format!("secret/{}", share.name),
            max: Some(share.points),
            aggregation: share.aggregation,
            require_pass: share.requires.into_iter().map(required).collect(),
            static_max: None,
        })
        .filter(|group| group.cases > 0)
        .collect();
    let all = groups.iter().map(|group| group.cases).sum();
    Some(Scoring::Points(Points {
        secret: secret(total, all),
        groups,
        all_cases: cases.len(),
        fall_with_time: false,
        parts: PartRule::default(),
    }))
}

/// The scoring of a problem in which every case has the same share of `total`.
pub(super) fn even_shares(total: f64, cases: &[TestCase]) -> Option<Scoring> {
    let secret_cases = cases.iter().filter(|case| part(case).is_some()).count();
    (total > 0.0).then(|| {
        Scoring::Points(Points {
            secret: secret(total, secret_cases),
            groups: Vec::new(),
            all_cases: cases.len(),
            fall_with_time: false,
            parts: PartRule::default(),
        })
    })
}

fn secret(total: f64, cases: usize) -> PointGroup {
    PointGroup {
        name: "secret".to_owned(),
        max: Some(total),
        aggregation: Aggregation::Sum,
        require_pass: Vec::new(),
        cases,
        static_max: None,
    }
}

/// The entry of `secret/` that contains a case, or is the case.
fn part(case: &TestCase) -> Option<&str> {
    let below = case.name().strip_prefix("secret/")?;
    below.split('/').next()
}

fn required(name: String) -> String {
    if name == "sample" { name } else { format!("secret/{name}") }
}
