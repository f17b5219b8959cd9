//! The expectations of submissions, and the forms that a submission can have.

use crate::icpc::{ACCEPTED, CASES, ECHO, V2025, package};

#[test]
fn submissions_yaml_sets_the_expected_verdicts_of_submissions_and_cases() {
    let yaml = V2025.replace("0.5", "0.1");
    let repo = package(&yaml, &CASES);
    repo.file("p/submissions/mixed/echo.sh", ECHO);
    // The expectation, and the message if it is not met.
    let table = [
        ("mixed: {permitted: [AC, WA, TLE, RTE], required: [TLE]}", None),
        (
            "mixed/*:\n  sample: {permitted: [AC]}\n  secret/slow-*: {required: [TLE]}\n  \
             secret/{crash,wrong}*: {permitted: [RTE, WA]}\n",
            None,
        ),
        (
            "mixed: {permitted: [AC, WA, RTE]}",
            Some(
                "got TLE on a case: only AC, WA, RTE, MLE or OLE is allowed (p/submissions/submissions.yaml:1)",
            ),
        ),
        (
            "mixed:\n  secret/wrong-*:\n    permitted: [AC]\n",
            Some(
                "got WA on `secret/wrong-1`: only AC is allowed (p/submissions/submissions.yaml:2)",
            ),
        ),
        (
            "mixed:\n  secret/{slow,crash}-1:\n    required: [WA]\n",
            Some(
                "got only RTE and TLE on the cases matching `secret/{slow,crash}-1`, expected WA on at least one (p/submissions/submissions.yaml:2)",
            ),
        ),
        ("mixed: {message: 'expected `wrong`'}", None),
        (
            "mixed: {message: no such word}",
            Some(
                "the checker printed `no such word` on no case (p/submissions/submissions.yaml:1)",
            ),
        ),
        (
            "mixed:\n  secret/slow-1: {message: 'expected `wrong`'}",
            Some(
                "the checker printed `expected `wrong`` on no case (p/submissions/submissions.yaml:2)",
            ),
        ),
    ];
    repo.expect_of_submissions(&table);
}

#[test]
fn the_language_of_a_submission_can_be_set() {
    if crate::support::lacks("python3") {
        return;
    }
    let repo = package(V2025, &CASES[..2]);
    repo.file("p/submissions/accepted/echo.sh", "import sys\nprint(input())\n");
    repo.file(
        "p/submissions/submissions.yaml",
        "accepted/echo.sh: {language: python3, authors: A, model_solution: true}\n",
    );
    assert_eq!(repo.judge_package().status, 0);
}

#[test]
fn a_legacy_package_lets_slow_submissions_be_wrong_and_crashing_ones_be_anything() {
    let repo = package("name: P\nlimits: {time_limit: 0.1}\n", &CASES);
    repo.file("p/submissions/run_time_error/echo.sh", ECHO);
    repo.file("p/submissions/time_limit_exceeded/echo.sh", ECHO.replace("exit 3", "exit 0"));
    assert_eq!(repo.judge_package().status, 0);
    repo.file("p/problem.yaml", V2025.replace("0.5", "0.1"));
    let ran = repo.judge_package();
    assert_eq!(ran.status, 1);
    for line in [
        "run_time_error/echo.sh: got TLE on a case: only AC, RTE, MLE or OLE is allowed",
        "time_limit_exceeded/echo.sh: got WA, expected TLE",
    ] {
        assert!(ran.stdout.contains(line), "{}", ran.all());
    }
}

#[test]
fn in_a_legacy_package_the_verdict_of_the_submission_decides() {
    let repo = package("name: P\nlimits: {time_limit: 0.1}\n", &CASES);
    // The cases in order: `crash`, `slow` and `right`. The first that is not accepted is the verdict.
    let on = |crash: &str, slow: &str, right: &str| {
        format!(
            "read word rest\ncase $word in\ncrash) {crash};;\nslow) {slow};;\nright) {right};;\nesac\necho $word\n"
        )
    };
    let (ok, wrong, crash, right) = ("true", "word=x", "exit 3", "word=wrong");
    let (slow, prints) = ("while :; do :; done", "exec cat /dev/zero");
    let table = [
        ("wrong_answer/then-slow.sh", on(wrong, slow, right), true),
        ("wrong_answer/first-slow.sh", on(ok, slow, wrong), false),
        ("time_limit_exceeded/then-crash.sh", on(ok, slow, crash), true),
        ("time_limit_exceeded/first-wrong.sh", on(wrong, slow, right), true),
        ("time_limit_exceeded/first-crash.sh", on(crash, slow, right), false),
        ("time_limit_exceeded/only-wrong.sh", on(wrong, ok, right), false),
        ("time_limit_exceeded/prints.sh", on(ok, prints, right), true),
        ("run_time_error/first-wrong.sh", on(wrong, crash, right), true),
        ("run_time_error/only-wrong.sh", on(wrong, ok, right), false),
        (
            "rejected/by-comment.sh",
            on(wrong, crash, right) + "# @EXPECTED_RESULTS@: WRONG-ANSWER\n",
            true,
        ),
    ];
    for (path, text, _) in &table {
        repo.file(&format!("p/submissions/{path}"), text);
    }
    let ran = repo.run(&["run", "p", "-v"]);
    for (path, _, met) in &table {
        let line = if *met {
            format!("ok    p/submissions/{path} ")
        } else {
            format!("FAIL  p/submissions/{path}: ")
        };
        assert!(ran.stdout.contains(&line), "{line}\n{}", ran.all());
    }
}

