//! sinol: `config.yml`, `prog/` with solutions, checker and library, `in/` and `out/`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::fields::{Fields, TableFile};
use super::keys::Keys;
use super::points::{self, Share};
use super::scene::{CaseFileNames, Gatherer, Scene, inside, names_in};
use super::sinol_limits::{OwnLimits, limits, overridden};
use crate::checker_spec::{CheckerSpec, Convention, LineRule};
use crate::name_text;
use crate::notice::{Code, Notices};
use crate::problem::scoring::{Aggregation, Scoring};
use crate::problem::yaml::{Key, Node, Value};
use crate::problem::{Additions, LocalIncludes, Problem};

pub(super) const FILE: &str = "config.yml";

/// The keys of sinol-make and of SIO2.
const KEYS: Keys = Keys {
    known: &[
        "title",
        "time_limit",
        "time_limits",
        "memory_limit",
        "memory_limits",
        "override_limits",
        "scores",
        "subtask_dependencies",
        "extra_compilation_files",
        "extra_execution_files",
        "sinol_task_id",
        "sinol_contest_type",
        "sinol_expected_scores",
        // They name the files above.
        "extra_compilation_args",
        // They concern how a package is made and checked.
        "no_outgen",
        "sinol_latex_compiler",
        "sinol_static_tests",
        "sinol_total_score",
        "sinol_undocumented_test_limits",
        "sinol_undocumented_time_tool",
        "testrun_soc",
    ],
    // In other languages.
    known_starts: &["title_"],
    unused: &["extra_execution_args", "fake_time", "library", "num_processes"],
    ..Keys::of("sinol")
};

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

/// The group of a test: the number at the start of its name, as in `3a` or `3x1`. Tests of the trial contest, `1ocen`, are examples.
fn group_of(test: &str) -> Option<u32> {
    let end = test.find(|c: char| !c.is_ascii_digit()).unwrap_or(test.len());
    let (number, rest) = test.split_at(end);
    let is_rest = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit();
    let group = number.parse().ok().filter(|_| rest.chars().all(is_rest))?;
    Some(if test.ends_with("ocen") { 0 } else { group })
}

/// The names of the tests in `in/`, and their groups.
pub(super) fn named_tests(root: &Path, id: &str) -> Vec<(String, u32)> {
    let names = names_in(&root.join("in")).into_iter();
    let tests = names.filter_map(|name| {
        let stem = name.strip_suffix(".in")?;
        Some((stem.to_owned(), group_of(stem.strip_prefix(id)?)?))
    });
    tests.collect()
}

/// What to do if tests are missing: make them, or give them the name of the task.
fn help_without_tests(root: &Path, id: &str) -> String {
    let names = names_in(&root.join("in")).into_iter();
    let mut others = names.filter_map(|name| {
        let stem = name.strip_suffix(".in")?;
        let end = stem.find(|c: char| c.is_ascii_digit())?;
        (end > 0 && !stem.starts_with(id)).then(|| stem[..end].to_owned())
    });
    match others.next() {
        Some(other) => format!(
            "the task is called `{}`, and its tests `{}…`: set `sinol_task_id` in config.yml, or rename the tests",
            crate::notice::visible(id),
            crate::notice::visible(&other)
        ),
        None => "make the missing tests with `rejudge generate FOLDER`".to_owned(),
    }
}

/// The program in `prog/` with this name, in any language.
pub(super) fn program(scene: &Scene<'_>, stem: &str) -> Option<PathBuf> {
    let folder = scene.root.join("prog");
    let mut sources = names_in(&folder).into_iter().map(|name| folder.join(name_text::path(&name)));
    sources.find(|path| {
        let known = scene.language(path);
        known.is_some() && path.file_stem().is_some_and(|own| own == stem)
    })
}

/// The generator and the validator, each with the macro that sinol-make defines for it.
const DEFINED: [(&str, &str); 2] = [("ingen", "-D_INGEN"), ("inwer", "-D_INWER")];

