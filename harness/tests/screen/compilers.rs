//! What compilers print: warnings, and colours.

use crate::support::{Repo, lacks};

/// Compilers warn about the constant without being asked to.
const OVERFLOWS: &str = "#include <stdio.h>\nint main(void) {\n  char c = 300;\n  int a, b;\n  \
                         if (scanf(\"%d%d\", &a, &b) == 2 && c) printf(\"%d\\n\", a + b);\n}\n";

fn repo() -> Repo {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.c", OVERFLOWS);
    repo
}

const CASE: [&str; 2] = ["--case", "1"];

#[test]
fn warnings_are_shown_on_request_with_the_path_of_the_source() {
    if lacks("gcc") {
        return;
    }
    let repo = repo();
    let run = |args: &[&str]| repo.run(&[args, &CASE].concat());
    let warning = "solutions/sum/a.c:3:12: warning: ";
    let quiet = run(&["--no-compile-cache"]);
    assert!(!quiet.all().contains("warning: overflow"), "{}", quiet.all());
    for args in [&["-v"][..], &["-v", "--no-compile-cache"], &["--profile", "debug"]] {
        let ran = run(args);
        assert!(ran.stdout.contains(warning), "{args:?}: {}", ran.all());
        assert_eq!(ran.status, 0);
    }
    // The same program under another name comes from the cache.
    repo.file("solutions/sum/b.c", OVERFLOWS);
    let ran = run(&["-v", "solutions/sum/b.c"]);
    assert!(ran.stdout.contains("solutions/sum/b.c:3:12: warning: "), "{}", ran.all());
    let ran = repo.run(&["exec", "solutions/sum/a.c", "--case", "1", "--profile", "debug"]);
    assert!(ran.stderr.contains(warning), "{}", ran.all());
    assert_eq!(ran.stdout, "3\n");
}

#[test]
fn colours_reach_only_the_terminal() {
    const STYLE: &str = "\u{1b}[1m\u{1b}[31merror: ";
    if lacks("gcc") {
        return;
    }
    let repo = repo();
    repo.file("solutions/sum/compile_error/b.c", "int main(void) { return x; }\n")
        .file("solutions/sum/c.c", "int main(void) { return y; }\n");
    let args = ["-v", "--no-compile-cache", "--case", "1", "--json", "a.json", "--junit", "a.xml"];
    let run = |color: &str| {
        let mut command = repo.command(&[&args[..], &["--color", color]].concat());
        command
            .env_remove("NO_COLOR")
            .env("GITHUB_ACTIONS", "true")
            .env("GITHUB_STEP_SUMMARY", repo.path("a.md"));
        repo.finish(&mut command)
    };
    let colored = run("always");
    assert!(colored.stdout.contains(STYLE), "{}", colored.all());
    let annotations = colored.stdout.lines().filter(|line| line.starts_with("::error"));
    for line in annotations {
        assert!(line.contains("c.c") && !line.contains('\u{1b}'), "{line}");
    }
    for report in ["a.json", "a.xml", "a.md"] {
        let text = repo.read(report);
        assert!(text.contains("solutions/sum/c.c"), "{report}: {text}");
        assert!(!text.contains('\u{1b}') && !text.contains("[31m"), "{report}: {text}");
        let has_message = report == "a.md" || text.contains("solutions/sum/c.c:1:25");
        assert!(has_message, "{report}: {text}");
    }
    let json = repo.read("a.json");
    assert!(json.contains("\"warnings\":\"solutions/sum/a.c: In function"), "{json}");
    let plain = run("never");
    assert!(!plain.stdout.contains('\u{1b}'), "{}", plain.all());
    assert!(plain.stdout.contains("solutions/sum/c.c:1:25: error: "), "{}", plain.all());
    // A program that was built with colours is the same program, and its stored warnings have none.
    let cached = |color| repo.run(&["-v", "--case", "1", "solutions/sum/a.c", "--color", color]);
    cached("always");
    let ran = cached("always");
    assert!(ran.stdout.contains("a.c:3:12: warning: overflow"), "{}", ran.all());
}

#[test]
fn what_a_compiler_tells_about_its_own_progress_is_no_warning() {
    let table = [
        ("fpc", "a.pas", "var a, b: int64;\nbegin\n  readln(a, b);\n  writeln(a + b);\nend.\n"),
        ("ghc", "a.hs", "main = interact (show . sum . map read . words)\n"),
        (
            "gnatmake",
            "a.adb",
            "with Ada.Integer_Text_IO; use Ada.Integer_Text_IO;\nprocedure A is\n  X, Y : Integer;\nbegin\n  \
             Get (X);\n  Get (Y);\n  Put (X + Y);\nend A;\n",
        ),
    ];
    for (compiler, file, source) in table {
        if lacks(compiler) {
            continue;
        }
        let repo = Repo::with_sum();
        repo.file(&format!("solutions/sum/{file}"), source);
        let ran = repo.run(&["-v", "--no-compile-cache", "--case", "1"]);
        assert_eq!(ran.status, 0, "{}", ran.all());
        let lines = ran.stdout.lines().filter(|line| !line.is_empty());
        let others = lines.filter(|line| !line.starts_with("ok ") && !line.contains("as expected"));
        assert_eq!(others.count(), 0, "{compiler}: {}", ran.all());
    }
}
