//! Interactive problems and problems with several passes.

use super::stress;
use crate::support::Repo;

/// Tells whether a guess is too low, too high or right. It allows ten guesses.
const INTERACTOR: &str = r#"
use std::io::Write;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let input = std::fs::read_to_string(&args[1]).unwrap();
    let secret: i64 = input.split_whitespace().nth(1).unwrap().parse().unwrap();
    println!("{}", input.split_whitespace().next().unwrap());
    for line in std::io::stdin().lines().take(10) {
        let guess: i64 = line.unwrap().trim().parse().unwrap_or(0);
        if guess == secret {
            std::process::exit(42);
        }
        println!("{}", if guess < secret { "low" } else { "high" });
        std::io::stdout().flush().unwrap();
    }
    std::process::exit(43);
}
"#;

/// Guesses by bisection up to the number that it is told, minus `LESS`.
const GUESSES: &str = r#"
use std::io::Write;
fn main() {
    let mut lines = std::io::stdin().lines();
    let (mut low, mut high) = (1, lines.next().unwrap().unwrap().parse::<i64>().unwrap() - LESS);
    while low <= high {
        let middle = (low + high) / 2;
        println!("{middle}");
        std::io::stdout().flush().unwrap();
        match lines.next() {
            Some(Ok(word)) if word == "low" => low = middle + 1,
            Some(Ok(_)) => high = middle - 1,
            _ => return,
        }
    }
}
"#;

#[test]
fn an_interactive_problem_shrinks_what_the_interactor_reads() {
    let repo = Repo::new();
    let validator = "fn main() { let text = std::io::read_to_string(std::io::stdin()).unwrap(); \
        let words: Vec<i64> = text.trim_end().split(' ').filter_map(|word| word.parse().ok()).collect(); \
        let is_valid = words.len() == 2 && text == format!(\"{} {}\\n\", words[0], words[1]) \
            && (1..=words[0]).contains(&words[1]) && words[0] <= 1000; \
        std::process::exit(if is_valid { 42 } else { 43 }); }";
    let generator = "fn main() { let args: Vec<u64> = std::env::args().skip(1).map(|word| word.parse().unwrap()).collect(); \
        println!(\"{} {}\", args[1], 1 + args[0] % args[1]); }";
    repo.problem(
        "guess",
        "name: Guess\ntype: interactive\nlimits:\n  time_limit: 5\n",
        &[("secret/1", "9 3\n", "")],
    )
    .file("cases/guess/output_validator/guess.rs", INTERACTOR)
    .file("cases/guess/input_validators/form.rs", validator)
    .file("cases/guess/generators/gen.rs", generator)
    .file("solutions/guess/right.rs", GUESSES.replace("LESS", "0"))
    .file("solutions/guess/wrong_answer/last.rs", GUESSES.replace("LESS", "1"));
    let args =
        ["guess", "--seed", "3", "--rounds", "300", "--generator", "gen.rs {seed} {n:2..900}"];
    let ran = stress(&repo, &args);
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    assert!(
        ran.stdout.starts_with("WA solutions/guess/wrong_answer/last.rs in round "),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains("input, 2 tokens:\n  1 1\n"), "{}", ran.stdout);
}

/// Accepts the number of the input, and requests a second pass.
const TWICE: &str = "read pass number < \"$1\"\nread output\n[ \"$output\" = \"$number\" ] || exit 43\n\
    if [ $pass = 1 ]; then echo \"2 $number\" > \"$3nextpass.in\"; fi\nexit 42\n";

#[test]
fn a_failure_in_a_later_pass_is_found_and_shrunk() {
    let repo = Repo::new();
    let validator = "read pass number\n[ \"$pass\" = 1 ] && [ \"$number\" -ge 1 ] && [ \"$number\" -le 1000 ] && exit 42\nexit 43\n";
    repo.problem(
        "twice",
        "name: Twice\ntype: multi-pass\nlimits:\n  time_limit: 5\n",
        &[("secret/1", "1 3\n", "3\n")],
    )
    .file("cases/twice/output_validator/twice.sh", TWICE)
    .file("cases/twice/input_validators/form.sh", validator)
    .file("cases/twice/generators/gen.sh", "echo 1 $2\n")
    .file("solutions/twice/right.sh", "read pass number; echo $number\n")
    .file(
        "solutions/twice/wrong_answer/later.sh",
        "read pass number; if [ $pass = 2 ] && [ $number -gt 5 ]; then echo 0; else echo $number; fi\n",
    );
    let args = ["twice", "--seed", "3", "--rounds", "300"];
    let generator = ["--generator", "gen.sh {seed} {n:1..900}"];
    let ran = stress(&repo, &[&args[..], &generator].concat());
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    let start = "WA solutions/twice/wrong_answer/later.sh in round ";
    assert!(ran.stdout.starts_with(start), "{}", ran.stdout);
    assert!(ran.stdout.contains("input, 2 tokens:\n  1 6\n"), "{}", ran.stdout);
}
