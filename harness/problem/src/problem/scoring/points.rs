//! 2025-09: `max_score`, `score_aggregation` and `require_pass` of `test_group.yaml`.

use std::collections::BTreeMap;

use super::ScoringSource;
use crate::notice::{Code, Location, Notices};
use crate::problem::groups::Entries;
use crate::problem::static_validation::NAME as STATIC;
use crate::problem::yaml::{Node, Value, words};

/// The points of a scoring problem.
#[derive(Debug, Clone, PartialEq)]
pub struct Points {
    /// `data/secret` itself. Its score is the submission's score.
    pub secret: PointGroup,
    /// The groups in `secret`, in order. Empty: the cases are directly in `secret`.
    pub groups: Vec<PointGroup>,
    /// The number of all cases, including samples.
    pub all_cases: usize,
    /// Whether a case loses points if its run takes more than half of the time limit.
    pub fall_with_time: bool,
    /// How a checker gives a part of the points of a case.
    pub parts: PartRule,
}

/// How a checker gives a part of the points of a case.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum PartRule {
    /// As points, or as a share in `score_multiplier.txt`. The output is right.
    #[default]
    Package,
    /// As Hydro: a share, or a percentage if it is above 1. The points are rounded down, and the output is wrong. An
    /// output validator gives points to wrong outputs.
    Hydro,
    /// As omegaUp: a share, not rounded, and the output is wrong.
    OmegaUp,
    /// As UOJ: a share, in whole percent. The points are rounded down, and the output is wrong.
    Uoj,
}

/// A group, or `secret`.
#[derive(Debug, Clone, PartialEq)]
pub struct PointGroup {
    /// The path below `data/`.
    pub name: String,
    /// The maximum score; `None`: unbounded.
    pub max: Option<f64>,
    /// How the scores of its parts are combined.
    pub aggregation: Aggregation,
    /// The groups, or `sample`, whose cases must all be accepted before this group is judged.
    pub require_pass: Vec<String>,
    /// The number of cases directly in the group or in folders that are not groups, without static
    /// validation.
    pub cases: usize,
    /// The maximum score of static validation, if the group has one.
    pub static_max: Option<f64>,
}

/// How the score of a group results from its parts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Aggregation {
    /// The maximum score if every case is accepted, otherwise zero.
    PassFail,
    /// The sum of the parts.
    Sum,
    /// The lowest score of the parts.
    Min,
    /// The lowest score of the parts, with a percentage of them rounded up to a whole point.
    MinRoundedUp,
    /// The sum of the parts if each of them is above 0, otherwise zero.
    SumIfAll,
    /// The highest score of the parts.
    Max,
    /// The product of the parts, each as a share of the maximum score.
    Product,
    /// The maximum score if the share that the checker gives for each part is above 0 and at most this, otherwise zero.
    Threshold(f64),
}

impl Points {
    /// The group of a case. `None`: a sample, which has no score.
    pub fn group_of(&self, case: &str) -> Option<&PointGroup> {
        let below = case.strip_prefix("secret/")?;
        if self.groups.is_empty() || below == STATIC {
            return Some(&self.secret);
        }
        let name = below.split('/').next().unwrap_or(below);
        self.groups.iter().find(|group| group.name.strip_prefix("secret/") == Some(name))
    }
}

impl PointGroup {
    /// The maximum score of one case. `None`: unbounded, or the group has no scores.
    pub fn max_of_case(&self) -> Option<f64> {
        #[expect(clippy::cast_precision_loss, reason = "fewer cases than 2^53")]
        match self.aggregation {
            Aggregation::PassFail => None,
            Aggregation::Min
            | Aggregation::MinRoundedUp
            | Aggregation::Max
            | Aggregation::Product
            | Aggregation::Threshold(_) => self.max,
            Aggregation::Sum | Aggregation::SumIfAll => {
                self.max.map(|max| (max - self.static_max.unwrap_or(0.0)) / self.cases as f64)
            }
        }
    }
}

/// Reads the points of a package.
pub(super) fn read(source: &ScoringSource<'_>, notices: &mut Notices) -> Points {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut direct, mut total) = (None, 0);
    for case in source.cases {
        let Some(below) = case.name().strip_prefix("secret/") else {
            continue;
        };
        if case.is_static() {
            continue;
        }
        total += 1;
        match below.split_once('/') {
            Some((group, _)) => *counts.entry(group).or_default() += 1,
            None => direct = Some(case.name()),
        }
    }
    for folder in source.entries.keys() {
        if let Some(name) = folder.strip_prefix("secret/")
            && !name.contains('/')
        {
            counts.entry(name).or_default();
        }
    }
    let mut reader = PointsReader { source, notices };
    reader.no_scores_in_sample();
    if let (Some(case), Some(group)) = (direct, counts.keys().next()) {
        let folder = source.root.join("secret");
        let folder = reader.notices.show(&folder);
        reader.notices.error_help(
            Code::Conflict
                .says(format!("{folder} has both the case `{case}` and the group `secret/{group}`"))
                .about(&folder),
            "put every case into a group, or none",
        );
    }
    let secret = reader.group("secret", total, true);
    let groups: Vec<PointGroup> = counts
        .iter()
        .map(|(name, cases)| reader.group(&format!("secret/{name}"), *cases, false))
        .collect();
    let points = Points {
        secret,
        groups,
        all_cases: source.cases.len(),
        fall_with_time: false,
        parts: PartRule::default(),
    };
    reader.check(&points);
    points
}

struct PointsReader<'a, 'b> {
    source: &'a ScoringSource<'b>,
    notices: &'a mut Notices,
}

