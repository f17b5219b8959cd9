//! A repository in a temporary folder, and runs of `rejudge` in it.

use std::fs;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread;

use tempfile::TempDir;

#[path = "../../sandbox/tests/support/mod.rs"]
mod common;
pub(crate) mod divided;
#[cfg(feature = "nats")]
pub(crate) mod nats;
pub(crate) mod schema;
pub(crate) mod terminal;
#[cfg(feature = "nats")]
pub(crate) mod wire;

pub(crate) use common::{once_written, skip, skip_even_in_ci};

/// A program in Rust that prints the sum of the numbers in its input.
pub(crate) const SUM: &str = r#"
use std::io::Read;
fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let sum: i64 = text.split_whitespace().map(|word| word.parse::<i64>().unwrap()).sum();
    println!("{sum}");
}
"#;

/// A program in Rust that executes `what` and nothing else.
pub(crate) fn does(what: &str) -> String {
    format!("fn main() {{ {what} }}\n")
}

/// A folder for one test, removed afterwards.
pub(crate) struct Repo {
    dir: TempDir,
}

/// The output and exit status of a command, ready for comparison: placeholders replace the path of the folder, times,
/// memory sizes and versions.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) status: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Repo {
    /// An empty folder.
    pub(crate) fn new() -> Self {
        let dir = tempfile::Builder::new().prefix("repo-").tempdir().unwrap();
        Self { dir }
    }

    /// A repository with `solutions/` and with problem `sum` (a + b; two cases) under `cases/`.
    pub(crate) fn with_sum() -> Self {
        let repo = Self::new();
        repo.problem(
            "sum",
            "name: Sum\nlimits:\n  time_limit: 2\n",
            &[("sample/1", "1 2\n", "3\n"), ("secret/big", "1000000000000 1\n", "1000000000001\n")],
        );
        fs::create_dir_all(repo.path("solutions/sum")).unwrap();
        repo
    }

    /// Adds a package with these cases to `cases/`.
    pub(crate) fn problem(&self, id: &str, yaml: &str, cases: &[(&str, &str, &str)]) -> &Self {
        let yaml = format!("problem_format_version: 2025-09\n{yaml}");
        self.file(&format!("cases/{id}/problem.yaml"), yaml);
        for (name, input, answer) in cases {
            self.file(&format!("cases/{id}/data/{name}.in"), input);
            self.file(&format!("cases/{id}/data/{name}.ans"), answer);
        }
        self
    }

    /// Writes a file, and creates its parent folders.
    pub(crate) fn file(&self, path: &str, text: impl AsRef<[u8]>) -> &Self {
        let path = self.path(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    /// A path in the folder.
    pub(crate) fn path(&self, path: &str) -> PathBuf {
        self.dir.path().join(path)
    }

    /// The text of a file.
    pub(crate) fn read(&self, path: &str) -> String {
        fs::read_to_string(self.path(path)).unwrap()
    }

    /// A command for `rejudge` with these arguments in the folder.
    pub(crate) fn command(&self, args: &[&str]) -> Command {
        self.command_in("", args)
    }

    /// A command for `rejudge` with these arguments in a subfolder.
    pub(crate) fn command_in(&self, folder: &str, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rejudge"));
        command
            .args(args)
            .current_dir(self.path(folder))
            .env("REJUDGE_CACHE_DIR", cache())
            .env("NO_COLOR", "1")
            .env_remove("CI")
            .env_remove("GITHUB_ACTIONS")
            .env_remove("GITHUB_STEP_SUMMARY");
        command
    }

    /// Runs a shell script in the folder. In it, `rejudge` is the program under test.
    pub(crate) fn shell(&self, script: &str) -> Command {
        let binary = Path::new(env!("CARGO_BIN_EXE_rejudge"));
        let mut folders = vec![binary.parent().unwrap().to_owned()];
        folders.extend(std::env::split_paths(&std::env::var_os("PATH").unwrap()));
        let mut command = Command::new("sh");
        command
            .args(["-c", script])
            .current_dir(self.path(""))
            .env("PATH", std::env::join_paths(folders).unwrap())
            .env("REJUDGE_CACHE_DIR", cache())
            .env("NO_COLOR", "1")
            .env_remove("CI")
            .env_remove("GITHUB_ACTIONS")
            .env_remove("GITHUB_STEP_SUMMARY");
        command
    }

    /// Runs `rejudge` and waits for its end.
    pub(crate) fn run(&self, args: &[&str]) -> Ran {
        self.finish(&mut self.command(args))
    }

    /// Runs a prepared command and waits for its end.
    pub(crate) fn finish(&self, command: &mut Command) -> Ran {
        divided::compare(self.dir.path(), command);
        let Output { status, stdout, stderr } = command.output().unwrap();
        Ran {
            status: status.code().unwrap_or(-1),
            stdout: self.redacted(&stdout),
            stderr: self.redacted(&stderr),
        }
    }

    /// The results of `rejudge run` for every case, in the order of the report: `1/a.sh secret/1 WA why`.
    pub(crate) fn verdicts(&self, args: &[&str]) -> Vec<String> {
        let mut command = self.command(&["run", "--json", "-"]);
        divided::compare(self.dir.path(), command.args(args));
        let output = command.output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        let events = text.lines().map(|line| {
            let event: serde_json::Value = serde_json::from_str(line).unwrap();
            event
        });
        let word = |event: &serde_json::Value, key: &str| {
            event[key].as_str().unwrap_or_default().to_owned()
        };
        let cases: Vec<String> = events
            .filter(|event| event["type"] == "case")
            .map(|event| {
                let submission = word(&event, "submission").replace("solutions/", "");
                let words = ["case", "verdict", "feedback"].map(|key| word(&event, key));
                format!("{submission} {}", words.join(" ")).trim_end().to_owned()
            })
            .collect();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(!cases.is_empty(), "{:?}\n{errors}", output.status);
        cases
    }

    /// Judges the package in the folder `p`, with a line for each submission. The wall limit is long, because on a busy
    /// machine a program may have to wait long for a processor.
    pub(crate) fn judge_package(&self) -> Ran {
        self.run(&["run", "p", "-v", "-j", "2", "--wall-limit", "60"])
    }

    /// Judges that package with each text as its `submissions.yaml`. The expectation must be met unless a complaint is
    /// given.
    pub(crate) fn expect_of_submissions(&self, table: &[(&str, Option<&str>)]) {
        for (yaml, complaint) in table {
            self.file("p/submissions/submissions.yaml", yaml);
            let ran = self.judge_package();
            let status = i32::from(complaint.is_some());
            assert_eq!(ran.status, status, "{yaml}\n{}", ran.all());
            let said = complaint.map_or("ok  ".to_owned(), |complaint| format!(": {complaint}\n"));
            assert!(ran.stdout.contains(&said), "{yaml}\n{}", ran.all());
        }
    }

    fn redacted(&self, bytes: &[u8]) -> String {
        let text = String::from_utf8_lossy(bytes);
        let text = without_weakness(&text.replace(self.dir.path().to_str().unwrap(), "[repo]"));
        // A busy machine takes longer than the ten seconds after which rejudge says how far it is.
        let lines = text.split_inclusive('\n').filter(|line| !line.starts_with("note: working: "));
        redact_figures(&lines.collect::<String>())
    }
}

impl Ran {
    /// Standard error and the exit status.
    pub(crate) fn errors(&self) -> String {
        format!("{}--- exit status {}", self.stderr, self.status)
    }

    /// Both streams and the exit status, for snapshots.
    pub(crate) fn all(&self) -> String {
        let mut text = self.stdout.clone();
        if !self.stderr.is_empty() {
            text.push_str("--- standard error\n");
            text.push_str(&self.stderr);
        }
        format!("{text}--- exit status {}", self.status)
    }
}

/// The text without the line that lists the protections missing on this machine, which most tests do not concern.
fn without_weakness(text: &str) -> String {
    let lines = text.split_inclusive('\n').map(|line| {
        // In a transcript, a marker comes before the output of a command.
        let words = line.trim_start_matches('\u{1}');
        // Lines about disturbances by other processes are removed too.
        let disturbed = words.trim_start().starts_with("disturbed: ");
        if disturbed || words.starts_with("warning: missing protections: ") {
            &line[..line.len() - words.len()]
        } else {
            line
        }
    });
    lines.collect()
}

/// Whether a program is in a folder of `PATH`.
pub(crate) fn is_installed(program: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap();
    std::env::split_paths(&folders).any(|folder| folder.join(program).is_file())
}

/// Whether a program that the test needs is not installed. Then the test is skipped, and the reason is reported.
pub(crate) fn lacks(program: &str) -> bool {
    let missing = !is_installed(program);
    if missing {
        let thread = thread::current();
        let test = thread.name().unwrap_or("a test");
        skip(&format!("{test}, because `{program}` is not installed"));
    }
    missing
}

/// A common cache for all tests of this build, so that each source is compiled once.
pub(crate) fn cache() -> &'static Path {
    Path::new(concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
}

/// Replaces measured figures: `0.412 s` by `[s]`, `3.5 MiB` by `[size]`. Limits are integers and stay.
pub(crate) fn redact_figures(text: &str) -> String {
    let mut words = Vec::new();
    for word in text.split(' ') {
        let bare = word.trim_matches(|c: char| "(),:\n".contains(c));
        let decimals = bare.split_once('.').filter(|(whole, part)| {
            let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
            digits(whole) && digits(part)
        });
        let measured = decimals.is_some_and(|(_, part)| part.len() == 3 || part.len() == 1);
        words.push(if measured { word.replace(bare, "#") } else { word.to_owned() });
    }
    let text = words.join(" ");
    mask_sizes(&text)
}

/// Replaces the name of the slowest case and the memory size after it.
fn mask_sizes(text: &str) -> String {
    let mut out = String::new();
    for line in text.split_inclusive('\n') {
        match line.split_once("slowest ") {
            None => out.push_str(line),
            Some((head, tail)) => {
                let (figures, _) = tail.split_once(" (").unwrap_or((tail, ""));
                let end = if tail.ends_with(")\n") { ")\n" } else { "\n" };
                out.extend([head, "slowest ", figures, " (CASE), SIZE", end]);
            }
        }
    }
    out
}
