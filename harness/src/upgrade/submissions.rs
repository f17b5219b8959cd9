//! `submissions/submissions.yaml`: what folders promise in the old format, where the new one means something else.

use std::path::Path;

use super::UpgradePlan;
use super::yaml_entries::YamlEntries;
use crate::expectation::VerdictFolder;

const FILE: &str = "submissions/submissions.yaml";

/// The rule for a folder whose meaning differs. In the old format, the verdict of the submission decides, and other cases
/// may get any verdict. Only accepted submissions bound an inferred limit from below; what permits TLE does not.
const fn rule_of(folder: VerdictFolder, scoring: bool) -> Option<&'static str> {
    match folder {
        VerdictFolder::WrongAnswer => Some("permitted: [AC, WA, TLE, RTE]\n  required: [WA]"),
        VerdictFolder::TimeLimit => Some("permitted: [AC, WA, TLE, RTE]\n  required: [TLE]"),
        VerdictFolder::RunTimeError => Some("permitted: [AC, WA, TLE, RTE]\n  required: [RTE]"),
        VerdictFolder::PartiallyAccepted if scoring => Some("required: [RTE, TLE, WA]"),
        _ => None,
    }
}

pub(super) fn change(plan: &mut UpgradePlan<'_>) {
    if plan.is_draft {
        return;
    }
    let mut entries: Vec<(String, String)> = Vec::new();
    for name in plan.tree.names_in(Path::new("submissions")) {
        let folder = VerdictFolder::of_any_name(&name);
        if let Some(rule) = folder.and_then(|one| rule_of(one, plan.problem.kind.scoring)) {
            let text = format!("{name}:\n  {rule}");
            entries.push((name, text));
        }
    }
    if entries.is_empty() {
        return;
    }
    let mut yaml = if plan.tree.has(Path::new(FILE)) {
        match plan.entries_of(Path::new(FILE)) {
            Some(yaml) => yaml,
            None => return,
        }
    } else {
        YamlEntries::parse("# What the folders promised in the legacy format.\n")
            .expect("a comment is a file")
    };
    for (name, text) in entries {
        if yaml.get(&name).is_none() {
            yaml.set(&name, &text);
            plan.changed(FILE, format!("`{name}` keeps its meaning"));
        }
    }
    plan.tree.write(FILE, yaml.text());
}
