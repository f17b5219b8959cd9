//! `rejudge report` and `rejudge run --html`: what they write, and what is not a report.

use crate::support::{Repo, SUM, does};

/// A repository in which an expected, an unexpected and a missed verdict occur, and its report `run.jsonl`.
pub(super) fn repo() -> Repo {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM)
        .file("solutions/sum/b.rs", does("println!(\"3\");"))
        .file("solutions/sum/wrong_answer/c.rs", does("println!(\"4\");"))
        .file("solutions/sum/wrong_answer/d.rs", SUM)
        .file("solutions/sum/e.rs", "no");
    let ran = repo.run(&["run", "--json", "run.jsonl", "--html", "run.html", "--junit", "run.xml"]);
    assert_eq!(ran.status, 1, "{}", ran.all());
    repo
}

/// The page without its data, which is compressed.
pub(super) fn markup(page: &str) -> String {
    let mut parts = page.split("<script type=\"application/octet-stream\"");
    let first = parts.next().unwrap().to_owned();
    parts.fold(first, |text, part| text + part.split_once("</script>").unwrap().1)
}

#[test]
fn a_stored_run_gives_the_same_reports_as_the_run() {
    let repo = repo();
    let ran = repo.run(&[
        "report",
        "run.jsonl",
        "--html",
        "again.html",
        "--junit",
        "again.xml",
        "--markdown",
        "again.md",
    ]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(ran.stdout.contains("solutions/sum/b.rs"), "{}", ran.stdout);
    assert_eq!(repo.read("again.xml"), repo.read("run.xml"));
    assert_eq!(markup(&repo.read("again.html")), markup(&repo.read("run.html")));
    assert!(repo.read("again.md").contains("2 of 5 solutions"), "{}", repo.read("again.md"));
}

#[test]
fn without_its_script_the_page_has_the_summary_and_the_failures() {
    let page = markup(&repo().read("run.html"));
    for text in [
        "2 of 5 submissions as expected",
        "solutions/sum/b.rs",
        "secret/big",
        "token 1: expected `1000000000001`, got `3`",
        "got AC, expected WA",
        "expected: wrong_answer",
    ] {
        assert!(page.contains(text), "{text}\n{page}");
    }
    // An expected wrong answer is not a failure.
    assert!(!page.contains("wrong_answer/c.rs"), "{page}");
    assert!(page.contains("default-src 'none'; script-src 'sha256-"), "{page}");
}

#[test]
fn the_json_report_has_paths_and_heads() {
    let text = repo().read("run.jsonl");
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let time = lines[0]["time"].as_str().unwrap();
    assert!(time.ends_with('Z') && time.starts_with("20"), "{time}");
    let case = |submission: &str, case: &str| {
        let of = |line: &&serde_json::Value| {
            line["type"] == "case" && line["submission"] == submission && line["case"] == case
        };
        lines.iter().find(of).unwrap()
    };
    let good = case("solutions/sum/a.rs", "secret/big");
    assert_eq!(good["input_path"], "cases/sum/data/secret/big.in");
    assert_eq!(good["answer_path"], "cases/sum/data/secret/big.ans");
    assert!(good.get("output").is_none() && good.get("answer").is_none());
    let bad = case("solutions/sum/b.rs", "secret/big");
    assert_eq!((&bad["output"], &bad["answer"]), (&"3".into(), &"1000000000001".into()));
    let whole = |name: &str| {
        let of =
            |line: &&serde_json::Value| line["type"] == "submission" && line["submission"] == name;
        lines.iter().find(of).unwrap()["must_fail"].clone()
    };
    assert_eq!(whole("solutions/sum/a.rs"), false);
    assert_eq!(whole("solutions/sum/wrong_answer/d.rs"), true);
}

#[test]
fn on_some_of_the_cases_a_wrong_submission_is_still_one_that_must_be_caught() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/wrong_answer/c.rs", does("println!(\"3\");"));
    for case in ["secret/*", "sample/*"] {
        let ran = repo.run(&["run", "--case", case, "--json", "-"]);
        assert_eq!(ran.status, 0, "{}", ran.all());
        let mut lines =
            ran.stdout.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap());
        let line = lines.find(|line| line["type"] == "submission").unwrap();
        assert_eq!(line["must_fail"], true, "{case}: {line}");
    }
}

