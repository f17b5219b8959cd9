//! The promise of the JSON lines: the schemas accept the reports of every released version, and rejudge renders them.
//!
//! `fixtures/golden/VERSION` has what that version wrote. These files never change; each release adds a folder.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::support::Repo;
use crate::support::schema::{LineSchema, folder};

/// The folders of the released versions.
fn released() -> Vec<PathBuf> {
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/golden");
    let entries = std::fs::read_dir(golden).unwrap();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    found.sort();
    assert!(found.iter().any(|one| one.ends_with("0.1.0")), "{found:?}");
    found
}

fn lines(path: &Path) -> Vec<Value> {
    let text = std::fs::read_to_string(path).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn the_schemas_accept_what_every_released_version_wrote() {
    for version in released() {
        for file in std::fs::read_dir(&version).unwrap() {
            let path = file.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            let command = if name == "repeat" { "run" } else { name };
            let schema = LineSchema::of(command);
            for line in lines(&path) {
                assert_eq!(schema.fault(&line), None, "{}: {line}", path.display());
            }
        }
    }
}

/// Each place of a valid report, corrupted.
#[test]
fn the_schemas_reject_corrupted_lines() {
    let golden = &released()[0];
    let schema = LineSchema::of("run");
    let lines = lines(&golden.join("run.jsonl"));
    let of_type = |kind: &str| lines.iter().find(|line| line["type"] == kind).unwrap();
    for (kind, pointer, value) in [
        ("start", "/schema", json!(2)),
        ("start", "/type", json!("begin")),
        ("start", "/machine", Value::Null),
        ("start", "/machine/cores", json!(-1)),
        ("start", "/sandbox/active/0", json!(7)),
        ("case", "/verdict", json!("OK")),
        ("case", "/cpu_ms", json!("7")),
        ("submission", "/met", json!(1)),
        ("summary", "/cases", json!(1.5)),
    ] {
        let mut line = of_type(kind).clone();
        *line.pointer_mut(pointer).unwrap() = value;
        assert!(schema.fault(&line).is_some(), "{kind}{pointer}");
        let mut missing = of_type(kind).clone();
        let (parent, key) = pointer.rsplit_once('/').unwrap();
        if let Some(object) = missing.pointer_mut(parent).unwrap().as_object_mut() {
            object.remove(key);
            assert!(schema.fault(&missing).is_some(), "{kind}{pointer}");
        }
    }
}

#[test]
fn every_released_report_is_rendered_in_every_format() {
    for version in released() {
        let repo = Repo::new();
        let golden = version.join("run.jsonl");
        let golden = golden.to_str().unwrap();
        let repeated = version.join("repeat.jsonl");
        let formats = ["--junit", "r.xml", "--markdown", "r.md", "--html", "r.html"];
        let against = ["--against", repeated.to_str().unwrap()];
        let ran = repo.run(&[&["report", golden], &formats[..], &against].concat());
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let lines = lines(Path::new(golden));
        let of_type = |kind: &'static str| lines.iter().filter(move |line| line["type"] == kind);
        let submissions: Vec<&Value> = of_type("submission").collect();
        let unexpected = |one: &&&Value| one["met"] == false;
        let (junit, page) = (repo.read("r.xml"), repo.read("r.html"));
        let summary = repo.read("r.md");
        for one in &submissions {
            let name = one["submission"].as_str().unwrap();
            assert!(junit.contains(name), "{name}");
        }
        for one in submissions.iter().filter(unexpected) {
            let name = one["submission"].as_str().unwrap();
            assert!(ran.stdout.contains(name), "{name}: {}", ran.stdout);
            let escaped = name.replace('_', "\\_");
            assert!(summary.contains(&escaped), "{name}: {summary}");
        }
        let tests = junit.matches("<testcase ").count();
        assert!(tests >= of_type("case").count(), "{tests} tests");
        assert!(page.contains("<table") && page.len() > 10_000);
        let last = lines.last().unwrap();
        let all = format!("{} solutions: {} as expected", last["submissions"], last["met"]);
        assert!(ran.stdout.contains(&all), "{all}: {}", ran.stdout);
        let ran = repo.run(&["report", repeated.to_str().unwrap()]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        let bench = version.join("bench.jsonl");
        let ran = repo.run(&["report", bench.to_str().unwrap(), "--html", "bench.html"]);
        assert_eq!(ran.status, 0, "{}", ran.stderr);
        assert!(repo.read("bench.html").contains("solutions/sum/good.py"));
    }
}

#[test]
fn every_command_with_json_has_a_schema_and_the_guide_names_its_folder() {
    let repo = Repo::new();
    let help = repo.run(&["--help"]).stdout;
    let commands = help.split("\nCommands:\n").nth(1).unwrap().lines();
    let commands = commands.map_while(|line| line.split_whitespace().next());
    for command in commands.filter(|command| *command != "help") {
        let help = repo.run(&[command, "--help"]).stdout;
        // A merged report is one of `run`.
        if help.contains(" --json <FILE>") && command != "merge" {
            let path = folder().join(format!("{command}.schema.json"));
            assert!(path.exists(), "{}", path.display());
        }
    }
}
