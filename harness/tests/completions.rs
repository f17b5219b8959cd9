//! `rejudge completions` and `rejudge man`: the commands and options for shells and `man`.

use crate::support::Repo;

const SUBCOMMANDS: [&str; 21] = [
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
    "report",
    "scale",
    "strength",
    "stress",
    "time",
    "verify",
];

/// What a shell is offered for a command line whose last word is being typed.
fn offered(repo: &Repo, shell: &str, words: &[&str]) -> Vec<String> {
    let mut command = repo.command(&[&["--", "rejudge"], words].concat());
    command
        .env("REJUDGE_COMPLETE", shell)
        .env("_CLAP_COMPLETE_INDEX", words.len().to_string())
        .env("_CLAP_IFS", "\n");
    let ran = repo.finish(&mut command);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{shell} {words:?}");
    ran.stdout.lines().map(str::to_owned).collect()
}

/// A repository with two problems, a library, a baseline and a git branch.
fn repo() -> Repo {
    let repo = Repo::with_sum();
    repo.problem("pair", "name: Pair\n", &[("secret/two", "1\n", "1\n")])
        .file("solutions/sum/a.rs", "fn main() {}\n")
        .file("solutions/pair/b.rs", "fn main() {}\n")
        .file("benches/baselines/desk.json", "{}")
        .file(
            "rejudge.toml",
            "[languages.zonk]\nextensions = [\"zonk\"]\nrun = [\"sh\", \"{source}\"]\n",
        );
    let git = |args: &[&str]| {
        let mut command = std::process::Command::new("git");
        command.args(args).current_dir(repo.path(""));
        command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
        assert!(command.output().unwrap().status.success(), "{args:?}");
    };
    git(&["init", "-q", "-b", "trunk"]);
    let name = ["-c", "user.name=a", "-c", "user.email=a@example.org"];
    git(&[&name[..], &["commit", "-q", "--allow-empty", "-m", "first"]].concat());
    git(&["branch", "faster"]);
    repo
}

#[test]
fn every_shell_completes_commands_and_options() {
    let repo = repo();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let words = offered(&repo, shell, &[""]);
        for command in SUBCOMMANDS {
            let is_it = |word: &String| word.split(['\t', ':']).next() == Some(command);
            assert!(words.iter().any(is_it), "{shell} {command}: {words:?}");
        }
        let words = offered(&repo, shell, &["bench", "--sa"]).join("\n");
        assert!(words.contains("--save"), "{shell}: {words}");
    }
}

#[test]
fn values_that_exist_here_are_completed() {
    let repo = repo();
    let table: [(&[&str], &[&str], &[&str]); 15] = [
        (&["run", "pa"], &["pair"], &["sum"]),
        (&["su"], &["sum"], &["pair"]),
        (&["verify", ""], &["pair", "sum"], &[]),
        (&["run", "solutions/sum/"], &["solutions/sum/a.rs"], &[]),
        (&["run", "--case", ""], &["sample/1", "secret/big", "secret/two"], &[]),
        (&["run", "sum", "--case", ""], &["sample/1", "secret/big"], &["secret/two"]),
        (&["exec", "solutions/pair/b.rs", "--case", ""], &["secret/two"], &["secret/big"]),
        (&["draw", "sum/s"], &["sum/sample/1", "sum/secret/big"], &["pair/secret/two"]),
        (&["new", "x", "--language", ""], &["cpp", "python3", "zonk"], &[]),
        (&["languages", "zo"], &["zonk"], &["cpp"]),
        (&["run", "--checker", "to"], &["tokens"], &["exact"]),
        (&["run", "--checker", "ca"], &["cases/"], &["exact"]),
        (&["bench", "--against", ""], &["trunk", "faster", "baseline:desk"], &[]),
        (&["bench", "--save", ""], &["desk"], &["trunk"]),
        (&["man", "ver"], &["verify"], &["run"]),
    ];
    for (words, expected, absent) in table {
        let found = offered(&repo, "bash", words);
        for word in expected {
            assert!(found.iter().any(|known| known == word), "{words:?} {word}: {found:?}");
        }
        for word in absent {
            assert!(!found.iter().any(|known| known == word), "{words:?} {word}: {found:?}");
        }
    }
    // A broken setting does not disturb the typing.
    repo.file("rejudge.toml", "[languages");
    let offers = |words: &[&str], word: &str| {
        offered(&repo, "bash", words).iter().any(|known| known == word)
    };
    assert!(offers(&["run", "--checker", "to"], "tokens"));
    assert!(offers(&["verify", ""], "cases/"));
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
        assert!(ran.stdout.contains(word), "the page does not contain `{word}`");
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
