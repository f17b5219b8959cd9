//! Runs that are divided into shards, and the merge of their reports.

mod agreement;
mod refused;
mod strict;

use serde_json::Value;

use crate::support::{Ran, Repo};

/// Runs shard `number` of `of` with these arguments, and writes its report to `NUMBER.jsonl`.
fn shard(repo: &Repo, number: usize, of: usize, args: &[&str]) -> Ran {
    let shard = format!("{number}/{of}");
    let file = format!("{number}.jsonl");
    let fixed = ["run", "-q", "--shard", &shard, "--json", &file];
    repo.run(&[&fixed, args].concat())
}

/// Merges the reports of `of` shards to `merged.jsonl`.
fn merge(repo: &Repo, of: usize) -> Ran {
    let files: Vec<String> = (1..=of).map(|number| format!("{number}.jsonl")).collect();
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    repo.run(&[&["merge", "--json", "merged.jsonl"], files.as_slice()].concat())
}

/// The lines of a report, without what is measured: times, memory, and what follows from them.
fn results(text: &str) -> Vec<Value> {
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.map(without_figures).collect()
}

fn without_figures(mut line: Value) -> Value {
    const MEASURED: [&str; 22] = [
        "time",
        "machine",
        "cpu_ms",
        "wall_ms",
        "memory_bytes",
        "slowest_case",
        "slowest_cpu_ms",
        "confirmed",
        "first_cpu_ms",
        "first_wall_ms",
        "disturbed",
        "reruns",
        "killed_by_others",
        "observed_ms",
        "starved_ms",
        "run_delay_ms",
        "others_cpu_ms",
        "steal_ms",
        "throttled_ms",
        "repeats",
        "transcript",
        "transcript_lines",
    ];
    let object = line.as_object_mut().unwrap();
    object.retain(|key, _| !MEASURED.contains(&key.as_str()));
    // The reason of a killed run has what was measured, and the rest of its output depends on the moment.
    let verdict = object.get("verdict").and_then(Value::as_str);
    if matches!(verdict, Some("TLE" | "MLE" | "OLE")) {
        object.retain(|key, _| !matches!(key.as_str(), "feedback" | "output" | "output_bytes"));
    }
    if let Some(build) = object.get_mut("build").and_then(Value::as_object_mut) {
        build.retain(|key, _| !matches!(key.as_str(), "cached" | "wall_ms"));
    }
    line
}

/// A repository with two problems and submissions of several verdicts. Scripts need no compiler, so the runs are short.
fn archive() -> Repo {
    let repo = Repo::with_sum();
    repo.problem(
        "echo",
        "name: Echo\nlimits:\n  time_limit: 2\n",
        &[("sample/1", "1\n", "1\n"), ("secret/2", "2\n", "2\n")],
    );
    for (path, script) in [
        ("sum/a.sh", "read a b; echo $((a + b))"),
        ("sum/b.sh", "echo 3"),
        ("sum/wrong_answer/c.sh", "echo 4"),
        ("sum/run_time_error/d.sh", "exit 3"),
        ("echo/a.sh", "cat"),
        ("echo/wrong_answer/b.sh", "cat"),
    ] {
        repo.file(&format!("solutions/{path}"), format!("{script}\n"));
    }
    repo
}
