//! `rejudge generate`: cases made from `generators.yaml`, made again, and compared.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

mod support;

use std::fs;
use std::process::Command;

use support::{Ran, Repo};

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

/// Prints the sum of the numbers that it reads, however many leading zeros they have.
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
        .file(
            "cases/sum/problem.yaml",
            "problem_format_version: 2025-09\nname: Sum\n",
        )
        .file("cases/sum/generators/numbers.rs", GENERATOR)
        .file("cases/sum/input_validators/digits.rs", VALIDATOR)
        .file("cases/sum/generators/by-hand/one.in", "7 7\n")
        .file("cases/sum/generators/by-hand/one.ans", "14\n");
    yaml_of(&repo, yaml);
    repo
}

fn yaml_of(repo: &Repo, cases: &str) {
    let head = "solution: /submissions/accepted/sum.rs\ndata:\n";
    repo.file(
        "cases/sum/generators/generators.yaml",
        format!("{head}{cases}"),
    );
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

#[test]
fn makes_every_case_once_and_the_same_again() {
    let repo = repo(CASES);
    let first = generate(&repo, &[]);
    assert_eq!(
        first.all(),
        "sum: 5 cases made, 0 unchanged\n--- exit status 0"
    );
    let data = |name: &str| repo.read(&format!("cases/sum/data/{name}"));
    assert_eq!(
        (data("sample/1.in"), data("sample/1.ans")),
        ("1 2\n".into(), "3\n".into())
    );
    assert_eq!(
        (data("sample/2.in"), data("sample/2.ans")),
        ("7 7\n".into(), "14\n".into())
    );
    assert_eq!(data("secret/plain.in"), "10 20\n");
    assert_eq!(data("secret/plain.ans"), "30\n");
    // sha512("numbers.rs {seed}") modulo 2^31.
    assert_eq!(data("secret/group/1-a.in"), "596603608\n");
    assert!(data("secret/group/2.in").starts_with("5 "));
    let second = generate(&repo, &["sum"]);
    assert_eq!(
        second.all(),
        "sum: 0 cases made, 5 unchanged\n--- exit status 0"
    );
    let check = generate(&repo, &["--check", "cases/sum"]);
    assert_eq!(check.all(), "sum: 5 cases as generated\n--- exit status 0");
    let inside = repo.finish(&mut repo.command_in("cases/sum", &["generate", "--check"]));
    assert_eq!(inside.all(), "sum: 5 cases as generated\n--- exit status 0");
}

#[test]
fn a_check_names_each_difference_and_mends_nothing() {
    let repo = repo(CASES);
    generate(&repo, &[]);
    repo.file("cases/sum/data/secret/plain.ans", "31\n")
        .file("cases/sum/data/secret/group/stray.in", "1\n")
        .file("cases/sum/data/secret/group/.hidden.in", "1\n");
    fs::remove_file(repo.path("cases/sum/data/sample/1.in")).unwrap();
    let check = generate(&repo, &["--check"]);
    assert_eq!(
        check.all(),
        "sum: 3 differences, 3 cases as generated
--- standard error
error: cases/sum/data/sample/1.in is missing
error: cases/sum/data/secret/plain.ans is not what is generated: line 1 is `31`, made was `30`
error: cases/sum/data/secret/group/stray.in is of no case in generators/generators.yaml
help: list it there (`copy:` takes it as it is), or remove it
--- exit status 1"
    );
    assert!(!repo.path("cases/sum/data/sample/1.in").exists());
    let made = generate(&repo, &[]);
    assert_eq!(
        made.all(),
        "sum: 2 cases made, 3 unchanged
--- standard error
warning: cases/sum/data/secret/group/stray.in is of no case in generators/generators.yaml
help: list it there (`copy:` takes it as it is), or remove it
--- exit status 0"
    );
    assert_eq!(repo.read("cases/sum/data/secret/group/stray.in"), "1\n");
    assert_eq!(repo.read("cases/sum/data/secret/plain.ans"), "30\n");
}

#[test]
fn tells_why_a_case_cannot_be_made_and_makes_the_others() {
    let repo = repo(
        "  secret:
    data:
      bad: numbers.rs fail now
      empty: numbers.rs nothing
      good: numbers.rs 1
      letters: numbers.rs 1 x
      wrong: broken.rs
",
    );
    repo.file("cases/sum/generators/broken.rs", "fn main() { nonsense }\n");
    let made = generate(&repo, &[]);
    let expected = "sum: 1 case made, 0 unchanged, 4 failed
--- standard error
error: cannot make `sum/secret/bad`
  caused by: the generator `numbers.rs fail now` failed: exit code 3
  cannot count to \\x1b2
error: cannot make `sum/secret/empty`
  caused by: the generator `numbers.rs nothing` printed nothing
error: cannot make `sum/secret/letters`
  caused by: the input validator `digits.rs` rejects the input: exit code 43, not 42
  not a number
error: cannot make `sum/secret/wrong`
  caused by: `broken.rs` does not compile: the compiler ended with exit code 1
";
    let all = made.all();
    assert!(all.starts_with(expected), "{all}");
    assert!(all.contains("cannot find value `nonsense`"), "{all}");
    assert!(all.ends_with("--- exit status 2"), "{all}");
    assert_eq!(repo.read("cases/sum/data/secret/good.ans"), "1\n");
    assert!(!repo.path("cases/sum/data/secret/letters.in").exists());
}

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
    assert_eq!(
        made.all(),
        "sum: 2 cases made, 0 unchanged\n--- exit status 0"
    );
    assert!(!repo.path("cases/sum/data/secret/deep").exists());
    let list = repo.read("cases/sum/generators/large.toml");
    let input = format!("{} 1\n", "0".repeat(5_000_000));
    let (sum, answer) = (blake3::hash(input.as_bytes()), blake3::hash(b"1\n"));
    assert_eq!(
        list,
        format!(
            "# What `rejudge generate` must make of the cases too large for this repository.\n\n\
             [\"secret/deep/wide\"]\nin_blake3 = \"{sum}\"\nans_blake3 = \"{answer}\"\n\
             in_bytes = 5000003\nans_bytes = 2\n"
        )
    );
    assert_eq!(repo.read(&format!("cache/cases/{sum}.in")), input);
    assert_eq!(repo.read(&format!("cache/cases/{answer}.ans")), "1\n");
    let again = run(&["generate"]);
    assert_eq!(
        again.all(),
        "sum: 0 cases made, 2 unchanged\n--- exit status 0"
    );
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
error: cases/sum/generators/large.toml: `secret/deep/wide`: `ans_blake3` is not that of what is \
         generated
--- exit status 1"
    );
    fs::remove_file(repo.path("cases/sum/generators/large.toml")).unwrap();
    let check = run(&["generate", "--check"]);
    assert_eq!(
        check.all(),
        "sum: 1 difference, 1 case as generated
--- standard error
error: cases/sum/generators/large.toml lacks `secret/deep/wide`, which has # MiB
--- exit status 1"
    );
    run(&["generate"]);
    assert_eq!(repo.read("cases/sum/generators/large.toml"), list);
}

