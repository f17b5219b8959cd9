//! One program in every language that prints a greeting, echoes a million numbers (50,000 in the shells and Modula-2), calls itself a
//! million times, or uses up all memory; each is written as in a contest. The newer ones also fail, and loop for ever.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use rejudge::Bytes;
use rejudge::language::Profile;
use rejudge::limits::{DEFAULT_OUTPUT, LimitOverrides, effective_limits};
use rejudge::problem::ProblemLimits;
use rejudge::sandbox::{Exit, LimitKind, Limits};

use crate::languages::each::{FULL, fixture};
use crate::languages::judge::Judge;
use crate::support::Repo;

const DEEP: &str = "deep\n";

/// The languages whose runtimes know the memory limit: they may exit with an error before they
/// reach it. The programs of all others are killed.
const TOLD: [&str; 13] = [
    "algol68",
    "clisp",
    "clojure",
    "deno",
    "gprolog",
    "java",
    "javascript",
    "kotlin",
    "lisp",
    "php",
    "prolog",
    "scala",
    "typescript",
];

/// The languages that support only this number of nested calls with any setting: the interpreters
/// have a stack of their own (a thousand values in mawk, 200,000 in R, a million in Lua), or calls
/// get ever slower (Bash).
const SHALLOW: [(&str, &str); 13] = [
    ("algol68", "2000\n"),
    ("awk", "300\n"),
    ("bash", "1000\n"),
    ("clisp", "10000\n"),
    ("haxe", "7000\n"),
    ("icon", "100000\n"),
    ("lua", "150000\n"),
    ("luajit", "7000\n"),
    ("mawk", "300\n"),
    ("octave", "1000\n"),
    ("r", "10000\n"),
    ("raku", "100000\n"),
    ("sh", "900\n"),
];

/// The languages whose programs know the modes `fail` and `spin`, besides those of `FULL`.
const FAILING: [&str; 5] = ["erlang", "forth", "gprolog", "sh", "tcl"];

/// The languages that exit with 0 after an error that nothing catches: a judge gives WA.
const EXITS_WITH_0: [&str; 1] = ["gprolog"];

/// Limits for the slowest interpreter on a busy machine: the tests check abilities, not speed.
fn patient() -> Limits {
    let limits =
        effective_limits(&ProblemLimits::default(), DEFAULT_OUTPUT, &LimitOverrides::default());
    Limits {
        cpu_time: Duration::from_secs(100),
        cpu_kill: Duration::from_secs(100),
        wall_time: Duration::from_secs(600),
        ..limits
    }
}

/// The input and the expected output.
struct Mode {
    input: String,
    limits: Limits,
    expected: Outcome,
}

#[derive(PartialEq)]
enum Outcome {
    Output(String),
    /// The program must not get what it requests.
    NoMemory,
    /// It ends with an error.
    Failure,
    OutOfTime,
}

fn modes(id: &str) -> Vec<Mode> {
    let mode = |input: &str, output: &str| Mode {
        input: input.to_owned(),
        limits: patient(),
        expected: Outcome::Output(output.to_owned()),
    };
    // The shells take many seconds for a million numbers, and gm2's library half a minute.
    let count: u64 = if ["bash", "modula2", "sh"].contains(&id) { 50_000 } else { 1_000_000 };
    let mut numbers = String::new();
    for n in 0..count {
        writeln!(numbers, "{}", n * 999_999_937 % 1_000_003).unwrap();
    }
    let hog = Mode {
        input: "hog\n".to_owned(),
        limits: Limits { memory: Bytes::mib(300), ..patient() },
        expected: Outcome::NoMemory,
    };
    let limits =
        Limits { cpu_time: Duration::from_secs(1), cpu_kill: Duration::from_secs(1), ..patient() };
    let spin = Mode { input: "spin\n".to_owned(), limits, expected: Outcome::OutOfTime };
    let fail = Mode { input: "fail\n".to_owned(), limits: patient(), expected: Outcome::Failure };
    let mut modes = vec![
        mode("hello\n", "hello\n"),
        mode(&format!("echo\n{count}\n{numbers}"), &numbers),
        mode(DEEP, "1000000\n"),
        hog,
    ];
    if FULL.contains(&id) || FAILING.contains(&id) {
        modes.extend([fail, spin]);
    }
    modes
}

