//! sinol: `config.yml`, `prog/` with solutions, checker and library, `in/` and `out/`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::Wish;
use super::fields::{self, Fields};
use super::foreign_problem::{
    CaseFileNames, ForeignProblem, Gatherer, GroupPromise, Promise, Scene, inside,
};
use super::points::{self, Share};
use crate::bytes::Bytes;
use crate::checker_spec::{CheckerSpec, Convention, LineRule};
use crate::notice::{Code, Notices};
use crate::problem::scoring::Aggregation;
use crate::problem::yaml::{Key, Value};
use crate::problem::{Additions, LocalIncludes, ProblemLimits, Streams, is_ignored, natural_order};

const FILE: &str = "config.yml";

/// The words of the statuses in `sinol_expected_scores`, and the verdict folders.
const STATUSES: [(&str, &str); 5] = [
    ("OK", "accepted"),
    ("WA", "wrong_answer"),
    ("TL", "time_limit_exceeded"),
    ("ML", "memory_limit_exceeded"),
    ("RE", "run_time_error"),
];

/// Settings that have no effect here.
const NOT_SUPPORTED: [&str; 4] = [
    "time_limits",
    "memory_limits",
    "override_limits",
    "num_processes",
];

/// Whether `dir` is a package of sinol.
pub(super) fn is_in(dir: &Path) -> bool {
    dir.join(FILE).is_file() && dir.join("prog").is_dir()
}

/// The short name of the task, which its files begin with.
pub(super) fn task_id(root: &Path, table: &Fields<'_>, notices: &mut Notices) -> String {
    table.text("sinol_task_id", notices).unwrap_or_else(|| {
        let name = root.file_name().unwrap_or_default();
        name.to_string_lossy().into_owned()
    })
}

pub(super) fn names_in(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut names: Vec<String> = names.filter(|name| !is_ignored(name)).collect();
    names.sort_by(|a, b| natural_order(a, b));
    names
}

/// The group of a test: the number in its name. Tests of the trial contest, `1ocen`, are examples.
fn group_of(test: &str) -> Option<u32> {
    let digits = test.trim_end_matches(|c: char| c.is_ascii_lowercase());
    let group = digits.parse().ok()?;
    Some(if test.ends_with("ocen") { 0 } else { group })
}

/// The program in `prog/` with this name, in any language.
pub(super) fn program(scene: &Scene<'_>, stem: &str) -> Option<PathBuf> {
    let folder = scene.root.join("prog");
    let mut sources = names_in(&folder).into_iter().map(|name| folder.join(name));
    sources.find(|path| {
        let known = path.extension().and_then(|end| (scene.language_of)(end));
        known.is_some() && path.file_stem().is_some_and(|own| own == stem)
    })
}

/// Reads the package.
pub(super) fn load(
    scene: &Scene<'_>,
    wish: Wish<'_>,
    notices: &mut Notices,
) -> Option<ForeignProblem> {
    let path = scene.root.join(FILE);
    let node = fields::read(&path, notices)?;
    let table = Fields::of(&path, &node, notices)?;
    let id = task_id(scene.root, &table, notices);
    for key in NOT_SUPPORTED.into_iter().filter(|key| table.has(key)) {
        let at = notices.show(&path);
        notices
            .warn(Code::UnusedSetting.at(&at, format!("`{key}` is not supported; it is ignored")));
    }
    if let Some(source) = program(scene, &format!("{id}soc")) {
        let shown = notices.show(&source);
        wish.unless_checked(notices, |notices| {
            notices.error(Code::Unsupported.at(&shown, "interactors of sinol are not supported"));
        });
    }
    let mut groups = Vec::new();
    let mut gatherer = Gatherer::new(*scene);
    for name in names_in(&scene.root.join("in")) {
        let stem = name.strip_suffix(".in").unwrap_or_default();
        let Some(group) = stem.strip_prefix(&id).and_then(group_of) else {
            continue;
        };
        if group > 0 && groups.last() != Some(&group) {
            groups.push(group);
        }
        let folder = match group {
            0 => "sample".to_owned(),
            group => format!("secret/{group}"),
        };
        let case = CaseFileNames {
            name: &format!("{folder}/{stem}"),
            input: &format!("in/{name}"),
            answer: Some(&format!("out/{stem}.out")),
        };
        gatherer.add(&case, notices);
    }
    let cases = gatherer.finish(
        "make the missing tests with `rejudge generate FOLDER`",
        notices,
    );
    let checker = program(scene, &format!("{id}chk"));
    let shares = shares(&table, &groups, checker.is_some(), notices);
    let millis = |number: f64| Duration::from_secs_f64(number.min(1e8) / 1e3);
    let time = table
        .number("time_limit", notices)
        .filter(|limit| *limit > 0.0);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "too large is the largest"
    )]
    let kibibytes = |number: f64| Bytes((number * 1024.0) as u64);
    let memory = table
        .number("memory_limit", notices)
        .filter(|limit| *limit > 0.0);
    Some(ForeignProblem {
        generated: Vec::new(),
        submit_answer: false,
        title: table.text("title", notices),
        limits: ProblemLimits {
            cpu_time: time.map(millis),
            memory: memory.map(kibibytes),
            ..ProblemLimits::default()
        },
        checker: match checker {
            Some(source) => CheckerSpec::Foreign {
                source,
                convention: Convention::Sinol,
                call: Vec::new(),
            },
            None => CheckerSpec::Lines(LineRule::Trimmed),
        },
        interactor: None,
        streams: Streams::default(),
        described: true,
        scoring: points::scoring(shares, &cases),
        cases,
        validators: program(scene, &format!("{id}inwer")).into_iter().collect(),
        additions: additions(scene, &table, notices),
    })
}

