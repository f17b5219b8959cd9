//! Comparisons with a file, and the causes of inconclusive comparisons.

use serde_json::Value;

use crate::bench::{LONG, PAIRS, SOLUTION, TENTH, committed, lines, of_type, program, repo};
use crate::support::Repo;

#[test]
fn ten_times_as_slow_is_a_regression() {
    let repo = repo();
    repo.file("fast.rs", program(TENTH));
    let slower = repo.run(&[
        "bench",
        SOLUTION,
        "--against",
        "fast.rs",
        "--case",
        "secret/long",
        "--pairs",
        PAIRS,
        "--json",
        "-",
    ]);
    assert_eq!(slower.status, 1, "{}", slower.all());
    let found = lines(&slower);
    let compared: Vec<&Value> = of_type(&found, "compared").collect();
    assert_eq!(compared[0]["decision"], "regression");
    assert_eq!(compared[0]["case"], "secret/long");
    for pass in ["first", "again"] {
        let change = compared[0][pass]["change"].as_f64().unwrap();
        assert!(change > 1.0, "{change}");
        let samples = compared[0][pass]["new_samples"].as_array().unwrap();
        assert_eq!(samples.len().to_string(), PAIRS);
    }
}

/// A repository with two cases in one group. `first.rs` takes longer on the first case, `second.rs` ten times as long on the
/// second.
fn rivals() -> Repo {
    let repo = Repo::new();
    let cases = [("secret/1", "1\n", "ok\n"), ("secret/2", "1000\n", "ok\n")];
    repo.problem("busy", "name: Busy\nlimits:\n  time_limit: 60\n", &cases);
    let first = program(TENTH).replace("0..n *", "0..(2000 - n) *");
    repo.file("solutions/busy/first.rs", first).file("solutions/busy/second.rs", program(LONG));
    repo
}

const FIRST: &str = "solutions/busy/first.rs";
const SECOND: &str = "solutions/busy/second.rs";

#[test]
fn a_comparison_measures_the_slowest_case_of_either_side() {
    let repo = rivals();
    let compare = |one, base| repo.run(&["bench", one, "--against", base, "--pairs", PAIRS]);
    let better = compare(FIRST, SECOND);
    assert_eq!(better.status, 0, "{}", better.all());
    let table = format!("{FIRST}\n  better  secret/2 ");
    assert!(better.stdout.starts_with(&table), "{}", better.all());
    let last = better.stdout.lines().last().unwrap();
    assert!(last.starts_with(&format!("{FIRST} ran ")), "{}", better.all());
    assert!(last.contains(" ± ") && last.contains(" times faster than "), "{last}");
    assert!(last.ends_with(" on secret/2"), "{last}");
    let bars = better.stdout.lines().rev().skip(1).take(2).collect::<Vec<_>>();
    assert!(bars[0].starts_with(&format!("  {FIRST}")), "{}", better.all());
    assert!(bars[1].contains("second.rs") && bars[1].ends_with(&"█".repeat(12)), "{bars:?}");
    let slower = compare(SECOND, FIRST);
    assert_eq!(slower.status, 1, "{}", slower.all());
    let last = slower.stdout.lines().last().unwrap();
    let ending = format!(" times faster than {SECOND} on secret/2");
    assert!(last.contains("first.rs") && last.ends_with(&ending), "{last}");
}

#[test]
fn solutions_that_are_named_together_are_measured_on_one_case() {
    let repo = rivals();
    let measure = |paths: &[&str]| {
        let ran = repo.run(&[&["bench", "--runs", "10"], paths].concat());
        assert_eq!(ran.status, 0, "{}", ran.all());
        ran.stdout
    };
    let both = measure(&[FIRST, SECOND]);
    assert_eq!(both.matches("  secret/2").count(), 2, "{both}");
    let last = both.lines().last().unwrap();
    assert!(last.starts_with(&format!("{FIRST} ran ")), "{both}");
    assert!(last.ends_with(&format!(" times faster than {SECOND} on secret/2")), "{both}");
    let alone = measure(&[FIRST]);
    // Where even the start of a program takes long, the case is too short to be measured.
    assert!(alone.contains("secret/1") && !alone.contains("secret/2"), "{alone}");
    assert!(!alone.contains(" ran "), "{alone}");
}

/// A program that writes to `mebibytes` MiB of memory and prints `ok`.
fn fills(mebibytes: usize) -> String {
    format!(
        "fn main() {{ let all = std::hint::black_box(vec![1u8; {mebibytes} << 20]); \
         println!(\"{{}}\", if all[0] == 0 {{ \"no\" }} else {{ \"ok\" }}); }}\n"
    )
}

