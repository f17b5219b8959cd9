//! The loop in interactive shells: completion with the tab key, a failure, its repetition, and Ctrl-C.

use insta::{allow_duplicates, assert_snapshot};

use super::terminal::{TerminalStreams, TestTerminal, masked};
use crate::support::{Repo, SUM, does};

/// A shell, the arguments that keep the user's settings out, and the lines that set it up.
struct Shell {
    name: &'static str,
    args: &'static [&'static str],
    setup: &'static str,
}

const SHELLS: [Shell; 3] = [
    Shell {
        name: "bash",
        args: &["--norc", "--noprofile", "-i"],
        setup: "bind 'set enable-bracketed-paste off'; PS1='$ '; source <(rejudge completions bash); clear\n",
    },
    Shell {
        name: "zsh",
        args: &["--no-rcs", "-i"],
        setup: "unsetopt zle_bracketed_paste prompt_sp 2>/dev/null; PS1='$ '; autoload -U compinit; compinit -u -D; \
                source <(rejudge completions zsh); clear\n",
    },
    Shell {
        name: "fish",
        args: &["--no-config", "-i"],
        setup: "function fish_prompt; printf '$ '; end; set -g fish_autosuggestion_enabled 0; \
                rejudge completions fish | source; clear\n",
    },
];

/// A repository with a right and a wrong solution, of which a run is short.
fn repo() -> Repo {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM).file(
        "solutions/sum/wrong.rs",
        does("println!(\"{}\", if std::io::stdin().lines().count() == 1 { 4 } else { 0 });"),
    );
    repo
}

/// A terminal with the shell, ready for a command; `None` if the shell is not installed.
fn start(shell: &Shell, repo: &Repo, columns: u16) -> Option<TestTerminal> {
    let found = std::process::Command::new(shell.name).arg("--version").output();
    if let Err(error) = found {
        crate::support::skip(&format!("{} cannot be started: {error}", shell.name));
        return None;
    }
    let args: Vec<String> = shell.args.iter().map(|arg| format!("'{arg}'")).collect();
    let mut command = repo.shell(&format!("exec {} {}", shell.name, args.join(" ")));
    // The shells' settings and histories of the user stay out of the test, and the test out of them.
    command
        .env("HISTFILE", "/dev/null")
        .env("XDG_CONFIG_HOME", repo.path("settings"))
        .env("XDG_DATA_HOME", repo.path("data"))
        .env("LANG", "C.UTF-8");
    let mut terminal = TestTerminal::start(&command, columns, TerminalStreams::All);
    terminal.types(shell.setup);
    // The command below prints what the line that was typed does not contain.
    terminal.types("echo re''ady\n");
    terminal.wait_for("\nready");
    terminal.types("clear\n");
    terminal.wait_until("an empty screen", |screen| !screen.contains("ready"));
    Some(terminal)
}

#[test]
fn the_tab_key_completes_problems_and_cases_and_the_command_runs() {
    for shell in &SHELLS {
        let repo = repo();
        let Some(mut terminal) = start(shell, &repo, 80) else {
            continue;
        };
        terminal.types("rejudge run --checker lines:tr\t");
        terminal.wait_for("--checker lines:trimmed");
        // Ctrl-U clears the line.
        terminal.types("\u{15}");
        terminal.types("rejudge su\t");
        terminal.wait_for("rejudge sum");
        terminal.types(" --case secret/b\t");
        terminal.wait_for("--case secret/big");
        terminal.types(" --time-limit 3; echo en''d\n");
        terminal.wait_for("2 solutions: 1 as expected, 1 not");
        terminal.wait_for("\nend");
        let screen = terminal.screen();
        terminal.types("exit\n");
        assert_eq!(terminal.finish().0, 0, "{}: {screen}", shell.name);
    }
}

#[test]
fn a_failure_looks_the_same_in_every_shell_and_is_repeated_by_its_command() {
    for shell in &SHELLS {
        let repo = repo();
        let Some(mut terminal) = start(shell, &repo, 80) else {
            continue;
        };
        terminal.types("rejudge run solutions/sum/wrong.rs --case 1; echo en''d\n");
        terminal.wait_for("\nend");
        let screen = terminal.screen();
        let shown = masked(&report(&screen));
        allow_duplicates! { assert_snapshot!(shown, @r###"
        FAIL  solutions/sum/wrong.rs: got WA, expected AC
              sample/1  WA  token 1: expected `3`, got `4`
                input:
                  1 2
                line 1, column 1 of the output (- expected, + got)
                  - 1 | 3
                      | ^
                  + 1 | 4
                      | ^
                rerun: rejudge run --case sample/1 solutions/sum/wrong.rs
              0 of 1 case accepted, slowest # s (sample/1), # MiB
        "###) };
        let mut lines = screen.lines().map(str::trim);
        let rerun = lines.find_map(|line| line.strip_prefix("rerun: "));
        let rerun = rerun.unwrap_or_else(|| panic!("{screen}"));
        terminal.types(&format!("clear; {rerun}; echo ag''ain\n"));
        terminal.wait_for("\nagain");
        let again = terminal.screen();
        assert!(again.contains("0 of 1 case accepted"), "{}: {again}", shell.name);
        terminal.types("exit\n");
        terminal.finish();
    }
}

#[test]
fn all_solutions_look_the_same_in_every_shell() {
    for shell in &SHELLS {
        let repo = repo();
        let Some(mut terminal) = start(shell, &repo, 120) else {
            continue;
        };
        terminal.types("rejudge --case 1; echo en''d\n");
        terminal.wait_for("\nend");
        let shown = masked(&report(&terminal.screen()));
        allow_duplicates! { assert_snapshot!(shown, @r###"
        FAIL  solutions/sum/wrong.rs: got WA, expected AC
              sample/1  WA  token 1: expected `3`, got `4`
                input:
                  1 2
                line 1, column 1 of the output (- expected, + got)
                  - 1 | 3
                      | ^
                  + 1 | 4
                      | ^
                rerun: rejudge run --case sample/1 solutions/sum/wrong.rs
              0 of 1 case accepted, slowest # s (sample/1), # MiB
        FAIL  sum              1 of 2 solutions not as expected, 1 case  slowest AC # s of 2 s (sample/1), # MiB

        2 solutions: 1 as expected, 1 not as expected (2 cases in # s)
        "###) };
        terminal.types("exit\n");
        terminal.finish();
    }
}

/// The lines of the report on the screen, without the shell's own.
fn report(screen: &str) -> String {
    let lines = screen.lines().skip_while(|line| !line.starts_with("FAIL"));
    let lines = lines.take_while(|line| *line != "end");
    lines.map(|line| line.trim_end().to_owned() + "\n").collect()
}

#[test]
fn ctrl_c_gives_the_prompt_back_in_every_shell() {
    for shell in &SHELLS {
        let repo = Repo::with_sum();
        repo.file("solutions/sum/a.rs", does("loop { std::thread::park() }"));
        let Some(mut terminal) = start(shell, &repo, 80) else {
            continue;
        };
        terminal.types("rejudge --wall-limit 1000\n");
        terminal.wait_for("/2");
        terminal.types("\u{3}");
        terminal.wait_for("interrupted: results up to the interruption");
        terminal.types("echo ba''ck\n");
        terminal.wait_for("\nback");
        terminal.types("exit\n");
        terminal.finish();
    }
}
