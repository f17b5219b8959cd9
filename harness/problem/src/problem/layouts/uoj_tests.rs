//! The tests of a problem of UOJ: their files, their limits, the subtasks, and the points.

use std::collections::BTreeMap;
use std::time::Duration;

use super::companion::mebibytes;
use super::fields::Fields;
use super::points::{self, Share};
use super::scene::{CaseFileNames, Gatherer};
use super::uoj_conf::{count, numbered, whole};
use crate::notice::{Code, Notices};
use crate::problem::scoring::{Aggregation, PartRule, Scoring};
use crate::problem::{ProblemLimits, TestCase};

/// The group of the extra tests, which give no points.
const EXTRA: &str = "extra";

/// How the points of a subtask result from its tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum UojSubtaskKind {
    /// All points or none.
    Packed,
    /// Those of the worst test.
    Min,
}

#[derive(Debug, Clone, PartialEq)]
struct UojSubtask {
    kind: UojSubtaskKind,
    /// Its last test.
    end: i64,
    points: f64,
    /// The subtasks that must be accepted first.
    requires: Vec<i64>,
}

/// The tests of a problem.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct UojTests {
    tests: i64,
    extra: i64,
    samples: i64,
    /// Empty: every test gives points of its own.
    subtasks: Vec<UojSubtask>,
    /// The points of each test.
    points: Vec<f64>,
}

impl UojTests {
    /// Reads them.
    pub(super) fn read(table: &Fields<'_>, notices: &mut Notices) -> Self {
        let tests = count(table, "n_tests", 10, notices);
        let extra = count(table, "n_ex_tests", 0, notices);
        let samples = count(table, "n_sample_tests", 0, notices).min(extra);
        let number = count(table, "n_subtasks", 0, notices);
        let subtasks = match number {
            0 => Vec::new(),
            // As in a contest of the ICPC: all tests count, and its own end and points do not.
            1 if kind_of(table, 1, notices) == UojSubtaskKind::Packed => {
                let kind = UojSubtaskKind::Packed;
                vec![UojSubtask { kind, end: tests, points: 100.0, requires: Vec::new() }]
            }
            _ => (1..=number).map(|one| subtask(table, one, number, notices)).collect(),
        };
        #[expect(clippy::cast_precision_loss, reason = "at most 100")]
        let even = (100 / tests.max(1)) as f64;
        let mut points =
            |test| numbered(table, "point_score", test, notices).unwrap_or(even).trunc();
        let points = if number == 0 { (1..=tests).map(&mut points).collect() } else { Vec::new() };
        Self { tests, extra, samples, subtasks, points }
    }

    /// The number of each test, negative for an extra test, and the name of its case.
    fn cases(&self) -> Vec<(i64, String)> {
        let samples = (1..=self.samples).map(|test| (-test, format!("sample/{test}")));
        let mut cases: Vec<(i64, String)> = samples.collect();
        if self.subtasks.is_empty() {
            cases.extend((1..=self.tests).map(|test| (test, format!("secret/{test}"))));
        }
        let mut first = 1;
        for (subtask, number) in self.subtasks.iter().zip(1..) {
            let tests = first..=subtask.end;
            cases.extend(tests.map(|test| (test, format!("secret/{number}/{test}"))));
            first = subtask.end + 1;
        }
        let others = self.samples + 1..=self.extra;
        cases.extend(others.map(|test| (-test, format!("secret/{EXTRA}/{test}"))));
        cases
    }

    /// Adds the cases to `gatherer`. Returns the limits of those that have their own.
    pub(super) fn gather(
        &self,
        table: &Fields<'_>,
        gatherer: &mut Gatherer<'_>,
        notices: &mut Notices,
    ) -> BTreeMap<String, ProblemLimits> {
        let mut name_of = |side: &str| {
            let mut part = |end: &str, usual: &str| {
                let text = table.text(&format!("{side}_{end}"), notices);
                text.unwrap_or_else(|| usual.to_owned())
            };
            let (start, end) = (part("pre", side), part("suf", "txt"));
            move |test: i64| {
                let extra = if test < 0 { "ex_" } else { "" };
                format!("{extra}{start}{}.{end}", test.abs())
            }
        };
        let (input, output) = (name_of("input"), name_of("output"));
        let mut own_limits = BTreeMap::new();
        for (test, name) in self.cases() {
            let (input, output) = (input(test), output(test));
            let case = CaseFileNames { name: &name, input: &input, answer: Some(&output) };
            gatherer.add(&case, notices);
            let keys = ["time_limit", "memory_limit", "output_limit"];
            if keys.iter().any(|key| table.has(&format!("{key}_{test}"))) {
                own_limits.insert(name, limits(table, Some(test), notices));
            }
        }
        own_limits
    }

