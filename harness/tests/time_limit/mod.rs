//! Time limits that are inferred from the jury's submissions. The tests compare the arithmetic and the submissions that
//! bound the limit, never running times.

use std::fs;
use std::io::BufRead as _;

use crate::support::{Ran, Repo};

mod stored;

/// A program that uses this amount of CPU time, in hundredths of a second, and then prints the answer.
fn spin(hundredths: u32) -> String {
    format!("import time\nwhile time.process_time() < {hundredths} / 100: pass\nprint(1)\n")
}

fn package(yaml: &str, submissions: &[(&str, &str)]) -> Repo {
    let repo = Repo::new();
    repo.file("p/problem.yaml", yaml);
    repo.file("p/data/secret/1.in", "").file("p/data/secret/1.ans", "1\n");
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

/// The note about the limit. On a slow machine there may be others about the progress.
fn limit_note(ran: &Ran) -> &str {
    let mut lines = ran.stderr.lines();
    let line = lines.find(|line| line.starts_with("note: p: time limit "));
    line.unwrap_or_else(|| panic!("{}", ran.all()))
}

fn limit(ran: &Ran) -> f64 {
    let note = limit_note(ran);
    let number = note.split(' ').nth(4).unwrap();
    number.parse().unwrap_or_else(|_| panic!("{note}"))
}

#[test]
fn the_limit_is_above_every_submission_that_must_be_in_time_and_below_those_that_must_not() {
    if crate::support::lacks("python3") {
        return;
    }
    let yaml = "problem_format_version: 2025-09\nname: P\nlimits: {time_resolution: 0.25}\n";
    let repo = package(
        yaml,
        &[
            ("accepted/quick.py", &spin(1)),
            // It may be wrong, but must be in time.
            ("wrong_answer/slow.py", &(spin(25) + "print(2)\n")),
            ("brute_force/slower.py", "import time\nwhile True: pass\n"),
            ("time_limit_exceeded/never.py", "while True: pass\n"),
        ],
    );
    let ran = judge(&repo, &["p"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let found = limit(&ran);
    assert!((0.25..30.0).contains(&found) && (found / 0.25).fract() == 0.0, "{}", ran.all());
    assert!(ran.stderr.contains("wrong_answer/slow.py` takes"), "{}", ran.all());
    assert!(
        ran.stderr.contains(" on `secret/1`, and the limit is at least 2 times that"),
        "{}",
        ran.all()
    );
    // The limit is cached as long as nothing changes, for any selection of cases and solutions.
    let again = judge(&repo, &["p/submissions/accepted", "--case", "1"]);
    assert_eq!(limit_note(&ran), limit_note(&again), "{}", again.all());
    assert!(!again.stderr.contains("timing"), "{}", again.all());
    assert_eq!(fs::read_dir(repo.path("cache/time-limits")).unwrap().count(), 1);
    repo.file("p/data/secret/1.in", "changed");
    judge(&repo, &["p/submissions/accepted"]);
    assert_eq!(fs::read_dir(repo.path("cache/time-limits")).unwrap().count(), 2);
    // A limit on the command line replaces the inferred one, and no note is printed.
    let given = judge(&repo, &["-t", "20", "p/submissions/accepted"]);
    assert_eq!(given.status, 0, "{}", given.all());
    assert!(!given.stderr.contains("note:"), "{}", given.all());
}

#[test]
fn a_slow_accepted_submission_bounds_no_limit_and_may_be_too_slow() {
    for yaml in
        ["problem_format_version: 2025-09\nname: P\n", "name: P\nlimits: {time_multiplier: 1}\n"]
    {
        let repo = package(
            yaml,
            &[
                ("accepted/quick.sh", "echo 1\n"),
                // The limit is neither above the one nor below the other.
                ("slow_accepted/never.sh", "while :; do :; done\n"),
                ("slow_accepted/quick.sh", "echo 1\n"),
                ("slow_accepted/wrong.sh", "echo 2\n"),
            ],
        );
        let ran = judge(&repo, &["p"]);
        assert_eq!(ran.status, 1, "{}", ran.all());
        let note = limit_note(&ran);
        assert!(note.contains("`p/submissions/accepted/quick.sh` takes"), "{note}");
        for line in [
            "ok    p/submissions/slow_accepted/never.sh ",
            "ok    p/submissions/slow_accepted/quick.sh ",
            "FAIL  p/submissions/slow_accepted/wrong.sh: ",
        ] {
            assert!(ran.stdout.contains(line), "{line}\n{}", ran.all());
        }
        assert!(!ran.stderr.contains("error: "), "{}", ran.all());
    }
}

#[test]
fn a_contradiction_between_the_bounds_is_an_error_at_the_end_that_names_both() {
    if crate::support::lacks("python3") {
        return;
    }
    let yaml = "name: P\n";
    let repo = package(
        yaml,
        &[("accepted/slow.py", &spin(10)), ("time_limit_exceeded/hardly.py", &spin(12))],
    );
    let ran = judge(&repo, &["p"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    // It is judged with the limit from below, and the error comes last.
    assert!(limit(&ran) >= 1.0, "{}", ran.all());
    for line in [
        "ok    p/submissions/accepted/slow.py ",
        "FAIL  p/submissions/time_limit_exceeded/hardly.py: ",
    ] {
        assert!(ran.stdout.contains(line), "{line}\n{}", ran.all());
    }
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
    assert!(ran.stderr.contains("at least 1 times that"), "{}", ran.all());
}

#[test]
fn use_for_time_limit_sets_the_side_of_the_bound() {
    if crate::support::lacks("python3") {
        return;
    }
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
        ran.stderr.contains("because `p/submissions/accepted/quick.py` takes"),
        "{}",
        ran.all()
    );
    repo.file("p/submissions/submissions.yaml", "accepted: {use_for_time_limit: false}\n");
    let ran = judge(&repo, &["p"]);
    assert!(!ran.stderr.contains("note:"), "nothing bounds it: {}", ran.all());
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
        assert!(ran.stderr.contains(&format!("p/problem.yaml{error}")), "{}", ran.all());
    }
}

#[test]
fn in_the_legacy_format_only_accepted_submissions_bound_the_limit_from_below() {
    if crate::support::lacks("python3") {
        return;
    }
    let repo = package(
        "name: P\n",
        &[("accepted/a.py", "print(1)\n"), ("partially_accepted/slow.py", "while True: pass\n")],
    );
    let ran = judge(&repo, &["p"]);
    assert!(limit(&ran) < 60.0, "{}", ran.all());
    assert!(ran.stderr.contains("accepted/a.py` takes"), "{}", ran.all());
}

#[test]
fn a_submission_that_prints_without_end_is_not_fast() {
    if crate::support::lacks("python3") {
        return;
    }
    let repo = package(
        "name: P\n",
        &[
            ("accepted/a.py", "print(1)\n"),
            ("time_limit_exceeded/prints.py", "while True: print(1)\n"),
        ],
    );
    let ran = judge(&repo, &["p"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
}

#[test]
fn time_after_the_interactors_rejection_does_not_count() {
    let yaml = "problem_format_version: 2025-09\nname: P\ntype: interactive\n";
    let repo = package(
        yaml,
        &[
            ("accepted/a.sh", "echo 1\n"),
            // It must be in time, and loops without end, but only after it has lost.
            ("wrong_answer/loops.sh", "echo 2\nwhile :; do :; done\n"),
        ],
    );
    repo.file("p/output_validator/talk.sh", "read x\n[ \"$x\" = 1 ] && exit 42\nexit 43\n");
    let ran = judge(&repo, &["p"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(limit(&ran) < 10.0, "{}", ran.all());
}

#[test]
fn a_submission_that_cannot_run_is_left_out_with_a_warning() {
    if crate::support::lacks("python3") {
        return;
    }
    let repo = package(
        "name: P\n",
        &[
            ("accepted/a.py", "print(1)\n"),
            ("accepted/b.none", "print(1)\n"),
            ("time_limit_exceeded/c.none", "print(1)\n"),
        ],
    );
    repo.file(
        "rejudge.toml",
        "[languages.none]\nname = \"None\"\nextensions = [\"none\"]\ninstall = \"nothing\"\n\
         run = [\"no-such-program\", \"{source}\"]\n",
    );
    let ran = judge(&repo, &["p"]);
    assert!(limit(&ran) >= 1.0, "{}", ran.all());
    for name in ["accepted/b.none", "time_limit_exceeded/c.none"] {
        let words = format!(
            "`p/submissions/{name}` does not bound the time limit, because it cannot be run: "
        );
        assert!(ran.stderr.contains(&words), "{}", ran.all());
    }
    assert!(ran.stdout.contains("ok    p/submissions/accepted/a.py "), "{}", ran.all());
}

#[test]
fn an_interrupted_inference_names_the_submission_that_was_timed() {
    // It waits until the signal.
    let repo = package("name: P\n", &[("accepted/waits.sh", "while :; do sleep 1000; done\n")]);
    let mut command = repo.command(&["run", "p", "--sandbox", "off", "--wall-limit", "1000"]);
    command.env("REJUDGE_CACHE_DIR", repo.path("cache"));
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let child = command.spawn().unwrap();
    // Its artefact is stored before it is run.
    let started = std::time::Instant::now();
    let is_built =
        || fs::read_dir(repo.path("cache/artefacts")).is_ok_and(|mut all| all.next().is_some());
    while !is_built() && started.elapsed().as_secs() < 60 {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    let id = child.id().to_string();
    let kill = std::process::Command::new("kill").args(["-s", "INT", &id]).status();
    assert!(kill.unwrap().success());
    let ended = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(130), "{stderr}");
    let words = "note: interrupted while timing `p/submissions/accepted/waits.sh` for the time limit of `p`";
    assert!(stderr.contains(words), "{stderr}");
}

#[test]
fn interrupted_times_save_the_limits_that_are_known() {
    let repo = package("name: P\n", &[("accepted/a.sh", "echo 1\n")]);
    repo.file("q/problem.yaml", "name: Q\n")
        .file("q/data/secret/1.in", "1\n")
        .file("q/data/secret/1.ans", "1\n")
        .file("q/submissions/accepted/waits.sh", "while :; do sleep 1000; done\n");
    let mut command = repo.command(&["time", "p", "q", "--runs", "1", "--save", "limits.jsonl"]);
    command.stdout(std::process::Stdio::piped()).stderr(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = std::io::BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().starts_with("p: time limit ")));
    let id = child.id().to_string();
    let kill = std::process::Command::new("kill").args(["-s", "INT", &id]).status();
    assert!(kill.unwrap().success());
    lines.for_each(|line| drop(line.unwrap()));
    let ended = child.wait_with_output().unwrap();
    let stderr = String::from_utf8_lossy(&ended.stderr);
    assert_eq!(ended.status.code(), Some(130), "{stderr}");
    let words = "note: `limits.jsonl` has the time limits of 1 problem, not of all\n";
    assert!(stderr.contains(words), "{stderr}");
    let saved = fs::read_to_string(repo.path("limits.jsonl")).unwrap();
    assert!(saved.contains("\"p\"") && !saved.contains("\"q\""), "{saved}");
}

#[test]
fn time_shows_the_margins_the_runs_and_the_limit_by_each_format() {
    if crate::support::lacks("python3") {
        return;
    }
    let repo = package(
        "name: P\n",
        &[("accepted/a.py", &spin(10)), ("time_limit_exceeded/never.py", "while True: pass\n")],
    );
    let mut command = repo.command(&["time", "p", "--runs", "2"]);
    let ran = repo.finish(&mut command);
    assert_eq!(ran.status, 0, "{}", ran.all());
    for words in [
        "p: time limit ",
        "`p/submissions/accepted/a.py` takes ",
        "p/submissions/time_limit_exceeded/never.py  Python 3",
        " > 2.00 above (at least 2)",
        " below (at least 5)",
        "limit by format: legacy ",
        "limit on faster and slower machines: ",
        " keeps the margin on machines that take at most ",
    ] {
        assert!(ran.stdout.contains(words), "{words}\n{}", ran.all());
    }
    // A limit that is set, but too low.
    repo.file("p/problem.yaml", "name: P\nlimits: {time_limit: 0.125}\n");
    let mut command = repo.command(&["time", "p", "--runs", "2", "--json", "-"]);
    let ran = repo.finish(&mut command);
    assert_eq!(ran.status, 1, "{}", ran.all());
    let lines: Vec<serde_json::Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 3);
    assert_eq!(lines[0]["language"], "python3");
    assert!(lines[0]["margin"].as_f64().unwrap() < 5.0);
    assert_eq!(lines[1]["bound"], "upper");
    assert_eq!(lines[1]["stopped"], true);
    assert_eq!(lines[2]["set_ms"], 125.0);
}
