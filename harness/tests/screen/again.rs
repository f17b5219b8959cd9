//! Judging again: `--failed` and `--watch`.

use super::terminal::{TerminalStreams, TestTerminal};
use crate::support::Repo;
use crate::support::{SUM, does};

/// A repository with a solution that fails on its second case.
fn half_right() -> Repo {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", does("println!(\"3\");"));
    repo
}

#[test]
fn failed_judges_only_the_cases_that_failed_last_time_until_they_pass() {
    let repo = half_right();
    repo.file("solutions/sum/b.rs", SUM);
    assert_eq!(repo.run(&[]).status, 1);
    for _ in 0..2 {
        let ran = repo.run(&["--failed", "-vv"]);
        assert_eq!(ran.status, 1, "{}", ran.all());
        assert!(!ran.stdout.contains("b.rs"), "{}", ran.all());
        assert!(!ran.stdout.contains("sample/1"), "{}", ran.all());
        assert!(ran.stdout.contains("0 of 1 case accepted"), "{}", ran.all());
    }
    repo.file("solutions/sum/a.rs", SUM);
    let ran = repo.run(&["--failed"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stdout.contains("AC   1/1 accepted"), "{}", ran.all());
    let ran = repo.run(&["--failed"]);
    assert_eq!(ran.status, 4, "{}", ran.all());
    let warning = "warning: nothing that is selected failed last time\n";
    assert!(ran.stderr.contains(warning), "{}", ran.all());
}

#[test]
fn failed_judges_all_cases_of_a_solution_that_did_not_compile() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", "fn main() {");
    assert_eq!(repo.run(&[]).status, 1);
    repo.file("solutions/sum/a.rs", SUM);
    let ran = repo.run(&["--failed"]);
    assert!(ran.stdout.contains("AC   2/2 accepted"), "{}", ran.all());
}

#[test]
fn failures_are_kept_for_each_folder() {
    let (one, other) = (half_right(), half_right());
    assert_eq!(one.run(&[]).status, 1);
    assert_eq!(other.run(&["--failed"]).status, 4);
    assert_eq!(one.run(&["--failed"]).status, 1);
}

/// Starts `rejudge --watch` and waits for the end of the first round.
fn watch(repo: &Repo, args: &[&str]) -> TestTerminal {
    let args = [&["--watch", "-j", "1"], args].concat();
    let terminal = TestTerminal::start(&repo.command(&args), 120, TerminalStreams::All);
    terminal.wait_for("Ctrl-C ends");
    terminal
}

/// Waits for the end of a round after a change of `file` whose report contains `text`.
fn round(terminal: &TestTerminal, file: &str, text: &str) -> String {
    let changed = format!("changed: {file}");
    terminal.wait_until(&format!("{changed}: {text}"), |screen| {
        [&changed, text, "Ctrl-C ends"].iter().all(|part| screen.contains(*part))
    });
    terminal.screen()
}

fn ends(mut terminal: TestTerminal) {
    terminal.types("\u{3}");
    let (status, screen) = terminal.finish();
    assert_eq!(status, 130, "{screen}");
}

#[test]
fn a_saved_solution_is_judged_again_and_no_other() {
    let repo = half_right();
    repo.file("solutions/sum/b.rs", SUM);
    let terminal = watch(&repo, &["-v"]);
    terminal.wait_for("FAIL  solutions/sum/a.rs: got WA");
    terminal.wait_for("ok    solutions/sum/b.rs");
    repo.file("solutions/sum/a.rs", SUM);
    let screen = round(&terminal, "solutions/sum/a.rs", "ok    solutions/sum/a.rs  AC   2/2");
    // The screen shows only the newest round.
    assert!(!screen.contains("FAIL"), "{screen}");
    assert!(!screen.contains("b.rs"), "{screen}");
    // An editor that writes a new file and renames it.
    repo.file("solutions/sum/.b.rs.new", "fn main() {");
    std::fs::rename(repo.path("solutions/sum/.b.rs.new"), repo.path("solutions/sum/b.rs")).unwrap();
    let screen = round(&terminal, "solutions/sum/b.rs", "FAIL  solutions/sum/b.rs: got CE");
    assert!(!screen.contains("a.rs"), "{screen}");
    repo.file("solutions/sum/c.rs", SUM);
    round(&terminal, "solutions/sum/c.rs", "ok    solutions/sum/c.rs");
    ends(terminal);
}

#[test]
fn a_saved_case_checker_library_or_setting_is_a_change() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM)
        .file("rejudge.toml", "include = [\"lib\"]\n")
        .file("lib/deep/x.h", "");
    let terminal = watch(&repo, &[]);
    let good = "ok    solutions/sum/a.rs";
    let bad = "FAIL  solutions/sum/a.rs: got WA";
    terminal.wait_for(good);
    let answer = "cases/sum/data/secret/big.ans";
    repo.file(answer, "5\n");
    round(&terminal, answer, bad);
    repo.file(answer, "1000000000001\n");
    round(&terminal, answer, good);
    repo.file("lib/deep/x.h", "// new\n");
    round(&terminal, "lib/deep/x.h", good);
    // A folder that is new.
    let checker = "cases/sum/output_validator/check.rs";
    repo.file(checker, does("std::process::exit(43);"));
    round(&terminal, "cases/sum/output_validator", bad);
    repo.file(checker, does("std::process::exit(42);"));
    round(&terminal, checker, good);
    // A mistake in the settings ends nothing.
    repo.file("rejudge.toml", "includes = 3\n");
    round(&terminal, "rejudge.toml", "error: ");
    repo.file("rejudge.toml", "");
    round(&terminal, "rejudge.toml", good);
    ends(terminal);
}

