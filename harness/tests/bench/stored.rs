//! Decisions about stored figures: baselines, and criterion's results.

use crate::bench::{COUNTED, SOLUTION, has_valgrind, program, repo};
use crate::support::Repo;

#[test]
fn a_baseline_is_saved_compared_and_refused_under_other_conditions() {
    if !has_valgrind() {
        return;
    }
    let repo = repo();
    repo.file(SOLUTION, program(COUNTED));
    let save = ["bench", "--save", "x", "--runs", "2", "-q"];
    let saved = repo.run(&save);
    assert_eq!(
        (saved.status, saved.stderr.as_str()),
        (0, "benches/baselines/x.json: new\n"),
        "{}",
        saved.all()
    );
    let file = "benches/baselines/x.json";
    let text = repo.read(file);
    assert!(text.starts_with("{\n  \"schema\": 1,\n  \"key\": {\"arch\":"), "{text}");
    let compare = ["bench", "--against", "baseline:x", "--counter", "instructions"];
    assert_eq!(repo.run(&compare).status, 0);
    repo.file(SOLUTION, program(COUNTED * 11 / 10));
    let slower = repo.run(&compare);
    assert_eq!(slower.status, 1, "{}", slower.all());
    let saved = repo.run(&save);
    assert!(saved.stderr.contains("busy.rs secret/long: "), "{}", saved.stderr);
    assert!(saved.stderr.contains("instructions (+"), "{}", saved.stderr);
    let text = repo.read(file);
    let foreign = [
        (text.replace("\"arch\":\"", "\"arch\":\"un"), 4, "the architecture: `un"),
        (text.replace("rustc 1", "rustc 0"), 4, "the compiler of `rust`: `rustc 0"),
        (text.replace("\"schema\": 1", "\"schema\": 9"), 2, "its schema is 9, not 1"),
        (text[..text.len() / 2].to_owned(), 2, "is not a valid baseline"),
    ];
    for (text, status, why) in foreign {
        repo.file(file, text);
        let ran = repo.run(&compare);
        assert_eq!(ran.status, status, "{}", ran.all());
        assert!(ran.stderr.contains(why), "{why}: {}", ran.stderr);
    }
    repo.file(file, text.replace("\"kernel\":\"", "\"kernel\":\"un"));
    let ran = repo.run(&["bench", "--against", "baseline:x"]);
    assert_eq!(ran.status, 4, "{}", ran.all());
    assert!(ran.stderr.contains("  machine: `"), "{}", ran.stderr);
}

/// Writes the files that criterion would store for one benchmark.
fn criterion(repo: &Repo, saved_as: &str, nanoseconds: f64) {
    let folder = format!("target/criterion/group/f/{saved_as}");
    let times: Vec<f64> = (0..40).map(|i| nanoseconds + f64::from(i * 7 % 10)).collect();
    let sample =
        serde_json::json!({"sampling_mode": "Flat", "iters": vec![1.0; 40], "times": times});
    repo.file(
        &format!("{folder}/benchmark.json"),
        r#"{"group_id":"group","function_id":"f","value_str":null,"full_id":"group/f"}"#,
    )
    .file(&format!("{folder}/sample.json"), sample.to_string());
}

#[test]
fn a_copy_of_criterions_newest_results_is_no_base() {
    let repo = repo();
    criterion(&repo, "base", 1e8);
    criterion(&repo, "new", 1e8);
    for args in [&[][..], &["--against", "base"], &["--counter", "instructions"]] {
        let mut command = repo.command(&[&["bench", "--gate", "criterion"], args].concat());
        command.env_remove("CRITERION_HOME").env_remove("CARGO_TARGET_DIR");
        let copied = repo.finish(&mut command);
        assert_eq!(copied.status, 4, "{}", copied.all());
        let why = "has the same samples as `base` and as `new`: criterion stores the newest results under both names";
        assert!(copied.stderr.contains(why), "{}", copied.stderr);
        assert!(copied.stderr.contains("--save-baseline main"), "{}", copied.stderr);
    }
}

#[test]
fn a_decision_about_criterions_results_has_a_caution() {
    let repo = repo();
    let gate = |args: &[&str]| {
        let mut command = repo.command(&[&["bench", "--gate", "criterion"], args].concat());
        command.env_remove("CRITERION_HOME").env_remove("CARGO_TARGET_DIR");
        repo.finish(&mut command)
    };
    let nothing = gate(&[]);
    assert_eq!(nothing.status, 4, "{}", nothing.all());
    assert!(nothing.stderr.contains("target/criterion has no benchmark"), "{}", nothing.stderr);
    criterion(&repo, "main", 1e8);
    criterion(&repo, "new", 1.1e8);
    let slower = gate(&["--against", "main"]);
    assert_eq!(slower.status, 1, "{}", slower.all());
    assert!(slower.stdout.starts_with("group\n  slower  f "), "{}", slower.stdout);
    assert!(slower.stdout.contains("caution: this is advice: "), "{}", slower.stdout);
    assert!(slower.stdout.contains("regression: wall time against"), "{}", slower.stdout);
    let cpu = gate(&["--against", "main", "--counter", "cpu"]);
    assert!(cpu.stdout.contains(": CPU time against"), "{}", cpu.stdout);
    criterion(&repo, "new", 1e8 + 1.0);
    assert_eq!(gate(&["--against", "main"]).status, 0);
    assert_eq!(gate(&["--against", "other"]).status, 4);
    repo.file("target/criterion/group/f/new/sample.json", r#"{"iters":[1.0],"times":[0.0]}"#);
    let zero = gate(&["--against", "main"]);
    assert_eq!(zero.status, 3, "{}", zero.all());
    assert!(zero.stdout.contains("measured 0, so no ratio can be computed"), "{}", zero.stdout);
    repo.file("target/criterion/group/f/new/sample.json", "nonsense");
    assert_eq!(gate(&["--against", "main"]).status, 2);
}
