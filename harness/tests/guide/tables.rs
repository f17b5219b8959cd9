//! The tables of names: verdicts, expectations, settings, problems.

use std::collections::BTreeSet;

use rejudge::Verdict;
use rejudge::expectation::VerdictFolder;
use rejudge::notice::Code;
use serde_json::Value;

use crate::guide::markdown::{blocks, quoted, rows};
use crate::guide::pages::{guide, guide_page, page};
use crate::support::Repo;

#[test]
fn the_guide_lists_what_each_folder_permits_and_requires() {
    let page = guide_page("expectations");
    let rows = rows(&page);
    let codes = |verdicts: &[Verdict]| {
        let codes: Vec<&str> = verdicts.iter().map(|verdict| verdict.code()).collect();
        codes.join(", ")
    };
    for folder in VerdictFolder::ALL {
        let row = [format!("`{folder}`"), codes(folder.permitted()), codes(folder.required())];
        assert!(rows.iter().any(|found| found == &row), "{row:?}");
    }
}

#[test]
fn the_guide_explains_every_verdict() {
    let page = guide_page("verdicts");
    let rows = rows(&page);
    for verdict in Verdict::ALL {
        let explained = rows.iter().any(|row| row[0] == verdict.code());
        assert!(explained, "{verdict}");
    }
}

#[test]
fn the_guide_has_every_code_of_a_warning_or_error() {
    let page = guide_page("diagnostics");
    let codes = Code::ALL.iter();
    let expected: Vec<String> =
        codes.map(|code| format!("| `{}` | {} |", code.name(), code.meaning())).collect();
    let lines = page.lines().filter(|line| line.starts_with("| `"));
    assert_eq!(lines.collect::<Vec<_>>(), expected);
}

/// The known keys, from the error message for an unknown key.
fn known_keys(settings: &str) -> BTreeSet<String> {
    let repo = Repo::new();
    repo.file("rejudge.toml", settings);
    let ran = repo.run(&["list"]);
    let (_, help) = ran.stderr.split_once("known keys: ").expect(&ran.stderr);
    quoted(help).map(str::to_owned).collect()
}

#[test]
fn the_guide_has_every_key_of_the_settings() {
    let page = guide_page("language-settings");
    let named: BTreeSet<&str> = rows(&page).iter().flat_map(|row| quoted(row[0])).collect();
    for key in known_keys("[languages.x]\nqqqqqqqqqqqq = 1\n") {
        assert!(named.contains(key.as_str()), "`languages.x.{key}`");
    }
    let page = guide_page("settings");
    let blocks = blocks(&page);
    let example = blocks.iter().find(|block| block.info == "toml rejudge.toml");
    let example: toml::Table = example.unwrap().text.parse().unwrap();
    let keys = |table: &toml::Table| table.keys().cloned().collect::<BTreeSet<_>>();
    assert_eq!(keys(&example), known_keys("qqqqqqqqqqqq = 1\n"));
    let defaults = example["defaults"].as_table().unwrap();
    assert_eq!(keys(defaults), known_keys("[defaults]\nqqqqqqqqqqqq = 1\n"));
    let problems = example["problems"].as_table().unwrap().values();
    assert_eq!(
        problems.flat_map(|one| keys(one.as_table().unwrap())).collect::<BTreeSet<_>>(),
        known_keys("[problems.sum]\nqqqqqqqqqqqq = 1\n")
    );
}

#[test]
fn the_readme_names_the_problems_of_the_repository() {
    let cases = concat!(env!("CARGO_MANIFEST_DIR"), "/../cases");
    let shipped: BTreeSet<String> = std::fs::read_dir(cases)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let readme = page("README.md").text;
    let (_, problems) = readme.split_once("\n## The problems").unwrap();
    let table: BTreeSet<String> =
        rows(problems).iter().flat_map(|row| quoted(row[0])).map(str::to_owned).collect();
    assert_eq!(table, shipped);
}

#[test]
fn the_readme_counts_the_solutions_and_cases_of_the_repository() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
    let readme = page("README.md").text;
    let listed = Repo::new().run(&["list", "--json", "-", root]).stdout;
    let listed: Vec<Value> =
        listed.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let of_type = |kind: &'static str| listed.iter().filter(move |line| line["type"] == kind);
    let mut solutions = 0;
    for problem in of_type("problem") {
        let id = problem["problem"].as_str().unwrap();
        let own = of_type("submission").filter(|line| line["problem"] == *id);
        let groups = problem["groups"].as_array().unwrap().iter();
        let cases: u64 = groups.map(|group| group["cases"].as_u64().unwrap()).sum();
        let own = own.count() as u64;
        let line = format!("\nok    {id:<16} {own} solutions as expected, {cases} cases  ");
        assert!(readme.contains(&line), "{line}");
        solutions += own;
    }
    assert!(solutions > 0);
    // The number of cases depends on where the solutions that must fail do fail.
    let line = format!("\n{solutions} solutions: {solutions} as expected (");
    assert!(readme.contains(&line), "{line}");
}

#[test]
fn the_case_that_the_guide_draws_is_in_the_repository() {
    let guide = guide();
    let (_, rest) = guide.split_once("\nrejudge draw ").unwrap();
    let (problem, case) = rest.split_once(' ').unwrap().0.split_once('/').unwrap();
    let package = format!("{}/../cases/{problem}", env!("CARGO_MANIFEST_DIR"));
    assert!(std::path::Path::new(&format!("{package}/data/{case}.in")).exists());
    assert!(std::path::Path::new(&format!("{package}/output_visualizer")).is_dir());
}
