//! `rejudge completions` and `rejudge man`: the commands and options for shells and `man`.

use crate::support::Repo;

const SUBCOMMANDS: [&str; 17] = [
    "run",
    "answer",
    "bench",
    "cache",
    "completions",
    "doctor",
    "draw",
    "exec",
    "generate",
    "import",
    "languages",
    "list",
    "listen",
    "man",
    "new",
    "scale",
    "verify",
];

#[test]
fn the_script_of_every_shell_contains_the_subcommands() {
    let repo = Repo::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = repo.run(&["completions", shell]);
        assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{shell}");
        for word in SUBCOMMANDS.iter().chain(&["no-compile-cache", "overwrite"]) {
            assert!(
                ran.stdout.contains(word),
                "the script of {shell} does not contain `{word}`"
            );
        }
    }
}

#[test]
fn bash_accepts_its_script() {
    let script = Repo::new().run(&["completions", "bash"]).stdout;
    let checked = std::process::Command::new("bash")
        .args(["-n", "-c", &script])
        .status();
    match checked {
        Ok(status) => assert!(status.success()),
        Err(error) => crate::support::skip(&format!("bash cannot be started: {error}")),
    }
}

#[test]
fn an_unknown_shell_is_an_error_that_lists_the_known_ones() {
    let ran = Repo::new().run(&["completions", "tcsh"]);
    assert_eq!(
        ran.errors(),
        "error: invalid value 'tcsh' for '<SHELL>'\n  [possible values: bash, elvish, fish, \
         powershell, zsh]\n\n  tip: a similar value exists: 'zsh'\n\nFor more information, try '--help'.\n--- exit status 2"
    );
}

#[test]
fn the_manual_page_names_every_subcommand_and_the_exit_status() {
    let ran = Repo::new().run(&["man"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains(".TH rejudge 1"), "{}", ran.stdout);
    for word in SUBCOMMANDS {
        assert!(
            ran.stdout.contains(word),
            "the page does not contain `{word}`"
        );
    }
    for section in ["EXAMPLES", "ENVIRONMENT", "FILES", "EXIT STATUS"] {
        assert!(ran.stdout.contains(section), "{section}: {}", ran.stdout);
    }
}

#[test]
fn a_command_has_a_manual_page_of_its_own() {
    let ran = Repo::new().run(&["man", "run"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("fail\\-fast"), "{}", ran.stdout);
    let ran = Repo::new().run(&["man", "walk"]);
    assert_eq!(
        ran.errors(),
        "error: no such command: `walk`\nhelp: `rejudge --help` lists the commands\n--- exit status 2"
    );
}
