//! Tables of a problem with points, at several widths.

use insta::assert_snapshot;
use unicode_width::UnicodeWidthStr as _;

use super::*;
use crate::event::{GroupScore, Score};
use crate::sandbox::Usage;
use crate::specimen;

fn result(submission: &str, case: &str, verdict: Verdict, millis: u64) -> CaseResult {
    CaseResult {
        submission: submission.to_owned(),
        usage: Usage { cpu_user: Duration::from_millis(millis), ..Usage::default() },
        ..specimen::result(case, verdict)
    }
}

/// The table of submissions with these verdicts in three groups of two cases, of which the last two have points.
fn table(by: TableBy, columns: Option<usize>) -> String {
    let mut table = VerdictTable::new(by);
    for (name, verdicts) in [
        ("p/submissions/accepted/fast.rs", [Verdict::Accepted; 3]),
        (
            "p/submissions/wrong_answer/greedy.py",
            [Verdict::Accepted, Verdict::Accepted, Verdict::WrongAnswer],
        ),
        (
            "p/submissions/time_limit_exceeded/slow.cpp",
            [Verdict::Accepted, Verdict::TimeLimit, Verdict::Skipped],
        ),
    ] {
        let mut groups = Vec::new();
        let mut whole = Verdict::Accepted;
        let folders = ["sample", "secret/group1", "secret/group2"];
        for ((folder, verdict), number) in folders.iter().zip(verdicts).zip(1..) {
            let first = if verdict == Verdict::Skipped { verdict } else { Verdict::Accepted };
            table.case(&result(name, &format!("{folder}/1"), first, 5));
            table.case(&result(name, &format!("{folder}/2"), verdict, 10 * number));
            if *folder != "sample" {
                groups.push(GroupScore {
                    group: (*folder).to_owned(),
                    score: if verdict == Verdict::Accepted { 40.0 } else { 0.0 },
                    max: Some(40.0),
                });
            }
            whole = with_case(whole, verdict);
        }
        table.submission(&SubmissionReport {
            score: Some(Score {
                score: groups.iter().map(|group| group.score).sum(),
                max: Some(80.0),
                groups,
            }),
            slowest: Some((String::from("secret/group2/2"), Duration::from_millis(30))),
            ..specimen::report(name, whole)
        });
    }
    let text = table.finish(columns);
    assert_eq!(table.finish(columns), "");
    anstream::adapter::strip_str(&text).to_string()
}

#[test]
fn groups_are_columns_with_verdict_time_and_points() {
    assert_snapshot!(table(TableBy::Groups, None), @r###"
                                        all             sample      group1          group2
    ok    accepted/fast.rs              AC  0.030 s 80  AC 0.010 s  AC  0.020 s 40  AC 0.030 s 40
    FAIL  wrong_answer/greedy.py        WA  0.030 s 40  AC 0.010 s  AC  0.020 s 40  WA 0.030 s  0
    FAIL  time_limit_exceeded/slow.cpp  TLE 0.030 s  0  AC 0.010 s  TLE 0.020 s  0  -           0
    "###);
}

#[test]
fn cases_are_columns() {
    assert_snapshot!(table(TableBy::Cases, None), @r###"
                                        all             sample/1    sample/2    group1/1    group1/2     group2/1    group2/2
    ok    accepted/fast.rs              AC  0.030 s 80  AC 0.005 s  AC 0.010 s  AC 0.005 s  AC  0.020 s  AC 0.005 s  AC 0.030 s
    FAIL  wrong_answer/greedy.py        WA  0.030 s 40  AC 0.005 s  AC 0.010 s  AC 0.005 s  AC  0.020 s  AC 0.005 s  WA 0.030 s
    FAIL  time_limit_exceeded/slow.cpp  TLE 0.030 s  0  AC 0.005 s  AC 0.010 s  AC 0.005 s  TLE 0.020 s  -           -
    "###);
}

#[test]
fn a_narrow_terminal_has_fewer_columns() {
    assert_snapshot!(table(TableBy::Groups, Some(80)), @r###"
                                      all             sample  group1  group2
    ok    accepted/fast.rs            AC  0.030 s 80  AC      AC  40  AC 40
    FAIL  wrong_answer/greedy.py      WA  0.030 s 40  AC      AC  40  WA  0
    FAIL  …e_limit_exceeded/slow.cpp  TLE 0.030 s  0  AC      TLE  0  -   0
    "###);
    assert_snapshot!(table(TableBy::Cases, Some(60)), @r###"
                                all             sample/1  +5
    ok    accepted/fast.rs      AC  0.030 s 80  AC        AC
    FAIL  …ng_answer/greedy.py  WA  0.030 s 40  AC        WA
    FAIL  …t_exceeded/slow.cpp  TLE 0.030 s  0  AC        TLE
    "###);
}

#[test]
fn every_line_fits_any_terminal() {
    for columns in 40..200 {
        for by in [TableBy::Groups, TableBy::Cases] {
            let text = table(by, Some(columns));
            assert_eq!(text.lines().count(), 4);
            for line in text.lines() {
                assert!(line.width() <= columns, "{columns}: {line}");
            }
        }
    }
}

#[test]
fn a_problem_without_groups_has_a_column_for_each_case() {
    let mut table = VerdictTable::new(TableBy::Groups);
    for case in ["1", "2"] {
        table.case(&result("a.rs", case, Verdict::Accepted, 5));
    }
    table.submission(&specimen::report("a.rs", Verdict::Accepted));
    // It did not compile.
    table.submission(&specimen::report("a\nb.rs", Verdict::CompileError));
    let text = table.finish(None);
    assert_snapshot!(anstream::adapter::strip_str(&text), @r###"
                   all  1           2
    ok    a.rs     AC   AC 0.005 s  AC 0.005 s
    FAIL  a\nb.rs  CE   -           -
    "###);
}
