//! Divides the runs of other tests into shards and compares the merged reports with the undivided ones. So the shards are
//! tried on every package that the tests have.
//!
//! It takes many times as long as the tests. `.ci/full shards` asks for it with the variable `REJUDGE_SHARDS`, the path of
//! a file to which the compared runs are added.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};
use tempfile::TempDir;

/// The numbers of shards; there is also one more than there are units.
const NUMBERS: [usize; 4] = [1, 2, 3, 7];

/// Options of reports, with a file.
const REPORTS: [&str; 4] = ["--json", "--junit", "--html", "--markdown"];

/// Runs that shards cannot have, or that judge nothing.
const OTHERS: [&str; 9] = [
    "--shard",
    "--failed",
    "--watch",
    "-w",
    "--fail-fast=run",
    "--limits",
    "--help",
    "-h",
    "--version",
];

/// Compares if `command`, which is for the repository in `folder`, judges something.
pub(crate) fn compare(folder: &Path, command: &Command) {
    let Some(list) = std::env::var_os("REJUDGE_SHARDS") else {
        return;
    };
    let Some(run) = DividedRun::of(folder, command) else {
        return;
    };
    if run.compare() {
        let mut file = fs::File::options().create(true).append(true).open(list);
        let line = format!("{:?}\n", run.args);
        file.as_mut().unwrap().write_all(line.as_bytes()).unwrap();
    }
}

/// A run in a copy of the repository, so that the test does not see it.
struct DividedRun<'a> {
    command: &'a Command,
    copy: TempDir,
    /// The current folder, in the copy.
    current: PathBuf,
    /// For the reports.
    reports: TempDir,
    args: Vec<OsString>,
}

impl<'a> DividedRun<'a> {
    fn of(folder: &Path, command: &'a Command) -> Option<Self> {
        let args = arguments(command)?;
        let copy = tempfile::Builder::new().prefix("copy-").tempdir().unwrap();
        let below = command.get_current_dir()?.strip_prefix(folder).ok()?;
        let copied = Command::new("cp").arg("-a").args([&folder.join("."), copy.path()]).status();
        assert!(copied.unwrap().success());
        Some(Self {
            command,
            current: copy.path().join(below),
            copy,
            reports: tempfile::tempdir().unwrap(),
            args,
        })
    }

    /// Runs `rejudge` with these arguments. The exit status.
    fn rejudge(&self, args: &[&OsStr]) -> Option<i32> {
        let mut command = Command::new(self.command.get_program());
        for (name, value) in self.command.get_envs() {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        let output = command.args(args).current_dir(&self.current).output();
        output.unwrap().status.code()
    }

    /// Judges with more arguments. The exit status and the report, if it is whole.
    fn judge(&self, name: &str, more: &[&OsStr]) -> (Option<i32>, Option<String>) {
        let report = self.report(name);
        let _ = fs::remove_file(&report);
        let mut args: Vec<&OsStr> = vec!["run".as_ref(), "--json".as_ref(), report.as_ref()];
        args.extend(more);
        args.extend(self.args.iter().map(OsString::as_os_str));
        let status = self.rejudge(&args);
        let text = fs::read_to_string(report).ok();
        (status, text.filter(|text| text.contains("{\"type\":\"summary\"")))
    }

    fn report(&self, name: &str) -> PathBuf {
        self.reports.path().join(name)
    }

    /// Whether there was something to compare.
    fn compare(&self) -> bool {
        let (mut status, Some(mut whole)) = self.judge("whole", &[]) else {
            return false;
        };
        let limits = self.report("limits");
        let mut more: Vec<&OsStr> = Vec::new();
        if self.judge("1", &["--shard".as_ref(), "1/1".as_ref()]).1.is_none() {
            // A limit is inferred. The same limits for all runs, whatever they are.
            fs::write(&limits, limits_of(&whole)).unwrap();
            more = vec!["--limits".as_ref(), limits.as_ref()];
            let again = self.judge("whole", &more);
            (status, whole) = (again.0, again.1.unwrap());
        }
        let expected = results(&whole);
        let units = expected.iter().filter(|line| line["type"] == "submission");
        for of in NUMBERS.into_iter().chain([units.count() + 1]) {
            let mut args: Vec<OsString> = vec!["merge".into(), "--json".into()];
            args.push(self.report("merged").into());
            for number in 1..=of {
                let shard = format!("{number}/{of}");
                let options = [&["--shard".as_ref(), shard.as_ref()], more.as_slice()].concat();
                let judged = self.judge(&number.to_string(), &options);
                assert!(judged.1.is_some(), "{:?}, shard {shard}", self.args);
                args.push(self.report(&number.to_string()).into());
            }
            let args: Vec<&OsStr> = args.iter().map(OsString::as_os_str).collect();
            let merged = self.rejudge(&args);
            let found = results(&fs::read_to_string(self.report("merged")).unwrap());
            let place = format!("{:?} in {}, {of} shards", self.args, self.copy.path().display());
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!(found, expected, "{place}");
            }
            assert_eq!((found.len(), merged), (expected.len(), status), "{place}");
        }
        true
    }
}

