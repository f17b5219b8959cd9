//! Runs every transcript, in a folder of its section's files, and compares what it shows.

use std::fmt::Write as _;

use crate::markdown::{Block, sections};
use crate::support::{Repo, redact_figures};
use crate::{GUIDE, README};

/// Stands between the outputs of two commands.
const MARK: char = '\u{1}';

#[test]
fn the_readme_shows_what_happens() {
    run_all("README.md", README);
}

#[test]
fn the_guide_shows_what_happens() {
    run_all("GUIDE.md", GUIDE);
}

fn run_all(file: &str, document: &str) {
    let mut differences = String::new();
    let mut commands = 0;
    for section in sections(document) {
        let repo = Repo::new();
        let mut folder = String::from(".");
        for block in &section.blocks {
            if block.info == "console" {
                let ran = run(&repo, &folder, block);
                commands += ran.commands;
                for difference in ran.differences {
                    let _ = write!(differences, "{file}:{}: {difference}", block.line);
                }
                folder = ran.folder;
            } else if let Some((_, path)) = block.info.split_once(' ') {
                repo.file(path, &block.text);
            }
        }
    }
    assert!(commands > 0, "{file} has no transcript");
    assert!(differences.is_empty(), "\n{differences}");
}

/// What became of a transcript.
struct Ran {
    commands: usize,
    /// The commands that print something else, in words.
    differences: Vec<String>,
    /// Where it ended; the next transcript of the section goes on there.
    folder: String,
}

fn run(repo: &Repo, folder: &str, block: &Block) -> Ran {
    let commands = commands(&block.text);
    let mut script = format!("exec 2>&1\ncd '{folder}'\n");
    for (command, _) in &commands {
        // The next command may ask for the status of this one.
        script.extend([command, "\nstatus=$?; printf '\\001'; (exit $status)\n"]);
    }
    script += "pwd";
    let printed = repo.finish(&mut repo.shell(&script)).stdout;
    let printed: Vec<&str> = printed.split(MARK).collect();
    assert_eq!(printed.len(), commands.len() + 1, "{printed:?}");
    let compared = commands.iter().zip(&printed);
    let differences = compared.filter_map(|((command, expected), printed)| {
        let same = redacted(expected) == redacted(printed);
        let shown = format!("`{command}`\n--- in the document\n{expected}--- in fact\n{printed}\n");
        (!same).then_some(shown)
    });
    Ran {
        commands: commands.len(),
        differences: differences.collect(),
        folder: format!(
            ".{}",
            printed[commands.len()].trim().trim_start_matches("[repo]")
        ),
    }
}

/// The commands of a transcript, each with what it shows.
fn commands(transcript: &str) -> Vec<(&str, String)> {
    let mut commands: Vec<(&str, String)> = Vec::new();
    for line in transcript.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command, String::new())),
            (None, Some((_, shown))) => {
                shown.push_str(line);
                shown.push('\n');
            }
            (None, None) => panic!("a transcript begins with a command, not with `{line}`"),
        }
    }
    commands
}

/// Without what differs from run to run, and from machine to machine.
fn redacted(text: &str) -> String {
    let mut masked = String::new();
    for line in redact_figures(text).lines() {
        let line = match line.find("rustc ") {
            Some(at) => format!("{}VERSION", &line[..at]),
            None => line.to_owned(),
        };
        masked.push_str(&mask_peak(&line));
        masked.push('\n');
    }
    masked
}

/// Masks the size behind `memory`, which may happen to be whole.
fn mask_peak(line: &str) -> String {
    match line.rsplit_once(", memory ") {
        Some((head, _)) => format!("{head}, memory SIZE"),
        None => line.to_owned(),
    }
}
