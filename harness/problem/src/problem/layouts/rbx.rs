//! rbx: `problem.rbx.yml`, solutions with outcomes, and the cases that `rbx build` writes to `build/tests/`.

use std::path::{Path, PathBuf};

use globset::{GlobBuilder, GlobMatcher};
use walkdir::WalkDir;

use super::fields::{Fields, TableFile};
use super::points::{self, Share};
use super::rbx_vars::{self, RbxVars};
use super::scene::{CaseFileNames, Gatherer, Scene, inside, names_in};
use super::{rbx_keys, rbx_limits, std_checkers};
use crate::checker_spec::{CheckerSpec, Convention};
use crate::notice::{Code, Location, Notices};
use crate::plain_file;
use crate::problem::scoring::Aggregation;
use crate::problem::yaml::Value;
use crate::problem::{Additions, Interactor, LocalIncludes, Problem, is_ignored};

pub(super) const FILE: &str = "problem.rbx.yml";

/// The group of samples.
const SAMPLES: &str = "samples";

/// Whether `dir` is a problem of rbx.
pub(super) fn is_in(dir: &Path) -> bool {
    dir.join(FILE).is_file()
}

/// A program in `{path: ...}`.
pub(super) fn program(table: &Fields<'_>, key: &str, notices: &mut Notices) -> Option<String> {
    Some(stated_program(table, key, notices)?.0)
}

/// The same, with the entry.
fn stated_program<'a>(
    table: &Fields<'a>,
    key: &str,
    notices: &mut Notices,
) -> Option<(String, Fields<'a>)> {
    let entry = table.table(key, notices)?;
    Some((entry.text("path", notices)?, entry))
}

/// A source of the package. One that does not exist is reported.
fn source(scene: &Scene<'_>, name: &str, notices: &mut Notices) -> Option<PathBuf> {
    let (code, why) = match inside(scene.root, name) {
        Ok(path) if path.is_file() => return Some(path),
        Ok(_) => (Code::MissingFile, "does not exist".to_owned()),
        Err(why) => (Code::InvalidPath, why.to_string()),
    };
    let at = notices.show(&scene.root.join(FILE));
    notices.error(code.at(&at, format!("`{name}` {why}")));
    None
}

/// Reads the problem.
pub(super) fn load(scene: &Scene<'_>, notices: &mut Notices) -> Option<Problem> {
    let path = scene.root.join(FILE);
    let file = TableFile::read(&path, notices)?;
    let table = file.fields();
    rbx_keys::name_unused(&table, notices);
    let interactor = interactor(scene, &table, notices);
    let checker = checker(scene, &table, notices);
    let vars = RbxVars::read(&path, &table, notices);
    vars.warn(scene.root, &path, notices);
    let partial = checker.is_program() || interactor.is_some();
    let is_scored = rbx_keys::is_scored(&table, notices);
    let mut shares = Vec::new();
    let mut gatherer = Gatherer::new(*scene);
    for node in table.list("testcases", notices) {
        let Some(group) = Fields::of(&path, node, notices) else {
            continue;
        };
        let Some(name) = group.text("name", notices) else {
            continue;
        };
        gatherer.validated_with(vars.validator_args(&name));
        gather(scene, &name, &mut gatherer, notices);
        if is_scored && name != SAMPLES {
            let points = group.number("score", notices).unwrap_or_default();
            shares.push(Share {
                aggregation: if partial { Aggregation::Min } else { Aggregation::PassFail },
                requires: dependencies(&group, notices),
                ..Share::whole(name, points)
            });
        }
    }
    let help = if table.list("testcases", notices).is_empty() {
        "add groups of tests to `testcases` in problem.rbx.yml"
    } else {
        "make the missing cases with `rejudge generate FOLDER`"
    };
    let cases = gatherer.finish(help, notices);
    let (limits, limits_of_extensions) = rbx_limits::read(scene.root, &table, notices);
    let validators = validators(scene, &table, notices);
    Some(Problem {
        title: table.text("name", notices),
        limits,
        limits_of_extensions,
        checker,
        interactor,
        is_package: true,
        scoring: points::scoring(shares, &cases),
        cases,
        validators,
        additions: additions(scene, &vars, notices),
        ..Problem::foreign(scene.root)
    })
}