/// The arguments of `rejudge run` without its reports; `None` if the command is another one.
fn arguments(command: &Command) -> Option<Vec<OsString>> {
    let mut words = command.get_args().peekable();
    let first = words.peek()?.to_str()?;
    if first == "run" {
        words.next();
    } else if !first.starts_with('-') {
        return None;
    }
    let mut args = Vec::new();
    while let Some(word) = words.next() {
        let text = word.to_str()?;
        if OTHERS.contains(&text) {
            return None;
        }
        if REPORTS.contains(&text) {
            words.next();
        } else if text != "--drawings" {
            args.push(word.to_owned());
        }
    }
    Some(args)
}

/// Time limits for all problems of a report, in the form of `rejudge time --save`.
fn limits_of(report: &str) -> String {
    let lines = report.lines().map(|line| {
        let line: Value = serde_json::from_str(line).unwrap();
        line
    });
    let submissions = lines.filter(|line| line["type"] == "submission");
    let limits = submissions.map(|line| {
        let problem = &line["problem"];
        json!({"type": "limit", "schema": 1, "problem": problem, "limit_ms": 5000.0})
    });
    let start = json!({"type": "limits", "schema": 1});
    let lines: Vec<String> =
        std::iter::once(start).chain(limits).map(|line| line.to_string()).collect();
    lines.join("\n")
}

/// The report of a shard whose lines a test changed, with the digests that they have now.
pub(crate) fn with_new_digests(report: &str) -> String {
    let mut sealed = String::new();
    for line in report.lines() {
        let mut value: Value = serde_json::from_str(line).unwrap();
        if value["type"] == "digest" {
            value["blake3"] = blake3::hash(sealed.as_bytes()).to_string().into();
            sealed += &value.to_string();
        } else {
            sealed += line;
        }
        sealed.push('\n');
    }
    sealed
}

/// The lines of a report, without what is measured: times, memory, and what follows from them.
pub(crate) fn results(text: &str) -> Vec<Value> {
    let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
    lines.map(without_figures).collect()
}

fn without_figures(mut line: Value) -> Value {
    const MEASURED: [&str; 22] = [
        "time",
        "machine",
        "cpu_ms",
        "wall_ms",
        "memory_bytes",
        "slowest_case",
        "slowest_cpu_ms",
        "confirmed",
        "first_cpu_ms",
        "first_wall_ms",
        "disturbed",
        "reruns",
        "killed_by_others",
        "observed_ms",
        "starved_ms",
        "run_delay_ms",
        "others_cpu_ms",
        "steal_ms",
        "throttled_ms",
        "repeats",
        "transcript",
        "transcript_lines",
    ];
    let object = line.as_object_mut().unwrap();
    object.retain(|key, _| !MEASURED.contains(&key.as_str()));
    // The reason of a killed run has what was measured, and the rest of its output depends on the moment.
    let verdict = object.get("verdict").and_then(Value::as_str).map(str::to_owned);
    if matches!(verdict.as_deref(), Some("TLE" | "MLE" | "OLE")) {
        object.retain(|key, _| !matches!(key.as_str(), "feedback" | "output" | "output_bytes"));
    }
    // Of an interactive problem: a program that ends early, or writes to a closed pipe, may end before it is stopped, or not.
    if matches!(verdict.as_deref(), Some("WA" | "JE")) {
        object.retain(|key, _| !matches!(key.as_str(), "exit_code" | "signal"));
    }
    if let Some(build) = object.get_mut("build").and_then(Value::as_object_mut) {
        build.retain(|key, _| !matches!(key.as_str(), "cached" | "wall_ms"));
    }
    line
}
