//! ICPC problem packages as their formats have them, one rule at a time: small packages with jury
//! submissions that must come out as declared, or must be caught.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

mod support;

use std::fmt::Write as _;

use support::{Ran, Repo};

/// Prints the first word of its input; takes a second on `slow`, crashes on `crash`.
const ECHO: &str = "read word rest\ncase $word in\ncrash) exit 3;;\nslow) while :; do :; done;;\n\
                    esac\necho \"$word\"\n";

/// A package in the folder `p` with these files besides `problem.yaml`.
fn package(yaml: &str, files: &[(&str, &str)]) -> Repo {
    let repo = Repo::new();
    repo.file("p/problem.yaml", yaml);
    for (path, text) in files {
        repo.file(&format!("p/{path}"), text);
    }
    repo
}

/// Judges the package, a line for each submission.
fn judge(repo: &Repo) -> Ran {
    repo.run(&["run", "p", "-v", "-j", "2"])
}

const V2025: &str = "problem_format_version: 2025-09\nname: P\nlimits: {time_limit: 0.2}\n";

/// Cases whose word the submission above must print: right, wrong, and those that it fails on.
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

#[test]
fn submissions_yaml_says_what_each_submission_must_get_on_which_cases() {
    let repo = package(V2025, &CASES);
    repo.file("p/submissions/mixed/echo.sh", ECHO);
    // What is said, and the complaint if it is not met.
    let table = [
        (
            "mixed: {permitted: [AC, WA, TLE, RTE], required: [TLE]}",
            None,
        ),
        (
            "mixed/*:\n  sample: {permitted: [AC]}\n  secret/slow-*: {required: [TLE]}\n  \
             secret/{crash,wrong}*: {permitted: [RTE, WA]}\n",
            None,
        ),
        (
            "mixed: {permitted: [AC, WA, RTE]}",
            Some(
                "got TLE on a case, where only AC, WA, RTE, MLE or OLE may be (p/submissions/submissions.yaml:1)",
            ),
        ),
        (
            "mixed:\n  secret/wrong-*:\n    permitted: [AC]\n",
            Some(
                "got WA on `secret/wrong-1`, where only AC may be (p/submissions/submissions.yaml:2)",
            ),
        ),
        (
            "mixed:\n  secret/{slow,crash}-1:\n    required: [WA]\n",
            Some(
                "got only RTE and TLE on the cases of `secret/{slow,crash}-1`, expected WA on one of them (p/submissions/submissions.yaml:2)",
            ),
        ),
        ("mixed: {message: 'expected `wrong`'}", None),
        (
            "mixed: {message: no such word}",
            Some("the checker said `no such word` of no case (p/submissions/submissions.yaml:1)"),
        ),
        (
            "mixed:\n  secret/slow-1: {message: 'expected `wrong`'}",
            Some(
                "the checker said `expected `wrong`` of no case (p/submissions/submissions.yaml:2)",
            ),
        ),
    ];
    for (yaml, complaint) in table {
        repo.file("p/submissions/submissions.yaml", yaml);
        let ran = judge(&repo);
        assert_eq!(
            ran.status,
            i32::from(complaint.is_some()),
            "{yaml}\n{}",
            ran.all()
        );
        if let Some(complaint) = complaint {
            let line = format!("p/submissions/mixed/echo.sh: {complaint} (");
            assert!(ran.stdout.contains(&line), "{yaml}\n{}", ran.all());
        }
    }
}

#[test]
fn the_language_of_a_submission_may_be_named() {
    let repo = package(V2025, &CASES[..2]);
    repo.file(
        "p/submissions/accepted/echo.sh",
        "import sys\nprint(input())\n",
    );
    repo.file(
        "p/submissions/submissions.yaml",
        "accepted/echo.sh: {language: python3, authors: A, model_solution: true}\n",
    );
    assert_eq!(judge(&repo).status, 0);
}

