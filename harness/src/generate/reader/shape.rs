//! What an entry of `generators.yaml` is, found from its keys alone: a rule for cases, or a folder.

use super::super::counts;
use super::super::recipe::TEXTS;
use crate::problem::yaml::{Key, Node, Value};

/// The keys that only rules have, besides the endings of files.
pub(super) const RULE_KEYS: [&str; 5] = ["generate", "copy", "count", "match", "desc"];

/// Whether an entry describes cases.
pub(super) fn is_rule(node: &Node) -> bool {
    let of_rule = |key: &str| RULE_KEYS.contains(&key) || TEXTS.contains(&key);
    match &node.value {
        Value::Map(entries) => {
            let is_folder = entries.iter().any(|(key, _)| key.name == "data");
            !is_folder && entries.iter().any(|(key, _)| of_rule(&key.name))
        }
        _ => true,
    }
}

pub(super) fn is_folder(node: &Node) -> bool {
    !is_rule(node)
}

/// The only entry of a list item.
pub(super) fn single(item: &Node) -> Option<(&Key, &Node)> {
    match &item.value {
        Value::Map(entries) => match entries.as_slice() {
            [(key, node)] => Some((key, node)),
            _ => None,
        },
        _ => None,
    }
}

/// The number of cases in lists, in this folder and below.
pub(super) fn count_listed(folder: &Node) -> usize {
    let Value::Map(keys) = &folder.value else {
        return 0;
    };
    let data = keys.iter().find(|(key, _)| key.name == "data");
    let below = |node: &Node| {
        if is_rule(node) { 0 } else { count_listed(node) }
    };
    match data.map(|(_, data)| &data.value) {
        Some(Value::Map(entries)) => entries.iter().map(|(_, node)| below(node)).sum(),
        Some(Value::List(items)) => {
            let nodes = items.iter().filter_map(single).map(|(_, node)| node);
            nodes.map(|node| if is_rule(node) { made(node) } else { below(node) }).sum()
        }
        _ => 0,
    }
}

/// The number of cases of a rule.
fn made(rule: &Node) -> usize {
    let count = match &rule.value {
        Value::Map(entries) => entries.iter().find(|(key, _)| key.name == "count"),
        _ => None,
    };
    counts::of(count.map(|(_, node)| node)).map_or(1, |all| all.len())
}
