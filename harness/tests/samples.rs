//! `rejudge export --to samples`, and the attachments in archives of other systems.

use serde_json::Value;

use crate::export::{content, exported};
use crate::support::Repo;

const SETTINGS: &str = "name: P\nlimits: {time_limit: 1}\n";

/// A problem with three samples, the second of which is only shown, and attachments.
fn problem(id: &str) -> Repo {
    let repo = Repo::new();
    let cases =
        [("sample/a", "1\n", "2\n"), ("sample/c", "3\n", "any\n"), ("secret/x", "5\n", "6\n")];
    repo.problem(id, SETTINGS, &cases);
    repo.file(&format!("cases/{id}/data/sample/b.interaction"), "<1\n>2\n")
        .file(&format!("cases/{id}/data/sample/c.ans.statement"), "4\n")
        .file(&format!("cases/{id}/data/sample/c.ans.download"), "4\n")
        .file(&format!("cases/{id}/attachments/tool.py"), "print(1)\n")
        .file(&format!("cases/{id}/attachments/.hidden"), "no\n");
    repo
}

fn texts(repo: &Repo, file: &str) -> Vec<(String, String)> {
    content(repo, file).into_iter().collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(name, text)| ((*name).to_owned(), (*text).to_owned())).collect()
}

#[test]
fn samples_have_the_numbers_of_the_statement() {
    let repo = problem("p");
    let ran = repo.run(&["export", "p", "--to", "samples", "-o", "s.zip"]);
    assert_eq!(ran.all(), "p: 2 samples, 1 attachment -> s.zip\n--- exit status 0");
    let expected = [
        ("1.ans", "2\n"),
        ("1.in", "1\n"),
        ("3.ans", "4\n"),
        ("3.in", "3\n"),
        ("tool.py", "print(1)\n"),
    ];
    assert_eq!(texts(&repo, "s.zip"), pairs(&expected));
    // Again: the archive is replaced by the same bytes.
    let before = std::fs::read(repo.path("s.zip")).unwrap();
    let ran = repo.run(&["export", "p", "--to", "samples", "-o", "s.zip", "--json", "-"]);
    let line: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!(
        (&line["cases"], &line["attachments"], &line["files"]),
        (&2.into(), &1.into(), &5.into())
    );
    assert_eq!(std::fs::read(repo.path("s.zip")).unwrap(), before);
}

#[test]
fn a_contest_has_one_archive_with_a_folder_for_each_label() {
    let repo = problem("p");
    repo.problem("q", SETTINGS, &[("sample/1", "7\n", "8\n")]);
    repo.problem("spare", SETTINGS, &[("sample/1", "secret\n", "secret\n")]);
    let export = ["export", "cases", "--to", "samples", "-o", "s.zip"];
    assert_eq!(repo.run(&export).status, 0);
    let names: Vec<String> = content(&repo, "s.zip").into_keys().collect();
    assert_eq!(
        names,
        [
            "p/1.ans",
            "p/1.in",
            "p/3.ans",
            "p/3.in",
            "p/tool.py",
            "q/1.ans",
            "q/1.in",
            "spare/1.ans",
            "spare/1.in"
        ]
    );
    repo.file("cases/problems.yaml", "- {id: q, label: A}\n- {id: p, label: B}\n");
    let ran = repo.run(&export);
    let lines = "q: 1 sample, 0 attachments -> s.zip\np: 2 samples, 1 attachment -> s.zip\n";
    assert_eq!((ran.status, ran.stdout.as_str()), (0, lines), "{}", ran.all());
    let names: Vec<String> = content(&repo, "s.zip").into_keys().collect();
    assert_eq!(names, ["A/1.ans", "A/1.in", "B/1.ans", "B/1.in", "B/3.ans", "B/3.in", "B/tool.py"]);
}

