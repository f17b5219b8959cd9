//! `rejudge stress`: finds small inputs on which solutions fail.

use crate::support::{Ran, Repo};

mod ends;
mod faults;
mod folder;
mod package;
mod slow;
mod special;

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
    repo.file("gen.rs", GENERATOR).file("brute.rs", BRUTE).file("wrong.rs", WRONG);
    repo
}

/// A folder with programs that need no compiler. The solution fails on every input.
fn scripts() -> Repo {
    let repo = Repo::new();
    repo.file("gen.sh", "echo 40; echo -7 $(seq 39)\n")
        .file("wrong.sh", "echo 5\n")
        .file("brute.sh", "cat > /dev/null; echo 6\n");
    repo
}

/// The arguments that name these programs.
const SCRIPTS: [&str; 5] = ["wrong.sh", "--against", "brute.sh", "--generator", "gen.sh {seed}"];

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
