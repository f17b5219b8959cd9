//! `rejudge generate`: cases created from `generators.yaml`, created again, and compared.

mod formats;
mod interrupted;
mod large;
mod made;
mod tools;

use crate::support::{Ran, Repo};

const GENERATOR: &str = r#"
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    match words.as_slice() {
        ["fail", ..] => {
            eprintln!("cannot count to \x1b{}", words.len());
            std::process::exit(3);
        }
        ["nothing"] => {}
        ["sleep"] => std::thread::sleep(std::time::Duration::from_secs(600)),
        ["zeros", count] => {
            let count: usize = count.parse().unwrap();
            println!("{} 1", "0".repeat(count));
        }
        _ => println!("{}", words.join(" ")),
    }
}
"#;

/// Prints the sum of the numbers in the input, which may have leading zeros.
const SOLUTION: &str = r#"
fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let sum: u64 = text
        .split_whitespace()
        .map(|word| word.trim_start_matches('0').parse().unwrap_or(0))
        .sum();
    println!("{sum}");
}
"#;

const VALIDATOR: &str = r#"
fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let good = text.split_whitespace().all(|word| word.bytes().all(|b| b.is_ascii_digit()));
    if !good {
        println!("not a number");
    }
    std::process::exit(if good { 42 } else { 43 });
}
"#;

fn repo(yaml: &str) -> Repo {
    let repo = Repo::new();
    repo.file("solutions/sum/sum.rs", SOLUTION)
        .file("cases/sum/problem.yaml", "problem_format_version: 2025-09\nname: Sum\n")
        .file("cases/sum/generators/numbers.rs", GENERATOR)
        .file("cases/sum/input_validators/digits.rs", VALIDATOR)
        .file("cases/sum/generators/by-hand/one.in", "7 7\n")
        .file("cases/sum/generators/by-hand/one.ans", "14\n");
    yaml_of(&repo, yaml);
    repo
}

fn yaml_of(repo: &Repo, cases: &str) {
    let head = "solution: /submissions/accepted/sum.rs\ndata:\n";
    repo.file("cases/sum/generators/generators.yaml", format!("{head}{cases}"));
}

/// Runs `rejudge generate ARGS`.
fn generate(repo: &Repo, args: &[&str]) -> Ran {
    let mut all = vec!["generate"];
    all.extend(args);
    repo.run(&all)
}

const CASES: &str = "  sample:
    data:
      '1': {in: 1 2, ans: '3'}
      '2': {copy: by-hand/one}
  secret:
    data:
      plain: numbers.rs 10 20
      group:
        data:
        - a: numbers.rs {seed}
        - '': numbers.rs 5 {seed:2}
";
