//! `rejudge verify`: its findings in a flawed problem, and that a sound one has none.

mod annotated;
mod asked;
mod flaws;

use crate::support::{Ran, Repo};

/// Reads two numbers on one line, byte for byte.
const STRICT: &str = r#"
fn number(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let bare = digits.bytes().all(|byte| byte.is_ascii_digit());
    bare && text != "-0" && text.parse::<i32>().is_ok() && (digits == "0" || !digits.starts_with('0'))
}

fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap_or_default();
    let words: Option<Vec<&str>> = text.strip_suffix('\n').map(|line| line.split(' ').collect());
    let good = words.is_some_and(|words| words.len() == 2 && words.iter().all(|word| number(word)));
    std::process::exit(if good { 42 } else { 43 });
}
"#;

/// Reads words with any blanks between them, and panics on words that are not numbers.
const LAX: &str = r"
fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let mut words = text.split_whitespace().map(|word| word.parse::<i64>().unwrap());
    let both = words.next().is_some() && words.next().is_some();
    std::process::exit(if both { 42 } else { 43 });
}
";

/// Compares only the first word.
const HASTY_CHECKER: &str = r"
fn main() {
    let answer = std::fs::read_to_string(std::env::args().nth(2).unwrap()).unwrap();
    let output = std::io::read_to_string(std::io::stdin()).unwrap_or_default();
    let first = |text: &str| text.split_whitespace().next().map(str::to_owned);
    std::process::exit(if first(&answer) == first(&output) { 42 } else { 43 });
}
";

const SUM: &str = r#"
fn main() {
    let text = std::io::read_to_string(std::io::stdin()).unwrap();
    let sum: i64 = text.split_whitespace().map(|word| word.parse::<i64>().unwrap()).sum();
    println!("{sum}");
}
"#;

/// A correct solution that uses `seconds` of CPU time.
fn slow(seconds: f64) -> String {
    let burn = format!(
        r#"
fn burnt() -> f64 {{
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap();
    stat.split(' ').next().unwrap().parse::<f64>().unwrap() / 1e9
}}

fn burn() {{
    let mut x = 1_u64;
    while burnt() < {seconds:?} {{
        for _ in 0..100_000 {{
            x = std::hint::black_box(x.wrapping_mul(3));
        }}
    }}
}}
"#
    );
    burn + &SUM.replace("fn main() {", "fn main() {\n    burn();")
}

/// A sound problem.
fn sound() -> Repo {
    let repo = Repo::with_sum();
    repo.file("cases/sum/input_validators/strict.rs", STRICT)
        .file("cases/sum/statement/problem.en.md", "Add.\n\n## Sample Input 1\n```\n1 2\n```\n")
        .file("cases/sum/data/invalid_input/word.in", "1 x\n")
        .file("cases/sum/data/valid_output/1.in", "1 2\n")
        .file("cases/sum/data/valid_output/1.ans", "3\n")
        .file("cases/sum/data/valid_output/1.out", " 3\n")
        .file("cases/sum/data/invalid_output/1.in", "1 2\n")
        .file("cases/sum/data/invalid_output/1.ans", "3\n")
        .file("cases/sum/data/invalid_output/1.out", "4\n")
        .file("solutions/sum/sum.rs", SUM);
    repo.file("cases/sum/data/secret/big.in", "1000000000 1\n")
        .file("cases/sum/data/secret/big.ans", "1000000001\n");
    repo
}

fn verify(repo: &Repo, args: &[&str]) -> Ran {
    let mut all = vec!["verify"];
    all.extend(args);
    repo.run(&all)
}

#[test]
fn a_sound_problem_is_one_line() {
    let repo = sound();
    insta::assert_snapshot!(verify(&repo, &[]).all(), @r###"
    ok    sum              2 inputs, 1 invalid input, 2 answers, 2 declared outputs, 62 mutations, 1 submission
    --- exit status 0
    "###);
    // Selected by name, with every count in the report.
    let ran = verify(&repo, &["sum", "--strict", "--json", "-"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let (start, rest) = ran.stdout.split_once('\n').unwrap();
    let start: serde_json::Value = serde_json::from_str(start).unwrap();
    assert_eq!(start["type"], "start");
    assert!(start["machine"]["cores"].is_u64() && start["sandbox"]["active"].is_array(), "{start}");
    insta::assert_snapshot!(rest, @r#"
    {"type":"problem","problem":"sum","errors":0,"warnings":0,"inputs":2,"invalid_inputs":1,"answers":2,"declared_outputs":2,"mutations":62,"submissions":1,"submissions_met":1,"wrong_submissions":0,"wrong_caught":0,"minimal_cases":0,"schema":1}
    "#);
}

#[test]
fn unreadable_and_missing_problems_are_reported() {
    let repo = sound();
    insta::assert_snapshot!(verify(&repo, &["summ"]).all(), @r###"
    error: no file, folder or problem is called `summ`
    help: did you mean the problem `sum`?
    --- exit status 2
    "###);
    std::fs::remove_file(repo.path("cases/sum/data/secret/big.ans")).unwrap();
    insta::assert_snapshot!(verify(&repo, &[]).all(), @r###"
    error: cases/sum/data/secret/big.in has no .ans file
    help: write it with `rejudge answer sum --from SOLUTION`
    --- exit status 2
    "###);
}