#[test]
fn a_legacy_package_lets_slow_submissions_be_wrong_and_crashing_ones_be_anything() {
    let repo = package("name: P\nlimits: {time_limit: 0.2}\n", &CASES);
    repo.file("p/submissions/run_time_error/echo.sh", ECHO);
    repo.file(
        "p/submissions/time_limit_exceeded/echo.sh",
        ECHO.replace("exit 3", "exit 0"),
    );
    assert_eq!(judge(&repo).status, 0);
    repo.file("p/problem.yaml", V2025);
    let ran = judge(&repo);
    assert_eq!(ran.status, 1);
    for line in [
        "run_time_error/echo.sh: got TLE on a case, where only AC, RTE, MLE or OLE may be",
        "time_limit_exceeded/echo.sh: got WA, expected TLE",
    ] {
        assert!(ran.stdout.contains(line), "{}", ran.all());
    }
}

/// Prints its arguments and what lies in its working folder.
const LOOK: &str =
    "echo \"$*\"\nfor file in *; do test -f \"$file\" && cat \"$file\"; done; exit 0\n";

#[test]
fn arguments_and_files_come_from_the_case_else_from_its_group_key_by_key() {
    let repo = package(
        V2025,
        &[
            (
                "data/secret/test_group.yaml",
                "args: [all]\noutput_validator_args: [case_sensitive]\n",
            ),
            (
                "data/secret/a/test_group.yaml",
                "args: [group, two words]\n",
            ),
            ("data/secret/a/1.in", ""),
            ("data/secret/a/1.ans", "group two words\n"),
            ("data/secret/a/2.in", ""),
            ("data/secret/a/2.ans", "own\nfrom a file\n"),
            (
                "data/secret/a/2.yaml",
                "args: [own]\nhint: look\ndescription: d\nfull_feedback: true\n",
            ),
            ("data/secret/a/2.files/note.txt", "from a file\n"),
            ("data/secret/b/1.in", ""),
            ("data/secret/b/1.ans", "ALL\n"),
            ("data/secret/b/2.in", ""),
            ("data/secret/b/2.ans", "ALL\n"),
            ("data/secret/b/2.yaml", "output_validator_args: []\n"),
            ("submissions/mixed/look.sh", LOOK),
            (
                "submissions/submissions.yaml",
                "mixed:\n  secret/{a,b/2}: {permitted: [AC]}\n  secret/b/1: {permitted: [WA]}\n",
            ),
        ],
    );
    let ran = judge(&repo);
    assert_eq!(ran.status, 0, "{}", ran.all());
    // The copy is the program's own: what it does to it is gone with it.
    repo.file("p/submissions/mixed/look.sh", format!("{LOOK}\nrm -f *\n"));
    assert_eq!(judge(&repo).status, 0);
    assert_eq!(
        repo.read("p/data/secret/a/2.files/note.txt"),
        "from a file\n"
    );
}

#[test]
fn legacy_settings_are_inherited_key_by_key_too() {
    let repo = package(
        "name: P\n",
        &[
            (
                "data/testdata.yaml",
                "output_validator_flags: case_sensitive\n",
            ),
            (
                "data/secret/a/testdata.yaml",
                "input_validator_flags: --large\n",
            ),
            ("data/secret/a/b/1.in", ""),
            ("data/secret/a/b/1.ans", "X\n"),
            (
                "data/secret/c/testdata.yaml",
                "output_validator_flags: {name: default, flags: float_tolerance 1}\n",
            ),
            ("data/secret/c/1.in", ""),
            ("data/secret/c/1.ans", "x\n"),
            ("submissions/mixed/x.sh", "echo x"),
            (
                "submissions/submissions.yaml",
                "mixed:\n  secret/a: {permitted: [WA]}\n  secret/c: {permitted: [AC]}\n",
            ),
        ],
    );
    let ran = judge(&repo);
    assert_eq!(ran.status, 0, "{}", ran.all());
}

