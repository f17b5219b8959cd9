//! Plays commands on a terminal, with the files of a document.

use std::fs;
use std::num::NonZeroU16;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};

use crate::files::read;
use crate::process::{command, output};

/// The size of the terminal.
const COLUMNS: NonZeroU16 = NonZeroU16::new(84).unwrap();
const ROWS: NonZeroU16 = NonZeroU16::new(60).unwrap();

/// Commands in the folder of programs that a document has in blocks with a name, such as `rust sum/sum.rs`.
pub(super) struct Session {
    pub(super) name: &'static str,
    /// The description of the picture for those who do not see it.
    pub(super) about: &'static str,
    document: &'static str,
    folder: &'static str,
    /// What is done before, unseen.
    before: &'static str,
    /// What is typed.
    typed: &'static str,
}

pub(super) const SESSIONS: [Session; 2] = [
    Session {
        name: "wrong-answer",
        about: "rejudge finds a wrong answer and shows its input and the difference",
        document: "README.md",
        folder: "sum",
        before: "echo '1 2' >small.in; echo 3 >small.ans; echo '2147483647 1' >large.in; echo 2147483648 >large.ans",
        typed: "rejudge",
    },
    Session {
        name: "stress",
        about: "rejudge stress finds an input of two tokens on which a solution fails",
        document: "harness/guide/src/stress.md",
        folder: "",
        before: "true",
        typed: "rejudge stress --seed 1",
    },
];

impl Session {
    /// The screen after the session.
    pub(super) fn play(&self, program: &Path) -> Result<vt100::Screen> {
        let scratch = tempfile::tempdir()?;
        let document = read(Path::new(self.document))?;
        let files = named_blocks(&document);
        ensure!(!files.is_empty(), "{} has no programs", self.document);
        for (name, text) in files {
            let path = scratch.path().join(name);
            fs::create_dir_all(path.parent().context("a file without a folder")?)?;
            fs::write(path, text)?;
        }
        let folder = scratch.path().join(self.folder);
        let Self { before, typed, .. } = self;
        // A prompt, then what the user typed.
        let script = format!(
            "stty cols {COLUMNS} rows {ROWS}; {{ {before}\n}} 2>&1; printf '\\033[32m$\\033[0m \\033[1m{typed}\\033[0m\\n'; {typed}"
        );
        let bin = scratch.path().join("bin");
        fs::create_dir(&bin)?;
        std::os::unix::fs::symlink(program, bin.join("rejudge"))?;
        let path = std::env::var("PATH")?;
        let mut run = command("script");
        run.args(["--quiet", "--command", &script, "/dev/null"]).current_dir(&folder);
        run.env("PATH", format!("{}:{path}", bin.display())).env("TERM", "xterm-256color");
        run.env("REJUDGE_CACHE_DIR", scratch.path().join("cache"));
        for name in ["CI", "NO_COLOR", "GITHUB_ACTIONS"] {
            run.env_remove(name);
        }
        let printed = output(&mut run)?;
        let mut terminal = vt100::Parser::new(ROWS, COLUMNS, 0);
        terminal.process(printed.as_bytes());
        Ok(terminal.screen().clone())
    }
}

/// The blocks of a document in Markdown that have a name after the language, with their names.
fn named_blocks(text: &str) -> Vec<(&str, String)> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let Some(info) = line.strip_prefix("```").filter(|info| !info.is_empty()) else {
            continue;
        };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if let Some((_, name)) = info.split_once(' ') {
            blocks.push((name, block.join("\n") + "\n"));
        }
    }
    blocks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_blocks_with_a_name() {
        let text = "a\n```sh\nx\n```\n```rust d/a.rs\nfn\n\nmain\n```\nb\n";
        assert_eq!(named_blocks(text), [("d/a.rs", "fn\n\nmain\n".to_owned())]);
    }
}
