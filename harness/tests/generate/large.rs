//! Cases too large for the repository, which are stored in the cache and listed with their
//! checksums.

use std::fs;

use crate::generate::{GENERATOR, SOLUTION, repo, yaml_of};
use crate::support::{Ran, Repo};

#[test]
fn a_case_too_large_for_the_repository_goes_to_the_cache() {
    let repo = repo(
        "  secret:
    data:
      small: numbers.rs 1
      deep: {data: {wide: numbers.rs zeros 5000000}}
",
    );
    let cache = repo.path("cache");
    let run = |args: &[&str]| repo.finish(repo.command(args).env("REJUDGE_CACHE_DIR", &cache));
    let made = run(&["generate"]);
    assert_eq!(made.all(), "sum: 2 cases made, 0 unchanged\n--- exit status 0");
    assert!(!repo.path("cases/sum/data/secret/deep").exists());
    let list = repo.read("cases/sum/generators/large.toml");
    let input = format!("{} 1\n", "0".repeat(5_000_000));
    let (sum, answer) = (blake3::hash(input.as_bytes()), blake3::hash(b"1\n"));
    assert_eq!(
        list,
        format!(
            "# Sizes and checksums of the cases that are too large for this repository; `rejudge generate` creates them.\n\n\
             [\"secret/deep/wide\"]\nin_blake3 = \"{sum}\"\nans_blake3 = \"{answer}\"\n\
             in_bytes = 5000003\nans_bytes = 2\n"
        )
    );
    assert_eq!(repo.read(&format!("cache/cases/{sum}.in")), input);
    assert_eq!(repo.read(&format!("cache/cases/{answer}.ans")), "1\n");
    let again = run(&["generate"]);
    assert_eq!(again.all(), "sum: 0 cases made, 2 unchanged\n--- exit status 0");
    let check = run(&["generate", "--check"]);
    assert_eq!(check.all(), "sum: 2 cases as generated\n--- exit status 0");
    repo.file(
        "cases/sum/generators/large.toml",
        list.replace(&answer.to_string()[..8], "00000000"),
    );
    let check = run(&["generate", "--check"]);
    assert_eq!(
        check.all(),
        "sum: 1 difference, 1 case as generated
--- standard error
error: cases/sum/generators/large.toml: `secret/deep/wide`: `ans_blake3` differs from that \
         of the generated file
--- exit status 1"
    );
    fs::remove_file(repo.path("cases/sum/generators/large.toml")).unwrap();
    let check = run(&["generate", "--check"]);
    assert_eq!(
        check.all(),
        "sum: 1 difference, 1 case as generated
--- standard error
error: cases/sum/generators/large.toml does not list `secret/deep/wide`, which has # MiB
--- exit status 1"
    );
    run(&["generate"]);
    assert_eq!(repo.read("cases/sum/generators/large.toml"), list);
}

#[test]
fn a_case_that_shrinks_returns_to_the_repository_and_a_removed_one_leaves_the_list() {
    let repo =
        repo("  secret: {data: {a: numbers.rs zeros 5000000, b: numbers.rs zeros 5000001}}\n");
    let cache = repo.path("cache");
    let run = |args: &[&str]| repo.finish(repo.command(args).env("REJUDGE_CACHE_DIR", &cache));
    run(&["generate"]);
    yaml_of(&repo, "  secret: {data: {a: numbers.rs zeros 5}}\n");
    let check = run(&["generate", "--check"]);
    assert_eq!(
        check.all(),
        "sum: 2 differences, 0 cases as generated
--- standard error
error: cases/sum/generators/large.toml lists `secret/a`, which is not above 4 MiB
error: cases/sum/data/secret/a.in is missing
error: cases/sum/data/secret/a.ans is missing
error: cases/sum/generators/large.toml: `secret/b` is not a case in generators/generators.yaml
--- exit status 1"
    );
    let made = run(&["generate"]);
    assert_eq!(made.all(), "sum: 1 case made, 0 unchanged\n--- exit status 0");
    assert_eq!(repo.read("cases/sum/data/secret/a.in"), "00000 1\n");
    assert!(!repo.path("cases/sum/generators/large.toml").exists());
}

#[test]
fn run_creates_the_cases_missing_from_the_cache_and_checks_their_checksums() {
    let repo = repo("  secret: {data: {wide: numbers.rs zeros 5000000}}\n");
    let cache = repo.path("cache");
    let run = |args: &[&str]| repo.finish(repo.command(args).env("REJUDGE_CACHE_DIR", &cache));
    run(&["generate"]);
    fs::remove_dir_all(cache.join("cases")).unwrap();
    let judged = run(&["run"]);
    assert_eq!(judged.status, 0, "{}", judged.all());
    assert_eq!(judged.stderr, "");
    assert_eq!(fs::read_dir(cache.join("cases")).unwrap().count(), 2);

    fs::remove_dir_all(cache.join("cases")).unwrap();
    check_rejected_after_change(&repo, || run(&["run"]));
}