/// The fault in the run of `source`, if there is one.
fn complaint(judge: &mut Judge, source: &Path, mode: &Mode) -> Option<String> {
    let id = judge.languages.of_file(source).unwrap().id.clone();
    let (execution, output) = judge.run_under(&mode.limits, source, &mode.input);
    let right = match (&mode.expected, execution.exit) {
        (Outcome::Output(expected), Exit::Code(0)) => {
            let less = SHALLOW.iter().find(|(shallow, _)| *shallow == id);
            let less = less.filter(|_| mode.input == DEEP).map(|(_, less)| *less);
            output.trim_end() == less.unwrap_or(expected).trim_end()
        }
        (Outcome::NoMemory, Exit::Code(1..) | Exit::Signal(_)) => TOLD.contains(&id.as_str()),
        (Outcome::NoMemory, Exit::Killed(LimitKind::Memory))
        | (Outcome::Failure, Exit::Code(1..) | Exit::Signal(_))
        | (Outcome::OutOfTime, Exit::Killed(LimitKind::Cpu)) => true,
        (Outcome::Failure, Exit::Code(0)) => EXITS_WITH_0.contains(&id.as_str()),
        _ => false,
    };
    if right {
        return None;
    }
    let start: String = output.chars().take(200).collect();
    let asked = mode.input.lines().next().unwrap();
    let words = String::from_utf8_lossy(&execution.stderr_tail);
    let (exit, usage) = (execution.exit, execution.usage);
    Some(format!("{id} {asked}: {exit:?}, {usage:?}, {} bytes: {start}\n{words}", output.len()))
}

/// Runs every mode of the program in the language `id`.
pub(crate) fn passes_every_mode(id: &str) {
    let mut judge = Judge::new(Profile::Judge);
    if !judge.has(judge.languages.get(id).unwrap()) {
        return;
    }
    let source = fixture(&judge, "modes", "modes", id);
    let modes = modes(id);
    let wrong: Vec<String> =
        modes.iter().filter_map(|mode| complaint(&mut judge, &source, mode)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Sources that read a file on the author's machine and standard input on the judge are common.
#[test]
fn c_solutions_are_compiled_as_on_an_online_judge_outside_of_packages() {
    let judge = Judge::new(Profile::Judge);
    let language = judge.languages.get("c").unwrap();
    if !judge.has(language) {
        return;
    }
    let guarded = "#include <stdio.h>\nint main(void) {\n#ifdef ONLINE_JUDGE\n  puts(\"judge\");\n#else\n  puts(\"home\");\n\
                   #endif\n}\n";
    let repo = Repo::new();
    repo.file("plain/a.c", guarded).file("plain/a.in", "").file("plain/a.out", "judge\n");
    let package = "p/problem.yaml";
    repo.file(package, "problem_format_version: 2025-09\nname: P\n")
        .file("p/data/secret/1.in", "")
        .file("p/data/secret/1.ans", "home\n")
        .file("p/submissions/accepted/a.c", guarded);
    for (args, status) in [(&["plain"][..], 0), (&["plain", "--profile", "debug"], 1), (&["p"], 0)]
    {
        let ran = repo.run(args);
        assert_eq!(ran.status, status, "{args:?}: {}", ran.all());
    }
    repo.file("rejudge.toml", "[defaults]\nonline_judge = true\n");
    let ran = repo.run(&["p"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    assert_eq!(repo.run(&["exec", "plain/a.c"]).stdout, "judge\n");
}
