//! Merges reports of shards that are made here.

use super::*;
use crate::event::{Event, Shard};
use crate::report::Reporter as _;
use crate::report::json::Json;
use crate::specimen;
use crate::verdict::Verdict;

/// A report of shard `number` of 2 with these units of a run of four submissions.
struct Made {
    number: usize,
    units: Vec<usize>,
    started_ms: u64,
    plan: &'static str,
    cpu: &'static str,
    /// The number of submissions that are judged before the shard is killed.
    judged: Option<usize>,
}

impl Default for Made {
    fn default() -> Self {
        Self {
            number: 1,
            units: vec![0, 3],
            started_ms: 1,
            plan: "aa",
            cpu: "Usual 1",
            judged: None,
        }
    }
}

impl Made {
    fn second() -> Self {
        Self { number: 2, units: vec![1, 2], ..Self::default() }
    }

    fn text(&self) -> String {
        let mut out = Vec::new();
        let mut json = Json::new(&mut out);
        let mut outline = specimen::outline(self.units.len());
        outline.origin.machine.cpu = Some(self.cpu.to_owned());
        outline.shard = Some(Shard {
            number: self.number,
            of: 2,
            plan: self.plan.to_owned(),
            started_ms: self.started_ms,
            units: self.units.clone(),
            of_units: 4,
            faulty: false,
        });
        json.event(&Event::Started(&outline)).unwrap();
        for unit in self.units.iter().take(self.judged.unwrap_or(usize::MAX)) {
            let name = format!("{unit}.rs");
            let mut result = specimen::result("1", Verdict::Accepted);
            result.submission.clone_from(&name);
            result.usage.cpu_user = specimen::limits().cpu_time.mul_f64(0.9);
            json.event(&Event::Case(&result)).unwrap();
            let report = specimen::report(&name, Verdict::Accepted);
            json.event(&Event::Submission(&report)).unwrap();
        }
        if self.judged.is_none() {
            json.event(&Event::Finished(&Summary::default())).unwrap();
        }
        String::from_utf8(out).unwrap()
    }

    fn report(&self, name: &str) -> ShardReport {
        ShardReport::read(name, self.text().as_bytes()).unwrap()
    }
}

fn messages(merge: &Merge) -> Vec<&str> {
    merge.gaps.iter().map(|gap| gap.message.as_str()).collect()
}

#[test]
fn the_submissions_come_in_the_order_of_the_whole_run() {
    let (one, two) = (Made::default(), Made::second());
    let merge = choose(vec![two.report("2"), one.report("1")]);
    assert_eq!(messages(&merge), [""; 0]);
    let mut names = Vec::new();
    let texts = [("1", one.text()), ("2", two.text())];
    let open = |name: &str| {
        let text = texts.iter().find(|(known, _)| *known == name).unwrap();
        Ok(text.1.as_bytes())
    };
    let summary = merge.replay(&open, &mut |event| {
        match event {
            Event::Started(outline) => assert_eq!(outline.submissions, 4),
            Event::Submission(report) => names.push(report.submission.clone()),
            _ => {}
        }
        Ok(())
    });
    let summary = summary.unwrap();
    assert_eq!(names, ["0.rs", "1.rs", "2.rs", "3.rs"]);
    assert_eq!((summary.submissions, summary.met), (4, 4));
    assert_eq!((summary.missing.len(), summary.remarks.len()), (0, 0));
}

#[test]
fn what_is_missing_doubled_foreign_or_interrupted_is_a_gap() {
    let table: [(Vec<ShardReport>, &[&str]); 5] = [
        (vec![Made::default().report("a")], &["shard 2 of 2 is missing"]),
        (
            vec![
                Made::default().report("a"),
                Made::default().report("b"),
                Made::second().report("c"),
            ],
            &["`a` and `b` are the same run of shard 1 of 2"],
        ),
        (
            vec![Made::default().report("a"), Made { plan: "bb", ..Made::second() }.report("b")],
            &[
                "`b` does not belong to the run of `a`: it has another plan",
                "shard 2 of 2 is missing",
            ],
        ),
        (
            vec![
                Made::default().report("a"),
                Made { judged: Some(1), ..Made::second() }.report("b"),
            ],
            &["`b`, shard 2 of 2, was interrupted: it has 1 of 2 submissions"],
        ),
        (
            vec![
                Made::default().report("a"),
                Made { judged: Some(2), ..Made::second() }.report("b"),
            ],
            &["`b`, shard 2 of 2, was interrupted: it has 2 of 2 submissions"],
        ),
    ];
    for (reports, expected) in table {
        let merge = choose(reports);
        assert_eq!(messages(&merge), expected);
        assert!(merge.gaps.iter().all(|gap| gap.help.is_some()));
    }
}

#[test]
fn units_of_several_shards_are_a_gap() {
    let other = Made { units: vec![0, 2], ..Made::second() };
    let merge = choose(vec![Made::default().report("a"), other.report("b")]);
    assert_eq!(messages(&merge), ["the shards do not have every submission of the run once"]);
}

#[test]
fn a_shard_that_is_run_again_replaces_the_earlier_run_and_a_complete_one_an_interrupted_one() {
    let run = |started_ms, judged| Made { started_ms, judged, ..Made::default() };
    for (old, new) in [
        (run(1, None), run(2, None)),
        (run(1, Some(1)), run(2, None)),
        (run(9, Some(1)), run(2, None)),
        (run(1, Some(1)), run(2, Some(1))),
    ] {
        for swapped in [false, true] {
            let mut reports = vec![old.report("old"), new.report("new")];
            if swapped {
                reports.swap(0, 1);
            }
            reports.push(Made::second().report("2"));
            let merge = choose(reports);
            assert_eq!(merge.reports[0].name, "new");
            assert_eq!(merge.remarks, ["shard 1 of 2 was run again: `new` replaces `old`"]);
        }
    }
}

#[test]
fn on_unlike_machines_runs_close_to_a_limit_are_marked() {
    for (cpu, marked) in [("Usual 1", 0), ("Fast 2", 4)] {
        let (one, two) = (Made::default(), Made { cpu, ..Made::second() });
        let merge = choose(vec![one.report("1"), two.report("2")]);
        let (one, two) = (one.text(), two.text());
        let open = |name: &str| Ok(if name == "1" { one.as_bytes() } else { two.as_bytes() });
        let mut near = 0;
        let summary = merge.replay(&open, &mut |event| {
            if let Event::Case(result) = event {
                near += usize::from(result.near_limit);
            }
            Ok(())
        });
        assert_eq!(near, marked);
        let remarks = summary.unwrap().remarks;
        assert_eq!(remarks.len(), if marked == 0 { 0 } else { 2 }, "{remarks:?}");
    }
}

#[test]
fn a_report_of_a_whole_run_is_not_a_shard() {
    let mut out = Vec::new();
    let mut json = Json::new(&mut out);
    json.event(&Event::Started(&specimen::outline(0))).unwrap();
    let error = ShardReport::read("a", out.as_slice()).unwrap_err().to_string();
    assert!(error.contains("`a` is the report of a whole run"), "{error}");
}
