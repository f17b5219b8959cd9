//! Each submission of this repository that must fail is caught by the case written for it. The
//! accepted solutions pass this case, so the submission would pass without its bug.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::Repo;
use serde_json::Value;

/// Problem, submission, case, verdict.
const CAUGHT: &[(&str, &str, &str, &str)] = &[
    ("klotski", "brute_force/plain_bfs", "secret/known/century", "RTE"),
    ("klotski", "run_time_error/single_letters", "secret/labels/named", "RTE"),
    ("klotski", "time_limit_exceeded/level_as_list", "secret/worst/no-way", "TLE"),
    ("klotski", "wrong_answer/any_like", "secret/known/heng-dao-li-ma", "WA"),
    ("klotski", "wrong_answer/case_number", "sample/1", "WA"),
    ("klotski", "wrong_answer/cut_slides", "secret/shapes/through-the-known", "WA"),
    ("klotski", "wrong_answer/depth_first", "secret/known/heng-dao-li-ma", "WA"),
    ("klotski", "wrong_answer/first_cell", "sample/1", "WA"),
    ("klotski", "wrong_answer/greedy", "secret/known/heng-dao-li-ma", "WA"),
    ("klotski", "wrong_answer/hash32", "secret/worst/colliding-hashes", "WA"),
    ("klotski", "wrong_answer/merged_target", "secret/shapes/target-and-likes", "WA"),
    ("klotski", "wrong_answer/straight_slides", "secret/shapes/corner", "WA"),
    ("klotskisteps", "brute_force/plain_bfs", "secret/known/century", "RTE"),
    ("klotskisteps", "run_time_error/fixed_queue", "secret/known/super-compo", "RTE"),
    ("klotskisteps", "time_limit_exceeded/level_as_list", "secret/worst/broad-levels", "TLE"),
    ("klotskisteps", "wrong_answer/case_number", "sample/1", "WA"),
    ("klotskisteps", "wrong_answer/depth_first", "secret/known/heng-dao-li-ma", "WA"),
    ("klotskisteps", "wrong_answer/greedy", "secret/known/heng-dao-li-ma", "WA"),
    ("klotskisteps", "wrong_answer/hash32", "secret/worst/broad-levels", "WA"),
    ("klotskisteps", "wrong_answer/merged_target", "secret/shapes/target-and-likes", "WA"),
    ("klotskisteps", "wrong_answer/mirror_counted_once", "secret/known/heng-dao-li-ma", "WA"),
    ("klotskisteps", "wrong_answer/stops_at_goal", "sample/1", "WA"),
    ("matrixrotation", "run_time_error/empty_ring", "secret/small/1x1", "RTE"),
    ("matrixrotation", "run_time_error/thirty_two_bits", "secret/shapes/extremes", "RTE"),
    ("matrixrotation", "time_limit_exceeded/step_by_step", "secret/worst/halfway", "TLE"),
    ("matrixrotation", "wrong_answer/case_number", "sample/1", "WA"),
    ("matrixrotation", "wrong_answer/centre_forgotten", "secret/small/3x4", "WA"),
    ("matrixrotation", "wrong_answer/clockwise", "sample/1", "WA"),
    ("slidingpuzzle", "brute_force/breadth_first", "secret/puzzle15/r001", "RTE"),
    ("slidingpuzzle", "run_time_error/two_by_three", "secret/small/1x1", "RTE"),
    ("slidingpuzzle", "wrong_answer/depth_first", "secret/two-by-three/576", "WA"),
    ("slidingpuzzle", "wrong_answer/greedy", "sample/4", "WA"),
    ("slidingpuzzle", "wrong_answer/hash32", "secret/known/same-hash", "WA"),
    ("treeoflife", "brute_force/naive", "secret/worst/zigzag", "TLE"),
    ("treeoflife", "memory_limit_exceeded/history", "secret/worst/long", "MLE"),
    ("treeoflife", "run_time_error/recursive", "secret/worst/deepest", "RTE"),
    ("treeoflife", "wrong_answer/absolute_clock", "sample/1", "WA"),
    ("treeoflife", "wrong_answer/bit_order", "sample/1", "WA"),
    ("treeoflife", "wrong_answer/in_place", "secret/small/three", "WA"),
    ("treeoflife", "wrong_answer/sleeping_areas", "secret/small/odd-rule", "WA"),
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").canonicalize().unwrap()
}

fn source(problem: &str, submission: &str) -> String {
    let path = root().join(format!("solutions/{problem}/{submission}.rs"));
    fs::read_to_string(path).unwrap()
}

