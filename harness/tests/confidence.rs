//! How much a time limit can be trusted: factors that scale it, and runs near it.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

mod support;

use serde_json::Value;
use support::Repo;

/// The lines of one type in a JSON report.
fn lines(report: &str, kind: &str) -> Vec<Value> {
    let lines = report
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    lines.filter(|line: &Value| line["type"] == kind).collect()
}

#[test]
fn factors_of_the_command_line_and_of_the_language_scale_the_limits_of_time() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/wrong_answer/silent.rs", "fn main() {}\n")
        .file("rejudge.toml", "[languages.rust]\ntime_factor = 2\n");
    let limits = |args: &[&str]| {
        let args = [&["run", "--json", "-"], args].concat();
        let ran = repo.run(&args);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let limits = lines(&ran.stdout, "submission")[0]["limits"].clone();
        ["cpu_ms", "wall_ms", "time_factor"].map(|key| limits[key].to_string())
    };
    assert_eq!(limits(&[]), ["4000.0", "12000.0", "2.0"]);
    assert_eq!(
        limits(&["--time-factor", "1.5"]),
        ["6000.0", "18000.0", "3.0"]
    );
    let mut command = repo.command(&["run", "-v", "--time-factor", "1.5"]);
    let shown = String::from_utf8(command.output().unwrap().stdout).unwrap();
    assert!(shown.contains(", time factor 3\n"), "{shown}");
    repo.file("rejudge.toml", "[languages.rust]\ntime_factor = 0\n");
    let ran = repo.run(&["run"]);
    let expected =
        "error: `time_factor` of language `rust` must be above 0 and at most 1000, got `0`\n";
    assert_eq!((ran.stderr.as_str(), ran.status), (expected, 2));
}