#[test]
fn a_folder_that_names_no_verdict_does_not_refuse_the_package() {
    let repo = package(V2025, &ACCEPTED);
    let sources = [
        ("mixed/by-comment.sh", "echo 4 # @EXPECTED_RESULTS@: WRONG-ANSWER\n", true),
        ("mixed/broken-promise.sh", "echo 3 # @EXPECTED_RESULTS@: WRONG-ANSWER\n", false),
        ("mixed/anything.sh", "echo 4\n", true),
        ("mixed-verdicts/anything.sh", "echo 4\n", true),
        ("mixed-verdicts/broken-promise.sh", "echo 3 # @EXPECTED_RESULTS@: RUN-ERROR\n", false),
        ("check_manually/anything.sh", "exit 1\n", true),
        ("multiple/anything.sh", "echo 4\n", true),
        // All points are too many, and a submission that is not accepted has fewer.
        ("partial/none.sh", "echo 4\n", true),
        ("partial/all.sh", "echo 3\n", false),
        ("drafts/anything.sh", "exit 1\n", true),
        ("compiler_error/a.rs", "fn main() { x }\n", true),
        ("no_output/a.sh", "true\n", true),
        ("no_output/b.sh", "echo 3\n", false),
        ("run_time_exception/a.sh", "exit 1\n", true),
        ("slow_accepted/a.sh", "echo 4\n", false),
        ("slow_accepted/b.sh", "echo 3\n", true),
    ];
    for (path, text, _) in sources {
        repo.file(&format!("p/submissions/{path}"), text);
    }
    repo.file("p/submissions/mixed/not-yet.sh.disabled", "x")
        .file("p/submissions/mixed/old.disabled/a.sh", "exit 1\n")
        .file("p/submissions/accepted.disabled/a.sh", "exit 1\n")
        .file("p/submissions/wrong_answer.template/a.sh", "echo 3\n")
        .file("p/submissions/later.sh.disabled", "x");
    let ran = repo.run(&["run", "p", "-v"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    for (path, _, met) in sources {
        let line = if met {
            format!("ok    p/submissions/{path} ")
        } else {
            format!("FAIL  p/submissions/{path}: ")
        };
        assert!(ran.stdout.contains(&line), "{line}\n{}", ran.all());
    }
    let warning = "warning: p/submissions/drafts is not named after a verdict; its submissions may get any verdict that they \
                   do not state themselves";
    assert_eq!(ran.stderr.matches("warning: ").count(), 1, "{}", ran.all());
    assert!(ran.stderr.contains(warning), "{}", ran.all());
    // What looks like a mistake is still one, and the others are judged.
    repo.file("p/submissions/acepted/a.sh", "echo 3\n");
    let ran = repo.run(&["run", "p", "-v"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(ran.stderr.contains("help: did you mean `accepted`?"), "{}", ran.all());
    assert!(ran.stdout.contains("ok    p/submissions/no_output/a.sh "), "{}", ran.all());
}

#[test]
fn a_folder_without_a_start_is_not_judged_even_where_a_compile_error_is_expected() {
    if crate::support::lacks("python3") {
        return;
    }
    let repo = package(V2025, &ACCEPTED);
    repo.file("p/submissions/accepted/a.sh", "echo 3\n")
        .file("p/submissions/compile_error/two/one.py", "print(1)\n")
        .file("p/submissions/compile_error/two/other.py", "print(2)\n");
    let ran = repo.run(&["run", "p", "-v"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    let why = "cannot start `two`: cannot tell which of its files starts: name one of them `main`, or set \
               `entrypoint`";
    assert!(ran.stdout.contains(why), "{}", ran.all());
    assert!(!ran.stdout.contains("ok    p/submissions/compile_error/two"), "{}", ran.all());
}

#[test]
fn a_folder_without_a_function_main_is_not_judged_either() {
    if crate::support::lacks("gcc") {
        return;
    }
    let repo = package(V2025, &ACCEPTED);
    repo.file("p/submissions/accepted/a.sh", "echo 3\n")
        .file("p/submissions/compile_error/two/one.c", "int domain(void) { return 1; }\n")
        .file("p/submissions/compile_error/two/other.c", "int two(void) { return 2; }\n")
        .file("p/submissions/compile_error/broken/one.c", "int main(void) { return two(); }\n")
        .file("p/submissions/compile_error/broken/other.c", "int three(void) { return; two }\n");
    let ran = repo.run(&["run", "p", "-v"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    let why = "cannot start `two`: none of its files has a function `main`";
    assert!(ran.stdout.contains(why), "{}", ran.all());
    for (name, is_green) in [("two", false), ("broken", true)] {
        let line = format!("ok    p/submissions/compile_error/{name} ");
        assert_eq!(ran.stdout.contains(&line), is_green, "{name}{}", ran.all());
    }
}

#[test]
fn the_expected_score_is_compared() {
    let repo = package(
        "problem_format_version: 2025-09\nname: P\ntype: scoring\nlimits: {time_limit: 1}\n",
        &[
            ("data/secret/1/1.in", "3\n"),
            ("data/secret/1/1.ans", "3\n"),
            ("data/secret/1/test_group.yaml", "max_score: 40\n"),
            ("data/secret/2/1.in", "4\n"),
            ("data/secret/2/1.ans", "4\n"),
            ("data/secret/2/test_group.yaml", "max_score: 60\n"),
        ],
    );
    repo.file("p/submissions/mixed/right.sh", "echo 3 # @EXPECTED_SCORE@: 40\n")
        .file("p/submissions/mixed/wrong.sh", "echo 3 # @EXPECTED_SCORE@: 60\n");
    let ran = repo.run(&["run", "p", "-v"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    assert!(ran.stdout.contains("ok    p/submissions/mixed/right.sh "), "{}", ran.all());
    assert!(ran.stdout.contains("got 40 points, expected 60"), "{}", ran.all());
}

#[test]
fn tags_of_domjudge_are_read_as_domjudge_reads_them() {
    let repo = package(V2025, &ACCEPTED);
    repo.file("p/submissions/mixed-verdicts/right.sh", "# @EXPECTED_SCORE@: CORRECT\necho 3\n")
        .file("p/submissions/mixed-verdicts/wrong.sh", "# @EXPECTED_SCORE@: CORRECT\necho 4\n")
        .file(
            "p/submissions/check_manually/looks.sh",
            "# @EXPECTED_RESULTS@: CHECK-MANUALLY\necho 4\n",
        )
        .file("p/submissions/accepted/typing.sh", "# @EXPECTED_SCORE@: 4O\necho 3\n");
    let ran = repo.run(&["run", "p", "-v"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    for text in [
        "ok    p/submissions/mixed-verdicts/right.sh ",
        "p/submissions/mixed-verdicts/wrong.sh: got WA, expected AC",
        "ok    p/submissions/check_manually/looks.sh ",
        "error: p/submissions/accepted/typing.sh:1:1: `@EXPECTED_SCORE@` is neither a number nor a list of verdicts: \
         `4O`\nhelp: write it as `@EXPECTED_SCORE@: 40`\n",
    ] {
        assert!(ran.all().contains(text), "{text}\n{}", ran.all());
    }
}

#[test]
fn submissions_may_be_folders() {
    if crate::support::lacks("python3") {
        return;
    }
    let repo = package(V2025, &ACCEPTED);
    repo.file("p/submissions/accepted/plain/main.py", "import three\nprint(three.VALUE)\n");
    repo.file("p/submissions/accepted/plain/three.py", "VALUE = 3\n");
    repo.file("p/submissions/accepted/plain/__init__.py", "");
    repo.file("p/submissions/wrong_answer/nothing.sh", "");
    repo.file("p/submissions/accepted/named/start.sh", "exec sh \"${0%/*}/part/rest.sh\"\n");
    repo.file("p/submissions/accepted/named/other.sh", "exit 1\n");
    repo.file("p/submissions/accepted/named/part/rest.sh", "echo 3\n");
    repo.file("p/submissions/wrong_answer/rust/main.rs", "mod four;\nfn main() { four::say(); }\n");
    repo.file("p/submissions/wrong_answer/rust/four.rs", "pub fn say() { println!(\"4\"); }\n");
    repo.file("p/submissions/submissions.yaml", "accepted/named: {entrypoint: start.sh}\n");
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stdout.contains("4 solutions: 4 as expected"), "{}", ran.all());
    // One of them, judged alone.
    let ran = repo.run(&["run", "p/submissions/accepted/plain", "-v"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stdout.contains("ok    p/submissions/accepted/plain  AC"), "{}", ran.all());
    repo.file("p/submissions/accepted/both/a.sh", "echo 3\n");
    repo.file("p/submissions/accepted/both/a.py", "print(3)\n");
    repo.file("p/submissions/accepted/none/README", "");
    let ran = repo.judge_package();
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr.contains(
            "warning: p/submissions/accepted/none has no source of a known language; it is not judged\n"
        ),
        "{}",
        ran.all()
    );
    let error = "p/submissions/accepted/both has sources in bash and python3\nhelp: set its language in \
         `submissions.yaml`: `language: ...`";
    assert!(ran.stderr.contains(error), "{}", ran.all());
}

#[test]
fn a_program_opens_the_other_files_of_its_folder_in_its_working_folder() {
    let repo = package(V2025, &ACCEPTED);
    repo.file("p/data/secret/2.in", "3\n")
        .file("p/data/secret/2.ans", "3\n")
        .file("p/data/secret/2.files/part/table.txt", "of the case\n")
        .file("p/include/default/common.txt", "")
        .file(
            "p/submissions/accepted/sourced/main.sh",
            ". ./other.sh\nread where < part/table.txt\ntest -e common.txt && echo \"$three\"\n\
             echo \"$where\" >&2\n",
        )
        .file("p/submissions/accepted/sourced/other.sh", "three=3\n")
        .file("p/submissions/accepted/sourced/part/table.txt", "of the submission\n")
        .file(
            "p/submissions/accepted/writes/main.sh",
            "test -e mark && exit 1\necho 4 > mark\necho 5 > three.txt || exit 1\necho 3\n",
        )
        .file("p/submissions/accepted/writes/three.txt", "3\n");
    let ran = repo.judge_package();
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stdout.contains("2 as expected"), "{}", ran.all());
    // The files of a case replace those of the submission.
    for (case, where_from) in [("secret/1", "of the submission"), ("secret/2", "of the case")] {
        let ran = repo.run(&["exec", "p/submissions/accepted/sourced", "--case", case]);
        assert_eq!(ran.stdout.trim(), "3", "{}", ran.all());
        assert!(ran.stderr.contains(where_from), "{case}\n{}", ran.all());
    }
    let folder = "p/submissions/accepted/sourced";
    let ran = repo.run(&["exec", folder]);
    assert_eq!(ran.stdout.trim(), "3", "{}", ran.all());
}

#[test]
fn sources_of_a_compiled_language_are_compiled_together() {
    if crate::support::lacks("gcc") {
        return;
    }
    let repo = package(V2025, &ACCEPTED);
    let header = "int three(void);\n";
    repo.file("p/submissions/accepted/c/first.c", "#include <stdio.h>\n#include \"three.h\"\nint main(void) { printf(\"%d\\n\", three()); return 0; }\n");
    repo.file(
        "p/submissions/accepted/c/second.c",
        "#include \"three.h\"\nint three(void) { return 3; }\n",
    );
    repo.file("p/submissions/accepted/c/three.h", header);
    // A validator can include a header next to it.
    repo.file("p/output_validator/validate.c", "#include <stdio.h>\n#include \"codes.h\"\nint main(void) { int x = 0; return scanf(\"%d\", &x) == 1 && x == 3 ? YES : NO; }\n");
    repo.file("p/output_validator/codes.h", "enum { YES = 42, NO = 43 };\n");
    let ran = repo.judge_package();
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
            // The answer for a case with the number 0, if there were one.
            ("submissions/accepted/one/output0.txt", "2\n"),
            ("submissions/wrong_answer/swapped/a", "2\n"),
            ("submissions/wrong_answer/swapped/b", "1\n"),
            ("submissions/wrong_answer/a.out", "2\n"),
            ("submissions/accepted/b.out", "2\n"),
        ],
    );
    let ran = repo.judge_package();
    assert_eq!(ran.status, 1, "{}", ran.all());
    assert!(ran.stdout.contains("5 solutions: 4 as expected"), "{}", ran.all());
    assert!(ran.stdout.contains("accepted/one: got WA, expected AC\n"), "{}", ran.all());
    assert!(
        ran.stdout.contains("secret/b  WA  the submission has no answer for this case"),
        "{}",
        ran.all()
    );
}