#[test]
fn more_memory_is_a_regression_and_less_memory_is_an_improvement() {
    let repo = repo();
    for (new, base, status, decision) in
        [(64, 32, 1, "regression"), (32, 64, 0, "improvement"), (64, 64, 0, "pass")]
    {
        repo.file(SOLUTION, fills(new)).file("base.rs", fills(base) + "// another\n");
        let args = "--memory --case secret/long --against path:base.rs --json - --pairs";
        let args: Vec<&str> = args.split(' ').collect();
        let ran = repo.run(&[&["bench", SOLUTION], &args[..], &["8"]].concat());
        assert_eq!(ran.status, status, "{}", ran.all());
        let found = lines(&ran);
        let compared = of_type(&found, "compared").next().unwrap();
        assert_eq!(compared["decision"], decision);
        let answer = &of_type(&found, "summary").next().unwrap()["answer"];
        assert_eq!(*answer, if status == 0 { "pass" } else { decision });
    }
}

#[test]
fn too_few_pairs_are_inconclusive_and_a_useless_number_of_pairs_is_refused() {
    let repo = repo();
    repo.file("same.rs", program(LONG) + "// the same\n");
    // Two tests at 95 % need at least seven pairs.
    let args: Vec<&str> = "--against same.rs --case secret/long --pairs".split(' ').collect();
    let ran = repo.run(&[&["bench", SOLUTION], &args[..], &["6"]].concat());
    assert_eq!(ran.status, 3, "{}", ran.all());
    assert!(ran.stdout.contains("6 pairs are too few: at least 7 are needed"), "{}", ran.stdout);
    let ran = repo.run(&["bench", SOLUTION, "--against", "same.rs", "--pairs", "2"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
}

#[test]
fn an_override_sets_the_threshold_for_a_case() {
    let repo = repo();
    repo.file("fast.rs", program(TENTH)).file(
        "rejudge.toml",
        "[bench]\npairs = 9\ncases = [\"busy/secret/*\"]\n[bench.overrides.\"busy/secret/long\"]\nthreshold = 5000\n",
    );
    let ran = repo.run(&["bench", SOLUTION, "--against", "fast.rs"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stdout.contains("  same    secret/long"), "{}", ran.stdout);
    assert!(!ran.stdout.contains("sample"), "{}", ran.stdout);
}

#[test]
fn a_base_that_does_not_compile_or_fails_is_reported_as_missing() {
    let repo = repo();
    for (text, why) in [
        ("fn main() {\n", "the base: it does not compile: "),
        ("fn main() { println!(\"no\"); }\n", "the base: wrong answer"),
    ] {
        repo.file("base.rs", text);
        let ran = repo.run(&["bench", SOLUTION, "--against", "base.rs", "--pairs", PAIRS]);
        assert_eq!(ran.status, 4, "{}", ran.all());
        assert!(ran.stdout.contains(why), "{}", ran.stdout);
    }
}

#[test]
fn wrong_usage_exits_with_2() {
    let repo = committed(LONG);
    repo.file("main", "").file("other.rs", program(1)).file("solutions/busy/b.rs", program(2));
    let table: [(&[&str], &str); 13] = [
        (&["--against", ""], "the name of the base is empty"),
        (&["--against", "git:"], "the name of the base is empty"),
        (&["--against", "path:"], "the name of the base is empty"),
        (&["--against", "HEAD", "--pairs", "0"], "--pairs"),
        (&["--against", "HEAD", "--threshold", "NaN"], "--threshold"),
        (&["--against", "HEAD", "--level", "NaN"], "the level must be"),
        (&["--json", "absent/report.json"], "there is no folder `absent`"),
        (&["--against", "main"], "`main` is both a path and a revision"),
        (&["--against", "other.rs"], "cannot compare 2 solutions with the single file"),
        (&["--against", "HEAD", "--level", "1.5"], "the level must be"),
        (&["--against", "HEAD", "--threshold", "-1"], "--threshold"),
        (&["--save", "../x"], "invalid baseline name `../x`"),
        (&["--runs", "0"], "--runs"),
    ];
    for (args, error) in table {
        let ran = repo.run(&[&["bench"], args].concat());
        assert_eq!(ran.status, 2, "{args:?}: {}", ran.all());
        assert!(ran.stderr.contains(error), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn a_broken_problem_exits_with_2_even_if_the_comparison_passes() {
    let repo = repo();
    repo.file("base.rs", fills(32))
        .file(SOLUTION, fills(32) + "// another\n")
        .file("cases/broken/problem.yaml", "name: [\n")
        .file("cases/broken/data/sample/1.in", "");
    let args = "bench --memory --case secret/long --pairs 9 --against path:base.rs";
    let ran = repo.run(&args.split(' ').collect::<Vec<_>>());
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(ran.stdout.contains("\npass: "), "{}", ran.all());
}
