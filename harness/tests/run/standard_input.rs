//! `rejudge run -`: a source from standard input.

use std::io::Write as _;
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};

use insta::assert_snapshot;

use crate::support::terminal;
use crate::support::{Ran, Repo, SUM, does};

/// Judges `source` from standard input.
fn judged(repo: &Repo, source: impl AsRef<[u8]>, args: &[&str]) -> Ran {
    let mut file = tempfile::tempfile().unwrap();
    file.write_all(source.as_ref()).unwrap();
    std::io::Seek::rewind(&mut file).unwrap();
    let mut command = repo.command(&[&["run", "-"], args].concat());
    command.stdin(Stdio::from(OwnedFd::from(file)));
    output(repo, &mut command)
}

fn output(repo: &Repo, command: &mut Command) -> Ran {
    // Shards of such a run would have to read the source twice.
    let out = command.output().unwrap();
    let text = |bytes: Vec<u8>| {
        String::from_utf8(bytes).unwrap().replace(repo.path("").to_str().unwrap(), "REPO/")
    };
    Ran {
        status: out.status.code().unwrap_or(-1),
        stdout: crate::support::redact_figures(&text(out.stdout)),
        stderr: text(out.stderr),
    }
}

#[test]
fn a_source_from_standard_input_is_judged_on_a_problem_or_a_folder() {
    let repo = Repo::with_sum();
    repo.file("t/1.in", "1 2").file("t/1.ans", "3");
    for cases in [&["sum"] as &[&str], &["cases/sum"], &["t"], &["--cases", "t"]] {
        let args = [&["--language", "rs"], cases].concat();
        let ran = judged(&repo, SUM, &args);
        assert!(ran.stdout.starts_with("ok    -  AC   "), "{cases:?}: {}", ran.all());
        assert_eq!((ran.status, &*ran.stderr), (0, ""), "{cases:?}");
    }
    repo.file("solutions/sum/right.rs", SUM);
    // What is stored is no failure of the repository, and the command that repeats a case works.
    let wrong = judged(&repo, does("println!(\"4\");"), &["--language", "rust", "t"]);
    assert_eq!(wrong.status, 1);
    let rerun = "rerun: rejudge run --case 1 --cases t --language rust -\n";
    assert!(wrong.stdout.contains(rerun), "{}", wrong.stdout);
    let failed = repo.run(&["run", "--failed"]);
    assert!(
        failed.stderr.contains("nothing that is selected failed last time"),
        "{}",
        failed.all()
    );
}

#[test]
fn messages_about_a_source_from_standard_input_have_no_temporary_path() {
    let repo = Repo::new();
    repo.file("t/1.in", "1 2").file("t/1.ans", "3");
    let ran = judged(&repo, "fn main() { x }\n", &["--language", "rust", "t"]);
    assert_eq!(ran.status, 1);
    assert!(ran.stdout.contains("--> stdin.rs:1:13\n"), "{}", ran.stdout);
    let ran = judged(&repo, does("panic!(\"no\");"), &["--language", "rust", "t", "--json", "-"]);
    assert!(ran.stdout.contains("\"submission\":\"-\""), "{}", ran.stdout);
    assert!(ran.stdout.contains("panicked at stdin.rs:1:"), "{}", ran.stdout);
}

#[test]
fn wrong_calls_with_standard_input_name_the_fault_and_the_fix() {
    let repo = Repo::with_sum();
    repo.file("t/1.in", "1 2").file("t/1.ans", "3");
    let mut all = String::new();
    let long = vec![b'a'; (16 << 20) + 1];
    for (source, args) in [
        (SUM.as_bytes(), &["t"] as &[&str]),
        (SUM.as_bytes(), &["t", "--language", "rast"]),
        (SUM.as_bytes(), &["--language", "rust"]),
        (SUM.as_bytes(), &["--language", "rust", "nowhere"]),
        (SUM.as_bytes(), &["--language", "rust", "t", "cases/sum"]),
        (SUM.as_bytes(), &["--language", "rust", "t", "--cases", "t"]),
        (SUM.as_bytes(), &["--language", "rust", "t", "--watch"]),
        (b"\0", &["--language", "rust", "t"]),
        (&long, &["--language", "rust", "t"]),
    ] {
        let ran = judged(&repo, source, args);
        assert_eq!((ran.status, &*ran.stdout), (2, ""), "{args:?}");
        all.push_str(&ran.stderr);
    }
    let ran = repo.run(&["run", "--language", "rust", "t"]);
    all.push_str(&ran.stderr);
    assert_snapshot!(all, @r"
    error: the source from standard input has no language
    help: name it, as in `rejudge run - --language python3`; `rejudge languages` lists all
    error: there is no language `rast`
    help: did you mean `rust`?
    error: there are no test cases for the source from standard input
    help: name a problem, as in `rejudge run - PROBLEM`, or the folder of the cases: `--cases DIR`
    error: there is no problem and no folder `nowhere`
    help: `rejudge list` shows the problems
    error: standard input is one source, and its cases are one folder or problem
    help: judge other sources by a command of their own
    error: the cases are named twice: by `--cases` and by a path
    help: keep one of them
    error: a source from standard input is judged once, and here
    help: write it to a file for `--watch`, `--failed` and `--nats`
    error: the source from standard input is a binary file, not a source
    help: replace it with the source; remove compiled programs
    error: the source from standard input is larger than 16 MiB
    help: a solution is a source file; remove other files
    error: `--language` is for a source from standard input
    help: add the path `-`; the language of a file follows from its extension
    ");
}

#[test]
fn a_terminal_is_told_that_a_source_is_awaited() {
    let repo = Repo::new();
    repo.file("t/1.in", "1 2").file("t/1.ans", "3");
    let (keys, line) = terminal::open(80, 24);
    let mut keys = std::fs::File::from(keys);
    let typed = SUM.replace('\n', " ");
    keys.write_all(format!("{typed}\n\x04").as_bytes()).unwrap();
    let mut command = repo.command(&["run", "-", "--language", "rust", "t"]);
    let ran = output(&repo, command.stdin(Stdio::from(line)));
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stderr.contains("note: type or paste the source; Ctrl-D"), "{}", ran.stderr);
}
