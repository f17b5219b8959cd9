//! `problem.yaml`: the version, the kind of the problem, credits and keywords.

use std::path::Path;

use super::UpgradePlan;
use super::yaml_entries::{YamlEntries, list, scalar};
use crate::import::draft;
use crate::notice::{Code, Notice};
use crate::problem::yaml::{Value, parse, words};

pub(super) const FILE: &str = "problem.yaml";
const VERSION: &str = "problem_format_version";
const NEW: &str = "2025-09";

/// Finds out whether the package can be upgraded.
pub(super) fn check_version(plan: &mut UpgradePlan<'_>) -> Result<(), Vec<Notice>> {
    let shown = plan.show(FILE);
    let Some(text) = plan.tree.text(Path::new(FILE)) else {
        let fault = Code::MissingSettings
            .says(format!("{} has no problem.yaml that can be read", plan.show("")))
            .about(&shown);
        return Err(vec![fault.help("only packages of the legacy format can be upgraded")]);
    };
    let root = parse(&text).map_err(|error| {
        vec![
            Code::InvalidSyntax
                .at(error.place.of(&shown), format!("not valid YAML: {}", error.message)),
        ]
    })?;
    let Value::Map(entries) = root.value else { return Ok(()) };
    let version = entries.iter().find(|(key, _)| key.name == VERSION);
    if let Some((key, node)) = version
        && let Value::Text(version) = &node.value
    {
        if version == NEW {
            let at = key.place.of(&shown);
            return Err(vec![
                Code::InvalidOption.at(at, "the package has the format 2025-09 already"),
            ]);
        }
        plan.is_draft = !version.starts_with("legacy");
    }
    Ok(())
}

pub(super) fn change(plan: &mut UpgradePlan<'_>, yaml: &mut YamlEntries) {
    version(plan, yaml);
    kind(plan, yaml);
    uuid(plan, yaml);
    credits(plan, yaml);
    source(plan, yaml);
    lists(plan, yaml);
    grading(plan, yaml);
    if let Some(node) = yaml.get("validator_flags") {
        plan.flags = words(node).unwrap_or_default();
        let place = yaml.place("validator_flags");
        yaml.remove("validator_flags");
        let what = "`validator_flags` is now `output_validator_args` in test_group.yaml";
        plan.changed_at(FILE, place, what);
    }
}

fn version(plan: &mut UpgradePlan<'_>, yaml: &mut YamlEntries) {
    let place = yaml.place(VERSION);
    let text = format!("{VERSION}: {NEW}");
    if yaml.get(VERSION).is_some() {
        yaml.set(VERSION, &text);
    } else {
        yaml.insert(None, VERSION, &text);
    }
    plan.changed_at(FILE, place, format!("`{text}`"));
}

/// `validation` and `type`.
fn kind(plan: &mut UpgradePlan<'_>, yaml: &mut YamlEntries) {
    let problem = plan.problem.kind;
    let mut words = vec![if problem.scoring { "scoring" } else { "pass-fail" }];
    words.extend(problem.interactive.then_some("interactive"));
    words.extend(problem.multi_pass.then_some("multi-pass"));
    words.extend(problem.submit_answer.then_some("submit-answer"));
    let text = match words.as_slice() {
        // What is not `scoring` need not be called `pass-fail`, and some tools want only one word.
        [one] | ["pass-fail", one] => format!("type: {one}"),
        several => format!("type: [{}]", several.join(", ")),
    };
    let place = yaml.place("validation");
    if yaml.get("validation").is_none() {
        return;
    }
    if yaml.get("type").is_some() {
        yaml.set("type", &text);
        yaml.remove("validation");
    } else {
        yaml.rename("validation", "type", &text);
    }
    plan.changed_at(FILE, place, format!("`validation` is now `{text}`"));
}