    /// The points of the cases. `partial`: an output can be accepted in part.
    pub(super) fn scoring(&self, cases: &[TestCase], partial: bool) -> Option<Scoring> {
        let mut scoring = points::scoring(self.shares(partial), cases);
        if let Some(Scoring::Points(points)) = &mut scoring {
            points.parts = PartRule::Uoj;
        }
        scoring
    }

    fn shares(&self, partial: bool) -> Vec<Share> {
        let mut shares: Vec<Share> = Vec::new();
        for (points, test) in self.points.iter().zip(1..) {
            let share = Share::whole(i64::to_string(&test), *points);
            shares.push(Share { aggregation: Aggregation::Sum, ..share });
        }
        for (subtask, number) in self.subtasks.iter().zip(1..) {
            let share = Share::whole(i64::to_string(&number), subtask.points);
            let is_min = partial && subtask.kind == UojSubtaskKind::Min;
            shares.push(Share {
                aggregation: if is_min { Aggregation::Min } else { Aggregation::PassFail },
                requires: subtask.requires.iter().map(i64::to_string).collect(),
                ..share
            });
        }
        shares.push(Share::whole(EXTRA, 0.0));
        shares
    }
}

fn kind_of(table: &Fields<'_>, number: i64, notices: &mut Notices) -> UojSubtaskKind {
    let key = format!("subtask_type_{number}");
    match table.text(&key, notices).as_deref() {
        None | Some("packed") => UojSubtaskKind::Packed,
        Some("min") => UojSubtaskKind::Min,
        Some(other) => {
            let what = format!("unknown `{key} {}`", crate::notice::visible(other));
            table.fault_at(&key, &what, "write `packed` or `min`", notices);
            UojSubtaskKind::Packed
        }
    }
}

/// Subtask `number` of `all`.
fn subtask(table: &Fields<'_>, number: i64, all: i64, notices: &mut Notices) -> UojSubtask {
    let kind = kind_of(table, number, notices);
    let end = numbered(table, "subtask_end", number, notices).map_or(0, whole);
    #[expect(clippy::cast_precision_loss, reason = "at most 100")]
    let even = (100 / all) as f64;
    let points = numbered(table, "subtask_score", number, notices).unwrap_or(even).trunc();
    let key = format!("subtask_dependence_{number}");
    let requires: Vec<i64> = match table.text(&key, notices).as_deref() {
        None | Some("none") => Vec::new(),
        Some("many") => {
            let listed = (1..).map_while(|one| {
                let one = format!("{key}_{one}");
                table.has(&one).then(|| table.number(&one, notices).map_or(0, whole))
            });
            listed.collect()
        }
        Some(_) => table.number(&key, notices).map(whole).into_iter().collect(),
    };
    let is_earlier = |one: &i64| (1..number).contains(one);
    if !requires.iter().all(is_earlier) {
        let what = format!("`{key}` must name subtasks before {number}");
        table.fault_at(&key, &what, "write the number of an earlier subtask", notices);
    }
    if kind == UojSubtaskKind::Min && !requires.is_empty() {
        let at = table.place_at(&key, notices);
        let what =
            format!("`{key}` has no effect here, because subtask {number} has the type `min`");
        notices.warn_help(
            Code::UnusedSetting.at(&at, what),
            "on UOJ, the worst test of the named subtasks also limits the points of this one",
        );
        return UojSubtask { kind, end, points, requires: Vec::new() };
    }
    UojSubtask { kind, end, points, requires }
}

