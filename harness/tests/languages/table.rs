//! `rejudge languages`: its output and its measurements.

/// Runs `rejudge languages` in a repository with a language of its own.
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
        // Which knows the versions already if another test asked for them.
        .env("REJUDGE_CACHE_DIR", crate::support::cache())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_table_shows_versions_and_what_to_install() {
    let text = table(&[]);
    let line = |id: &str| {
        let found = text.lines().find(|line| line.split(' ').next() == Some(id));
        let words: Vec<&str> = found.unwrap_or_default().split_whitespace().collect();
        words.join(" ")
    };
    assert!(line("rust").starts_with("rust Rust .rs rustc 1."), "{text}");
    assert_eq!(line("mine"), "mine Mine .mine .my not installed: install it from the shelf");
}

#[test]
fn the_start_up_time_is_measured_once_and_shown_afterwards() {
    let folder = tempfile::tempdir().unwrap();
    let start_up = |args: &[&str]| {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_rejudge"))
            .args([&["languages", "--json", "-", "rust"], args].concat())
            .env("REJUDGE_CACHE_DIR", folder.path())
            .output()
            .unwrap();
        assert!(output.status.success(), "{output:?}");
        let row: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(row["id"], "rust");
        row["start_up_cpu_ms"].as_f64()
    };
    assert_eq!(start_up(&[]), None);
    let measured = start_up(&["--measure"]);
    assert!(measured.is_some_and(|ms| ms > 0.0), "{measured:?}");
    assert_eq!(start_up(&[]), measured);
    assert_eq!(start_up(&["--measure"]), measured, "it is not measured again");
}

#[test]
fn every_language_of_the_table_has_a_source_that_does_nothing() {
    let table: toml::Table = include_str!("../../problem/src/languages.toml").parse().unwrap();
    for (id, language) in &table {
        assert!(language["hello"].is_str(), "{id}");
    }
}

#[test]
fn the_table_in_json_has_one_object_per_line() {
    let text = table(&["--json", "-"]);
    let rows: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let row = |id: &str| rows.iter().find(|row| row["id"] == id).unwrap();
    assert_eq!(row("rust")["installed"], true);
    assert_eq!(row("rust")["extensions"][0], "rs");
    let mine = row("mine");
    assert_eq!(mine["installed"], false);
    assert_eq!(mine["version"], serde_json::Value::Null);
    assert_eq!(mine["reason"], "`no-such-program` was not found");
    assert_eq!(mine["schema"], 1);
}
