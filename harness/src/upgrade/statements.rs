//! The names of the problem: one for each language of its statements.

use std::collections::BTreeMap;
use std::path::Path;

use super::UpgradePlan;
use super::settings::FILE;
use super::yaml_entries::{YamlEntries, scalar};
use crate::problem::yaml::Value;

/// The language of a name that stands alone.
const ENGLISH: &str = "en";

pub(super) fn change(plan: &mut UpgradePlan<'_>, yaml: &mut YamlEntries) {
    let texts = texts(plan);
    let place = yaml.place("name");
    let own = match yaml.get("name").map(|node| &node.value) {
        Some(Value::Map(_)) => return,
        Some(Value::Text(name)) => Some(name.clone()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    let languages: Vec<&str> = texts.keys().map(String::as_str).collect();
    let text = if languages.iter().all(|language| *language == ENGLISH) {
        if own.is_some() {
            return;
        }
        let name = texts.values().flatten().next().cloned();
        format!("name: {}", scalar(&name.unwrap_or_else(|| plan.problem.id.clone())))
    } else {
        // The only name is English, or that of the first language.
        let primary = languages.iter().find(|one| **one == ENGLISH).or(languages.first());
        let name = |language: &str, found: &Option<String>| {
            let is_own = primary.is_some_and(|primary| *primary == language);
            let own = own.clone().filter(|_| is_own || found.is_none());
            own.or_else(|| found.clone()).unwrap_or_else(|| plan.problem.id.clone())
        };
        let lines: Vec<String> = texts
            .iter()
            .map(|(language, found)| format!("  {language}: {}", scalar(&name(language, found))))
            .collect();
        format!("name:\n{}", lines.join("\n"))
    };
    if own.is_some() {
        yaml.set("name", &text);
    } else {
        yaml.remove("name");
        let after =
            ["type", "problem_format_version"].into_iter().find(|key| yaml.get(key).is_some());
        yaml.insert(after, "name", &text);
    }
    plan.changed_at(FILE, place, "`name` has the languages of the statements".to_owned());
}

/// The languages of the statements, and the names that the statements state.
fn texts(plan: &UpgradePlan<'_>) -> BTreeMap<String, Option<String>> {
    let folder = Path::new("statement");
    let mut found: BTreeMap<String, Option<String>> = BTreeMap::new();
    for file in plan.tree.names_in(folder) {
        let parts: Vec<&str> = file.split('.').collect();
        if let ["problem", language, "tex" | "md" | "pdf"] = parts.as_slice() {
            let text = plan.tree.text(&folder.join(&file));
            let name = text.as_deref().and_then(name_in);
            let known = found.entry((*language).to_owned()).or_default();
            *known = known.take().or(name);
        }
    }
    found
}

/// The name in a statement: of `%% plainproblemname: NAME`, or of `\problemname{NAME}`.
fn name_in(text: &str) -> Option<String> {
    let mut lines = text.lines();
    let plain = lines.find_map(|line| {
        line.trim_start().trim_start_matches('%').trim_start().strip_prefix("plainproblemname:")
    });
    if let Some(name) = plain {
        return Some(name.trim().to_owned());
    }
    let (_, rest) = text.split_once("\\problemname{")?;
    let mut depth = 1_usize;
    let end = rest.find(|c| {
        depth = match c {
            '{' => depth + 1,
            '}' => depth - 1,
            _ => depth,
        };
        depth == 0
    })?;
    let name: String = rest[..end].chars().filter(|c| !"${}\\".contains(*c)).collect();
    Some(name.trim().to_owned()).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_statement_has_no_commands() {
        for (text, expected) in [
            ("\\problemname{A plain name}\n", Some("A plain name")),
            ("% x\n\\problemname{$x^{2}$ and \\emph{y}}", Some("x^2 and emphy")),
            ("%% plainproblemname: x squared\n\\problemname{$x^2$}", Some("x squared")),
            ("nothing", None),
        ] {
            assert_eq!(name_in(text).as_deref(), expected, "{text}");
        }
    }
}
