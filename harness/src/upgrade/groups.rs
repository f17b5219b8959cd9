//! `testdata.yaml` becomes `test_group.yaml`: the arguments of validators, and the points.
//!
//! In the old format, every folder could have settings, and inherited those of the folder above. In the new one, only
//! `sample`, `secret` and the groups directly in `secret` have them, or single cases.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;

use super::UpgradePlan;
use super::points;
use super::yaml_entries::{list, scalar};
use crate::notice::Place;
use crate::problem::scoring::Scoring;
use crate::problem::yaml::{Key, Node, Value, words};
use crate::problem::{GENERATORS, TestCase};

const OLD: &str = "testdata.yaml";
const NEW: &str = "test_group.yaml";
/// The folders that hold no cases to judge, but files that test the validators.
const DECLARED: [&str; 4] = ["invalid_input", "invalid_answer", "invalid_output", "valid_output"];

/// The settings of folders in the old format, by their path below `data/`.
type OldSettings = BTreeMap<String, Vec<(Key, Node)>>;

/// The arguments of the validators on a case, as the lines that state them.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
struct ArgumentLines(String);

pub(super) fn change(plan: &mut UpgradePlan<'_>) {
    let old = read(plan);
    let mut texts = scores(plan, &old);
    let comments = comments(plan, &old);
    arguments(plan, &old, &mut texts);
    for (folder, text) in texts {
        let comments = comments.get(&folder).map_or("", String::as_str);
        let name =
            if folder.is_empty() { format!("data/{NEW}") } else { format!("data/{folder}/{NEW}") };
        plan.tree.write(name, format!("{comments}{text}"));
    }
    for folder in old.keys() {
        let path = file_of(folder);
        plan.tree.remove(Path::new(&path));
    }
}

fn file_of(folder: &str) -> String {
    if folder.is_empty() { format!("data/{OLD}") } else { format!("data/{folder}/{OLD}") }
}

/// The settings of all folders. Two files in one folder are a fault.
fn read(plan: &mut UpgradePlan<'_>) -> OldSettings {
    let data = Path::new("data");
    let files: Vec<_> = plan
        .tree
        .below(data)
        .filter(|path| path.file_name().is_some_and(|name| name == OLD))
        .cloned()
        .collect();
    let mut found = OldSettings::new();
    for path in files {
        let folder = path.parent().unwrap_or(data);
        if plan.tree.has(&folder.join(NEW)) {
            let (old, new) = (plan.show(&path), plan.show(folder.join(NEW)));
            let fault = crate::notice::Code::Conflict.says(format!("{old} and {new} both exist"));
            plan.faults.push(fault.about(&old).help("keep testdata.yaml in a legacy package"));
            continue;
        }
        let Some(origin) = plan.tree.origin(&path) else { continue };
        let keys = match plan.read_yaml(&origin).map(|node| node.value) {
            Some(Value::Map(keys)) => keys,
            _ => Vec::new(),
        };
        let below = folder.strip_prefix(data).unwrap_or(folder);
        found.insert(below.to_string_lossy().into_owned(), keys);
    }
    found
}

/// The comments of the old files, for the new ones.
fn comments(plan: &UpgradePlan<'_>, old: &OldSettings) -> BTreeMap<String, String> {
    let of = |folder: &String| {
        let text = plan.tree.text(Path::new(&file_of(folder)))?;
        let entries = super::yaml_entries::YamlEntries::parse(&text).ok()?;
        Some((
            folder.clone(),
            entries.comments().fold(String::new(), |all, line| all + line + "\n"),
        ))
    };
    old.keys().filter_map(of).collect()
}

/// The number of cases directly in a folder or in folders below it that are no groups.
fn cases_of(plan: &UpgradePlan<'_>, folder: &str) -> usize {
    plan.problem.cases.iter().filter(|case| case.group() == folder).count()
}