impl PointsReader<'_, '_> {
    fn fault(&mut self, entries: &Entries, node: &Node, message: &str) {
        let at = self.notices.show_at(&entries.path, node.place);
        self.notices.error(Code::InvalidValue.at(&at, message));
    }

    fn no_scores_in_sample(&mut self) {
        let source = self.source;
        let Some(entries) = source.entries.get("sample") else {
            return;
        };
        for name in ["max_score", "score_aggregation", "require_pass"] {
            if let Some((_, node)) = entries.get(name) {
                self.fault(entries, node, &format!("samples have no `{name}`"));
            }
        }
    }

    fn group(&mut self, name: &str, cases: usize, is_secret: bool) -> PointGroup {
        let mut group = PointGroup {
            name: name.to_owned(),
            max: is_secret.then_some(100.0),
            aggregation: if is_secret { Aggregation::Sum } else { Aggregation::PassFail },
            require_pass: Vec::new(),
            cases,
            static_max: None,
        };
        let source = self.source;
        let Some(entries) = source.entries.get(name) else {
            return group;
        };
        if let Some((_, node)) = entries.get("max_score") {
            match &node.value {
                Value::Text(text) if text == "unbounded" => group.max = None,
                Value::Number(max) if *max >= 0.0 && max.fract() == 0.0 => group.max = Some(*max),
                other => {
                    let got = other.kind();
                    let message =
                        format!("`max_score` must be a whole number or `unbounded`, got {got}");
                    self.fault(entries, node, &message);
                }
            }
        }
        // Other values were reported when the case of static validation was created.
        if let Some((_, node)) = entries.get("static_validation_score") {
            group.static_max = match node.value {
                Value::Number(max) => Some(max),
                _ => Some(0.0),
            };
            if group.static_max > group.max && group.max.is_some() {
                let message = "`static_validation_score` is greater than `max_score`";
                self.fault(entries, node, message);
            }
        }
        if let Some((_, node)) = entries.get("score_aggregation") {
            match &node.value {
                Value::Text(text) if text == "pass-fail" => {
                    group.aggregation = Aggregation::PassFail;
                }
                Value::Text(text) if text == "sum" => group.aggregation = Aggregation::Sum,
                Value::Text(text) if text == "min" => group.aggregation = Aggregation::Min,
                other => {
                    let got = other.kind();
                    let message = format!(
                        "`score_aggregation` must be `pass-fail`, `sum` or `min`, got {got}"
                    );
                    self.fault(entries, node, &message);
                }
            }
        }
        if let Some((_, node)) = entries.get("require_pass") {
            match words(node) {
                Ok(names) => group.require_pass = names,
                Err((_, got)) => {
                    let message = format!("`require_pass` must be names of groups, got {got}");
                    self.fault(entries, node, &message);
                }
            }
        }
        group
    }

    /// Checks what involves more than one file.
    fn check(&mut self, points: &Points) {
        for group in &points.groups {
            if group.cases == 0 && group.static_max.is_none() {
                self.wrong(group, "has no test cases", "add some, or remove the group");
            }
            if group.max.is_none() && points.secret.max.is_some() {
                self.wrong(
                    group,
                    "has no maximum score, but `secret` has one",
                    "add `max_score` to its `test_group.yaml`",
                );
            }
            if points.secret.aggregation == Aggregation::PassFail
                && group.aggregation != Aggregation::PassFail
            {
                self.wrong(
                    group,
                    "has a different `score_aggregation` from `secret`, which is `pass-fail`",
                    "make both `pass-fail`, or `secret` `sum` or `min`",
                );
            }
        }
        for group in std::iter::once(&points.secret).chain(&points.groups) {
            // If `secret` has a maximum score, a group without one was reported above.
            let lacks_max = group.max.is_none() && points.secret.max.is_none();
            if group.aggregation == Aggregation::PassFail && lacks_max {
                self.wrong(
                    group,
                    "is `pass-fail` and must have a maximum score",
                    "add `max_score` to its `test_group.yaml`",
                );
            }
            self.check_requirements(group, points);
        }
    }

    fn check_requirements(&mut self, group: &PointGroup, points: &Points) {
        for name in &group.require_pass {
            if name == "sample" {
                continue;
            }
            let required = points.groups.iter().find(|other| other.name == *name);
            let shown = crate::notice::visible(name);
            let why = match required {
                _ if group.name == "secret" => "`secret` may require only `sample`".to_owned(),
                None => format!("it requires `{shown}`, which is not a group"),
                Some(_) if *name == group.name => "it requires itself".to_owned(),
                Some(_) if *name > group.name => {
                    format!("it requires `{shown}`, which comes later")
                }
                Some(other) if other.aggregation != Aggregation::PassFail => {
                    format!("it requires `{shown}`, which is not `pass-fail`")
                }
                Some(_) => continue,
            };
            let at = self.place_of(group, "require_pass");
            self.notices.error_help(
                Code::InvalidValue.at(&at, why),
                "name `sample`, or a `pass-fail` group that comes earlier, for example `secret/group1`",
            );
        }
    }

    fn wrong(&mut self, group: &PointGroup, what: &str, help: &str) {
        let folder = self.source.root.join(&group.name);
        let folder = self.notices.show(&folder);
        self.notices
            .error_help(Code::InvalidValue.says(format!("{folder} {what}")).about(&folder), help);
    }

    fn place_of(&self, group: &PointGroup, key: &str) -> Location {
        let entries = self.source.entries.get(&group.name);
        let found = entries.and_then(|entries| Some((entries, entries.get(key)?.1)));
        match found {
            Some((entries, node)) => self.notices.show_at(&entries.path, node.place),
            None => Location::from(&self.notices.show(&self.source.root.join(&group.name))),
        }
    }
}
