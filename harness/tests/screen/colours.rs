//! What a terminal with colours shows, through the whole program.

use super::terminal::{TerminalStreams, TestTerminal};
use crate::support::{Repo, does, lacks};

/// The screen after a run with colours, and the text on it that is inverted.
fn shown(repo: &Repo, args: &[&str]) -> (String, String) {
    let mut command = repo.command(args);
    command.env_remove("NO_COLOR");
    let mut terminal = TestTerminal::start(&command, 100, TerminalStreams::All);
    let (status, screen) = terminal.wait_for_end();
    assert_eq!(status, 1, "{screen}");
    (screen, terminal.inverted())
}

#[test]
fn a_difference_is_inverted_and_has_no_escapes() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", does("println!(\"4\");"));
    for more in [&[][..], &["--color", "always"]] {
        let (screen, inverted) = shown(&repo, &[&["--case", "1"], more].concat());
        assert!(screen.contains("- 1 | 3"), "{screen}");
        assert!(!screen.contains("\\x1b"), "{screen}");
        assert_eq!(inverted, "34", "{screen}");
    }
}

#[test]
fn the_messages_of_compilers_and_programs_have_no_escapes() {
    let repo = Repo::with_sum();
    let sources = [
        ("python3", "b.py", "abc(1)\n", "^^^"),
        ("rustc", "c.rs", "fn main() { let x: u8 = \"\"; }\n", "mismatched types"),
        ("gcc", "d.c", "int main() { return x; }\n", "undeclared"),
    ];
    for (program, name, source, words) in sources {
        if lacks(program) {
            continue;
        }
        let path = format!("solutions/sum/{name}");
        repo.file(&path, source);
        let (screen, _) = shown(&repo, &["--case", "1", &path]);
        assert!(screen.contains(words), "{name}: {screen}");
        assert!(!screen.contains("\\x1b") && !screen.contains("^\\^"), "{name}: {screen}");
    }
}

#[test]
fn only_buildkite_gets_a_backslash_for_its_headings() {
    if lacks("python3") {
        return;
    }
    let repo = Repo::with_sum();
    repo.file("solutions/sum/b.py", "abc(1)\n");
    for (ci, shown) in [(None, "^^^"), (Some("true"), "^^\\^")] {
        let mut command = repo.command(&["run", "--case", "1"]);
        command.env_remove("BUILDKITE");
        if let Some(ci) = ci {
            command.env("BUILDKITE", ci);
        }
        let ran = repo.finish(&mut command);
        let has_line = ran.stdout.lines().any(|line| line.trim() == shown);
        assert!(has_line, "{ci:?}: {}", ran.all());
    }
}
