//! ICPC problem packages, one rule of the formats at a time: small packages with jury submissions
//! that must get the declared verdict, or must be reported.

mod added;
mod bad;
mod kept;
mod programs;
mod settings;
mod static_validation;
mod submissions;

use crate::support::Repo;

/// Prints the first word of its input; never ends on `slow`, exits with 3 on `crash`.
const ECHO: &str = "read word rest\ncase $word in\ncrash) exit 3;;\nslow) while :; do :; done;;\n\
                    esac\necho \"$word\"\n";

/// A package in the folder `p` with `problem.yaml` and these files.
fn package(yaml: &str, files: &[(&str, &str)]) -> Repo {
    let repo = Repo::new();
    repo.file("p/problem.yaml", yaml);
    for (path, text) in files {
        repo.file(&format!("p/{path}"), text);
    }
    repo
}

const V2025: &str = "problem_format_version: 2025-09\nname: P\nlimits: {time_limit: 0.5}\n";

/// Cases for the submission above: it is right, it is wrong, or it fails.
const CASES: [(&str, &str); 8] = [
    ("data/sample/1.in", "one\n"),
    ("data/sample/1.ans", "one\n"),
    ("data/secret/crash-1.in", "crash\n"),
    ("data/secret/crash-1.ans", "crash\n"),
    ("data/secret/slow-1.in", "slow\n"),
    ("data/secret/slow-1.ans", "slow\n"),
    ("data/secret/wrong-1.in", "right\n"),
    ("data/secret/wrong-1.ans", "wrong\n"),
];

const ACCEPTED: [(&str, &str); 2] = [("data/secret/1.in", "3\n"), ("data/secret/1.ans", "3\n")];
