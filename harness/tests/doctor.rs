//! `rejudge doctor` and `--sandbox`. The tests hold on any machine.

use crate::support::Repo;
use serde_json::Value;

/// The findings of `doctor` on this machine.
fn found(repo: &Repo) -> Value {
    let ran = repo.run(&["doctor", "--json", "-"]);
    assert_eq!(ran.status, 0, "{}", ran.stderr);
    serde_json::from_str(&ran.stdout).unwrap()
}

/// The unfiltered standard error of a command, and its exit status.
fn stderr_of(repo: &Repo, args: &[&str]) -> (String, i32) {
    let output = repo.command(args).output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    (text, output.status.code().unwrap())
}

fn with_solution() -> Repo {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/wrong_answer/silent.rs", "fn main() {}\n");
    repo
}

#[test]
fn strict_exits_with_1_exactly_if_a_protection_is_missing() {
    let repo = Repo::new();
    let sound = found(&repo)["sound"].as_bool().unwrap();
    let ran = repo.run(&["doctor", "--strict"]);
    assert_eq!(ran.status, i32::from(!sound));
    let sections = ["sandbox  ", "\nmachine  ", "\nlanguages  "];
    assert!(sections.iter().all(|head| ran.stdout.contains(head)), "{}", ran.stdout);
    assert_eq!(ran.stdout.contains("no important protection is missing"), sound);
    assert_eq!(ran.stdout.contains("  no    "), !sound);
    assert!(!ran.stdout.contains('\x1b'), "colours are for terminals");
}

#[test]
fn a_weaker_sandbox_is_reported_once_and_strict_refuses_it() {
    let repo = with_solution();
    let sufficient = found(&repo)["sandbox"]["sufficient"].as_bool().unwrap();
    let commands: [&[&str]; 2] = [
        &["run", "-q", "-j", "2"],
        &["answer", "sum", "--from", "solutions/sum/wrong_answer/silent.rs"],
    ];
    for command in commands {
        let (text, _) = stderr_of(&repo, command);
        let lines = text.matches("warning: missing protections: ").count();
        assert_eq!(lines, usize::from(!sufficient), "{text}");
        let strict = [command, &["--sandbox", "strict"]].concat();
        let (text, status) = stderr_of(&repo, &strict);
        assert_eq!(status, if sufficient { 0 } else { 2 }, "{text}");
        assert_eq!(text.contains("error: the sandbox is weaker than `strict` allows"), !sufficient);
    }
}

#[test]
fn a_sandbox_that_is_off_is_shown_in_red_and_in_the_reports() {
    let repo = with_solution();
    let mut command =
        repo.command(&["run", "--sandbox", "off", "--json", "-", "--junit", "report.xml"]);
    command.env_remove("NO_COLOR").env("CLICOLOR_FORCE", "1");
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stderr).unwrap();
    let red = "\u{1b}[1m\u{1b}[31mwarning: the sandbox is off\u{1b}[0m: programs can read";
    assert_eq!(text.matches(red).count(), 1, "{text}");
    let text = String::from_utf8(output.stdout).unwrap();
    let start: Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    let sandbox = &start["sandbox"];
    assert_eq!(sandbox["sufficient"], false);
    let missing = sandbox["missing"].as_array().unwrap();
    assert!(missing.iter().any(|one| one["protection"] == "seccomp"), "{sandbox}");
    let junit = repo.read("report.xml");
    for name in ["sandbox.back_end", "sandbox.lacks", "sandbox.cpu_clock", "machine.noise"] {
        assert!(junit.contains(&format!("<property name=\"{name}\"")), "{junit}");
    }
}
