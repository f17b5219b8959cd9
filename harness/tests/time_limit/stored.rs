//! Time limits that are stored, and what they depend on.

use std::fs;

use super::{judge, package};
use crate::support::Repo;

/// As many limits are kept.
fn kept(repo: &Repo) -> usize {
    fs::read_dir(repo.path("cache/time-limits")).map_or(0, Iterator::count)
}

#[test]
fn a_stored_limit_is_used_only_if_nothing_that_it_depends_on_changed() {
    if crate::support::lacks("python3") {
        return;
    }
    let repo =
        package("problem_format_version: 2025-09\nname: P\n", &[("accepted/a.mine", "echo 1\n")]);
    let table = |compile: &str, run: &str, more: &str| {
        format!(
            "[languages.mine]\nname = \"Mine\"\nextensions = [\"mine\"]\ninstall = \"a shell\"\n\
             compile = [{compile}]\nrun = [{run}]\n{more}"
        )
    };
    let (compile, run) = (r#""sh", "-n", "{source}""#, r#""sh", "{source}""#);
    repo.file("rejudge.toml", table(compile, run, ""));
    let judged = |args: &[&str]| {
        let ran = judge(&repo, &[args, &["p"]].concat());
        assert_eq!(ran.status, 0, "{}", ran.all());
        kept(&repo)
    };
    assert_eq!(judged(&[]), 1);
    assert_eq!(judged(&[]), 1, "nothing has changed");
    let checker = "import sys\nsys.exit(42)\n";
    let changes: [(&str, &str, String); 6] = [
        (
            "the compiler's command line",
            "rejudge.toml",
            table(r#""sh", "-nu", "{source}""#, run, ""),
        ),
        ("the program's", "rejudge.toml", table(compile, r#""sh", "-u", "{source}""#, "")),
        ("the factor", "rejudge.toml", table(compile, run, "time_factor = 2\n")),
        ("a variable", "rejudge.toml", table(compile, run, "env = { MINE = \"1\" }\n")),
        ("an answer", "p/data/secret/1.ans", "1 \n".to_owned()),
        ("the checker", "p/output_validator/check.py", checker.to_owned()),
    ];
    let mut count = 1;
    for (what, path, text) in changes {
        repo.file(path, text);
        count += 1;
        assert_eq!(judged(&[]), count, "{what} has changed");
        assert_eq!(judged(&[]), count, "nothing has changed after {what}");
    }
    for args in [["-m", "100"], ["--sandbox", "off"], ["--time-factor", "3"]] {
        count += 1;
        assert_eq!(judged(&args), count, "{args:?}");
    }
}