#[test]
fn a_saved_module_next_to_the_source_is_a_change() {
    let repo = Repo::new();
    repo.file("c/p/1.in", "1\n")
        .file("c/p/1.ans", "1\n")
        .file(
            "c/p/solutions/a.rs",
            "#[path = \"../../lib/one.rs\"]\nmod one;\nfn main() { println!(\"{}\", one::ONE); }\n",
        )
        .file("c/p/solutions/b.rs", does("println!(\"1\");"))
        .file("c/lib/one.rs", "pub const ONE: i32 = 1;\n");
    let terminal = watch(&repo, &["-v"]);
    terminal.wait_for("ok    c/p/solutions/a.rs");
    repo.file("c/lib/one.rs", "pub const ONE: i32 = 2;\n");
    let screen = round(&terminal, "c/lib/one.rs", "FAIL  c/p/solutions/a.rs: got WA");
    assert!(!screen.contains("b.rs"), "{screen}");
    ends(terminal);
}

#[test]
fn a_source_that_is_saved_while_it_is_judged_is_judged_as_it_is_now() {
    let repo = Repo::with_sum();
    let endless = "name: Sum\nlimits:\n  time_limit: 3600\n";
    repo.problem("sum", endless, &[]);
    repo.file("solutions/sum/a.rs", SUM);
    let terminal = watch(&repo, &["-v"]);
    terminal.wait_for("ok    solutions/sum/a.rs");
    for _ in 0..2 {
        repo.file("solutions/sum/a.rs", does("loop {}"));
        terminal.wait_until("the round of the endless program", |screen| {
            screen.contains("changed: solutions/sum/a.rs") && !screen.contains("Ctrl-C ends")
        });
        repo.file("solutions/sum/a.rs", SUM);
        round(&terminal, "solutions/sum/a.rs", "ok    solutions/sum/a.rs  AC   2/2");
    }
    // The signal of a user ends a round that was begun like this.
    repo.file("solutions/sum/a.rs", does("loop {}"));
    terminal.wait_until("the last round", |screen| !screen.contains("Ctrl-C ends"));
    ends(terminal);
}
