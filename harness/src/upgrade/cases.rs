//! The files of cases: hints and descriptions, and samples of interactive problems.

use std::path::{Path, PathBuf};

use super::UpgradePlan;
use super::yaml_entries::{YamlEntries, scalar};
use crate::notice::Place;

/// Files of one text, and the keys of `NAME.yaml` that take their place.
const TEXTS: [(&str, &str); 2] = [("hint", "hint"), ("desc", "description")];

pub(super) fn change(plan: &mut UpgradePlan<'_>) {
    bad(plan);
    let paths: Vec<PathBuf> = plan.tree.below(Path::new("data")).cloned().collect();
    for path in &paths {
        let end = path.extension().unwrap_or_default().to_string_lossy();
        if let Some((_, key)) = TEXTS.iter().find(|(old, _)| *old == end) {
            text(plan, path, key);
        } else if end == "interaction" {
            interaction(plan, path);
        }
    }
}

/// `data/bad/` of older packages of `BAPCtools`.
fn bad(plan: &mut UpgradePlan<'_>) {
    let names = plan.tree.names_in(Path::new("data/bad"));
    for name in &names {
        let path = Path::new("data/bad").join(name);
        let answer = Path::new(name).with_extension("ans");
        let has_answer = names.iter().any(|other| Path::new(other) == answer);
        let folder = if has_answer { "invalid_answer" } else { "invalid_input" };
        plan.rename(path, format!("data/{folder}/{name}"));
    }
}

/// A hint or a description becomes a key.
fn text(plan: &mut UpgradePlan<'_>, path: &Path, key: &str) {
    let settings = path.with_extension("yaml");
    if !plan.tree.has(&path.with_extension("in")) {
        plan.lose(path, Place::default(), "it belongs to no case; the file stays");
        return;
    }
    let Some(text) = plan.tree.text(path) else {
        plan.lose(path, Place::default(), "it is not a text; the file stays");
        return;
    };
    let mut yaml = if plan.tree.has(&settings) {
        match plan.entries_of(&settings) {
            Some(yaml) => yaml,
            None => return,
        }
    } else {
        YamlEntries::parse("").expect("an empty text is a file")
    };
    if yaml.get(key).is_some() {
        let what = format!("the case has a `{key}` in its .yaml file too; the file stays");
        plan.lose(path, Place::default(), what);
        return;
    }
    let lines: Vec<&str> = text.trim().lines().collect();
    let value = match lines.as_slice() {
        [one] => scalar(one.trim()),
        several => format!("|\n  {}", several.join("\n  ")),
    };
    yaml.set(key, &format!("{key}: {value}"));
    plan.tree.write(&settings, yaml.text());
    plan.tree.remove(path);
    plan.changed(path, format!("is now `{key}` in {}", settings.display()));
}

/// A conversation that is shown for a sample. The new format wants files to download with it; the old one offered none.
fn interaction(plan: &mut UpgradePlan<'_>, path: &Path) {
    if !plan.tree.has(&path.with_extension("in")) {
        let what = "a sample that is only shown: the new format wants NAME.in and NAME.ans; the file stays";
        plan.lose(path, Place::default(), what);
        return;
    }
    for end in ["in.download", "ans.download"] {
        let file = path.with_extension(end);
        if !plan.tree.has(&file) {
            plan.tree.write(&file, "");
            plan.changed(path, format!("gets an empty {}, as nothing was offered", file.display()));
        }
    }
}
