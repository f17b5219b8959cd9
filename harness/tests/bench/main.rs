//! `rejudge bench`: measuring, comparing, saving; and everything that keeps it from an answer.
//!
//! No outcome here hangs on a time that a busy machine may change: programs that are compared by time differ by a factor
//! of ten, and are ten times longer than the shortest that is timed; or it is memory or instructions that are compared.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

use std::process::Command;

use serde_json::Value;

#[path = "support/mod.rs"]
mod support;

use support::{Ran, Repo, skip};

/// A program that goes so many times round a loop for each unit of its input, and prints `ok`.
fn program(rounds: u32) -> String {
    format!(
        "fn main() {{\n    let text = std::io::read_to_string(std::io::stdin()).unwrap();\n    \
         let n: u64 = text.trim().parse().unwrap();\n    let mut x = 1u64;\n    \
         for i in 0..n * {rounds} {{\n        \
         x = std::hint::black_box(x.wrapping_mul(6364136223846793005).wrapping_add(i));\n    }}\n    \
         println!(\"{{}}\", if x == 0 {{ \"no\" }} else {{ \"ok\" }});\n}}\n"
    )
}

const SOLUTION: &str = "solutions/work/work.rs";

/// A solution that takes some 150 ms on the long case, another in a tenth of that, and one in a fortieth, for counting.
const LONG: u32 = 120_000;
const TENTH: u32 = LONG / 10;
const COUNTED: u32 = 3000;

/// So many that chance alone seldom finds a difference where there is none: all must agree.
const PAIRS: &str = "9";

/// A repository with a problem of a short case and a long one, and a solution.
fn repo() -> Repo {
    let repo = Repo::new();
    let cases = [
        ("sample/short", "1\n", "ok\n"),
        ("secret/long", "1000\n", "ok\n"),
    ];
    repo.problem("work", "name: Work\nlimits:\n  time_limit: 60\n", &cases);
    repo.file(SOLUTION, program(LONG));
    repo
}

fn git(repo: &Repo, args: &[&str]) {
    let author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    let output = Command::new("git")
        .current_dir(repo.path(""))
        .args(author)
        .args(args)
        .output()
        .unwrap();
    assert!(output.status.success(), "{args:?}: {output:?}");
}

/// The same under git, with everything committed; its solution goes so many times round.
fn committed(rounds: u32) -> Repo {
    let repo = repo();
    repo.file(SOLUTION, program(rounds));
    git(&repo, &["init", "-q", "-b", "main"]);
    git(&repo, &["add", "."]);
    git(&repo, &["commit", "-q", "-m", "first"]);
    repo
}

fn has_valgrind() -> bool {
    let found = Command::new("valgrind").arg("--version").output().is_ok();
    if !found {
        skip("there is no valgrind");
    }
    found
}

