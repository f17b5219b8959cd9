//! Annotations for hosted CI.

use crate::support::{Repo, SUM};

#[test]
fn findings_about_a_file_are_annotations_where_ci_asks_for_them() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM).file("cases/sum/data/secret/odd,name.ans", "1\n");
    let verify = |args: &[&str], asked: &str| {
        let mut command = repo.command(&[&["verify"], args].concat());
        repo.finish(command.env("GITHUB_ACTIONS", asked).env_remove("GITHUB_WORKSPACE"))
    };
    let lines = |text: &str| {
        let all = text.lines().filter(|line| line.starts_with("::"));
        all.map(str::to_owned).collect::<Vec<_>>()
    };
    let ran = verify(&[], "true");
    assert_eq!(ran.status, 1, "{}", ran.all());
    let found = lines(&ran.stdout);
    assert_eq!(found.len(), 1, "{}", ran.all());
    assert!(
        found[0].starts_with("::error file=") && found[0].contains("/cases/sum/data/secret/"),
        "{found:?}"
    );
    assert!(found[0].contains("title=rejudge verify::"), "{found:?}");
    assert_eq!(lines(&verify(&[], "").stdout).len(), 0);
    // The JSON on standard output stays JSON.
    let ran = verify(&["--json", "-"], "true");
    assert_eq!((lines(&ran.stdout).len(), lines(&ran.stderr).len()), (0, 1), "{}", ran.all());
}

#[test]
fn of_many_warnings_of_one_kind_a_text_shows_a_few_and_json_has_all() {
    let repo = Repo::with_sum();
    repo.file("solutions/sum/a.rs", SUM);
    for number in 0..12 {
        repo.file(&format!("cases/sum/submissions/draft{number}/a.rs"), SUM);
    }
    let args = ["verify", "sum", "--no-submissions", "--json", "found.jsonl"];
    let ran = repo.run(&args);
    let words = "is not named after a verdict";
    assert_eq!(repo.read("found.jsonl").matches(words).count(), 12);
    let shown = ran.stdout.matches(words).count();
    assert!((1..8).contains(&shown), "{}", ran.all());
    let more = format!("… and {} more of this kind", 12 - shown);
    assert!(ran.stdout.contains(&more), "{}", ran.all());
}
