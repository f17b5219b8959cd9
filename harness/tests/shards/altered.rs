//! A merge rejects reports that are not as rejudge wrote them, and says what an undivided run says.

use super::{archive, merge, shard};
use crate::support::Repo;
use crate::support::divided::with_new_digests;

/// The lines of a report that have this type, by their index.
fn of_type(lines: &[&str], kind: &str) -> Vec<usize> {
    let start = format!("{{\"type\":\"{kind}\"");
    let all = lines.iter().enumerate();
    all.filter(|(_, line)| line.starts_with(&start)).map(|(index, _)| index).collect()
}

/// The result of a merge of the report with other lines.
fn merged(repo: &Repo, lines: &[&str]) -> crate::support::Ran {
    repo.file("1.jsonl", lines.join("\n") + "\n");
    repo.run(&["merge", "1.jsonl", "--partial", "--json", "out.jsonl"])
}

#[test]
fn a_line_that_was_deleted_doubled_moved_or_altered_is_named_with_its_file_and_submission() {
    let repo = archive();
    shard(&repo, 1, 1, &[]);
    let report = repo.read("1.jsonl");
    let whole: Vec<&str> = report.lines().collect();
    assert_eq!(merged(&repo, &whole).status, 1);
    std::fs::remove_file(repo.path("out.jsonl")).unwrap();
    let (cases, digests) = (of_type(&whole, "case"), of_type(&whole, "digest"));
    // The head, six submissions, the last line.
    assert_eq!(digests.len(), 8);
    let name = |line: &str| {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        value["submission"].as_str().unwrap_or("").to_owned()
    };
    let first = whole[0].replacen("\"jobs\":", "\"jobs\": ", 1);
    let ran = merged(&repo, &[&[first.as_str()], &whole[1..]].concat());
    let shown = "its first lines do not fit their digest";
    assert!(ran.stderr.contains(shown), "{}", ran.all());
    // Each other line of the report: twice, missing, with one more space, and after the next one.
    for (index, line) in whole.iter().enumerate().skip(1) {
        let altered = line.replacen("\"schema\":1", "\"schema\":1 ", 1);
        let mut changes = vec![vec![*line, *line], vec![], vec![altered.as_str()]];
        if index + 1 == whole.len() {
            // Without its last digest, the run may have been killed, and white space in it changes nothing.
            changes.truncate(1);
        }
        for change in changes {
            let mut lines = whole.clone();
            lines.splice(index..=index, change);
            let ran = merged(&repo, &lines);
            assert_eq!(ran.status, 2, "{index}: {}", ran.all());
            assert!(
                ran.stderr.contains("`1.jsonl`, shard 1 of 1, is not as rejudge wrote it: ")
                    && ran.stderr.contains("help: run it again with `--shard 1/1`"),
                "{index}: {}",
                ran.all()
            );
            if cases.contains(&index) {
                let shown = format!("the lines of `{}` do not fit their digest", name(line));
                assert!(ran.stderr.contains(&shown), "{index}: {}", ran.all());
            }
            assert!(!repo.path("out.jsonl").exists(), "{index}");
        }
        if index + 1 < whole.len() {
            let mut lines = whole.clone();
            lines.swap(index, index + 1);
            let ran = merged(&repo, &lines);
            assert_eq!(ran.status, 2, "{index}: {}", ran.all());
            assert!(!repo.path("out.jsonl").exists(), "{index}");
        }
    }
}

#[test]
fn a_submission_that_is_there_twice_is_said_to_be() {
    let repo = archive();
    shard(&repo, 1, 1, &[]);
    let report = repo.read("1.jsonl");
    let lines: Vec<&str> = report.lines().collect();
    let digests = of_type(&lines, "digest");
    let block = &lines[digests[0] + 1..=digests[1]];
    let twice = [&lines[..=digests[1]], block, &lines[digests[1] + 1..]].concat();
    for report in [twice.join("\n"), with_new_digests(&twice.join("\n"))] {
        let ran = merged(&repo, &report.lines().collect::<Vec<_>>());
        assert_eq!(ran.status, 2, "{}", ran.all());
        let shown = "`1.jsonl`, shard 1 of 1, is not as rejudge wrote it: it has the results of `solutions/echo/a.sh` twice";
        assert!(ran.stderr.contains(shown), "{}", ran.all());
        assert!(!ran.stderr.contains("1000"), "{}", ran.all());
    }
}