#[test]
fn a_case_that_is_no_longer_large_comes_back_and_one_that_is_gone_leaves_the_list() {
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
error: cases/sum/generators/large.toml lists `secret/a`, which is not over 4 MiB
error: cases/sum/data/secret/a.in is missing
error: cases/sum/data/secret/a.ans is missing
error: cases/sum/generators/large.toml: `secret/b` is no case in generators/generators.yaml
--- exit status 1"
    );
    let made = run(&["generate"]);
    assert_eq!(
        made.all(),
        "sum: 1 case made, 0 unchanged\n--- exit status 0"
    );
    assert_eq!(repo.read("cases/sum/data/secret/a.in"), "00000 1\n");
    assert!(!repo.path("cases/sum/generators/large.toml").exists());
}

#[test]
fn selects_by_problem_and_by_glob() {
    let repo = repo(CASES);
    repo.file("cases/bare/problem.yaml", "name: Bare\n");
    let one = generate(&repo, &["--case", "pl*"]);
    assert_eq!(
        one.all(),
        "sum: 1 case made, 0 unchanged\n--- exit status 0"
    );
    assert!(!repo.path("cases/sum/data/sample").exists());
    let table = [
        (
            &["--case", "zzz"][..],
            "--- standard error\nwarning: no case matches `--case zzz`\n--- exit status 4",
        ),
        (
            &["sun"],
            "--- standard error\nerror: there is no problem `sun`\nhelp: did you mean `sum`?\n\
             --- exit status 2",
        ),
        (
            &["bare"],
            "--- standard error\nerror: `cases/bare` has no generators/generators.yaml\n\
             help: write how its cases are made; the GUIDE shows how\n--- exit status 2",
        ),
    ];
    for (args, expected) in table {
        assert_eq!(generate(&repo, args).all(), expected);
    }
    let empty = Repo::new();
    assert_eq!(
        generate(&empty, &[]).all(),
        "--- standard error\nerror: no problem here has a generators/generators.yaml\n\
         help: name a problem's folder, or write one\n--- exit status 2"
    );
}