#[test]
fn settings_that_cannot_be_understood_are_named_with_their_line() {
    let table = [
        (
            "data/secret/test_group.yaml",
            "args: {a: b}\n",
            ":1:7: `args` must be a text or a list of texts, got a table",
        ),
        (
            "data/secret/1.yaml",
            "args: [[x]]\n",
            ":1:8: `args` must be a text or a list of texts, got a list",
        ),
        (
            "data/secret/1.yaml",
            "- x\n",
            ":1:1: expected a table of keys, got a list",
        ),
        (
            "data/secret/1.yaml",
            "output_validator_args: [fast]\n",
            ":1:24: `output_validator_args`: unknown flag `fast`",
        ),
        (
            "data/secret/1.yaml",
            "arg: [x]\n",
            ":1:1: unknown key `arg`; it is ignored\nhelp: did you mean `args`?",
        ),
        (
            "data/secret/1.yaml",
            "max_score: 3\n",
            ":1:1: unknown key `max_score`; it is ignored",
        ),
        (
            "data/secret/a/b/test_group.yaml",
            "args: []\n",
            " lies too deep\nhelp: a group is a folder directly in `data/secret/`; move its settings up",
        ),
    ];
    for (path, text, expected) in table {
        let repo = package(
            V2025,
            &[("data/secret/1.in", ""), ("data/secret/1.ans", "")],
        );
        repo.file("p/submissions/accepted/a.sh", "exit 0\n");
        repo.file(&format!("p/{path}"), text);
        let ran = judge(&repo);
        assert!(
            ran.stderr.contains(&format!("p/{path}{expected}")),
            "{}",
            ran.all()
        );
        let warned = ran.stderr.starts_with("warning");
        assert_eq!(ran.status, if warned { 0 } else { 2 }, "{}", ran.all());
    }
}

