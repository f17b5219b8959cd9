//! Time limits that are inferred from the jury's submissions. The tests compare the arithmetic and the submissions that
//! bound the limit, never running times.

use std::fs;

use crate::support::{Ran, Repo};

/// A program that uses this amount of CPU time, in hundredths of a second, and then prints the answer.
fn spin(hundredths: u32) -> String {
    format!("import time\nwhile time.process_time() < {hundredths} / 100: pass\nprint(1)\n")
}

fn package(yaml: &str, submissions: &[(&str, &str)]) -> Repo {
    let repo = Repo::new();
    repo.file("p/problem.yaml", yaml);
    repo.file("p/data/secret/1.in", "")
        .file("p/data/secret/1.ans", "1\n");
    for (path, text) in submissions {
        repo.file(&format!("p/submissions/{path}"), text);
    }
    repo
}

/// Judges with a separate cache, so that no limit is known from an earlier test.
fn judge(repo: &Repo, args: &[&str]) -> Ran {
    // On a busy machine one second of CPU time may take many seconds of wall time.
    let mut command = repo.command(&[&["run", "-v", "--wall-limit", "60"], args].concat());
    command.env("REJUDGE_CACHE_DIR", repo.path("cache"));
    repo.finish(&mut command)
}

fn limit(ran: &Ran) -> f64 {
    let line = ran
        .stderr
        .lines()
        .find(|line| line.starts_with("note: p: time limit "));
    let line = line.unwrap_or_else(|| panic!("{}", ran.all()));
    line.split(' ').nth(4).unwrap().parse().unwrap()
}

