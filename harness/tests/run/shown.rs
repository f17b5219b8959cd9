//! The output on the terminal: short without failures, with helpful details for failures, and never raw.

use insta::assert_snapshot;

use crate::support::Repo;
use crate::support::{SUM, does, is_installed, skip};

#[test]
fn a_repository_without_failures_has_one_line_per_problem() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/sum.rs", SUM)
        .file("solutions/sum/wrong_answer/four.rs", does("println!(\"4\");"))
        .file("solutions/sum/run_time_error/three.rs", does("std::process::exit(3);"));
    assert_snapshot!(repo.run(&[]).all(), @r###"
    ok    sum              3 solutions as expected, 2 cases  slowest AC # s of 2 s (CASE), SIZE

    3 solutions: 3 as expected (6 cases in # s)
    --- exit status 0
    "###);
}

#[test]
fn a_wrong_answer_shows_the_difference_and_the_rerun_command() {
    let repo = Repo::with_sum();
    repo.file(
        "solutions/sum/sum.rs",
        SUM.replace("{sum}", "{}\", sum % 1000 + 0 * \"\".len() as i64); let _ = format!(\""),
    );
    assert_snapshot!(repo.run(&[]).all(), @r###"
    FAIL  solutions/sum/sum.rs: got WA, expected AC
          secret/big  WA  token 1: expected `1000000000001`, got `1`
            input:
              1000000000000 1
            line 1, column 1 of the output (- expected, + got)
              - 1 | 1000000000001
                  | ^^^^^^^^^^^^^
              + 1 | 1
                  | ^
            rerun: rejudge run --case secret/big solutions/sum/sum.rs
          1 of 2 cases accepted, slowest # s (CASE), SIZE
    --- exit status 1
    "###);
}

#[test]
fn a_compile_error_shows_the_message_of_the_compiler_with_the_path_of_the_source() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/bad.rs", "fn main() {\n    let x: u8 = \"no\";\n}\n");
    let ran = repo.run(&[]);
    assert_eq!(ran.status, 1);
    assert!(ran.stdout.contains("solutions/sum/bad.rs:2:17"), "{}", ran.stdout);
}

#[test]
fn repeated_runs_report_their_spread_and_keep_writes_the_outputs() {
    let repo = Repo::with_sum();
    let talks = SUM.replace("println!", "eprintln!(\"a word\"); println!");
    repo.file("solutions/sum/a.rs", talks);
    let ran = repo.run(&["--repeat", "3", "--keep", "kept", "-vv"]);
    assert_eq!(ran.status, 0);
    assert!(ran.stdout.contains("3 runs: "), "{}", ran.stdout);
    let kept = |name: &str| repo.read(&format!("kept/solutions/sum/a.rs/sample/{name}"));
    assert_eq!((kept("1.out"), kept("1.err")), ("3\n".into(), "a word\n".into()));
}

#[test]
fn colours_are_for_terminals_or_on_request() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM);
    for (when, coloured) in [("auto", false), ("never", false), ("always", true)] {
        let ran = repo.run(&["--color", when]);
        assert_eq!(ran.status, 0, "{}", ran.all());
        assert_eq!(ran.stdout.contains("\u{1b}["), coloured, "{when}");
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
    assert!(!ran.stdout.contains(bad) && !ran.stderr.contains(bad), "{:?}", ran.stdout);
}

#[test]
fn a_program_can_neither_send_commands_to_a_ci_nor_hide_results() {
    let repo = Repo::with_sum();
    let said = "eprintln!(\"::error::owned\\n \\t##[error]owned\\u{fffe}\"); println!(\"##vso[task.complete]\");";
    repo.file("solutions/sum/a.rs", does(said))
        .file("solutions/sum/b.rs", "compile_error!(\"\\n::error::owned\\n\u{ffff}\");\n");
    for json in [&[][..], &["--json", "-"]] {
        let ran = repo.run(&[&["--junit", "junit.xml", "--markdown", "page.md"], json].concat());
        assert_eq!(ran.status, 1);
        for text in [&ran.stdout, &ran.stderr, &repo.read("page.md")] {
            let obeyed = |line: &str| {
                let start = line.trim_start();
                start.starts_with("::") || line.contains("##[") || line.contains("##vso[")
            };
            assert!(!text.lines().any(obeyed), "{text}");
        }
        let people = if json.is_empty() { &ran.stdout } else { &ran.stderr };
        assert!(people.contains(":\\:error::owned"), "{people}");
    }
    let document = repo.read("junit.xml");
    let parsed = roxmltree::Document::parse(&document).unwrap();
    let suites = parsed.descendants().filter(|node| node.has_tag_name("testsuite"));
    assert_eq!(suites.count(), 2);
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
    // A folder of cases next to a solution belongs to it.
    for args in [&["lone/a.rs", "--cases", "more cases"][..], &["lone/a.rs", "more cases"]] {
        let rerun = "rerun: rejudge run --case 1 --cases 'more cases' lone/a.rs";
        assert_eq!(shown("", args), rerun, "{args:?}");
    }
}

#[test]
fn a_compilers_message_is_bounded_and_escaped() {
    let repo = Repo::with_sum();
    let many = "    let x: u8 = \"\u{1b}[31m\";\n".repeat(50);
    repo.file("solutions/sum/a.rs", format!("fn main() {{\n{many}}}\n"));
    let ran = repo.run(&[]);
    assert_eq!(ran.status, 1);
    assert!(!ran.stdout.contains('\u{1b}'), "{}", ran.stdout);
    assert!(ran.stdout.lines().count() < 60, "{}", ran.stdout);
    assert!(ran.stdout.contains(" more lines\n"), "{}", ran.stdout);
}

