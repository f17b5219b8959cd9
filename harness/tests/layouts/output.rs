//! Which output limit holds where nobody states one: the layout's own, and at least twice the largest answer.

use std::fs::OpenOptions;
use std::os::unix::fs::FileExt as _;

use crate::layouts::{SUM, fixtures};
use crate::support::Repo;

const MIB: u64 = 1 << 20;

/// What a problem may print, as `rejudge list` says.
fn limit(repo: &Repo, place: &str) -> u64 {
    let ran = repo.run(&["list", "--json", "-", place]);
    let line = ran
        .stdout
        .lines()
        .find(|line| line.starts_with(r#"{"type":"problem""#))
        .unwrap_or_else(|| panic!("{}", ran.all()));
    let json: serde_json::Value = serde_json::from_str(line).unwrap();
    json["output_limit_bytes"].as_u64().unwrap()
}

/// Gives the answer at `path` this size, with a hole before its last line end.
fn enlarge(repo: &Repo, path: &str, bytes: u64) {
    let file = OpenOptions::new().write(true).open(repo.path(path));
    file.unwrap().write_all_at(b"\n", bytes - 1).unwrap();
}

#[test]
fn each_layout_has_its_own_output_limit_and_allows_twice_the_largest_answer() {
    let mut raised = 0;
    for fixture in fixtures() {
        let own = match fixture.layout {
            "icpc" => 8 * MIB,
            "dmoj" => 25_165_824,
            "hydro" => 32 * MIB,
            "qduoj" => 16 * MIB,
            _ => 64 * MIB,
        };
        let repo = fixture.write(SUM);
        assert_eq!(limit(&repo, "there/sum.rs"), own, "{}", fixture.layout);
        let answer = fixture.files.iter().find(|(_, text)| text.trim() == "12");
        if let Some((path, _)) = answer {
            enlarge(&repo, &format!("there/{path}"), 40 * MIB);
            assert_eq!(limit(&repo, "there/sum.rs"), 80 * MIB, "{}", fixture.layout);
            raised += 1;
        }
    }
    assert!(raised >= 6, "{raised}");
}

#[test]
fn an_output_limit_that_is_set_is_not_raised() {
    let repo = Repo::new();
    let states = |limits: &str| format!("problem_format_version: 2025-09\nname: Sum\n{limits}");
    repo.file("cases/sum/problem.yaml", states("limits: {output: 9}\n"))
        .file("cases/sum/data/secret/1.in", "1 2\n")
        .file("cases/sum/data/secret/1.ans", "3\n")
        .file("solutions/sum/a.rs", SUM);
    enlarge(&repo, "cases/sum/data/secret/1.ans", 40 * MIB);
    assert_eq!(limit(&repo, "sum"), 9 * MIB);
    repo.file("cases/sum/problem.yaml", states(""));
    assert_eq!(limit(&repo, "sum"), 80 * MIB);
    repo.file("rejudge.toml", "[problems.sum]\noutput_limit = 10\n");
    assert_eq!(limit(&repo, "sum"), 10 * MIB);
}

#[test]
fn the_limit_does_not_depend_on_the_cases_that_are_judged() {
    let repo = Repo::new();
    let flood = "fn main() { print!(\"{}\", \"3 \".repeat(5 << 20)); }\n";
    repo.file("cases/sum/problem.yaml", "problem_format_version: 2025-09\nname: Sum\n")
        .file("cases/sum/data/secret/1.in", "1 2\n")
        .file("cases/sum/data/secret/1.ans", "3\n")
        .file("cases/sum/data/secret/2.in", "1 2\n")
        .file("cases/sum/data/secret/2.ans", "3 ".repeat(3 << 20))
        .file("solutions/sum/wrong_answer/a.rs", flood);
    let ran = repo.run(&["run", "--case", "secret/1"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
}

#[test]
fn a_dmoj_package_may_set_its_own_output_limit() {
    let repo = Repo::new();
    let init = "output_limit_length: 1000\ntest_cases: [{in: a.in, out: a.out}]\n";
    repo.file("there/init.yml", init)
        .file("there/a.in", "1 2\n")
        .file("there/a.out", "3\n")
        .file("there/sum.rs", SUM);
    assert_eq!(limit(&repo, "there"), 1000);
    repo.file("there/init.yml", init.replace("1000", "0"));
    let ran = repo.run(&["list", "there"]);
    assert!(ran.all().contains("`output_limit_length` must be at least 1"), "{}", ran.all());
}
