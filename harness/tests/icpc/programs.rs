//! Output validators: files, folders, folders with scripts.

use crate::icpc::{ACCEPTED, V2025, package};

#[test]
fn validators_may_be_folders_with_scripts_or_with_several_sources() {
    if crate::support::lacks("python3") {
        return;
    }
    let judge_with = |files: &[(&str, &str)], expected: &str| {
        let repo = package(V2025, &ACCEPTED);
        repo.file("p/submissions/accepted/right.sh", "echo 3\n");
        repo.file("p/submissions/wrong_answer/wrong.sh", "echo 4\n");
        for (path, text) in files {
            repo.file(&format!("p/output_validator/{path}"), text);
        }
        let ran = repo.judge_package();
        assert!(ran.all().contains(expected), "{files:?}\n{}", ran.all());
        assert_eq!(ran.status, if expected == "2 as expected" { 0 } else { 2 }, "{}", ran.all());
    };
    let compare = "read a; read b < \"$2\"; test \"$a\" = \"$b\" && exit 42; exit 43\n";
    let run = "#!/bin/sh\nread a; read b < \"$2\"\ntest \"$a\" = \"$b\" && exit 42\nexit 43\n";
    judge_with(&[("run", run), ("README", "words")], "2 as expected");
    let build =
        "#!/bin/sh\nset -e\nsed s/EQUAL/=/ run.in > run\ntest \"$PWD\" = \"$(dirname \"$0\")\"\n";
    judge_with(&[("build", build), ("run.in", &run.replace('=', "EQUAL"))], "2 as expected");
    judge_with(&[("build", "#!/bin/sh\necho oh no\nexit 3\n")], "`build` ended with exit code 3\n");
    judge_with(&[("build", "#!/bin/sh\nexit 0\n")], "`build` created no file `run`");
    judge_with(&[("main.sh", ". \"${0%/*}/other.sh\"\n"), ("other.sh", compare)], "2 as expected");
    judge_with(
        &[
            ("main.py", "import sys, parts\nsys.exit(42 if parts.same(sys.argv[2]) else 43)\n"),
            ("parts.py", "def same(path):\n    return input() == open(path).read().strip()\n"),
        ],
        "2 as expected",
    );
    judge_with(
        &[("one.sh", compare), ("two.sh", compare)],
        "cannot tell which of its files starts: name one of them `main`, or set `entrypoint`",
    );
    judge_with(&[("a.sh", compare), ("b.py", "")], "it has sources in Bash and Python 3");
}

#[test]
fn a_validator_whose_interpreter_is_missing_is_named() {
    let repo = package(V2025, &ACCEPTED);
    repo.file("p/submissions/accepted/right.sh", "echo 3\n")
        .file("p/output_validator/run", "#!/no/such/sh\nexit 42\n");
    let ran = repo.judge_package();
    assert_eq!(ran.status, 2, "{}", ran.all());
    let why = "cannot start `run`: executing it: No such file or directory (os error 2); the interpreter that its first \
               line names may be missing";
    assert!(ran.stdout.contains(why), "{}", ran.all());
}

#[test]
fn the_files_of_domjudge_set_what_problem_yaml_does_not() {
    let repo = package("name: P\n", &ACCEPTED);
    repo.file("p/.timelimit", "1\n")
        .file("p/submissions/time_limit_exceeded/a.sh", "while :; do :; done\n")
        .file("p/submissions/accepted/a.sh", "echo 3.0000001\n")
        .file(
            "p/domjudge-problem.ini",
            "timelimit = '0.3'\nspecial_compare_args = float_tolerance 1e-3\n",
        );
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(!ran.stderr.contains("time limit"), "{}", ran.all());
    repo.file("p/domjudge-problem.ini", "special_compare = float_1e6\n");
    let ran = repo.judge_package();
    assert_eq!(ran.status, 2, "{}", ran.all());
    let error = "error: p/domjudge-problem.ini:1:1: `special_compare` names `float_1e6`, a program on the judge that is not in the package";
    assert!(ran.stderr.contains(error), "{}", ran.all());
}

const LEGACY: &str = "name: P\nvalidation: custom\nlimits: {time_limit: 1}\n";

#[test]
fn several_programs_in_place_of_one_are_reported() {
    let repo = package(V2025, &ACCEPTED);
    repo.file("p/submissions/accepted/a.sh", "echo 3\n");
    for name in ["one", "two"] {
        repo.file(&format!("p/output_validator/{name}/v.sh"), "exit 42\n");
    }
    let ran = repo.judge_package();
    assert_eq!(ran.status, 2, "{}", ran.all());
    let error = "error: p/output_validator has several programs: `one`, `two`\n\
                 help: keep one of them";
    assert!(ran.stderr.contains(error), "{}", ran.all());
}

