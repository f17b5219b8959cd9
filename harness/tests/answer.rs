//! `rejudge answer`: which answers it writes, and which it refuses to write.

use crate::support::Repo;
use insta::assert_snapshot;

const ECHO: &str =
    "fn main() { std::io::copy(&mut std::io::stdin(), &mut std::io::stdout()).unwrap(); }";

/// The problem `echo` with an answered case, a case without an answer, and a solution.
fn repo() -> Repo {
    let repo = Repo::new();
    repo.problem("echo", "name: Echo\n", &[("secret/1", "old\n", "kept\n")])
        .file("cases/echo/data/secret/2.in", "new\n")
        .file("solutions/echo/echo.rs", ECHO);
    repo
}

const FROM: [&str; 4] = ["answer", "echo", "--from", "solutions/echo/echo.rs"];

#[test]
fn a_missing_answer_is_an_error_that_names_the_command_to_add_it() {
    let repo = repo();
    assert_snapshot!(repo.run(&[]).all(), @r###"
    --- standard error
    error: cases/echo/data/secret/2.in has no .ans file
    help: write it with `rejudge answer echo --from SOLUTION`
    --- exit status 2
    "###);
    assert_eq!(repo.run(&FROM).status, 0);
    assert_eq!(repo.read("cases/echo/data/secret/2.ans"), "new\n");
    repo.file("cases/echo/data/secret/1.ans", "old\n");
    assert_eq!(repo.run(&[]).status, 0);
}

#[test]
fn a_solution_gets_the_arguments_and_the_files_of_the_case() {
    let repo = repo();
    repo.file("cases/echo/data/secret/2.yaml", "args: [a, b c]\n")
        .file("cases/echo/data/secret/2.files/note.txt", "d\n")
        .file("solutions/echo/all.sh", "echo \"$#: $*\"; cat note.txt\n");
    let ran = repo.run(&["answer", "echo", "--from", "solutions/echo/all.sh"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert_eq!(repo.read("cases/echo/data/secret/2.ans"), "2: a b c\nd\n");
}

#[test]
fn an_existing_answer_is_kept_unless_overwriting_is_allowed() {
    let repo = repo();
    assert_snapshot!(repo.run(&FROM).all(), @r###"
    echo: 1 answer written, 1 unchanged
    --- exit status 0
    "###);
    assert_eq!(repo.read("cases/echo/data/secret/1.ans"), "kept\n");
    let args = [&FROM[..], &["--overwrite"]].concat();
    assert_snapshot!(repo.run(&args).all(), @r###"
    echo: 0 answers written, 1 replaced, 1 unchanged
    --- exit status 0
    "###);
    assert_eq!(repo.read("cases/echo/data/secret/1.ans"), "old\n");
}

#[test]
fn an_answer_from_a_failed_run_is_rejected() {
    let repo = repo();
    let crash = "fn main() { println!(\"half\"); std::process::exit(3); }";
    repo.file("solutions/echo/echo.rs", crash);
    assert_snapshot!(repo.run(&FROM).all(), @r###"
    echo: 0 answers written, 1 unchanged, 1 refused
    --- standard error
    error: cases/echo/data/secret/2.ans was not written: run-time error: exit code 3
    --- exit status 1
    "###);
    assert!(!repo.path("cases/echo/data/secret/2.ans").exists());
    let names: Vec<_> = std::fs::read_dir(repo.path("cases/echo/data/secret")).unwrap().collect();
    assert_eq!(names.len(), 3);
}

#[test]
fn nothing_is_written_in_ci_unless_asked_for() {
    let repo = repo();
    let ran = repo.finish(repo.command(&FROM).env("CI", "true"));
    assert_snapshot!(ran.all(), @r###"
    --- standard error
    error: refusing to write answers in CI, where nobody reviews them
    help: write them on your own machine and commit them, or add `--in-ci`
    --- exit status 2
    "###);
    assert!(!repo.path("cases/echo/data/secret/2.ans").exists());
    let args = [&FROM[..], &["--in-ci"]].concat();
    assert_eq!(repo.finish(repo.command(&args).env("CI", "true")).status, 0);
    assert!(repo.path("cases/echo/data/secret/2.ans").exists());
}

#[test]
fn missing_files_and_compile_errors_are_reported() {
    let repo = repo();
    repo.file("solutions/echo/bad.rs", "no").file("notes.txt", "no program");
    for args in [
        ["answer", "ecco", "--from", "solutions/echo/echo.rs"],
        ["answer", "echo", "--from", "solutions/echo/nothing.rs"],
        ["answer", "echo", "--from", "solutions/echo/bad.rs"],
        ["answer", "echo", "--from", "notes.txt"],
    ] {
        let ran = repo.run(&args);
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert!(ran.stderr.starts_with("error: "), "{}", ran.stderr);
    }
}

#[test]
fn a_relative_folder_of_a_described_layout_is_found_once() {
    let repo = Repo::new();
    repo.file(
        "p/problem.xml",
        "<problem><judging><testset name=\"tests\"><time-limit>2000</time-limit><test-count>1</test-count>\
         <input-path-pattern>tests/%02d</input-path-pattern><answer-path-pattern>tests/%02d.a</answer-path-pattern>\
         <tests><test method=\"manual\"/></tests></testset></judging></problem>",
    )
    .file("p/tests/01", "7\n")
    .file("echo.rs", ECHO);
    let ran = repo.run(&["answer", "p", "--from", "echo.rs"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert_eq!(repo.read("p/tests/01.a"), "7\n");
}

#[test]
fn a_plain_folder_and_a_source_name_their_cases() {
    let repo = Repo::new();
    repo.file("p/echo.rs", ECHO);
    for (problem, case) in [("p", "1"), ("p/echo.rs", "2")] {
        repo.file(&format!("p/{case}.in"), format!("{case}\n"));
        let ran = repo.run(&["answer", problem, "--from", "p/echo.rs"]);
        assert_eq!(ran.status, 0, "{}", ran.all());
        assert_eq!(repo.read(&format!("p/{case}.ans")), format!("{case}\n"));
    }
}

#[test]
fn a_problem_is_found_as_by_the_other_commands() {
    let repo = repo();
    repo.file("p.zip", "PK").file("folder/a/data/secret/1.in", "");
    repo.file("folder/b/data/secret/1.in", "");
    for (problem, error) in [
        ("ecco", "did you mean the problem `echo`?"),
        ("p.zip", "unpack it, and name the folder"),
        ("folder", "`folder` has several problems: a, b"),
    ] {
        let ran = repo.run(&["answer", problem, "--from", "solutions/echo/echo.rs"]);
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert!(ran.stderr.contains(error), "{}", ran.stderr);
    }
}

#[test]
fn inputs_of_any_name_get_answers() {
    for input in ["1.inp", "tests/entrada1.txt"] {
        let repo = Repo::new();
        repo.file("a.sh", "read a b\necho $((a + b))\n").file(&format!("p/{input}"), "1 2\n");
        let ran = repo.run(&["answer", "p", "--from", "a.sh"]);
        assert_eq!(ran.status, 0, "{input}: {}", ran.all());
        let answer = std::path::Path::new("p").join(input).with_extension("ans");
        assert_eq!(repo.read(answer.to_str().unwrap()), "3\n", "{input}");
        repo.file("p/a.py", "print(sum(map(int, input().split())))\n");
        assert_eq!(repo.run(&["run", "p"]).status, 0, "{input}");
    }
}
