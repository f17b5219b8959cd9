//! Mistakes of users: the message names the file, the line and the fix; rejudge never panics and
//! never succeeds.

use crate::support::Repo;
use insta::assert_snapshot;

mod arguments;
mod mistakes;

const SUM: &str = "a, b = map(int, input().split())\nprint(a + b)\n";

/// The errors that `rejudge` prints for a repository in which `path` contains `text`.
fn errors_with(path: &str, text: &[u8]) -> String {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.py", SUM).file(path, text);
    repo.run(&["list"]).errors()
}

/// The errors that `rejudge` prints for these arguments in a valid repository.
fn errors_of(args: &[&str]) -> String {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.py", SUM);
    repo.run(args).errors()
}

#[test]
fn pointers_of_git_lfs_are_no_cases() {
    let pointer =
        format!("version https://git-lfs.github.com/spec/v1\noid sha256:{:064}\nsize 12\n", 7);
    let repo = Repo::new();
    repo.file("sum.py", SUM).file("1.in", "1 2\n").file("1.out", "3\n");
    repo.file("2.in", "1 2\n")
        .file("2.out", pointer.as_bytes())
        .file("3.in", pointer.as_bytes())
        .file("3.out", "1\n");
    let ran = repo.run(&[]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(ran.stdout.contains("1/1 accepted"), "{}", ran.all());
    let error = "2 of 3 cases are pointers of Git LFS; the files are not here\nhelp: fetch them with `git lfs pull`\n";
    assert!(ran.stderr.contains(error), "{}", ran.all());
    repo.file("1.in", pointer.as_bytes());
    let ran = repo.run(&["sum.py"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(ran.stderr.contains("3 of 3 cases are pointers"), "{}", ran.all());
}

#[test]
fn a_broken_problem_yaml_names_the_line_and_the_key() {
    let path = "cases/sum/problem.yaml";
    let table = [
        (
            "limits:\n  time_limit: 0\n",
            ":3:15: `limits.time_limit` must be greater than zero, got `0`",
        ),
        (
            "limits:\n  time_limit: -1\n",
            ":3:15: `limits.time_limit` must be greater than zero, got `-1`",
        ),
        (
            "limits: {time_limit: .nan}\n",
            ":2:22: `limits.time_limit` must be greater than zero, got `NaN`",
        ),
        (
            "limits: {time_limit: two}\n",
            ":2:22: `limits.time_limit` must be a number of seconds, got the text `two`",
        ),
        ("limits: {memory: -5}\n", ":2:18: `limits.memory` must be greater than zero, got `-5`"),
        (
            "limits: {memory: 1.5}\n",
            ":2:18: `limits.memory` must be a whole number of MiB, got `1.5`",
        ),
        ("limits: 3\n", ":2:9: `limits` must be a table, got `3`"),
        ("name: [\n", ":2:7: not valid YAML: unclosed bracket '['"),
        ("name: a\n\tb: 1\n", ":2:7: not valid YAML: while scanning a plain scalar, found a tab"),
        ("name: a\nname: b\n", ":3:1: not valid YAML: the key `name` is set twice"),
        ("type: foo\n", ":2:7: unknown `type`: `foo`"),
        (
            "limits: {time_limit: 99999999}\n",
            ":2:22: `limits.time_limit` must be at most 86400, got `99999999`",
        ),
        (
            "problem_format_version: 3\n",
            ":2:1: not valid YAML: the key `problem_format_version` is set twice",
        ),
    ];
    for (text, expected) in table {
        let text = format!("problem_format_version: 2025-09\n{text}");
        assert_eq!(
            errors_with(path, text.as_bytes()),
            format!("error: {path}{expected}\n--- exit status 2")
        );
    }
}

#[test]
fn a_binary_problem_yaml_is_an_error_and_an_unknown_key_a_warning() {
    let path = "cases/sum/problem.yaml";
    assert_eq!(
        errors_with(path, b"\xff\xfe"),
        "error: cases/sum/problem.yaml is not valid UTF-8\nhelp: save it as UTF-8 text\n--- exit status 2"
    );
    assert_eq!(
        errors_with(path, b"problem_format_version: 2025-09\nlimits: {tme_limit: 3}\n"),
        "warning: cases/sum/problem.yaml:2:10: unknown key `limits.tme_limit`; it is ignored\n\
         help: did you mean `limits.time_limit`?\n--- exit status 0"
    );
}

#[test]
fn a_broken_rejudge_toml_names_the_line_and_the_key() {
    let table = [
        (
            "[defaults]\ntime_limt = 1\n",
            "rejudge.toml:2:1: unknown key `time_limt`\nhelp: did you mean `time_limit`?",
        ),
        (
            "[defaults]\ntime_limit = 0\n",
            "rejudge.toml:2:14: a limit must be greater than zero, got `0`",
        ),
        (
            "[defaults]\njobs = \"two\"\n",
            "rejudge.toml:2:8: `jobs` must be a whole number, not the text `two`",
        ),
    ];
    for (text, expected) in table {
        assert_eq!(
            errors_with("rejudge.toml", text.as_bytes()),
            format!("error: {expected}\n--- exit status 2")
        );
    }
}

#[test]
fn an_incomplete_case_names_the_missing_file() {
    let table: [(&str, &str); 2] = [
        (
            "cases/sum/data/secret/x.in",
            "error: cases/sum/data/secret/x.in has no .ans file\n\
             help: write it with `rejudge answer sum --from SOLUTION`",
        ),
        (
            "cases/sum/data/secret/x.ans",
            "error: cases/sum/data/secret/x.ans has no .in file\n\
             help: write the input to cases/sum/data/secret/x.in, or remove it",
        ),
    ];
    for (path, expected) in table {
        assert_eq!(errors_with(path, b"1\n"), format!("{expected}\n--- exit status 2"));
    }
    assert_eq!(
        errors_with("cases/sum/data/secret/a b.in", b"1\n"),
        "warning: cases/sum/data/secret/a b.in is not a valid name of a case; it is ignored\n\
         help: use letters, digits, `_`, `.` and `-`; start with a letter, digit or `_`\n--- exit status 0"
    );
}

#[test]
fn an_invalid_source_is_reported() {
    let table: [(&str, &[u8], &str); 5] = [
        (
            "solutions/sum/b.c",
            b"\x7fELF\0\0",
            "error: solutions/sum/b.c is a binary file, not a source\n\
             help: replace it with the source; remove compiled programs",
        ),
        (
            "solutions/sum/b.c/c.c",
            b"int main;",
            "error: solutions/sum/b.c is not named after a verdict\nhelp: use one of `accepted`, `slow_accepted`, `wrong_answer`, `time_limit_exceeded`, `run_time_error`, `memory_limit_exceeded`, `output_limit_exceeded`, `compile_error`, `brute_force`, `rejected`, `partially_accepted`",
        ),
        (
            "solutions/sum/wrong-answer/b.py",
            b"pass",
            "error: solutions/sum/wrong-answer is not named after a verdict\n\
             help: did you mean `wrong_answer`?",
        ),
        (
            "solutions/smu/b.py",
            b"pass",
            "error: cases/smu does not exist\nhelp: did you mean the problem `sum`?",
        ),
        (
            "solutions/sum/b.py",
            b"# @EXPECTED_RESULTS@: nonsense\n",
            "error: solutions/sum/b.py:1:1: `@EXPECTED_RESULTS@` lists `nonsense`, which is not a verdict\n\
             help: write it as `@EXPECTED_RESULTS@: WRONG-ANSWER, TIMELIMIT`",
        ),
    ];
    for (path, text, expected) in table {
        assert_eq!(errors_with(path, text), format!("{expected}\n--- exit status 2"));
    }
}

#[test]
fn an_empty_folder_gets_help() {
    assert_snapshot!(Repo::new().run(&[]).all(), @r"
    --- standard error
    error: [repo] has neither test cases nor problems
    help: add `NAME.in` with `NAME.ans`, or name the folder of the cases: `--cases DIR`
    --- exit status 2
    ");
}

#[test]
fn one_bad_path_does_not_prevent_judging_the_others() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/wrong_answer/four.rs", "fn main() { println!(\"4\"); }\n");
    assert_snapshot!(repo.run(&["sum", "nosuch"]).all(), @r"
    ok    solutions/sum/wrong_answer/four.rs  WA   0/2 accepted, slowest # s (CASE), SIZE
    --- standard error
    error: no file, folder or problem is called `nosuch`
    help: name a file, a folder, or a problem: `rejudge list` shows them
    --- exit status 2
    ");
}

/// Files that would block the reader forever.
#[test]
fn a_pipe_in_place_of_a_file_is_reported_without_waiting() {
    let table = [
        (
            "cases/sum/problem.yaml",
            "error: cannot read cases/sum/problem.yaml: it is not a regular file",
        ),
        ("rejudge.toml", "error: cannot read [repo]/rejudge.toml: it is not a regular file"),
        (
            "cases/sum/data/secret/x.in",
            "error: cases/sum/data/secret/x.in is not a regular file\nhelp: remove it, or put a file in its place",
        ),
        (
            "cases/sum/data/secret/big.ans",
            "error: cases/sum/data/secret/big.ans is not a regular file\n\
             help: remove it, or put a file in its place\n\
             error: cases/sum/data/secret/big.in has no .ans file\n\
             help: write it with `rejudge answer sum --from SOLUTION`",
        ),
        ("solutions/sum/b.py", "error: cannot read solutions/sum/b.py: it is not a regular file"),
    ];
    for (path, expected) in table {
        let repo = Repo::with_sum();
        repo.file("solutions/sum/a.py", SUM);
        let _ = std::fs::remove_file(repo.path(path));
        let made = std::process::Command::new("mkfifo").arg(repo.path(path)).status();
        assert!(made.unwrap().success());
        let errors = repo.run(&["list"]).errors();
        assert_eq!(errors, format!("{expected}\n--- exit status 2"), "{path}");
    }
}

#[test]
fn dangling_and_circular_links_are_reported() {
    let table = [
        (
            "problem.yaml",
            "cases/sum/problem.yaml",
            "error: cannot read cases/sum/problem.yaml: Too many levels of symbolic links (os error 40)",
        ),
        (
            ".",
            "cases/sum/data/secret/loop",
            "error: cases/sum/data/secret/loop is a symbolic link that leads back to cases/sum/data/secret\n\
             help: remove the link, or point it elsewhere",
        ),
        (
            "nowhere",
            "solutions/sum/b.py",
            "error: solutions/sum/b.py is a symbolic link that leads nowhere\n\
             help: remove the link, or point it elsewhere",
        ),
    ];
    for (target, link, expected) in table {
        let repo = Repo::with_sum();
        repo.file("solutions/sum/a.py", SUM);
        let _ = std::fs::remove_file(repo.path(link));
        std::os::unix::fs::symlink(target, repo.path(link)).unwrap();
        let errors = repo.run(&["list"]).errors();
        assert_eq!(errors, format!("{expected}\n--- exit status 2"), "{link}");
    }
}

/// A file of that name would not be judged, so that nothing is missing.
#[test]
fn a_dangling_link_beside_the_problem_is_a_warning() {
    let repo = Repo::with_sum();
    let sum = crate::support::SUM;
    repo.file("solutions/sum/a.rs", sum)
        .file("p/1.in", "1 2\n")
        .file("p/1.ans", "3\n")
        .file("p/a.rs", sum);
    let link = |path: &str| {
        let folder = repo.path(path);
        std::fs::create_dir_all(folder.parent().unwrap()).unwrap();
        std::os::unix::fs::symlink("nowhere", folder).unwrap();
    };
    for path in [
        "p/statement/figure.png",
        "p/notes.txt",
        "p/.#1.in",
        "cases/sum/statement/figure.png",
        "cases/sum/data/secret/notes.txt",
        "solutions/sum/notes.txt",
        "solutions/sum/.#a.py",
    ] {
        link(path);
        for what in ["p", "sum"] {
            let ran = repo.run(&["run", what]);
            assert_eq!(ran.status, 0, "{path}: {}", ran.all());
        }
        let warning = format!("{path} is a symbolic link that leads nowhere; it is ignored");
        let ran = repo.run(&["list", "p", "sum"]);
        let is_silent = path.contains(".#") || path.starts_with("cases/sum/statement");
        let count = usize::from(!is_silent);
        assert_eq!(ran.all().matches(&warning).count(), count, "{}", ran.all());
        std::fs::remove_file(repo.path(path)).unwrap();
    }
    for path in [
        "p/2.in",
        "p/1.out",
        "p/b.py",
        "p/tests",
        "p/problem.yaml",
        "cases/sum/data/secret/2.in",
        "cases/sum/data/secret/group",
        "cases/other",
        "solutions/sum/b.py",
        "solutions/sum/wrong_answer",
    ] {
        link(path);
        let what = if path.starts_with("p/") { "p" } else { "." };
        let ran = repo.run(&["run", what]);
        assert_eq!(ran.status, 2, "{path}: {}", ran.all());
        assert!(ran.stderr.contains(path), "{path}: {}", ran.all());
        std::fs::remove_file(repo.path(path)).unwrap();
    }
}