#[test]
fn each_of_a_legacy_packages_output_validators_must_accept() {
    let repo = package(LEGACY, &ACCEPTED);
    let refusing = |word: &str, end: &str| {
        format!(
            "read a; test \"$4\" = all || exit 9\n\
             test \"$a\" = {word} || exit 42\n\
             echo \"no $a\" > \"$3judgemessage.txt\"; exit {end}\n"
        )
    };
    repo.file("p/output_validators/one/v.sh", refusing("1", "43"))
        .file("p/output_validators/two.sh", refusing("2", "43"))
        .file("p/output_validators/three.sh", refusing("3", "0"))
        .file("p/output_validators/README.md", "words\n")
        .file("p/data/testdata.yaml", "output_validator_flags: all\n");
    for word in ["0", "1", "2", "3"] {
        let path = format!("p/submissions/rejected/{word}.sh");
        repo.file(&path, format!("echo {word}\n"));
    }
    let found = repo.verdicts(&["p"]);
    let fault =
        "`three.sh`: the output validator exited with 0, not with 42 (accept) or 43 (reject)";
    assert_eq!(
        found[..3],
        [
            "p/submissions/rejected/0.sh secret/1 AC",
            "p/submissions/rejected/1.sh secret/1 WA no 1",
            "p/submissions/rejected/2.sh secret/1 WA no 2"
        ]
    );
    assert!(
        found[3].starts_with(&format!("p/submissions/rejected/3.sh secret/1 JE {fault}")),
        "{found:?}"
    );
    // One of them, selected by name.
    repo.file("p/data/testdata.yaml", "output_validator_flags: {name: two, flags: all}\n");
    let found = repo.verdicts(&["p"]);
    let verdicts: Vec<_> = found.iter().filter_map(|line| line.split(' ').nth(2)).collect();
    assert_eq!(verdicts, ["AC", "AC", "WA", "AC"]);
    repo.file("p/data/testdata.yaml", "output_validator_flags: {name: four, flags: all}\n");
    let ran = repo.judge_package();
    let error =
        "p/data/testdata.yaml:1:25: `output_validator_flags`: there is no output validator `four`";
    assert!(ran.stderr.contains(error), "{}", ran.all());
    repo.file("p/data/testdata.yaml", "")
        .file("p/problem.yaml", LEGACY.replace("custom", "custom interactive"));
    let ran = repo.judge_package();
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(
        ran.all().contains("problem must have exactly one output validator: merge them into one"),
        "{}",
        ran.all()
    );
}

#[test]
fn other_files_next_to_a_legacy_validator_are_not_validators() {
    let repo = package(LEGACY, &ACCEPTED);
    repo.file("p/submissions/accepted/a.sh", "echo 3\n")
        .file(
            "p/output_validators/v.sh",
            "test -f \"${0%/*}/words/list.txt\" && exit 42\nexit 43\n",
        )
        .file("p/output_validators/words/list.txt", "words\n");
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
}

#[test]
fn legacy_flags_of_the_problem_come_before_those_of_a_group() {
    let repo = package(&format!("{LEGACY}validator_flags: of the problem\n"), &ACCEPTED);
    repo.file("p/submissions/accepted/a.sh", "echo 3\n")
        .file(
            "p/output_validators/v.sh",
            "shift 3; test \"$*\" = 'of the problem of the group' && exit 42\nexit 43\n",
        )
        .file("p/data/secret/testdata.yaml", "output_validator_flags: of the group\n");
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
    // If both set a tolerance, the group's wins.
    let flags =
        "name: P\nlimits: {time_limit: 1}\nvalidator_flags: float_tolerance 1 case_sensitive\n";
    let repo = package(flags, &[]);
    repo.file("p/data/secret/1.in", "")
        .file("p/data/secret/1.ans", "x 3\n")
        .file(
            "p/data/secret/testdata.yaml",
            "output_validator_flags: float_absolute_tolerance 2 float_relative_tolerance 0\n",
        )
        .file("p/submissions/accepted/a.sh", "echo x 4.5\n")
        .file("p/submissions/wrong_answer/a.sh", "echo x 5.5\n")
        .file("p/submissions/wrong_answer/b.sh", "echo X 3\n");
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
}

#[test]
fn all_lines_of_a_judge_message_are_shown() {
    let repo = package(
        V2025,
        &[
            ("data/secret/1.in", ""),
            ("data/secret/1.ans", ""),
            (
                "output_validator/v.sh",
                "printf 'not a path\\n\\nstep 7: 3 and 9 are not adjacent\\n' > \"$3/judgemessage.txt\"\nexit 43\n",
            ),
            ("submissions/accepted/a.sh", "echo\n"),
        ],
    );
    let ran = repo.run(&["run", "p"]);
    let first = "secret/1  WA  not a path\n";
    assert!(ran.stdout.contains(first), "{}", ran.all());
    assert!(ran.stdout.contains("        step 7: 3 and 9 are not adjacent\n"), "{}", ran.all());
}
