//! Points in the terms of the 2025-09 format: a folder with a `test_group.yaml` for each group,
//! with names that sort in the order of the groups.

use std::fmt::Write as _;

use crate::problem::scoring::{Aggregation, PointGroup, Points};

/// A converted problem with scores.
#[derive(Debug, PartialEq)]
pub(crate) struct ConvertedScores {
    /// The names of the cases, in their order.
    pub(crate) names: Vec<String>,
    /// Folders in `data/` with their `test_group.yaml`.
    pub(crate) groups: Vec<(String, String)>,
}

/// Converts the groups and cases of `points`; the error names the part that the format cannot
/// express.
pub(crate) fn of(points: &Points, names: &[&str]) -> Result<ConvertedScores, &'static str> {
    let all = || std::iter::once(&points.secret).chain(&points.groups);
    if all().any(|group| group.max.is_none_or(|max| max.fract() != 0.0)) {
        return Err("points that are not whole numbers");
    }
    let width = points.groups.len().to_string().len();
    let folder = |index: usize, group: &PointGroup| {
        let name = group.name.strip_prefix("secret/").unwrap_or(&group.name);
        let number = format!("{:0width$}", index + 1);
        match name.parse::<usize>() {
            Ok(same) if same == index + 1 => format!("secret/{number}"),
            _ => format!("secret/{number}-{}", super::names::part(name)),
        }
    };
    let folders: Vec<String> =
        points.groups.iter().enumerate().map(|(index, group)| folder(index, group)).collect();
    let refused = points.groups.iter().find_map(|group| match group.aggregation {
        Aggregation::Max => Some("groups of which the best case counts"),
        Aggregation::Product => Some("groups of which the scores are multiplied"),
        Aggregation::SumIfAll => Some("groups that give nothing if a case gives nothing"),
        Aggregation::Threshold(_) => Some("groups with a threshold"),
        _ => None,
    });
    if let Some(refused) = refused {
        return Err(refused);
    }
    let place_of = |name: &str| points.groups.iter().position(|group| group.name == name);
    let mut groups = vec![("secret".to_owned(), settings(&points.secret, &[]))];
    for (index, group) in points.groups.iter().enumerate() {
        let mut required = Vec::new();
        for name in &group.require_pass {
            match place_of(name) {
                None => required.push("sample".to_owned()),
                Some(earlier)
                    if earlier < index
                        && points.groups[earlier].aggregation == Aggregation::PassFail =>
                {
                    required.push(folders[earlier].clone());
                }
                Some(_) => return Err("groups that require a partial score or a later group"),
            }
        }
        groups.push((folders[index].clone(), settings(group, &required)));
    }
    let names = names.iter().map(|name| {
        let group = points.group_of(name).and_then(|group| place_of(&group.name));
        let Some(index) = group else {
            return (*name).to_owned();
        };
        let below = name.strip_prefix("secret/").unwrap_or(name);
        let rest = below.split_once('/').map_or(below, |(_, rest)| rest);
        format!("{}/{rest}", folders[index])
    });
    Ok(ConvertedScores { names: names.collect(), groups })
}

fn settings(group: &PointGroup, required: &[String]) -> String {
    let aggregation = match group.aggregation {
        Aggregation::PassFail => "pass-fail",
        Aggregation::Sum => "sum",
        // The format rounds no points, and has no more kinds: `of` refuses them.
        Aggregation::Min
        | Aggregation::MinRoundedUp
        | Aggregation::SumIfAll
        | Aggregation::Max
        | Aggregation::Product
        | Aggregation::Threshold(_) => "min",
    };
    let max = group.max.unwrap_or_default();
    let mut text = format!("max_score: {max}\nscore_aggregation: {aggregation}\n");
    if !required.is_empty() {
        let _ = writeln!(text, "require_pass: [{}]", required.join(", "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::scoring::PartRule;

    fn group(name: &str, max: f64, requires: &[&str]) -> PointGroup {
        PointGroup {
            name: name.to_owned(),
            max: Some(max),
            aggregation: Aggregation::PassFail,
            require_pass: requires.iter().map(|&name| name.to_owned()).collect(),
            cases: 1,
            static_max: None,
        }
    }

    #[test]
    fn groups_keep_their_order_and_their_requirements() {
        let mut points = Points {
            secret: PointGroup { aggregation: Aggregation::Sum, ..group("secret", 100.0, &[]) },
            groups: vec![
                group("secret/z", 40.0, &["sample"]),
                group("secret/2", 60.0, &["secret/z"]),
            ],
            all_cases: 3,
            fall_with_time: false,
            parts: PartRule::default(),
        };
        let names = ["sample/1", "secret/z/7", "secret/2"];
        let scored = of(&points, &names).unwrap();
        assert_eq!(scored.names, ["sample/1", "secret/1-z/7", "secret/2/2"]);
        let text = |index: usize| scored.groups[index].1.as_str();
        assert_eq!(text(0), "max_score: 100\nscore_aggregation: sum\n");
        assert_eq!(
            text(2),
            "max_score: 60\nscore_aggregation: pass-fail\nrequire_pass: [secret/1-z]\n"
        );
        points.groups[0].max = Some(0.5);
        assert!(of(&points, &names).is_err());
    }
}