#[test]
fn a_broken_plan_is_named_with_its_line_and_nothing_is_made() {
    let repo = repo("  secret:\n    data:\n      a: numbers.rs 1\n      b: {copy: by-hand/two}\n");
    let made = generate(&repo, &[]);
    assert_eq!(
        made.all(),
        "--- standard error\nerror: cases/sum/generators/generators.yaml:6:17: \
         cases/sum/generators/by-hand/two.in is not there\n--- exit status 2"
    );
    assert!(!repo.path("cases/sum/data").exists());
}

#[test]
fn two_at_once_leave_whole_files() {
    let repo = repo(CASES);
    let mut running: Vec<_> = (0..3)
        .map(|_| {
            let mut command: Command = repo.command(&["generate"]);
            command.stdout(std::process::Stdio::null()).spawn().unwrap()
        })
        .collect();
    for child in &mut running {
        assert!(child.wait().unwrap().success());
    }
    let check = generate(&repo, &["--check"]);
    assert_eq!(check.all(), "sum: 5 cases as generated\n--- exit status 0");
}

#[test]
fn run_makes_the_cases_that_the_cache_lacks_and_trusts_only_their_sums() {
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
    repo.file(
        "cases/sum/generators/numbers.rs",
        GENERATOR.replace("{} 1", "{} 2"),
    );
    let judged = run(&["run"]);
    assert_eq!(
        judged.all(),
        "--- standard error
error: `sum` cannot be judged
  caused by: `secret/wide`: the generators no longer make what generators/large.toml promises
help: see `rejudge generate --check`; `rejudge generate` takes the new case
--- exit status 2"
    );
}

#[cfg(unix)]
#[test]
fn a_signal_ends_it_and_leaves_whole_files_and_a_list_that_fits() {
    let repo = repo(
        "  secret:
    data:
      before: numbers.rs zeros 5000000
      plain: numbers.rs 1
      never: numbers.rs sleep
",
    );
    let cache = repo.path("cache");
    let mut command = repo.command(&["generate"]);
    command.env("REJUDGE_CACHE_DIR", &cache);
    let mut child = command.stderr(std::process::Stdio::null()).spawn().unwrap();
    while !repo.path("cases/sum/data/secret/plain.ans").exists() {
        assert!(
            child.try_wait().unwrap().is_none(),
            "it ended before it was told to"
        );
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    let pid = child.id().to_string();
    assert!(
        Command::new("kill")
            .args(["-TERM", &pid])
            .status()
            .unwrap()
            .success()
    );
    assert_eq!(child.wait().unwrap().code(), Some(143));
    assert!(
        repo.read("cases/sum/generators/large.toml")
            .contains("[\"secret/before\"]")
    );
    let files = fs::read_dir(repo.path("cases/sum/data/secret")).unwrap();
    let mut names: Vec<_> = files.map(|file| file.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["plain.ans", "plain.in"]);
}
