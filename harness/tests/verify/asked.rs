//! How validators are run: with which arguments, and how often.

use crate::verify::{STRICT, sound, verify};

/// Settings with a short time limit for validators, which the tests of endless ones use up.
const SHORT: &str =
    "problem_format_version: 2025-09\nname: Sum\nlimits: {time_limit: 2, validation_time: 0.2}\n";

#[test]
fn a_validator_that_never_ends_is_run_once() {
    let repo = sound();
    let hangs = STRICT.replace("fn main() {", "fn main() { if true { loop {} }");
    repo.file("cases/sum/problem.yaml", SHORT)
        .file("cases/sum/input_validators/strict.rs", hangs)
        .file("cases/sum/output_validator/hangs.rs", "fn main() { loop {} }");
    let ran = verify(&repo, &["--no-submissions"]);
    let count = |text: &str| ran.stdout.matches(text).count();
    let words = "the input validator `strict.rs` fails: ";
    assert_eq!(count(words), 1, "{}", ran.all());
    assert_eq!(count("exceeded its "), 1, "{}", ran.all());
    assert_eq!(ran.status, 1);
}

/// Accepts two numbers up to its first argument; the second number must be in the file next to the
/// input.
const BOUNDED: &str = r#"
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let most: i64 = args[1].parse().unwrap();
    let beside = std::fs::read_to_string("note.txt").unwrap_or_default();
    let fits = text.split_whitespace().all(|word| word.parse::<i64>().is_ok_and(|n| n <= most));
    std::process::exit(if fits && beside == args[2..].concat() { 42 } else { 43 });
}
"#;

#[test]
fn validators_get_the_arguments_and_files_of_their_case() {
    let repo = sound();
    repo.file("cases/sum/input_validators/bounded.rs", BOUNDED)
        .file(
            "cases/sum/data/test_group.yaml",
            "input_validator_args: {bounded: ['2000000000'], strict: []}\n",
        )
        .file(
            "cases/sum/data/sample/1.yaml",
            "input_validator_args: {bounded: ['2']}\nargs: [a, b]\n",
        )
        .file("cases/sum/data/sample/1.files/note.txt", "ab")
        .file("cases/sum/data/invalid_input/large.in", "3 3\n")
        .file(
            "cases/sum/data/invalid_input/test_group.yaml",
            "input_validator_args: {bounded: ['2']}\n",
        );
    let ran = verify(&repo, &["--no-submissions"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    repo.file(
        "cases/sum/data/invalid_input/large.yaml",
        "input_validator_args: {bounded: ['3']}\n",
    );
    let ran = verify(&repo, &["--no-submissions"]);
    let line = "error: cases/sum/data/invalid_input/large.in: every input validator accepts it, although it lies in `invalid_input`";
    assert!(ran.stdout.contains(line), "{}", ran.all());
}

/// Accepts the sum of the numbers in the file that is its first argument, if its second one is `yes`.
const SUMS: &str = "read answer; read a b < \"$1\"; [ \"$2\" = yes ] || exit 9\n\
                    [ \"$answer\" = $((a + b)) ] && exit 42; exit 43\n";

#[test]
fn answer_validators_check_answers_with_their_inputs() {
    let repo = sound();
    repo.file("cases/sum/answer_validators/sums.sh", SUMS)
        .file("cases/sum/answer_validators/form.ctd", "INT(0, 1000000001) NEWLINE EOF\n")
        .file("cases/sum/data/test_group.yaml", "answer_validator_args: {sums: ['yes']}\n")
        .file("cases/sum/data/invalid_answer/1.in", "1 2\n")
        .file("cases/sum/data/invalid_answer/1.ans", "4\n")
        .file("cases/sum/data/invalid_answer/blank.in", "1 2\n")
        .file("cases/sum/data/invalid_answer/blank.ans", "3 \n");
    let ran = verify(&repo, &["--no-submissions", "--strict"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    repo.file("cases/sum/data/secret/big.ans", "7\n")
        .file("cases/sum/data/invalid_answer/fine.in", "1 2\n")
        .file("cases/sum/data/invalid_answer/fine.ans", "3\n")
        .file("cases/sum/data/invalid_answer/open.in", "1 2\n");
    let ran = verify(&repo, &["--no-submissions"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    for line in [
        "error: cases/sum/data/secret/big.ans: the answer validator `sums.sh` rejects it\n",
        "error: cases/sum/data/invalid_answer/fine.ans: every validator accepts it, although it lies in `invalid_answer`\n",
        "error: cases/sum/data/invalid_answer/open.ans: is missing\n",
    ] {
        assert!(ran.stdout.contains(line), "{}", ran.all());
    }
    // Without an answer validator, the output validator decides.
    for name in ["sums.sh", "form.ctd"] {
        std::fs::remove_file(repo.path(&format!("cases/sum/answer_validators/{name}"))).unwrap();
    }
    let ran = verify(&repo, &["--no-submissions"]);
    let line = "invalid_answer/1.ans: every validator accepts it";
    assert!(ran.stdout.contains(line), "{}", ran.all());
    repo.file("cases/sum/problem.yaml", SHORT)
        .file("cases/sum/answer_validators/slow.sh", "while :; do :; done\n");
    let ran = verify(&repo, &["--no-submissions"]);
    let words = "the answer validator `slow.sh` fails: CPU time";
    assert_eq!(ran.stdout.matches(words).count(), 1, "{}", ran.all());
}