#[test]
fn a_language_that_is_not_installed_is_explained_once() {
    let repo = Repo::with_sum();
    repo.file(
        "rejudge.toml",
        "[languages.x]\nname = \"X\"\nextensions = [\"x\"]\nrun = [\"no-such-x\", \"{source}\"]\n",
    );
    repo.file("solutions/sum/a.x", "x").file("solutions/sum/b.x", "x");
    let ran = repo.run(&[]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert_eq!(ran.stdout.matches("help: ").count(), 1, "{}", ran.stdout);
    assert_eq!(ran.stdout.matches("b.x: not judged: X is").count(), 1);

    let stored = repo.run(&["--json", "-"]).stdout;
    let lines: Vec<_> =
        stored.lines().map(serde_json::from_str::<serde_json::Value>).map(Result::unwrap).collect();
    let line = lines.iter().find(|line| line["type"] == "submission").expect("a line for a.x");
    assert_eq!(line["not_judged_code"], "missing-tool", "{line}");
    assert!(line["not_judged"].as_str().unwrap().starts_with("X is"));
    let help = line["not_judged_help"].as_str().unwrap();
    assert!(help.starts_with("install "), "{line}");
}

#[test]
fn a_table_has_the_verdicts_times_and_points_of_all_submissions() {
    let repo = Repo::with_sum();
    let wrong = does("println!(\"3\");");
    repo.file("solutions/sum/sum.rs", SUM).file("solutions/sum/wrong_answer/three.rs", wrong);
    let rows = |text: &str| -> Vec<Vec<String>> {
        let lines = text.lines().filter(|line| line.contains("AC "));
        let words = lines.map(|line| line.split_whitespace().map(str::to_owned).collect());
        words.collect()
    };
    let ran = repo.run(&["--table", "--json", "run.jsonl"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let verdicts = |words: &[String]| -> Vec<String> {
        let verdict = |word: &&String| ["AC", "WA"].contains(&word.as_str());
        words.iter().filter(verdict).cloned().collect()
    };
    let [sum, three, ..] = &rows(&ran.stdout)[..] else {
        panic!("{}", ran.stdout);
    };
    assert_eq!((sum[1].as_str(), three[1].as_str()), ("sum.rs", "wrong_answer/three.rs"));
    assert_eq!(verdicts(sum), ["AC", "AC", "AC"]);
    // All, the sample, the secret case.
    assert_eq!(verdicts(three), ["WA", "AC", "WA"]);
    let again = repo.run(&["report", "run.jsonl", "--table=cases", "--quiet"]);
    assert_eq!(rows(&again.stdout)[..2], rows(&ran.stdout)[..2], "{}", again.all());
}

#[test]
fn a_wrong_answer_names_a_prompt_and_a_main_that_is_never_called() {
    let repo = Repo::new();
    repo.file("p/1.in", "3\n").file("p/1.ans", "3\n");
    for (name, source, hint) in [
        (
            "prompt.sh",
            "echo 'How many?'; cat\n",
            "the source prints the text `How many?`, which is part of the output",
        ),
        ("main.sh", "# def\n: '\ndef main():\n'\n", "`main` is defined and never called"),
        ("wrong.sh", "echo '4'\n", "expected `3`, got `4`"),
    ] {
        repo.file(&format!("p/{name}"), source);
        let found = repo.verdicts(&[&format!("p/{name}")]);
        assert!(found.len() == 1 && found[0].ends_with(hint), "{found:?}");
    }
}

#[test]
fn a_reason_names_what_a_language_does_without_a_word() {
    let length = "read -r line; echo ${#line}\n";
    for (input, source, hint) in [
        (
            "0\n",
            "read n; echo $((6 / n))\necho after\n",
            "it exits with code 0 after an error: 6 / n: division by 0 (error token is \"n\")",
        ),
        (
            "abc\r\n",
            length,
            "lines of the input end with CR and LF, and many languages keep the CR",
        ),
        ("\u{feff}abc\n", length, "the input starts with a byte order mark (EF BB BF)"),
        (
            "abc\r\n",
            "read -r line; [ \"$line\" = abc ]\n",
            "exit code 1; lines of the input end with CR and LF, and many languages keep the CR",
        ),
        ("abcd\n", length, "expected `3`, got `4`"),
    ] {
        let repo = Repo::new();
        repo.file("p/1.in", input).file("p/1.ans", "3\n").file("p/a.sh", source);
        let found = repo.verdicts(&["p/a.sh"]);
        assert!(found.len() == 1 && found[0].ends_with(hint), "{found:?}");
    }
}

#[test]
fn a_reason_names_the_error_as_the_runtime_of_the_language_prints_it() {
    if !is_installed("gforth") {
        return skip("gforth is missing, so its messages are not tested; install gforth");
    }
    let repo = Repo::new();
    repo.file("p/1.in", "0\n").file("p/1.ans", "3\n").file("p/a.fth", ": main 100 0 / . ;\nmain\n");
    assert_eq!(repo.verdicts(&["p/a.fth"]), ["p/a.fth 1 RTE exit code 1: Division by zero"]);
}
