//! `rejudge strength`: what the cases of a problem catch.

use serde_json::Value;

use crate::support::Repo;

mod bounds;
mod killing;
mod mutants;

/// A submission in Bash that prints these words, one for each case: the input is the number of the case.
fn prints(words: &[&str]) -> String {
    format!("words=({})\nread n\necho ${{words[n]}}\n", words.join(" "))
}

/// A problem whose answer is `yes` on every case.
fn repo(cases: usize, wrong: &[(&str, &[&str])]) -> Repo {
    let repo = Repo::new();
    repo.problem("p", "name: P\nlimits: {time_limit: 5}\n", &[]);
    for case in 0..cases {
        repo.file(&format!("cases/p/data/secret/{case}.in"), format!("{case}\n"));
        repo.file(&format!("cases/p/data/secret/{case}.ans"), "yes\n");
    }
    repo.file("solutions/p/good.sh", "echo yes\n");
    for (name, words) in wrong {
        repo.file(&format!("solutions/p/{name}.sh"), prints(words));
    }
    repo
}

fn lines(repo: &Repo, args: &[&str]) -> (i32, Vec<Value>) {
    let output = repo.command(args).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    (output.status.code().unwrap(), lines.collect())
}

/// The problem's line of JSON.
fn strength(repo: &Repo, args: &[&str]) -> (i32, Value) {
    let (status, mut lines) = lines(repo, &[&["strength", "--json", "-"], args].concat());
    (status, lines.pop().unwrap())
}