/// The points of groups, and notes what is lost of the rules.
fn scores(plan: &mut UpgradePlan<'_>, old: &OldSettings) -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    if plan.problem.kind.scoring
        && let Some(Scoring::Grading(grading)) = &plan.problem.scoring
    {
        match points::settings(grading, &|folder| cases_of(plan, folder)) {
            Ok(found) => texts = found,
            Err(points::Unstated { group, why }) => {
                let has_file = old.contains_key(&group);
                let file = if has_file { file_of(&group) } else { format!("data/{group}") };
                plan.lose_decisive(file, Place::default(), format!("the points: {why}"));
            }
        }
    }
    for (folder, keys) in old {
        let file = file_of(folder);
        plan.changed(&file, format!("is now {NEW}, where the new format has such settings"));
        for (key, node) in keys {
            rule(plan, &file, key, node);
        }
    }
    texts
}

/// Notes a rule that only the old format has. Points state what those of scoring problems state.
fn rule(plan: &mut UpgradePlan<'_>, file: &str, key: &Key, node: &Node) {
    let scoring = plan.problem.kind.scoring;
    match (key.name.as_str(), &node.value) {
        ("grading", Value::Text(word)) if word == "custom" && !scoring => {
            plan.lose_decisive(file, key.place, "`grading: custom`");
        }
        ("grader_flags", _) if !scoring => {
            let flags = words(node).unwrap_or_default();
            let decides = |flag: &&String| {
                matches!(
                    flag.as_str(),
                    "always_accept" | "accept_if_any_accepted" | "ignore_sample"
                )
            };
            if let Some(flag) = flags.iter().find(decides) {
                plan.lose_decisive(
                    file,
                    key.place,
                    format!("`{flag}`: all cases must be accepted"),
                );
            }
        }
        ("on_reject", Value::Text(word)) if word == "continue" && !scoring => {
            let what =
                "`on_reject: continue`: systems decide which cases they judge after a rejected one";
            plan.lose(file, key.place, what);
        }
        _ => {}
    }
}

/// Adds the arguments of validators to the texts of groups, or of cases where groups cannot state them.
fn arguments(plan: &mut UpgradePlan<'_>, old: &OldSettings, texts: &mut BTreeMap<String, String>) {
    let mut folders: BTreeSet<String> =
        plan.problem.cases.iter().map(|case| case.group().to_owned()).collect();
    let declared =
        DECLARED.into_iter().filter(|folder| plan.tree.has(&Path::new("data").join(folder)));
    folders.extend(declared.map(str::to_owned));
    let lines: BTreeMap<String, ArgumentLines> =
        folders.into_iter().map(|folder| (folder.clone(), lines_of(plan, old, &folder))).collect();
    if plan.tree.has(Path::new(GENERATORS)) && one_for_all(&lines) {
        // BAPCtools writes the file of the whole problem from there.
        if let Some(ArgumentLines(text)) = lines.values().next() {
            add(texts, "", text);
        }
        return;
    }
    for top in ["sample"].into_iter().chain(DECLARED) {
        below(plan, top, &lines, texts);
    }
    secret(plan, &lines, texts);
}

fn one_for_all(lines: &BTreeMap<String, ArgumentLines>) -> bool {
    let cases = lines.iter().filter(|(folder, _)| !DECLARED.contains(&folder.as_str()));
    cases.map(|(_, lines)| lines).collect::<BTreeSet<_>>().len() == 1
}

fn add(texts: &mut BTreeMap<String, String>, folder: &str, text: &str) {
    if !text.is_empty() {
        texts.entry(folder.to_owned()).or_default().push_str(text);
    }
}

fn is_in(folder: &str, top: &str) -> bool {
    folder.strip_prefix(top).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// The one text of all cases in a folder; `None`: they differ.
fn common<'l>(lines: &'l BTreeMap<String, ArgumentLines>, top: &str) -> Option<&'l str> {
    let mut all = lines.iter().filter(|(folder, _)| is_in(folder, top)).map(|(_, lines)| &lines.0);
    let first = all.next().map_or("", String::as_str);
    all.all(|other| other == first).then_some(first)
}

/// States the arguments for a folder that has no groups.
fn below(
    plan: &mut UpgradePlan<'_>,
    top: &str,
    lines: &BTreeMap<String, ArgumentLines>,
    texts: &mut BTreeMap<String, String>,
) {
    match common(lines, top) {
        Some(text) => add(texts, top, text),
        None => for_cases(plan, top, lines),
    }
}