/// Changes the generator so that its case differs from `large.toml`; judging must then fail.
fn check_rejected_after_change(repo: &Repo, judge: impl Fn() -> Ran) {
    repo.file("cases/sum/generators/numbers.rs", GENERATOR.replace("{} 1", "{} 2"));
    assert_eq!(
        judge().all(),
        "--- standard error
error: cannot judge `sum`
  caused by: `secret/wide`: the generated case does not match its checksums in generators/large.toml
help: run `rejudge generate --check` to compare, or `rejudge generate` to accept the new case
--- exit status 2"
    );
}

#[test]
fn the_time_limit_includes_the_large_cases_for_any_selection() {
    let repo = repo("  secret: {data: {small: numbers.rs 1, wide: numbers.rs zeros 5000000}}\n");
    repo.file("cases/sum/submissions/accepted/sum.rs", SOLUTION);
    let cache = repo.path("cache");
    let run = |args: &[&str]| repo.finish(repo.command(args).env("REJUDGE_CACHE_DIR", &cache));
    run(&["generate"]);
    let forget = || fs::remove_dir_all(cache.join("cases")).unwrap();
    forget();
    let judged = run(&["run", "--case", "secret/small"]);
    assert_eq!(judged.status, 0, "{}", judged.all());
    assert!(judged.stderr.starts_with("note: sum: time limit "), "{}", judged.all());
    forget();
    // A known time limit needs no cases.
    let again = run(&["run", "--case", "secret/small"]);
    assert_eq!(judged.stderr, again.stderr, "{}", again.all());
    assert!(!cache.join("cases").exists());

    fs::remove_dir_all(cache.join("time-limits")).unwrap();
    check_rejected_after_change(&repo, || run(&["run", "--case", "secret/small"]));
}

#[test]
fn no_case_is_written_to_a_folder_that_is_not_a_cache() {
    let repo = repo("  secret:\n    data:\n      wide: numbers.rs zeros 5000000\n");
    repo.file("cache/thesis.tex", "years of work");
    let cache = repo.path("cache");
    let made = repo.finish(repo.command(&["generate"]).env("REJUDGE_CACHE_DIR", &cache));
    assert_eq!(made.status, 2, "{}", made.all());
    let why = "`[repo]/cache` is not a cache folder of rejudge";
    assert!(made.stderr.contains(why), "{}", made.all());
    let names: Vec<_> =
        fs::read_dir(cache).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["thesis.tex"]);
}

#[test]
fn verify_checks_the_other_problems_if_a_case_of_one_cannot_be_made() {
    let repo = repo("  secret: {data: {wide: numbers.rs zeros 5000000}}\n");
    let cache = repo.path("cache");
    let run = |args: &[&str]| repo.finish(repo.command(args).env("REJUDGE_CACHE_DIR", &cache));
    run(&["generate"]);
    fs::remove_dir_all(cache.join("cases")).unwrap();
    repo.file("cases/sum/generators/numbers.rs", GENERATOR.replace("{} 1", "{} 2"));
    repo.file("cases/zero/problem.yaml", "problem_format_version: 2025-09\nname: Zero\nuuid: 0\n")
        .file("cases/zero/data/sample/1.in", "0\n")
        .file("cases/zero/data/sample/1.ans", "0\n");
    let ran = run(&["verify", "--html", "page.html"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    let fault = "`secret/wide`: the generated case does not match its checksums";
    assert!(ran.stdout.contains(&format!("error: {fault}")), "{}", ran.all());
    assert!(ran.stdout.contains("FAIL  sum "), "{}", ran.all());
    assert!(ran.stdout.contains("ok    zero "), "{}", ran.all());
    let page = repo.read("page.html");
    assert!(page.contains("<span class=\"headline bad\">1 error"));
    assert!(page.contains(fault) && page.contains(">zero<"));

    // A generator that does not compile is no different.
    repo.file("cases/sum/generators/numbers.rs", "fn main() { nonsense }");
    let ran = run(&["verify"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    let fault = "error: cannot create the case `secret/wide`: ";
    assert!(ran.stdout.contains(fault), "{}", ran.all());
    assert!(ran.stdout.contains("ok    zero "), "{}", ran.all());
}
