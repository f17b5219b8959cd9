//! `rejudge stress`: finds small inputs on which solutions fail.

use crate::support::{Ran, Repo};

/// Prints up to as many numbers as its second argument says.
const GENERATOR: &str = r#"
fn main() {
    let args: Vec<u64> = std::env::args().skip(1).map(|word| word.parse().unwrap()).collect();
    let mut state = args[0].wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1;
    let mut next = |bound: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % bound
    };
    let count = 1 + next(args[1]);
    let values: Vec<String> = (0..count).map(|_| (next(201) as i64 - 100).to_string()).collect();
    println!("{count}\n{}", values.join(" "));
}
"#;

/// The largest sum of a range that is not empty.
const BRUTE: &str = r#"
fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let mut lines = text.lines();
    let count: usize = lines.next().unwrap().parse().unwrap();
    let values: Vec<i64> = lines.next().unwrap().split(' ').map(|word| word.parse().unwrap()).collect();
    assert_eq!(values.len(), count);
    let sums = (0..count).flat_map(|from| (from + 1..=count).map(move |to| (from, to)));
    println!("{}", sums.map(|(from, to)| values[from..to].iter().sum::<i64>()).max().unwrap());
}
"#;

/// The same, but at least zero.
const WRONG: &str = r#"
fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let (mut best, mut sum) = (0, 0);
    for word in text.split_whitespace().skip(1) {
        sum = 0.max(sum + word.parse::<i64>().unwrap());
        best = best.max(sum);
    }
    println!("{best}");
}
"#;

/// Accepts what the generator prints.
const VALIDATOR: &str = r#"
fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let lines: Vec<&str> = text.split('\n').collect();
    let is_valid = lines.len() == 3 && lines[2].is_empty() && {
        let values: Vec<&str> = lines[1].split(' ').collect();
        let number = |word: &&str| word.parse().is_ok_and(|value: i64| value.abs() <= 100 && value.to_string() == **word);
        lines[0] == values.len().to_string() && values.len() <= 50 && values.iter().all(number)
    };
    if !is_valid {
        eprintln!("not one line of numbers");
    }
    std::process::exit(if is_valid { 42 } else { 43 });
}
"#;

fn folder() -> Repo {
    let repo = Repo::new();
    repo.file("gen.rs", GENERATOR)
        .file("brute.rs", BRUTE)
        .file("wrong.rs", WRONG);
    repo
}

fn stress(repo: &Repo, args: &[&str]) -> Ran {
    let wide = ["stress", "--wall-limit", "60"];
    repo.run(&[&wide, args].concat())
}

/// The lines of a report without its last one, which has the time.
fn lines(ran: &Ran) -> Vec<&str> {
    let mut lines: Vec<&str> = ran.stdout.lines().collect();
    lines.pop();
    lines
}

#[test]
fn the_programs_of_a_folder_are_found_by_their_names() {
    let repo = folder();
    let ran = stress(&repo, &["--seed", "1", "--rounds", "60"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    let expected =
        "input, 2 tokens:\n  1\n  -1\nanswer of brute.rs:\n  -1\noutput of wrong.rs:\n  0\n";
    assert!(
        ran.stdout.starts_with("WA wrong.rs in round "),
        "{}",
        ran.stdout
    );
    assert!(ran.stdout.contains(expected), "{}", ran.stdout);
    // The round that failed is the same in any number of threads, and repeats.
    let parallel = stress(&repo, &["--seed", "1", "--rounds", "60", "-j", "3"]);
    assert_eq!(lines(&parallel), lines(&ran));
    let again = ran
        .stdout
        .lines()
        .find_map(|line| line.strip_prefix("again: rejudge "))
        .unwrap();
    let words: Vec<&str> = again.split(' ').collect();
    let repeated = repo.run(&words);
    assert_eq!(lines(&repeated), lines(&ran));
}

#[test]
fn a_validator_decides_which_texts_are_valid() {
    let repo = folder();
    repo.file("val.rs", VALIDATOR);
    let ran = stress(&repo, &["wrong.rs", "--seed", "1", "--rounds", "60"]);
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    assert!(
        ran.stdout.contains("input, 2 tokens:\n  1\n  -1\n"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout
            .contains("an input was valid if the validator accepted it"),
        "{}",
        ran.stdout
    );
}

#[test]
fn nothing_is_found_in_a_right_solution() {
    let repo = folder();
    repo.file("right.rs", BRUTE);
    let ran = stress(
        &repo,
        &[
            "right.rs",
            "--against",
            "brute.rs",
            "--seed",
            "3",
            "--rounds",
            "20",
        ],
    );
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    assert!(
        ran.stdout
            .starts_with("no failure; tried 20 rounds of seed 3 in "),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_folder_without_a_generator_or_a_solution_says_what_is_missing() {
    let repo = Repo::new();
    repo.file("brute.rs", BRUTE).file("wrong.rs", WRONG);
    let ran = stress(&repo, &[]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr
            .starts_with("error: there is no generator\nhelp: write `gen.py`"),
        "{}",
        ran.stderr
    );
    let repo = Repo::new();
    repo.file("brute.rs", BRUTE).file("gen.rs", GENERATOR);
    let ran = stress(&repo, &[]);
    assert_eq!(ran.status, 2);
    assert!(
        ran.stderr
            .starts_with("error: there is no solution to test in "),
        "{}",
        ran.stderr
    );
}

#[test]
fn faults_of_the_generator_are_named() {
    let repo = folder();
    for (source, expected) in [
        (
            "fn main() { eprintln!(\"no memory\"); std::process::exit(3) }",
            "round 1: the generator `gen.rs 0 1` failed: exit code 3\n  no memory\n",
        ),
        (
            "fn main() {}",
            "round 1: the generator `gen.rs 0 1` printed nothing\n",
        ),
        (
            "fn main() { println!(\"x\") }",
            "round 1: the generator `gen.rs 0 1` made an invalid input: the input validator `val.rs` rejects it: \
             exit code 43, not 42\n  not one line of numbers\nhelp: correct the generator or the validator\n",
        ),
    ] {
        repo.file("gen.rs", source).file("val.rs", VALIDATOR);
        let ran = stress(
            &repo,
            &["--generator", "gen.rs 0 {n:1..5}", "--rounds", "5"],
        );
        assert_eq!((ran.status, ran.stdout.as_str()), (2, ""));
        assert_eq!(ran.stderr, format!("error: {expected}"));
    }
}

#[test]
fn references_that_disagree_or_crash_are_findings() {
    let repo = folder();
    repo.file("slow.rs", WRONG).file("right.rs", BRUTE);
    let ran = stress(&repo, &["right.rs", "--seed", "1", "--rounds", "60"]);
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    assert!(
        ran.stdout.starts_with("WA slow.rs in round "),
        "{}",
        ran.stdout
    );
    let crash = BRUTE.replace(
        "assert_eq!(values.len(), count);",
        "assert!(values[0] > -90);",
    );
    repo.file("slow.rs", BRUTE).file("brute.rs", crash);
    let ran = stress(&repo, &["right.rs", "--seed", "1", "--rounds", "200"]);
    assert_eq!(ran.status, 1, "{}", ran.stdout);
    assert!(
        ran.stdout.starts_with("RTE brute.rs in round "),
        "{}",
        ran.stdout
    );
}