/// The submissions of a problem by folder: `""` holds those that must be accepted.
fn submissions(problem: &str) -> BTreeMap<String, Vec<String>> {
    let folder = root().join("solutions").join(problem);
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for entry in walkdir::WalkDir::new(&folder).sort_by_file_name() {
        let entry = entry.unwrap();
        if entry.file_type().is_file() {
            let path = entry.path().strip_prefix(&folder).unwrap();
            let place = path.parent().unwrap().to_str().unwrap().to_owned();
            let name = path.with_extension("").to_str().unwrap().to_owned();
            all.entry(place).or_default().push(name);
        }
    }
    all
}

/// Judges a problem on some cases; returns the verdicts by submission and case.
fn judge(problem: &str, cases: &BTreeSet<&str>) -> BTreeMap<(String, String), String> {
    let repo = Repo::new();
    let report = repo.path("report.json");
    let mut args = vec!["run", "--fail-fast=never", "--json", report.to_str().unwrap(), problem];
    for case in cases {
        args.extend(["--case", case]);
    }
    let ran = repo.finish(repo.command(&args).current_dir(root()));
    let lines = fs::read_to_string(&report).unwrap_or_else(|_| panic!("{}", ran.all()));
    let prefix = format!("solutions/{problem}/");
    let mut verdicts = BTreeMap::new();
    for line in lines.lines() {
        let line: Value = serde_json::from_str(line).unwrap();
        if line["type"] == "case" {
            let submission = line["submission"].as_str().unwrap().strip_prefix(&prefix).unwrap();
            let name = submission.trim_end_matches(".rs").to_owned();
            let case = line["case"].as_str().unwrap().to_owned();
            verdicts.insert((name, case), line["verdict"].as_str().unwrap().to_owned());
        }
    }
    verdicts
}

fn check(problem: &str) {
    let table: Vec<_> = CAUGHT.iter().filter(|row| row.0 == problem).collect();
    let cases = table.iter().map(|row| row.2).collect();
    let verdicts = judge(problem, &cases);
    let verdict = |submission: &str, case: &str| {
        let found = verdicts.get(&(submission.to_owned(), case.to_owned()));
        found.map_or("not run", String::as_str).to_owned()
    };
    for &&(_, submission, case, expected) in &table {
        assert_eq!(verdict(submission, case), expected, "{problem}/{submission} on {case}");
        for accepted in &submissions(problem)[""] {
            assert_eq!(verdict(accepted, case), "AC", "{problem}/{accepted} on {case}");
        }
    }
}

#[test]
#[ignore = "judges the whole repository: `.ci/full solutions` runs it"]
fn the_submissions_of_klotski_are_caught() {
    check("klotski");
}

#[test]
#[ignore = "judges the whole repository: `.ci/full solutions` runs it"]
fn the_submissions_of_klotskisteps_are_caught() {
    check("klotskisteps");
}

#[test]
#[ignore = "judges the whole repository: `.ci/full solutions` runs it"]
fn the_submissions_of_matrixrotation_are_caught() {
    check("matrixrotation");
}

#[test]
#[ignore = "judges the whole repository: `.ci/full solutions` runs it"]
fn the_submissions_of_slidingpuzzle_are_caught() {
    check("slidingpuzzle");
}

#[test]
#[ignore = "judges the whole repository: `.ci/full solutions` runs it"]
fn the_submissions_of_treeoflife_are_caught() {
    check("treeoflife");
}

#[test]
fn every_submission_that_must_fail_is_in_the_table() {
    let problems: BTreeSet<&str> = CAUGHT.iter().map(|row| row.0).collect();
    let folders = fs::read_dir(root().join("solutions")).unwrap();
    assert_eq!(folders.count(), problems.len());
    for problem in problems {
        let mut all = submissions(problem);
        all.remove("");
        let all: BTreeSet<String> = all.into_values().flatten().collect();
        let table: BTreeSet<String> =
            CAUGHT.iter().filter(|row| row.0 == problem).map(|row| row.1.to_owned()).collect();
        assert_eq!(table, all, "{problem}");
    }
}

#[test]
fn every_submission_that_must_fail_names_its_case() {
    for (problem, submission, case, _) in CAUGHT {
        let source = source(problem, submission);
        let head: Vec<&str> = source.lines().take_while(|line| line.starts_with("//!")).collect();
        let name = format!("`{}`", case.trim_start_matches("secret/"));
        assert!(
            head.concat().contains(&name),
            "the head comment of {problem}/{submission} does not name {name}"
        );
    }
}

/// Short, as a contestant would write them.
#[test]
fn submissions_of_the_klotski_problems_that_must_fail_are_short() {
    for (problem, submission, ..) in CAUGHT {
        let klotski = problem.starts_with("klotski");
        if klotski && !submission.starts_with("brute_force/") {
            let lines = source(problem, submission).lines().count();
            assert!(lines <= 120, "{problem}/{submission}: {lines} lines");
        }
    }
}