/// The input validators of the whole problem. If a group has a validator of its own, there are none: the one of the
/// problem would reject inputs of that group.
fn validators(scene: &Scene<'_>, table: &Fields<'_>, notices: &mut Notices) -> Vec<PathBuf> {
    let path = table.path();
    let groups = table.list("testcases", notices).iter();
    let mut groups = groups.filter_map(|node| Fields::of(path, node, &mut Notices::default()));
    if groups.any(|group| group.has("validator")) {
        return Vec::new();
    }
    let names = program(table, "validator", notices).into_iter();
    let names: Vec<String> =
        names.chain(programs(scene, table, "extraValidators", notices)).collect();
    let sources = names.iter();
    sources.filter_map(|name| source(scene, name, notices)).collect()
}

/// The paths of a list of programs. A path with `*` stands for all sources that match it.
pub(super) fn programs(
    scene: &Scene<'_>,
    table: &Fields<'_>,
    key: &str,
    notices: &mut Notices,
) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for node in table.list(key, notices) {
        let entry = Fields::of(table.path(), node, notices);
        let Some(path) = entry.and_then(|entry| entry.text("path", notices)) else {
            continue;
        };
        if !path.contains('*') {
            names.push(path);
            continue;
        }
        let at = notices.show_at(table.path(), node.place);
        let Some(matcher) = stated_matcher(&path, &at, notices) else {
            continue;
        };
        let sources = sources(scene).into_iter();
        let below = sources.filter_map(|source| {
            let below = source.strip_prefix(scene.root).ok()?;
            let below = matcher.is_match(below).then_some(below)?;
            Some(below.to_str()?.to_owned())
        });
        let found: Vec<String> = below.filter(|name| !names.contains(name)).collect();
        if found.is_empty() {
            let message = format!("`{path}` in `{key}` adds no source");
            notices.warn(Code::UnusedSetting.at(&at, message));
        }
        names.extend(found);
    }
    names
}

/// What the sources of the problem may include: the headers in its folder, and `rbx.h`.
pub(super) fn additions(scene: &Scene<'_>, vars: &RbxVars, notices: &mut Notices) -> Additions {
    let mut local = LocalIncludes::within(scene.root);
    let root = local.root.clone();
    let stated = stated_header(scene, notices);
    let is_stated = stated.is_some();
    let header = stated.unwrap_or_else(|| vars.header());
    let file = (root.join(rbx_vars::HEADER), header);
    if is_stated || vars.is_complete() {
        local.rewritten.push(file);
    } else {
        local.made.push(file);
    }
    local.folders.push(root);
    Additions { local: Some(local), ..Additions::default() }
}

/// The text of the header that replaces `rbx.h`. It is read outside the sandbox.
fn stated_header(scene: &Scene<'_>, notices: &mut Notices) -> Option<String> {
    let path = scene.root.join(rbx_vars::OVERRIDE);
    path.symlink_metadata().ok()?;
    let path = source(scene, rbx_vars::OVERRIDE, notices)?;
    match plain_file::read_text(&path) {
        Ok(text) => Some(text),
        Err(error) => {
            notices.error(Code::UnreadableFile.at(&notices.show(&path), error.to_string()));
            None
        }
    }
}

/// Adds the cases of a group that `rbx build` has made.
fn gather(scene: &Scene<'_>, group: &str, gatherer: &mut Gatherer<'_>, notices: &Notices) {
    let below = format!("build/tests/{group}");
    let folder = folder_of(group);
    let names = names_in(&scene.root.join(&below)).into_iter();
    for stem in names.filter_map(|name| Some(name.strip_suffix(".in")?.to_owned())) {
        let case = CaseFileNames {
            name: &format!("{folder}/{stem}"),
            input: &format!("{below}/{stem}.in"),
            answer: Some(&format!("{below}/{stem}.out")),
        };
        gatherer.add(&case, notices);
    }
}

