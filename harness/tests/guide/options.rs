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

/// The subcommands with options of their own.
const COMMANDS: &[&[&str]] = &[
    &["run"],
    &["bench"],
    &["scale"],
    &["answer"],
    &["list"],
    &["languages"],
    &["exec"],
    &["generate"],
    &["doctor"],
    &["draw"],
    &["import"],
    &["listen"],
    &["new"],
    &["verify"],
    &["cache", "clean"],
    &["completions"],
];

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
    for command in COMMANDS.iter().copied() {
        let ran = repo.run(&[command, &["--help"]].concat());
        assert_eq!(ran.status, 0, "{command:?}");
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
    let help = Repo::new().run(&["--help"]).stdout;
    let commands = help.split("Commands:\n").nth(1).unwrap();
    let commands = commands.split("\n\n").next().unwrap();
    for line in commands.lines() {
        let name = line.split_whitespace().next().unwrap();
        let named = GUIDE.contains(&format!("rejudge {name}"));
        assert!(named || name == "help", "`rejudge {name}`");
    }
}