#[test]
fn submissions_of_another_report_do_not_fit() {
    let repo = archive();
    shard(&repo, 1, 2, &[]);
    shard(&repo, 2, 2, &[]);
    let (one, two) = (repo.read("1.jsonl"), repo.read("2.jsonl"));
    let (one, two): (Vec<&str>, Vec<&str>) = (one.lines().collect(), two.lines().collect());
    let (of_one, of_two) = (of_type(&one, "digest"), of_type(&two, "digest"));
    let foreign = &two[of_two[0] + 1..=of_two[1]];
    let mixed = [&one[..=of_one[0]], foreign, &one[of_one[1] + 1..]].concat();
    // Even with digests that fit: the unit is another one.
    for report in [mixed.join("\n"), with_new_digests(&mixed.join("\n"))] {
        let ran = merged(&repo, &report.lines().collect::<Vec<_>>());
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert!(ran.stderr.contains("do not fit their digest"), "{}", ran.all());
    }
}

#[test]
fn a_shard_of_a_version_without_digests_is_rejected() {
    let repo = archive();
    shard(&repo, 1, 1, &[]);
    let report = repo.read("1.jsonl");
    let old = report.lines().filter(|line| !line.starts_with("{\"type\":\"digest\""));
    let ran = merged(&repo, &old.collect::<Vec<_>>());
    assert_eq!(ran.status, 2, "{}", ran.all());
    let shown = "its first lines have no digest\nhelp: run it again with `--shard 1/1` and this version of rejudge";
    assert!(ran.stderr.contains(shown), "{}", ran.all());
    // They are for shards only.
    repo.run(&["run", "-q", "--json", "whole.jsonl"]);
    assert!(!repo.read("whole.jsonl").contains("\"type\":\"digest\""));
}

#[test]
fn the_errors_of_a_broken_problem_are_named() {
    let repo = archive();
    repo.problem("broken", "name: Broken\n", &[("secret/1", "1\n", "1\n")])
        .file("cases/broken/data/secret/2.in", "2\n")
        .file("cases/sum/problem.yaml", "name: Sum\nlimits: {time_limit: 2}\nlimit: 3\n");
    repo.file("solutions/broken/a.sh", "cat\n");
    let whole = repo.run(&["run", "-q"]);
    for number in 1..=2 {
        shard(&repo, number, 2, &[]);
    }
    let ran = merge(&repo, 2);
    assert_eq!((ran.status, whole.status), (2, 2), "{}", ran.all());
    let named = "error: cases/broken/data/secret/2.in has no .ans file\n";
    assert_eq!(ran.stderr.matches(named).count(), 1, "{}", ran.all());
    assert!(ran.stderr.contains("warning: "), "{}", ran.all());
    assert_eq!(ran.stderr, whole.stderr);
}

#[test]
fn a_shard_that_could_judge_nothing_names_the_reason() {
    let repo = Repo::new();
    repo.problem("broken", "name: Broken\n", &[("secret/1", "1\n", "1\n")]);
    repo.file("cases/broken/data/secret/2.in", "2\n").file("solutions/broken/a.sh", "cat\n");
    assert_eq!(shard(&repo, 1, 1, &[]).status, 2);
    let ran = merge(&repo, 1);
    assert_eq!(ran.status, 2, "{}", ran.all());
    let shown = "`1.jsonl` has no results: cases/broken/data/secret/2.in has no .ans file";
    assert!(ran.stderr.contains(shown), "{}", ran.all());
}
