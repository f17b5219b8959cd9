//! Programs of the problem that fail.

use super::{SCRIPTS, VALIDATOR, folder, package, scripts, stress};

const OF_GENERATOR: &str = "help: run this command to see the fault; correct the generator, or choose other arguments with `--generator`\n";
const OF_INPUT: &str = "help: correct the generator, or the validator if the input is valid\n";
const OF_VALIDATOR: &str = "help: correct the validator: it must exit with 42 for a valid input, and with 43 for any other text\n";

/// The errors of a search with this generator and this validator, both in Bash.
fn errors(generator: &str, validator: &str) -> String {
    let repo = folder();
    repo.file("gen.sh", generator).file("val.sh", validator);
    let command = ["--generator", "gen.sh 0 {n:1..5}", "--rounds", "5"];
    let ran = stress(&repo, &[&["wrong.rs"], &command[..]].concat());
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
    ran.stderr
}

#[test]
fn faults_of_the_generator_are_named() {
    let accepts = "exit 42";
    for (generator, expected) in [
        ("echo no memory >&2; exit 3", "failed: exit code 3\n  no memory\n"),
        ("kill -SEGV $$", "failed: signal 11 (SIGSEGV)\n"),
        ("yes", "failed: output above 64 MiB\n"),
        ("true", "printed nothing\n"),
    ] {
        let command = "error: round 1: the generator `gen.sh 0 1`";
        let expected = format!("{command} {expected}{OF_GENERATOR}");
        assert_eq!(errors(generator, accepts), expected);
    }
}

#[test]
fn a_generator_that_never_ends_is_stopped() {
    let error = errors("sleep 98766", "exit 42");
    let start = "error: round 1: the generator `gen.sh 0 1` failed: wall time ";
    assert!(error.starts_with(start) && error.ends_with(OF_GENERATOR), "{error}");
}

#[test]
fn an_invalid_input_is_the_generators_fault() {
    let repo = folder();
    repo.file("gen.rs", "fn main() { println!(\"x\") }").file("val.rs", VALIDATOR);
    let ran = stress(&repo, &["--generator", "gen.rs 0 {n:1..5}", "--rounds", "5"]);
    assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
    let expected = format!(
        "error: round 1: the generator `gen.rs 0 1` made an invalid input: the input validator `val.rs` rejects it: \
         exit code 43, not 42\n  not one line of numbers\n{OF_INPUT}"
    );
    assert_eq!(ran.stderr, expected);
    // A failed assertion is a rejection.
    let error = errors("echo 1", "echo too small >&2; kill -ABRT $$");
    let why = "rejects it: signal 6 (SIGABRT)\n  too small\n";
    assert!(error.contains(why) && error.ends_with(OF_INPUT), "{error}");
}

#[test]
fn faults_of_the_validator_are_named() {
    for (validator, expected) in
        [("kill -SEGV $$", "signal 11 (SIGSEGV)\n"), ("yes", "output above 64 MiB\n")]
    {
        let start =
            "error: round 1: the input validator `val.sh` failed on the output of `gen.sh 0 1`: ";
        let expected = format!("{start}{expected}{OF_VALIDATOR}");
        assert_eq!(errors("echo 1", validator), expected);
    }
}

#[test]
fn a_validator_that_never_ends_is_stopped() {
    let error = errors("echo 1", "sleep 98766");
    let start = "error: round 1: the input validator `val.sh` failed on the output of `gen.sh 0 1`: wall time ";
    assert!(error.starts_with(start) && error.ends_with(OF_VALIDATOR), "{error}");
}

#[test]
fn a_search_without_one_valid_input_is_an_error() {
    let repo = package();
    let plan = "solution: /submissions/accepted/best.rs\ndata:\n  secret:\n    data:\n      '2': none.sh {seed} 40\n";
    repo.file("cases/best/generators/generators.yaml", plan)
        .file("cases/best/generators/none.sh", "echo too large >&2; exit 1");
    // The search does not go on for ever.
    for (last, rounds) in [("7", 7), ("9999", 200)] {
        let ran = stress(&repo, &["best", "--seed", "4", "--rounds", last]);
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""), "{}", ran.stderr);
        let start =
            format!("error: no valid input in {rounds} rounds; round 1: the generator `none.sh ");
        let end = "failed: exit code 1\n  too large\n";
        assert!(ran.stderr.starts_with(&start), "{}", ran.stderr);
        assert!(ran.stderr.contains(end) && ran.stderr.ends_with(OF_GENERATOR), "{}", ran.stderr);
    }
}

#[test]
fn a_validator_may_print_its_reason_on_standard_output() {
    let error = errors("echo 1", "echo too small; exit 43");
    let why = "rejects it: exit code 43, not 42\n  too small\n";
    assert!(error.contains(why) && error.ends_with(OF_INPUT), "{error}");
}

#[test]
fn a_validator_that_fails_while_an_input_is_shrunk_is_named() {
    let repo = scripts();
    repo.file("val.sh", "read count\n[ \"$count\" -ge 3 ] || kill -SEGV $$\nexit 42\n");
    let args = ["--validator", "val.sh", "--rounds", "1", "--json", "j"];
    let ran = stress(&repo, &[&SCRIPTS[..], &args].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    let json: serde_json::Value =
        serde_json::from_str(repo.read("j").lines().next().unwrap()).unwrap();
    let undecided = json["undecided"].as_u64().unwrap();
    assert!(undecided > 1, "{json}");
    let told = format!(
        "the input validator `val.sh` failed on {undecided} texts, so a smaller input may exist: signal 11 (SIGSEGV)\n"
    );
    assert!(ran.stdout.contains(&told), "{}", ran.stdout);
}