fn uuid(plan: &mut UpgradePlan<'_>, yaml: &mut YamlEntries) {
    if yaml.get("uuid").is_some() {
        return;
    }
    // Problems of different contests have the same names.
    let old = plan.tree.text(Path::new(FILE)).unwrap_or_default();
    let text = format!("uuid: {}", draft::uuid(&[&plan.problem.id, &old]));
    let after = if yaml.get("name").is_some() { "name" } else { VERSION };
    yaml.insert(Some(after), "uuid", &text);
    plan.changed(FILE, format!("`{text}`: the format demands one"));
}

/// `author`: names with `,` or `and` between them.
fn credits(plan: &mut UpgradePlan<'_>, yaml: &mut YamlEntries) {
    let Some(node) = yaml.get("author") else { return };
    let text = match &node.value {
        Value::Text(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    };
    let place = yaml.place("author");
    if yaml.get("credits").is_some() {
        plan.lose(FILE, place, "`author`: there is `credits` too");
        yaml.remove("author");
        return;
    }
    let names: Vec<String> = text
        .split([',', '&'])
        .flat_map(|part| part.split(" and "))
        .map(|name| name.trim().trim_start_matches("and ").to_owned())
        .filter(|name| !name.is_empty())
        .collect();
    match names.as_slice() {
        [] => yaml.remove("author"),
        [one] => yaml.rename("author", "credits", &format!("credits:\n  authors: {}", scalar(one))),
        several => {
            let lines: Vec<String> =
                several.iter().map(|name| format!("    - {}", scalar(name))).collect();
            let text = format!("credits:\n  authors:\n{}", lines.join("\n"));
            yaml.rename("author", "credits", &text);
        }
    }
    plan.changed_at(FILE, place, "`author` is now `credits.authors`");
}

fn source(plan: &mut UpgradePlan<'_>, yaml: &mut YamlEntries) {
    let text = |yaml: &YamlEntries, key: &str| match yaml.get(key).map(|node| &node.value) {
        Some(Value::Text(text)) => Some(text.clone()),
        Some(Value::Number(number)) => Some(number.to_string()),
        _ => None,
    };
    if yaml.get("source_url").is_none() {
        return;
    }
    let place = yaml.place("source_url");
    match (text(yaml, "source"), text(yaml, "source_url")) {
        (Some(name), Some(url)) => {
            let text = format!("source:\n  name: {}\n  url: {}", scalar(&name), scalar(&url));
            yaml.set("source", &text);
            yaml.remove("source_url");
        }
        // Every source has a name.
        (None, Some(url)) if yaml.get("source").is_none() => {
            let text = format!("source:\n  name: {0}\n  url: {0}", scalar(&url));
            yaml.rename("source_url", "source", &text);
        }
        (_, None) => yaml.remove("source_url"),
        (None, Some(_)) => {
            plan.lose(FILE, place, "`source_url`: `source` is no name");
            yaml.remove("source_url");
            return;
        }
    }
    plan.changed_at(FILE, place, "`source_url` is now `source.url`");
}

/// `keywords` and `languages`, which were words in one text.
fn lists(plan: &mut UpgradePlan<'_>, yaml: &mut YamlEntries) {
    for key in ["keywords", "languages"] {
        let Some(Value::Text(text)) = yaml.get(key).map(|node| &node.value) else { continue };
        if key == "languages" && text == "all" {
            continue;
        }
        let all: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let place = yaml.place(key);
        yaml.set(key, &format!("{key}: {}", list(&all)));
        plan.changed_at(FILE, place, format!("`{key}` is now a list"));
    }
}

fn grading(plan: &mut UpgradePlan<'_>, yaml: &mut YamlEntries) {
    let Some(node) = yaml.get("grading") else { return };
    let place = yaml.place("grading");
    if let Value::Map(entries) = &node.value {
        for (key, node) in entries {
            if key.name == "objective" && matches!(&node.value, Value::Text(word) if word == "min")
            {
                let what = "`objective: min`: a higher score is always better";
                plan.lose_decisive(FILE, key.place, what);
            } else if key.name == "show_test_data_groups" {
                plan.lose(FILE, key.place, "`show_test_data_groups`: systems decide");
            }
        }
    }
    yaml.remove("grading");
    plan.changed_at(FILE, place, "`grading` is removed: test_group.yaml has the points");
}
