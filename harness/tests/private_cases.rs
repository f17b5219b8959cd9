//! Cases that only their owner may read, and the problem's own programs, which run as other users
//! and must read them.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt as _;

use crate::support::Repo;

/// Accepts an output that equals both the answer and the sum of the input.
const VALIDATOR: &str = r"
use std::{env, fs, io, process};
fn main() {
    let args: Vec<String> = env::args().collect();
    let read = |path: &str| fs::read_to_string(path).unwrap();
    let output = io::read_to_string(io::stdin()).unwrap();
    let sum: i64 = read(&args[1]).split_whitespace().map(|word| word.parse::<i64>().unwrap()).sum();
    let right = read(&args[2]).trim() == output.trim() && sum.to_string() == output.trim();
    process::exit(if right { 42 } else { 43 });
}
";

const SUM: &str = "fn main() { let text = std::io::read_to_string(std::io::stdin()).unwrap(); \
    println!(\"{}\", text.split_whitespace().map(|word| word.parse::<i64>().unwrap()).sum::<i64>()); }\n";

#[test]
fn a_validator_reads_cases_of_mode_0600() {
    let repo = Repo::with_sum();
    repo.file("cases/sum/output_validator/validate.rs", VALIDATOR);
    repo.file("solutions/sum/sum.rs", SUM);
    repo.file("solutions/sum/wrong_answer/zero.rs", "fn main() { println!(\"0\"); }\n");
    let secret = repo.path("cases/sum/data/secret");
    for entry in fs::read_dir(&secret).unwrap() {
        fs::set_permissions(entry.unwrap().path(), Permissions::from_mode(0o600)).unwrap();
    }
    fs::set_permissions(&secret, Permissions::from_mode(0o700)).unwrap();
    let cases = "cases/sum/output_validator/validate.rs";
    fs::set_permissions(repo.path(cases), Permissions::from_mode(0o600)).unwrap();
    let ran = repo.run(&[]);
    assert_eq!(ran.status, 0, "{}", ran.all());
}