fn is_of_icpc(table: &Fields<'_>, notices: &mut Notices) -> bool {
    table.text("sinol_contest_type", notices).as_deref() == Some("icpc")
}

fn is_of_oi(table: &Fields<'_>, notices: &mut Notices) -> bool {
    table.text("sinol_contest_type", notices).as_deref() == Some("oi")
}

/// The points of the groups: as stated, otherwise 100 points in equal parts; the last group also gets the remainder. A
/// contest of the ICPC has none.
fn shares(table: &Fields<'_>, groups: &[u32], partial: bool, notices: &mut Notices) -> Vec<Share> {
    if is_of_icpc(table, notices) || groups.is_empty() {
        return Vec::new();
    }
    let stated = numbered(table, "scores", notices);
    let required = dependencies(table, notices);
    let count = groups.len();
    let points = |place: usize, group: u32| {
        let rest = if place + 1 == count { 100 % count } else { 0 };
        #[expect(clippy::cast_precision_loss, reason = "at most 100")]
        let even = (100 / count + rest) as f64;
        if stated.is_empty() {
            even
        } else {
            stated.get(&group).copied().unwrap_or_default()
        }
    };
    let share = |(place, group): (usize, &u32)| Share {
        aggregation: if partial {
            Aggregation::Min
        } else {
            Aggregation::PassFail
        },
        requires: required.get(group).cloned().unwrap_or_default(),
        ..Share::whole(group.to_string(), points(place, *group))
    };
    groups.iter().enumerate().map(share).collect()
}

/// A table from numbers to numbers.
fn numbered(table: &Fields<'_>, key: &str, notices: &mut Notices) -> BTreeMap<u32, f64> {
    let Some(inner) = table.table(key, notices) else {
        return BTreeMap::new();
    };
    let entries = inner.entries().iter();
    let entries = entries.filter_map(|(key, node)| match &node.value {
        Value::Number(number) => Some((key.name.parse().ok()?, *number)),
        _ => None,
    });
    entries.collect()
}

/// `subtask_dependencies`: the groups that a group requires.
fn dependencies(table: &Fields<'_>, notices: &mut Notices) -> BTreeMap<u32, Vec<String>> {
    let Some(inner) = table.table("subtask_dependencies", notices) else {
        return BTreeMap::new();
    };
    let list = |key: &Key, value: &Value| {
        let Value::List(items) = value else {
            return None;
        };
        let names = items.iter().filter_map(|item| match &item.value {
            Value::Number(number) => Some(number.to_string()),
            _ => None,
        });
        Some((key.name.parse().ok()?, names.collect()))
    };
    let entries = inner.entries().iter();
    entries
        .filter_map(|(key, node)| list(key, &node.value))
        .collect()
}

