//! One program in every language that says hello, echoes a million numbers, calls itself a million times, or takes all
//! the memory that there is; each as one would write it in a contest.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use rejudge::bytes::Bytes;
use rejudge::language::Profile;
use rejudge::limits::{DEFAULT_OUTPUT, LimitOverrides, settle};
use rejudge::problem::ProblemLimits;
use rejudge::sandbox::{Exit, LimitKind, Limits};

use crate::each::fixture;
use crate::judge::Judge;

const DEEP: &str = "deep\n";

/// The languages whose runtimes are told the memory limit: they may end by themselves, with an error, before it is
/// reached. The programs of all others are killed.
const TOLD: [&str; 8] = [
    "java",
    "javascript",
    "kotlin",
    "lisp",
    "php",
    "prolog",
    "scala",
    "typescript",
];

/// The languages that have room for so many calls only, whatever they are told: the interpreters keep a stack of their
/// own (a thousand values in mawk, 200,000 in R, a million in Lua), or take ever longer for a call (Bash).
const SHALLOW: [(&str, &str); 4] = [
    ("awk", "300\n"),
    ("bash", "1000\n"),
    ("lua", "150000\n"),
    ("r", "10000\n"),
];

/// Room for the slowest interpreter on a busy machine: what is tested is that it can, not how fast.
fn patient() -> Limits {
    let limits = settle(
        &ProblemLimits::default(),
        DEFAULT_OUTPUT,
        &LimitOverrides::default(),
    );
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
        (Some(expected), Exit::Code(0)) => {
            let less = SHALLOW.iter().find(|(shallow, _)| *shallow == id);
            let less = less.filter(|_| mode.input == DEEP).map(|(_, less)| *less);
            output.trim_end() == less.unwrap_or(expected).trim_end()
        }
        (None, Exit::Killed(LimitKind::Memory)) => true,
        (None, Exit::Code(1..) | Exit::Signal(_)) => TOLD.contains(&id.as_str()),
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

/// Asks everything of the program in the language `id`.
pub(crate) fn does_what_is_asked(id: &str) {
    let mut judge = Judge::new(Profile::Judge);
    if !judge.has(judge.languages.get(id).unwrap()) {
        return;
    }
    let source = fixture(&judge, "modes", "modes", id);
    let modes = modes();
    let wrong = modes
        .iter()
        .filter_map(|mode| complaint(&mut judge, &source, mode));
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