/// States the arguments for the secret cases: for all, for each group, or for each case.
fn secret(
    plan: &mut UpgradePlan<'_>,
    lines: &BTreeMap<String, ArgumentLines>,
    texts: &mut BTreeMap<String, String>,
) {
    const TOP: &str = "secret";
    let groups: BTreeSet<String> = lines
        .keys()
        .filter_map(|folder| folder.strip_prefix("secret/")?.split('/').next())
        .map(|group| format!("{TOP}/{group}"))
        .collect();
    let has_points = texts.keys().any(|folder| groups.contains(folder));
    if !has_points && let Some(text) = common(lines, TOP) {
        return add(texts, TOP, text);
    }
    let can_group =
        !lines.contains_key(TOP) && groups.iter().all(|group| common(lines, group).is_some());
    if !can_group {
        return for_cases(plan, TOP, lines);
    }
    for group in &groups {
        let text = common(lines, group).unwrap_or_default();
        // A folder is a group by its file, and all must be groups.
        let text = if text.is_empty() && !texts.contains_key(group) {
            "output_validator_args: []\n"
        } else {
            text
        };
        add(texts, group, text);
    }
}

/// States the arguments in a file for each case.
fn for_cases(plan: &mut UpgradePlan<'_>, top: &str, lines: &BTreeMap<String, ArgumentLines>) {
    let mut count = 0;
    let cases: Vec<&TestCase> =
        plan.problem.cases.iter().filter(|case| is_in(case.group(), top)).collect();
    for case in cases {
        let Some(ArgumentLines(text)) = lines.get(case.group()).filter(|lines| !lines.0.is_empty())
        else {
            continue;
        };
        let path = format!("data/{}.yaml", case.name());
        let old = plan.tree.text(Path::new(&path)).unwrap_or_default();
        plan.tree.write(path, format!("{old}{text}"));
        count += 1;
    }
    if count > 0 {
        let what = format!("{count} cases get their arguments in files of their own");
        plan.changed(format!("data/{top}"), what);
    }
}

/// The nearest setting of a folder or one above it.
fn nearest<'o>(
    old: &'o OldSettings,
    folder: &str,
    name: &str,
) -> Option<(String, &'o Key, &'o Node)> {
    let mut folder = folder;
    loop {
        if let Some(keys) = old.get(folder)
            && let Some((key, node)) = keys.iter().find(|(key, _)| key.name == name)
        {
            return Some((file_of(folder), key, node));
        }
        if folder.is_empty() {
            return None;
        }
        folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
    }
}

/// The lines for the cases directly in a folder.
fn lines_of(plan: &mut UpgradePlan<'_>, old: &OldSettings, folder: &str) -> ArgumentLines {
    let mut text = String::new();
    if let Some((_, _, node)) = nearest(old, folder, "input_validator_flags") {
        if let Some((name, flags)) = named(node) {
            let (name, flags) = (scalar(&name), list(&flags));
            text = format!("input_validator_args:\n  {name}: {flags}\n");
        } else {
            let flags = words(node).unwrap_or_default();
            if !flags.is_empty() {
                text = format!("input_validator_args: {}\n", list(&flags));
            }
        }
    }
    let mut flags = plan.flags.clone();
    if let Some((file, key, node)) = nearest(old, folder, "output_validator_flags") {
        match named(node) {
            Some((_, more)) => {
                flags.extend(more);
                let is_one_of_several = matches!(
                    plan.problem.checker,
                    crate::checker_spec::CheckerSpec::Validators { .. }
                );
                if is_one_of_several {
                    plan.lose_decisive(file, key.place, "the choice of an output validator");
                }
            }
            None => flags.extend(words(node).unwrap_or_default()),
        }
    }
    if !flags.is_empty() && folder != "invalid_input" {
        let _ = writeln!(text, "output_validator_args: {}", list(&flags));
    }
    ArgumentLines(text)
}

/// The name and the flags of a table that selects a validator.
fn named(node: &Node) -> Option<(String, Vec<String>)> {
    let Value::Map(entries) = &node.value else { return None };
    let get = |name: &str| entries.iter().find(|(key, _)| key.name == name).map(|(_, node)| node);
    let name = match &get("name")?.value {
        Value::Text(name) => name.clone(),
        _ => return None,
    };
    Some((name, get("flags").map(|node| words(node).unwrap_or_default()).unwrap_or_default()))
}
