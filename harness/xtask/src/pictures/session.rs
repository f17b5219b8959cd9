//! Plays commands on a terminal, with the files of a document.

use std::fs;
use std::num::NonZeroU16;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use vt100::Screen;

use crate::files::read;
use crate::process::{command, output};

/// The size of the terminal.
const COLUMNS: NonZeroU16 = NonZeroU16::new(84).unwrap();
const ROWS: NonZeroU16 = NonZeroU16::new(60).unwrap();

/// The number of letters that are typed from one screen to the next.
const TYPED_AT_ONCE: usize = 3;

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
    /// Whether the picture shows how the screen changes.
    pub(super) is_moving: bool,
}

pub(super) const SESSIONS: [Session; 2] = [
    Session {
        name: "wrong-answer",
        about: "rejudge finds a wrong answer and shows its input and the difference",
        document: "README.md",
        folder: "sum",
        before: "echo '1 2' >small.in; echo 3 >small.ans; echo '2147483647 1' >large.in; echo 2147483648 >large.ans",
        typed: "rejudge",
        is_moving: false,
    },
    Session {
        name: "stress",
        about: "rejudge stress finds an input of 24 tokens on which a solution fails, and shrinks it to two",
        document: "harness/guide/src/stress.md",
        folder: "",
        // Programs that are compiled already.
        before: "rejudge stress --rounds 1",
        typed: "rejudge stress --seed 3 --generator 'gen.rs {seed} 50'",
        is_moving: true,
    },
];

impl Session {
    /// The screens of the session: first what is typed, then what the program shows.
    pub(super) fn play(&self, program: &Path) -> Result<Vec<Screen>> {
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
        let script =
            format!("stty cols {COLUMNS} rows {ROWS}; {{ {before}\n}} >/dev/null 2>&1; {typed}");
        let bin = scratch.path().join("bin");
        fs::create_dir(&bin)?;
        std::os::unix::fs::symlink(program, bin.join("rejudge"))?;
        let path = std::env::var("PATH")?;
        let [log, timing] = ["log", "timing"].map(|name| scratch.path().join(name));
        let mut run = command("script");
        run.args(["--quiet", "--command", &script, "--log-timing"]).arg(&timing);
        run.arg("--log-out").arg(&log).current_dir(&folder);
        run.env("PATH", format!("{}:{path}", bin.display())).env("TERM", "xterm-256color");
        run.env("REJUDGE_CACHE_DIR", scratch.path().join("cache"));
        for name in ["CI", "NO_COLOR", "GITHUB_ACTIONS"] {
            run.env_remove(name);
        }
        output(&mut run)?;
        screens(typed, &fs::read(&log).context("no recording")?, &read(&timing)?)
    }
}

/// The screens of a recording of `script`: `log` is what was printed, after a line of its own, and each line of `timing`
/// has the length of what was written at once.
fn screens(typed: &str, log: &[u8], timing: &str) -> Result<Vec<Screen>> {
    let mut terminal = vt100::Parser::new(ROWS, COLUMNS, 0);
    let mut screens = Vec::new();
    // A prompt, then what the user types.
    terminal.process(b"\x1b[32m$\x1b[0m \x1b[1m");
    for letters in typed.as_bytes().chunks(TYPED_AT_ONCE) {
        screens.push(terminal.screen().clone());
        terminal.process(letters);
    }
    terminal.process(b"\x1b[0m\r\n");
    screens.push(terminal.screen().clone());
    let start = log.iter().position(|byte| *byte == b'\n').context("an empty recording")?;
    let mut rest = &log[start + 1..];
    for line in timing.lines() {
        let length = line.split_whitespace().next_back().and_then(|word| word.parse().ok());
        let (now, later) = rest.split_at_checked(length.unwrap_or(0)).unwrap_or((rest, &[]));
        terminal.process(now);
        rest = later;
        screens.push(terminal.screen().clone());
    }
    Ok(screens)
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
    fn a_recording_is_typed_and_then_played() {
        let log = b"Script started\nworking\r\x1b[2Kdone\r\nScript done\n";
        let screens = screens("abcd", log, "0.1 7\n2.0 11\n").unwrap();
        let shown: Vec<String> = screens.iter().map(Screen::contents).collect();
        assert_eq!(shown, ["$ ", "$ abc", "$ abcd", "$ abcd\nworking", "$ abcd\ndone"]);
    }

    #[test]
    fn programs_are_blocks_with_a_name() {
        let text = "a\n```sh\nx\n```\n```rust d/a.rs\nfn\n\nmain\n```\nb\n";
        assert_eq!(named_blocks(text), [("d/a.rs", "fn\n\nmain\n".to_owned())]);
    }
}
