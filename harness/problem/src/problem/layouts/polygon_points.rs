//! Polygon's points: of tests, of groups, and dependencies among groups.

use std::collections::{BTreeMap, BTreeSet};

use roxmltree::Node;

use super::points::Share;
use super::xml::child;
use crate::problem::scoring::Aggregation;

/// How the points of a group are given.
#[derive(Debug, Clone, Copy, PartialEq)]
enum PointsPolicy {
    /// All points of the group, or none.
    Complete,
    /// Each test gives the same part of the points.
    Even,
    /// Each test has its own points: each is a group of its own.
    Each,
}

/// The groups of a test set.
pub(super) struct PolygonGroups<'a, 'd> {
    testset: Node<'a, 'd>,
    /// The points of each group's tests. Tests outside groups are under the empty name.
    tests: BTreeMap<&'a str, Vec<f64>>,
}

impl<'a, 'd> PolygonGroups<'a, 'd> {
    pub(super) fn of(testset: Node<'a, 'd>) -> Self {
        let mut tests: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
        let all = child(testset, "tests").into_iter();
        for test in all.flat_map(|tests| tests.children()) {
            if test.has_tag_name("test") {
                let group = test.attribute("group").unwrap_or_default();
                tests.entry(group).or_default().push(points(test));
            }
        }
        Self { testset, tests }
    }

    fn node(&self, name: &str) -> Option<Node<'a, 'd>> {
        let groups = child(self.testset, "groups")?;
        groups.children().find(|node| node.attribute("name") == Some(name))
    }

    fn policy(&self, name: &str) -> PointsPolicy {
        let node = self.node(name);
        let tests = self.tests.get(name).map_or(&[][..], Vec::as_slice);
        let same = tests.windows(2).all(|two| two[0].total_cmp(&two[1]).is_eq());
        match node.and_then(|node| node.attribute("points-policy")) {
            Some("complete-group") => PointsPolicy::Complete,
            _ if same && !name.is_empty() => PointsPolicy::Even,
            _ => PointsPolicy::Each,
        }
    }

    /// The points of a group: those that it states, otherwise the sum of its tests.
    fn total(&self, name: &str) -> f64 {
        let stated = self.node(name).map_or(0.0, points);
        let tests = self.tests.get(name);
        if stated > 0.0 { stated } else { tests.map_or(0.0, |tests| tests.iter().sum()) }
    }

    /// The name of a case. `last` is the last component of its path.
    pub(super) fn case_name(&self, test: Node<'_, '_>, last: &str) -> String {
        let group = test.attribute("group").unwrap_or_default();
        if test.attribute("sample") == Some("true") && self.total(group) <= 0.0 {
            return format!("sample/{last}");
        }
        let folder = folder(group);
        match self.policy(group) {
            PointsPolicy::Each if group.is_empty() => format!("secret/{last}"),
            PointsPolicy::Each => format!("secret/{folder}-{last}"),
            PointsPolicy::Complete | PointsPolicy::Even => format!("secret/{folder}/{last}"),
        }
    }

    /// The points of all groups. `names` are the tests and the names of their cases, in order.
    pub(super) fn shares(&self, names: &[(Node<'_, '_>, String)]) -> Vec<Share> {
        let mut shares: Vec<Share> = Vec::new();
        let mut known = BTreeSet::new();
        for (test, name) in names {
            let Some(below) = name.strip_prefix("secret/") else {
                continue;
            };
            let group = test.attribute("group").unwrap_or_default();
            let policy = self.policy(group);
            let (part, points) = match policy {
                PointsPolicy::Each => (below, points(*test)),
                _ => (below.split('/').next().unwrap_or(below), self.total(group)),
            };
            if !known.insert(part) {
                continue;
            }
            let aggregation = match policy {
                PointsPolicy::Complete => Aggregation::PassFail,
                // A checker may give a part of a test's points.
                PointsPolicy::Even | PointsPolicy::Each => Aggregation::Sum,
            };
            shares.push(Share {
                aggregation,
                requires: self.requires(group, names),
                ..Share::whole(part, points)
            });
        }
        shares
    }

    /// The dependencies of a group, as the entries of `secret/` that contain their tests, or
    /// `sample`.
    fn requires(&self, group: &str, names: &[(Node<'_, '_>, String)]) -> Vec<String> {
        let dependencies = self
            .node(group)
            .and_then(|node| child(node, "dependencies"))
            .into_iter()
            .flat_map(|node| node.children())
            .filter_map(|node| node.attribute("group"));
        let mut required = Vec::new();
        for wanted in dependencies {
            let of_group = names.iter().filter(|(test, _)| test.attribute("group") == Some(wanted));
            for (_, name) in of_group {
                let below = name.strip_prefix("secret/");
                let part = below.map_or("sample", |below| below.split('/').next().unwrap_or(below));
                if !required.iter().any(|known| known == part) {
                    required.push(part.to_owned());
                }
            }
        }
        required
    }
}

fn folder(group: &str) -> String {
    group.replace(['/', '\\'], "-")
}

fn points(node: Node<'_, '_>) -> f64 {
    let points = node.attribute("points");
    let points = points.and_then(|points| points.parse::<f64>().ok());
    points.filter(|points| points.is_finite() && *points >= 0.0).unwrap_or_default()
}