/// The library of the task: sources that are compiled with every solution, and headers next to it.
pub(super) fn additions(scene: &Scene<'_>, table: &Fields<'_>, notices: &mut Notices) -> Additions {
    let mut local = LocalIncludes::within(scene.root);
    for node in table.list("extra_compilation_files", notices) {
        let Value::Text(name) = &node.value else {
            continue;
        };
        let found = inside(scene.root, &format!("prog/{name}")).ok();
        let Some(path) = found.filter(|path| path.is_file()) else {
            let at = notices.show_at(&scene.root.join(FILE), node.place);
            notices.error(Code::MissingFile.at(&at, format!("`prog/{name}` does not exist")));
            continue;
        };
        let language = path.extension().and_then(|end| (scene.language_of)(end));
        if let Some(language) = language {
            local.linked.push((language, path));
        }
    }
    Additions {
        local: Some(local),
        ..Additions::default()
    }
}

/// The solutions in `prog/`, with their expected points and the statuses of groups.
pub(super) fn promises(scene: &Scene<'_>, notices: &mut Notices) -> Vec<Promise> {
    let path = scene.root.join(FILE);
    let Some(node) = fields::read(&path, notices) else {
        return Vec::new();
    };
    let Some(table) = Fields::of(&path, &node, notices) else {
        return Vec::new();
    };
    let id = task_id(scene.root, &table, notices);
    let expected = table.table("sinol_expected_scores", notices);
    let terms = PromiseRules {
        scored: !is_of_icpc(&table, notices) && !is_of_oi(&table, notices),
        dependent: dependencies(&table, notices).into_keys().collect(),
    };
    let folder = scene.root.join("prog");
    let mut promises = Vec::new();
    for name in names_in(&folder) {
        let path = folder.join(&name);
        let known = path.extension().and_then(|end| (scene.language_of)(end));
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        if known.is_none() || !path.is_file() || !is_solution(&stem, &id) {
            continue;
        }
        let listed = expected.and_then(|expected| expected.table(&name, notices));
        promises.push(match listed {
            Some(listed) => promise(path, &listed, &terms, notices),
            None if *stem == *id => Promise::any_of(path, &["accepted"]),
            None => Promise::any_of(path, &[]),
        });
    }
    promises
}

/// What a package lets expect of its solutions.
struct PromiseRules {
    /// Whether there are points that can be checked: in contests of the type `oi` they depend on the time.
    scored: bool,
    /// The groups that are not judged if an earlier one failed, so that their status says nothing.
    dependent: Vec<u32>,
}

fn promise(
    path: PathBuf,
    listed: &Fields<'_>,
    terms: &PromiseRules,
    notices: &mut Notices,
) -> Promise {
    let mut promise = Promise {
        points: listed
            .number("points", notices)
            .filter(|_| terms.scored)
            .map(|points| (points, points)),
        ..Promise::any_of(path, &[])
    };
    let Some(groups) = listed.table("expected", notices) else {
        return promise;
    };
    for (key, _) in groups.entries() {
        let Some(group) = groups.table(&key.name, notices) else {
            continue;
        };
        let status = group.text("status", notices).unwrap_or_default();
        let known = STATUSES.iter().find(|(known, _)| *known == status);
        let sample = key.name == "0";
        let number = key.name.parse().ok();
        let is_skipped = status != "OK" && number.is_some_and(|one| terms.dependent.contains(&one));
        promise.groups.push(GroupPromise {
            glob: if sample {
                "sample".to_owned()
            } else {
                format!("secret/{}", key.name)
            },
            folders: known
                .iter()
                .filter(|_| !is_skipped)
                .map(|(_, folder)| *folder)
                .collect(),
            points: group
                .number("points", notices)
                .filter(|_| !sample && terms.scored),
        });
    }
    promise
}

/// Whether the name of a source is that of a solution: `abc`, `abc2`, `abcs1` (slow), `abcb1` (wrong), each with any
/// words after `_`.
fn is_solution(stem: &str, id: &str) -> bool {
    let Some(rest) = stem.strip_prefix(id) else {
        return false;
    };
    let rest = rest.strip_prefix(['b', 's']).unwrap_or(rest);
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    rest.is_empty() || rest.starts_with('_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_groups_and_solutions() {
        for (test, group) in [
            ("1a", Some(1)),
            ("12abc", Some(12)),
            ("0", Some(0)),
            ("2ocen", Some(0)),
            ("a", None),
        ] {
            assert_eq!(group_of(test), group, "{test}");
        }
        for (stem, expected) in [
            ("abc", true),
            ("abc12", true),
            ("abcs1", true),
            ("abcb10_long_name", true),
            ("abcingen", false),
            ("abcchk", false),
            ("abd", false),
        ] {
            assert_eq!(is_solution(stem, "abc"), expected, "{stem}");
        }
    }
}