#[test]
fn what_is_not_a_report_is_an_error_and_no_file_is_written() {
    let repo = Repo::new();
    let later = r#"{"type":"start","schema":7}"#;
    for (text, shown) in [
        ("", "`x` is not a report: line 1"),
        ("hello\n", "`x` is not a report: line 1"),
        (later, "`x` has schema 7"),
        ("\0\u{ff}", "`x` is not a report"),
    ] {
        repo.file("x", text);
        let ran = repo.run(&["report", "x", "--html", "page.html", "--junit", "r.xml"]);
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert!(ran.stderr.contains(shown), "{}", ran.all());
        assert!(!repo.path("page.html").exists() && !repo.path("r.xml").exists());
    }
    let ran = repo.run(&["report", "missing.jsonl"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
}

#[test]
fn of_a_truncated_report_the_whole_part_is_drawn_with_a_note() {
    let repo = repo();
    let text = repo.read("run.jsonl");
    repo.file("cut.jsonl", &text[..text.len() / 2]);
    let ran = repo.run(&["report", "cut.jsonl", "--html", "cut.html"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert!(
        ran.stdout.contains("incomplete: `cut.jsonl` ends before its summary"),
        "{}",
        ran.all()
    );
    let page = markup(&repo.read("cut.html"));
    assert!(
        page.contains("<p class=\"note\" role=\"alert\">`cut.jsonl` ends before its summary"),
        "{page}"
    );
    let against = ["--against", "cut.jsonl", "--html", "two.html"];
    let ran = repo.run(&[&["report", "run.jsonl"], &against[..]].concat());
    assert_eq!(ran.status, 0, "{}", ran.all());
    let page = markup(&repo.read("two.html"));
    assert!(
        page.contains(
            "<p class=\"note\" role=\"alert\">The earlier run: `cut.jsonl` ends before its summary"
        ),
        "{page}"
    );
}

#[test]
fn the_same_submission_in_two_files_is_an_error() {
    let repo = repo();
    let ran = repo.run(&["report", "run.jsonl", "run.jsonl"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(ran.stderr.contains("--against OLD.jsonl"), "{}", ran.all());
}

#[test]
fn no_report_overwrites_another_or_a_file_that_the_command_reads() {
    let repo = repo();
    let report = repo.read("run.jsonl");
    repo.file("old.jsonl", &report)
        .file("p.zip", "an archive")
        .file("benches/baselines/main.json", "{}");
    let source = repo.read("solutions/sum/a.rs");
    let overwrites = |option: &str, file: &str| {
        format!("`{option}` would overwrite `{file}`, which the command reads")
    };
    for (arguments, shown) in [
        ("report run.jsonl --html run.jsonl", overwrites("--html", "run.jsonl")),
        (
            "report run.jsonl --junit solutions/../run.jsonl",
            overwrites("--junit", "solutions/../run.jsonl"),
        ),
        ("report run.jsonl --markdown run.jsonl", overwrites("--markdown", "run.jsonl")),
        (
            "report run.jsonl --against old.jsonl --html old.jsonl",
            overwrites("--html", "old.jsonl"),
        ),
        (
            "report --history benches/baselines/main.json --html benches/baselines/main.json",
            overwrites("--html", "benches/baselines/main.json"),
        ),
        ("verify p.zip --html p.zip", overwrites("--html", "p.zip")),
        ("verify p.zip --json ./p.zip", overwrites("--json", "./p.zip")),
        ("export p.zip --to icpc -o p.zip", overwrites("--output", "p.zip")),
        ("export p.zip --to icpc -o x.zip --json p.zip", overwrites("--json", "p.zip")),
        (
            "export p.zip --to icpc -o x.zip --json x.zip",
            "`--json` and `--output` name the same file `x.zip`".to_owned(),
        ),
        (
            "report run.jsonl --html x --junit ./x",
            "`--junit` and `--html` name the same file `x`".to_owned(),
        ),
        (
            "report run.jsonl --html -",
            "`--html -`: this report cannot go to standard output".to_owned(),
        ),
        ("bench --html -", "`--html -`: this report cannot go to standard output".to_owned()),
        (
            "bench --json x --markdown x",
            "`--json` and `--markdown` name the same file `x`".to_owned(),
        ),
        (
            "run solutions/sum/a.rs --json solutions/sum/a.rs",
            overwrites("--json", "solutions/sum/a.rs"),
        ),
        (
            "run --html x --markdown x",
            "`--html` and `--markdown` name the same file `x`".to_owned(),
        ),
        (
            "scale solutions/sum/a.rs --svg solutions/sum/a.rs",
            overwrites("--svg", "solutions/sum/a.rs"),
        ),
    ] {
        let ran = repo.run(&arguments.split(' ').collect::<Vec<_>>());
        assert_eq!(ran.status, 2, "{arguments}: {}", ran.all());
        assert!(
            ran.stderr.starts_with(&format!("error: {shown}\nhelp: ")),
            "{arguments}: {}",
            ran.all()
        );
    }
    assert!(!repo.path("-").exists() && !repo.path("x").exists());
    assert_eq!(repo.read("run.jsonl"), report);
    assert_eq!(repo.read("old.jsonl"), report);
    assert_eq!(repo.read("solutions/sum/a.rs"), source);
    assert_eq!(repo.read("benches/baselines/main.json"), "{}");
}