#[test]
fn what_participants_cannot_get_is_an_error() {
    let repo = problem("p");
    repo.problem("none", SETTINGS, &[("secret/x", "5\n", "6\n")]);
    let to = |what: &str, more: &[&str]| {
        repo.run(&[&["export", what, "--to", "samples", "-o", "s.zip"], more].concat())
    };
    let none = "error: `none` has neither samples nor attachments
help: samples are the cases in cases/none/data/sample
";
    assert_eq!(to("none", &[]).all(), format!("--- standard error\n{none}--- exit status 2"));
    assert!(!repo.path("s.zip").exists());
    // The others of a contest are written.
    let ran = to("cases", &[]);
    assert_eq!((ran.status, ran.stderr.as_str()), (2, none), "{}", ran.all());
    assert!(content(&repo, "s.zip").contains_key("p/1.in"));
    repo.file("out/file", "");
    let ran = repo.run(&["export", "p", "--to", "samples", "-o", "out"]);
    let folder =
        "error: `--output out`: this is a folder\nhelp: name a file: `-o out/samples.zip`\n";
    assert_eq!((ran.status, ran.stderr.as_str()), (2, folder));
    let ran = repo.run(&["export", "p", "--to", "icpc", "-o", "out"]);
    assert!(ran.stderr.ends_with("help: name a file: `-o out/p.zip`\n"), "{}", ran.all());
    let stated =
        "error: samples have no time limit\nhelp: leave out `--time-limit` and `--limits`\n";
    assert_eq!(to("p", &["-t", "1"]).stderr, stated);
    repo.file("cases/p/attachments/3.ans", "other\n");
    let clash = "error: cases/p/attachments/3.ans has the name that `sample/c` gets
help: rename the attachment, or put it in place of the sample: data/sample/c.ans.download
";
    assert_eq!(to("p", &[]).stderr, clash);
}

#[test]
fn samples_of_interactive_problems_are_those_to_download() {
    let talks = "type: interactive\n";
    let repo = Repo::new();
    let cases = [("sample/1", "hidden\n", "hidden\n"), ("sample/2", "shown\n", "shown\n")];
    repo.problem("p", &format!("{SETTINGS}{talks}"), &cases);
    repo.file("cases/old/problem.yaml", "name: P\nvalidation: custom interactive\n");
    for (name, text, _) in cases {
        for end in ["in", "ans"] {
            repo.file(&format!("cases/old/data/{name}.{end}"), text);
        }
    }
    for id in ["p", "old"] {
        repo.file(
            &format!("cases/{id}/output_validator{}/v.py", if id == "p" { "" } else { "s" }),
            "",
        );
    }
    repo.file("cases/p/data/sample/1.interaction", "<1\n")
        .file("cases/p/data/sample/1.in.download", "")
        .file("cases/p/data/sample/1.ans.download", "")
        .file("cases/old/attachments/tool.py", "");
    repo.run(&["export", "cases", "--to", "samples", "-o", "s.zip"]);
    let names: Vec<String> = content(&repo, "s.zip").into_keys().collect();
    assert_eq!(names, ["old/tool.py", "p/2.ans", "p/2.in"]);
    // DOMjudge offers no samples of interactive problems.
    for system in ["domjudge", "kattis-legacy"] {
        exported(&repo, "p", system);
        let files = content(&repo, &format!("{system}/p.zip"));
        assert_eq!(files.get("attachments/2.in").map(String::as_str), Some("shown\n"), "{system}");
        assert!(!files.contains_key("attachments/1.in"), "{system}");
    }
}

#[test]
fn attachments_are_kept_or_listed() {
    let repo = problem("p");
    for (system, place) in [
        ("icpc", "attachments/tool.py"),
        ("domjudge", "attachments/tool.py"),
        ("kattis-legacy", "attachments/tool.py"),
        ("hydro", "p/additional_file/tool.py"),
    ] {
        let lost = exported(&repo, "p", system);
        assert!(content(&repo, &format!("{system}/p.zip")).contains_key(place), "{system}");
        assert!(lost.iter().all(|one| !one.contains("attachments")), "{system}: {lost:?}");
    }
    for system in ["polygon", "boca"] {
        let lost = exported(&repo, "p", system);
        let listed = "not carried: the attachments: hand them out yourself";
        assert!(lost.iter().any(|one| one == listed), "{system}: {lost:?}");
    }
    let shown = "not carried: what is shown of `sample/c` in place of the case";
    assert!(exported(&repo, "p", "domjudge").iter().any(|one| one == shown));
}
