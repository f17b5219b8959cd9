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
    let expected = "input, 2 tokens:\n  1\n  -1\nanswer of brute.rs, AC:\n  -1\noutput of wrong.rs, WA:\n  0\n";
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
            .starts_with("error: there is no generator\nhelp: `rejudge new --generator` writes"),
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
             exit code 43, not 42\n  not one line of numbers\n",
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

/// A package whose generator has a seed and a size, with a wrong submission.
fn package() -> Repo {
    let repo = Repo::new();
    repo.problem(
        "best",
        "name: Best\nlimits:\n  time_limit: 5\n",
        &[("secret/1", "2\n3 -4\n", "3\n")],
    )
    .file("cases/best/generators/random.rs", GENERATOR)
    .file("cases/best/input_validators/form.rs", VALIDATOR)
    .file("solutions/best/best.rs", BRUTE)
    .file("solutions/best/wrong_answer/zero.rs", WRONG);
    repo
}

const PLAN: &str = "solution: /submissions/accepted/best.rs\ndata:\n  secret:\n    data:\n      \
    '2': random.rs {seed} 40\n      '3': random.rs 77 3\n";

#[test]
fn a_package_has_all_programs() {
    let repo = package();
    repo.file("cases/best/generators/generators.yaml", PLAN);
    for args in [&["best"][..], &["solutions/best/wrong_answer/zero.rs"]] {
        let ran = stress(&repo, &[args, &["--seed", "4", "--rounds", "100"]].concat());
        assert_eq!(
            (ran.status, ran.stderr.as_str()),
            (1, ""),
            "{args:?} {}",
            ran.stdout
        );
        assert!(
            ran.stdout
                .starts_with("WA solutions/best/wrong_answer/zero.rs in round "),
            "{}",
            ran.stdout
        );
        assert!(
            ran.stdout.contains("input, 2 tokens:\n  1\n  -1\n"),
            "{}",
            ran.stdout
        );
        assert!(
            ran.stdout
                .contains("answer of solutions/best/best.rs, AC:\n  -1\n"),
            "{}",
            ran.stdout
        );
    }
    let ran = stress(
        &repo,
        &["solutions/best/best.rs", "--seed", "4", "--rounds", "12"],
    );
    assert_eq!(ran.status, 0, "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn without_a_generator_the_cases_are_changed_if_a_validator_allows_it() {
    let repo = package();
    let ran = stress(&repo, &["best", "--seed", "4", "--rounds", "400"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    assert!(
        ran.stdout.contains("input, 2 tokens:\n  1\n  -1\n"),
        "{}",
        ran.stdout
    );
    std::fs::remove_dir_all(repo.path("cases/best/input_validators")).unwrap();
    let ran = stress(&repo, &["best"]);
    assert_eq!(ran.status, 2);
    let expected = "error: `best` has no generator, and no validator for changed inputs\nhelp: `rejudge new best --generator` writes";
    assert!(ran.stderr.starts_with(expected), "{}", ran.stderr);
}

#[test]
fn a_want_chooses_what_is_found() {
    let repo = folder();
    repo.file("right.rs", BRUTE);
    let want = |text: &str| stress(&repo, &["--seed", "1", "--rounds", "40", "--want", text]);
    for (text, status) in [
        ("wrong.rs WA", 1),
        ("wrong.rs != right.rs and right.rs AC", 1),
        ("right.rs WA", 0),
        ("not wrong.rs AC and not right.rs AC", 0),
    ] {
        let ran = want(text);
        assert_eq!(
            (ran.status, ran.stderr.as_str()),
            (status, ""),
            "{text}: {}",
            ran.stdout
        );
    }
    for (text, expected) in [
        (
            "wrong.rs",
            "error: `--want`: expected a verdict, `!=` or `==`\n  wrong.rs\n          ^\n",
        ),
        (
            "wrong.rs WA and none.rs AC",
            "error: `--want`: no such program\n  wrong.rs WA and none.rs AC\n                  ^~~~~~~\n",
        ),
        (
            "brute.rs WA",
            "error: `--want`: no result of the programs can be this\n  brute.rs WA\n  ^~~~~~~~~~~\n",
        ),
    ] {
        let ran = want(text);
        assert_eq!((ran.status, ran.stderr.as_str()), (2, expected), "{text}");
    }
}

#[test]
fn what_is_found_becomes_a_case_once() {
    let repo = package();
    let run = || stress(&repo, &["best", "--seed", "4", "--rounds", "400", "--add"]);
    let ran = run();
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    let base = "cases/best/data/secret/stress-1";
    assert_eq!(repo.read(&format!("{base}.in")), "1\n-1\n");
    assert_eq!(repo.read(&format!("{base}.ans")), "-1\n");
    let description = repo.read(&format!("{base}.yaml"));
    assert!(description.starts_with("description: "), "{description}");
    assert!(description.contains("zero.rs gets WA"), "{description}");
    let ran = run();
    assert_eq!(
        ran.stderr,
        "warning: not added: case `secret/stress-1` has the same input\n"
    );
    assert!(!repo.path("cases/best/data/secret/stress-2.in").exists());
    let verdicts = repo.verdicts(&["best"]);
    assert!(
        verdicts
            .iter()
            .any(|line| line.contains("zero.rs secret/stress-1 WA")),
        "{verdicts:?}"
    );
}

#[test]
fn the_result_as_json() {
    let repo = folder();
    let ran = stress(&repo, &["--seed", "1", "--rounds", "60", "--json", "-"]);
    assert_eq!(ran.status, 1, "{}", ran.stderr);
    let lines: Vec<serde_json::Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(lines.len(), 2);
    assert_eq!(
        (&lines[0]["program"], &lines[0]["after"]),
        (&"wrong.rs".into(), &"1\n-1\n".into())
    );
    assert_eq!(
        (&lines[0]["verdict"], &lines[0]["complete"]),
        (&"WA".into(), &true.into())
    );
    assert_eq!(lines[0]["results"][0]["output"], "-1\n");
    assert!(lines[0]["runs"]["solutions"].as_u64().unwrap() > 4);
    assert_eq!(
        (&lines[1]["findings"], &lines[1]["rounds"]),
        (&1.into(), &lines[0]["round"])
    );
}

#[test]
fn slow_inputs_are_set_against_the_limit_and_the_cases() {
    let repo = package();
    let slow = BRUTE.replace(
        "assert_eq!(values.len(), count);",
        "for _ in 0..count * 4_000_000 { std::hint::black_box(count); }",
    );
    repo.file("solutions/best/slow.rs", slow);
    let generator = "random.rs {seed} {n:1..50}";
    let args = [
        "solutions/best/slow.rs",
        "--slowest",
        "--rounds",
        "12",
        "--seed",
        "2",
        "-t",
        "30",
        "--generator",
        generator,
    ];
    let ran = stress(&repo, &args);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""), "{}", ran.stdout);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert!(
        lines[0].starts_with("solutions/best/slow.rs: limit "),
        "{}",
        ran.stdout
    );
    assert!(lines.len() > 4, "{}", ran.stdout);
    assert!(
        lines[1..4].iter().all(|line| line.contains("random.rs ")),
        "{}",
        ran.stdout
    );
    assert!(
        lines[4].ends_with("the slowest case: secret/1"),
        "{}",
        ran.stdout
    );
}

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
    .file(
        "solutions/guess/wrong_answer/last.rs",
        GUESSES.replace("LESS", "1"),
    );
    let args = [
        "guess",
        "--seed",
        "3",
        "--rounds",
        "300",
        "--generator",
        "gen.rs {seed} {n:2..900}",
    ];
    let ran = stress(&repo, &args);
    assert_eq!((ran.status, ran.stderr.as_str()), (1, ""), "{}", ran.stdout);
    assert!(
        ran.stdout
            .starts_with("WA solutions/guess/wrong_answer/last.rs in round "),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("input, 2 tokens:\n  1 1\n"),
        "{}",
        ran.stdout
    );
}

#[test]
fn the_first_generator_is_written_once_and_works() {
    let repo = Repo::new();
    repo.file("brute.rs", BRUTE).file("wrong.rs", WRONG);
    let ran = repo.run(&["new", "--generator"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
    assert!(
        ran.stdout.starts_with("gen.rs: a generator of "),
        "{}",
        ran.stdout
    );
    let ran = stress(&repo, &["--seed", "1", "--rounds", "100"]);
    assert_eq!(ran.status, 1, "{}{}", ran.stdout, ran.stderr);
    let again = repo.run(&["new", "--generator"]);
    assert_eq!(again.status, 2);
    assert_eq!(
        again.stderr,
        "error: gen.rs exists already\nhelp: remove it, or change it\n"
    );
    let ran = repo.run(&["new", "--generator", "--language", "zig"]);
    assert!(
        ran.stderr
            .starts_with("error: there is no first generator in `zig`\nhelp: "),
        "{}",
        ran.stderr
    );
}
