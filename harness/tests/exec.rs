//! `rejudge exec`: output on standard output, figures on standard error, and the exit status.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Rust is what this is built with, so it is always there.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn exec(&self, source: &str, args: &[&str], input: &str) -> Output {
        std::fs::write(self.0.path().join("solution.rs"), source).unwrap();
        self.run("solution.rs", args, input)
    }

    fn run(&self, solution: &str, args: &[&str], input: &str) -> Output {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rejudge"))
            .args(["exec", solution])
            .args(args)
            .current_dir(self.0.path())
            .env("REJUDGE_CACHE_DIR", cache(self.0.path()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        // A solution that does not read it all leaves a broken pipe, which is its right.
        stdin.write_all(input.as_bytes()).ok();
        drop(stdin);
        child.wait_with_output().unwrap()
    }
}

fn cache(place: &Path) -> std::path::PathBuf {
    place.join("cache")
}

/// What was written, times and sizes left out.
fn stderr(output: &Output) -> String {
    let text = String::from_utf8(output.stderr.clone()).unwrap();
    let digits = |word: &str| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.');
    let words = text.split(' ');
    words
        .map(|word| if digits(word) { "N" } else { word })
        .collect::<Vec<_>>()
        .join(" ")
}

const CAT: &str = "fn main() { std::io::copy(&mut std::io::stdin(), &mut std::io::stdout()).unwrap(); \
    eprintln!(\"a word\"); }";

#[test]
fn passes_input_and_output_through() {
    let output = Place::new().exec(CAT, &[], "1 2\n\x1b[3m");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(output.stdout, b"1 2\n\x1b[3m");
    let said = stderr(&output);
    let expected = "a word\nexit code 0, cpu N s, wall N s, memory ";
    assert!(said.starts_with(expected), "{said}");
}

#[test]
fn a_run_that_does_not_end_well_is_1() {
    for (source, args, expected) in [
        (
            "fn main() { std::process::exit(3) }",
            &[][..],
            "exit code 3, cpu",
        ),
        (
            "fn main() { std::process::abort() }",
            &[],
            "ended by signal 6, cpu",
        ),
        (
            "fn main() { loop { std::hint::black_box(0); } }",
            &["--time-limit", "0.1"],
            "over the cpu time limit, cpu",
        ),
        (
            "fn main() { loop { std::thread::park() } }",
            &["--wall-limit", "0.1"],
            "over the wall time limit, cpu",
        ),
    ] {
        let output = Place::new().exec(source, args, "");
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let said = stderr(&output);
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn what_does_not_compile_is_1_and_what_is_no_solution_is_2() {
    let place = Place::new();
    let output = place.exec("fn main() { nonsense }", &[], "");
    assert_eq!(output.status.code(), Some(1));
    let said = stderr(&output);
    assert!(
        said.starts_with(
            "error: `solution.rs` does not compile: the compiler ended with exit code 1"
        ),
        "{said}"
    );
    assert!(said.contains("--> solution.rs:1:13"), "{said}");
    std::fs::write(place.0.path().join("a.unknown"), "text").unwrap();
    for (name, expected) in [
        ("a.unknown", "`a.unknown` is in no language of the table"),
        ("missing.rs", "cannot read `missing.rs`"),
    ] {
        let output = place.run(name, &[], "");
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        assert!(stderr(&output).contains(expected), "{output:?}");
    }
}
