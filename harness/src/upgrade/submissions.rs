//! `submissions/submissions.yaml`: what folders promise in the old format, where the new one means something else.

use std::path::Path;

use super::UpgradePlan;
use super::yaml_entries::YamlEntries;

const FILE: &str = "submissions/submissions.yaml";

/// The folders whose meaning differs. The text of the old format lets a submission that is too slow be wrong too, and one
/// that crashes be anything.
const FOLDERS: [(&str, &str); 2] = [
    ("time_limit_exceeded", "permitted: [AC, WA, TLE]\n  required: [TLE]"),
    ("run_time_error", "permitted: [AC, WA, TLE, RTE]\n  required: [RTE]"),
];

/// The folder that must not bound an inferred limit, which only accepted submissions did.
const NO_BOUND: &str = "wrong_answer";

/// The folder that only the old format knows.
const PARTIAL: &str = "partially_accepted";

pub(super) fn change(plan: &mut UpgradePlan<'_>) {
    if plan.is_draft {
        return;
    }
    let has = |plan: &UpgradePlan<'_>, folder: &str| {
        plan.tree.has(&Path::new("submissions").join(folder))
    };
    let mut entries: Vec<(&str, String)> = Vec::new();
    for (folder, rule) in FOLDERS {
        if has(plan, folder) {
            entries.push((folder, format!("{folder}:\n  {rule}")));
        }
    }
    if has(plan, NO_BOUND) && plan.problem.limits.cpu_time.is_none() {
        entries.push((NO_BOUND, format!("{NO_BOUND}:\n  use_for_time_limit: false")));
    }
    if has(plan, PARTIAL) && plan.problem.kind.scoring {
        entries.push((PARTIAL, format!("{PARTIAL}:\n  required: [RTE, TLE, WA]")));
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
    for (folder, text) in entries {
        if yaml.get(folder).is_none() {
            yaml.set(folder, &text);
            plan.changed(FILE, format!("`{folder}` keeps its meaning"));
        }
    }
    plan.tree.write(FILE, yaml.text());
}
