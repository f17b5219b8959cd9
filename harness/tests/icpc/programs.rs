//! Output validators: files, folders, folders with scripts.

use crate::{ACCEPTED, V2025, judge, package};

#[test]
fn validators_may_be_folders_with_scripts_or_with_several_sources() {
    let judge_with = |files: &[(&str, &str)], expected: &str| {
        let repo = package(V2025, &ACCEPTED);
        repo.file("p/submissions/accepted/right.sh", "echo 3\n");
        repo.file("p/submissions/wrong_answer/wrong.sh", "echo 4\n");
        for (path, text) in files {
            repo.file(&format!("p/output_validator/{path}"), text);
        }
        let ran = judge(&repo);
        assert!(ran.all().contains(expected), "{files:?}\n{}", ran.all());
        assert_eq!(
            ran.status,
            if expected == "2 as expected" { 0 } else { 2 },
            "{}",
            ran.all()
        );
    };
    let compare = "read a; read b < \"$2\"; test \"$a\" = \"$b\" && exit 42; exit 43\n";
    let run = "#!/bin/sh\nread a; read b < \"$2\"\ntest \"$a\" = \"$b\" && exit 42\nexit 43\n";
    judge_with(&[("run", run), ("README", "words")], "2 as expected");
    let build =
        "#!/bin/sh\nset -e\nsed s/EQUAL/=/ run.in > run\ntest \"$PWD\" = \"$(dirname \"$0\")\"\n";
    judge_with(
        &[("build", build), ("run.in", &run.replace('=', "EQUAL"))],
        "2 as expected",
    );
    judge_with(
        &[("build", "#!/bin/sh\necho oh no\nexit 3\n")],
        "`build` ended with exit code 3\n",
    );
    judge_with(
        &[("build", "#!/bin/sh\nexit 0\n")],
        "`build` left no file `run`",
    );
    judge_with(
        &[
            ("main.sh", ". \"${0%/*}/other.sh\"\n"),
            ("other.sh", compare),
        ],
        "2 as expected",
    );
    judge_with(
        &[
            (
                "main.py",
                "import sys, parts\nsys.exit(42 if parts.same(sys.argv[2]) else 43)\n",
            ),
            (
                "parts.py",
                "def same(path):\n    return input() == open(path).read().strip()\n",
            ),
        ],
        "2 as expected",
    );
    judge_with(
        &[("one.sh", compare), ("two.sh", compare)],
        "nobody knows which of its files starts: call one `main`, or say it by `entrypoint`",
    );
    judge_with(
        &[("a.sh", compare), ("b.py", "")],
        "it has sources in Bash and Python 3",
    );
}

#[test]
fn what_domjudge_writes_beside_the_package_fills_what_problem_yaml_leaves_open() {
    let repo = package("name: P\n", &ACCEPTED);
    repo.file("p/.timelimit", "1\n")
        .file(
            "p/submissions/time_limit_exceeded/a.sh",
            "while :; do :; done\n",
        )
        .file("p/submissions/accepted/a.sh", "echo 3.0000001\n")
        .file(
            "p/domjudge-problem.ini",
            "timelimit = '0.3'\nspecial_compare_args = float_tolerance 1e-3\n",
        );
    let ran = judge(&repo);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(!ran.stderr.contains("time limit"), "{}", ran.all());
    repo.file("p/domjudge-problem.ini", "special_compare = float_1e6\n");
    let ran = judge(&repo);
    assert_eq!(ran.status, 2, "{}", ran.all());
    let error = "error: p/domjudge-problem.ini:1:1: `special_compare` names `float_1e6`, a program of the judge's that is not in the package";
    assert!(ran.stderr.contains(error), "{}", ran.all());
}

#[test]
fn several_programs_in_place_of_one_are_named() {
    let repo = package(
        "name: P\nvalidation: custom\nlimits: {time_limit: 1}\n",
        &ACCEPTED,
    );
    repo.file("p/submissions/accepted/a.sh", "echo 3\n");
    for name in ["one", "two"] {
        repo.file(&format!("p/output_validators/{name}/v.sh"), "exit 42\n");
    }
    let ran = judge(&repo);
    assert_eq!(ran.status, 2, "{}", ran.all());
    let error = "error: p/output_validators has several programs: `one`, `two`\n\
                 help: join them into one, which accepts what all of them accept";
    assert!(ran.stderr.contains(error), "{}", ran.all());
}
