//! Runs that are divided into shards, and the merge of their reports.

mod agreement;
mod altered;
mod plan;
mod refused;
mod strict;

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
