//! One program in every language that says hello, echoes a million numbers, calls itself a million times, or takes all
//! the memory that there is; each as one would write it in a contest.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Duration;

use rejudge::bytes::Bytes;
use rejudge::language::Profile;
use rejudge::limits::{LimitOverrides, settle};
use rejudge::problem::ProblemLimits;
use rejudge::sandbox::{Exit, LimitKind, Limits};

use crate::judge::Judge;

const DEEP: &str = "deep\n";

/// The languages whose programs are killed at the memory limit; the runtimes of the others are told of it, or give
/// memory up by themselves with an error.
const KILLED: [&str; 7] = ["rust", "c", "cpp", "python3", "pascal", "ruby", "perl"];

/// A language whose stack has room for so many calls only, whatever it is told: the interpreter stops at a million
/// values.
const SHALLOW: (&str, &str) = ("lua", "150000\n");

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/modes");
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

/// Room for the slowest interpreter on a busy machine: what is tested is that it can, not how fast.
fn patient() -> Limits {
    let limits = settle(&ProblemLimits::default(), false, &LimitOverrides::default());
    Limits {
        cpu_time: Duration::from_secs(100),
        cpu_kill: Duration::from_secs(100),
        wall_time: Duration::from_secs(600),
        ..limits
    }
}

/// What there is to run, and what must come of it.
struct Mode {
    input: String,
    limits: Limits,
    /// `None`: it must not get what it asks for.
    output: Option<String>,
}

fn modes() -> Vec<Mode> {
    let mode = |input: &str, output: &str| Mode {
        input: input.to_owned(),
        limits: patient(),
        output: Some(output.to_owned()),
    };
    let mut numbers = String::new();
    for n in 0..1_000_000_u64 {
        writeln!(numbers, "{}", n * 999_999_937 % 1_000_003).unwrap();
    }
    let hog = Mode {
        input: "hog\n".to_owned(),
        limits: Limits {
            memory: Bytes::mib(300),
            ..patient()
        },
        output: None,
    };
    vec![
        mode("hello\n", "hello\n"),
        mode(&format!("echo\n1000000\n{numbers}"), &numbers),
        mode(DEEP, "1000000\n"),
        hog,
    ]
}

/// What is wrong with what `source` did, if anything is.
fn complaint(judge: &mut Judge, source: &Path, mode: &Mode) -> Option<String> {
    let id = judge.languages.of_file(source).unwrap().id.clone();
    let (execution, output) = judge.run_under(&mode.limits, source, &mode.input);
    let right = match (&mode.output, execution.exit) {
        (Some(_), Exit::Code(0)) if id == SHALLOW.0 && mode.input == DEEP => output == SHALLOW.1,
        (Some(expected), Exit::Code(0)) => output.trim_end() == expected.trim_end(),
        (None, Exit::Killed(LimitKind::Memory)) => true,
        (None, Exit::Code(1..) | Exit::Signal(_)) => !KILLED.contains(&id.as_str()),
        _ => false,
    };
    if right {
        return None;
    }
    let start: String = output.chars().take(200).collect();
    let asked = mode.input.lines().next().unwrap();
    let words = String::from_utf8_lossy(&execution.stderr_tail);
    let (exit, usage) = (execution.exit, execution.usage);
    Some(format!(
        "{id} {asked}: {exit:?}, {usage:?}, {} bytes: {start}\n{words}",
        output.len()
    ))
}

#[test]
fn every_language_does_what_is_asked_of_it() {
    let (modes, sources) = (modes(), Mutex::new(fixtures()));
    let wrong = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                let mut judge = Judge::new(Profile::Judge);
                loop {
                    let next = sources.lock().unwrap().pop();
                    let Some(source) = next else { break };
                    let language = judge.languages.of_file(&source).unwrap();
                    if !judge.has(language) {
                        continue;
                    }
                    for mode in &modes {
                        let complaint = complaint(&mut judge, &source, mode);
                        wrong.lock().unwrap().extend(complaint);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
