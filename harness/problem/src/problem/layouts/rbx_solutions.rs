//! The solutions of an rbx package, and what their outcomes and scores say of them.

use std::path::Path;

use super::fields::{Fields, TableFile};
use super::rbx::{FILE, folder_of, sources, stated_matcher};
use super::rbx_keys;
use super::scene::{ForeignSubmission, Scene};
use crate::expectation::glob::Glob;
use crate::expectation::{Expectation, Meaning, Rule, Vocabulary};
use crate::notice::Notices;
use crate::problem::yaml::Value;

/// The solutions, whose paths may be globs, with their outcomes. The first glob that matches a source decides.
pub(super) fn submissions(scene: &Scene<'_>, notices: &mut Notices) -> Vec<ForeignSubmission> {
    let path = scene.root.join(FILE);
    let Some(file) = TableFile::read(&path, notices) else {
        return Vec::new();
    };
    let table = file.fields();
    let sources = sources(scene);
    let groups = rbx_keys::is_scored(&table, notices).then(|| groups(&path, &table, notices));
    let mut submissions: Vec<ForeignSubmission> = Vec::new();
    for node in table.list("solutions", notices) {
        let Some(entry) = Fields::of(&path, node, notices) else {
            continue;
        };
        let Some(glob) = entry.text("path", notices) else {
            continue;
        };
        let at = notices.show_at(&path, node.place);
        let Some(matcher) = stated_matcher(&glob, &at, notices) else {
            continue;
        };
        for source in &sources {
            let below = source.strip_prefix(scene.root).unwrap_or(source);
            let known = submissions.iter().any(|one| one.path == *source);
            if matcher.is_match(below) && !known {
                let expected = expected(&entry, groups.as_deref(), notices);
                submissions.push(ForeignSubmission::new(source.clone(), expected));
            }
        }
    }
    submissions
}

/// What is expected of a solution. `groups` are the names of all groups, if the problem gives points.
fn expected(entry: &Fields<'_>, groups: Option<&[String]>, notices: &mut Notices) -> Expectation {
    let meaning = |word: &str| Vocabulary::Rbx.meaning(word).unwrap_or(Meaning::ANY);
    let outcome = entry.text("outcome", notices).unwrap_or_default();
    let mut expected = Expectation::of_meaning(meaning(&outcome));
    let score = groups.and_then(|_| score(entry, notices));
    expected.rules.extend(score.map(Rule::of_score));
    let (Some(stated), Some(groups)) = (entry.table("outcomePerGroup", notices), groups) else {
        return expected;
    };
    for name in groups {
        // `*` is for each group that is not named.
        let key = if stated.has(name) { name.as_str() } else { "*" };
        if let Some(word) = stated.text(key, notices)
            && let Ok(cases) = Glob::parse(&folder_of(name))
        {
            expected.rules.push(Rule::of_group(cases, meaning(&word), None));
        }
    }
    expected
}

/// `score`: a number, or a list of the least and the most, of which each may be missing.
fn score(entry: &Fields<'_>, notices: &mut Notices) -> Option<(f64, f64)> {
    if let Some(Value::List(items)) = entry.get("score").map(|node| &node.value) {
        let bound = |at: usize, missing: f64| match items.get(at).map(|node| &node.value) {
            Some(Value::Number(number)) => *number,
            _ => missing,
        };
        return Some((bound(0, 0.0), bound(1, f64::MAX)));
    }
    let points = entry.number("score", notices)?;
    Some((points, points))
}

/// The names of the groups.
fn groups(path: &Path, table: &Fields<'_>, notices: &mut Notices) -> Vec<String> {
    let mut names = Vec::new();
    for node in table.list("testcases", notices) {
        let group = Fields::of(path, node, notices);
        names.extend(group.and_then(|group| group.text("name", notices)));
    }
    names
}
