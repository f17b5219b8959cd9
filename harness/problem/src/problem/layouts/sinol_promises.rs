//! The solutions of a sinol package, and what `sinol_expected_scores` expects of them.

use std::path::PathBuf;

use super::fields::{self, Fields};
use super::foreign_problem::{GroupPromise, Promise, Scene, names_in};
use super::points::Share;
use super::sinol::{ContestType, FILE, dependencies, named_tests, shares, task_id};
use crate::name_text;
use crate::notice::{Code, Notices};

/// The words of the statuses in `sinol_expected_scores`, and the verdict folders.
const STATUSES: [(&str, &str); 5] = [
    ("OK", "accepted"),
    ("WA", "wrong_answer"),
    ("TL", "time_limit_exceeded"),
    ("ML", "memory_limit_exceeded"),
    ("RE", "run_time_error"),
];

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
    let mut groups: Vec<u32> =
        named_tests(scene.root, &id).into_iter().map(|(_, group)| group).collect();
    groups.retain(|group| *group > 0);
    groups.dedup();
    let contest = ContestType::of(&table, notices);
    let terms = PromiseRules {
        contest,
        shares: shares(&table, contest, &groups, false, notices),
        dependent: dependencies(&table, notices).into_keys().collect(),
    };
    for (key, node) in expected.iter().flat_map(Fields::entries) {
        if !scene.root.join("prog").join(&key.name).is_file() {
            let at = notices.show_at(&scene.root.join(FILE), node.place);
            let name = crate::notice::visible(&key.name);
            let what =
                format!("`prog/{name}` does not exist; what is expected of it is not checked");
            notices.warn(Code::MissingFile.at(&at, what));
        }
    }
    let folder = scene.root.join("prog");
    let mut promises = Vec::new();
    for name in names_in(&folder) {
        let path = folder.join(name_text::path(&name));
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
    contest: ContestType,
    shares: Vec<Share>,
    /// The groups that are not judged if an earlier one failed, so that their status says nothing.
    dependent: Vec<u32>,
}

impl PromiseRules {
    /// Whether these expected points can be compared with a score. If no group has points, every solution gets 0.
    fn checks(&self, points: f64) -> bool {
        let without_points = self.shares.iter().all(|share| share.points <= 0.0);
        self.contest != ContestType::Icpc && !(without_points && points == 0.0)
    }

    /// The least and the most points of a group for which these are stated. If a test took more than half of the time limit
    /// of an `oi` contest, the points depend on the machine.
    fn range_of(&self, group: &str, stated: f64) -> (f64, f64) {
        let max = self.shares.iter().find(|share| share.name == group);
        let max = max.map_or(stated, |share| share.points);
        if self.contest == ContestType::Oi && 0.0 < stated && stated < max {
            (stated.min(1.0), max)
        } else {
            (stated, stated)
        }
    }
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
            .filter(|points| terms.checks(*points))
            .map(|points| (points, points)),
        ..Promise::any_of(path, &[])
    };
    let Some(groups) = listed.table("expected", notices) else {
        return promise;
    };
    let mut leeway = (0.0, 0.0);
    for (key, _) in groups.entries() {
        let Some(group) = groups.table(&key.name, notices) else {
            continue;
        };
        let status = group.text("status", notices).unwrap_or_default();
        let known = STATUSES.iter().find(|(known, _)| *known == status);
        let sample = key.name == "0";
        let number = key.name.parse().ok();
        let is_skipped = status != "OK" && number.is_some_and(|one| terms.dependent.contains(&one));
        let points = group.number("points", notices);
        let points = points.filter(|points| !sample && terms.checks(*points));
        let range = points.map(|points| terms.range_of(&key.name, points));
        if let (Some(points), Some((least, most))) = (points, range) {
            leeway.0 += points - least;
            leeway.1 += most - points;
        }
        promise.groups.push(GroupPromise {
            glob: if sample { "sample".to_owned() } else { format!("secret/{}", key.name) },
            folders: known.iter().filter(|_| !is_skipped).map(|(_, folder)| *folder).collect(),
            points: range,
        });
    }
    promise.points = promise.points.map(|(least, most)| (least - leeway.0, most + leeway.1));
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
    fn names_tell_solutions() {
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
