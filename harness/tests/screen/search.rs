//! Work that takes long shows how far it is, and the first Ctrl-C ends it: the search for problems in a huge tree, and
//! the self-test.

use super::terminal::{TerminalStreams, TestTerminal};
use crate::support::{Repo, SUM};

/// A folder that takes minutes to read, although it has few files: links to one folder outside.
fn endless(repo: &Repo) {
    const FILES: usize = 1_000;
    const LINKS: usize = 20_000;
    for file in 0..FILES {
        repo.file(&format!("outside/{file}.rs"), SUM);
    }
    repo.file("home/a.rs", SUM);
    // Links are followed in the repository.
    std::fs::create_dir(repo.path(".git")).unwrap();
    for link in 0..LINKS {
        std::os::unix::fs::symlink("../outside", repo.path(&format!("home/l{link}"))).unwrap();
    }
}

#[test]
fn the_first_interrupt_ends_the_search_and_tells_what_it_saw() {
    let repo = Repo::new();
    endless(&repo);
    for args in [["list"].as_slice(), &["run"]] {
        let command = repo.command_in("home", args);
        let mut terminal = TestTerminal::start(&command, 100, TerminalStreams::All);
        terminal.wait_for("looking for problems: ");
        terminal.types("\u{3}");
        let (status, screen) = terminal.finish();
        assert_eq!(status, 130, "{args:?}: {screen}");
        for text in ["the search for problems was stopped", "files in", "help: name a folder"] {
            assert!(screen.contains(text), "{args:?}: {screen}");
        }
        assert!(!screen.contains("looking for problems"), "{args:?}: {screen}");
    }
}

#[test]
fn a_self_test_shows_the_check_that_it_makes() {
    let repo = Repo::new();
    let command = repo.command(&["self-test", "--all"]);
    let mut terminal = TestTerminal::start(&command, 100, TerminalStreams::All);
    terminal.wait_for(": a program that sleeps is ended at its wall time limit");
    assert!(terminal.screen().contains("check 6 of "));
    terminal.types("\u{3}");
    let (status, screen) = terminal.finish();
    assert_eq!(status, 130, "{screen}");
}
