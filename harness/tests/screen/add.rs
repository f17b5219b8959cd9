//! `rejudge case add`: from the terminal, a pipe and files, in the layout that the folder has.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;

use super::terminal::{TerminalStreams, TestTerminal};
use crate::support::Repo;
use crate::support::{SUM, does};

/// The files of a case, and those of the case that is added next to it.
type Layout = (&'static [(&'static str, &'static str)], [&'static str; 2]);

#[test]
fn a_case_is_added_in_the_layout_of_the_folder() {
    let table: [Layout; 5] = [
        (&[("p/1.in", "p/1.out")], ["p/2.in", "p/2.out"]),
        (&[("p/tests/09.in", "p/tests/09.ans")], ["p/tests/10.in", "p/tests/10.ans"]),
        (&[("p/input1.txt", "p/output1.txt")], ["p/input2.txt", "p/output2.txt"]),
        (
            &[("p/input/input3.txt", "p/output/output3.txt")],
            ["p/input/input4.txt", "p/output/output4.txt"],
        ),
        (&[], ["p/tests/1.in", "p/tests/1.ans"]),
    ];
    for (cases, [input, answer]) in table {
        let repo = Repo::new();
        repo.file("p/a.rs", SUM).file("first", "4 5\n").file("second", "9\n");
        for (input, answer) in cases {
            repo.file(input, "1 2\n").file(answer, "3\n");
        }
        let ran = repo.run(&["case", "add", "p", "--input", "first", "--answer", "second"]);
        assert_eq!(ran.status, 0, "{input}: {}", ran.all());
        assert_eq!(ran.stdout, format!("added {input} and {answer}\n"));
        assert_eq!((repo.read(input), repo.read(answer)), ("4 5\n".into(), "9\n".into()));
        let ran = repo.run(&["p/a.rs"]);
        let all = format!("{0}/{0} accepted", cases.len() + 1);
        assert!(ran.stdout.contains(&all), "{}", ran.all());
    }
}

#[test]
fn a_case_of_one_of_several_solutions_keeps_its_name() {
    for (path, input, added) in [
        ("p/a.rs", "p/a.in", "p/a-2.in"),
        ("p/a.rs", "p/a1.in", "p/a2.in"),
        ("p/p10.rs", "p/p10.in", "p/p10-2.in"),
        ("p/p10.rs", "p/p10_1.in", "p/p10_2.in"),
    ] {
        let repo = Repo::new();
        repo.file(path, SUM).file("p/b.rs", SUM).file("p/p11.rs", SUM);
        repo.file(input, "1 2\n").file("p/b1.in", "1\n").file("p/p11.in", "1\n");
        repo.file("new.in", "4 5\n").file("new.ans", "9\n");
        let ran = repo.run(&["case", "add", path, "--input", "new.in", "--answer", "new.ans"]);
        let answer = added.replace(".in", ".ans");
        let line = format!("added {added} and {answer}\n");
        assert_eq!(ran.stdout, line, "{input}: {}", ran.all());
    }
}

/// Creates a program `bin/NAME` that prints a text with the line ends of Windows, and none at the end.
fn clipboard(repo: &Repo, name: &str) {
    let script = "#!/bin/sh\nprintf '4\\r\\n5'\n";
    repo.file(&format!("bin/{name}"), script);
    let program = repo.path(&format!("bin/{name}"));
    std::fs::set_permissions(program, Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_case_is_copied_from_the_clipboard() {
    for (program, desktop) in
        [("wl-paste", "WAYLAND_DISPLAY"), ("xclip", "DISPLAY"), ("xsel", "DISPLAY")]
    {
        let repo = Repo::new();
        repo.file("p/a.rs", SUM).file("p/1.in", "1 2\n").file("p/1.ans", "3\n");
        clipboard(&repo, program);
        // Only this program: others of the machine would find no desktop.
        let script = "PATH=\"$PWD/bin:$PATH\"; echo 9 | rejudge case add p --clipboard";
        let mut add = repo.shell(script);
        for variable in ["WAYLAND_DISPLAY", "DISPLAY"] {
            add.env_remove(variable);
        }
        let ran = repo.finish(add.env(desktop, ":9"));
        assert_eq!(ran.stdout, "added p/2.in and p/2.ans\n", "{}", ran.all());
        assert_eq!((repo.read("p/2.in"), repo.read("p/2.ans")), ("4\n5\n".into(), "9\n".into()));
    }
}

#[test]
fn without_a_clipboard_the_terminal_is_offered() {
    let repo = Repo::new();
    repo.file("p/a.rs", SUM);
    let mut add = repo.command(&["case", "add", "p", "--clipboard"]);
    add.env("PATH", repo.path("bin"));
    let ran = repo.finish(add.env_remove("DISPLAY").env_remove("WAYLAND_DISPLAY"));
    assert_eq!(ran.status, 2, "{}", ran.all());
    let help =
        "help: install `wl-clipboard`, `xclip` or `xsel`, or paste the input into the terminal";
    assert!(ran.stderr.contains(help), "{}", ran.all());
    assert!(!repo.path("p/tests").exists());
}

#[test]
fn a_case_is_typed_on_a_terminal() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM);
    let args = ["case", "add", "sum", "--name", "typed"];
    let mut terminal = TestTerminal::start(&repo.command(&args), 80, TerminalStreams::All);
    terminal.wait_for("input; Ctrl-D ends it:");
    terminal.types("20 22\n\u{4}");
    terminal.wait_for("answer; Ctrl-D ends it:");
    terminal.types("42\n\u{4}");
    let (status, screen) = terminal.finish();
    assert_eq!(status, 0, "{screen}");
    assert_eq!(repo.read("cases/sum/data/secret/typed.in"), "20 22\n");
    assert_eq!(repo.read("cases/sum/data/secret/typed.ans"), "42\n");
    assert_eq!(repo.run(&["--case", "typed"]).status, 0);
}

#[test]
fn a_pipe_is_the_input_and_an_existing_case_is_kept() {
    let repo = Repo::new();
    repo.file("p/a.rs", does("")).file("p/1.in", "1\n").file("p/1.ans", "1\n");
    let script = "echo 5 | rejudge case add p; echo 6 | rejudge case add p --name 1";
    let ran = repo.finish(&mut repo.shell(script));
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(ran.stdout.contains("added p/2.in\n"), "{}", ran.all());
    assert!(ran.stderr.contains("help: choose another name"), "{}", ran.all());
    assert_eq!((repo.read("p/1.in"), repo.read("p/2.in")), ("1\n".into(), "5\n".into()));
}
