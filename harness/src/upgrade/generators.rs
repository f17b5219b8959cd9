//! `generators/generators.yaml` of `BAPCtools`, whose keys follow the format.

use std::path::Path;

use super::UpgradePlan;
use super::yaml_entries::{NotEditable, list};
use crate::notice::Place;
use crate::problem::GENERATORS;
use crate::problem::yaml::{Key, Node, Value, parse, words};

/// Keys with new names.
const RENAMED: [(&str, &str); 5] = [
    ("testdata.yaml", "test_group.yaml"),
    ("invalid_inputs", "invalid_input"),
    ("invalid_answers", "invalid_answer"),
    ("invalid_outputs", "invalid_output"),
    ("valid_outputs", "valid_output"),
];

/// The settings of all cases, by their old and new name.
const SETTINGS: [&str; 2] = ["testdata.yaml", "test_group.yaml"];

/// Arguments, which are lists now.
const ARGUMENTS: [(&str, &str); 2] = [
    ("output_validator_flags", "output_validator_args"),
    ("input_validator_flags", "input_validator_args"),
];

/// Keys that only the authors can replace.
const UNKNOWN: [&str; 4] = ["visualizer", "bad", "hint", "desc"];

/// A text to put in place of another one.
struct TextEdit {
    place: Place,
    old: String,
    new: String,
}

pub(super) fn change(plan: &mut UpgradePlan<'_>) {
    let path = Path::new(GENERATORS);
    let Some(text) = plan.tree.text(path) else { return };
    let Ok(root) = parse(&text) else {
        plan.lose(path, Place::default(), "it is not valid YAML");
        return;
    };
    let mut edits = Vec::new();
    collect(plan, &root, &text, &mut edits);
    // The last first: the places of the others stay.
    edits.sort_by_key(|edit| std::cmp::Reverse((edit.place.line, edit.place.column)));
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for edit in edits {
        match apply(&mut lines, &edit) {
            Ok(()) => {
                plan.changed_at(path, edit.place, format!("`{}` is now `{}`", edit.old, edit.new));
            }
            Err(why) => plan.lose(path, why.place, why.message),
        }
    }
    if !plan.flags.is_empty() {
        let stated = matches!(&root.value, Value::Map(entries) if entries.iter().any(|(key, _)| SETTINGS.contains(&key.name.as_str())));
        if stated {
            let what = format!("`validator_flags`: add `{}` to its settings", plan.flags.join(" "));
            plan.lose(path, Place::default(), what);
        } else {
            lines.push(format!("test_group.yaml:\n  output_validator_args: {}", list(&plan.flags)));
            plan.changed(path, "has the arguments of the output validator");
        }
    }
    let text = lines.iter().fold(String::new(), |text, line| text + line + "\n");
    plan.tree.write(path, text);
}

/// Collects what to edit, and lists what only the authors can change.
fn collect(plan: &mut UpgradePlan<'_>, node: &Node, text: &str, edits: &mut Vec<TextEdit>) {
    match &node.value {
        Value::List(items) => items.iter().for_each(|item| collect(plan, item, text, edits)),
        Value::Map(entries) => {
            for (key, inner) in entries {
                entry(plan, (key, inner), text, edits);
                collect(plan, inner, text, edits);
            }
        }
        _ => {}
    }
}

fn entry(
    plan: &mut UpgradePlan<'_>,
    (key, inner): (&Key, &Node),
    text: &str,
    edits: &mut Vec<TextEdit>,
) {
    let new_name = |table: &[(&'static str, &'static str)]| {
        table.iter().find(|(old, _)| *old == key.name).map(|(_, new)| (*new).to_owned())
    };
    if let Some(new) = new_name(&RENAMED) {
        edits.push(TextEdit { place: key.place, old: key.name.clone(), new });
    } else if let Some(new) = new_name(&ARGUMENTS) {
        edits.push(TextEdit { place: key.place, old: key.name.clone(), new });
        if let (Value::Text(_), Some(old)) = (&inner.value, rest_of_line(text, inner.place)) {
            let flags = words(inner).unwrap_or_default();
            edits.push(TextEdit { place: inner.place, old, new: list(&flags) });
        }
    } else if UNKNOWN.contains(&key.name.as_str()) && !matches!(inner.value, Value::List(_)) {
        let what = format!("`{}`: write it anew, as BAPCtools has it now", key.name);
        plan.lose(GENERATORS, key.place, what);
    }
}

/// What a scalar at a place is written as: to the end of the line, a comment, or the table around it.
fn rest_of_line(text: &str, place: Place) -> Option<String> {
    let index = |number: u64| usize::try_from(number.saturating_sub(1)).ok();
    let line = text.lines().nth(index(place.line)?)?;
    let rest: String = line.chars().skip(index(place.column)?).collect();
    let quoted = ['\'', '"'].into_iter().find_map(|quote| {
        let (inside, _) = rest.strip_prefix(quote)?.split_once(quote)?;
        Some(format!("{quote}{inside}{quote}"))
    });
    let plain = || rest.split([',', '}', '#']).next().unwrap_or_default().trim_end().to_owned();
    Some(quoted.unwrap_or_else(plain))
}

/// Replaces a text at its place.
fn apply(lines: &mut [String], edit: &TextEdit) -> Result<(), NotEditable> {
    let fault = || NotEditable { message: format!("`{}`", edit.old), place: edit.place };
    let index = |number: u64| usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX);
    let line = lines.get_mut(index(edit.place.line)).ok_or_else(fault)?;
    let before: String = line.chars().take(index(edit.place.column)).collect();
    let rest = &line[before.len()..];
    let (open, rest) = match rest.chars().next() {
        Some(quote @ ('\'' | '"')) if !edit.old.starts_with(quote) => {
            (quote.to_string(), &rest[1..])
        }
        _ => (String::new(), rest),
    };
    let after = rest.strip_prefix(edit.old.as_str()).ok_or_else(fault)?;
    *line = format!("{before}{open}{}{after}", edit.new);
    Ok(())
}