/// The limits on programs: of a test, or of all.
pub(super) fn limits(
    table: &Fields<'_>,
    test: Option<i64>,
    notices: &mut Notices,
) -> ProblemLimits {
    let mut read = |key: &str| {
        let stated = match test {
            Some(test) => numbered(table, key, test, notices),
            None => table.number(key, notices),
        };
        stated.filter(|limit| *limit > 0.0)
    };
    let time = read("time_limit").unwrap_or(1.0);
    ProblemLimits {
        cpu_time: Some(Duration::from_secs_f64(time.min(86_400.0))),
        memory: Some(mebibytes(read("memory_limit").unwrap_or(256.0))),
        output: read("output_limit").map(mebibytes),
        ..ProblemLimits::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the lines of a `problem.conf` mean, with the warnings and errors.
    fn read(lines: &str) -> (UojTests, Notices) {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("problem.conf");
        std::fs::write(&path, lines).unwrap();
        let mut notices = Notices::default();
        let file = super::super::uoj_conf::read(&path, &mut notices).unwrap();
        let tests = UojTests::read(&file.fields(), &mut notices);
        (tests, notices)
    }

    fn shown(tests: &UojTests) -> Vec<String> {
        let shares = tests.shares(true);
        let show = |one: &Share| {
            format!("{} {} {:?} {}", one.name, one.points, one.aggregation, one.requires.join(","))
        };
        shares.iter().map(show).collect()
    }

    #[test]
    fn tests_without_subtasks_have_whole_points() {
        let (tests, _) = read("n_tests 3\nn_ex_tests 2\nn_sample_tests 1\npoint_score_2 40\n");
        let names: Vec<String> = tests.cases().into_iter().map(|(_, name)| name).collect();
        assert_eq!(names, ["sample/1", "secret/1", "secret/2", "secret/3", "secret/extra/2"]);
        assert_eq!(shown(&tests), ["1 33 Sum ", "2 40 Sum ", "3 33 Sum ", "extra 0 PassFail "]);
        // There are no more samples than extra tests.
        let (tests, _) = read("n_tests 1\nn_sample_tests 1\n");
        assert_eq!(tests.cases(), [(1, "secret/1".to_owned())]);
        assert_eq!(read("").0.cases().len(), 10);
    }

    #[test]
    fn subtasks_have_the_points_and_the_dependences_of_their_kind() {
        let (tests, notices) = read(
            "n_tests 6\nn_subtasks 3\nsubtask_end_1 2\nsubtask_end_2 3\nsubtask_end_3 6\nsubtask_score_1 10\n\
             subtask_type_2 min\nsubtask_dependence_3 many\nsubtask_dependence_3_1 1\nsubtask_dependence_3_2 2\n",
        );
        assert!(notices.errors.is_empty() && notices.warnings.is_empty());
        assert_eq!(
            shown(&tests),
            ["1 10 PassFail ", "2 33 Min ", "3 33 PassFail 1,2", "extra 0 PassFail "]
        );
        let names: Vec<String> = tests.cases().into_iter().map(|(_, name)| name).collect();
        assert_eq!(
            names,
            ["secret/1/1", "secret/1/2", "secret/2/3", "secret/3/4", "secret/3/5", "secret/3/6"]
        );
    }

    #[test]
    fn a_single_subtask_is_all_tests_and_all_points() {
        let (tests, _) = read("n_tests 3\nn_subtasks 1\nsubtask_end_1 2\nsubtask_score_1 40\n");
        assert_eq!(tests.cases().len(), 3);
        assert_eq!(shown(&tests), ["1 100 PassFail ", "extra 0 PassFail "]);
        let (tests, _) = read("n_tests 3\nn_subtasks 1\nsubtask_end_1 2\nsubtask_type_1 min\n");
        assert_eq!(tests.cases().len(), 2);
    }

    #[test]
    fn broken_subtasks_are_reported_with_their_lines() {
        let (_, notices) = read(
            "n_tests 2\nn_subtasks 2\nsubtask_end_1 1\nsubtask_end_2 2\nsubtask_dependence_1 2\nsubtask_type_2 max\n",
        );
        let errors: Vec<&str> = notices.errors.iter().map(|one| one.message.as_str()).collect();
        assert!(errors[0].ends_with(":5:1: `subtask_dependence_1` must name subtasks before 1"));
        assert!(errors[1].ends_with(":6:1: unknown `subtask_type_2 max`"), "{errors:?}");
        let (_, notices) = read(
            "n_subtasks 2\nsubtask_end_1 1\nsubtask_end_2 2\nsubtask_type_2 min\nsubtask_dependence_2 1\n",
        );
        assert!(notices.warnings[0].message.contains("`subtask_dependence_2` has no effect here"));
    }
}