#[test]
fn the_limit_is_above_every_submission_that_must_be_in_time_and_below_those_that_must_not() {
    let yaml = "problem_format_version: 2025-09\nname: P\nlimits: {time_resolution: 0.125}\n";
    let repo = package(
        yaml,
        &[
            ("accepted/quick.py", &spin(1)),
            // It may be wrong, but must be in time.
            ("wrong_answer/slow.py", &(spin(60) + "print(2)\n")),
            ("brute_force/slower.py", "import time\nwhile True: pass\n"),
            ("time_limit_exceeded/never.py", "while True: pass\n"),
        ],
    );
    let ran = judge(&repo, &["p"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let found = limit(&ran);
    assert!(
        (0.125..30.0).contains(&found) && (found / 0.125).fract() == 0.0,
        "{}",
        ran.all()
    );
    assert!(
        ran.stderr.contains("wrong_answer/slow.py` takes"),
        "{}",
        ran.all()
    );
    assert!(
        ran.stderr
            .contains(" on `secret/1`, and the limit is at least 2 times that"),
        "{}",
        ran.all()
    );
    // The limit is cached as long as nothing changes, for any selection of cases and solutions.
    let again = judge(&repo, &["p/submissions/accepted", "--case", "1"]);
    assert_eq!(ran.stderr, again.stderr, "{}", again.all());
    assert_eq!(
        fs::read_dir(repo.path("cache/time-limits"))
            .unwrap()
            .count(),
        1
    );
    repo.file("p/data/secret/1.in", "changed");
    judge(&repo, &["p/submissions/accepted"]);
    assert_eq!(
        fs::read_dir(repo.path("cache/time-limits"))
            .unwrap()
            .count(),
        2
    );
    // A limit on the command line replaces the inferred one, and no note is printed.
    let given = judge(&repo, &["-t", "20", "p/submissions/accepted"]);
    assert_eq!(given.status, 0, "{}", given.all());
    assert!(!given.stderr.contains("note:"), "{}", given.all());
}

#[test]
fn a_contradiction_between_the_bounds_is_an_error_that_names_both() {
    let yaml = "name: P\n";
    let repo = package(
        yaml,
        &[
            ("accepted/slow.py", &spin(10)),
            ("time_limit_exceeded/hardly.py", &spin(12)),
        ],
    );
    let ran = judge(&repo, &["p"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    for words in [
        "error: cannot infer the time limit of `p`: `p/submissions/accepted/slow.py` takes",
        "on `secret/1`, and the limit is at least 5 times that, which gives",
        "but `p/submissions/time_limit_exceeded/hardly.py` must take at least 2 times the limit and takes only",
        "help: set `limits.time_limit` in problem.yaml, or fix the submissions",
    ] {
        assert!(ran.stderr.contains(words), "{words}\n{}", ran.all());
    }
    // The margins of the legacy format can be set, and a submission can be excluded.
    repo.file(
        "p/problem.yaml",
        "name: P\nlimits: {time_multiplier: 1, time_safety_margin: 1, time_resolution: 0.01}\n",
    );
    let ran = judge(&repo, &["p"]);
    assert!(
        ran.stderr.contains("at least 1 times that"),
        "{}",
        ran.all()
    );
}

#[test]
fn use_for_time_limit_sets_the_side_of_the_bound() {
    let repo = package(
        "problem_format_version: 2025-09\nname: P\n",
        &[
            ("accepted/quick.py", &spin(1)),
            ("accepted/slow.py", &spin(20)),
            (
                "submissions.yaml",
                "accepted: {use_for_time_limit: false}\naccepted/quick.py: {use_for_time_limit: lower}\n",
            ),
        ],
    );
    let ran = judge(&repo, &["p", "--case", "1"]);
    assert!(
        ran.stderr
            .contains("because `p/submissions/accepted/quick.py` takes"),
        "{}",
        ran.all()
    );
    repo.file(
        "p/submissions/submissions.yaml",
        "accepted: {use_for_time_limit: false}\n",
    );
    let ran = judge(&repo, &["p"]);
    assert!(
        !ran.stderr.contains("note:"),
        "nothing bounds it: {}",
        ran.all()
    );
    assert_eq!(ran.status, 0, "{}", ran.all());
}

#[test]
fn invalid_margins_are_errors_that_name_them() {
    let table = [
        (
            "limits: {time_multipliers: {ac_to_time_limit: 0.5}}",
            ":1:47: `limits.time_multipliers.ac_to_time_limit` must be at least 1, got `0.5`",
        ),
        (
            "limits: {time_safety_margin: 0.5}",
            ":1:30: `limits.time_safety_margin` must be at least 1, got `0.5`",
        ),
        (
            "limits: {time_resolution: 0}",
            ":1:27: `limits.time_resolution` must be greater than zero, got `0`",
        ),
    ];
    for (yaml, error) in table {
        let repo = package(yaml, &[("accepted/a.py", "print(1)\n")]);
        let ran = judge(&repo, &["p"]);
        assert_eq!(ran.status, 2);
        assert!(
            ran.stderr.contains(&format!("p/problem.yaml{error}")),
            "{}",
            ran.all()
        );
    }
}

/// As many limits are kept.
fn kept(repo: &Repo) -> usize {
    fs::read_dir(repo.path("cache/time-limits")).map_or(0, Iterator::count)
}

#[test]
fn a_stored_limit_is_used_only_if_nothing_that_it_depends_on_changed() {
    let repo = package(
        "problem_format_version: 2025-09\nname: P\n",
        &[("accepted/a.mine", "echo 1\n")],
    );
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
        (
            "the program's",
            "rejudge.toml",
            table(compile, r#""sh", "-u", "{source}""#, ""),
        ),
        (
            "the factor",
            "rejudge.toml",
            table(compile, run, "time_factor = 2\n"),
        ),
        (
            "a variable",
            "rejudge.toml",
            table(compile, run, "env = { MINE = \"1\" }\n"),
        ),
        ("an answer", "p/data/secret/1.ans", "1 \n".to_owned()),
        (
            "the checker",
            "p/output_validator/check.py",
            checker.to_owned(),
        ),
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
