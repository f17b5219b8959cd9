//! A repository is closed: its own layout is judged, and the folders that `rejudge.toml` adds.

use crate::support::{Repo, SUM};

/// A repository with a problem, and a plain folder with another one.
fn repo() -> Repo {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM)
        .file("2024/max/max.rs", SUM)
        .file("2024/max/1.in", "1 2\n")
        .file("2024/max/1.out", "3\n")
        .file("old/min.rs", SUM)
        .file("old/min.in", "1 2\n")
        .file("old/min.out", "3\n")
        .file("notes/plan.md", "\n");
    repo
}

/// The names of the submissions.
fn listed(repo: &Repo, args: &[&str]) -> Vec<String> {
    let ran = repo.run(&[&["list", "--json", "-"], args].concat());
    let lines = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap());
    let lines = lines.filter(|line: &serde_json::Value| line["type"] == "submission");
    lines.map(|line| line["submission"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn other_problems_are_counted_in_one_line_with_the_command_that_judges_them() {
    let repo = repo();
    assert_eq!(listed(&repo, &[]), ["solutions/sum/a.rs"]);
    let ran = repo.run(&["list"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    assert_eq!(
        ran.stderr,
        "warning: 2 problems outside `cases/` and `solutions/` are not judged: 2024, old\n\
         help: judge them with `rejudge 2024 old`; to judge folders always, list them in rejudge.toml: `folders = [\"…\"]`\n"
    );
    assert_eq!(listed(&repo, &["2024", "old"]), ["2024/max/max.rs", "old/min.rs"]);
    // A part of the repository is asked for.
    let ran = repo.run(&["list", "sum"]);
    assert_eq!((ran.status, ran.stderr.as_str()), (0, ""));
}

#[test]
fn settings_add_folders() {
    let repo = repo();
    repo.file("rejudge.toml", "folders = [\"2024\"]\n");
    let found = ["solutions/sum/a.rs", "2024/max/max.rs"];
    assert_eq!(listed(&repo, &[]), found);
    assert_eq!(repo.run(&["list"]).stderr, "");
    repo.file("rejudge.toml", "folders = []\n");
    assert_eq!(listed(&repo, &[]), ["solutions/sum/a.rs"]);
    assert_eq!(repo.run(&["list"]).stderr, "");
    repo.file("rejudge.toml", "folders = [\"2023\", \"2024\"]\n");
    assert_eq!(listed(&repo, &[]), found);
    assert_eq!(
        repo.run(&["list"]).stderr,
        "warning: rejudge.toml: `folders` names `2023`, but no such folder exists\n"
    );
}

#[test]
fn cases_alone_are_a_repository_only_if_their_folders_are_problems() {
    let repo = Repo::new();
    repo.file(".git/HEAD", "")
        .file("cases/big/1.in", "1 2\n")
        .file("cases/big/1.out", "3\n")
        .file("cases/1.in", "1 2\n")
        .file("cases/1.out", "3\n")
        .file("sum.rs", SUM);
    assert_eq!(listed(&repo, &[]), ["sum.rs"]);
    let ran = repo.run(&["list"]);
    assert!(ran.stdout.contains("cases: 2\n") || ran.stdout.contains("big 1"), "{}", ran.all());
    let repo = Repo::new();
    repo.file(".git/HEAD", "").file("cases/sum/1.in", "1 2\n").file("cases/sum/1.out", "3\n");
    let ran = repo.run(&["list"]);
    assert!(ran.all().contains("cases/sum has no solutions"), "{}", ran.all());
}

#[test]
fn cases_alone_are_a_repository_if_they_hold_problems() {
    // Files, and whether `cases/` holds problems.
    let table: [(&[&str], bool); 5] = [
        (&["cases/p/1.in", "cases/p/1.out"], true),
        (&["cases/p/1.in", "cases/p/1.out", "README.md", "LICENSE"], true),
        (
            &[
                "cases/p/problem.yaml",
                "cases/p/data/secret/1.in",
                "cases/p/data/secret/1.ans",
                "a.rs",
            ],
            true,
        ),
        // These are cases of the source.
        (&["cases/1.in", "cases/1.out", "a.rs"], false),
        (&["cases/small/1.in", "cases/small/1.out", "a.rs"], false),
    ];
    for (files, is_repository) in table {
        let repo = Repo::new();
        for path in files {
            let text = match path.rsplit_once('.').map(|(_, end)| end) {
                Some("rs") => SUM,
                Some("in") => "1 2\n",
                Some("yaml") => "problem_format_version: 2025-09\nname: P\n",
                _ => "3\n",
            };
            repo.file(path, text);
        }
        let ran = repo.run(&["run"]);
        if is_repository {
            let help = "error: there is no solution of `p`\nhelp: write one to `solutions/p/`";
            assert!(ran.stderr.contains(help), "{files:?}: {}", ran.all());
            let inside = repo.finish(&mut repo.command_in("cases/p", &["list"]));
            assert!(inside.stdout.starts_with('p'), "{files:?}: {}", inside.all());
        } else {
            assert_eq!(ran.status, 0, "{files:?}: {}", ran.all());
            assert!(ran.stdout.contains("a.rs"), "{files:?}: {}", ran.all());
        }
    }
}

#[test]
fn many_warnings_of_one_kind_are_a_few_lines_and_their_number() {
    let repo = Repo::new();
    for number in 0..30 {
        repo.file(&format!("p{number}/a.rs"), SUM).file(&format!("p{number}/1.in"), "1 2\n");
    }
    let ran = repo.run(&["list"]);
    let warnings = ran.stderr.matches("warning: ").count();
    assert_eq!(warnings, 4, "{}", ran.all());
    assert!(ran.stderr.contains("warning: … and 27 more of this kind"), "{}", ran.all());
    // Only people read a few of them.
    let lines = repo.run(&["list", "--json", "-"]);
    let warnings = lines.stdout.matches("\"type\":\"warning\"").count();
    assert_eq!(warnings, 30, "{}", lines.all());
}

#[test]
fn a_helper_is_judged_if_it_is_named_and_a_folder_without_cases_offers_to_run_its_source() {
    let repo = Repo::new();
    repo.file("p/sol.rs", SUM)
        .file("p/gen.rs", SUM)
        .file("p/wine.rs", SUM)
        .file("p/beer.rs", SUM)
        .file("p/tea.rs", SUM)
        .file("p/1.in", "1 2\n")
        .file("p/1.out", "3\n")
        .file("q/a b.rs", SUM);
    assert_eq!(listed(&repo, &["p"]), ["p/beer.rs", "p/sol.rs", "p/tea.rs", "p/wine.rs"]);
    assert_eq!(listed(&repo, &["p/gen.rs"]), ["p/gen.rs"]);
    let ran = repo.run(&["run", "q"]);
    assert!(ran.stderr.contains("`rejudge exec 'q/a b.rs'`"), "{}", ran.all());
    let ran = repo.run(&["run", "wine.rs"]);
    assert_eq!(ran.status, 2, "{}", ran.all());
    assert!(ran.stderr.contains("no file, folder or problem is called `wine.rs`"), "{}", ran.all());
    let ran = repo.run(&["run", "sol.rs"]);
    assert!(ran.stderr.contains("help: did you mean `p/sol.rs`?"), "{}", ran.all());
}

#[test]
fn a_huge_tree_outside_is_not_read_to_its_end() {
    let repo = repo();
    std::fs::create_dir(repo.path("zzz")).unwrap();
    for number in 0..12_000 {
        std::fs::write(repo.path(&format!("zzz/{number}.png")), "").unwrap();
    }
    let ran = repo.run(&["list"]);
    assert_eq!(ran.status, 0, "{}", ran.all());
    let cut = "warning: at least ";
    let nothing_found = ran.stderr.is_empty();
    assert!(nothing_found || ran.stderr.contains(cut), "{}", ran.all());
    assert!(!ran.stderr.contains("2 problems outside"), "{}", ran.all());
    assert_eq!(listed(&repo, &[]), ["solutions/sum/a.rs"]);
}
