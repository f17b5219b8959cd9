//! Every option is in the guide, and the guide has no other.

use std::collections::BTreeSet;

use crate::support::Repo;
use crate::{GUIDE, README};

/// Options of other programs, in command lines that the documents show.
const FOREIGN: [&str; 9] = [
    "--bench",
    "--release",
    "--path",
    "--edition",
    "--crate-name",
    "--user",
    "--scope",
    "--save-baseline",
    "--git",
];

/// The subcommands, from the help.
fn commands(repo: &Repo) -> Vec<String> {
    let help = repo.run(&["--help"]).stdout;
    let (_, commands) = help.split_once("Commands:\n").unwrap();
    let (commands, _) = commands.split_once("\n\n").unwrap();
    let names = commands.lines().map(|line| line.split_whitespace().next());
    let names = names.map(|name| name.unwrap().to_owned());
    names.filter(|name| name != "help").collect()
}

/// The long options in a text.
fn options(text: &str) -> BTreeSet<String> {
    let is_name = |c: char| c.is_ascii_lowercase() || c == '-';
    text.split(|c: char| !is_name(c))
        .filter(|word| word.len() > 3 && word.starts_with("--") && !word.starts_with("---"))
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_guide_has_every_option_and_no_other() {
    let repo = Repo::new();
    let mut known = BTreeSet::new();
    let mut commands = commands(&repo);
    commands.push("cache clean".to_owned());
    for command in commands {
        let args: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let ran = repo.run(&args);
        assert_eq!(ran.status, 0, "{command}");
        known.extend(options(&ran.stdout));
    }
    let explained = options(GUIDE);
    // Those that speak for themselves, or that the guide writes in their short form alone.
    let short = [
        "--time-limit",
        "--memory-limit",
        "--verbose",
        "--quiet",
        "--output",
        "--force",
    ];
    for option in known
        .iter()
        .filter(|option| !short.contains(&option.as_str()))
    {
        assert!(explained.contains(option), "the guide lacks `{option}`");
    }
    for option in explained.union(&options(README)) {
        let real = known.contains(option) || FOREIGN.contains(&option.as_str());
        assert!(real, "there is no option `{option}`");
    }
}

#[test]
fn the_guide_has_every_command() {
    for name in commands(&Repo::new()) {
        let named = GUIDE.contains(&format!("rejudge {name}"));
        assert!(named, "`rejudge {name}`");
    }
}