const ACCEPTED: [(&str, &str); 2] = [("data/secret/1.in", "3\n"), ("data/secret/1.ans", "3\n")];

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
fn submissions_may_be_folders() {
    let repo = package(V2025, &ACCEPTED);
    repo.file(
        "p/submissions/accepted/plain/main.py",
        "import three\nprint(three.VALUE)\n",
    );
    repo.file("p/submissions/accepted/plain/three.py", "VALUE = 3\n");
    repo.file(
        "p/submissions/accepted/named/start.sh",
        "exec sh \"${0%/*}/part/rest.sh\"\n",
    );
    repo.file("p/submissions/accepted/named/other.sh", "exit 1\n");
    repo.file("p/submissions/accepted/named/part/rest.sh", "echo 3\n");
    repo.file(
        "p/submissions/wrong_answer/rust/main.rs",
        "mod four;\nfn main() { four::say(); }\n",
    );
    repo.file(
        "p/submissions/wrong_answer/rust/four.rs",
        "pub fn say() { println!(\"4\"); }\n",
    );
    repo.file(
        "p/submissions/submissions.yaml",
        "accepted/named: {entrypoint: start.sh}\n",
    );
    let ran = judge(&repo);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(
        ran.stdout.contains("3 solutions: 3 as expected"),
        "{}",
        ran.all()
    );
    // One of them alone.
    let ran = repo.run(&["run", "p/submissions/accepted/plain", "-v"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(
        ran.stdout
            .contains("ok    p/submissions/accepted/plain  AC"),
        "{}",
        ran.all()
    );
    repo.file("p/submissions/accepted/both/a.sh", "echo 3\n");
    repo.file("p/submissions/accepted/both/a.py", "print(3)\n");
    repo.file("p/submissions/accepted/none/README", "");
    let ran = judge(&repo);
    assert_eq!(ran.status, 2);
    for error in [
        "p/submissions/accepted/both has sources in bash and python3\nhelp: name its language in \
         `submissions.yaml`: `language: ...`",
        "p/submissions/accepted/none has no source of a known language",
    ] {
        assert!(ran.stderr.contains(error), "{error}\n{}", ran.all());
    }
}

#[test]
fn sources_of_a_compiled_language_are_compiled_together() {
    if std::process::Command::new("gcc")
        .arg("--version")
        .output()
        .is_err()
    {
        return support::skip("gcc is not installed");
    }
    let repo = package(V2025, &ACCEPTED);
    let header = "int three(void);\n";
    repo.file("p/submissions/accepted/c/first.c", "#include <stdio.h>\n#include \"three.h\"\nint main(void) { printf(\"%d\\n\", three()); return 0; }\n");
    repo.file(
        "p/submissions/accepted/c/second.c",
        "#include \"three.h\"\nint three(void) { return 3; }\n",
    );
    repo.file("p/submissions/accepted/c/three.h", header);
    // A validator finds the header that lies beside it.
    repo.file("p/output_validator/validate.c", "#include <stdio.h>\n#include \"codes.h\"\nint main(void) { int x = 0; return scanf(\"%d\", &x) == 1 && x == 3 ? YES : NO; }\n");
    repo.file(
        "p/output_validator/codes.h",
        "enum { YES = 42, NO = 43 };\n",
    );
    let ran = judge(&repo);
    assert_eq!(ran.status, 0, "{}", ran.all());
}

#[test]
fn answers_are_checked_without_being_run() {
    let yaml = V2025.replace("name: P", "name: P\ntype: submit-answer");
    let repo = package(
        &yaml,
        &[
            ("data/sample/s.in", ""),
            ("data/sample/s.ans", "0\n"),
            ("data/secret/a.in", ""),
            ("data/secret/a.ans", "1\n"),
            ("data/secret/b.in", ""),
            ("data/secret/b.ans", "2\n"),
            ("submissions/accepted/all/secret/a.out", "1\n"),
            ("submissions/accepted/all/b.txt", "2\n"),
            ("submissions/accepted/one/a.ans", "1\n"),
            ("submissions/wrong_answer/swapped/a", "2\n"),
            ("submissions/wrong_answer/swapped/b", "1\n"),
            ("submissions/wrong_answer/a.out", "2\n"),
            ("submissions/accepted/b.out", "2\n"),
        ],
    );
    let ran = judge(&repo);
    assert_eq!(ran.status, 1, "{}", ran.all());
    assert!(
        ran.stdout.contains("5 solutions: 4 as expected"),
        "{}",
        ran.all()
    );
    assert!(
        ran.stdout
            .contains("accepted/one: got WA, expected AC (1 of 3 cases accepted"),
        "{}",
        ran.all()
    );
    assert!(
        ran.stdout
            .contains("secret/b  WA  the submission has no answer for this case"),
        "{}",
        ran.all()
    );
}

#[test]
fn what_would_lead_astray_is_refused() {
    let refused = |repo: &Repo, error: &str| {
        let ran = judge(repo);
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert!(ran.all().contains(error), "{error}\n{}", ran.all());
    };
    let sound = || {
        let repo = package(V2025, &ACCEPTED);
        repo.file("p/submissions/accepted/three.sh", "echo 3\n");
        repo
    };
    let repo = sound();
    repo.file("p/problem.yml", "name: Q\n");
    refused(
        &repo,
        "error: p/problem.yml and p/problem.yaml are both there\nhelp: keep problem.yaml",
    );
    #[cfg(unix)]
    for (link, error) in [
        (
            "data/secret/2.in",
            "p/data/secret/2.in is a symbolic link that leads out of the package",
        ),
        ("data/secret/1.files/x", "a link in it leads out of it"),
    ] {
        let repo = sound();
        repo.file("p/data/secret/1.files/own", "")
            .file("p/data/secret/2.ans", "3\n");
        if !link.ends_with("2.in") {
            repo.file("p/data/secret/2.in", "");
        }
        std::os::unix::fs::symlink("/etc/hostname", repo.path(&format!("p/{link}"))).unwrap();
        refused(&repo, error);
    }
    // Inside of the package a link is as good as a file.
    #[cfg(unix)]
    {
        let repo = sound();
        repo.file("p/data/secret/2.ans", "3\n");
        std::os::unix::fs::symlink("1.in", repo.path("p/data/secret/2.in")).unwrap();
        assert_eq!(judge(&repo).status, 0);
    }
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x]\n");
    for i in 1..12 {
        let aliases = vec![format!("*a{}", i - 1); 8].join(", ");
        writeln!(bomb, "a{i}: &a{i} [{aliases}]").unwrap();
    }
    for path in [
        "problem.yaml",
        "data/secret/1.yaml",
        "submissions/submissions.yaml",
    ] {
        let repo = sound();
        repo.file(&format!("p/{path}"), &bomb);
        refused(&repo, &format!("error: p/{path}:"));
    }
}
