//! Runs every transcript in a folder with the files of its page, and compares the output.

use crate::guide::markdown::{Block, blocks};
use crate::guide::pages::{GuidePage, documents};
use crate::support::{Repo, redact_figures};

/// The separator between the outputs of two commands.
const MARK: char = '\u{1}';

/// Pages that must have transcripts, because newcomers copy them.
const SHOWN: [&str; 8] = [
    "README.md",
    "harness/guide/src/repository.md",
    "harness/guide/src/folder.md",
    "harness/guide/src/mistakes.md",
    "harness/guide/src/create.md",
    "harness/guide/src/generate.md",
    "harness/guide/src/checkers.md",
    "harness/guide/src/settings.md",
];

#[test]
fn the_transcripts_of_every_document_are_true() {
    let mut differences = String::new();
    for page in documents() {
        let ran = run_all(&page);
        let must_show = SHOWN.contains(&page.path.as_str());
        assert!(ran.commands > 0 || !must_show, "{} has no transcript", page.path);
        differences.extend(ran.differences);
    }
    assert!(differences.is_empty(), "\n{differences}");
}

#[test]
fn a_transcript_that_is_wrong_is_found() {
    let page = GuidePage {
        path: "page.md".to_owned(),
        text: "```text a.txt\n1\n```\n```console\n$ cat a.txt\n1\n$ cat a.txt\n2\n```\n".to_owned(),
    };
    let ran = run_all(&page);
    assert_eq!(ran.commands, 2);
    let expected = "page.md:4: `cat a.txt`\n--- in the document\n2\n--- in fact\n1\n\n";
    assert_eq!(ran.differences, [expected]);
}

/// Runs the transcripts of a document, one after the other in one folder.
fn run_all(page: &GuidePage) -> CommandRun {
    let repo = Repo::new();
    let mut all = CommandRun { commands: 0, differences: Vec::new(), folder: String::from(".") };
    for block in blocks(&page.text) {
        if block.info == "console" {
            let ran = run(&repo, &all.folder, &block);
            all.commands += ran.commands;
            for difference in ran.differences {
                let place = format!("{}:{}: {difference}", page.path, block.line);
                all.differences.push(place);
            }
            all.folder = ran.folder;
        } else if let Some((_, path)) = block.info.split_once(' ') {
            repo.file(path, &block.text);
        }
    }
    all
}

/// The result of running transcripts.
struct CommandRun {
    commands: usize,
    /// Messages for the commands whose output differs.
    differences: Vec<String>,
    /// The folder in which they ended. The next transcript of the page continues there.
    folder: String,
}

fn run(repo: &Repo, folder: &str, block: &Block) -> CommandRun {
    let commands = commands(&block.text);
    let mut script = format!("exec 2>&1\ncd '{folder}'\n");
    for (command, _) in &commands {
        // The next command may use `$?`, the exit status of this one.
        script.extend([command, "\nstatus=$?; printf '\\001'; (exit $status)\n"]);
    }
    script += "pwd";
    let ran = repo.finish(&mut repo.shell(&script));
    let printed: Vec<&str> = ran.stdout.split(MARK).collect();
    assert_eq!(printed.len(), commands.len() + 1, "{printed:?}");
    let compared = commands.iter().zip(&printed);
    let differences = compared.filter_map(|((command, expected), printed)| {
        let same = redacted(expected) == redacted(printed);
        let shown = format!("`{command}`\n--- in the document\n{expected}--- in fact\n{printed}\n");
        (!same).then_some(shown)
    });
    CommandRun {
        commands: commands.len(),
        differences: differences.collect(),
        folder: format!(".{}", printed[commands.len()].trim().trim_start_matches("[repo]")),
    }
}

/// The commands of a transcript, each with its expected output.
fn commands(transcript: &str) -> Vec<(&str, String)> {
    let mut commands: Vec<(&str, String)> = Vec::new();
    for line in transcript.lines() {
        match (line.strip_prefix("$ "), commands.last_mut()) {
            (Some(command), _) => commands.push((command, String::new())),
            (None, Some((_, shown))) => {
                shown.push_str(line);
                shown.push('\n');
            }
            (None, None) => panic!("a transcript must start with a command, not with `{line}`"),
        }
    }
    commands
}

/// The text without parts that differ between runs and machines.
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

/// Masks the size after `memory`, which may be an integer by chance.
fn mask_peak(line: &str) -> String {
    match line.rsplit_once(", memory ") {
        Some((head, _)) => format!("{head}, memory SIZE"),
        None => line.to_owned(),
    }
}
