//! The tests of the command `rejudge`, in one binary: linking takes longer than compiling them.
//!
//! `cargo test --test suite listen::` runs those of one module.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

mod answer;
mod bad_input;
mod batch;
mod bench;
mod beside;
mod cache;
mod caught;
mod completions;
mod confidence;
mod doctor;
mod draw;
mod early_start;
mod editors;
mod exec;
mod export;
mod exported_sources;
mod fuzz;
mod generate;
mod guide;
mod hostile;
mod hostile_packages;
mod icpc;
mod import;
mod interactive;
mod killed;
mod languages;
mod layers;
mod layouts;
mod left_behind;
mod list;
mod listen;
mod missing;
mod multipass;
mod named_settings;
mod outside;
mod own_fault;
mod packages;
mod page;
mod private_cases;
mod protections;
mod run;
mod samples;
mod scale;
mod schemas;
mod scoring;
mod screen;
mod self_test;
mod serve;
mod shards;
mod sizes;
mod strength;
mod stress;
mod support;
mod surroundings;
mod testlib;
mod time_limit;
mod upgrade;
mod verify;
mod words;
mod workers;

/// A file that no module names would be left out without a word.
#[test]
fn every_test_file_is_a_module() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests");
    let declared = include_str!("main.rs");
    let missing: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .map(|name| name.trim_end_matches(".rs").to_owned())
        .filter(|name| !["main", "fixtures", "sandbox", "agreement"].contains(&name.as_str()))
        .filter(|name| !declared.contains(&format!("\nmod {name};\n")))
        .collect();
    assert_eq!(missing, [""; 0]);
}
