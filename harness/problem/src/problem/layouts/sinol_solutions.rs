//! The solutions of a sinol package, and what `sinol_expected_scores` expects of them.

use super::fields::{Fields, TableFile};
use super::points::Share;
use super::scene::{ForeignSubmission, Scene, names_in};
use super::sinol::{ContestType, FILE, dependencies, named_tests, shares, task_id};
use crate::expectation::glob::Glob;
use crate::expectation::{Expectation, Meaning, Rule, Vocabulary};
use crate::name_text;
use crate::notice::{Code, Notices};

/// The solutions in `prog/`, with their expected points and the statuses of groups.
pub(super) fn submissions(scene: &Scene<'_>, notices: &mut Notices) -> Vec<ForeignSubmission> {
    let path = scene.root.join(FILE);
    // What is wrong with the file was reported when the problem was read.
    let Some(file) = TableFile::read_of_python(&path, &mut Notices::default()) else {
        return Vec::new();
    };
    let table = file.fields();
    let id = task_id(scene.root, &table, notices);
    let all_listed = table.table("sinol_expected_scores", notices);
    let mut groups: Vec<u32> =
        named_tests(scene.root, &id).into_iter().map(|(_, group)| group).collect();
    groups.retain(|group| *group > 0);
    groups.dedup();
    let contest = ContestType::of(&table, notices);
    let scores = ExpectedScores {
        contest,
        shares: shares(&table, contest, &groups, false, notices),
        dependent: dependencies(&table, notices).into_keys().collect(),
    };
    for (key, node) in all_listed.iter().flat_map(Fields::entries) {
        if !scene.root.join("prog").join(&key.name).is_file() {
            let at = notices.show_at(&scene.root.join(FILE), node.place);
            let name = crate::notice::visible(&key.name);
            let what =
                format!("`prog/{name}` does not exist; what is expected of it is not checked");
            notices.warn(Code::MissingFile.at(&at, what));
        }
    }
    let folder = scene.root.join("prog");
    let mut submissions = Vec::new();
    for name in names_in(&folder) {
        let path = folder.join(name_text::path(&name));
        let known = scene.language(&path);
        let stem = path.file_stem().unwrap_or_default().to_string_lossy();
        if known.is_none() || !path.is_file() || !is_solution(&stem, &id) {
            continue;
        }
        let listed = all_listed.and_then(|all| all.table(&name, notices));
        let expected = match listed {
            Some(listed) => expected(&listed, &scores, notices),
            None if *stem == *id => Expectation::accepted(),
            None => Expectation::of_meaning(Meaning::ANY),
        };
        submissions.push(ForeignSubmission::new(path, expected));
    }
    submissions
}

/// What decides which of the expected points count.
struct ExpectedScores {
    contest: ContestType,
    shares: Vec<Share>,
    /// The groups that are not judged if an earlier one failed, so that their status says nothing.
    dependent: Vec<u32>,
}

impl ExpectedScores {
    /// Whether these expected points can be compared with a score. If no group has points, every solution gets 0.
    fn counts(&self, points: f64) -> bool {
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

fn expected(listed: &Fields<'_>, scores: &ExpectedScores, notices: &mut Notices) -> Expectation {
    let mut expected = Expectation::of_meaning(Meaning::ANY);
    let points = listed.number("points", notices).filter(|points| scores.counts(*points));
    let groups = listed.table("expected", notices);
    let mut leeway = (0.0, 0.0);
    let mut rules = Vec::new();
    for (key, _) in groups.iter().flat_map(Fields::entries) {
        let Some(group) = groups.and_then(|groups| groups.table(&key.name, notices)) else {
            continue;
        };
        let status = group.text("status", notices).unwrap_or_default();
        let sample = key.name == "0";
        let number = key.name.parse().ok();
        let is_skipped =
            status != "OK" && number.is_some_and(|one| scores.dependent.contains(&one));
        let known = Vocabulary::Sinol.meaning(&status).filter(|_| !is_skipped);
        let points = group.number("points", notices);
        let points = points.filter(|points| !sample && scores.counts(*points));
        let range = points.map(|points| scores.range_of(&key.name, points));
        if let (Some(points), Some((least, most))) = (points, range) {
            leeway.0 += points - least;
            leeway.1 += most - points;
        }
        let cases = if sample { "sample".to_owned() } else { format!("secret/{}", key.name) };
        if let Ok(cases) = Glob::parse(&cases) {
            rules.push(Rule::of_group(cases, known.unwrap_or(Meaning::ANY), range));
        }
    }
    let range = points.map(|points| (points - leeway.0, points + leeway.1));
    expected.rules.extend(range.map(Rule::of_score).into_iter().chain(rules));
    expected
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
