//! The reports JSON, `JUnit` and Markdown, and the files that they are written to.

use std::process::{Command, Stdio};

use crate::support::Repo;
use crate::support::{SUM, does};

#[test]
fn the_json_report_has_a_line_for_everything_and_nothing_else() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM)
        .file("solutions/sum/wrong_answer/b.rs", does("println!(\"4\");"));
    let ran = repo.run(&["--json", "-"]);
    let records: Vec<serde_json::Value> =
        ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let types: Vec<&str> = records.iter().map(|record| record["type"].as_str().unwrap()).collect();
    assert_eq!(
        types,
        ["start", "case", "case", "submission", "case", "case", "submission", "summary"]
    );
    assert!(records.iter().all(|record| record["schema"] == 1));
    let (case, summary) = (&records[1], &records[7]);
    assert_eq!(case["verdict"], "AC");
    assert!(case["cpu_ms"].as_f64().unwrap() > 0.0 && case["memory_bytes"].as_u64().unwrap() > 0);
    assert_eq!(records[4]["feedback"], "token 1: expected `3`, got `4`");
    assert_eq!((&summary["met"], &summary["unexpected"]), (&2.into(), &0.into()));
    assert!(ran.stderr.contains("2 as expected"), "{}", ran.stderr);
}

#[test]
fn the_junit_report_is_valid_and_has_failures_only_for_unexpected_verdicts() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", does("print!(\"\\x1b[31m<&\\u{fffe}\\0\");"))
        .file("solutions/sum/wrong_answer/b.rs", does("println!(\"4\");"))
        .file("solutions/sum/wrong_answer/c.rs", SUM)
        .file("solutions/sum/d.rs", "no");
    assert_eq!(repo.run(&["--junit", "report.xml"]).status, 1);
    let xml = repo.read("report.xml");
    let report = roxmltree::Document::parse(&xml).unwrap();
    let suites = report.descendants().filter(|node| node.has_tag_name("testsuite"));
    let figures: Vec<(String, usize, usize)> = suites
        .map(|suite| {
            let number = |name| suite.attribute(name).unwrap().parse().unwrap();
            let name = suite.attribute("name").unwrap().to_owned();
            (name, number("tests"), number("failures"))
        })
        .collect();
    let expected = [("a", 2, 2), ("d", 1, 1), ("wrong_answer/b", 2, 0), ("wrong_answer/c", 3, 1)]
        .map(|(name, tests, failures)| (format!("solutions/sum/{name}.rs"), tests, failures));
    assert_eq!(figures, expected, "{xml}");
    // A submission that did not compile, and one that never failed.
    let whole = xml.matches("name=\"the submission as a whole\"");
    assert_eq!(whole.count(), 2, "{xml}");
    for property in ["sandbox.lacks", "sandbox.cpu_clock", "machine.noise"] {
        let said = format!("<property name=\"{property}\"");
        assert_eq!(xml.matches(&said).count(), expected.len(), "{xml}");
    }
}

#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM);
    for args in [["--json", "no/such/folder.json"], ["--junit", "no/such/folder.xml"]] {
        let ran = repo.run(&args);
        assert_eq!(ran.status, 2, "{}", ran.all());
        assert!(ran.stderr.contains("no/such/folder"), "{}", ran.stderr);
    }
}

#[test]
fn the_error_of_a_full_disk_names_the_report() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM);
    repo.run(&["run", "--shard", "1/1", "--json", "run.jsonl"]);
    for command in [["run", "-q"], ["report", "run.jsonl"], ["merge", "run.jsonl"]] {
        for report in ["--html", "--junit", "--markdown"] {
            let ran = repo.run(&[&command[..], &[report, "/dev/full"]].concat());
            assert_eq!(ran.status, 2, "{}", ran.all());
            let shown = "error: cannot write the report to `/dev/full`\n  caused by: No space left";
            assert!(ran.stderr.contains(shown), "{command:?} {report}: {}", ran.all());
        }
    }
}

#[test]
fn the_junit_report_is_written_through_links_and_pipes_and_replaces_neither() {
    use std::os::unix::fs::FileTypeExt as _;
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM).file("real.xml", "old");
    std::os::unix::fs::symlink("real.xml", repo.path("link.xml")).unwrap();
    assert_eq!(repo.run(&["--junit", "link.xml"]).status, 0);
    assert!(repo.read("real.xml").contains("<testsuites"));
    let pipe = repo.path("pipe");
    let made = Command::new("mkfifo").arg(&pipe).status();
    assert!(made.unwrap().success());
    let reader = Command::new("cat").arg(&pipe).stdout(Stdio::piped()).spawn().unwrap();
    assert_eq!(repo.run(&["--junit", "pipe"]).status, 0);
    let read = reader.wait_with_output().unwrap().stdout;
    assert!(String::from_utf8(read).unwrap().contains("<testsuites"));
    let kind = std::fs::symlink_metadata(pipe).unwrap().file_type();
    assert!(kind.is_fifo());
}

#[test]
fn a_markdown_summary_is_appended_to_the_page_of_a_job() {
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

#[test]
fn unexpected_solutions_are_annotated_where_hosted_ci_asks_for_it() {
    let repo = Repo::with_sum();
    repo.file("r/x", "")
        .file("solutions/sum/a,b.rs", does("println!(\"4\");"))
        .file("solutions/sum/good.rs", SUM);
    let annotated = |args: &[&str]| {
        let mut command = repo.command(args);
        command.env("GITHUB_ACTIONS", "true").env("GITHUB_WORKSPACE", repo.path("r/.."));
        repo.finish(&mut command)
    };
    let expected = "::error file=solutions/sum/a%2Cb.rs,title=rejudge::got WA, expected AC (sample/1): token 1: expected `3`, got `4`";
    let commands = |text: &str| -> Vec<String> {
        let starts = |line: &&str| line.trim_start().starts_with("::");
        text.lines().filter(starts).map(str::to_owned).collect()
    };
    let ran = annotated(&["run", "-q"]);
    assert_eq!(commands(&ran.stdout), [expected], "{}", ran.all());
    // Standard output is all JSON.
    let ran = annotated(&["run", "--json", "-"]);
    assert_eq!(commands(&ran.stderr), [expected], "{}", ran.all());
    assert!(commands(&ran.stdout).is_empty(), "{}", ran.all());
    let ran = repo.run(&["run", "-q"]);
    assert!(commands(&ran.stdout).is_empty(), "{}", ran.all());
}