/// The groups that must be accepted first.
fn dependencies(group: &Fields<'_>, notices: &mut Notices) -> Vec<String> {
    let items = group.list("deps", notices).iter();
    let names = items.filter_map(|node| match &node.value {
        Value::Text(name) if name == SAMPLES => Some("sample".to_owned()),
        Value::Text(name) => Some(name.clone()),
        _ => None,
    });
    names.collect()
}

/// The program that talks with solutions. rbx ignores it unless that is the problem's type.
pub(super) fn interactor(
    scene: &Scene<'_>,
    table: &Fields<'_>,
    notices: &mut Notices,
) -> Option<Interactor> {
    let kind = table.text("type", notices).unwrap_or_default();
    if !kind.eq_ignore_ascii_case("communication") {
        return None;
    }
    let inner = table.table("interactor", notices)?;
    let name = inner.text("path", notices)?;
    Some(Interactor {
        source: source(scene, &name, notices)?,
        then_check: inner.flag("legacy"),
        call: Vec::new(),
        convention: None,
    })
}

/// The checker of the package, or the one of testlib with this name. The default is `wcmp`.
fn checker(scene: &Scene<'_>, table: &Fields<'_>, notices: &mut Notices) -> CheckerSpec {
    let own = |name: &str| {
        let path = inside(scene.root, name).ok()?;
        path.is_file().then_some(path)
    };
    let mut chosen = stated_program(table, "checker", notices);
    if let Some((name, entry)) = &chosen
        && own(name).is_none()
        && let Some(other) = stated_program(entry, "fallback_to", notices)
    {
        chosen = Some(other);
    }
    let (name, entry) = match chosen {
        Some((name, entry)) => (name, Some(entry)),
        None => ("wcmp.cpp".to_owned(), None),
    };
    if let Some(source) = own(&name) {
        let mode = entry.and_then(|entry| entry.text("mode", notices));
        if mode.as_deref() == Some("boca") {
            return CheckerSpec::Foreign { source, convention: Convention::Boca, call: Vec::new() };
        }
        return CheckerSpec::Testlib { source };
    }
    std_checkers::find(&name).unwrap_or_else(|| {
        scene.options.unless_checked(notices, |notices| {
            let at = notices.show(&scene.root.join(FILE));
            notices.error_help(
                Code::MissingFile.at(&at, format!("the checker `{name}` does not exist")),
                format!("download it with rbx: `rbx download checker {name}`"),
            );
        });
        CheckerSpec::default()
    })
}

/// The folder of the cases of a group.
pub(super) fn folder_of(group: &str) -> String {
    match group {
        SAMPLES => "sample".to_owned(),
        name => format!("secret/{name}"),
    }
}

/// A glob of rbx, in which `*` stays within a folder; `None`: it is invalid.
pub(super) fn matcher(glob: &str) -> Option<GlobMatcher> {
    let glob = GlobBuilder::new(glob.trim_start_matches("./")).literal_separator(true).build();
    Some(glob.ok()?.compile_matcher())
}

/// The same, after an error if it is invalid. `at` is its place in the settings.
pub(super) fn stated_matcher(
    glob: &str,
    at: &Location,
    notices: &mut Notices,
) -> Option<GlobMatcher> {
    let found = matcher(glob);
    if found.is_none() {
        notices.error(Code::InvalidValue.at(at, format!("`{glob}` is not a glob")));
    }
    found
}

/// All sources of the package in a known language, in order.
pub(super) fn sources(scene: &Scene<'_>) -> Vec<PathBuf> {
    const DEPTH: usize = 5;
    let keep = |entry: &walkdir::DirEntry| {
        let name = entry.file_name().to_string_lossy();
        let is_build = entry.depth() == 1 && name == "build";
        entry.depth() == 0 || !(is_ignored(&name) || is_build)
    };
    let walk = WalkDir::new(scene.root).max_depth(DEPTH).sort_by_file_name();
    let files = walk.into_iter().filter_entry(keep).filter_map(Result::ok);
    let files = files.filter(|entry| entry.file_type().is_file());
    files.map(walkdir::DirEntry::into_path).filter(|path| scene.is_source(path)).collect()
}
