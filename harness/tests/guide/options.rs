//! The guide has every option and no others.

use std::collections::BTreeSet;

use crate::guide::markdown::rows;
use crate::guide::pages::{GuidePage, documents, guide};
use crate::support::Repo;

/// Options of other programs in the command lines of the documents.
const FOREIGN: [&str; 25] = [
    // Of `podman`, and of NATS: `nats-server` and `nats`.
    "--cgroupns",
    "--privileged",
    "--config",
    "--replicas",
    "--bench",
    "--release",
    "--path",
    "--edition",
    "--crate-name",
    "--user",
    "--scope",
    "--save-baseline",
    "--git",
    "--testset",
    "--group",
    "--array",
    "--requeue",
    "--cap-drop",
    "--input",
    "--network",
    "--repository",
    "--rm",
    "--security-opt",
    "--tmpfs",
    "--volume",
];

/// The subcommands, according to the help.
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

/// The text of a document that is about commands of rejudge. `CONTRIBUTING.md` has commands of cargo. In the tables of
/// `coming-from.md` the first column has commands of other tools, and the last may name their options.
fn own_words(page: &GuidePage) -> String {
    // The pages about languages have options of their compilers.
    // The test of the table of foreign words reads its commands.
    let is_checked = page.path.ends_with("/foreign-words.md");
    if is_checked || page.path == "CONTRIBUTING.md" || page.path.contains("/behaviour") {
        return String::new();
    }
    if !page.path.ends_with("/coming-from.md") {
        return page.text.clone();
    }
    let rows = rows(&page.text);
    let cells: Vec<&str> = rows.iter().filter_map(|row| row.get(1).copied()).collect();
    cells.join("\n")
}

#[test]
fn the_guide_has_every_option_and_no_others() {
    let repo = Repo::new();
    let mut known = BTreeSet::new();
    let mut commands = commands(&repo);
    commands.extend(["cache clean", "case add", "cluster clean", "cluster key"].map(str::to_owned));
    for command in commands {
        let args: Vec<&str> = command.split(' ').chain(["--help"]).collect();
        let ran = repo.run(&args);
        assert_eq!(ran.status, 0, "{command}");
        known.extend(options(&ran.stdout));
    }
    let explained = options(&guide());
    // Self-explanatory options, and options that the guide has only in their short form.
    let short = ["--time-limit", "--memory-limit", "--verbose", "--quiet", "--output", "--force"];
    for option in known.iter().filter(|option| !short.contains(&option.as_str())) {
        assert!(explained.contains(option), "the guide does not have `{option}`");
    }
    for page in documents() {
        for option in options(&own_words(&page)) {
            let real = known.contains(&option) || FOREIGN.contains(&option.as_str());
            assert!(real, "{}: there is no option `{option}`", page.path);
        }
    }
}

#[test]
fn the_guide_has_every_command() {
    let guide = guide();
    for name in commands(&Repo::new()) {
        let named = guide.contains(&format!("rejudge {name}"));
        assert!(named, "`rejudge {name}`");
    }
}