/// Reads the package.
pub(super) fn load(scene: &Scene<'_>, notices: &mut Notices) -> Option<Problem> {
    let path = scene.root.join(FILE);
    let file = TableFile::read_of_python(&path, notices)?;
    let table = file.fields();
    let id = task_id(scene.root, &table, notices);
    KEYS.name_unused(&table, notices);
    if let Some(source) = program(scene, &format!("{id}soc")) {
        let shown = notices.show(&source);
        scene.options.unless_checked(notices, |notices| {
            notices.error(Code::Unsupported.at(&shown, "interactors of sinol are not supported"));
        });
    }
    let mut groups = Vec::new();
    let (mut gatherer, mut limits_of_cases) = (Gatherer::new(*scene), BTreeMap::new());
    let stated = OwnLimits::read(&table, notices);
    for (stem, group) in named_tests(scene.root, &id) {
        if group > 0 && groups.last() != Some(&group) {
            groups.push(group);
        }
        let folder = match group {
            0 => "sample".to_owned(),
            group => format!("secret/{group}"),
        };
        let name = format!("{folder}/{stem}");
        let test = stem.strip_prefix(&id).unwrap_or(&stem);
        limits_of_cases.extend(stated.of(test, group).map(|own| (name.clone(), own)));
        let case = CaseFileNames {
            name: &name,
            input: &format!("in/{stem}.in"),
            answer: Some(&format!("out/{stem}.out")),
        };
        gatherer.add(&case, notices);
    }
    let help = help_without_tests(scene.root, &id);
    let cases = gatherer.finish(&help, notices);
    let checker = program(scene, &format!("{id}chk"));
    let contest = ContestType::of(&table, notices);
    ContestType::check(&table, notices);
    let partial = checker.is_some() || contest == ContestType::Oi;
    let shares = shares(&table, contest, &groups, partial, notices);
    let mut scoring = points::scoring(shares, &cases);
    if let Some(Scoring::Points(points)) = &mut scoring {
        points.fall_with_time = contest == ContestType::Oi;
    }
    Some(Problem {
        title: table.text("title", notices),
        limits: limits(&table, notices),
        limits_of_extensions: overridden(&table, notices),
        limits_of_cases,
        checker: match checker {
            Some(source) => {
                CheckerSpec::Foreign { source, convention: Convention::Sinol, call: Vec::new() }
            }
            None => CheckerSpec::Lines(LineRule::Sinol),
        },
        is_package: true,
        scoring,
        cases,
        validators: program(scene, &format!("{id}inwer")).into_iter().collect(),
        additions: additions(scene, &table, notices),
        ..Problem::foreign(scene.root)
    })
}

/// How a contest gives points.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ContestType {
    /// `default` and `oij`: the lowest points of the tests of a group, rounded up.
    Default,
    /// `oi`: also, a test loses points if it takes more than half of the time limit.
    Oi,
    /// `icpc`: none.
    Icpc,
}

impl ContestType {
    const KEY: &str = "sinol_contest_type";

    /// Reads the type as sinol-make does: in any case.
    pub(super) fn of(table: &Fields<'_>, notices: &mut Notices) -> Self {
        let text = table.text(Self::KEY, notices).unwrap_or_default();
        match text.to_ascii_lowercase().as_str() {
            "oi" => Self::Oi,
            "icpc" => Self::Icpc,
            _ => Self::Default,
        }
    }

    /// Warns of a type that sinol-make does not know.
    fn check(table: &Fields<'_>, notices: &mut Notices) {
        let known = ["default", "oi", "oij", "icpc"];
        let (Some(node), Some(text)) = (table.get(Self::KEY), table.text(Self::KEY, notices))
        else {
            return;
        };
        if !known.contains(&text.to_ascii_lowercase().as_str()) {
            let at = notices.show_at(table.path(), node.place);
            let text = crate::notice::visible(&text);
            let what = format!("unknown contest type `{text}`; points are those of `default`");
            notices.warn_help(
                Code::UnusedSetting.at(&at, what),
                format!("write `{}`", known.join("`, `")),
            );
        }
    }
}