/// The lines of a report for machines.
fn lines(ran: &Ran) -> Vec<Value> {
    let lines = ran.stdout.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn of_type<'a>(lines: &'a [Value], kind: &'a str) -> impl Iterator<Item = &'a Value> {
    lines.iter().filter(move |line| line["type"] == kind)
}

#[test]
fn measures_the_slowest_case_of_each_group_and_says_what_is_too_short() {
    let repo = repo();
    let measure = || {
        let ran = repo.run(&["bench", "--runs", "6", "--json", "-"]);
        assert_eq!(ran.status, 0, "{}", ran.all());
        lines(&ran)
    };
    // A disturbance may make even the short case long; not every time.
    let lines = (0..5)
        .map(|_| measure())
        .find(|lines| of_type(lines, "left_out").count() > 0)
        .expect("no case was ever too short");
    assert!(lines[0]["sandbox"]["cpu_clock"].is_string(), "{}", lines[0]);
    assert!(
        lines[0]["machine"]["noise"]["processors"].is_u64(),
        "{}",
        lines[0]
    );
    let measured: Vec<&Value> = of_type(&lines, "measured").collect();
    assert_eq!(measured.len(), 1);
    assert_eq!(measured[0]["case"], "secret/long");
    for figure in ["cpu_s", "wall_s", "memory_bytes"] {
        let samples = measured[0][figure]["samples"].as_array().unwrap();
        assert_eq!(samples.len(), 6);
        assert!(measured[0][figure]["median"].as_f64().unwrap() > 0.0);
    }
    let left_out: Vec<&Value> = of_type(&lines, "left_out").collect();
    assert_eq!(left_out.len(), 1);
    assert_eq!(left_out[0]["kind"], "too_short");
    assert_eq!(left_out[0]["case"], "sample/short");
}

#[test]
fn a_table_for_people_has_a_bar() {
    let ran = repo().run(&["bench", "--runs", "6", "--case", "secret/long"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(
        ran.stdout
            .starts_with(&format!("{SOLUTION}  6 runs each\n  secret/long"))
    );
    assert!(ran.stdout.contains('█'), "{}", ran.stdout);
}

#[test]
fn a_solution_that_fails_its_cases_is_reported_and_not_measured() {
    let repo = repo();
    repo.file(
        "solutions/work/wrong.rs",
        "fn main() { println!(\"no\"); }\n",
    )
    .file("solutions/work/broken.rs", "fn main() {\n")
    .file(
        "solutions/work/wrong_answer/known.rs",
        "fn main() { println!(\"no\"); }\n",
    );
    let ran = repo.run(&["bench", "--runs", "2"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    let failed = "FAIL  solutions/work/wrong.rs sample/short: wrong answer: token 1: expected `ok`, got `no`, so it is \
                  not measured\n";
    assert!(ran.stdout.contains(failed), "{}", ran.stdout);
    assert!(
        ran.stdout
            .contains("FAIL  solutions/work/broken.rs: compile error: "),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("known.rs"), "{}", ran.stdout);
    // Named by its path, even one that must fail is looked at.
    let ran = repo.run(&["bench", "solutions/work/wrong_answer/known.rs"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
}

#[test]
fn ten_times_as_slow_is_a_regression() {
    let repo = repo();
    repo.file("fast.rs", program(TENTH));
    let slower = repo.run(&[
        "bench",
        SOLUTION,
        "--against",
        "fast.rs",
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

/// A program that fills so many MiB, and prints `ok`.
fn fills(mebibytes: usize) -> String {
    format!(
        "fn main() {{ let all = std::hint::black_box(vec![1u8; {mebibytes} << 20]); \
         println!(\"{{}}\", if all[0] == 0 {{ \"no\" }} else {{ \"ok\" }}); }}\n"
    )
}

#[test]
fn more_memory_is_a_regression_and_less_is_none() {
    let repo = repo();
    for (new, base, status, decision) in [
        (64, 32, 1, "regression"),
        (32, 64, 0, "improvement"),
        (64, 64, 0, "pass"),
    ] {
        repo.file(SOLUTION, fills(new))
            .file("base.rs", fills(base) + "// another\n");
        let args = "--memory --case secret/long --against path:base.rs --json - --pairs";
        let args: Vec<&str> = args.split(' ').collect();
        let ran = repo.run(&[&["bench", SOLUTION], &args[..], &[PAIRS]].concat());
        assert_eq!(ran.status, status, "{}", ran.all());
        let found = lines(&ran);
        let compared = of_type(&found, "compared").next().unwrap();
        assert_eq!(compared["decision"], decision);
        let answer = &of_type(&found, "summary").next().unwrap()["answer"];
        assert_eq!(*answer, if status == 0 { "pass" } else { decision });
    }
}

#[test]
fn too_few_pairs_are_inconclusive_and_so_few_that_nothing_can_be_seen_are_refused() {
    let repo = repo();
    repo.file("same.rs", program(LONG) + "// the same\n");
    // Of two tests at 95 %, seven pairs are the least.
    let ran = repo.run(&["bench", SOLUTION, "--against", "same.rs", "--pairs", "6"]);
    assert_eq!(ran.status, 3, "{}", ran.all());
    assert!(
        ran.stdout
            .contains("6 pairs are too few: it takes 7 to show anything"),
        "{}",
        ran.stdout
    );
    let ran = repo.run(&["bench", SOLUTION, "--against", "same.rs", "--pairs", "2"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
}

#[test]
fn an_override_sets_the_threshold_of_a_case() {
    let repo = repo();
    repo.file("fast.rs", program(TENTH)).file(
        "rejudge.toml",
        "[bench]\npairs = 9\ncases = [\"work/secret/*\"]\n[bench.overrides.\"work/secret/long\"]\nthreshold = 5000\n",
    );
    let ran = repo.run(&["bench", SOLUTION, "--against", "fast.rs"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(
        ran.stdout.contains("  same    secret/long"),
        "{}",
        ran.stdout
    );
    assert!(!ran.stdout.contains("sample"), "{}", ran.stdout);
}

#[test]
fn instructions_tell_half_a_per_cent() {
    if !has_valgrind() {
        return;
    }
    let repo = committed(COUNTED);
    let args = ["bench", "--against", "HEAD", "--counter", "instructions"];
    let ran = repo.run(&args);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(
        ran.stdout.contains("0 cases; 1 solution unchanged"),
        "{}",
        ran.stdout
    );
    repo.file(SOLUTION, program(COUNTED * 1005 / 1000));
    let ran = repo.run(&args);
    assert_eq!(ran.status, 1, "{}", ran.all());
    assert!(
        ran.stdout.contains("  more    secret/long"),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("measured with callgrind, valgrind-")
            || ran.stdout.contains("hardware")
    );
    git(&repo, &["commit", "-q", "-a", "-m", "second"]);
    repo.file(SOLUTION, program(COUNTED * 1005 / 1000 + 1));
    let ran = repo.run(&args);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(
        ran.stdout.contains("  same    secret/long"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_revision_is_read_without_touching_the_work_tree() {
    let repo = committed(TENTH);
    git(&repo, &["mv", SOLUTION, "solutions/work/renamed.rs"]);
    repo.file(
        "solutions/work/renamed.rs",
        program(LONG).replace("let mut x", "let mut  x"),
    )
    .file("solutions/work/new.rs", program(LONG));
    let ran = repo.run(&["bench", "--against", "main...", "--pairs", PAIRS]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    let text = &ran.stdout;
    assert!(
        text.contains("solutions/work/renamed.rs\n  slower  secret/long"),
        "{text}"
    );
    assert!(
        text.contains("no base  solutions/work/new.rs: `main...` does not contain it"),
        "{text}"
    );
    let status = Command::new("git")
        .current_dir(repo.path(""))
        .args(["status", "--porcelain"])
        .output();
    let status = String::from_utf8(status.unwrap().stdout).unwrap();
    assert_eq!(
        status,
        "RM solutions/work/work.rs -> solutions/work/renamed.rs\n?? solutions/work/new.rs\n"
    );
}

#[test]
fn what_there_is_nothing_to_compare_with_ends_with_four() {
    let repo = committed(LONG);
    repo.file("solutions/work/new.rs", program(LONG))
        .file("empty/x", "");
    let table: [(&[&str], &str); 8] = [
        (
            &["--against", "nope"],
            "error: there is no revision `nope`\nhelp: ",
        ),
        (
            &["--against", "git:--all"],
            "error: there is no revision `--all`\n",
        ),
        (&["--against", "path:nope"], "error: there is no `nope`\n"),
        (
            &["--against", "baseline:nope"],
            "error: there is no baseline `nope` (benches/baselines/nope.json)\nhelp: ",
        ),
        (&["solutions/work/new.rs", "--against", "HEAD"], ""),
        (&["--against", "empty"], ""),
        (
            &["--against", "HEAD...nope"],
            "error: there is no revision `nope`\n",
        ),
        (
            &["--against", "HEAD", "--case", "x*"],
            "warning: no case matches `--case x*`\n",
        ),
    ];
    for (args, error) in table {
        let ran = repo.run(&[&["bench"], args].concat());
        assert_eq!(ran.status, 4, "{args:?}: {}", ran.all());
        assert!(ran.stderr.starts_with(error), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn bad_usage_ends_with_two() {
    let repo = committed(LONG);
    repo.file("main", "")
        .file("other.rs", program(1))
        .file("solutions/work/b.rs", program(2));
    let table: [(&[&str], &str); 6] = [
        (&["--against", "main"], "`main` is a path and a revision"),
        (
            &["--against", "other.rs"],
            "is one file, and 2 solutions are selected",
        ),
        (
            &["--against", "HEAD", "--level", "1.5"],
            "the level must be",
        ),
        (&["--against", "HEAD", "--threshold", "-1"], "--threshold"),
        (&["--save", "../x"], "`../x` is no name for a baseline"),
        (&["--runs", "0"], "--runs"),
    ];
    for (args, error) in table {
        let ran = repo.run(&[&["bench"], args].concat());
        assert_eq!(ran.status, 2, "{args:?}: {}", ran.all());
        assert!(ran.stderr.contains(error), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn a_base_that_does_not_compile_or_fails_is_no_base() {
    let repo = repo();
    for (text, why) in [
        ("fn main() {\n", "the base: it does not compile: "),
        (
            "fn main() { println!(\"no\"); }\n",
            "the base: wrong answer",
        ),
    ] {
        repo.file("base.rs", text);
        let ran = repo.run(&["bench", SOLUTION, "--against", "base.rs", "--pairs", PAIRS]);
        assert_eq!(ran.status, 4, "{}", ran.all());
        assert!(ran.stdout.contains(why), "{}", ran.stdout);
    }
}

#[test]
fn outside_of_git_and_in_a_shallow_clone_the_error_says_so() {
    let plain = repo();
    let ran = plain.run(&["bench", "--against", "HEAD"]);
    assert_eq!(ran.status, 4, "{}", ran.all());
    assert!(
        ran.stderr
            .contains("`HEAD` is neither a path nor a revision"),
        "{}",
        ran.stderr
    );
    let origin = committed(LONG);
    origin.file(SOLUTION, program(20_000));
    git(&origin, &["commit", "-q", "-a", "-m", "second"]);
    let clone = Repo::new();
    let from = format!("file://{}", origin.path("").display());
    git(&clone, &["clone", "-q", "--depth", "1", &from, "."]);
    let ran = clone.run(&["bench", "--against", "HEAD~1"]);
    assert_eq!(ran.status, 4, "{}", ran.all());
    assert!(
        ran.stderr.contains("this clone is shallow"),
        "{}",
        ran.stderr
    );
}

#[test]
fn a_baseline_is_saved_compared_and_refused_where_it_does_not_hold() {
    if !has_valgrind() {
        return;
    }
    let repo = repo();
    repo.file(SOLUTION, program(COUNTED));
    let save = ["bench", "--save", "x", "--runs", "2", "-q"];
    let saved = repo.run(&save);
    assert_eq!(
        (saved.status, saved.stderr.as_str()),
        (0, "benches/baselines/x.json: new\n"),
        "{}",
        saved.all()
    );
    let file = "benches/baselines/x.json";
    let text = repo.read(file);
    assert!(
        text.starts_with("{\n  \"schema\": 1,\n  \"key\": {\"arch\":"),
        "{text}"
    );
    let compare = [
        "bench",
        "--against",
        "baseline:x",
        "--counter",
        "instructions",
    ];
    assert_eq!(repo.run(&compare).status, 0);
    repo.file(SOLUTION, program(COUNTED * 11 / 10));
    let slower = repo.run(&compare);
    assert_eq!(slower.status, 1, "{}", slower.all());
    let saved = repo.run(&save);
    assert!(
        saved.stderr.contains("work.rs secret/long: "),
        "{}",
        saved.stderr
    );
    assert!(saved.stderr.contains("instructions (+"), "{}", saved.stderr);
    let text = repo.read(file);
    let foreign = [
        (
            text.replace("\"arch\":\"", "\"arch\":\"un"),
            4,
            "the architecture: `un",
        ),
        (
            text.replace("rustc 1", "rustc 0"),
            4,
            "the compiler of `rust`: `rustc 0",
        ),
        (
            text.replace("\"schema\": 1", "\"schema\": 9"),
            2,
            "its schema is 9, not 1",
        ),
        (text[..text.len() / 2].to_owned(), 2, "is no baseline"),
    ];
    for (text, status, why) in foreign {
        repo.file(file, text);
        let ran = repo.run(&compare);
        assert_eq!(ran.status, status, "{}", ran.all());
        assert!(ran.stderr.contains(why), "{why}: {}", ran.stderr);
    }
    repo.file(file, text.replace("\"kernel\":\"", "\"kernel\":\"un"));
    let ran = repo.run(&["bench", "--against", "baseline:x"]);
    assert_eq!(ran.status, 4, "{}", ran.all());
    assert!(ran.stderr.contains("the machine: "), "{}", ran.stderr);
}

#[test]
fn a_summary_is_appended_for_the_page_of_a_job() {
    let repo = repo();
    repo.file("fast.rs", program(TENTH))
        .file("summary.md", "before\n");
    let args = [
        "bench",
        SOLUTION,
        "--against",
        "fast.rs",
        "--pairs",
        PAIRS,
        "-q",
    ];
    let mut command = repo.command(&args);
    command.env("GITHUB_STEP_SUMMARY", repo.path("summary.md"));
    assert_eq!(repo.finish(&mut command).status, 1);
    let text = repo.read("summary.md");
    assert!(
        text.starts_with("before\n### rejudge bench: ❌ regression\n"),
        "{text}"
    );
    assert!(
        text.contains("| slower | solutions/work/work.rs | secret/long |"),
        "{text}"
    );
}

/// Stores what criterion would, of one benchmark.
fn criterion(repo: &Repo, saved_as: &str, nanoseconds: f64) {
    let folder = format!("target/criterion/group/f/{saved_as}");
    let times: Vec<f64> = (0..40)
        .map(|i| nanoseconds + f64::from(i * 7 % 10))
        .collect();
    let sample =
        serde_json::json!({"sampling_mode": "Flat", "iters": vec![1.0; 40], "times": times});
    repo.file(
        &format!("{folder}/benchmark.json"),
        r#"{"group_id":"group","function_id":"f","value_str":null,"full_id":"group/f"}"#,
    )
    .file(&format!("{folder}/sample.json"), sample.to_string());
}

#[test]
fn what_criterion_stored_is_decided_with_a_caution() {
    let repo = repo();
    let gate = |args: &[&str]| {
        let mut command = repo.command(&[&["bench", "--gate", "criterion"], args].concat());
        command
            .env_remove("CRITERION_HOME")
            .env_remove("CARGO_TARGET_DIR");
        repo.finish(&mut command)
    };
    let nothing = gate(&[]);
    assert_eq!(nothing.status, 4, "{}", nothing.all());
    assert!(
        nothing.stderr.contains("target/criterion has no benchmark"),
        "{}",
        nothing.stderr
    );
    criterion(&repo, "main", 1e8);
    criterion(&repo, "new", 1.1e8);
    let slower = gate(&["--against", "main"]);
    assert_eq!(slower.status, 1, "{}", slower.all());
    assert!(
        slower.stdout.starts_with("group\n  slower  f "),
        "{}",
        slower.stdout
    );
    assert!(
        slower.stdout.contains("caution: this is advice: "),
        "{}",
        slower.stdout
    );
    criterion(&repo, "new", 1e8);
    assert_eq!(gate(&["--against", "main"]).status, 0);
    assert_eq!(gate(&["--against", "other"]).status, 4);
    repo.file(
        "target/criterion/group/f/new/sample.json",
        r#"{"iters":[1.0],"times":[0.0]}"#,
    );
    let zero = gate(&["--against", "main"]);
    assert_eq!(zero.status, 3, "{}", zero.all());
    assert!(
        zero.stdout
            .contains("measured 0, which no ratio can be taken of"),
        "{}",
        zero.stdout
    );
    repo.file("target/criterion/group/f/new/sample.json", "nonsense");
    assert_eq!(gate(&["--against", "main"]).status, 2);
}
