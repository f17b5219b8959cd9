//! The limits and the keys of problems of rbx.

use crate::support::{Repo, lacks};

/// A problem with one case that a solution in Bash and one in Python have to copy.
fn problem(settings: &str) -> Repo {
    let repo = Repo::new();
    let package = format!(
        "name: sum\n{settings}testcases:\n- {{name: main, testcaseGlob: 'manual/*.in'}}\n\
         solutions:\n- {{path: sols/a.sh, outcome: ACCEPTED}}\n- {{path: sols/a.py, outcome: ACCEPTED}}\n"
    );
    repo.file("there/problem.rbx.yml", package)
        .file("there/build/tests/main/000.in", "1\n")
        .file("there/build/tests/main/000.out", "1\n")
        .file("there/sols/a.sh", "cat\n")
        .file("there/sols/a.py", "print(input())\n");
    repo
}

/// The time limits in seconds and the memory limits in MiB of the solutions in Bash and in Python.
fn limits(repo: &Repo) -> [[f64; 2]; 2] {
    let ran = repo.run(&["run", "there", "--json", "-"]);
    let lines =
        ran.stdout.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
    let submissions: Vec<_> = lines.filter(|line| line["type"] == "submission").collect();
    ["a.sh", "a.py"].map(|name| {
        let is_it =
            |line: &&serde_json::Value| line["submission"].as_str().unwrap().ends_with(name);
        let found = submissions.iter().find(is_it);
        let limits = &found.unwrap_or_else(|| panic!("{}", ran.all()))["limits"];
        let [time, memory] = ["cpu_ms", "memory_bytes"].map(|key| limits[key].as_f64().unwrap());
        [time / 1e3, memory / f64::from(1 << 20)]
    })
}

#[test]
fn limits_are_those_of_the_language_and_of_the_local_profile() {
    let package = "timeLimit: 1000\nmemoryLimit: 256\nmodifiers:\n";
    // The modifiers of the package, the profile, and the limits in both languages.
    let table = [
        ("  sh: {}\n", "", [[1.0, 256.0], [1.0, 256.0]]),
        ("  py: {time: 4000}\n", "", [[1.0, 256.0], [4.0, 256.0]]),
        ("  py: {timeMultiplier: 2.5, memory: 512}\n", "", [[1.0, 256.0], [2.5, 512.0]]),
        ("  py: {time: 2000, timeMultiplier: 1.5}\n", "", [[1.0, 256.0], [3.0, 256.0]]),
        ("  py: {time: 4000, memory: 512}\n", "timeLimit: 3000\n", [[3.0, 256.0], [3.0, 512.0]]),
        (
            "  py: {time: 4000}\n",
            "memoryLimit: 128\nmodifiers:\n  py: {timeMultiplier: 2}\n",
            [[1.0, 128.0], [8.0, 128.0]],
        ),
        (
            "  py: {time: 4000}\n",
            "inheritFromPackage: true\ntimeLimit: 3000\n",
            [[1.0, 256.0], [4.0, 256.0]],
        ),
    ];
    for (modifiers, profile, expected) in table {
        let repo = problem(&format!("{package}{modifiers}"));
        if !profile.is_empty() {
            repo.file("there/.limits/local.yml", profile);
        }
        let found = limits(&repo);
        let is_same = found.iter().flatten().zip(expected.iter().flatten());
        assert!(
            is_same.clone().all(|(found, expected)| (found - expected).abs() < 1e-9),
            "{modifiers} {profile}: {found:?}"
        );
    }
}

#[test]
fn keys_that_rbx_does_not_know_are_named() {
    if lacks("python3") {
        return;
    }
    let table = [
        (
            "tymeLimit: 5\n",
            "`tymeLimit` is not a key of rbx; it is ignored\nhelp: did you mean `timeLimit`?",
        ),
        ("modifiers:\n  py: {tyme: 4}\n", "`tyme` is not a key of modifiers of rbx"),
        ("checker: {path: wcmp.cpp, moode: boca}\n", "`moode` is not a key of programs of rbx"),
    ];
    for (settings, warning) in table {
        let ran = problem(settings).run(&["run", "there"]);
        assert_eq!(ran.status, 0, "{}", ran.all());
        assert!(ran.stderr.contains(warning), "{}", ran.all());
    }
    let repo = problem("timeLimit: 1000\n");
    repo.file("there/.limits/local.yml", "tymeLimit: 5\n");
    let ran = repo.run(&["run", "there"]);
    let warning = "there/.limits/local.yml:1:12: `tymeLimit` is not a key of profiles of rbx";
    assert!(ran.stderr.contains(warning), "{}", ran.all());
}

#[test]
fn outcomes_of_groups_count_only_if_the_problem_gives_points() {
    for (scoring, status) in [("", 0), ("scoring: points\n", 1)] {
        let repo = Repo::new();
        let package = format!(
            "name: sum\n{scoring}testcases:\n- {{name: main, score: 100}}\nsolutions:\n\
             - {{path: sols/a.sh, outcome: ACCEPTED, outcomePerGroup: {{main: WRONG_ANSWER}}}}\n"
        );
        repo.file("there/problem.rbx.yml", package)
            .file("there/build/tests/main/000.in", "1\n")
            .file("there/build/tests/main/000.out", "1\n")
            .file("there/sols/a.sh", "cat\n");
        let ran = repo.run(&["run", "there"]);
        assert_eq!(ran.status, status, "{scoring}: {}", ran.all());
        let named = "`outcomePerGroup` is ignored: the problem gives no points";
        assert_eq!(ran.stderr.contains(named), status == 0, "{}", ran.all());
    }
}