/// The points of the groups: as stated, otherwise 100 points in equal parts; the last group also gets the remainder. A
/// contest of the ICPC has none.
pub(super) fn shares(
    table: &Fields<'_>,
    contest: ContestType,
    groups: &[u32],
    partial: bool,
    notices: &mut Notices,
) -> Vec<Share> {
    if contest == ContestType::Icpc || groups.is_empty() {
        return Vec::new();
    }
    let stated = numbered(table, "scores", notices);
    let required = dependencies(table, notices);
    let count = groups.len();
    let points = |place: usize, group: u32| {
        let rest = if place + 1 == count { 100 % count } else { 0 };
        #[expect(clippy::cast_precision_loss, reason = "at most 100")]
        let even = (100 / count + rest) as f64;
        if stated.is_empty() { even } else { stated.get(&group).copied().unwrap_or_default() }
    };
    let share = |(place, group): (usize, &u32)| Share {
        aggregation: if partial { Aggregation::MinRoundedUp } else { Aggregation::PassFail },
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
    let entries = inner.entries().iter().filter_map(|(key, node)| match &node.value {
        Value::Number(number) => Some((key.name.parse().ok()?, *number)),
        _ => None,
    });
    entries.collect()
}

/// `subtask_dependencies`: the groups that a group requires.
pub(super) fn dependencies(
    table: &Fields<'_>,
    notices: &mut Notices,
) -> BTreeMap<u32, Vec<String>> {
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
    entries.filter_map(|(key, node)| list(key, &node.value)).collect()
}

/// The languages whose libraries are compiled with solutions. In the others, solutions import them.
const JOINED: [&str; 2] = ["c", "cpp"];

fn extension_of(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().into_owned()
}

/// The library of the task: sources that are compiled with every solution, headers next to it, and files that solutions
/// import or open.
pub(super) fn additions(scene: &Scene<'_>, table: &Fields<'_>, notices: &mut Notices) -> Additions {
    let mut local = LocalIncludes::within(scene.root);
    let id = task_id(scene.root, table, &mut Notices::default());
    for (end, flag) in DEFINED {
        if let Some(path) = program(scene, &format!("{id}{end}")) {
            local.flags.insert(path, vec![flag.to_owned()]);
        }
    }
    let mut with_solutions = Vec::new();
    let named = |node: &Node, notices: &mut Notices| {
        let Value::Text(name) = &node.value else {
            return None;
        };
        let found = inside(scene.root, &format!("prog/{name}")).ok().filter(|path| path.is_file());
        if found.is_none() {
            let at = notices.show_at(&scene.root.join(FILE), node.place);
            notices.error(Code::MissingFile.at(&at, format!("`prog/{name}` does not exist")));
        }
        found
    };
    for node in table.list("extra_compilation_files", notices) {
        let Some(path) = named(node, notices) else {
            continue;
        };
        let language = scene.language(&path);
        match language {
            Some(language) if JOINED.contains(&language.as_str()) => {
                local.linked.push((language, path));
            }
            Some(_) => with_solutions.push((extension_of(&path), path)),
            None => {}
        }
    }
    if let Some(all) = table.table("extra_execution_files", notices) {
        for (key, _) in all.entries() {
            for node in all.list(&key.name, notices) {
                let found = named(node, notices).map(|path| (key.name.clone(), path));
                with_solutions.extend(found);
            }
        }
    }
    Additions { local: Some(local), with_solutions, ..Additions::default() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_groups() {
        for (test, group) in [
            ("1a", Some(1)),
            ("12abc", Some(12)),
            ("0", Some(0)),
            ("2ocen", Some(0)),
            ("3x1", Some(3)),
            ("a", None),
            ("_3", None),
            ("3_1", None),
            ("3X", None),
        ] {
            assert_eq!(group_of(test), group, "{test}");
        }
    }
}
