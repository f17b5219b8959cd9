//! `rejudge bench`: measuring, comparing, saving, and every reason for not giving a decision.
//!
//! No outcome here depends on how busy the machine is. Programs that are compared by time differ by a factor of ten,
//! and take ten times as long as the shortest time that is measured. The other tests compare memory or instructions.

use std::process::Command;

use serde_json::Value;

mod compare;
mod measure;
mod revisions;
mod stored;

use crate::support::{Ran, Repo, skip};

/// A program that runs `rounds` iterations of a loop for each unit of its input, and prints `ok`.
fn program(rounds: u32) -> String {
    format!(
        "fn main() {{\n    let text = std::io::read_to_string(std::io::stdin()).unwrap();\n    \
         let n: u64 = text.trim().parse().unwrap();\n    let mut x = 1u64;\n    \
         for i in 0..n * {rounds} {{\n        \
         x = std::hint::black_box(x.wrapping_mul(6364136223846793005).wrapping_add(i));\n    }}\n    \
         println!(\"{{}}\", if x == 0 {{ \"no\" }} else {{ \"ok\" }});\n}}\n"
    )
}

const SOLUTION: &str = "solutions/busy/busy.rs";

/// Numbers of rounds: `LONG` takes about 75 ms on the long case, `TENTH` a tenth of that, and `COUNTED`, whose
/// instructions are counted, a twentieth.
const LONG: u32 = 60_000;
const TENTH: u32 = LONG / 10;
const COUNTED: u32 = 3000;

/// A number of pairs at which chance alone seldom shows a difference, even if a busy machine disturbs two of them.
const PAIRS: &str = "15";

/// A repository with one solution, and one problem that has a short and a long case.
fn repo() -> Repo {
    let repo = Repo::new();
    let cases = [("sample/short", "1\n", "ok\n"), ("secret/long", "1000\n", "ok\n")];
    repo.problem("busy", "name: Busy\nlimits:\n  time_limit: 60\n", &cases);
    repo.file(SOLUTION, program(LONG));
    repo
}

/// Calls git, and returns what it prints.
fn git(repo: &Repo, args: &[&str]) -> String {
    let author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    let output =
        Command::new("git").current_dir(repo.path("")).args(author).args(args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {output:?}");
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// The same repository in git, with everything committed. Its solution runs `rounds` iterations.
fn committed(rounds: u32) -> Repo {
    let repo = repo();
    repo.file(SOLUTION, program(rounds));
    git(&repo, &["init", "-q", "-b", "main"]);
    git(&repo, &["add", "."]);
    git(&repo, &["commit", "-q", "-m", "first"]);
    repo
}

pub(crate) fn has_valgrind() -> bool {
    let found = Command::new("valgrind").arg("--version").output().is_ok();
    if !found {
        skip("valgrind is not installed");
    }
    found
}

/// The lines of a JSON report.
fn lines(ran: &Ran) -> Vec<Value> {
    let lines = ran.stdout.lines();
    lines.map(|line| serde_json::from_str(line).unwrap()).collect()
}

fn of_type<'a>(lines: &'a [Value], kind: &'a str) -> impl Iterator<Item = &'a Value> {
    lines.iter().filter(move |line| line["type"] == kind)
}
