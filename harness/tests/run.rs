//! `rejudge run` as people and machines see it: every verdict has a specimen here.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on must fail")]

mod support;

use std::io::{BufRead as _, BufReader, Read as _};
use std::process::{Command, Stdio};

use insta::assert_snapshot;
use support::Repo;

const SUM: &str = r#"
use std::io::Read;
fn main() {
    let mut text = String::new();
    std::io::stdin().read_to_string(&mut text).unwrap();
    let sum: i64 = text.split_whitespace().map(|word| word.parse::<i64>().unwrap()).sum();
    println!("{sum}");
}
"#;

/// A program in Rust that does this instead of its work.
fn does(what: &str) -> String {
    format!("fn main() {{ {what} }}\n")
}

/// The verdict that `rejudge` gives a source, and its exit status.
fn verdict_of(source: &str, extra: &[&str]) -> (String, i32) {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", source);
    let mut args = vec!["run", "--json", "-", "--case", "sample/1"];
    args.extend(extra);
    let ran = repo.run(&args);
    let verdict = ran
        .stdout
        .lines()
        .find(|line| line.starts_with(r#"{"type":"submission""#));
    let json: serde_json::Value = serde_json::from_str(verdict.unwrap()).unwrap();
    (json["verdict"].as_str().unwrap().to_owned(), ran.status)
}

#[test]
fn every_verdict_has_a_specimen() {
    let table: [(&str, String, &[&str], i32); 9] = [
        ("AC", SUM.to_owned(), &[], 0),
        ("WA", does("println!(\"4\");"), &[], 1),
        (
            "TLE",
            does("loop { std::hint::black_box(0); }"),
            &["-t", "0.2"],
            1,
        ),
        (
            "TLE",
            does("std::thread::sleep(std::time::Duration::from_secs(60));"),
            &["--wall-limit", "0.3"],
            1,
        ),
        (
            "MLE",
            does("let mut v = Vec::new(); loop { v.push(vec![1u8; 1 << 20]); }"),
            &["-m", "64"],
            1,
        ),
        (
            "OLE",
            does("loop { println!(\"{}\", \"x\".repeat(1 << 16)); }"),
            &[],
            1,
        ),
        ("RTE", does("std::process::exit(3);"), &[], 1),
        ("RTE", does("std::process::abort();"), &[], 1),
        ("CE", does("let x: u8 = \"no\";"), &[], 1),
    ];
    for (verdict, source, extra, status) in table {
        assert_eq!(
            verdict_of(&source, extra),
            (verdict.to_owned(), status),
            "{source}"
        );
    }
}

#[test]
fn a_checker_that_says_nothing_known_is_a_judge_error() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM).file(
        "cases/sum/output_validator/check.rs",
        does("eprintln!(\"oh no\");"),
    );
    assert_snapshot!(repo.run(&[]).all(), @r###"
    FAIL  solutions/sum/a.rs: got JE, expected AC (0 of 2 cases accepted, slowest # s (CASE), SIZE)
          sample/1  JE  the output validator exited with 0, not with 42 (accept) or 43 (reject)
            stderr: oh no
            rerun: rejudge run --case sample/1 solutions/sum/a.rs
          secret/big  JE  the output validator exited with 0, not with 42 (accept) or 43 (reject)
    FAIL  sum              1 of 1 solution not as expected, 2 cases

    1 solution: 0 as expected, 1 not judged (2 cases in # s)
      solutions/sum/a.rs: got JE, expected AC (sample/1)
    --- exit status 2
    "###);
}

#[test]
fn an_output_validator_accepts_and_rejects_with_its_own_words() {
    let repo = Repo::with_sum();
    let validator = r#"
use std::io::Read;
fn main() {
    let mut args = std::env::args().skip(1);
    let (_input, answer, feedback) = (args.next(), args.next().unwrap(), args.next().unwrap());
    let mut output = String::new();
    std::io::stdin().read_to_string(&mut output).unwrap();
    let answer = std::fs::read_to_string(answer).unwrap();
    if output.trim() == answer.trim() {
        std::process::exit(42);
    }
    std::fs::write(format!("{feedback}/judgemessage.txt"), "that is not the sum").unwrap();
    std::process::exit(43);
}
"#;
    repo.file("solutions/sum/a.rs", SUM)
        .file("solutions/sum/wrong_answer/b.rs", does("println!(\"4\");"))
        .file("cases/sum/output_validator/check.rs", validator);
    assert_snapshot!(repo.run(&["-v"]).all(), @r###"
    ok    solutions/sum/a.rs  AC   2/2 accepted, slowest # s (CASE), SIZE
    ok    solutions/sum/wrong_answer/b.rs  WA   0/2 accepted, slowest # s (CASE), SIZE
    ok    sum              2 solutions as expected, 2 cases  slowest AC # s of 2 s (CASE), SIZE

    2 solutions: 2 as expected (4 cases in # s)
    --- exit status 0
    "###);
    let broken = repo.run(&["--checker", "exact"]);
    assert_eq!(broken.status, 0, "{}", broken.all());
}

#[test]
fn a_green_repository_is_one_line_a_problem() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/sum.rs", SUM)
        .file(
            "solutions/sum/wrong_answer/four.rs",
            does("println!(\"4\");"),
        )
        .file(
            "solutions/sum/run_time_error/three.rs",
            does("std::process::exit(3);"),
        );
    assert_snapshot!(repo.run(&[]).all(), @r###"
    ok    sum              3 solutions as expected, 2 cases  slowest AC # s of 2 s (CASE), SIZE

    3 solutions: 3 as expected (6 cases in # s)
    --- exit status 0
    "###);
}

#[test]
fn a_wrong_answer_shows_the_difference_and_how_to_run_it_again() {
    let repo = Repo::with_sum();
    repo.file(
        "solutions/sum/sum.rs",
        SUM.replace(
            "{sum}",
            "{}\", sum % 1000 + 0 * \"\".len() as i64); let _ = format!(\"",
        ),
    );
    assert_snapshot!(repo.run(&[]).all(), @r###"
    FAIL  solutions/sum/sum.rs: got WA, expected AC (1 of 2 cases accepted, slowest # s (CASE), SIZE)
          secret/big  WA  token 1: expected `1000000000001`, got `1`
            line 1, column 1 of the output (- expected, + got)
              - 1 | 1000000000001
                  | ^^^^^^^^^^^^^
              + 1 | 1
                  | ^
            rerun: rejudge run --case secret/big solutions/sum/sum.rs
    FAIL  sum              1 of 1 solution not as expected, 2 cases

    1 solution: 0 as expected, 1 not as expected (2 cases in # s)
      solutions/sum/sum.rs: got WA, expected AC (secret/big)
    --- exit status 1
    "###);
}

#[test]
fn a_compile_error_shows_the_compilers_words_with_the_sources_path() {
    let repo = Repo::with_sum();
    repo.file(
        "solutions/sum/bad.rs",
        "fn main() {\n    let x: u8 = \"no\";\n}\n",
    );
    let ran = repo.run(&[]);
    assert_eq!(ran.status, 1);
    assert!(
        ran.stdout.contains("solutions/sum/bad.rs:2:17"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_solution_that_passes_where_it_must_fail_is_red() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/wrong_answer/right.rs", SUM);
    let ran = repo.run(&[]);
    assert_eq!(ran.status, 1);
    assert!(ran.stdout.contains("got AC, expected WA"), "{}", ran.stdout);
}

#[test]
fn fail_fast_stops_at_the_first_unexpected_solution() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", does("println!(\"4\");"))
        .file("solutions/sum/b.rs", SUM);
    assert_snapshot!(repo.run(&["--fail-fast"]).all(), @r###"
    FAIL  solutions/sum/a.rs: got WA, expected AC (0 of 2 cases accepted, slowest # s (CASE), SIZE)
          sample/1  WA  token 1: expected `3`, got `4`
            line 1, column 1 of the output (- expected, + got)
              - 1 | 3
                  | ^
              + 1 | 4
                  | ^
            rerun: rejudge run --case sample/1 solutions/sum/a.rs
    FAIL  sum              1 of 1 solution not as expected, 2 cases

    2 solutions: 0 as expected, 1 not as expected, 1 left out (1 case in # s)
      solutions/sum/a.rs: got WA, expected AC (sample/1)
    --- exit status 1
    "###);
}

#[test]
fn verdicts_do_not_depend_on_the_number_of_workers() {
    let repo = Repo::new();
    let cases: Vec<(String, String, String)> = (0..12)
        .map(|case| {
            (
                format!("secret/{case:02}"),
                format!("{case} 1\n"),
                format!("{}\n", case + 1),
            )
        })
        .collect();
    let cases: Vec<(&str, &str, &str)> = cases
        .iter()
        .map(|(name, input, answer)| (&**name, &**input, &**answer))
        .collect();
    repo.problem("sum", "name: Sum\n", &cases)
        .file("solutions/sum/a.rs", SUM)
        .file("solutions/sum/wrong_answer/b.rs", does("println!(\"4\");"));
    let lines = |jobs: &str| {
        let ran = repo.run(&["-vv", "-j", jobs]);
        assert_eq!(ran.status, 0, "{}", ran.all());
        let verdict = |line: &str| {
            line.split_whitespace()
                .take(3)
                .collect::<Vec<_>>()
                .join(" ")
        };
        ran.stdout
            .lines()
            .filter(|line| line.starts_with("  "))
            .map(verdict)
            .collect::<Vec<_>>()
    };
    let alone = lines("1");
    assert_eq!(alone.len(), 24);
    assert_eq!(alone, lines("4"));
}

#[test]
fn a_case_filter_that_selects_nothing_ends_with_four() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM);
    let ran = repo.run(&["--case", "nothing*"]);
    assert_snapshot!(ran.all(), @r###"
    --- standard error
    warning: no case matches `--case nothing*`
    --- exit status 4
    "###);
}

#[test]
fn a_case_without_an_answer_is_run_and_green_only_if_asked_for() {
    let repo = Repo::new();
    repo.file("lone/a.rs", SUM).file("lone/tests/1.in", "1 2\n");
    let ran = repo.run(&["lone/a.rs"]);
    assert_snapshot!(ran.all(), @r###"
    FAIL  lone/a.rs: got RAN, expected AC (0 of 1 case accepted, slowest # s (CASE), SIZE)
          1  RAN  no answer to compare with
            rerun: rejudge run --case 1 lone/a.rs
    FAIL  lone             1 of 1 solution not as expected, 1 case

    1 solution: 0 as expected, 1 not as expected (1 case in # s)
      lone/a.rs: got RAN, expected AC (1)
    --- standard error
    warning: lone/tests/1.in has no answer; it is run only
    help: write the answer to lone/tests/1.ans
    --- exit status 1
    "###);
    assert_eq!(repo.run(&["lone/a.rs", "--no-check"]).status, 0);
}

#[test]
fn repeated_runs_report_their_spread_and_keep_writes_the_outputs() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM);
    let ran = repo.run(&["--repeat", "3", "--keep", "kept", "-vv"]);
    assert_eq!(ran.status, 0);
    assert!(ran.stdout.contains("3 runs: "), "{}", ran.stdout);
    assert_eq!(repo.read("kept/solutions/sum/a.rs/sample/1.out"), "3\n");
}

#[test]
fn the_json_report_has_a_line_for_everything_and_nothing_else() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM)
        .file("solutions/sum/wrong_answer/b.rs", does("println!(\"4\");"));
    let ran = repo.run(&["--json", "-"]);
    let records: Vec<serde_json::Value> = ran
        .stdout
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let types: Vec<&str> = records
        .iter()
        .map(|record| record["type"].as_str().unwrap())
        .collect();
    assert_eq!(
        types,
        [
            "start",
            "case",
            "case",
            "submission",
            "case",
            "case",
            "submission",
            "summary"
        ]
    );
    assert!(records.iter().all(|record| record["schema"] == 1));
    let (case, summary) = (&records[1], &records[7]);
    assert_eq!(case["verdict"], "AC");
    assert!(case["cpu_ms"].as_f64().unwrap() > 0.0 && case["memory_bytes"].as_u64().unwrap() > 0);
    assert_eq!(records[4]["feedback"], "token 1: expected `3`, got `4`");
    assert_eq!(
        (&summary["met"], &summary["unexpected"]),
        (&2.into(), &0.into())
    );
    assert!(ran.stderr.contains("2 as expected"), "{}", ran.stderr);
}

#[test]
fn the_junit_report_is_valid_and_red_only_for_what_is_unexpected() {
    let repo = Repo::with_sum();
    repo.file(
        "solutions/sum/a.rs",
        does("print!(\"\\x1b[31m<&\\u{fffe}\\0\");"),
    )
    .file("solutions/sum/wrong_answer/b.rs", does("println!(\"4\");"))
    .file("solutions/sum/wrong_answer/c.rs", SUM)
    .file("solutions/sum/d.rs", "no");
    assert_eq!(repo.run(&["--junit", "report.xml"]).status, 1);
    let xml = repo.read("report.xml");
    let report = quick_junit::Report::deserialize_from_str(&xml).unwrap();
    let figures: Vec<(String, usize, usize)> = report
        .test_suites
        .iter()
        .map(|suite| (suite.name.to_string(), suite.tests, suite.failures))
        .collect();
    let expected = [
        ("a", 2, 2),
        ("d", 1, 1),
        ("wrong_answer/b", 2, 0),
        ("wrong_answer/c", 3, 1),
    ]
    .map(|(name, tests, failures)| (format!("solutions/sum/{name}.rs"), tests, failures));
    assert_eq!(figures, expected, "{xml}");
}

#[test]
fn a_report_that_cannot_be_written_is_an_error_and_not_a_green_run() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM);
    for args in [
        ["--json", "no/such/folder.json"],
        ["--junit", "no/such/folder.xml"],
    ] {
        let ran = repo.run(&args);
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert!(ran.stderr.contains("no/such/folder"), "{}", ran.stderr);
    }
}

#[test]
fn hostile_output_never_reaches_the_terminal_raw() {
    let repo = Repo::with_sum();
    let nasty = does("print!(\"\\x1b[2J\\u{202e}\\0\"); eprint!(\"\\x1b]0;owned\\x07\");");
    repo.file("solutions/sum/a.rs", nasty);
    let ran = repo.run(&[]);
    assert_eq!(ran.status, 1);
    let bad = |c: char| c.is_control() && c != '\n' || c == '\u{202e}';
    assert!(
        !ran.stdout.contains(bad) && !ran.stderr.contains(bad),
        "{:?}",
        ran.stdout
    );
}

#[test]
fn an_interrupt_sums_up_and_leaves_nothing_behind() {
    for (signal, status) in [("INT", 130), ("TERM", 143)] {
        let repo = Repo::with_sum();
        repo.file("solutions/sum/a.rs", SUM)
            .file("solutions/sum/b.rs", does("loop { std::thread::park(); }"))
            .file("tmp/.keep", "");
        let mut command = repo.command(&["-v", "--json", "report.json"]);
        command
            .env("TMPDIR", repo.path("tmp"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap());
        let mut first = String::new();
        lines.read_line(&mut first).unwrap();
        let id = child.id().to_string();
        let killed = Command::new("kill")
            .args(["-s", signal, &id])
            .status()
            .unwrap();
        assert!(killed.success());
        let mut rest = String::new();
        lines.read_to_string(&mut rest).unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(status));
        assert!(rest.contains("1 as expected, 1 left out"), "{rest}");
        assert!(rest.contains("interrupted"), "{rest}");
        for line in repo.read("report.json").lines() {
            serde_json::from_str::<serde_json::Value>(line).unwrap();
        }
        let left: Vec<_> = std::fs::read_dir(repo.path("tmp")).unwrap().collect();
        assert_eq!(left.len(), 1, "{left:?}");
    }
}

#[test]
fn the_rerun_command_works_where_it_is_shown() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", does("println!(\"4\");"))
        .file("more cases/1.in", "")
        .file("more cases/1.ans", "5\n")
        .file("lone/a.rs", does("println!(\"4\");"));
    let shown = |folder: &str, args: &[&str]| {
        let ran = repo.finish(&mut repo.command_in(folder, args));
        let line = ran.stdout.lines().find(|line| line.contains("rerun: "));
        line.unwrap_or(&ran.all()).trim().to_owned()
    };
    assert_eq!(
        shown("solutions", &["sum", "-t", "1.25", "--checker", "exact"]),
        "rerun: rejudge run --case sample/1 --time-limit 1.25 --checker exact ../solutions/sum/a.rs"
    );
    // A folder of cases beside a solution is one for it.
    for args in [
        &["lone/a.rs", "--cases", "more cases"][..],
        &["lone/a.rs", "more cases"],
    ] {
        let rerun = "rerun: rejudge run --case 1 --cases 'more cases' lone/a.rs";
        assert_eq!(shown("", args), rerun, "{args:?}");
    }
}

#[test]
fn a_compilers_message_is_bounded_and_reaches_the_terminal_escaped() {
    let repo = Repo::with_sum();
    let many = "    let x: u8 = \"\u{1b}[31m\";\n".repeat(50);
    repo.file("solutions/sum/a.rs", format!("fn main() {{\n{many}}}\n"));
    let ran = repo.run(&[]);
    assert_eq!(ran.status, 1);
    assert!(!ran.stdout.contains('\u{1b}'), "{}", ran.stdout);
    assert!(ran.stdout.lines().count() < 60, "{}", ran.stdout);
    assert!(ran.stdout.contains(" more lines\n"), "{}", ran.stdout);
}

#[cfg(unix)]
#[test]
fn the_junit_report_goes_through_links_and_into_pipes_and_replaces_neither() {
    use std::os::unix::fs::FileTypeExt as _;
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM).file("real.xml", "old");
    std::os::unix::fs::symlink("real.xml", repo.path("link.xml")).unwrap();
    assert_eq!(repo.run(&["--junit", "link.xml"]).status, 0);
    assert!(repo.read("real.xml").contains("<testsuites"));
    let pipe = repo.path("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let reader = Command::new("cat")
        .arg(&pipe)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    assert_eq!(repo.run(&["--junit", "pipe"]).status, 0);
    let read = reader.wait_with_output().unwrap().stdout;
    assert!(String::from_utf8(read).unwrap().contains("<testsuites"));
    let kind = std::fs::symlink_metadata(pipe).unwrap().file_type();
    assert!(kind.is_fifo());
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_is_not_green() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM);
    for args in [&["-v"][..], &["--json", "-"], &["list"], &["man"]] {
        let full = std::fs::File::options().write(true).open("/dev/full");
        let ran = repo.finish(repo.command(args).stdout(full.unwrap()));
        assert_eq!(ran.status, 2, "{args:?}");
        assert!(ran.stderr.contains("No space left"), "{}", ran.stderr);
    }
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let ran = repo.finish(repo.command(&["-v"]).stdout(writer));
    assert_eq!((ran.status, ran.stderr.as_str()), (2, ""));
}

#[test]
fn a_language_that_is_not_installed_is_explained_once() {
    let repo = Repo::with_sum();
    repo.file(
        "rejudge.toml",
        "[languages.x]\nname = \"X\"\nextensions = [\"x\"]\nrun = [\"no-such-x\", \"{source}\"]\n",
    );
    repo.file("solutions/sum/a.x", "x")
        .file("solutions/sum/b.x", "x");
    let ran = repo.run(&[]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert_eq!(ran.stdout.matches("help: ").count(), 1, "{}", ran.stdout);
    assert_eq!(ran.stdout.matches("b.x: not judged: X is").count(), 2);
}

#[test]
#[cfg(all(target_os = "linux", not(rejudge_portable)))]
fn a_launcher_that_dies_costs_one_case_and_not_the_run() {
    let repo = Repo::with_sum();
    // The program's parent is its launcher, which it reaches without walls.
    let kills = "let _ = std::process::Command::new(\"/bin/sh\").arg(\"-c\").arg(format!(\"kill -9 {}\", \
                 std::os::unix::process::parent_id())).status();";
    repo.file("solutions/sum/a.rs", does(kills))
        .file("solutions/sum/b.rs", SUM);
    let ran = repo.run(&["-v", "--sandbox", "off"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(
        ran.stdout.contains("JE  the launcher failed: "),
        "{}",
        ran.stdout
    );
    assert!(
        ran.stdout.contains("ok    solutions/sum/b.rs  AC   2/2"),
        "{}",
        ran.stdout
    );
}

#[test]
fn a_summary_in_markdown_is_appended_for_the_page_of_a_job() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/wrong.rs", "fn main() { println!(\"3\"); }\n")
        .file("summary.md", "before\n");
    let mut command = repo.command(&["run", "-q"]);
    command.env("GITHUB_STEP_SUMMARY", repo.path("summary.md"));
    assert_eq!(repo.finish(&mut command).status, 1);
    let text = repo.read("summary.md");
    let head = "before\n### rejudge run: ❌ 0 of 1 solution as expected\n\n| problem | as expected | cases | slowest AC |\n";
    assert!(text.starts_with(head), "{text}");
    assert!(text.contains("\n| sum | 0 of 1 | 2 |  |\n"), "{text}");
    assert!(
        text.contains("\n- solutions/sum/wrong.rs: got WA, expected AC (secret/big)\n"),
        "{text}"
    );
    repo.run(&["run", "-q", "--markdown", "own.md"]);
    assert!(repo.read("own.md").starts_with("### rejudge run: "));
}
