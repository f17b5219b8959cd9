//! Every language of which a compiler is here: a sum is right, and rubbish does not compile.
//!
//! A language that is not installed is skipped aloud; where `CI` is set, all of them must be there.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

mod judge;
mod modes;
#[path = "../support/mod.rs"]
mod support;

use std::path::{Path, PathBuf};

use rejudge::compile::Built;
use rejudge::language::Profile;
use rejudge::sandbox::Exit;

use judge::Judge;

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/languages");
    let entries = std::fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

#[test]
fn every_installed_language_sums() {
    let mut judge = Judge::new(Profile::Judge);
    let mut wrong = Vec::new();
    for source in fixtures() {
        let language = judge.languages.of_file(&source).unwrap();
        if !judge.has(language) {
            continue;
        }
        let (execution, output) = judge.run(&source, "4\n1 2\n3 -10\n");
        if execution.exit != Exit::Code(0) || output.trim() != "-4" {
            let words = String::from_utf8_lossy(&execution.stderr_tail);
            wrong.push(format!(
                "{}: {:?} {output:?}\n{words}",
                source.display(),
                execution.exit
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn rubbish_does_not_compile_and_is_named_by_its_path() {
    let mut judge = Judge::new(Profile::Judge);
    for id in ["rust", "c", "cpp", "python3", "java", "javascript"] {
        let language = judge.languages.get(id).unwrap();
        if !judge.has(language) {
            continue;
        }
        let extension = language.extensions[0].clone();
        let source = judge.folder.path().join(format!("rubbish.{extension}"));
        std::fs::write(&source, "this is ( no program\n").unwrap();
        let Built::Failed(failure) = judge.compile(&source) else {
            panic!("{id} compiles rubbish")
        };
        assert!(failure.reason.contains("exit code 1"), "{failure:#?}");
        let place = source.display().to_string();
        assert!(failure.message.contains(&place), "{failure:#?}");
    }
}

#[test]
fn the_profiles_check_what_a_judge_does_not() {
    let c = "#include <stdio.h>\n\
        int main(int n, char **v) { (void)v; int a[2] = {0}; n += 1; a[n % 8] = 3; \
        int big = 2147483647; big += n; printf(\"%d\\n\", big < 0); return 0; }\n";
    let rust = "fn main() { let n = std::env::args().count() as u8; \
        println!(\"{}\", n.wrapping_add(254) + n); }\n";
    for (name, text, profile) in [
        ("over.c", c, Profile::Sanitize),
        ("over.rs", rust, Profile::Debug),
        ("over.rs", rust, Profile::Sanitize),
    ] {
        let mut usual = Judge::new(Profile::Judge);
        let mut checked = Judge::new(profile);
        let source = usual.folder.path().join(name);
        std::fs::write(&source, text).unwrap();
        if !usual.has(usual.languages.of_file(&source).unwrap()) {
            continue;
        }
        assert_eq!(usual.run(&source, "").0.exit, Exit::Code(0), "{name}");
        let (execution, _) = checked.run(&source, "");
        assert_ne!(execution.exit, Exit::Code(0), "{name} {profile:?}");
    }
}

/// `rejudge languages` in a repository whose table has a language of its own.
fn table(args: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(
        folder.path().join("rejudge.toml"),
        "[languages.mine]\nname = 'Mine'\nextensions = ['mine', 'my']\nrun = ['no-such-program']\n\
         install = 'it from the shelf'\n",
    )
    .unwrap();
    std::fs::create_dir(folder.path().join("cases")).unwrap();
    std::fs::create_dir(folder.path().join("solutions")).unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_rejudge"))
        .arg("languages")
        .args(args)
        .current_dir(folder.path())
        .env("REJUDGE_CACHE_DIR", folder.path().join("cache"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_table_tells_versions_and_what_to_install() {
    let text = table(&[]);
    let line = |id: &str| {
        let found = text.lines().find(|line| line.split(' ').next() == Some(id));
        let words: Vec<&str> = found.unwrap_or_default().split_whitespace().collect();
        words.join(" ")
    };
    assert!(line("rust").starts_with("rust Rust .rs rustc 1."), "{text}");
    assert_eq!(
        line("mine"),
        "mine Mine .mine .my not installed: install it from the shelf"
    );
}

#[test]
fn the_start_up_is_measured_once_and_shown_from_then_on() {
    let folder = tempfile::tempdir().unwrap();
    let said = |args: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_rejudge"))
            .args([&["languages", "--json", "rust"], args].concat())
            .env("REJUDGE_CACHE_DIR", folder.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        let row: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(row["id"], "rust");
        row["start_up_cpu_ms"].as_f64()
    };
    assert_eq!(said(&[]), None);
    let measured = said(&["--measure"]);
    assert!(measured.is_some_and(|ms| ms > 0.0), "{measured:?}");
    assert_eq!(said(&[]), measured);
    assert_eq!(said(&["--measure"]), measured, "it is not measured again");
}

#[test]
fn every_language_of_the_table_has_a_source_that_does_nothing() {
    let table = include_str!("../../src/languages.toml");
    let table: toml::Table = table.parse().unwrap();
    for (id, language) in &table {
        assert!(language["hello"].is_str(), "{id}");
    }
}

#[test]
fn the_table_in_json_has_an_object_a_line() {
    let text = table(&["--json"]);
    let rows: Vec<serde_json::Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let row = |id: &str| rows.iter().find(|row| row["id"] == id).unwrap();
    assert_eq!(row("rust")["installed"], true);
    assert_eq!(row("rust")["extensions"][0], "rs");
    let mine = row("mine");
    assert_eq!(mine["installed"], false);
    assert_eq!(mine["version"], serde_json::Value::Null);
    assert_eq!(mine["reason"], "there is no `no-such-program`");
    assert_eq!(mine["schema"], 1);
}
